"""Talk to the core without a process: lines in, messages out. (lesson 01)"""

import json

from handwritten.__main__ import helpdesk_server
from handwritten.server import Connection

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def connect(server=None) -> Connection:
    return Connection(server or helpdesk_server())


def send(connection: Connection, line: bytes | str | dict) -> list[dict]:
    """All messages that one line brings about."""
    if isinstance(line, dict):
        line = json.dumps(line)
    if isinstance(line, str):
        line = line.encode("utf-8")
    return list(connection.receive(line + b"\n"))


def request(method: str, params=None, id=1, meta: object = META) -> dict:
    """A request; `meta=None` leaves `_meta` out."""
    params = dict(params or {})
    if meta is not None:
        params["_meta"] = meta
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def ask(connection: Connection, method: str, params=None, **options) -> dict:
    """The one answer to a request."""
    (answer,) = send(connection, request(method, params, **options))
    return answer


def code(answer: dict) -> int:
    return answer["error"]["code"]
