"""What the wire tests are written with: one live server, and what it must do.

A wire test knows the server as a command and nothing else, so it holds for any server
in any language. Every wait has an end, and a failure says four things: what was sent,
what came, what was expected, and which rule of the specification says so.
"""

import json
import shlex
import shutil
import subprocess
import threading
from collections import deque
from pathlib import Path

from lessons.manifest import META
from tools.child import Child, split_command
from tools.transcript.lines import printable

LIMIT = 10.0  # seconds for one line to be read, one answer to come, one exit
SHOWN = 300  # characters of a message in a failure
STDIO = "basic/transports/stdio"
BASIC = "basic/index"


class WireFailure(AssertionError):
    """A rule that does not hold: sent, came, expected and rule, a line each."""

    def __init__(self, sent: object, came: object, expected: str, rule: str):
        parts = {"sent": sent, "came": came, "expected": expected, "rule": rule}
        super().__init__(
            "\n".join(f"{name + ':':<10}{short(part)}" for name, part in parts.items())
        )


class Wire:
    """A started server, spoken to line by line.

    `unchecked` may be set to a reason: then the messages of the session are not
    held against the protocol's schema at its end.
    """

    def __init__(self, command, cwd: Path | str | None = None):
        self.entries: list[tuple[str, bytes]] = []  # ("client" | "server", line)
        self.unchecked = ""
        self.sent: object = "nothing yet"
        self.came: object = "nothing yet"
        self._ids = iter(range(1, 1_000_000))
        self._aside: deque[dict] = deque()
        try:
            self._child = Child(command, cwd)
        except OSError as error:
            self.came = f"the command {shlex.join(command)} can't be started: {error}"
            raise self.failure("a server that starts", STDIO) from None

    def request(self, method: str, params=None, *, id=None, meta=META) -> dict:
        """Send a request and give its response, the whole message.

        `id` is the next number unless given; `meta=None` leaves `_meta` out. What the
        server says of its own accord meanwhile is kept for `receive`.
        """
        number = next(self._ids) if id is None else id
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        inside = dict(params or {})
        if meta is not None:
            inside["_meta"] = {**meta, **inside.get("_meta", {})}
        if inside or params is not None:
            message["params"] = inside
        self._write(message)
        response = self._next()
        while "method" in response:
            self._aside.append(response)
            response = self._next()
        self.came = response
        if not same(response.get("id"), number):
            expected = f"a response with the id {json.dumps(number)}"
            raise self.failure(expected, f"a response has its request's id ({BASIC})")
        return response

    def notify(self, method: str, params=None) -> None:
        """Send a notification: no id, so nothing comes back."""
        message = {"jsonrpc": "2.0", "method": method}
        self._write(message if params is None else {**message, "params": params})

    def line(self, text: str | bytes) -> None:
        """Send these characters or bytes as one line (a "\\n" is added)."""
        data = text.encode("utf-8") if isinstance(text, str) else text
        self._send(data if data.endswith(b"\n") else data + b"\n")

    def receive(self) -> dict:
        """The next message of the server."""
        message = self._aside.popleft() if self._aside else self._next()
        self.came = message
        return message

    def silent(self) -> None:
        """Nothing came: the answer to a good request is the next thing that does."""
        sent = self.sent
        number = self._ask()
        came = self.receive()
        self.sent = sent
        expected = "silence (and then the answer to the next good request)"
        rule = f"what is no request gets no response ({BASIC})"
        expect(self, same(came.get("id"), number), expected, rule)

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

    def close(self) -> None:
        """End the server, whatever it does."""
        self._child.close()

    def failure(self, expected: str, rule: str) -> WireFailure:
        """The failure that tells what happened last."""
        return WireFailure(self.sent, self.came, expected, rule)

    def _ask(self) -> str:
        """Send a good request, whatever came before; its id."""
        number = f"after-{next(self._ids)}"
        message = {"jsonrpc": "2.0", "id": number, "method": "server/discover"}
        self._write({**message, "params": {"_meta": META}})
        return number

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


def expect(server: Wire, condition: object, expected: str, rule: str) -> None:
    """Raise WireFailure unless `condition`; `rule` names a specification page."""
    __tracebackhide__ = True
    if not condition:
        raise server.failure(expected, rule)


def expect_result(server: Wire, response: dict, rule: str) -> dict:
    """The response is a result; gives it."""
    __tracebackhide__ = True
    server.came = response
    result = response.get("result")
    good = isinstance(result, dict) and "error" not in response
    expect(server, good, "a result", rule)
    return response["result"]


def expect_error(server: Wire, response: dict, code: int, rule: str, id=...) -> dict:
    """The response is an error with this code; gives the error object.

    With `id`, the response carries exactly that id; `id=None`: none at all.
    """
    __tracebackhide__ = True
    server.came = response
    error = response.get("error")
    error = error if isinstance(error, dict) and "result" not in response else {}
    expect(server, same(error.get("code"), code), f"the error {code}", rule)
    text = f"a message, a string, beside the code {code}"
    expect(server, isinstance(error.get("message"), str), text, rule)
    if id is None:
        expect(server, "id" not in response, f"the error {code} without an id", rule)
    elif id is not ...:
        text = f"the error {code} with the id {json.dumps(id)}"
        expect(server, same(response.get("id"), id), text, rule)
    return error


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


def split(command: str) -> list[str]:
    """The words of a command line, as a shell would take them apart.

    The first becomes a path where it is found, so that "python" stays the caller's
    and does not turn into this interpreter. Raises ValueError: an open quote.
    """
    words = split_command(command)
    return [shutil.which(words[0]) or words[0], *words[1:]]
