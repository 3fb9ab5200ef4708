"""The official SDK's client against the hand-written server. (lesson 03)"""

import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp")

import anyio
from handwritten import helpdesk
from mcp import Client, MCPError, StdioServerParameters, types

ROOT = Path(__file__).resolve().parents[2]
MODES = ["auto", "2026-07-28", "legacy"]
SPOKEN = {"auto": "2026-07-28", "2026-07-28": "2026-07-28", "legacy": "2025-11-25"}
LIMIT = 60  # seconds; only a hang takes that long
TICKET = {
    "ticket_id": "2318",
    "subject": "Charged twice for October",
    "status": "open",
    "customer_id": "cus_1042",
}
UNKNOWN: types.Request = types.Request(method="tickets/guess", params=None)

pytestmark = pytest.mark.parametrize("mode", MODES)


OPTIONS: list[str] = []  # lesson-06


@pytest.fixture(autouse=True)
def fresh_folder(tmp_path):  # lesson-06
    """What one test leaves behind is no other's."""
    OPTIONS[:] = ["--data", str(tmp_path)]


def talk(mode: str, steps):
    """Connect the SDK's client to `python -m handwritten`, and run some steps."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "handwritten"], cwd=ROOT
    )

    command.args += OPTIONS  # lesson-06

    async def run():
        with anyio.fail_after(LIMIT):
            async with Client(command, mode=mode) as client:
                return await steps(client)

    return anyio.run(run)


def test_it_connects_in_each_mode_and_speaks_that_era(mode):
    async def steps(client):
        return client.protocol_version, client.server_info, client.instructions

    version, info, instructions = talk(mode, steps)
    assert version == SPOKEN[mode]
    if mode == "2026-07-28":  # it is told which revision to speak, and asks nothing
        assert (info, instructions) == (None, None)
    else:
        assert (info.name, instructions) == ("helpdesk", helpdesk.INSTRUCTIONS)


def test_it_lists_get_ticket_with_all_its_parts(mode):
    async def steps(client):
        return await client.list_tools()

    tools = {tool.name: tool for tool in talk(mode, steps).tools}
    tool = tools["get_ticket"]
    assert tool.title == "Get ticket"
    assert tool.input_schema["required"] == ["ticket_id"]
    assert tool.output_schema["required"] == list(TICKET)
    assert tool.annotations.read_only_hint is True
    assert tool.annotations.open_world_hint is False


def test_it_calls_get_ticket_and_checks_the_result_against_the_schema(mode):
    async def steps(client):
        await client.list_tools()
        return await client.call_tool("get_ticket", {"ticket_id": "2318"})

    result = talk(mode, steps)
    assert result.is_error is False
    assert result.structured_content == TICKET
    (block,) = result.content
    assert '"subject":"Charged twice for October"' in block.text


@pytest.mark.parametrize(
    "arguments", [{"ticket_id": "#2318"}, {"id": "2318"}, {}, None]
)
def test_a_tool_error_is_a_result(mode, arguments):
    async def steps(client):
        return await client.call_tool("get_ticket", arguments)

    result = talk(mode, steps)
    assert result.is_error is True
    assert result.structured_content is None
    (block,) = result.content
    assert "digits only" in block.text


def test_an_unknown_tool_is_an_error_of_the_protocol(mode):
    async def steps(client):
        with pytest.raises(MCPError) as caught:
            await client.call_tool("get_tickets", {})
        good = await client.call_tool("get_ticket", {"ticket_id": "2319"})
        return caught.value, good

    error, good = talk(mode, steps)
    assert (error.code, error.message) == (-32602, "Unknown tool: get_tickets")
    assert good.structured_content["status"] == "pending"


def test_a_method_that_is_not_there_is_an_error_of_the_protocol(mode):
    async def steps(client):
        with pytest.raises(MCPError) as caught:
            await client.session.send_request(UNKNOWN, types.EmptyResult)
        return caught.value

    assert talk(mode, steps).code == -32601


def test_many_calls_at_once_each_get_their_own_answer(mode):
    async def steps(client):
        got = {}

        async def one(number: str):
            result = await client.call_tool("get_ticket", {"ticket_id": number})
            got[number] = result.structured_content["ticket_id"]

        async with anyio.create_task_group() as group:
            for number in range(2318, 2338):
                group.start_soon(one, str(number))
        return got

    got = talk(mode, steps)
    assert len(got) == 20
    assert all(asked == answered for asked, answered in got.items())


def test_it_walks_the_resources_and_reads_what_it_finds(mode):  # lesson-06
    async def steps(client):
        uris, cursor = [], None
        while True:
            page = await client.list_resources(cursor=cursor)
            uris += [str(each.uri) for each in page.resources]
            if (cursor := page.next_cursor) is None:
                break
        templates = await client.list_resource_templates()
        read = [await client.read_resource(uri) for uri in uris[::12]]
        return uris, templates.resource_templates, read

    uris, templates, read = talk(mode, steps)
    assert len(uris) == len(set(uris)) == 74
    assert [each.name for each in templates] == ["ticket", "policy", "recording"]
    assert all(len(each.contents) == 1 for each in read)


def test_it_gets_the_prompt_and_completes_its_arguments(mode):  # lesson-06
    async def steps(client):
        (prompt,) = (await client.list_prompts()).prompts
        ref = types.PromptReference(name=prompt.name)
        offers = await client.complete(
            ref, {"name": "policy", "value": "cal"}, {"ticket_id": "2319"}
        )
        chosen = {"ticket_id": "2319", "policy": offers.completion.values[0]}
        return prompt, await client.get_prompt(prompt.name, chosen)

    prompt, got = talk(mode, steps)
    assert prompt.icons[0].mime_type == "image/png"
    kinds = [message.content.type for message in got.messages]
    assert kinds == ["text", "resource", "resource"]
    assert got.messages[1].content.resource.uri == "policy://calendar-sync"


def test_it_takes_every_kind_of_block(mode):  # lesson-06
    async def steps(client):
        await client.list_tools()
        calls = {
            "chart_tickets": {},
            "get_recording": {"ticket_id": "2341"},
            "read_address": {"uri": "policy://calendar-sync"},
            "start_draft": {"ticket_id": "2318"},
        }
        return [
            block.type
            for name, arguments in calls.items()
            for block in (await client.call_tool(name, arguments)).content
        ]

    kinds = talk(mode, steps)
    assert set(kinds) == {"text", "image", "audio", "resource", "resource_link"}
