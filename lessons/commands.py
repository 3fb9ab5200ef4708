"""The command line of the lessons: list, run, check, exercise, quiz.

Every command has a twin in the Makefile. 0 is good, 1 found something, 2 could not
run, 130 is Ctrl-C; what went wrong is one sentence, never a traceback.
"""

import argparse
import os
import sys

from lessons import progress, screen
from lessons.manifest import Lesson, ManifestError, lesson, lessons
from tools import setup

HELP = """\
python -m lessons [COMMAND] [NN]: the lessons, in the terminal

  python -m lessons                                 the lessons and your progress
  python -m lessons 03                make lesson-03      run a lesson
  python -m lessons 03 --step         make lesson-03 STEP=1
                                      the same, waiting before each message
  python -m lessons exercise 03       make exercise-03    start it, then check it
  python -m lessons exercise 03 --hint 1                  a hint; --solution
  python -m lessons quiz 03           make quiz-03        questions and answers
  python -m lessons check 03          make check-03       the wire tests of a lesson
  python -m lessons check 03 --server "node my-server.js"
                                      make check-03 SERVER="node my-server.js"
                                      the same tests on any server
  python -m lessons check             make check          all lessons

What you write is kept in my/, and your progress in my/progress.json.

The course itself (make setup = python -m tools.setup, and so on):
  make setup        tools.setup            install the pinned packages into .venv
  make test         tools.test             all tests
  make soak         tools.test --soak      the long ones
  make lab          tools.nb --lab         the notebooks in JupyterLab
  make notebooks    tools.nb --run         run the notebooks
  make tags         tools.stages tags      a git tag for each lesson
  make diff-03      tools.stages diff 03   what lesson 03 added
  make stages       tools.stages check     the stages of the code, checked
  make docs         tools.docs --update    the blocks in the texts, made again
  make records      tools.record --all     the recordings, made again
  make bench        tools.bench            how fast the server is
  make cost-live    tools.cost_live        what published servers' lists cost; NODE=1
  make migrate      tools.migration        from the 1.x SDK to this one, step by step
"""


def main(arguments: list[str]) -> int:
    """Run one command and give its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _command(arguments)
        sys.stdout.flush()
        return code
    except (ManifestError, screen.CannotRun) as error:
        sys.stdout.flush()
        print(f"lessons: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nlessons: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _command(arguments: list[str]) -> int:
    if "-h" in arguments or "--help" in arguments:
        print(HELP, end="")
        return 0
    commands = {"check": _check, "exercise": _exercise, "quiz": _quiz}
    if arguments and arguments[0] in commands:
        return commands[arguments[0]](arguments[1:])
    return _run(arguments)


def _parser(name: str, number: str | None = None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=name, add_help=False, allow_abbrev=False)
    parser.add_argument("lesson", metavar="NN", nargs=number)
    return parser


def _run(arguments: list[str]) -> int:
    parser = _parser("python -m lessons", "?")
    parser.add_argument("--step", action="store_true")
    given = parser.parse_args(arguments)
    if given.lesson is None:
        return listing(lessons())
    from lessons import play

    chosen = lesson(given.lesson)
    if (code := _elsewhere(chosen, arguments)) is not None:
        return code
    step = given.step or os.environ.get("STEP", "") not in ("", "0")
    return play.run(chosen, step)


def _elsewhere(chosen: Lesson, words: list[str]) -> int | None:
    """Where the lesson needs packages that are missing, run it in `.venv`.

    None: go on here. Raises CannotRun.
    """
    try:
        return setup.elsewhere("lessons", words, "mcp") if chosen.packages else None
    except setup.SetupError as error:
        raise screen.CannotRun(str(error)) from None


def _check(arguments: list[str]) -> int:
    parser = _parser("python -m lessons check", "?")
    parser.add_argument("--server", default=os.environ.get("SERVER", ""))
    given = parser.parse_args(arguments)
    from lessons import check

    chosen = lessons() if given.lesson is None else [lesson(given.lesson)]
    return check.run(chosen, given.server)


def _exercise(arguments: list[str]) -> int:
    parser = _parser("python -m lessons exercise")
    parser.add_argument("--hint", type=int)
    parser.add_argument("--solution", action="store_true")
    given = parser.parse_args(arguments)
    from lessons import exercise

    chosen = lesson(given.lesson)
    if given.hint is not None:
        return exercise.show_hint(chosen, given.hint)
    if given.solution:
        return exercise.show_solution(chosen)
    if (code := _elsewhere(chosen, ["exercise", *arguments])) is not None:
        return code
    return exercise.run(chosen)


def _quiz(arguments: list[str]) -> int:
    given = _parser("python -m lessons quiz").parse_args(arguments)
    from lessons import quiz

    return quiz.run(lesson(given.lesson))


def listing(known: list[Lesson]) -> int:
    """The lessons with their titles, minutes and what has been done."""
    done = progress.load()
    room = max((len(each.title) for each in known), default=0)
    for each in known:
        have = progress.words(each.number, done)
        line = f"{each.number:02}  {each.title:<{room}}  {each.minutes:>3} min  {have}"
        print(line.rstrip())
    print("\nRun one: python -m lessons 01   All commands: python -m lessons --help")
    return 0
