"""Wrong: whoever has a handle gets the basket, as if the handle were a permission."""

import argparse
import hmac
import json
import os
import sqlite3
import sys
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode

REVISION = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
INFO = {"name": "catalog", "version": "1.0.0"}
PAGE = 4  # products on a page of the list
ROWS = 2  # products in one result of search_catalog
HOURS = 24  # a basket ends so long after its last change

# By sku. The list shows them in the order of their sku, whenever they came in.
CATALOG: dict[str, dict] = {
    "blk-01": {"name": "Cork block", "price_cents": 1450},
    "blk-02": {"name": "Foam block", "price_cents": 950},
    "bls-01": {"name": "Bolster, buckwheat", "price_cents": 4300},
    "bls-02": {"name": "Bolster, round", "price_cents": 3900},
    "kbl-08": {"name": "Kettlebell 8 kg", "price_cents": 3200},
    "kbl-16": {"name": "Kettlebell 16 kg", "price_cents": 5400},
    "mat-01": {"name": "Yoga mat, natural rubber", "price_cents": 5900},
    "mat-02": {"name": "Yoga mat, extra long", "price_cents": 7400},
    "mat-03": {"name": "Yoga mat, for travel", "price_cents": 4100},
    "mat-04": {"name": "Gym mat, folding", "price_cents": 8800},
    "mat-05": {"name": "Mat cleaner", "price_cents": 1200},
    "rop-01": {"name": "Battle rope, 12 m", "price_cents": 8900},
    "str-01": {"name": "Cotton strap", "price_cents": 990},
}


def find(query: str) -> list[str]:
    """The skus of names that hold every word of the query, in order."""
    words = query.lower().split()
    return [
        sku
        for sku in sorted(CATALOG)
        if words and all(word in CATALOG[sku]["name"].lower() for word in words)
    ]


class ProtocolError(Exception):
    """A request that is answered with an `error`: ProtocolError(-32602, "…")."""


class ToolError(Exception):
    """A call that can't be done; the text tells the model why, and what to do."""


class World:
    """What comes from outside: a person, a clock, a key and a database in a folder."""

    def __init__(self, data: str, user: str, later: float):
        self.user, self.later = user, later
        os.makedirs(data, exist_ok=True)
        path = os.path.join(data, "baskets.db")
        self.database = sqlite3.connect(path, isolation_level=None)
        columns = "name primary key, value"
        self.database.execute(f"create table if not exists kept ({columns})")
        self.keep("key", os.urandom(32).hex())
        self.key = bytes.fromhex(self.load("key") or "")

    def now(self) -> float:
        """Seconds since 1970, by a clock that may run ahead."""
        return time.time() + self.later

    def keep(self, name: str, value: str) -> None:
        """Put a text into the database, under a name that is not taken yet."""
        self.database.execute("insert or ignore into kept values (?, ?)", (name, value))

    def change(self, name: str, value: str) -> None:
        """Put another text under that name."""
        change = "update kept set value = ? where name = ?"
        self.database.execute(change, (value, name))

    def load(self, name: str) -> str | None:
        """The text under that name; None where there is none."""
        wanted = "select value from kept where name = ?"
        row = self.database.execute(wanted, (name,)).fetchone()
        return row and row[0]


def seal(key: bytes, purpose: str, value: str) -> str:
    """A token that gives `value` back for the same purpose, and can't be forged."""
    said = json.dumps([purpose, value]).encode()
    parts = (value.encode(), hmac.digest(key, said, "sha256")[:16])
    return ".".join(urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def unseal(key: bytes, purpose: str, token: str) -> str | None:
    """The sealed value; None for anything but a token of ours for this purpose."""
    try:  # a peer may have sent anything, a number as well
        text = str(token).partition(".")[0]
        value = urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        good = hmac.compare_digest(seal(key, purpose, value), token)
    except (ValueError, TypeError):
        return None
    return value if good else None


def part(skus: list[str], last: str, size: int) -> tuple[list[str], str]:
    """Up to `size` skus after the last that was shown, and which is last now.

    It need not be there still: skus have an order, so "after" always has a meaning.
    """
    rest = [sku for sku in skus if sku > last]
    return rest[:size], rest[size - 1] if len(rest) > size else ""


def list_resources(world: World, params: dict) -> dict:
    """One page of the products, and the cursor of the next. Raises ProtocolError."""
    last = ""
    if "cursor" in params:
        last = unseal(world.key, "resources/list", params["cursor"]) or ""
        if not last:
            raise ProtocolError(-32602, "Invalid cursor: begin again")
    skus, more = part(sorted(CATALOG), last, PAGE)
    rows = [{"uri": f"product://{sku}", "name": CATALOG[sku]["name"]} for sku in skus]
    page: dict = {"resources": rows, "ttlMs": 60_000, "cacheScope": "public"}
    if more:
        page["nextCursor"] = seal(world.key, "resources/list", more)
    return page


def search_catalog(world: World, query: str, continue_with: str | None = None) -> dict:
    """At most ROWS products, and how to go on. Raises ToolError."""
    purpose, last = f"search {query}", ""
    if continue_with is not None:
        last = unseal(world.key, purpose, continue_with) or ""
        if not last:
            text = "continue_with does not fit this query. Leave it out to begin again."
            raise ToolError(text)
    found = find(query)
    if not found:
        raise ToolError("No product has these words. Use fewer, for example: mat")
    skus, more = part(found, last, ROWS)
    value: dict = {"products": [{"sku": sku, **CATALOG[sku]} for sku in skus]}
    if more:
        value["continue_with"] = seal(world.key, purpose, more)
    return value


def add_product(world: World, sku: str, name: str) -> dict:
    """A new product, for the check of this exercise."""
    CATALOG[sku] = {"name": name, "price_cents": 100}
    return {"sku": sku}


def start_basket(world: World) -> dict:
    """A new basket for this user."""
    handle = f"basket_{os.urandom(16).hex()}"
    basket = {"user": world.user, "ends": world.now() + HOURS * 3600, "skus": []}
    world.keep(handle, json.dumps(basket))
    return {"basket_id": handle, "skus": []}


def opened(world: World, basket_id: str) -> dict:
    """The user's basket of this handle. Raises ToolError: unknown, ended, another's."""
    text = world.load(basket_id) if basket_id.startswith("basket_") else None
    basket = json.loads(text or '{"ends": 0}')
    if basket["ends"] <= world.now():
        raise ToolError(f"No such basket. They last {HOURS} hours: start_basket again.")
    return basket


def add_to_basket(world: World, basket_id: str, sku: str) -> dict:
    """The basket with the product in it. Raises ToolError."""
    basket = opened(world, basket_id)
    if sku not in CATALOG:
        raise ToolError("No such product. search_catalog gives the sku of each.")
    basket["skus"].append(sku)
    basket["ends"] = world.now() + HOURS * 3600
    world.change(basket_id, json.dumps(basket))
    return {"basket_id": basket_id, "skus": basket["skus"]}


def read_basket(world: World, basket_id: str) -> dict:
    """What is in the basket. Raises ToolError."""
    return {"basket_id": basket_id, "skus": opened(world, basket_id)["skus"]}


# By name: description, required arguments, optional arguments, function.
TOOLS: dict = {
    "search_catalog": (
        "Find products by words of their name, for example mat. A longer list has a"
        " continue_with: call again with it and the same query to see the rest.",
        ("query",),
        ("continue_with",),
        search_catalog,
    ),
    "add_product": ("Add a product.", ("sku", "name"), (), add_product),
    "start_basket": (
        "Start an empty basket and give its basket_id. A basket lasts"
        f" {HOURS} hours from its last change.",
        (),
        (),
        start_basket,
    ),
    "add_to_basket": (
        "Put a product into a basket that start_basket gave.",
        ("basket_id", "sku"),
        (),
        add_to_basket,
    ),
    "read_basket": (
        "Show the skus in a basket that start_basket gave.",
        ("basket_id",),
        (),
        read_basket,
    ),
}


def list_tools(world: World, params: dict) -> dict:
    """Every definition, always in the same order."""
    tools = []
    for name, (about, required, optional, _) in TOOLS.items():
        properties = {each: {"type": "string"} for each in (*required, *optional)}
        schema = {"type": "object", "properties": properties, "required": required}
        schema = {**schema, "additionalProperties": False}
        tools.append({"name": name, "description": about, "inputSchema": schema})
    return {"tools": tools, "ttlMs": 300_000, "cacheScope": "public"}


def call_tool(world: World, params: dict) -> dict:
    """A result in both forms, or a tool error. Raises ProtocolError."""
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str) or name not in TOOLS:
        raise ProtocolError(-32602, f"Unknown tool: {name}")
    if not isinstance(arguments, dict):
        raise ProtocolError(-32602, "arguments must be an object")
    _, required, optional, run = TOOLS[name]
    try:
        if not set(required) <= set(arguments) <= {*required, *optional}:
            raise ToolError(f"The arguments of {name}: {', '.join(required) or 'none'}")
        if not all(isinstance(each, str) for each in arguments.values()):
            raise ToolError("All arguments are strings.")
        value = run(world, **arguments)
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    text = json.dumps(value, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": value}


def discover(world: World, params: dict) -> dict:
    able: dict = {"tools": {}, "resources": {}}
    about = {"supportedVersions": [REVISION], "capabilities": able}
    return {**about, "ttlMs": 300_000, "cacheScope": "public"}


METHODS = {
    "server/discover": discover,
    "resources/list": list_resources,
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


def answer(world: World, line: bytes) -> dict | None:
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
        result = METHODS[message["method"]](world, message["params"])
        result = {"resultType": "complete", **result}
        return {**about, "result": {**result, "_meta": {PREFIX + "serverInfo": INFO}}}
    except ProtocolError as error:
        code, text, *data = error.args
        more = {"data": data[0]} if data else {}
        return {**about, "error": {"code": code, "message": text, **more}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    usual = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    parser.add_argument("--data", default=usual, help="folder for key and baskets")
    parser.add_argument("--user", default="local", help="who is asking")
    parser.add_argument("--later", type=float, default=0, help="seconds to run ahead")
    given = parser.parse_args()
    world = World(given.data, given.user, given.later)
    for line in sys.stdin.buffer:
        message = answer(world, line) if line.strip() else None
        if message is not None:
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            data = text.encode("utf-8", "backslashreplace")
            sys.stdout.buffer.write(data + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
