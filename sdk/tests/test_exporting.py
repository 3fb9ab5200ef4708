"""An export on the SDK: its pace, its places, how it ends. (lesson 07)"""

import csv
import io

import pytest

pytest.importorskip("mcp")

import anyio
from mcp import Client
from sdk import export
from sdk.database import Database
from sdk.server import helpdesk_server

LIMIT = 60  # seconds; only a hang takes that long
PENDING = {"status": "pending"}


@pytest.fixture
def data(tmp_path):
    return Database(tmp_path)


@pytest.fixture
def hurried(monkeypatch):
    """Exports that keep no pace and tell of every ticket."""
    monkeypatch.setattr(export, "RATE", 100_000)
    monkeypatch.setattr(export, "GAP", 0)


def talk(data, steps):
    async def run():
        with anyio.fail_after(LIMIT):
            async with Client(helpdesk_server(data)) as client:
                await client.list_tools()
                return await steps(client)

    return anyio.run(run)


def test_the_file_has_a_row_for_each_ticket(data, hurried):
    async def steps(client):
        return await client.call_tool("export_tickets", {})

    result = talk(data, steps)
    (file,) = [each for each in result.content if each.type == "resource"]
    rows = list(csv.reader(io.StringIO(file.resource.text, newline="")))
    assert rows[0] == list(export.COLUMNS)
    assert len(rows) == 1 + len(data.tickets())
    assert file.annotations.audience == ["user"]
    size = len(file.resource.text.encode())
    assert result.structured_content == {"tickets": len(rows) - 1, "bytes": size}


def test_progress_grows_to_the_last_ticket(data, hurried):
    told: list = []

    async def hear(progress, total, message):
        told.append((progress, total, message))

    async def steps(client):
        await client.call_tool("export_tickets", PENDING, progress_callback=hear)

    talk(data, steps)
    assert told == [(n, 11, f"{n} of 11 tickets") for n in range(1, 12)]


def test_progress_is_told_ten_times_a_second_at_most_and_always_at_the_end(
    data, monkeypatch
):
    monkeypatch.setattr(export, "RATE", 100_000)
    monkeypatch.setattr(export, "GAP", 1_000)
    told: list = []

    async def hear(progress, total, message):
        told.append(progress)

    async def steps(client):
        await client.call_tool("export_tickets", PENDING, progress_callback=hear)

    talk(data, steps)
    # The first is told where the clock of the event loop is far enough from 0.
    assert told[-1] == 11 and len(told) <= 2


def test_a_third_export_of_a_person_is_refused_and_a_cancelled_one_makes_room(data):
    results: list = []

    async def one(client):
        results.append(await client.call_tool("export_tickets", {}))

    async def steps(client):
        async with anyio.create_task_group() as group:
            group.start_soon(one, client)
            group.start_soon(one, client)
            while data.world.exports.get("local", 0) < 2:
                await anyio.sleep(0.001)
            third = await client.call_tool("export_tickets", {})
            group.cancel_scope.cancel()  # the client says so to the server
        while data.world.exports["local"] > 0:
            await anyio.sleep(0.001)
        return third, await client.call_tool("export_tickets", PENDING)

    third, after = talk(data, steps)
    assert third.is_error and "2 of your exports are running" in third.content[0].text
    assert results == [] and not after.is_error


def test_an_export_that_fails_makes_room_as_well(data, monkeypatch):
    def broken(text):
        raise OSError("no more disk")

    monkeypatch.setattr(export, "cell", broken)

    async def steps(client):
        return [await client.call_tool("export_tickets", {}) for _ in range(3)]

    results = talk(data, steps)
    assert [each.content[0].text for each in results] == [
        "Error executing tool export_tickets"
    ] * 3
    assert data.world.exports == {"local": 0}
