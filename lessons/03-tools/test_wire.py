"""Tools over the wire: what a server with `get_ticket` does, whatever it is made of.

Parsed values and `isError` are compared, never the wording of a text or the order of
keys. Where the specification leaves a choice, the rule says so. Report numbers name
public reports of servers that got it wrong.
"""

import json
import re

import pytest
from lessons.wire import expect, expect_error, expect_result

TOOLS = "server/tools"
CACHING = "server/utilities/caching"
SCHEMA = "schema"
INVALID_PARAMS = -32602
TICKETS = [
    {
        "ticket_id": "2318",
        "subject": "Charged twice for October",
        "status": "open",
        "customer_id": "cus_1042",
    },
    {
        "ticket_id": "2319",
        "subject": "Class schedule not syncing to calendar",
        "status": "pending",
        "customer_id": "cus_0877",
    },
    {
        "ticket_id": "2320",
        "subject": "How do I add a second instructor?",
        "status": "closed",
        "customer_id": "cus_1310",
    },
]


def listed(server, rule=TOOLS) -> list[dict]:
    """The definitions of the first page; the helpdesk's fit on one."""
    result = expect_result(server, server.request("tools/list"), rule)
    good = all(isinstance(each, dict) for each in result["tools"])
    expect(server, good, "tools, a list of objects", rule)
    return result["tools"]


def get_ticket(server) -> dict:
    """Its definition."""
    found = [each for each in listed(server) if each.get("name") == "get_ticket"]
    expect(server, len(found) == 1, "get_ticket in the list, once", TOOLS)
    return found[0]


def call(server, arguments, name="get_ticket") -> dict:
    return server.request("tools/call", {"name": name, "arguments": arguments})


def expect_tool_error(server, response, rule) -> None:
    """The response is a result with isError and a text, and no data."""
    result = expect_result(server, response, rule)
    expect(server, result.get("isError") is True, "isError true", rule)
    texts = [each.get("text") for each in result["content"] if each["type"] == "text"]
    expect(server, any(texts), "a text that says what was wrong", rule)
    rule = f"a failed call has no data that fits the outputSchema ({TOOLS})"
    expect(server, "structuredContent" not in result, "no structuredContent", rule)


def test_a_server_with_tools_declares_the_capability(server):
    result = expect_result(server, server.request("server/discover"), "server/discover")
    declared = isinstance(result["capabilities"].get("tools"), dict)
    rule = f"servers that support tools MUST declare it ({TOOLS})"
    expect(server, declared, "capabilities with tools, an object", rule)


def test_each_tool_has_a_legal_name_of_its_own_and_an_object_for_arguments(server):
    tools = listed(server)
    names = [each.get("name") for each in tools]
    legal = all(re.fullmatch("[A-Za-z0-9_.-]{1,128}", str(name)) for name in names)
    rule = f'{TOOLS}, "Tool Names"'
    expect(server, legal, "names of 1 to 128 characters A-Za-z0-9_-.", rule)
    expect(server, len(set(names)) == len(names), "no name twice", rule)
    rule = f"inputSchema is an object with the root type object ({SCHEMA})"
    schemas = [each.get("inputSchema") for each in tools]
    good = all(isinstance(each, dict) and each["type"] == "object" for each in schemas)
    expect(server, good, "an inputSchema of type object for each tool", rule)


def test_get_ticket_asks_for_a_ticket_id_and_promises_four_fields(server):
    tool = get_ticket(server)
    rule = f"{TOOLS}: what a model knows is name, description and inputSchema"
    expect(server, tool.get("description"), "a description for the model", rule)
    schema = tool["inputSchema"]
    good = schema["properties"]["ticket_id"]["type"] == "string"
    expect(server, good, "an argument ticket_id, a string", rule)
    expect(server, schema["required"] == ["ticket_id"], "only it is required", rule)
    promised = set(tool.get("outputSchema", {}).get("required", ()))
    text = f"an outputSchema that requires {', '.join(TICKETS[0])}"
    expect(server, promised >= set(TICKETS[0]), text, TOOLS)


def test_the_list_says_how_long_it_may_be_kept_and_by_whom(server):
    result = expect_result(server, server.request("tools/list"), CACHING)
    age = result.get("ttlMs")
    expect(server, type(age) is int and age >= 0, "ttlMs, an integer from 0", CACHING)
    good = result.get("cacheScope") in ("public", "private")
    expect(server, good, 'cacheScope, "public" or "private"', CACHING)


def test_the_list_keeps_its_order_and_no_call_changes_it(server):
    before = listed(server)
    call(server, {"ticket_id": "2318"})
    call(server, {}, "get_tickets")
    rule = f"a stable order, and no list that depends on other requests ({TOOLS})"
    expect(server, listed(server) == before, "the same list as before", rule)


@pytest.mark.parametrize("ticket", TICKETS, ids=lambda ticket: ticket["ticket_id"])
def test_a_call_gives_the_ticket_as_data(server, ticket):
    response = call(server, {"ticket_id": ticket["ticket_id"]})
    result = expect_result(server, response, TOOLS)
    expect(server, result.get("isError", False) is False, "no isError", TOOLS)
    data = result.get("structuredContent", {})
    same = {name: data.get(name) for name in ticket} == ticket
    expected = f"structuredContent with {json.dumps(ticket)}"
    rule = f"structured results conform to the outputSchema ({TOOLS})"
    expect(server, same, expected, rule)


def test_the_text_of_a_result_says_the_same_as_its_data(server):
    # The SHOULD of the page; hosts differ in which of the two a model is shown.
    result = expect_result(server, call(server, {"ticket_id": "2318"}), TOOLS)
    rule = f'{TOOLS}, "Structured Content"'
    texts = [each["text"] for each in result["content"] if each["type"] == "text"]
    expected = "a text: the JSON of structuredContent"
    try:
        said = json.loads(texts[0])
    except (IndexError, ValueError):  # no text, or one that is no JSON
        raise server.failure(expected, rule) from None
    expect(server, said == result.get("structuredContent"), expected, rule)


@pytest.mark.parametrize(
    "number",
    [
        "#2318",
        "9999",
        "constructor",
        "__class__",
        "",
        " 2318",
        "\uff12\uff13\uff11\uff18",
    ],
)
def test_a_number_that_finds_no_ticket_is_a_tool_error(server, number):
    rule = f'{TOOLS}, "Error Handling": tool execution errors'
    expect_tool_error(server, call(server, {"ticket_id": number}), rule)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"ticket_id": 2318},
        {"ticket_id": True},
        {"ticket_id": None},
        {"ticket_id": ["2318"]},
        {"ticket_id": "2318", "priority": "high"},
        {"ticket_id": "2318", "self": 1},
        {"ticket_id": "2318", "a b": 1},
    ],
    ids=json.dumps,
)
def test_arguments_that_break_the_schema_are_a_tool_error(server, arguments):
    # PostHog/posthog#48923, morluto/jacobian#801. The schema page names -32602 too;
    # the tools page has input validation among the errors that a model should read.
    rule = f'{TOOLS}, "Error Handling": input validation errors'
    expect_tool_error(server, call(server, arguments), rule)


def test_arguments_left_out_are_an_empty_object(server):
    # KeeperHub/keeperhub#2108
    response = server.request("tools/call", {"name": "get_ticket"})
    rule = f"arguments is optional ({SCHEMA}); what is missing is a tool error"
    expect_tool_error(server, response, rule)


@pytest.mark.parametrize(
    "name",
    [
        "get_tickets",
        "Get_Ticket",
        "get_ticket ",
        "",
        "__class__",
        "__init__",
        "constructor",
        "__proto__",
    ],
)
def test_an_unknown_tool_is_a_protocol_error(server, name):
    # modelcontextprotocol/typescript-sdk#1044, vercel/ai#16035
    rule = f'{TOOLS}, "Error Handling": unknown tool'
    expect_error(
        server, call(server, {"ticket_id": "2318"}, name), INVALID_PARAMS, rule
    )


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": None},
        {"name": 5},
        {"name": "get_ticket", "arguments": None},
        {"name": "get_ticket", "arguments": ["2318"]},
        {"name": "get_ticket", "arguments": '{"ticket_id":"2318"}'},
    ],
    ids=json.dumps,
)
def test_a_request_that_is_no_call_is_a_protocol_error(server, params):
    # brightwave-inc/tidebreak#1464: and a string is not decoded by guess
    rule = f'{TOOLS}, "Error Handling": malformed requests'
    expect_error(server, server.request("tools/call", params), INVALID_PARAMS, rule)


def test_after_errors_of_both_kinds_the_next_call_is_served(server):
    call(server, {"ticket_id": "#2318"})
    call(server, {}, "__class__")
    result = expect_result(server, call(server, {"ticket_id": "2318"}), TOOLS)
    rule = "requests do not depend on earlier ones (basic/index)"
    served = result.get("isError", False) is False
    expect(server, served, "the ticket, as if nothing had happened", rule)
