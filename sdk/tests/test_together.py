"""Two servers on one folder: the same answers, and each other's handles. (lesson 06)

`python -m sdk` is asked over its pipe, the hand-written core in this process.
"""

import json
import sys
from pathlib import Path

import anyio
import pytest

pytest.importorskip("mcp")

from handwritten.__main__ import helpdesk_server as by_hand
from handwritten.server import Connection
from handwritten.world import World
from lessons.manifest import META
from lessons.wire import Wire
from sdk.database import Database
from sdk.server import helpdesk_server
from sdk.tests.test_server import resolved, talk

ROOT = Path(__file__).resolve().parents[2]
LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]
PROMPT = {"type": "ref/prompt", "name": "draft_reply"}
TICKET = {"type": "ref/resource", "uri": "ticket://{ticket_id}"}
POLICY = {"type": "ref/resource", "uri": "policy://{name}"}
ADDRESSES = [
    "ticket://2318",
    "policy://calendar-sync",
    "ticket://2341/recording",
    "ticket://2318/recording",
    "ticket://9999",
    "ticket://%32318",
    "ticket://2318%2Frecording",
    "ticket://2341%2Frecording",
    "ticket://..%2F2318",
    "ticket://.",
    "ticket://%2e%2e",
    "ticket://2318%00",
    "ticket://2318/../2319",
    "ticket://2341%5Crecording",
    "policy://../calendar-sync",
    "policy://..%2Fcalendar-sync",
    "policy://%FF",
    "ticket://2318?x=1",
    "ticket://2318#a",
    "ticket://2318/",
    "TICKET://2318",
    "file:///etc/passwd",
    "",
    5,
    None,
]
PROMPTS: list[dict] = [
    {"name": "draft_reply", "arguments": {"ticket_id": "2319"}},
    {"name": "draft_reply", "arguments": {"ticket_id": "2319", "policy": "nope"}},
    {"name": "draft_reply", "arguments": {"ticket_id": "2319", "policy": ""}},
    {"name": "draft_reply", "arguments": {"ticket_id": "2319", "desk": "x"}},
    {"name": "draft_reply", "arguments": {"ticket_id": "9999"}},
    {"name": "draft_reply", "arguments": {"ticket_id": 2319}},
    {"name": "draft_reply", "arguments": {}},
    {"name": "draft_reply", "arguments": None},
    {"name": "draft_reply", "arguments": []},
    {"name": "draft_reply"},
    {"name": "nope"},
    {"name": None},
    {},
]
COMPLETIONS: list[dict] = [
    {"ref": PROMPT, "argument": {"name": "ticket_id", "value": "23"}},
    {
        "ref": PROMPT,
        "argument": {"name": "policy", "value": ""},
        "context": {"arguments": {"ticket_id": "2319"}},
    },
    {"ref": POLICY, "argument": {"name": "name", "value": "AND"}},
    {"ref": TICKET, "argument": {"name": "ticket_id", "value": "nope"}},
    {"ref": PROMPT, "argument": {"name": "name", "value": ""}},
    {"ref": {"type": "ref/prompt", "name": "nope"}, "argument": {}},
    {
        "ref": {"type": "ref/prompt", "name": TICKET["uri"]},
        "argument": {"name": "ticket_id", "value": ""},
    },
    {"ref": {**PROMPT, "type": "ref/tool"}, "argument": {"name": "x", "value": ""}},
    {"ref": PROMPT, "argument": {"name": "policy", "value": 5}},
    {"ref": PROMPT, "argument": {"name": "policy", "value": ""}, "context": None},
    {
        "ref": PROMPT,
        "argument": {"name": "policy", "value": ""},
        "context": {"arguments": None},
    },
    {"ref": None, "argument": {"name": "policy", "value": ""}},
    {"ref": PROMPT},
]
CALLS: list[tuple[str, dict]] = [
    ("list_tickets", {}),
    ("list_tickets", {"status": "open"}),
    ("list_tickets", {"status": "lost"}),
    ("list_tickets", {"status": None}),
    ("list_tickets", {"continue_with": "zzz"}),
    ("list_tickets", {"continue_with": None}),
    ("chart_tickets", {}),
    ("get_recording", {"ticket_id": "2341"}),
    ("get_recording", {"ticket_id": "2318"}),
    ("read_address", {"uri": "ticket://2318"}),
    ("read_address", {"uri": "ticket://2341/recording"}),
    ("read_address", {"uri": "ticket://..%2F2318"}),
    ("read_draft", {"draft_id": "draft_" + "0" * 32}),
    ("add_to_draft", {"draft_id": "x", "text": "\0"}),
    ("list_drafts", {"status": "open"}),
    ("start_draft", {"ticket_id": "9999"}),
]
REQUESTS: list[tuple[str, dict]] = [
    ("server/discover", {}),
    *[(method, {}) for method in LISTS],
    *[(method, {"cursor": each}) for method in LISTS for each in ("", "zzz", 5, None)],
    *[("resources/read", {"uri": each}) for each in ADDRESSES],
    *[("prompts/get", params) for params in PROMPTS],
    *[("completion/complete", params) for params in COMPLETIONS],
    *[("tools/call", {"name": name, "arguments": each}) for name, each in CALLS],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(folder):
    wired = Wire([sys.executable, "-m", "sdk", "--data", str(folder)], ROOT)
    yield wired
    wired.close()


def asked(folder, method: str, params: dict, user="local") -> dict:
    """What the hand-written server answers."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method}
    line = json.dumps({**message, "params": {**params, "_meta": META}}).encode()
    made = by_hand(data=str(folder), user=user)
    (answer,) = Connection(made).receive(line)
    return answer


def meaning(answer: dict) -> dict:
    """An answer without what is named here as different: wordings, and the envelope."""
    if "error" in answer:
        return {"code": answer["error"]["code"]}
    result = resolved(answer["result"])  # the SDK's schemas refer to their parts
    for capability in result.get("capabilities", {}).values():
        for promise in ("listChanged", "subscribe"):  # false is as good as absent
            assert capability.pop(promise, False) is False
    for prompt in result.get("prompts", []):
        for argument in prompt["arguments"]:
            argument.setdefault("required", False)
    return result


@pytest.mark.parametrize(
    ("method", "params"), REQUESTS, ids=lambda part: json.dumps(part)[:60]
)
def test_both_give_the_same_answer(server, folder, method, params):
    answer = server.request(method, params)
    assert meaning(answer) == meaning(asked(folder, method, params))


@pytest.fixture
def data(tmp_path):
    return Database(tmp_path)


def called(data: Database, name: str, **arguments):
    async def steps(client):
        await client.list_tools()
        return await client.call_tool(name, arguments)

    return talk(helpdesk_server(data), steps)


def test_a_draft_that_one_server_began_goes_on_at_the_other(data):
    folder = data.path.parent
    begun = called(data, "start_draft", ticket_id="2318")
    kinds = [block.type for block in begun.content]
    assert kinds == ["text", "resource_link", "resource_link"]
    handle = begun.structured_content["draft_id"]
    more = {"name": "add_to_draft", "arguments": {"draft_id": handle, "text": "Hello"}}
    assert asked(folder, "tools/call", more)["result"]["isError"] is False
    read = called(data, "read_draft", draft_id=handle)
    assert read.structured_content["text"] == "Hello"
    theirs = asked(folder, "tools/call", {"name": "list_drafts"}, "ben")
    assert theirs["result"]["structuredContent"] == {"drafts": []}


def test_a_handle_of_another_person_is_unknown(data):
    handle = called(data, "start_draft", ticket_id="2318").structured_content[
        "draft_id"
    ]
    data.world = World(str(data.path.parent), "ben")
    for name, more in {"read_draft": {}, "add_to_draft": {"text": "x"}}.items():
        refused = called(data, name, draft_id=handle, **more)
        assert refused.is_error
        assert refused.content[0].text.startswith(f'No draft "{handle}".')


def test_twenty_additions_at_once_are_all_kept(data):
    async def steps(client):
        await client.list_tools()
        begun = await client.call_tool("start_draft", {"ticket_id": "2318"})
        handle = begun.structured_content["draft_id"]

        async def add(word: str):
            arguments = {"draft_id": handle, "text": word}
            result = await client.call_tool("add_to_draft", arguments)
            assert not result.is_error

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(add, f"<{number}>")
        return await client.call_tool("read_draft", {"draft_id": handle})

    text = talk(helpdesk_server(data), steps).structured_content["text"]
    assert sorted(text.split(">")) == sorted(["", *(f"<{n}" for n in range(20))])


def test_a_long_list_begun_at_one_server_goes_on_at_the_other(data):
    first = called(data, "list_tickets", status="open").structured_content
    arguments = {"status": "open", "continue_with": first["continue_with"]}
    call = {"name": "list_tickets", "arguments": arguments}
    theirs = asked(data.path.parent, "tools/call", call)["result"]
    ours = called(data, "list_tickets", **arguments)
    assert ours.structured_content == theirs["structuredContent"]
    assert called(data, "list_tickets", **arguments | {"status": "closed"}).is_error


def test_the_person_is_named_by_the_environment(tmp_path):
    command = [sys.executable, "-m", "sdk"]
    wired = Wire(command, ROOT, data=str(tmp_path), user="ana")
    call = {"name": "start_draft", "arguments": {"ticket_id": "2318"}}
    handle = wired.request("tools/call", call)["result"]["structuredContent"]
    wired.close()
    arguments = {"draft_id": handle["draft_id"]}
    read = {"name": "read_draft", "arguments": arguments}
    for user, is_error in {"ana": False, "local": True}.items():
        answer = asked(tmp_path, "tools/call", read, user)
        assert answer["result"]["isError"] is is_error
