"""Checks the exercise of lesson 05: `python check.py server.py`.

The file is started once and asked over its pipes, as any client would. The first rule
that does not hold is told in full; the rules behind it wait. It needs the packages of
`make setup`, as the server does.
"""

import importlib.util
import io
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lessons import pipe
from lessons.wire import Wire, WireFailure, expect, expect_result

FILE = "server.py"
pipe.LIMIT = 20.0  # seconds for one answer; on a busy machine the SDK takes its time
TOOLS = "server/tools"
STDIO = "basic/transports/stdio"
MODEL = f"the text lets the model correct itself ({TOOLS})"
INPUTS = f"servers validate what they are given ({TOOLS})"
PROMISED = f"structured results conform to the outputSchema ({TOOLS})"
MOST = 5  # products that can be asked for
DEFAULT = 3
SIX = "e"  # in six names, none of them the broken row's
BROKEN = "singing bowl"
# What a crash is made of, and no model can use.
DETAILS = ("stock.internal", "validation error", "pydantic", "Traceback", ".py")
MASKED = "Error executing tool search_catalog"  # all that the SDK says of a crash
LONG = "surfboard " * 1_000


def call(server: Wire, **arguments: object) -> dict:
    """The result of a search; a failure where an error of the protocol came."""
    params = {"name": "search_catalog", "arguments": arguments}
    rule = f"a call that the tool can judge gets a result, good or bad ({TOOLS})"
    return expect_result(server, server.request("tools/call", params), rule)


def texts(result: dict) -> list[str]:
    """The texts of a result."""
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    found = [each.get("text") for each in blocks if isinstance(each, dict)]
    return [each for each in found if isinstance(each, str)]


def refused(server: Wire, expected: str, rule: str, **arguments: object) -> str:
    """The text of a tool error; a failure where anything else came."""
    result = call(server, **arguments)
    expect(server, result.get("isError") is True, expected, rule)
    text = "\n".join(texts(result))
    expect(server, text.strip(), f"{expected}, and a text beside it", rule)
    return text


def data(server: Wire, **arguments: object) -> dict:
    """structuredContent; a failure where it holds no products."""
    result = call(server, **arguments)
    expect(server, not result.get("isError"), "products, and no isError", TOOLS)
    value = result.get("structuredContent")
    value = value if isinstance(value, dict) else {}
    found = value.get("products")
    text = 'structuredContent {"products": […]}, with a product or more'
    expect(server, isinstance(found, list) and found, text, PROMISED)
    return value


def skus(server: Wire, **arguments: object) -> list:
    """The sku of each product found."""
    return [each.get("sku") for each in data(server, **arguments)["products"]]


def the_tool(server: Wire) -> dict:
    """The one definition in the list."""
    result = expect_result(server, server.request("tools/list"), TOOLS)
    tools = result.get("tools")
    tools = tools if isinstance(tools, list) else []
    text = "a list tools with search_catalog, once and alone"
    names = [each.get("name") for each in tools if isinstance(each, dict)]
    expect(server, names == ["search_catalog"], text, TOOLS)
    return tools[0]


def argument(server: Wire, name: str, kind: str) -> dict:
    """What the schema says of one argument, which becomes what came."""
    properties = the_tool(server)["inputSchema"].get("properties", {})
    server.came = properties
    text = f'the argument {name} of type "{kind}"'
    expect(server, properties.get(name, {}).get("type") == kind, text, TOOLS)
    return properties[name]


def lists_the_tool(server: Wire) -> None:
    """search_catalog is listed, with a description and a query"""
    tool = the_tool(server)
    words = str(tool.get("description") or "").split()
    text = "a description that tells a model when to call it: the docstring"
    expect(server, len(words) >= 5, text, TOOLS)
    argument(server, "query", "string")
    server.came = required = tool["inputSchema"].get("required")
    expect(server, required == ["query"], 'query alone is required: ["query"]', TOOLS)


def bounds_the_limit(server: Wire) -> None:
    """the schema says how many products can be asked for"""
    limit = argument(server, "limit", "integer")
    bounds = limit.get("minimum"), limit.get("maximum")
    text = f"limit with minimum 1 and maximum {MOST}, so that the model knows them"
    expect(server, bounds == (1, MOST), text, TOOLS)


def promises_a_shape(server: Wire) -> None:
    """the outputSchema promises products, each with sku, name and price_cents"""
    tool = the_tool(server)
    schema = tool.get("outputSchema") or {}
    server.came = schema or f"a tool with {', '.join(tool)}"
    text = "an outputSchema: the function's return type is a model, not just dict"
    expect(server, schema, text, TOOLS)
    inside = schema.get("properties", {})
    text = "an outputSchema with products; a list or str is put into result by the SDK"
    expect(server, "products" in inside, text, TOOLS)
    items = inside["products"].get("items", {})
    name = items.get("$ref", "").removeprefix("#/$defs/")
    required = schema.get("$defs", {}).get(name, items).get("required", [])
    text = "products that require sku, name and price_cents"
    good = {"sku", "name", "price_cents"} <= set(required)
    expect(server, good, text, TOOLS)


def finds_products(server: Wire) -> None:
    """a search gives what it promises, as data"""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

    schema = the_tool(server)["outputSchema"]
    mats = ["mat-01", "mat-02"]
    for query, wanted in (("mat", mats), ("YOGA long", mats[1:]), ("cork", ["blk-01"])):
        text = f"structuredContent with the products {', '.join(wanted)}"
        found = data(server, query=query)
        good = [each.get("sku") for each in found["products"]] == wanted
        expect(server, good, text, PROMISED)
        for error in Draft202012Validator(schema).iter_errors(found):
            text = f"data that fits the outputSchema, but {error.message}"
            expect(server, False, text, PROMISED)


def says_the_same_twice(server: Wire) -> None:
    """the text of a result is the same JSON as its data"""
    result = call(server, query="mat")
    try:
        said = [json.loads(each) for each in texts(result)]
    except ValueError:
        said = []
    rule = f"some hosts show the model one form, some the other ({TOOLS})"
    text = "one text: the JSON of structuredContent"
    expect(server, said == [result.get("structuredContent")], text, rule)


def stays_within_the_limit(server: Wire) -> None:
    """no result has more products than asked for, or than 3 where nothing is said"""
    six = skus(server, query=SIX, limit=MOST)
    text = f"{MOST} products, as asked for: {SIX!r} is in six names"
    expect(server, len(six) == MOST, text, TOOLS)
    for limit in (1, 4, None):
        given = {} if limit is None else {"limit": limit}
        count = DEFAULT if limit is None else limit
        text = f"the first {count} of the products that limit {MOST} gives"
        expect(server, skus(server, query=SIX, **given) == six[:count], text, TOOLS)
    for bad in (0, -1, MOST + 1, 1000):
        text = f"isError true: {bad} is outside of 1 to {MOST}"
        refused(server, text, INPUTS, query=SIX, limit=bad)


def finds_nothing(server: Wire) -> None:
    """a query that finds nothing is a tool error that teaches"""
    text = "isError true, and a text that says what would be right"
    said = refused(server, text, MODEL, query="surfboard")
    text = "the text of a ToolError: that of any other exception stays in the log"
    expect(server, said.strip() != MASKED, text, MODEL)
    sent, came = server.sent, server.came
    words = dict.fromkeys(re.findall(r"\w{3,}", said.lower())[:60])
    good = any(
        not call(server, query=word).get("isError")
        for word in words
        if word != "surfboard"
    )
    server.sent, server.came = sent, came
    expect(server, good, "a text with a word that finds something, to be tried", MODEL)
    said = refused(server, "isError true", MODEL, query=LONG)
    text = "a text of 500 characters at most, which quotes the beginning of the query"
    expect(server, len(said) <= 500, text, MODEL)


def judges_types(server: Wire) -> None:
    """what is of another type than the schema says is refused, and not bent"""
    for limit in ("3", True, 2.5, [2]):
        text = f"isError true: {json.dumps(limit)} is no integer (Field(strict=True))"
        refused(server, text, INPUTS, query="mat", limit=limit)
    for arguments in ({}, {"query": 7}, {"query": ["mat"]}):
        text = "isError true: query is required, and a string"
        said = refused(server, text, INPUTS, **arguments)
        expect(server, "query" in said, "a text that names query", MODEL)


def keeps_its_details(server: Wire) -> None:
    """of the row that breaks the model, the caller learns nothing of the program"""
    text = "isError true: its price is no integer. A BaseModel sees that by itself"
    said = refused(server, text, PROMISED, query=BROKEN)
    rule = "what an exception says is for the log: it may hold addresses and secrets"
    for detail in DETAILS:
        text = f"a tool error without {detail!r}: an exception's text is for the log"
        expect(server, detail not in said, text, rule)
    skus(server, query="mat")  # and it goes on


def says_nothing_else(server: Wire) -> None:
    """standard output carries messages alone, and the server leaves when it is told"""
    answered = len(server.entries)
    code = server.end()
    for _, line in server.entries[answered:]:
        server.came = line
        expect(server, False, "nothing more: all is answered", STDIO)
    server.came = f"the exit code {code}"
    expect(server, code == 0, "the exit code 0", f"it leaves with its input ({STDIO})")


# In the order of "Your turn" 1 to 5 in the starter.
RULES = (
    lists_the_tool,
    bounds_the_limit,
    promises_a_shape,
    finds_products,
    says_the_same_twice,
    stays_within_the_limit,
    finds_nothing,
    judges_types,
    keeps_its_details,
    says_nothing_else,
)


def broken(rule, server: Wire) -> str:
    """How the server breaks the rule; "" where it keeps it."""
    try:
        rule(server)
    except WireFailure as failure:
        return str(failure)
    except (AttributeError, LookupError, TypeError):  # say, a list for an object
        return str(server.failure("an answer of another shape", TOOLS))
    return ""


def check(server: Wire) -> int:
    """Say which rules hold, up to the first that does not."""
    for number, rule in enumerate(RULES, 1):
        if failure := broken(rule, server):
            print(f"not yet  {rule.__doc__}")
            for line in failure.splitlines():
                print(f"         {line}")
            print(f"{number - 1} of {len(RULES)} rules hold")
            return 1
        print(f"ok       {rule.__doc__}", flush=True)
    print(f"All {len(RULES)} rules hold: the SDK speaks, and says what you mean.")
    return 0


def main(arguments: list[str]) -> int:
    """0: all rules hold; 1: one does not; 2: no such file, or no SDK."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # the learner's texts, on any system
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("check: say which file to check: python check.py server.py")
        return 2
    if importlib.util.find_spec("mcp") is None:
        text = "run make setup, and start this with the Python of .venv"
        print(f"check: the package mcp is not installed: {text}")
        return 2
    server = Wire(["python", str(Path(arguments[0]).resolve())])
    try:
        return check(server)
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
