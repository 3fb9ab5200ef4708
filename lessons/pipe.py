"""A started server and its lines: what `lessons.wire` stands on.

Every wait has an end, and a failure says four things: what was sent, what came, what
was expected, and which rule of the specification says so. A server has a fresh data
folder (HELPDESK_DATA) unless it shares another's.
"""

import contextlib
import json
import shlex
import subprocess
import threading
from pathlib import Path

from tools import fresh
from tools.child import GRACE, Child
from tools.transcript.lines import printable

LIMIT = 10.0  # seconds for one line to be read, one answer to come, one exit
SHOWN = 300  # characters of a message in a failure
STDIO = "basic/transports/stdio"


class WireFailure(AssertionError):
    """A rule that does not hold: sent, came, expected and rule, a line each."""

    def __init__(self, sent: object, came: object, expected: str, rule: str):
        parts = {"sent": sent, "came": came, "expected": expected, "rule": rule}
        super().__init__(
            "\n".join(f"{name + ':':<10}{short(part)}" for name, part in parts.items())
        )


class Pipe:
    """A started server, and what it and we said.

    `unchecked` may be set to a reason: then the messages of the session are not
    held against the protocol's schema at its end. `data` is a folder that another
    server has already; without one, this server gets its own.
    """

    def __init__(
        self, command, cwd: Path | str | None = None, data: str = "", user: str = ""
    ):
        self.command, self.cwd, self.user = command, cwd, user
        self._folder = contextlib.ExitStack()
        self.data = data or self._folder.enter_context(fresh.folder())
        self.entries: list[tuple[str, bytes]] = []  # ("client" | "server", line)
        self.unchecked = ""
        self.sent: object = "nothing yet"
        self.came: object = "nothing yet"
        try:
            self._child = self._start()
        except WireFailure:
            self._folder.close()
            raise

    def _start(self) -> Child:
        try:
            given = fresh.environment(self.data, self.user)
            return Child(self.command, self.cwd, given)
        except OSError as error:
            command = shlex.join(self.command)
            self.came = f"the command {command} can't be started: {error}"
            raise self.failure("a server that starts", STDIO) from None

    def line(self, text: str | bytes) -> None:
        """Send these characters or bytes as one line (a "\\n" is added)."""
        data = text.encode("utf-8") if isinstance(text, str) else text
        self._send(data if data.endswith(b"\n") else data + b"\n")

    def restart(self, user: str | None = None, kill: bool = False) -> None:
        """End or kill the server, start it again on the same folder; ids go on.

        It runs for `user` where one is given ("": the default), else as before.
        """
        if kill:
            self._child.kill()
        else:
            self.end()
        self._child.close()
        self.entries.append(("killed" if kill else "restart", b""))
        self.user = self.user if user is None else user
        self._child = self._start()

    def end(self) -> int:
        """End the server's input, read what is left, and give its exit code."""
        self._child.end_input()
        self.sent = "the end of input"
        while (item := self._receive()) is not None:
            self.entries.append(("server", item[1].removesuffix(b"\n")))
        try:
            return self._child.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.came = f"nothing: the server still runs after {LIMIT:g} s"
            rule = f"a server leaves when its input ends ({STDIO})"
            raise self.failure("the server's exit", rule) from None

    def close(self, grace: float = GRACE) -> None:
        """End the server, whatever it does; it gets `grace` seconds to leave."""
        self._child.close(grace)
        self._folder.close()

    def failure(self, expected: str, rule: str) -> WireFailure:
        """The failure that tells what happened last."""
        return WireFailure(self.sent, self.came, expected, rule)

    def _write(self, message: dict) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._send(text.encode("utf-8") + b"\n")

    def _send(self, data: bytes) -> None:
        line = data.removesuffix(b"\n")
        self.entries.append(("client", line))
        self.sent, self.came = line or "an empty line", "nothing yet"
        broken: list[OSError | ValueError] = []

        def write():
            try:
                self._child.send(data)
            except (OSError, ValueError) as error:  # it has left, or was closed
                broken.append(error)

        # A server that does not read would block the writer for ever.
        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        writer.join(LIMIT)
        if writer.is_alive():
            self.came = f"nothing: the line was not read within {LIMIT:g} s"
            raise self.failure("a server that reads its input", STDIO)
        if broken:
            self.came = self._last_words()
            raise self.failure("a server that still runs", STDIO)

    def _receive(self):
        """The next (ms, line), or None at the end; a failure after the limit."""
        try:
            return self._child.receive("server", LIMIT)
        except TimeoutError:
            self.came = f"nothing within {LIMIT:g} s{self._log_tail()}"
            raise self.failure("a line from the server", STDIO) from None

    def _next(self) -> dict:
        item = self._receive()
        if item is None:
            self.came = self._last_words()
            raise self.failure("a message, and a server that still runs", STDIO)
        line = item[1].removesuffix(b"\n")
        self.entries.append(("server", line))
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self.came = line or "an empty line"
            rule = f"standard output carries messages and nothing else ({STDIO})"
            raise self.failure("one JSON object on a line", rule)
        return message

    def _last_words(self) -> str:
        try:
            code = self._child.process.wait(1)
        except subprocess.TimeoutExpired:
            return f"nothing: the server closed its output{self._log_tail()}"
        return f"nothing: the server ended with exit code {code}{self._log_tail()}"

    def _log_tail(self) -> str:
        lines = []
        try:
            while (item := self._child.receive("log", 0.2)) is not None:
                lines.append(item[1].decode("utf-8", "backslashreplace").strip())
        except TimeoutError:
            pass
        return f"; its log ends: {' | '.join(lines)[-200:]}" if lines else ""


def same(one: object, other: object) -> bool:
    """Equal as JSON values: 1 is neither true nor "1"."""
    return type(one) is type(other) and one == other


def short(value: object) -> str:
    """A value on one line: bytes as text, others as JSON, with an end to its length."""
    if isinstance(value, bytes):
        value = value[: SHOWN * 4].decode("utf-8", "backslashreplace")
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = printable(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 2]} …"
