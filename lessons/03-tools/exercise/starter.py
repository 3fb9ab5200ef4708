"""A product catalog for gyms and yoga studios, as an MCP server on a pipe.

The framing, server/discover and all errors up to here are done. What is missing is
the tool: look for "Your turn", 1 to 4. Try it by hand, one request a line:

    python server.py
"""

import json
import sys

REVISION = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
INFO = {"name": "catalog", "version": "1.0.0"}

CATALOG: list[dict] = [
    {"sku": "mat-01", "name": "Yoga mat, natural rubber", "price_cents": 5900},
    {"sku": "mat-02", "name": "Yoga mat, extra long", "price_cents": 7400},
    {"sku": "blk-01", "name": "Cork block", "price_cents": 1450},
    {"sku": "str-01", "name": "Cotton strap", "price_cents": 990},
    {"sku": "kbl-08", "name": "Kettlebell 8 kg", "price_cents": 3200},
    {"sku": "kbl-16", "name": "Kettlebell 16 kg", "price_cents": 5400},
    {"sku": "rop-01", "name": "Battle rope, 12 m", "price_cents": 8900},
    {"sku": "bls-01", "name": "Bolster, buckwheat", "price_cents": 4300},
]


def find(query: str) -> list[dict]:
    """The products whose name holds every word of the query; none for no words."""
    words = query.lower().split()
    return [
        product
        for product in CATALOG
        if words and all(word in product["name"].lower() for word in words)
    ]


class ProtocolError(Exception):
    """A request that is answered with an `error`: ProtocolError(-32602, "…")."""


# Your turn 1: the definition of search_catalog(query): name, description, inputSchema,
# and an outputSchema for {"products": [{"sku": …, "name": …, "price_cents": …}]}.
TOOLS: list[dict] = []


def list_tools(params: dict) -> dict:
    """Your turn 2: the result of tools/list, with ttlMs and cacheScope."""
    raise ProtocolError(-32601, "tools/list is not written yet")


def call_tool(params: dict) -> dict:
    """Your turn 3: the result of tools/call.

    A request that no tool could take (an unknown tool, arguments that are no object)
    is a ProtocolError, -32602. All that the model can mend (no query, a query that
    finds nothing) is a result with isError and a text that says what would be right.
    """
    raise ProtocolError(-32601, "tools/call is not written yet")


def discover(params: dict) -> dict:
    # Your turn 4: a server with tools declares the capability "tools".
    about = {"supportedVersions": [REVISION], "capabilities": {}}
    return {**about, "ttlMs": 300_000, "cacheScope": "public"}


METHODS = {
    "server/discover": discover,
    "tools/list": list_tools,
    "tools/call": call_tool,
}


def check(message: object) -> None:
    """Raise ProtocolError for what is no request of this revision."""
    if not isinstance(message, dict) or type(message.get("id")) not in (int, str):
        raise ProtocolError(-32600, "a request is an object with an id")
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise ProtocolError(-32600, 'a request has jsonrpc "2.0" and a method')
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    meta = meta if isinstance(meta, dict) else {}
    version = meta.get(PREFIX + "protocolVersion")
    if not isinstance(version, str):
        raise ProtocolError(-32602, f"_meta must hold {PREFIX}protocolVersion")
    if not isinstance(meta.get(PREFIX + "clientCapabilities"), dict):
        raise ProtocolError(-32602, f"_meta must hold {PREFIX}clientCapabilities")
    if version != REVISION:
        data = {"supported": [REVISION], "requested": version}
        raise ProtocolError(-32022, "Unsupported protocol version", data)
    if message["method"] not in METHODS:
        raise ProtocolError(-32601, f"Unknown method: {message['method']}")


def answer(line: bytes) -> dict | None:
    """The message that answers this line; None where silence is right."""
    about: dict = {"jsonrpc": "2.0"}
    try:
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            raise ProtocolError(-32700, "not JSON") from None
        if isinstance(message, dict) and "method" in message and "id" not in message:
            return None  # a notification
        if isinstance(message, dict) and type(message.get("id")) in (int, str):
            about["id"] = message["id"]
        check(message)
        result = METHODS[message["method"]](message["params"])
        result = {"resultType": "complete", **result}
        return {**about, "result": {**result, "_meta": {PREFIX + "serverInfo": INFO}}}
    except ProtocolError as error:
        code, text, *data = error.args
        more = {"data": data[0]} if data else {}
        return {**about, "error": {"code": code, "message": text, **more}}


def main() -> None:
    for line in sys.stdin.buffer:
        message = answer(line) if line.strip() else None
        if message is not None:
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            data = text.encode("utf-8", "backslashreplace")
            sys.stdout.buffer.write(data + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
