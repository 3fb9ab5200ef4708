"""One server as a child process, spoken to over its pipes. (lesson 03)

Nothing in here waits for ever: every request has a deadline, and the child is ended by
end of input, a wait, TERM, a wait, KILL (`tools/child.py`; basic/transports/stdio).

Both eras are spoken. The first message is a probe, `server/discover`. A server that
answers it, or refuses it with an error that only this era knows, is modern; any other
answer, or none, means the old handshake (basic/transports/stdio, "Backward
Compatibility").
"""

import contextlib
import time
from typing import Any

from handwritten import wire
from handwritten.protocol import CLIENT_CAPABILITIES, PROTOCOL_VERSION
from handwritten.protocol import LEGACY_REVISIONS, REVISION, ProtocolError
from tools.child import Child
from host.waiting import LATE, SILENT, Wait  # lesson-07

CLIENT_INFO = {"name": "host", "version": "1.0.0"}
IDENTITY = {"io.modelcontextprotocol/clientInfo": CLIENT_INFO}
META = {PROTOCOL_VERSION: REVISION, **IDENTITY, CLIENT_CAPABILITIES: {}}
MODERN_ERRORS = (-32020, -32021, -32022)  # no server of the old era knows these

TIMEOUT = 10.0  # seconds one request may take
PROBE = 5.0  # seconds until a silent server counts as one of the old era


class ServerFailure(Exception):
    """The server can't be talked to: not started, silent, broken or gone."""


class Refusal(ServerFailure):
    """The server answered with an error (`code`), with nonsense, or with silence."""

    def __init__(self, reason: str, code: object = None):
        super().__init__(reason)
        self.code = code


class Client:
    """One server. `revision` is the one it speaks."""

    def __init__(self, name: str, command: list[str]):
        self.name, self.command = name, command
        self.revision, self.last_id = REVISION, 0
        self.child: Any = None  # a Child, once it is started
        self.capabilities: object = None  # lesson-06
        # Who answers a server's questions, and what the request in flight waits for.
        self.asking: Any = None  # lesson-07
        self.wait: Wait | None = None  # lesson-07
        # Requests whose answers may still come, and are dropped then.
        self.given_up: set[int] = set()  # lesson-07

    def open(self) -> None:
        """Start the server and agree on an era. Raises ServerFailure."""
        try:
            self.child = Child(self.command)
        except (OSError, ValueError) as error:
            raise ServerFailure(f"can't start {self.command[0]!r}: {error}") from None
        try:
            discovered = self.request("server/discover", timeout=PROBE)
            versions = discovered.get("supportedVersions")
            self.capabilities = discovered.get("capabilities")  # lesson-06
        except Refusal as refused:
            if refused.code in MODERN_ERRORS:
                raise
            versions = None
        if not isinstance(versions, list):
            self.shake_hands()
        elif REVISION not in versions:
            raise ServerFailure(f"speaks {versions!r:.80}, this host {REVISION}")

    def shake_hands(self) -> None:
        """The handshake of the old era. Raises ServerFailure."""
        self.revision = LEGACY_REVISIONS[-1]
        hello = {"protocolVersion": self.revision, "capabilities": {}}
        result = self.request("initialize", {**hello, "clientInfo": CLIENT_INFO})
        self.revision = result.get("protocolVersion", "")
        self.capabilities = result.get("capabilities")  # lesson-06
        if self.revision not in LEGACY_REVISIONS:
            raise ServerFailure(f"speaks {self.revision!r:.80}, this host does not")
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params=None, timeout: float = TIMEOUT) -> dict:
        """Ask, and wait for the one answer. Raises ServerFailure."""
        self.last_id += 1
        meta = {"_meta": META} if self.revision == REVISION else {}
        self.wait = wait = Wait(self, method, timeout)  # lesson-07
        meta = wait.meta(meta)  # lesson-07
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method}
        # Before it is: from here on the server may have it, and Ctrl-C may come.
        wait.sent = True  # lesson-07
        self.send({**message, "params": {**(params or {}), **meta}})
        deadline = time.monotonic() + timeout
        # Between them may be noise, without end, and answers that come too late.
        while not is_answer(answer := self.receive(deadline), self.last_id):
            if time.monotonic() > deadline:
                self.cancel(LATE)  # lesson-07
                raise Refusal("gave no answer in time")
            deadline = wait.heard(answer, deadline)  # lesson-07
        wait.answered = True  # lesson-07
        # The same request again, with what the person said in between; or none.
        again = self.asking and self.asking.more(method, params, answer)  # lesson-07
        if again:  # lesson-07
            return self.request(method, again, timeout)
        return result_of(answer)

    def send(self, message: dict) -> None:
        try:
            self.child.send(wire.encode(message), TIMEOUT)
        except BrokenPipeError:
            self.not_sent()  # lesson-07
            raise ServerFailure(self.last_words()) from None
        except (TimeoutError, ValueError) as error:  # ValueError: NaN is no JSON
            self.not_sent()  # lesson-07
            raise ServerFailure(f"could not be sent a message: {error}") from None

    def receive(self, deadline: float) -> Any:
        """The next line, decoded; None if it is no JSON. Raises ServerFailure."""
        try:
            item = self.child.receive("server", max(0, deadline - time.monotonic()))
            if len(item[1]) > wire.MAX_LINE:
                raise ServerFailure(f"sent a line of over {wire.MAX_LINE} bytes")
            return wire.decode(item[1])
        except TimeoutError:
            self.cancel(LATE)  # lesson-07
            raise Refusal("gave no answer in time") from None
        except TypeError:  # no item: the end
            raise ServerFailure(self.last_words()) from None
        except ProtocolError:
            return None

    def not_sent(self) -> None:  # lesson-07
        """The server does not have what was to be sent, or not all of it."""
        if self.wait:
            self.wait.sent = False

    def cancel(self, reason: str) -> bool:  # lesson-07
        """Give up the request in flight, and say so; whether there was one."""
        wait = self.wait
        if wait is None or not wait.in_flight:
            return False
        wait.cancelled = True
        self.given_up.add(wait.id)
        if wait.method not in SILENT:
            about = {"requestId": wait.id, "reason": reason}
            message = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
            # Nobody waits for a server that takes no more messages.
            with contextlib.suppress(BrokenPipeError, TimeoutError):
                self.child.send(wire.encode({**message, "params": about}), 1.0)
        return True

    def last_words(self) -> str:
        """How the server ended, and the end of what it logged."""
        code = self.close()
        log: list[str] = []
        with contextlib.suppress(TimeoutError):  # somebody else holds it open
            while item := self.child.receive("log", 0):
                log = [*log[-4:], item[1].decode("utf-8", "replace").strip()[:200]]
        return f"ended (exit code {code}). Its last words: {' / '.join(log) or 'none'}"

    def close(self) -> int:
        """End the process, whatever it takes; its exit code."""
        return self.child.close() if self.child else 0


def is_answer(message: Any, id: int) -> bool:
    """Whether this answers the request `id`: same id, same type, and no request."""
    if not isinstance(message, dict) or "method" in message:
        return False
    mine = type(message.get("id")) is int and message["id"] == id
    return mine and ("result" in message) != ("error" in message)


def result_of(answer: dict) -> dict:
    """The result of an answer. Raises ServerFailure for an error, or a bad result."""
    if "error" in answer:
        error = answer["error"] if isinstance(answer["error"], dict) else {}
        raise Refusal(f"answered: {error.get('message')!s:.500}", error.get("code"))
    if not isinstance(answer["result"], dict):
        raise Refusal("sent a result that is no object")
    # Absent means complete: the old era has no resultType (basic/index#resulttype).
    kind = answer["result"].get("resultType", "complete")
    if kind != "complete":
        raise Refusal(f"sent a result of the unknown type {kind!r:.80}")
    return answer["result"]
