"""Small good messages of both eras, from which the checker's tests make sessions."""

import json
from typing import Any

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
META = {VERSION: "2026-07-28", CAPABILITIES: {}}
SERVED = {SERVER_INFO: {"name": "helpdesk", "version": "1.0.0"}}
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

CACHED = {"ttlMs": 300000, "cacheScope": "public"}
TOOL = {"name": "get_ticket", "inputSchema": {"type": "object"}}
TEXT = {"type": "text", "text": "closed"}
ASK = {
    "method": "elicitation/create",
    "params": {
        "message": "Refund?",
        "requestedSchema": {"type": "object", "properties": {}},
    },
}
READ = {"contents": [{"uri": "ticket://2318", "text": "closed"}]}
# Each result holds only what it must, so no member of it can go missing unseen.
BODIES: dict[str, dict[str, Any]] = {
    "server/discover": CACHED
    | {"supportedVersions": ["2026-07-28"], "capabilities": {}},
    "tools/list": CACHED | {"tools": [TOOL]},
    "tools/call": {"content": [TEXT]},
    "resources/list": CACHED | {"resources": [{"uri": "a:b", "name": "b"}]},
    "resources/templates/list": CACHED
    | {"resourceTemplates": [{"uriTemplate": "a:{b}", "name": "b"}]},
    "resources/read": CACHED | READ,
    "prompts/list": CACHED | {"prompts": [{"name": "reply"}]},
    "prompts/get": {"messages": [{"role": "user", "content": TEXT}]},
    "completion/complete": {"completion": {"values": ["2318"]}},
}
RESULTS = {
    name: {"resultType": "complete", "_meta": SERVED} | body
    for name, body in BODIES.items()
}
PARAMS: dict[str, dict[str, Any]] = {
    "tools/call": {"name": "get_ticket"},
    "resources/read": {"uri": "ticket://2318"},
    "prompts/get": {"name": "reply"},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "reply"},
        "argument": {"name": "ticket", "value": "23"},
    },
}


def client(method, identifier=1, meta=META, **params):
    made = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
    if meta is not None:
        params["_meta"] = meta
    return "client", made


def asks(method, identifier=1):
    return client(method, identifier, **PARAMS.get(method, {}))


def notifies(method, direction="client", **params):
    return direction, {"jsonrpc": "2.0", "method": method, "params": params}


def gives(result, identifier=1):
    return "server", {"jsonrpc": "2.0", "id": identifier, "result": result}


def fails(code, identifier=1, **more):
    message = {"jsonrpc": "2.0", "error": {"code": code, "message": "no"} | more}
    return "server", message if identifier is None else message | {"id": identifier}


def lines(*session):
    return [
        (way, each if isinstance(each, bytes) else json.dumps(each).encode())
        for way, each in session
    ]


def initialize(revision, identifier=0):
    information = {"name": "terminal", "version": "0.1.0"}
    return client(
        "initialize",
        identifier,
        meta=None,
        protocolVersion=revision,
        capabilities={},
        clientInfo=information,
    )


def agrees(revision, identifier=0):
    information = {"name": "helpdesk", "version": "1.0.0"}
    body = {
        "protocolVersion": revision,
        "capabilities": {},
        "serverInfo": information,
    }
    return gives(body, identifier)


DISCOVER = asks("server/discover")
DISCOVERED = gives(RESULTS["server/discover"])
