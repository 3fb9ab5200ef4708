"""Playing a session: a line to the server, its answers, the next line.

Every wait has an end, and what goes wrong is one sentence that says in which lesson,
session and step, and what was sent. The order of the lines is the same each time. Each
play has a fresh data folder, which its servers share and which nothing outlives.
"""

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

from lessons.manifest import Session

from tools import earlier, fresh
from tools.child import Child, command_line
from tools.transcript.lines import excerpt
from tools.transcript import Entry, TranscriptError, read

LIMIT = 20.0  # seconds an answer may take: far more than any needs
HOST_LIMIT = 120.0  # seconds for a whole session of a host

Play = Generator[Entry, None, int]
Fill = Callable[[bytes, list[bytes]], bytes]  # a line, and what the server said so far


class PlayError(Exception):
    """A session that can't be played to its end; one sentence says where and why."""


@dataclass(frozen=True)
class Move:
    """Bytes for the server, and the number of lines that it answers.

    With `restart`, a new server for that person ("": the default one) takes the place
    of the one before, which is ended, or killed.
    """

    data: bytes
    answers: int
    restart: str | None = None
    kill: bool = False


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
    moves = [
        Move(each.data, each.answers, each.restart, each.kill) for each in session.steps
    ]
    more: dict = {"user": session.user, "fill": earlier.fill}
    return (yield from talk(session.command, directory, moves, name, limit, **more))


def talk(
    command: Iterable[str],
    directory: Path | str,
    moves: list[Move],
    name: str,
    limit: float = LIMIT,
    user: str = "",
    fill: Fill | None = None,
) -> Generator[Entry, None, int]:
    """Send each move to the command and wait for its answers; see play().

    `fill` makes of a move's bytes those that are sent; its ValueError ends the play.
    """
    with fresh.folder() as data:

        def start(user: str) -> Child:
            return _start(list(command), directory, name, data, user)

        talking = _Talk(start(user), name, limit, fill)
        try:
            for number, move in enumerate(moves, 1):
                if move.restart is not None:
                    yield from talking.restart(move, start)
                after = moves[number : number + 1]
                last = not after or after[0].restart is not None
                yield from talking.send(number, move, last)
            talking.child.end_input()
            yield from talking.rest()
        finally:
            code = talking.child.close()
        return code


def _start(
    command: list[str], directory: Path | str, name: str, data: str, user: str
) -> Child:
    try:
        return Child(command, directory, fresh.environment(data, user))
    except OSError as error:
        reason = f"{command[0]} can't be started in {directory}: {error.strerror}"
        raise PlayError(f"{name}: {reason}") from None


class _Talk:
    """One conversation with a child, or with one after the other."""

    def __init__(self, child: Child, name: str, limit: float, fill: Fill | None):
        self.child, self.name, self.limit = child, name, limit
        self.fill = fill
        self.started = child.started
        self.said: list[bytes] = []  # the lines of the server
        self.unfinished = b""  # what was sent after the last newline
        self.last_words = ""  # the newest line of the child's log

    def send(self, number: int, move: Move, last: bool) -> Generator[Entry]:
        where = f"{self.name}, step {number}"
        try:
            data = self.fill(move.data, self.said) if self.fill else move.data
        except ValueError as error:
            raise self._problem(f"{where}: {error}") from None
        *lines, self.unfinished = (self.unfinished + data).split(b"\n")
        sent = excerpt(data.removesuffix(b"\n"), 0)
        try:
            self.child.send(data, self.limit)
        except (BrokenPipeError, TimeoutError) as error:
            raise self._problem(f"{where}: {error}, sent was {sent}") from None
        for line in lines:
            yield Entry(self._now(), "client", line)
        if last and self.unfinished:  # only the end of input ends such a line
            yield Entry(self._now(), "client", self.unfinished, partial=True)
            self.unfinished = b""
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
            yield self._entry("server", item)

    def restart(self, move: Move, start: Callable[[str], Child]) -> Generator[Entry]:
        """Hear the server out, and go on with a new one."""
        if move.kill:
            self.child.kill()
        self.child.end_input()
        yield from self.rest()
        self.child.close()
        user = move.restart or ""
        yield Entry(self._now(), "restart", user.encode("utf-8"), killed=move.kill)
        self.child = start(user)

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
                log = source == "log"
                yield self._log(item) if log else self._entry(source, item)

    def _last(self, source: str):
        try:
            return self.child.receive(source, self.limit)
        except TimeoutError:
            text = f"{self.name}: it was still there {self.limit:g} s after the end"
            raise self._problem(f"{text} of its input") from None

    def _log(self, item) -> Entry:
        entry = self._entry("log", item)
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

    def _entry(self, source: str, item: tuple[float, bytes]) -> Entry:
        ms, line = item  # since that child's start
        ms += (self.child.started - self.started) * 1000
        entry = Entry(ms, source, line.removesuffix(b"\n"), not line.endswith(b"\n"))
        if source == "server":
            self.said.append(entry.line)
        return entry

    def _now(self) -> float:
        return (time.perf_counter() - self.started) * 1000


def _play_host(session: Session, directory: Path | str, name: str) -> Play:
    """Let the host of this stage talk to its server, with the tap in between."""
    with tempfile.TemporaryDirectory() as folder, fresh.folder() as data:
        file = Path(folder) / "tap.jsonl"
        tap = command_line(["python", "-m", "tools.tap", str(file), "--"])
        server = join_command(tap + command_line(session.command))
        command = ["python", "-m", "host", session.host, "--server", server]
        with _start(command, directory, name, data, session.user) as host:
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
