"""Wrong: a query that finds nothing is answered with -32602, not with isError."""

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


SEARCH_CATALOG = {
    "name": "search_catalog",
    "title": "Search the catalog",
    "description": "Find products for gyms and yoga studios by words of their name,"
    " with sku and price in cents. Every word must occur, so one word finds most, for"
    " example mat.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "Words of the product's name, e.g. yoga mat",
            }
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "products": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "sku": {"type": "string"},
                        "name": {"type": "string"},
                        "price_cents": {"type": "integer"},
                    },
                    "required": ["sku", "name", "price_cents"],
                },
            }
        },
        "required": ["products"],
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


def search_catalog(arguments: dict) -> dict:
    """The products, or the ValueError whose text the model is to read."""
    query = arguments.get("query")
    if not isinstance(query, str) or set(arguments) != {"query"}:
        raise ValueError("The one argument is query, a string, for example: mat")
    products = find(query)
    if not products:
        shown = json.dumps(query[:80], ensure_ascii=False)
        right = "Use fewer words of a product's name, for example: mat"
        raise ValueError(f"No product for {shown}. {right}")
    return {"products": products}


# By name: what the list shows, and what a call runs.
TOOLS = {"search_catalog": (SEARCH_CATALOG, search_catalog)}


def list_tools(params: dict) -> dict:
    """Every definition, always in the same order."""
    tools = [definition for definition, _ in TOOLS.values()]
    return {"tools": tools, "ttlMs": 300_000, "cacheScope": "public"}


def call_tool(params: dict) -> dict:
    """A result in both forms, or a tool error. Raises ProtocolError."""
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str) or name not in TOOLS:
        raise ProtocolError(-32602, f"Unknown tool: {name}")
    if not isinstance(arguments, dict):
        raise ProtocolError(-32602, "arguments must be an object")
    _, run = TOOLS[name]
    try:
        value = run(arguments)
    except ValueError as error:
        raise ProtocolError(-32602, str(error)) from None
    text = json.dumps(value, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": value}


def discover(params: dict) -> dict:
    about = {"supportedVersions": [REVISION], "capabilities": {"tools": {}}}
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
