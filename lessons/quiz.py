"""The quiz of a lesson, in the terminal: a question is right when the set is right.

Letters are read from a line, "b", "a c" or "ac"; after each answer it is said why.
The end of the input and Ctrl-C end the quiz with the score so far.
"""

import re
from pathlib import Path

from lessons import progress, screen
from lessons.manifest import Lesson, Question

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def run(lesson: Lesson, my: Path = progress.MY) -> int:
    """Ask all questions; 0, whatever was answered, or 130 after Ctrl-C."""
    if not lesson.quiz:
        raise screen.CannotRun(f"lesson {lesson.number:02} has no quiz")
    screen.title(f"Lesson {lesson.number:02}: {lesson.title}, quiz")
    screen.say("Type the letters of all right answers, for example: a c")
    right = asked = 0
    stopped = 0
    try:
        for number, question in enumerate(lesson.quiz, 1):
            print()
            several = sum(answer.right for answer in question.answers) > 1
            more = " (more than one is right)" if several else ""
            screen.say(f"{number} of {len(lesson.quiz)}. {question.text}{more}")
            right += pose(question)
            asked += 1
    except screen.Left:
        screen.say("The quiz ends here, before its last question.")
    except KeyboardInterrupt:
        print()
        screen.say("The quiz ends here, before its last question.")
        stopped = 130
    print()
    print(f"{right} of {len(lesson.quiz)}")
    if asked:
        progress.note(lesson.number, my, quiz=[right, len(lesson.quiz)])
    return stopped


def pose(question: Question) -> bool:
    """Ask one question, explain it, and say whether the answer was right."""
    letters = LETTERS[: len(question.answers)]
    for letter, answer in zip(letters, question.answers, strict=True):
        screen.say(f"   {letter}) {answer.text}")
    named = read_letters(letters)
    wanted = {
        letter
        for letter, answer in zip(letters, question.answers, strict=True)
        if answer.right
    }
    if named == wanted:
        screen.say("Right.")
    else:
        some = "Not complete" if named < wanted else "Not right"
        screen.say(f"{some}: the answer is {' '.join(sorted(wanted))}.")
    for letter, answer in zip(letters, question.answers, strict=True):
        if answer.why and letter in named | wanted:
            screen.say(f"   {letter}) {answer.why}")
    screen.say(question.why)
    return named == wanted


def read_letters(letters: str) -> set[str]:
    """The letters that a person types, asked again until they are letters."""
    while True:
        typed = re.sub("[ ,;.)]", "", screen.ask("> ").lower())
        if typed and all(letter in letters for letter in typed):
            return set(typed)
        screen.say(f"Letters from a to {letters[-1]}, please, for example: a or a c")
