"""A server that dies in the middle of an answer, at a given step. (lesson 07)

    python -m sdk.tests.dies FOLDER STEP=STATE…

For each of them a process of its own, with the data in FOLDER/STEP, answers the
question with yes, and kills itself before the statement of SQLite with that number. It
says for each whether it died. It is forked, since the SDK takes long to import.
"""

import os
import signal
import sys
from pathlib import Path

import anyio
from mcp import Client
from mcp.types import ElicitResult
from sdk.database import Database
from sdk.server import helpdesk_server

FIRST = {"ticket_id": "2318", "charge_id": "ch_204837", "amount_cents": 4900}
ACCEPTED = {"action": "accept", "content": {"reason": "duplicate"}}


def doomed(data: Database, step: int) -> None:
    """Kill this process before the statement with this number is carried out."""
    connect, left = data.world.connect, iter(range(step))

    def traced():
        made = connect()
        made.set_trace_callback(lambda _: next(left, None) is None and kill())
        return made

    data.world.connect = traced  # type: ignore[method-assign]


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def answer(data: Database, state: str) -> None:
    more = {"confirm": ElicitResult.model_validate(ACCEPTED)}
    async with Client(helpdesk_server(data)) as client:
        await client.session.call_tool(
            "issue_refund", FIRST, request_state=state, input_responses=more
        )


def main(folder: str, *given: str) -> None:
    for each in given:
        step, _, state = each.partition("=")
        if (child := os.fork()) == 0:
            data = Database(Path(folder) / step)
            doomed(data, int(step))
            anyio.run(answer, data, state)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print("died" if os.WIFSIGNALED(status) else "answered", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
