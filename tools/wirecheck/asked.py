"""What a client's line asks for, and which answers to it are right.

A client may be wrong on purpose, to show what a server does about it. So nothing is
said of a line before its answer is there: a faulty line with the right error is a
good exchange. Only JSON that readers agree on is taken at its word; a line that
some readers refuse may be answered either way.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tools.wirecheck import schemas
from tools.wirecheck.reading import UNREADABLE, Reading, is_heavy
from tools.wirecheck.rules import HANDSHAKE, MODERN, Complaint, page
from tools.wirecheck.schemas import shorten

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
INVALID_REQUEST = frozenset({-32600})
INVALID_PARAMS = frozenset({-32602})
METHOD_NOT_FOUND = frozenset({-32601})


class Fault(NamedTuple):
    """Why a request can't be served, and the error codes that say so."""

    codes: frozenset[int]
    rule: str
    text: str


Id = tuple[str, object]  # the kind beside the value: 1 and "1" and true differ


def id_of(value: object) -> Id | None:
    """The id as ("string" | "integer" | "float", value); None: it is no id.

    A float counts only when it is whole: 1.0 is an integer to some readers.
    """
    if isinstance(value, str):
        return "string", value
    if isinstance(value, int) and not isinstance(value, bool):
        return "integer", value
    if isinstance(value, float) and value.is_integer():
        return "float", value
    return None


@dataclass(eq=False)
class Asked:
    """A client's line that is waiting, or might be waiting, for an answer."""

    number: int
    message: dict[str, Any] = field(default_factory=dict)
    ids: tuple[Id, ...] = ()  # what the answer may carry; none: no id at all
    faults: tuple[Fault, ...] = ()  # what is wrong with it, whatever the era
    refusable: bool = False  # may be answered as unreadable, without an id
    required: bool = True  # an answer has to come

    @property
    def method(self) -> str:
        return str(self.message.get("method", ""))

    @property
    def is_response(self) -> bool:
        """An answer, which no client has anything to give to."""
        return "method" not in self.message and not self.message.keys().isdisjoint(
            ("result", "error")
        )

    @property
    def params(self) -> dict[str, Any]:
        params = self.message.get("params")
        return params if isinstance(params, dict) else {}


def asked_by(number: int, line: bytes, reading: Reading) -> Asked | None:
    """What this client line wants; None where silence is the only right answer."""
    value = reading.value
    if not line.strip(b" \t\r\n"):
        return None
    if reading.fault:
        rule = "basic/index#error-codes"
        return Asked(
            number, faults=(Fault(reading.codes, rule, f"the line is {reading.fault}"),)
        )
    if not isinstance(value, dict):
        text = f"the line is {shorten(value)}, and a message is one JSON object"
        fault = Fault(INVALID_REQUEST, "basic/transports/stdio#sending-messages", text)
        return Asked(number, faults=(fault,))
    refusable = bool(reading.doubt) or is_heavy(line, value)
    if "id" not in value:
        return _without_id(number, value, refusable)
    key = id_of(value["id"])
    faults = tuple(_shape_faults(value))
    if key is None:
        return Asked(number, value, faults=faults)
    ids: tuple[Id, ...] = (key,)
    if key[0] == "float":
        ids, refusable = (key, ("integer", key[1])), True
    asked = Asked(number, value, ids, faults, refusable)
    asked.required = not asked.is_response
    return asked


def _without_id(number: int, message: dict, refusable: bool) -> Asked | None:
    """A notification gets no answer; what is neither that nor a request gets one."""
    faults = tuple(_shape_faults(message))
    asked = Asked(number, message, faults=faults, refusable=refusable)
    if not isinstance(message.get("method"), str):
        asked.required = not asked.is_response
        return asked
    if faults or refusable:
        return Asked(number, message, faults=faults, refusable=True, required=False)
    return None


def _shape_faults(message: dict) -> Iterator[Fault]:
    """What is wrong with an object as a JSON-RPC request, in any era."""
    rule = "basic/index#requests"
    if message.get("jsonrpc") != "2.0":
        found = shorten(message.get("jsonrpc", "missing"))
        yield Fault(INVALID_REQUEST, rule, f'jsonrpc is {found}, and "2.0" is right')
    if "id" in message and id_of(message["id"]) is None:
        text = f"id is {shorten(message['id'])}, and a string or an integer is right"
        yield Fault(INVALID_REQUEST, rule, text)
    speaks = sorted({"result", "error"} & message.keys())
    if "method" not in message and speaks:
        rule = "basic/patterns/index#request-and-response"
        text = "this is a response, and a client sends requests and notifications only"
        yield Fault(INVALID_REQUEST, rule, text)
    elif speaks:
        text = f"{speaks[0]} stands beside method, and a request has none"
        yield Fault(INVALID_REQUEST, rule, text)
    elif not isinstance(message.get("method"), str):
        found = shorten(message.get("method", "missing"))
        yield Fault(INVALID_REQUEST, rule, f"method is {found}, and a string is right")
    if not isinstance(message.get("params", {}), dict):
        text = f"params is {shorten(message['params'])}, and an object is right"
        yield Fault(INVALID_REQUEST | INVALID_PARAMS, rule, text)


def carries_modern_meta(asked: Asked) -> bool:
    """Whether the request says what only a modern client says."""
    meta = asked.params.get("_meta")
    keys = meta.keys() if isinstance(meta, dict) else ()
    return PROTOCOL_VERSION in keys or CLIENT_CAPABILITIES in keys


def request_faults(asked: Asked, revision: str) -> list[Fault]:
    """Why the revision's rules don't let this request be served; empty: nothing."""
    if asked.faults:
        return list(asked.faults)
    method = asked.method
    faults = list(_meta_faults(asked.params)) if revision == MODERN else []
    if not schemas.known("CLIENT_REQUESTS", method, revision):
        codes = METHOD_NOT_FOUND
        if method.startswith("notifications/"):
            codes |= INVALID_REQUEST
        text = f"{shorten(method)} is no request of {revision}"
        faults.append(Fault(codes, "basic/index#error-codes", text))
    elif not faults:
        checker = schemas.validator("CLIENT_REQUESTS", method, revision)
        for _, text in schemas.breaches(checker, asked.message, "message"):
            faults.append(Fault(INVALID_PARAMS, page(method, revision), text))
    # A server may not serve the method at all, and may look at that first.
    if method == "initialize":
        also = frozenset({-32600, -32601, -32022})
    else:
        also = frozenset() if method == "server/discover" else METHOD_NOT_FOUND
    return [fault._replace(codes=fault.codes | also) for fault in faults]


def _meta_faults(params: dict) -> Iterator[Fault]:
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        found = shorten(meta) if "_meta" in params else "missing"
        text = f"params._meta is {found}, and every request carries it as an object"
        yield Fault(INVALID_PARAMS, "basic/index#meta", text)
        return
    for key, kind, name in (
        (PROTOCOL_VERSION, str, "a string"),
        (CLIENT_CAPABILITIES, dict, "an object"),
    ):
        if not isinstance(meta.get(key), kind):
            found = shorten(meta[key]) if key in meta else "missing"
            text = f'params._meta["{key}"] is {found}, and {name} is right'
            yield Fault(INVALID_PARAMS, "basic/index#meta", text)
    version = meta.get(PROTOCOL_VERSION)
    if isinstance(version, str) and version != MODERN:
        rule = "basic/versioning#protocol-version-negotiation"
        text = f"the request asks for revision {shorten(version)}, not for {MODERN}"
        yield Fault(frozenset({-32022}), rule, text)


def mismatches(message: dict, asked: Asked, faults: list[Fault]) -> Iterator[Complaint]:
    """What speaks against this error response as the answer to this line."""
    error = message["error"] if isinstance(message["error"], dict) else {}
    code, data = error.get("code"), error.get("data")
    right = frozenset(code for fault in faults for code in fault.codes)
    unread = asked.refusable and code in UNREADABLE and "id" not in message
    if faults and code not in right and not unread:
        text = f"error.code is {shorten(code)}, but {faults[0].text}: {say(right)}"
        yield Complaint(faults[0].rule, text)
    if faults:
        return
    supported = data.get("supported") if isinstance(data, dict) else None
    modern = asked.method != "initialize"
    if modern and code == -32022 and supported and MODERN in supported:
        rule = "basic/versioning#protocol-version-negotiation"
        text = f"-32022 for a request of {MODERN}, which data.supported lists"
        yield Complaint(rule, f"{text}: it is to be served")
    named = re.search("[0-9]{4}-[0-9]{2}-[0-9]{2}", f"{error.get('message')} {data}")
    if not modern and not named:
        text = "initialize is refused, and neither message nor data names a revision"
        yield Complaint(HANDSHAKE, f"{text} that would be served", "should")


def say(codes: frozenset[int]) -> str:
    """The codes as the end of a sentence."""
    names = " or ".join(str(code) for code in sorted(codes, reverse=True))
    return f"error {names} is right"
