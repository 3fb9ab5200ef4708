"""A command at a terminal, for the text: what a person types, what the screen shows.

The rule: a line is typed when the program asks, and not before. It asks when what it
wrote last ends in a mark and a space ("? ", ": ", "] " or "> "), without a newline, and
nothing follows. So the terminal's echo stands behind the question each time. Where
nothing is left to type, the person ends the input (Ctrl-D).
"""

import contextlib
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ASKED = re.compile(rb"[?:\]>] $")
QUIET = 0.1  # seconds in which nothing may follow a question
END = b"\x04"  # what Ctrl-D sends
SIZE = (24, 100)  # rows, columns
PIECE = re.compile(r"\x1b\[[02]?K|.", re.DOTALL)

# Ctrl-C, a password and "is this a terminal" want it to be the session's own.
OWN = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


class NoTerminal(Exception):
    """This system has no pseudo-terminals, so the command can't be shown here."""


class TerminalError(Exception):
    """What was typed, or what was shown, does not fit; one sentence."""


def run(
    command: list[str],
    cwd: Path,
    env: Mapping[str, str],
    typed: bytes,
    limit: float,
) -> tuple[int, str]:
    """The exit code, and what stands on the screen in the end.

    Raises NoTerminal, TerminalError, OSError, or subprocess.TimeoutExpired.
    """
    lines = typed.splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        raise TerminalError("what is typed ends with \\n")
    own, theirs = _terminal()
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", OWN, *command],
            cwd=cwd,
            env={**env, "TERM": "dumb"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
    except BaseException:
        os.close(own)
        raise
    finally:
        os.close(theirs)
    with process:
        try:
            written = _talk(own, lines, time.monotonic() + limit)
            code = process.wait(limit)
        except TimeoutError:
            raise subprocess.TimeoutExpired(command, limit) from None
        finally:
            with contextlib.suppress(OSError):  # it is gone already
                os.killpg(process.pid, signal.SIGKILL)
            os.close(own)
    if lines:
        raise TerminalError(f"the command did not ask for {lines[0].decode()!r}")
    return code, "\n".join(screen(written.decode("utf-8", "replace")))


def _terminal() -> tuple[int, int]:
    """Our end of a new terminal, and the program's."""
    try:
        import fcntl
        import termios
    except ModuleNotFoundError:
        raise NoTerminal from None
    own, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    modes: list[Any] = termios.tcgetattr(theirs)
    modes[3] &= ~termios.ECHOCTL  # some systems write ^D for the end of the input
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    return own, theirs


def _talk(own: int, lines: list[bytes], until: float) -> bytes:
    """All that is shown until the program's end; typed lines leave the list.

    Raises TimeoutError.
    """
    written, answered = b"", 0
    while True:
        # The same question is not answered twice: an echo may be switched off.
        asked = len(written) > answered and ASKED.search(written)
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if select.select([own], [], [], QUIET if asked else left)[0]:
            data = _read(own)
            if not data:
                return written
            written += data
        elif asked:
            answered = len(written)
            os.write(own, lines.pop(0) if lines else END)


def _read(own: int) -> bytes:
    try:
        return os.read(own, 65536)
    except OSError:  # Linux says so that the other end is closed
        return b""


def screen(text: str) -> list[str]:
    """The rows as they stand in the end, after all that was written over them."""
    rows = []
    for line in text.split("\n"):
        row: list[str] = []
        at = 0
        for piece in PIECE.findall(line):
            if piece in "\r\b":
                at = 0 if piece == "\r" else max(0, at - 1)
            elif piece == "\x1b[2K":
                row = []
            elif piece.endswith("K") and len(piece) > 1:
                del row[at:]
            elif piece.isprintable():
                row += [" "] * (at - len(row))
                row[at : at + 1] = [piece]
                at += 1
            else:
                raise TerminalError(f"a page can't show {piece!r}")
        rows.append("".join(row).rstrip())
    return rows
