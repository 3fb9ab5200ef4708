"""What a person sees: width, colour, messages, questions, the output of programs.

Nothing is wider than 100 columns; colour only on a terminal, never as the only sign,
and not with `NO_COLOR`. What comes from a pipe is shown without control characters.
"""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from tools.child import Child, command_line
from tools.transcript.lines import printable

WIDEST = 100  # columns
GRACE = 5.0  # seconds for a program to leave after Ctrl-C
Environment = Mapping[str, str] | None
STOPPED = (130, -2, 0xC000013A)  # exit codes after Ctrl-C: usual, a signal, Windows
COLOURS = {"client": "36", "server": "32", "log": "2", "title": "1", "bad": "31"}


class CannotRun(Exception):
    """What was asked for can't be done; the text is one sentence for the user."""


class Left(Exception):
    """The person said that it is enough."""


def width() -> int:
    """Columns that may be used."""
    return max(40, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def coloured(text: str, kind: str) -> str:
    """The text in its colour where the output is a terminal that wants it."""
    wanted = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return f"\x1b[{COLOURS[kind]}m{text}\x1b[0m" if wanted and text else text


def say(text: str, indent: str = "", kind: str = "") -> None:
    """Words for a person, wrapped between them."""
    inner = indent + "  " if text.startswith("- ") else indent
    for line in _wrap(text, indent, inner):
        print(coloured(line, kind) if kind else line)


def title(text: str) -> None:
    """A heading, underlined so that it is one without colour too."""
    print()
    say(text, kind="title")
    print("-" * min(columns(text), width()))


def columns(text: str) -> int:
    """Columns a text takes on a terminal: letters of East Asia take two."""
    return sum(_columns(each) for each in text)


def _columns(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def fold(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` columns, cut behind a comma where one is."""
    lines = []
    while columns(text) > room:
        end = used = 0
        while used + _columns(text[end]) <= room:
            used += _columns(text[end])
            end += 1
        comma = max(text.rfind(",", 0, end), text.rfind(" ", 0, end)) + 1
        end = comma if comma > end // 3 else max(end, 1)
        lines.append(text[:end])
        text = text[end:]
    return [*lines, text]


def block(text: str, most: int = 0, whole: str = "") -> None:
    """A text in lines under its head.

    After `most` lines (0: all) comes the command `whole`, which shows the rest.
    """
    lines = fold(text, width() - 3)
    cut = whole and 0 < most < len(lines) - 1  # a row for a row saves nothing
    for line in lines[:most] if cut else lines:
        print(f"   {line}".rstrip())
    if cut:
        print(f"   … whole: {whole}")


def ask(question: str) -> str:
    """What the person types. Raises Left: end of input."""
    try:
        return input(question)
    except EOFError:
        print()
        raise Left from None


def program(
    command: list[str], cwd: Path, limit: float, env: Environment = None
) -> int:
    """Run a program without input, show what it prints, give its exit code.

    It is ended with all its children after `limit` seconds, which raises CannotRun,
    and on Ctrl-C.
    """
    end = time.monotonic() + limit
    try:
        child = Child(command, cwd, env)
    except OSError as error:
        raise CannotRun(f"{command[0]!r} can't be started: {error}") from None
    with child:
        child.end_input()
        try:
            for source in ("server", "log"):
                while item := child.receive(source, max(0.0, end - time.monotonic())):
                    _show_line(printable(item[1].rstrip(b"\r\n")))
            code = child.process.wait(max(0.1, end - time.monotonic()))
        except (TimeoutError, subprocess.TimeoutExpired):
            text = f"the program did not end within {limit:g} s: {command[-1]}"
            raise CannotRun(text) from None
    return code


def conversation(
    command: list[str], cwd: Path, limit: float, env: Environment = None
) -> int:
    """Run a program that may ask the person at this terminal; its exit code.

    A person takes the time a person takes, so there it has no limit; what Ctrl-C means
    is for the program to say. Without a terminal there is nobody to ask, and it runs as
    `program` does.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return program(command, cwd, limit, env)
    sys.stdout.flush()
    # The terminal sends Ctrl-C to the program as well, whose own matter it is.
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        code = subprocess.Popen(command_line(command), cwd=cwd, env=env).wait()
    except OSError as error:
        raise CannotRun(f"{command[0]!r} can't be started: {error}") from None
    finally:
        signal.signal(signal.SIGINT, before)
    if code in STOPPED:
        raise KeyboardInterrupt
    return code


def _show_line(line: str) -> None:
    spaces = line[: len(line) - len(line.lstrip())]
    print("\n".join(_wrap(line.strip(), spaces, spaces + "  ")))
    sys.stdout.flush()


def _wrap(text: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        text,
        width(),
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
    )
