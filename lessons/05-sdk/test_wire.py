"""What a server keeps, whatever it is made of: rules that SDKs tend to change.

The lessons 01 to 04 have tests of their own, and they run on both servers. These look
at what a library does on its own account: it bends arguments, writes schemas, declares
capabilities, runs calls side by side and words the errors. Texts are never compared
with a wording; what must not stand in one is.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lessons import conftest, wire
from lessons.manifest import META
from lessons.wire import expect, expect_error, expect_result

TOOLS = "server/tools"
BASIC = "basic/index"
CACHING = "server/utilities/caching"
SCHEMA = "schema"
INPUTS = f'servers MUST validate all tool inputs ({TOOLS}, "Security Considerations")'
CLOSED = f"a model knows of a tool what its inputSchema says ({TOOLS})"
BOTH = f'text and structuredContent are one result ({TOOLS}, "Structured Content")'
PROMISED = f"structured results MUST conform to the outputSchema ({TOOLS})"
ENCODED = "messages are UTF-8 (basic/transports/index)"
# A good call of each tool.
GOOD: dict[str, dict] = {
    "get_ticket": {"ticket_id": "2318"},
    "search_tickets": {"query": "charged twice", "limit": 2},
    "search_policies": {"query": "charged twice", "limit": 2},
}
# A word, and a ticket that has it, in the letters of several languages.
ABROAD = {
    "réservation": "2325",
    "Störung": "2347",
    "キャンセル待ちの通知が届かない": "2331",
    "للأعضاء": "2334",
    "회원권": "2337",
}
SUBJECTS = {
    "2340": "¿Cómo exporto las asistencias de septiembre?",
    "2352": "🎉 500th member today, can we give them a free month?",
    "2363": "会员转卡后原有课时消失",
}
# The methods that belong to a capability, with what they ask for at least.
METHODS: dict[str, dict[str, dict]] = {
    "tools": {"tools/list": {}, "tools/call": {"name": "x", "arguments": {}}},
    "prompts": {"prompts/list": {}, "prompts/get": {"name": "x"}},
    "resources": {
        "resources/list": {},
        "resources/templates/list": {},
        "resources/read": {"uri": "policy://x"},
    },
    "completions": {
        "completion/complete": {
            "ref": {"type": "ref/prompt", "name": "x"},
            "argument": {"name": "x", "value": ""},
        }
    },
}
PROGRAM = re.compile(
    r"""Traceback | https?:// | [a-z_]\.py\b | \bline\ [0-9]+ | 0x[0-9a-f]{6}
    | pydantic | \b[A-Za-z]*(?:Error|Exception):""",
    re.VERBOSE,
)


def call(server, tool: str, arguments: dict) -> dict:
    return server.request("tools/call", {"name": tool, "arguments": arguments})


def served(server, tool: str, arguments: dict, rule=TOOLS) -> dict:
    """The result of a call that is good."""
    result = expect_result(server, call(server, tool, arguments), rule)
    expect(server, result.get("isError", False) is False, "no isError", rule)
    return result


def refused(server, tool: str, arguments: dict, rule=INPUTS) -> str:
    """The text of the tool error that a call must get."""
    result = expect_result(server, call(server, tool, arguments), rule)
    expect(server, result.get("isError") is True, "isError true", rule)
    return "\n".join(texts(result))


def texts(result: dict) -> list[str]:
    return [each["text"] for each in result["content"] if each["type"] == "text"]


def listed(server, **request) -> dict[str, dict]:
    """The definitions by name; the helpdesk's fit on one page."""
    answer = server.request("tools/list", **request)
    tools = expect_result(server, answer, TOOLS)["tools"]
    found = {each["name"]: each for each in tools}
    expect(server, GOOD.keys() <= found.keys(), f"the tools {', '.join(GOOD)}", TOOLS)
    return found


def command_of(request) -> tuple[list[str], Path | None]:
    """The command of the test's server, started anew and not warm, and its folder."""
    kind = getattr(request.node, "callspec", None)
    kind = kind.params.get("server") if kind else None
    if kind not in conftest.SDK:
        return conftest.command_for(request.config, request.path)
    _, cwd = request.getfixturevalue("sdk_command")(kind)
    return ["python", "-m", "sdk", *conftest.SDK[kind]], cwd


@pytest.fixture
def another(server, request):
    """A second process of the same server, on the same data folder."""
    wired = wire.Wire(*command_of(request), data=server.data)
    yield wired
    wired.close()


def bent(value: Any) -> list[object]:
    """The value as other types that a kind library makes it of."""
    if isinstance(value, str):
        return [int(value) if value.isdigit() else 1, True, [value], {"value": value}]
    return [str(value), f"{value}.0", True, [value], value + 0.5]


def test_no_argument_is_bent_until_it_fits(server):
    # lmstudio-ai/lmstudio-bug-tracker#1626
    for tool, good in GOOD.items():
        for name, value in good.items():
            for other in bent(value):
                refused(server, tool, {**good, name: other})


def test_what_no_schema_allows_is_refused_and_the_schema_says_so(server):
    tools = listed(server)
    for tool, good in GOOD.items():
        for extra in ("page", "context", "ctx", "_meta", "kwargs"):
            refused(server, tool, {**good, extra: "1"})
        schema = tools[tool]["inputSchema"]
        server.came = {"tool": tool, "inputSchema": schema}
        closed = schema.get("additionalProperties") is False
        expect(server, closed, 'a schema with "additionalProperties":false', CLOSED)


def test_schema_and_server_agree_on_what_may_be_passed(server):
    jsonschema = pytest.importorskip("jsonschema")
    tools = listed(server)
    for tool in ("search_tickets", "search_policies"):
        schema = tools[tool]["inputSchema"]
        most = schema["properties"]["limit"]["maximum"]
        judge = jsonschema.Draft202012Validator(schema)
        for limit in (1, 2.0, most, 0, most + 1, "2", 1.5, True, None, [1]):
            arguments = {"query": "class studio", "limit": limit}
            if judge.is_valid(arguments):
                served(server, tool, arguments, f"the schema allows it ({TOOLS})")
            else:
                refused(server, tool, arguments)


def test_a_name_that_is_not_in_the_list_is_an_error_of_the_protocol(server):
    # modelcontextprotocol/typescript-sdk#1044, vercel/ai#16035
    rule = f'{TOOLS}, "Error Handling": unknown tool'
    for name in ("get_tickets", "helpdesk_server", "tools/list", "x" * 200):
        expect_error(server, call(server, name, {}), -32602, rule)


def test_what_is_declared_is_served_and_nothing_else_is(server):
    answer = server.request("server/discover")
    able = expect_result(server, answer, "server/discover")["capabilities"]
    expect(server, "tools" in able, "the capability tools", TOOLS)
    for capability, methods in METHODS.items():
        for method, params in methods.items():
            answer = server.request(method, params)
            if capability not in able:
                rule = f"{capability} is not declared ({SCHEMA}, MethodNotFoundError)"
                expect_error(server, answer, -32601, rule)
            elif method.endswith("/list"):
                expect_result(server, answer, f"{capability} is declared ({SCHEMA})")
            else:
                code = answer.get("error", {}).get("code")
                text = "an error that speaks of what is asked for, say -32602"
                rule = f"a method that is served does not fail of itself ({SCHEMA})"
                expect(server, code not in (-32601, -32603), text, rule)


def test_text_and_data_of_a_result_are_one(server):
    expected = "one text, the JSON of structuredContent"
    for tool, good in GOOD.items():
        result = served(server, tool, good)
        try:
            said = [json.loads(each) for each in texts(result)]
        except ValueError:
            raise server.failure(expected, BOTH) from None
        expect(server, said == [result.get("structuredContent")], expected, BOTH)


def test_data_fits_the_schema_that_was_listed(server):
    jsonschema = pytest.importorskip("jsonschema")
    tools = listed(server)
    for tool, good in GOOD.items():
        data = served(server, tool, good).get("structuredContent")
        schema = tools[tool].get("outputSchema")
        both = isinstance(schema, dict) and isinstance(data, dict)
        expect(server, both, f"data, and an outputSchema of {tool}", PROMISED)
        found = jsonschema.Draft202012Validator(schema).iter_errors(data)
        text = "data that fits the outputSchema, but "
        text += "; ".join(each.message for each in found)
        expect(server, text.endswith("but "), text, PROMISED)


def test_fifty_requests_written_at_once_get_fifty_answers_of_their_own(server):
    # The ids come in pairs that some languages take for one: 1 and "1".
    ids = [id for number in range(1, 26) for id in (number, str(number))]
    wanted = dict(zip(ids, map(str, range(2318, 2368)), strict=True))
    for id, ticket in wanted.items():
        params = {"name": "get_ticket", "arguments": {"ticket_id": ticket}}
        message = {"jsonrpc": "2.0", "id": id, "method": "tools/call"}
        server.line(json.dumps({**message, "params": {**params, "_meta": META}}))
    for _ in ids:
        response = server.receive()
        id = response.get("id")
        text = "an id that was asked with and is not answered yet"
        rule = f"a response has the id of its request ({BASIC})"
        known = type(id) in (int, str) and id in wanted
        expect(server, known, text, rule)
        ticket = wanted.pop(id)
        data = expect_result(server, response, rule).get("structuredContent", {})
        expect(server, data.get("ticket_id") == ticket, f"ticket {ticket}", rule)
    server.silent()


def test_the_text_of_a_tool_error_does_not_speak_of_the_program(server):
    bad: list[tuple[str, dict]] = [
        ("get_ticket", {"ticket_id": "#2318"}),
        ("get_ticket", {"ticket_id": "9999"}),
        ("get_ticket", {}),
        ("get_ticket", {"ticket_id": None}),
        ("search_tickets", {"query": "class", "limit": 0}),
        ("search_tickets", {"query": ["class"]}),
        ("search_policies", {"query": "xyzzy"}),
        ("search_policies", {"query": "class", "limit": 99, "x": 1}),
    ]
    rule = f'the text is for a model to act upon ({TOOLS}, "Error Handling")'
    for tool, arguments in bad:
        text = refused(server, tool, arguments)
        expect(server, text.strip(), "a text", rule)
        found = PROGRAM.search(text)
        expected = f"a text without {found[0]!r}" if found else ""
        expect(server, not found, expected, rule)


def test_two_processes_give_the_same_list(server, another):
    one, other = (json.dumps(list(listed(each).values())) for each in (server, another))
    rule = f"one order, so that what a model is shown can be cached ({TOOLS})"
    expect(another, other == one, f"the list of the first process: {one}", rule)


def test_letters_of_all_languages_are_found_and_given_back(server):
    for word, ticket in ABROAD.items():
        result = served(server, "search_tickets", {"query": word}, ENCODED)
        data = result["structuredContent"]
        there = ticket in [row["ticket_id"] for row in data["tickets"]]
        expect(server, there, f"a row with the ticket {ticket}", ENCODED)
        # The same request, with escapes for all that is not ASCII.
        arguments = {"name": "search_tickets", "arguments": {"query": word}}
        message = {"jsonrpc": "2.0", "id": word, "method": "tools/call"}
        server.line(json.dumps({**message, "params": {**arguments, "_meta": META}}))
        response = server.receive()
        expect(server, response.get("id") == word, f"the id {word!r}", ENCODED)
        escaped = expect_result(server, response, ENCODED).get("structuredContent")
        expect(server, escaped == data, "the same data as without escapes", ENCODED)


def test_a_subject_keeps_its_letters_in_text_and_data(server):
    for ticket, subject in SUBJECTS.items():
        result = served(server, "get_ticket", {"ticket_id": ticket}, ENCODED)
        said = json.loads(texts(result)[0])
        for form in (said, result["structuredContent"]):
            text = f"the subject {subject!r}"
            expect(server, form.get("subject") == subject, text, ENCODED)


def test_both_eras_are_given_the_same_tools(server, another):
    rule = (
        "the eras differ in their envelope, and not in their tools; a server of one "
        "era may refuse this (basic/versioning)"
    )
    now = listed(server)
    client = {"name": "old", "version": "1.0.0"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    answer = another.request("initialize", params, id=0, meta=None)
    expect_result(another, answer, rule)
    another.notify("notifications/initialized")
    then = listed(another, meta=None)
    parts = ("description", "inputSchema", "outputSchema", "annotations")
    for name, tool in now.items():
        for part in parts:
            same = then.get(name, {}).get(part) == tool.get(part)
            expect(another, same, f"{name} with the {part} of this era", rule)
    good = {"name": "get_ticket", "arguments": GOOD["get_ticket"]}
    old = expect_result(another, another.request("tools/call", good, meta=None), rule)
    new = served(server, "get_ticket", GOOD["get_ticket"])
    same = old.get("structuredContent") == new["structuredContent"]
    expect(another, same, "the same data as in this era", rule)


def test_a_result_that_may_be_kept_says_how_long_and_by_whom(server):
    for method in ("server/discover", "tools/list"):
        result = expect_result(server, server.request(method), CACHING)
        age, scope = result.get("ttlMs"), result.get("cacheScope")
        text = "ttlMs, an integer of milliseconds from 0 to a day"
        expect(server, type(age) is int and 0 <= age <= 86_400_000, text, CACHING)
        good = scope in ("public", "private")
        expect(server, good, 'cacheScope, "public" or "private"', CACHING)
    result = served(server, "get_ticket", GOOD["get_ticket"])
    kept = {"ttlMs", "cacheScope"} & result.keys()
    rule = f"of tools, the list may be kept, and not the result of a call ({CACHING})"
    expect(server, not kept, "neither ttlMs nor cacheScope", rule)
