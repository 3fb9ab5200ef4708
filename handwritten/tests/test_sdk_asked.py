"""The official SDK's client, when it is asked and told how far it is. (lesson 07)"""

import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp")

import anyio
from handwritten.tests.asking import REFUND
from mcp import Client, StdioServerParameters, types

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 60  # seconds; only a hang takes that long
FORM = {"reason": "duplicate", "note": "Two of 1 October", "notify": True}


def talk(folder, steps, mode="2026-07-28", **options):
    """Connect the SDK's client to `python -m handwritten`, and run some steps."""
    arguments = ["-m", "handwritten", "--data", str(folder)]
    command = StdioServerParameters(
        command=sys.executable, args=arguments, cwd=str(ROOT)
    )

    async def run():
        with anyio.fail_after(LIMIT):
            async with Client(command, mode=mode, **options) as client:
                return await steps(client)

    return anyio.run(run)


@pytest.mark.parametrize(
    ("action", "status"),
    [("accept", "issued"), ("decline", "declined"), ("cancel", "cancelled")],
)
def test_its_person_is_asked_and_heard(action, status, tmp_path):
    asked = []

    async def answer(context, params):
        asked.append(params.message)
        content = FORM if action == "accept" else None
        return types.ElicitResult(action=action, content=content)

    async def steps(client):
        return await client.call_tool("issue_refund", REFUND)

    result = talk(tmp_path, steps, elicitation_callback=answer)
    assert result.structured_content["status"] == status
    assert result.is_error is False
    (message,) = asked
    assert message.startswith("Refund 49.00 USD of charge ch_204837")


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_it_is_told_how_far_an_export_is(mode, tmp_path):
    told = []

    async def report(progress, total, message):
        told.append((progress, total))

    async def steps(client):
        arguments = {"status": "pending"}
        return await client.call_tool(
            "export_tickets", arguments, progress_callback=report
        )

    result = talk(tmp_path, steps, mode)
    assert result.structured_content["tickets"] == 11
    assert told == sorted(set(told))
    assert told[-1] == (11, 11)


def test_a_call_that_it_gives_up_frees_its_place(tmp_path):
    async def steps(client):
        for _ in range(3):
            with anyio.move_on_after(0.3):
                await client.call_tool("export_tickets", {})
        return await client.call_tool("export_tickets", {"status": "pending"})

    assert talk(tmp_path, steps).is_error is False
