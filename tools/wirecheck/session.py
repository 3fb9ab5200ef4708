"""One session, line by line: which answer belongs to which request, is it right?

An answer belongs to the request whose id it carries; an error without an id belongs
to the oldest line that no answer could name. What a request carries decides its era
(basic/versioning), and its answer is checked by the tables of that revision.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tools.wirecheck import schemas
from tools.wirecheck.asked import (
    Asked,
    Fault,
    Id,
    asked_by,
    carries_modern_meta,
    id_of,
    mismatches,
    request_faults,
    say,
)
from tools.wirecheck.reading import UNREADABLE, read_line
from tools.wirecheck.rules import (
    HANDSHAKE,
    LEGACY,
    MODERN,
    Complaint,
    error_complaints,
    page,
    result_complaints,
)
from tools.wirecheck.schemas import shorten

ANSWERS = "basic/patterns/index#request-and-response"
RESPONSES = "basic/index#responses"
STDIO = "basic/transports/stdio#sending-messages"


@dataclass(frozen=True)
class Finding:
    """One broken rule; `level` is "must", or "should" for what is only advice."""

    number: int  # which of the lines, counted from 1
    dir: str  # "client" | "server"
    rule: str  # page of the specification, "basic/index#responses"
    text: str  # what was found and what would be right
    level: str = "must"


class Session:
    """What is waiting for an answer, and what was agreed on, line by line."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.waiting: list[Asked] = []
        self.answered: set[Id] = set()
        self.negotiated = ""  # the revision of the handshake, once there was one
        self.server_asked: set[Id] = set()  # servers of the legacy era may ask, too

    def client(self, number: int, line: bytes) -> None:
        """Take one line that the client sent."""
        reading = read_line(line)
        asked = asked_by(number, line, reading)
        if asked is None:
            if isinstance(reading.value, dict):
                self._client_notifies(number, reading.value)
            return
        if asked.is_response and self.server_asked.intersection(asked.ids):
            self.server_asked.difference_update(asked.ids)
            return
        if any(set(each.ids) & set(asked.ids) for each in self.waiting):
            text = f"id {shorten(asked.message['id'])} is in use by an earlier request"
            fault = Fault(frozenset({-32600}), "basic/index#requests", text)
            asked.faults += (fault,)
        self.waiting.append(asked)

    def server(self, number: int, line: bytes) -> None:
        """Take one line that the server sent."""
        reading = read_line(line)
        message = reading.value
        problem = reading.fault or reading.doubt
        if not problem and not isinstance(message, dict):
            problem = "JSON, but no object"
        if problem:
            text = f"{shorten(line)} is no message: it is {problem}; "
            self._find(number, STDIO, text + "one JSON object a line is right")
        if not isinstance(message, dict):
            return
        if message.get("jsonrpc") != "2.0":
            found = shorten(message.get("jsonrpc", "missing"))
            self._find(
                number, "basic/index#messages", f'jsonrpc is {found}: "2.0" is right'
            )
        if "method" in message:
            self._server_speaks(number, message)
        elif ("result" in message) == ("error" in message):
            text = "a response holds result or error, exactly one of the two"
            self._find(number, RESPONSES, text)
            self._take(number, id_of(message.get("id")), 0)
        else:
            self._answer(number, message)

    def end(self) -> None:
        """Say what is still waiting when the session is over."""
        for each in self.waiting:
            faults = each.faults
            if each.is_response:
                self._find(each.number, faults[0].rule, faults[0].text, "client")
            elif each.required and each.method != "subscriptions/listen":
                rule = faults[0].rule if faults else ANSWERS
                text = f"no answer came to {shorten(each.method)}: one is right"
                if faults:
                    text = (
                        f"no answer came: {faults[0].text}, so {say(faults[0].codes)}"
                    )
                self._find(each.number, rule, text, "client")

    def _client_notifies(self, number: int, message: dict) -> None:
        """Nothing answers a bad notification, so it is only remarked on."""
        method, params = message["method"], message.get("params")
        revision = self.negotiated or MODERN
        if schemas.known("CLIENT_NOTIFICATIONS", method, revision):
            checker = schemas.validator("CLIENT_NOTIFICATIONS", method, revision)
            for _, text in schemas.breaches(checker, message, "message"):
                self._find(number, page(method, revision), text, "client", "should")
        if method == "notifications/cancelled" and isinstance(params, dict):
            key = id_of(params.get("requestId"))
            for each in self.waiting:
                each.required = each.required and key not in each.ids

    def _server_speaks(self, number: int, message: dict) -> None:
        """A notification; in the legacy era also a request."""
        method = str(message["method"])
        request = "id" in message
        table = "SERVER_REQUESTS" if request else "SERVER_NOTIFICATIONS"
        eras = [self.negotiated] if request else [MODERN, self.negotiated]
        eras = [era for era in eras if schemas.known(table, method, era)]
        if not eras:
            kind = "request" if request else "notification"
            text = f"the server sends the {kind} {shorten(method)}, and no such "
            text += f"{kind} of servers exists here: silence is right"
            rule = ANSWERS if request else "basic/index#notifications"
            self._find(number, rule, text)
            return
        checkers = [schemas.validator(table, method, era) for era in eras]
        tried = [list(schemas.breaches(each, message, "message")) for each in checkers]
        for _, text in min(tried, key=len):
            self._find(number, page(method, eras[0]), text)
        if request and (key := id_of(message["id"])):
            self.server_asked.add(key)

    def _answer(self, number: int, message: dict) -> None:
        key = id_of(message.get("id"))
        failed = "error" in message
        if not failed and key is None:
            found = shorten(message["id"]) if "id" in message else "missing"
            text = f"id is {found}: a result carries the id of its request"
            self._find(number, RESPONSES, text)
            return
        error = message.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        asked = self._take(number, key, code if failed else 0)
        revision = self._revision(asked) if asked else MODERN
        if failed:
            self._complain(number, error_complaints(message, revision))
        if asked is None:
            return
        faults = request_faults(asked, revision)
        if failed:
            self._complain(number, mismatches(message, asked, faults))
        else:
            self._judge_result(number, message["result"], asked, faults, revision)

    def _take(self, number: int, key: Id | None, code: Any) -> Asked | None:
        """The line that this answers (code 0: with a result), no longer waiting."""
        if key is None:
            found = self._nameless(code)
            text = "an error without id, and no line waits for one: silence is right"
        else:
            named = [each for each in self.waiting if key in each.ids]
            # Of two requests with one id, the error belongs to the faulty one.
            named.sort(key=lambda each: not _expects(each, code))
            found = named[0] if named else None
            text = self._unasked(key)
        if found is None:
            self._find(number, RESPONSES, text)
            return None
        self.waiting.remove(found)
        if key is not None:
            self.answered.add(key)
        return found

    def _nameless(self, code: Any) -> Asked | None:
        """The oldest line without a usable id, or else one that may be refused."""
        sure = [each for each in self.waiting if not each.ids and each.required]
        if sure and (_expects(sure[0], code) or _refuses(sure[0], code)):
            return sure[0]
        rest = [each for each in self.waiting if _refuses(each, code)]
        return next(iter(rest or sure), None)

    def _unasked(self, key: Id) -> str:
        kind, value = key
        if key in self.answered:
            return f"id {shorten(value)} was answered before: once is right"
        for each in self.waiting:
            if each.ids and str(each.ids[0][1]) == str(value):
                asked, other = each.ids[0]
                text = f"the answer's id {shorten(value)} has the type {kind}, the "
                text += f"request's {asked}: {shorten(other)}, unchanged, is right"
                return text
        return f"id {shorten(value)} was never asked for: the id of a request is right"

    def _revision(self, asked: Asked) -> str:
        """The revision by which this request and its answer are to be read."""
        if asked.method == "initialize":
            return LEGACY[-1]
        if not asked.ids or carries_modern_meta(asked):
            return MODERN
        shaking = any(
            each.method == "initialize" and each.number < asked.number
            for each in self.waiting
        )
        return self.negotiated or (LEGACY[-1] if shaking else MODERN)

    def _judge_result(
        self, number: int, result: Any, asked: Asked, faults: list[Fault], revision: str
    ) -> None:
        for fault in faults:
            text = f"{fault.text}; the server served it: {say(fault.codes)}"
            self._find(asked.number, fault.rule, text, "client")
        if asked.method == "initialize" and isinstance(result, dict):
            version = result.get("protocolVersion")
            if version in LEGACY:
                revision = str(version)
            else:
                text = f"initialize agrees on {shorten(version)}: one of "
                text += f"{', '.join(LEGACY)} is right"
                self._find(number, HANDSHAKE, text)
            self.negotiated = revision
        self._complain(number, result_complaints(asked.method, result, revision))

    def _complain(self, number: int, complaints: Iterator[Complaint]) -> None:
        for rule, text, level in complaints:
            self._find(number, rule, text, level=level)

    def _find(
        self,
        number: int,
        rule: str,
        text: str,
        direction: str = "server",
        level: str = "must",
    ) -> None:
        self.findings.append(Finding(number, direction, rule, text, level))


def _expects(asked: Asked, code: Any) -> bool:
    """Whether this is the outcome that the line's shape calls for; 0 is a result."""
    if code == 0:
        return not asked.faults
    return any(code in fault.codes for fault in asked.faults)


def _refuses(asked: Asked, code: Any) -> bool:
    return asked.refusable and code in UNREADABLE
