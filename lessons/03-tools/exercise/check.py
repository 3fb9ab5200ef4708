"""Checks the exercise of lesson 03: `python check.py server.py`.

The file is started anew for each rule and asked over its pipes, as any client would.
The first rule that does not hold is told in full; the rules behind it wait.
"""

import io
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lessons.wire import Wire, WireFailure, expect, expect_error, expect_result

FILE = "server.py"
TOOLS = "server/tools"
CACHING = "server/utilities/caching"
MATS = ["mat-01", "mat-02"]


def call(server: Wire, **params: object) -> dict:
    return server.request("tools/call", params)


def search(server: Wire, **arguments: object) -> dict:
    """The result of a search; a failure where an error of the protocol came."""
    answer = call(server, name="search_catalog", arguments=arguments)
    rule = f"a call that the tool can judge gets a result, good or bad ({TOOLS})"
    return expect_result(server, answer, rule)


def texts(server: Wire, result: dict) -> str:
    """All text of a result; a failure where there is none."""
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    found = [each.get("text") for each in blocks if isinstance(each, dict)]
    text = "\n".join(each for each in found if isinstance(each, str))
    expect(server, text.strip(), "content with a block of text", TOOLS)
    return text


def skus(result: dict) -> list:
    """The sku of each product in structuredContent; [] where that has no such list."""
    value = result.get("structuredContent")
    products = value.get("products") if isinstance(value, dict) else None
    products = products if isinstance(products, list) else []
    return [each.get("sku") for each in products if isinstance(each, dict)]


def declares_its_tools(server: Wire) -> None:
    """server/discover declares the capability tools"""
    result = expect_result(server, server.request("server/discover"), "server/discover")
    able = result.get("capabilities")
    has = isinstance(able, dict) and isinstance(able.get("tools"), dict)
    expect(server, has, '"capabilities":{"tools":{}}', TOOLS)


def lists_the_tool(server: Wire) -> None:
    """tools/list shows search_catalog with a name, a description and an inputSchema"""
    tool = the_tool(server)
    text = tool.get("description")
    good = isinstance(text, str) and len(text.split()) >= 5
    expect(server, good, "a description that tells a model when to call it", TOOLS)
    schema = tool.get("inputSchema")
    schema = schema if isinstance(schema, dict) else {}
    expect(server, schema.get("type") == "object", 'inputSchema of "object"', TOOLS)
    query = (schema.get("properties") or {}).get("query")
    text = 'the property query of type "string"'
    good = isinstance(query, dict) and query.get("type") == "string"
    expect(server, good, text, TOOLS)
    good = "query" in (schema.get("required") or [])
    expect(server, good, "query among the required properties", TOOLS)


def the_tool(server: Wire) -> dict:
    """The one definition in the list."""
    result = expect_result(server, server.request("tools/list"), TOOLS)
    tools = result.get("tools")
    tools = tools if isinstance(tools, list) else []
    named = [each for each in tools if isinstance(each, dict)]
    named = [each for each in named if each.get("name") == "search_catalog"]
    text = "a list tools with search_catalog, once and alone"
    expect(server, len(named) == len(tools) == 1, text, TOOLS)
    return named[0]


def promises_a_shape(server: Wire) -> None:
    """the outputSchema promises an object with a list of products"""
    schema = the_tool(server).get("outputSchema")
    schema = schema if isinstance(schema, dict) else {}
    inside = (schema.get("properties") or {}).get("products") or {}
    good = schema.get("type") == "object" and inside.get("type") == "array"
    text = 'an outputSchema: "object", with products of type "array"'
    expect(server, good, text, TOOLS)


def may_be_kept(server: Wire) -> None:
    """the list says how long it may be kept, and by whom"""
    result = expect_result(server, server.request("tools/list"), CACHING)
    age = result.get("ttlMs")
    expect(server, type(age) is int and age >= 0, "ttlMs, from 0 on", CACHING)
    scope = result.get("cacheScope")
    text = 'cacheScope "public" or "private"'
    expect(server, scope in ("public", "private"), text, CACHING)


def finds_products(server: Wire) -> None:
    """a search gives the products as structuredContent"""
    for query, wanted in (("mat", MATS), ("YOGA long", MATS[1:]), ("cork", ["blk-01"])):
        result = search(server, query=query)
        expect(server, result.get("isError", False) is False, "no isError", TOOLS)
        text = f"structuredContent with the products {', '.join(wanted)}"
        rule = f"what the outputSchema promises is delivered ({TOOLS})"
        expect(server, skus(result) == wanted, text, rule)


def says_the_same_twice(server: Wire) -> None:
    """the text of the result is the same JSON as its data"""
    result = search(server, query="mat")
    try:
        said = json.loads(texts(server, result))
    except ValueError:
        said = None
    rule = f"some hosts show the model one form, some the other ({TOOLS})"
    same = said is not None and said == result.get("structuredContent")
    expect(server, same, "a text that is the JSON of structuredContent", rule)


def finds_nothing(server: Wire) -> None:
    """a query that finds nothing is a tool error"""
    result = search(server, query="surfboard")
    text = "isError true, and a text for the model"
    expect(server, result.get("isError") is True, text, TOOLS)
    texts(server, result)
    text = "no structuredContent beside isError"
    rule = "what does not fit the outputSchema is not sent"
    expect(server, "structuredContent" not in result, text, f"{rule} ({TOOLS})")


def says_what_would_be_right(server: Wire) -> None:
    """the error's text names a query that works"""
    text = texts(server, search(server, query="surfboard"))
    sent, came = server.sent, server.came
    words = dict.fromkeys(re.findall(r"\w{3,}", text.lower())[:60])
    for word in words:
        if word != "surfboard" and skus(search(server, query=word)):
            return
    server.sent, server.came = sent, came
    wanted = "a text with a word that finds something, for the model to try"
    expect(server, False, wanted, f"the text lets the model correct itself ({TOOLS})")


def judges_arguments(server: Wire) -> None:
    """a missing query, or one that is no string, is a tool error naming query"""
    bad: list[dict] = [{"arguments": {}}, {"arguments": {"query": 7}}, {}]
    for params in bad:
        answer = call(server, name="search_catalog", **params)
        rule = f"bad arguments are for the model to mend ({TOOLS})"
        result = expect_result(server, answer, rule)
        expect(server, result.get("isError") is True, "isError true", rule)
        named = "query" in texts(server, result)
        expect(server, named, "a text that names query", rule)


def knows_its_tools(server: Wire) -> None:
    """a tool that is not in the list is an error of the protocol"""
    for name in ("search_catalogue", "__class__", "find", ""):
        answer = call(server, name=name, arguments={"query": "mat"})
        rule = f"an unknown tool is -32602, whatever the program has ({TOOLS})"
        expect_error(server, answer, -32602, rule)


def refuses_other_shapes(server: Wire) -> None:
    """arguments that are no object are an error of the protocol"""
    for arguments in (["mat"], '{"query":"mat"}'):
        answer = call(server, name="search_catalog", arguments=arguments)
        rule = f"a malformed request is -32602 ({TOOLS})"
        expect_error(server, answer, -32602, rule)
    expect_result(server, server.request("server/discover"), "and the server lives on")


# In the order of "Your turn" 1 to 4 in the starter.
RULES = (
    lists_the_tool,
    promises_a_shape,
    may_be_kept,
    finds_products,
    says_the_same_twice,
    finds_nothing,
    says_what_would_be_right,
    judges_arguments,
    knows_its_tools,
    refuses_other_shapes,
    declares_its_tools,
)


def broken(rule, command: list[str]) -> str:
    """How a fresh server breaks the rule; "" where it keeps it."""
    server = Wire(command)
    try:
        rule(server)
    except WireFailure as failure:
        return str(failure)
    except (AttributeError, LookupError, TypeError):  # say, a list for an object
        return str(server.failure("an answer of another shape", TOOLS))
    finally:
        server.close()
    return ""


def main(arguments: list[str]) -> int:
    """0: all rules hold; 1: one does not; 2: there is no such file."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # the learner's texts, on any system
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("check: say which file to check: python check.py server.py")
        return 2
    for number, rule in enumerate(RULES, 1):
        failure = broken(rule, ["python", str(Path(arguments[0]).resolve())])
        if failure:
            print(f"not yet  {rule.__doc__}")
            for line in failure.splitlines():
                print(f"         {line}")
            print(f"{number - 1} of {len(RULES)} rules hold")
            return 1
        print(f"ok       {rule.__doc__}")
    print(f"All {len(RULES)} rules hold: your server has a tool.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
