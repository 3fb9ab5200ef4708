"""Playing a session: a line to the server, its answers, the next line.

Every wait has an end, and what goes wrong is one sentence that says in which lesson,
session and step, and what was sent. The order of the lines is the same each time.
"""

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

from lessons.manifest import Session

from tools.child import Child, command_line
from tools.transcript.lines import excerpt
from tools.transcript import Entry, TranscriptError, read

LIMIT = 20.0  # seconds an answer may take: far more than any needs
HOST_LIMIT = 120.0  # seconds for a whole session of a host

Play = Generator[Entry, None, int]


class PlayError(Exception):
    """A session that can't be played to its end; one sentence says where and why."""


@dataclass(frozen=True)
class Move:
    """Bytes for the server, and the number of lines that it answers."""

    data: bytes
    answers: int


def play(
    session: Session, directory: Path | str, limit: float = LIMIT
) -> Generator[Entry, None, int]:
    """Play a session on the code in `directory`: every line as it crosses the pipe.

    A line to the server is given after it was sent, its answers as they come. The exit
    code is the generator's return value. Raises PlayError when an answer takes longer
    than `limit` seconds or the command ends too early. The lines of a host's session
    come when it is over: they are what the tap wrote.
    """
    name = f"lesson {session.lesson:02}, session {session.name}"
    if session.host:
        return (yield from _play_host(session, directory, name))
    moves = [Move(each.data, each.answers) for each in session.steps]
    return (yield from talk(session.command, directory, moves, name, limit))


def talk(
    command: Iterable[str],
    directory: Path | str,
    moves: list[Move],
    name: str,
    limit: float = LIMIT,
) -> Generator[Entry, None, int]:
    """Send each move to the command and wait for its answers; see play()."""
    with _start(list(command), directory, name) as child:
        talking = _Talk(child, name, limit)
        for number, move in enumerate(moves, 1):
            yield from talking.send(number, move, number == len(moves))
        child.end_input()
        yield from talking.rest()
        return child.close()


def _start(command: list[str], directory: Path | str, name: str) -> Child:
    try:
        return Child(command, directory)
    except OSError as error:
        reason = f"{command[0]} can't be started in {directory}: {error.strerror}"
        raise PlayError(f"{name}: {reason}") from None


class _Talk:
    """One conversation with a child."""

    def __init__(self, child: Child, name: str, limit: float):
        self.child, self.name, self.limit = child, name, limit
        self.unfinished = b""  # what was sent after the last newline
        self.last_words = ""  # the newest line of the child's log

    def send(self, number: int, move: Move, last: bool) -> Generator[Entry]:
        *lines, self.unfinished = (self.unfinished + move.data).split(b"\n")
        where = f"{self.name}, step {number}"
        sent = excerpt(move.data.removesuffix(b"\n"), 0)
        try:
            self.child.send(move.data, self.limit)
        except (BrokenPipeError, TimeoutError) as error:
            raise self._problem(f"{where}: {error}, sent was {sent}") from None
        for line in lines:
            yield Entry(self.child.milliseconds(), "client", line)
        if last and self.unfinished:  # only the end of input ends such a line
            now = self.child.milliseconds()
            yield Entry(now, "client", self.unfinished, partial=True)
            self.child.end_input()
        for got in range(move.answers):
            try:
                item = self.child.receive("server", self.limit)
            except TimeoutError:
                item, why = None, f"within {self.limit:g} s"
            else:
                why = "before the server ended its output"
            yield from self.logged()
            if item is None:
                count = f"{got} of {move.answers} answers came {why}"
                raise self._problem(f"{where}: {count}; sent was {sent}")
            yield _entry("server", item)

    def logged(self) -> Generator[Entry]:
        """The log lines that are there already."""
        while True:
            try:
                item = self.child.receive("log", 0)
            except TimeoutError:
                return
            if item is None:
                return
            yield self._log(item)

    def rest(self) -> Generator[Entry]:
        """What is said after the end of input, until the child's pipes close."""
        for source in ("server", "log"):
            while item := self._last(source):
                yield self._log(item) if source == "log" else _entry(source, item)

    def _last(self, source: str):
        try:
            return self.child.receive(source, self.limit)
        except TimeoutError:
            text = f"{self.name}: it was still there {self.limit:g} s after the end"
            raise self._problem(f"{text} of its input") from None

    def _log(self, item) -> Entry:
        entry = _entry("log", item)
        self.last_words = excerpt(entry.line, 0) or self.last_words
        return entry

    def _problem(self, text: str) -> PlayError:
        try:
            while item := self.child.receive("log", 0.2):
                self._log(item)
        except TimeoutError:
            pass
        words = f" (the last line of its log: {self.last_words})"
        return PlayError(text + (words if self.last_words else ""))


def _entry(source: str, item: tuple[float, bytes]) -> Entry:
    time, line = item
    partial = not line.endswith(b"\n")
    return Entry(time, source, line.removesuffix(b"\n"), partial)


def _play_host(session: Session, directory: Path | str, name: str) -> Play:
    """Let the host of this stage talk to its server, with the tap in between."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tap.jsonl"
        tap = command_line(["python", "-m", "tools.tap", str(file), "--"])
        server = join_command(tap + command_line(session.command))
        command = ["python", "-m", "host", session.host, "--server", server]
        with _start(command, directory, name) as host:
            host.end_input()
            said = {source: _hear(host, source, name) for source in ("server", "log")}
            code = host.close()
        if code != 0:
            last = excerpt((said["log"] or said["server"] or [b"nothing"])[-1], 0)
            raise PlayError(f"{name}: the host's exit code is {code}; it said: {last}")
        try:
            taken = read(file)
        except TranscriptError as error:
            raise PlayError(f"{name}: the tap left no transcript ({error})") from None
    if taken.exit is None or taken.dropped:
        raise PlayError(f"{name}: the tap's transcript is not whole")
    yield from taken.entries
    return taken.exit


def _hear(host: Child, source: str, name: str) -> list[bytes]:
    until = time.monotonic() + HOST_LIMIT
    lines: list[bytes] = []
    while True:
        try:
            item = host.receive(source, max(0, until - time.monotonic()))
        except TimeoutError:
            text = f"the host was not done within {HOST_LIMIT:g} s"
            raise PlayError(f"{name}: {text}") from None
        if item is None:
            return lines
        lines.append(item[1].rstrip(b"\r\n"))


def join_command(words: list[str]) -> str:
    """One text from which a shell, or a host, gets these words back."""
    return shlex.join(words) if os.name == "posix" else subprocess.list2cmdline(words)
