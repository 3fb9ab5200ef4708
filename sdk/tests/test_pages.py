"""Pages of the SDK's server: each item once, whatever comes meanwhile. (lesson 06)"""

import json
import sqlite3
from contextlib import closing

import pytest

pytest.importorskip("mcp")

from handwritten.__main__ import helpdesk_server as by_hand
from handwritten.server import Connection
from handwritten.world import World
from lessons.manifest import META
from mcp import MCPError
from sdk.database import Database
from sdk.pages import Pages
from sdk.server import helpdesk_server
from sdk.tests.test_server import talk, wire

LISTS = {
    "tools/list": ("list_tools", "tools", "name"),
    "prompts/list": ("list_prompts", "prompts", "name"),
    "resources/list": ("list_resources", "resources", "uri"),
    "resources/templates/list": (
        "list_resource_templates",
        "resourceTemplates",
        "uriTemplate",
    ),
}
MODES = ["auto", "legacy"]


@pytest.fixture
def data(tmp_path):
    return Database(tmp_path)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(Pages, "page_size", 7)


def add_ticket(data: Database) -> str:
    """One more row of the table; its number."""
    parts = {"customer": "Late Studio", "charges": [], "messages": []}
    more = json.dumps({**parts, "created": "2026-11-05T09:00:00Z"})
    with closing(sqlite3.connect(data.path)) as connection:
        query = "SELECT max(CAST(ticket_id AS INTEGER)) + 1 FROM tickets"
        number = str(connection.execute(query).fetchone()[0])
        row = (number, "Late", "open", "cus_1", "It came late.", more)
        names = "ticket_id, subject, status, customer_id, body, more"
        connection.execute(f"INSERT INTO tickets ({names}) VALUES (?,?,?,?,?,?)", row)
        connection.commit()
    return number


async def walk(client, method: str, between=lambda: None) -> list[list[str]]:
    """What each page names; `between` is called after every page."""
    ask, member, key = LISTS[method]
    pages: list = []
    cursor = None
    while not pages or cursor is not None:
        page = wire(await getattr(client, ask)(cursor=cursor))
        pages.append([item[key] for item in page[member]])
        cursor = page.get("nextCursor")
        between()
    return pages


@pytest.mark.parametrize("mode", MODES)
def test_each_item_is_shown_once_while_tickets_are_added(data, small, mode):
    added: list[str] = []

    def between():
        if len(added) < 12:
            added.append(add_ticket(data))

    async def steps(client):
        return [await walk(client, method, between) for method in LISTS]

    before = len(data.tickets())
    walks = talk(helpdesk_server(data), steps, mode)
    shown = {
        name: [item for page in pages for item in page]
        for name, pages in zip(LISTS, walks, strict=True)
    }
    for names in shown.values():
        assert len(names) == len(set(names))
    assert len(shown["tools/list"]) >= 11
    assert len(shown["prompts/list"]) == 1
    assert len(shown["resources/templates/list"]) == 3
    assert len(added) == 12
    assert shown["resources/list"][-12:] == [f"ticket://{each}" for each in added]
    assert len(shown["resources/list"]) == 10 + 1 + before + 12
    assert all(len(page) == 7 for pages in walks for page in pages[:-1])


def test_a_page_has_fifty_items(data):
    async def steps(client):
        return await walk(client, "resources/list")

    pages = talk(helpdesk_server(data), steps)
    assert [len(page) for page in pages] == [50, 24]


def test_a_ticket_that_is_added_is_listed_read_and_drawn_at_once(data):
    async def steps(client):
        await client.list_tools()
        number = add_ticket(data)
        read = await client.read_resource(f"ticket://{number}")
        listed = await client.call_tool("list_tickets", {"status": "open"})
        drawn = await client.call_tool("chart_tickets", {})
        return number, read, listed, drawn

    number, read, listed, drawn = talk(helpdesk_server(data), steps)
    assert read.contents[0].text.startswith(f"# {number}: Late\n\nopen, from Late")
    assert listed.structured_content["found"] == 1 + sum(
        row["status"] == "open" for row in data.tickets()[:-1]
    )
    assert drawn.structured_content["days"][-1]["day"] == "2026-11-05"


def hand_cursor(folder, user: str) -> str:
    server = by_hand(data=str(folder), user=user)
    message = {"jsonrpc": "2.0", "id": 1, "method": "resources/list"}
    line = json.dumps({**message, "params": {"_meta": META}}).encode()
    (answer,) = Connection(server).receive(line)
    return answer["result"]["nextCursor"]


def next_page(data: Database, method: str, cursor: str, mode="auto"):
    """The page after the cursor; the code of the error where there is none."""
    ask, member, key = LISTS[method]

    async def steps(client):
        try:
            page = wire(await getattr(client, ask)(cursor=cursor))
        except MCPError as error:
            return error.code
        return [item[key] for item in page[member]]

    return talk(helpdesk_server(data), steps, mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_cursor_of_either_server_is_good_for_both(data, mode):
    folder = data.path.parent
    cursor = hand_cursor(folder, "local")
    assert len(next_page(data, "resources/list", cursor, mode)) == 24

    async def steps(client):
        return (await client.list_resources()).next_cursor

    assert talk(helpdesk_server(data), steps, mode) == cursor


def test_a_cursor_is_good_for_its_person_and_list_alone(data):
    folder = data.path.parent
    cursor = hand_cursor(folder, "ana")
    assert next_page(data, "resources/list", cursor) == -32602
    assert next_page(data, "tools/list", cursor) == -32602
    data.world = World(str(folder), "ana")
    assert len(next_page(data, "resources/list", cursor)) == 24


@pytest.mark.parametrize("method", LISTS)
def test_a_cursor_that_is_none_of_ours_is_refused_on_every_list(data, method):
    good = hand_cursor(data.path.parent, "local")
    for cursor in ("", "zzz", "-1", "99999", good + "x", good[:-1], "." + good, "é"):
        assert next_page(data, method, cursor) == -32602
