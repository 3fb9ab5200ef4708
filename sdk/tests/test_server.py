"""One helpdesk: what the SDK's server says is what the other one says. (lesson 05)"""

import json
import logging

import pytest

pytest.importorskip("mcp")

import anyio
from handwritten import helpdesk
from handwritten.__main__ import helpdesk_server as by_hand
from handwritten.server import Connection
from lessons.manifest import META
from mcp import Client, MCPError
from mcp.server.mcpserver.exceptions import ToolError
from sdk import server, strict
from sdk.database import Database
from sdk.strict import StrictServer

LIMIT = 60  # seconds; only a hang takes that long


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return Database(tmp_path_factory.mktemp("data"))


def talk(made, steps, mode="auto"):
    """Connect the SDK's client in this process, and run some steps."""

    async def run():
        with anyio.fail_after(LIMIT):
            async with Client(made, mode=mode) as client:
                return await steps(client)

    return anyio.run(run)


def wire(model) -> dict:
    """The JSON of a model, without what only its transport adds."""
    made = model.model_dump(by_alias=True, mode="json", exclude_none=True)
    return {key: made[key] for key in made if key not in ("_meta", "resultType")}


def asked_by_hand(method: str, params: dict) -> dict:
    """What the hand-written server answers: a result, or an error."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method}
    line = json.dumps({**message, "params": {**params, "_meta": META}}).encode()
    (answer,) = Connection(by_hand()).receive(line)
    body = answer.get("result") or answer["error"]
    return {key: body[key] for key in body if key not in ("_meta", "resultType")}


def called(data, name: str, arguments: dict) -> dict:
    """The result of a call on the SDK's server; an error as its code."""

    async def steps(client):
        await client.list_tools()
        try:
            return wire(await client.call_tool(name, arguments))
        except MCPError as error:
            return {"code": error.code, "message": error.message}

    return talk(server.helpdesk_server(data), steps)


def resolved(schema, definitions=None):
    """The schema with each $ref in its place, and no $defs."""
    if isinstance(schema, list):
        return [resolved(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    definitions = schema.get("$defs", definitions)
    if "$ref" in schema:
        return resolved(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    rest = {key: schema[key] for key in schema if key != "$defs"}
    return {key: resolved(rest[key], definitions) for key in rest}


def test_the_list_is_the_hand_written_one(data):
    async def steps(client):
        return await client.list_tools()

    listed = wire(talk(server.helpdesk_server(data), steps))
    assert resolved(listed) == asked_by_hand("tools/list", {})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_both_say_the_same_of_themselves(data, mode):
    async def steps(client):
        return client.server_info, client.instructions, client.server_capabilities

    info, instructions, capabilities = talk(server.helpdesk_server(data), steps, mode)
    assert (info.name, info.version) == ("helpdesk", "1.0.0")
    assert instructions == helpdesk.INSTRUCTIONS
    for more in ("completions", "prompts", "resources"):  # lesson-06
        assert getattr(capabilities, more) is not None
        setattr(capabilities, more, None)
    assert wire(capabilities) == {"tools": {"listChanged": False}}


CALLS: list = [
    ("get_ticket", {"ticket_id": "2318"}),
    ("get_ticket", {"ticket_id": "2381"}),
    ("get_ticket", {"ticket_id": "9999"}),
    ("get_ticket", {}),
    ("get_ticket", {"ticket_id": 2318}),
    ("get_ticket", {"ticket_id": None}),
    ("get_ticket", {"ticket_id": ["2318"]}),
    ("get_ticket", {"ticket_id": "2318", "priority": "high"}),
    ("get_ticket", {"ticket_id": "2318", "self": 1}),
    ("search_tickets", {"query": "calendar sync"}),
    ("search_tickets", {"query": "calendar sync", "limit": 3}),
    ("search_tickets", {"query": "calendar sync", "limit": 2.0}),
    ("search_tickets", {"query": "calendar sync", "limit": 2.5}),
    ("search_tickets", {"query": "calendar sync", "limit": "3"}),
    ("search_tickets", {"query": "calendar sync", "limit": True}),
    ("search_tickets", {"query": "calendar sync", "limit": 0}),
    ("search_tickets", {"query": "calendar sync", "limit": 51}),
    ("search_tickets", {"query": "Yoga été 漢"}),
    ("search_tickets", {"query": "xyzzy"}),
    ("search_tickets", {"query": ""}),
    ("search_policies", {"query": "Charged twice for October"}),
    ("search_policies", {"query": "refund", "limit": 5}),
    ("search_policies", {"query": "refund", "limit": 6}),
    ("search_policies", {"query": "reimbursement"}),
    ("get_tickets", {"ticket_id": "2318"}),
    ("__class__", {}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=lambda part: str(part)[:40])
def test_a_call_gives_what_it_gives_by_hand(data, name, arguments):
    expected = asked_by_hand("tools/call", {"name": name, "arguments": arguments})
    assert called(data, name, arguments) == expected


@pytest.mark.parametrize("number", ["#2318", "2318\n", " 2318", "", "２３１８"])  # noqa: RUF001
def test_a_number_of_the_wrong_form_is_told_what_is_right(data, number):
    result = called(data, "get_ticket", {"ticket_id": number})
    assert result["isError"] is True
    text = result["content"][0]["text"]
    assert text.startswith('get_ticket: "ticket_id": String should match')
    assert text.endswith("(Ticket number, digits only, e.g. 2318).")


def with_tool(data, function):
    made = server.helpdesk_server(data)
    made.add_tool(function)

    async def steps(client):
        return await client.call_tool(function.__name__, {})

    return wire(talk(made, steps))


def test_a_tool_that_crashes_tells_nothing_but_its_name(data, caplog):
    def crash() -> str:
        raise FileNotFoundError("/home/someone/.ssh/id_rsa")

    with caplog.at_level(logging.CRITICAL):
        result = with_tool(data, crash)
    assert result["isError"] is True
    assert [block["text"] for block in result["content"]] == [
        "Error executing tool crash"
    ]


def test_what_a_tool_says_is_sent_as_it_says_it(data):
    def refuse() -> str:
        raise ToolError("Not today: come back tomorrow.")

    text = with_tool(data, refuse)["content"][0]["text"]
    assert text == "Not today: come back tomorrow."


def test_titles_that_pydantic_makes_up_go_and_properties_stay():
    schema = {
        "title": "Policy",
        "type": "object",
        "properties": {"title": {"title": "Title", "type": "string"}},
        "$defs": {"title": {"title": "X", "properties": {"a": {"title": "A"}}}},
    }
    assert strict.untitled(schema) == {
        "type": "object",
        "properties": {"title": {"type": "string"}},
        "$defs": {"title": {"properties": {"a": {}}}},
    }


def test_a_server_with_prompts_declares_them(data):
    made = StrictServer("x")
    made.prompt("greet")(lambda: "Hello")  # nothing is hidden that is there

    async def steps(client):
        return client.server_capabilities, await client.list_prompts()

    capabilities, listed = talk(made, steps)
    assert capabilities.prompts is not None and capabilities.resources is None
    assert len(listed.prompts) == 1
