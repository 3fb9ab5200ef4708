"""One lesson, run: its sessions played live, each message shown as it crosses the pipe.

What is shown is what just happened, never the recording. The recording is what each
session is compared with at its end; a difference is said and ends in exit code 1.
"""

import contextlib
import dataclasses
import itertools
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from lessons import progress, screen
from lessons.manifest import ROOT, Lesson, Program, Session, Step
from tools import fresh, setup
from tools.transcript.lines import printable, restart_words, shorten
from tools.record import PlayError
from tools.transcript import Transcript, TranscriptError, compare, describe, read

MOST_LINES = 4  # of one message, before the command that shows the whole
HOST_LIMIT = 60.0  # seconds for the host's whole run
KEYS = "   [Enter goes on, q leaves] "


def run(lesson: Lesson, step: bool = False) -> int:
    """Run a lesson; 0 when all is as recorded, 1 when something differs."""
    from tools import record, stages

    if step and not sys.stdin.isatty():
        print("There is no terminal to wait at, so --step runs through.")
        step = False
    try:
        directory = stages.stage_dir(lesson.number)
        differ = perform(lesson, directory, record.play, step)
    except screen.Left:
        again = f"python -m lessons {lesson.number:02} --step"
        screen.say(f"Left before the end. From the beginning: {again}")
        return 0
    except BrokenPipeError:  # nobody reads any more: that is not the lesson's fault
        raise
    except (OSError, stages.MarkError, stages.StageError) as error:
        raise screen.CannotRun(f"the lesson can't be played: {error}") from None
    if differ:
        screen.say("Something differs from what was recorded: see DIFFERENT above.")
        return 1
    progress.note(lesson.number, run=True)
    return 0


def perform(lesson: Lesson, directory: Path, play, step: bool) -> bool:
    """Show everything of a lesson; True when something was not as recorded.

    `play(session, directory)` yields the entries; `step` waits before each message.
    """
    _open(lesson)
    differ = False
    for session in lesson.sessions:
        if not session.aside:
            differ |= perform_session(session, directory, play, step)
    if lesson.question:
        screen.title("The host, asked the question")
        print(f'$ python -m host "{lesson.question}"')
        command = ["python", "-m", "host", lesson.question]
        with fresh.folder() as data:
            given = fresh.environment(data)
            code = screen.conversation(command, directory, HOST_LIMIT, given)
        if code:
            print(f"DIFFERENT: the host left with exit code {code}, not 0.")
            differ = True
    for program in lesson.programs:
        differ |= perform_program(program, directory)
    if lesson.todo:
        screen.title("What to do next")
        for each in lesson.todo:
            screen.say(f"- {each}")
    return differ


def perform_program(program: Program, directory: Path) -> bool:
    """Run one program of the lesson and show it; True when it failed."""
    screen.title(program.title)
    try:
        interpreter = str(setup.ensure())
    except setup.SetupError as error:
        raise screen.CannotRun(f"this part needs packages: {error}") from None
    first, *rest = program.command
    screen.say(f"$ {shlex.join(program.command)}")
    command = [interpreter if first == "python" else first, *rest]
    with fresh.folder() as data:
        code = screen.program(command, directory, HOST_LIMIT, fresh.environment(data))
    if code:
        print(f"DIFFERENT: the program left with exit code {code}, not 0.")
    return bool(code)


def _open(lesson: Lesson) -> None:
    screen.title(f"Lesson {lesson.number:02}: {lesson.title}")
    screen.say("By the end you will be able to")
    for goal in lesson.goals:
        screen.say(f"- {goal}")
    print()
    screen.say(f"Puzzle: {' '.join(lesson.puzzle.split())}")
    print()
    screen.say(
        "-> is what the client sends, <- what the server answers, log what it writes "
        "to stderr. Milliseconds count from the client's line; in the first answer of "
        "a session they hold the start of the server too."
    )


def perform_session(session: Session, directory: Path, play, step: bool) -> bool:
    """Play one session and show it; True when it was not as recorded."""
    screen.title(f"{session.name}: {session.title}")
    if session.about:
        screen.say(session.about)
    if session.host:
        print(f'$ python -m host "{session.host}"')
    else:
        print(f"$ {' '.join(session.command)}")
    recorded = _recorded(session)
    narrator = Narrator(session, recorded, step)
    entries, code = [], None
    with contextlib.closing(play(session, directory)) as talk:
        while True:
            try:
                entry = next(talk)
            except StopIteration as end:
                code = end.value
                break
            except PlayError as error:
                screen.say(f"DIFFERENT: {error}", kind="bad")
                return True
            entries.append(entry)
            narrator.show(entry)
    return _compared(session, recorded, Transcript({}, entries, code))


def _recorded(session: Session):
    """The recording, or the sentence that says why it can't be used."""
    try:
        return read(session.transcript)
    except TranscriptError as error:
        return str(error)


def _compared(session: Session, recorded, actual) -> bool:
    found = [recorded] if isinstance(recorded, str) else compare(recorded, actual)
    print()
    if not found:
        print(f"= the same as the recording {_name(session.transcript)}")
    for each in found:
        first, *rows = each.split("\n")
        screen.say(f"DIFFERENT: {first}", kind="bad")
        for row in rows:
            screen.block(row)
    return bool(found)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


class Narrator:
    """Shows the entries of one session, with the words of its steps around them."""

    def __init__(self, session: Session, recorded, wait: bool):
        self.steps: Iterator[Step] = iter(session.steps)
        self.wait = wait
        self.step: Step | None = None
        self.answers = 0  # that came since the step's line
        self.asked = 0.0  # ms
        self.path = _name(session.transcript)
        # Log lines may come in other places than in the recording: count without.
        self.numbers = iter(() if isinstance(recorded, str) else numbers(recorded))

    def show(self, entry) -> None:
        """Show one entry as it happens."""
        if entry.dir == "log":
            self._log(entry)
        elif entry.dir == "restart":
            self._restart(entry)
        elif entry.dir == "client":
            self._client(entry)
        else:
            self._server(entry)
        sys.stdout.flush()

    def _log(self, entry) -> None:
        lines = screen.fold(printable(entry.line), screen.width() - 4)
        for head, line in zip(["log", *["   "] * len(lines)], lines, strict=False):
            print(screen.coloured(f"{head} {line}", "log"))

    def _restart(self, entry) -> None:
        """A new server; the step may have a line for it, or not."""
        self._next(entry)
        if self.step and self.step.data:
            said = dataclasses.replace(self.step, note="")
            self.steps = itertools.chain([said], self.steps)
        screen.say(f"== {restart_words(entry)}")
        if self.step and not self.step.data and not self.step.answers:
            self._then()

    def _next(self, entry) -> None:
        """Begin the next step: its note."""
        self.step = next(self.steps, None)
        self.answers = 0
        self.asked = entry.t
        print()
        if self.step and self.step.note:
            screen.say(self.step.note)

    def _client(self, entry) -> None:
        self._next(entry)
        self._pause("What will the client send?")
        self._message("->", entry, "")
        if self.step and self.step.answers == 0:
            if self.step.ask:
                self._pause(self.step.ask)
            self._then()

    def _server(self, entry) -> None:
        first = self.answers == 0 and self.step and self.step.ask
        self._pause(first or "What will the server answer?")
        self._message("<-", entry, f"  {max(0.0, entry.t - self.asked):8.1f} ms")
        self.answers += 1
        if self.step and self.answers == self.step.answers:
            self._then()

    def _then(self) -> None:
        if self.step and self.step.then:
            screen.say(self.step.then)

    def _pause(self, question: str) -> None:
        if self.wait:
            screen.say(f"?  {question}")
            if screen.ask(KEYS).strip().lower() in ("q", "quit"):
                raise screen.Left

    def _message(self, arrow: str, entry, time: str) -> None:
        size = len(entry.line) + (0 if entry.partial else 1)
        head = f"{arrow} {shorten(describe(entry.line), 50):<50} {size:>9,} bytes{time}"
        number = next(self.numbers, None)
        show = f"python -m tools.transcript show {self.path}"
        whole = f"{show} {number}" if number else ""
        print(screen.coloured(head, entry.dir))
        screen.block(printable(entry.line), MOST_LINES, whole)


def numbers(recorded) -> list[int]:
    """The numbers of the messages in a recording, log lines and restarts left out."""
    entries = enumerate(recorded.entries, 1)
    return [number for number, entry in entries if entry.dir in ("client", "server")]
