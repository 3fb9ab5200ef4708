"""What the wire tests are written with: one live server, and what it must do.

A wire test knows the server as a command and nothing else, so it holds for any server
in any language. Every wait has an end, and a failure says four things: what was sent,
what came, what was expected, and which rule of the specification says so.

    server.request(method, params)      send, wait, give the whole response
    server.send(…), server.response(id) the same in two steps, for several at once
    server.cancel(id)                   from then on, nothing more may come for it
    server.notifications()              what it said of its own accord so far
    server.pages("tools/list")          every page's result, with an end to it
    server.another(user="ben")          a second server on the same data folder
    server.restart(user="ben")          this one, ended and started again
    meta(elicitation={"form": {}})      the `_meta` of a client that can do this

Each test's server has a fresh data folder (HELPDESK_DATA), which is removed after it.
"""

import json
import shutil
from collections import deque
from pathlib import Path

from lessons.manifest import META
from lessons.pipe import STDIO, Pipe, WireFailure, same, short
from tools.child import GRACE, split_command

__all__ = [
    "STDIO",
    "Wire",
    "WireFailure",
    "expect",
    "expect_error",
    "expect_result",
    "meta",
    "same",
    "short",
    "split",
]

MOST_PAGES = 200  # of one list, before it is taken for one without an end
BASIC = "basic/index"
CANCELLATION = "basic/patterns/cancellation"
PAGINATION = "server/utilities/pagination"


class Wire(Pipe):
    """A started server, spoken to message by message."""

    def __init__(
        self, command, cwd: Path | str | None = None, data: str = "", user: str = ""
    ):
        super().__init__(command, cwd, data, user)
        self.others: list[Wire] = []  # further servers on the same folder
        self._ids = iter(range(1, 1_000_000))
        self._aside: deque[dict] = deque()
        self._waiting: dict[str, object] = {}  # by id, as JSON: the progress token
        self._cancelled: list[object] = []  # progress tokens

    def request(self, method: str, params=None, *, id=None, meta=META) -> dict:
        """Send a request and give its response, the whole message.

        `id` is the next number unless given; `meta=None` leaves `_meta` out. What the
        server says meanwhile is kept: for `receive`, `notifications` or `response`.
        """
        return self.response(self.send(method, params, id=id, meta=meta))

    def send(self, method: str, params=None, *, id=None, meta=META):
        """Send a request and give its id, which `response` wants."""
        number = next(self._ids) if id is None else id
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        inside = dict(params or {})
        if meta is not None:
            inside["_meta"] = {**meta, **inside.get("_meta", {})}
        if inside or params is not None:
            message["params"] = inside
        self._write(message)
        about = inside.get("_meta")
        token = about.get("progressToken") if isinstance(about, dict) else None
        self._waiting[json.dumps(number)] = token
        self._cancelled = [each for each in self._cancelled if not same(each, token)]
        return number

    def response(self, id) -> dict:
        """The response to this request, the whole message."""
        for each in list(self._aside):
            if "method" not in each and same(each.get("id"), id):
                self._aside.remove(each)
                self.came = each
                return each
        while True:
            message = self._next()
            if "method" not in message:
                self.came = message
                key = json.dumps(message.get("id"))
                if key not in self._waiting:
                    expected = f"a response with the id {json.dumps(id)}"
                    rule = f"a response has its request's id ({BASIC})"
                    raise self.failure(expected, rule)
                self._waiting.pop(key)
                if same(message.get("id"), id):
                    return message
            self._aside.append(message)

    def notifications(self) -> list[dict]:
        """What the server said of its own accord so far, each given once."""
        found = [each for each in self._aside if "method" in each]
        self._aside = deque(each for each in self._aside if "method" not in each)
        return found

    def cancel(self, id) -> None:
        """Cancel a request that is under way, and wait until the server knows.

        What had crossed until then is forgotten; from then on, its response or its
        progress is a failure, wherever it comes.
        """
        token = self._waiting.get(json.dumps(id))
        self.notify("notifications/cancelled", {"requestId": id})
        # Lines are read in their order: this is answered after the cancellation.
        self.response(self.send("server/discover"))
        rule = f"a request that was cancelled gets no response ({CANCELLATION})"
        answered = json.dumps(id) not in self._waiting
        expect(self, not answered, "silence about what was cancelled", rule)
        self._waiting.pop(json.dumps(id))
        if token is not None:
            self._aside = deque(
                each for each in self._aside if not same(progress_of(each), token)
            )
            self._cancelled.append(token)

    def pages(self, method: str, params=None) -> list[dict]:
        """The results of a list's pages, the last of which has no `nextCursor`."""
        found: list[dict] = []
        seen: set[str] = set()
        given = dict(params or {})
        while True:
            result = expect_result(self, self.request(method, given), PAGINATION)
            found.append(result)
            if "nextCursor" not in result:
                return found
            cursor = result["nextCursor"]
            good = isinstance(cursor, str) and cursor not in seen
            expect(self, good, "a cursor that is a string, and a new one", PAGINATION)
            more = len(found) < MOST_PAGES
            expect(self, more, f"an end within {MOST_PAGES} pages", PAGINATION)
            seen.add(cursor)
            given["cursor"] = cursor

    def another(self, user: str = "") -> "Wire":
        """A second server of the same command on the same data folder."""
        made = type(self)(self.command, self.cwd, self.data, user)
        self.others.append(made)
        return made

    def restart(self, user: str | None = None, kill: bool = False) -> None:
        super().restart(user, kill)
        self._waiting.clear()
        self._cancelled.clear()
        self._aside.clear()

    def close(self, grace: float = GRACE) -> None:
        """End the server, whatever it does, and the others on its folder."""
        for each in self.others:
            each.close(grace)
        super().close(grace)

    def notify(self, method: str, params=None) -> None:
        """Send a notification: no id, so nothing comes back."""
        message = {"jsonrpc": "2.0", "method": method}
        self._write(message if params is None else {**message, "params": params})

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

    def _ask(self) -> str:
        """Send a good request, whatever came before; its id."""
        number = f"after-{next(self._ids)}"
        message = {"jsonrpc": "2.0", "id": number, "method": "server/discover"}
        self._write({**message, "params": {"_meta": META}})
        return number

    def _next(self) -> dict:
        message = super()._next()
        if any(same(progress_of(message), each) for each in self._cancelled):
            self.came = message
            rule = f"a request that was cancelled is at its end ({CANCELLATION})"
            raise self.failure("no more progress of what was cancelled", rule)
        return message


def meta(**capabilities: dict) -> dict:
    """The `_meta` of a client with these capabilities."""
    return {**META, "io.modelcontextprotocol/clientCapabilities": capabilities}


def progress_of(message: dict) -> object:
    """The token that a progress notification is about; None: it is none."""
    params = message.get("params")
    about = message.get("method") == "notifications/progress"
    return params.get("progressToken") if about and isinstance(params, dict) else None


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


def split(command: str) -> list[str]:
    """The words of a command line, as a shell would take them apart.

    The first becomes a path where it is found, so that "python" stays the caller's
    and does not turn into this interpreter. Raises ValueError: an open quote.
    """
    words = split_command(command)
    return [shutil.which(words[0]) or words[0], *words[1:]]
