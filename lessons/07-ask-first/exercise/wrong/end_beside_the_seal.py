"""Wrong: the end travels beside what is sealed, so the client moves it."""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import time

REVISION = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
INFO = {"name": "catalog", "version": "1.0.0"}
LIFE = 10 * 60  # seconds that a person has to answer

# Anybody of the studio's staff may order what is in them.
BASKETS: dict[str, dict] = {
    "basket_1": {"items": ["2 Yoga mat, extra long"], "total_cents": 14800},
    "basket_2": {"items": ["10 Kettlebell 16 kg"], "total_cents": 54000},
}


class ProtocolError(Exception):
    """A request that is answered with an `error`: ProtocolError(-32602, "…")."""


class Refused(Exception):
    """A state that does not fit; the text is for the log and not for the client."""


class Shop:
    """What the server is given: a folder, a person, a clock, chance and a key."""

    def __init__(self, folder, user, now=time.time, random=os.urandom, key=b""):
        self.user, self.now, self.random = user, now, random
        path = os.path.join(folder, "shop.db")
        self.database = sqlite3.connect(path, isolation_level=None)
        columns = "order_id text, kind text, basket_id text, user text"
        self.database.execute(f"create table if not exists orders ({columns})")
        self.database.execute("create table if not exists used (nonce primary key)")
        self.key = key or kept_key(os.path.join(folder, "key"), random)

    def orders(self) -> list[tuple]:
        """Every order and every hold, in the order in which they were written."""
        return self.database.execute("select * from orders order by rowid").fetchall()


def kept_key(path: str, random) -> bytes:
    """The key of this folder: 32 bytes that nobody else can read."""
    if not os.path.exists(path):
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(random(32))
    with open(path, "rb") as file:
        return file.read()


def what_for(params: dict) -> str:
    """What was asked for, however the client orders it: only this, and not `_meta`."""
    asked = ["tools/call", params["name"], params["arguments"]]
    said = json.dumps(asked, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def mac(shop: Shop, value: str) -> str:
    return hmac.new(shop.key, value.encode("ascii"), "sha256").hexdigest()


def seal(shop: Shop, params: dict) -> str:
    """The question's state: its value, and the MAC of the letters of its value."""
    state = {
        "user": shop.user,
        "what": what_for(params),
        "nonce": shop.random(16).hex(),
    }
    value = base64.urlsafe_b64encode(json.dumps(state).encode()).decode()
    return f"{value}.{mac(shop, value)}.{shop.now() + LIFE:.0f}"


def verify(shop: Shop, params: dict, state) -> str:
    """The nonce of a state that fits. Raises Refused."""
    if not isinstance(state, str) or not state.isascii():
        raise Refused("it is no text of ours")
    value, came, ends = [*state.split("."), "", ""][:3]
    if not hmac.compare_digest(mac(shop, value), came):
        raise Refused("it was not sealed with this key, or changed")
    held = json.loads(base64.urlsafe_b64decode(value))  # ours, so it can be read
    if held["user"] != shop.user:
        raise Refused("it was for another person")
    if held["what"] != what_for(params):
        raise Refused("it was for another request")
    if not ends.isdecimal() or int(ends) < shop.now():
        raise Refused("it has expired")
    return held["nonce"]


def spend(shop: Shop, nonce: str) -> bool:
    """Whether this is the first use. The primary key decides, for every process."""
    change = "insert or ignore into used values (?)"
    return shop.database.execute(change, (nonce,)).rowcount == 1


def ask(shop: Shop, params: dict, state: str = "") -> dict:
    """The question to the person, with a new state or the one that came."""
    name, basket = params["name"], BASKETS[params["arguments"]["basket_id"]]
    what = f"{', '.join(basket['items'])} for {basket['total_cents'] / 100:.2f} USD"
    message = f"Buy {what}?" if name == "place_order" else f"Hold {what} for a day?"
    schema = {"type": "object", "properties": {"note": {"type": "string"}}}
    form = {"mode": "form", "message": message, "requestedSchema": schema}
    return {
        "resultType": "input_required",
        "inputRequests": {"confirm": {"method": "elicitation/create", "params": form}},
        "requestState": state or seal(shop, params),
    }


def asked_first(shop: Shop, params: dict) -> dict:
    """The result of both tools: a question, and then what the answer made of it."""
    basket_id = params["arguments"].get("basket_id")
    if not isinstance(basket_id, str) or basket_id not in BASKETS:
        return said("No such basket. Try basket_1.", isError=True)
    if "requestState" not in params:
        return ask(shop, params)
    nonce = verify(shop, params, params["requestState"])
    answers = params.get("inputResponses", {})
    answer = answers.get("confirm") if isinstance(answers, dict) else None
    if answer is None:
        return ask(shop, params, params["requestState"])
    action = answer.get("action") if isinstance(answer, dict) else None
    if action not in ("accept", "decline", "cancel"):
        raise ProtocolError(-32602, "action is accept, decline or cancel")
    shop.database.execute("begin immediate")
    with shop.database:  # both lines or none
        if not spend(shop, nonce):
            raise Refused("it was answered already")
        if action == "accept":
            order = f"order_{shop.random(6).hex()}"
            row = (order, params["name"], basket_id, shop.user)
            shop.database.execute("insert into orders values (?, ?, ?, ?)", row)
    return said("Done." if action == "accept" else "Nothing was done.")


def said(text: str, **more: bool) -> dict:
    return {"content": [{"type": "text", "text": text}], **more}


BASKET = {"type": "string", "description": "The basket's id, for example basket_1"}
ARGUMENTS = {
    "type": "object",
    "properties": {"basket_id": BASKET},
    "required": ["basket_id"],
    "additionalProperties": False,
}
TOOLS = [
    {"name": "place_order", "description": "Buy all that is in a basket."},
    {"name": "hold_basket", "description": "Hold what is in a basket for a day."},
]


def list_tools(shop: Shop, params: dict) -> dict:
    tools = [{**tool, "inputSchema": ARGUMENTS} for tool in TOOLS]
    return {"tools": tools, "ttlMs": 300_000, "cacheScope": "public"}


def call_tool(shop: Shop, params: dict) -> dict:
    params = {"arguments": {}, **params}
    if params.get("name") not in [tool["name"] for tool in TOOLS]:
        raise ProtocolError(-32602, "Unknown tool")
    if not isinstance(params["arguments"], dict):
        raise ProtocolError(-32602, "arguments must be an object")
    able = params["_meta"][PREFIX + "clientCapabilities"].get("elicitation")
    if not isinstance(able, dict) or (able and "form" not in able):
        needed: dict = {"requiredCapabilities": {"elicitation": {"form": {}}}}
        raise ProtocolError(-32021, "This tool has to ask a person", needed)
    return asked_first(shop, params)


def discover(shop: Shop, params: dict) -> dict:
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


def answer(shop: Shop, line: bytes) -> dict | None:
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
        try:
            result = METHODS[message["method"]](shop, message["params"])
        except Refused as error:  # the log has the reason, the client one text for all
            print(f"catalog: state refused: {error}", file=sys.stderr)
            text = "requestState does not fit this request"
            raise ProtocolError(-32602, text) from None
        result = {"resultType": "complete", **result}
        return {**about, "result": {**result, "_meta": {PREFIX + "serverInfo": INFO}}}
    except ProtocolError as error:
        code, text, *data = error.args
        more = {"data": data[0]} if data else {}
        return {**about, "error": {"code": code, "message": text, **more}}


def main() -> None:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shop")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    shop = Shop(folder, os.environ.get("CATALOG_USER") or "local")
    for line in sys.stdin.buffer:
        message = answer(shop, line) if line.strip() else None
        if message is not None:
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            data = text.encode("utf-8", "backslashreplace")
            sys.stdout.buffer.write(data + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
