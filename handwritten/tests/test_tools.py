"""Tools: the list, the call, and the two kinds of error. (lesson 03)"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from handwritten import wire
from handwritten.server import Server
from handwritten.tests.talk import ask, code, connect, request, send

TICKET = {
    "ticket_id": "2318",
    "subject": "Charged twice for October",
    "status": "open",
    "customer_id": "cus_1042",
}

# The interface that hosts and documents rely on, to the character.
GET_TICKET = (
    '{"name":"get_ticket","title":"Get ticket","description":"Fetch one support ticket'
    " by its number, with its subject, status and customer id. Ticket numbers are"
    ' digits only, for example 2318.","inputSchema":{"type":"object","properties":'
    '{"ticket_id":{"type":"string","pattern":"^[0-9]+$","description":"Ticket number,'
    ' digits only, e.g. 2318"}},"required":["ticket_id"],"additionalProperties":false},'
    '"outputSchema":{"type":"object","properties":{"ticket_id":{"type":"string"},'
    '"subject":{"type":"string"},"status":{"type":"string","enum":["open","pending",'
    '"closed"]},"customer_id":{"type":"string"}},"required":["ticket_id","subject",'
    '"status","customer_id"]},"annotations":{"readOnlyHint":true,"openWorldHint":false}}'
)


def call(arguments, name="get_ticket", connection=None) -> dict:
    params = {"name": name, "arguments": arguments}
    return ask(connection or connect(), "tools/call", params)


def text(answer: dict) -> str:
    (block,) = answer["result"]["content"]
    assert block["type"] == "text"
    return block["text"]


def test_the_list_holds_get_ticket_to_the_character():
    line = wire.encode(ask(connect(), "tools/list")).decode()
    assert GET_TICKET in line


def test_the_list_may_be_kept_for_five_minutes_by_anyone():
    result = ask(connect(), "tools/list")["result"]
    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "public")
    assert result["resultType"] == "complete"


def test_a_result_says_the_same_as_text_and_as_data():
    result = call({"ticket_id": "2318"})["result"]
    assert result["structuredContent"] == TICKET
    assert text({"result": result}) == json.dumps(TICKET, separators=(",", ":"))
    assert result["isError"] is False
    assert result["resultType"] == "complete"


@pytest.mark.parametrize(
    "number", ["#2318", "9999", "constructor", "__class__", "", " 2318"]
)
def test_a_number_that_finds_nothing_is_a_tool_error_that_says_what_would_be_right(
    number,
):
    answer = call({"ticket_id": number})
    expected = (
        f'No ticket "{number}". Ticket numbers are digits only, for example 2318.'
    )
    assert text(answer) == expected
    assert answer["result"]["isError"] is True
    assert "structuredContent" not in answer["result"]


def test_a_hostile_number_is_shown_short_and_escaped():
    answer = text(call({"ticket_id": "\x1b[2J\n" + "9" * 10_000}))
    assert len(answer) < 200
    assert "\x1b" not in answer
    assert "\n" not in answer


def test_half_a_surrogate_pair_gets_its_answer_as_a_line():
    answer = call({"ticket_id": "\ud83d"})
    assert json.loads(wire.encode(answer))["result"]["isError"] is True


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, '"ticket_id" is missing'),
        ({"ticket_id": 2318}, '"ticket_id" must be of type string, not 2318'),
        ({"ticket_id": None}, "not null"),
        ({"ticket_id": ["2318"]}, 'not ["2318"]'),
        ({"ticket_id": "2318", "ticket": "x"}, 'no argument "ticket"'),
        ({"ticket_id": "2318", "self": 1}, 'no argument "self"'),
        ({"ticket_id": "2318", "a b": 1}, 'no argument "a b"'),
    ],
)
def test_arguments_that_break_the_schema_are_a_tool_error_naming_the_argument(
    arguments, named
):
    answer = call(arguments)
    assert answer["result"]["isError"] is True
    assert named in text(answer)


@pytest.mark.parametrize(
    "name", ["get_tickets", "__class__", "__init__", "constructor", "__proto__", ""]
)
def test_an_unknown_tool_is_an_error_of_the_protocol(name):
    # vercel/ai#16035
    answer = call({}, name)
    assert code(answer) == -32602
    assert answer["error"]["message"] == f"Unknown tool: {name}"


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
)
def test_a_request_that_no_tool_could_take_is_an_error_of_the_protocol(params):
    # KeeperHub/keeperhub#2108, brightwave-inc/tidebreak#1464
    assert code(ask(connect(), "tools/call", params)) == -32602


def definition(name: str, **properties) -> dict:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"name": name, "inputSchema": {**schema, "required": list(properties)}}


def other_server(*tools, log=lambda text: None):
    """The same protocol modules around another domain."""
    server = Server({"name": "other", "version": "1"}, log)
    server.tools = {tool["name"]: (tool, run) for tool, run in tools}
    return connect(server)


def test_omitted_arguments_are_an_empty_object():
    connection = other_server((definition("get_time"), lambda call: {"time": "12:00"}))
    answer = ask(connection, "tools/call", {"name": "get_time"})
    assert answer["result"]["structuredContent"] == {"time": "12:00"}
    assert call({"x": 1}, "get_time", connection)["result"]["isError"] is True


@pytest.mark.parametrize(
    ("value", "taken"),
    [
        (1, True),
        (1.0, True),
        ("1", False),
        (True, False),
        (1.5, False),
        (None, False),
        (2**70, True),
    ],
)
def test_an_integer_is_what_json_schema_calls_one(value, taken):
    # PostHog/posthog#48923: no coercion of strings, and true is not 1
    tool = definition("double", number={"type": "integer"})
    connection = other_server((tool, lambda call: {"is": call.arguments["number"] * 2}))
    assert (
        call({"number": value}, "double", connection)["result"]["isError"] is not taken
    )


def test_an_enum_takes_its_values_and_names_them():
    tool = definition("sort", order={"type": "string", "enum": ["up", "down"]})
    connection = other_server((tool, lambda call: {}))
    assert call({"order": "up"}, "sort", connection)["result"]["isError"] is False
    answer = call({"order": "left"}, "sort", connection)
    assert '["up", "down"]' in text(answer)


@pytest.mark.parametrize("value", [{"mean": float("nan")}, {"when": object()}])
def test_a_tool_that_crashes_or_returns_no_json_says_so_without_details(value):
    # adamw7/tools#628, modelcontextprotocol/python-sdk#3385
    log = []
    connection = other_server((definition("boom"), lambda call: value), log=log.append)
    answer = call({}, "boom", connection)
    assert text(answer) == "boom failed. The server's log says why."
    assert answer["result"]["isError"] is True
    assert log[0].startswith("tool boom failed:")


def test_a_server_without_tools_lists_none():
    assert ask(other_server(), "tools/list")["result"]["tools"] == []


def test_an_old_client_gets_the_same_ticket_in_the_old_shape():
    connection = connect()
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}
    ask(connection, "initialize", params, meta=None)
    (listed,) = send(connection, request("tools/list", meta=None))
    assert "ttlMs" not in listed["result"]
    assert listed["result"]["tools"][0]["name"] == "get_ticket"
    params = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}}
    (called,) = send(connection, request("tools/call", params, meta=None))
    assert called["result"]["structuredContent"] == TICKET
    assert "resultType" not in called["result"]
    assert "_meta" not in called["result"]


def test_the_list_is_the_same_to_the_byte_in_every_process():
    # openai/codex#2611: an order that depends on hashing spoils every cache
    line = wire.encode(request("tools/list"))
    root = Path(__file__).resolve().parents[2]
    lists = [
        subprocess.run(
            [sys.executable, "-m", "handwritten"],
            input=line,
            capture_output=True,
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert lists[0] == lists[1]
    assert b"get_ticket" in lists[0]
