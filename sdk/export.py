"""The tool that takes its time: all tickets as one table. (lesson 07)

It is `async`: each `await` gives the others their turn, and is where the SDK ends a
cancelled export, by an exception. Progress goes out only where the client gave a token;
to whom, and that none follows the answer, is the SDK's care.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import anyio
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import Annotations, CallToolResult, EmbeddedResource
from mcp.types import TextResourceContents
from pydantic import BaseModel

from handwritten.helpdesk.export import COLUMNS, PLACES, RATE, cell, table
from handwritten.turns import GAP
from handwritten.world import World
from sdk.results import shown
from sdk.server import Desk, Status


class Export(BaseModel):
    tickets: int
    bytes: int


async def export_tickets(
    desk: Desk, status: Status | None = None
) -> Annotated[CallToolResult, Export]:
    """Write all tickets, or those of one status, into a CSV file for the person. Takes
    some seconds."""
    data = desk.request_context.lifespan_context
    with place(data.world):
        rows = await written(desk, status)
    text = table(rows)
    file = EmbeddedResource(
        resource=TextResourceContents(
            uri="export://tickets", mime_type="text/csv", text=text
        ),
        annotations=Annotations(audience=["user"]),
    )
    return shown({"tickets": len(rows) - 1, "bytes": len(text.encode())}, file)


async def written(desk: Desk, status: str | None) -> list[list[str]]:
    """The head, and a row for each ticket, never faster than the rate."""
    tickets = desk.request_context.lifespan_context.whole_tickets()
    chosen = [each for each in tickets if status in (None, each["status"])]
    # No clock of the wall: somebody might set it meanwhile.
    rows, begun, told = [list(COLUMNS)], anyio.current_time(), -GAP
    for done, ticket in enumerate(chosen, 1):
        due = (done - 1) / RATE
        await anyio.sleep_until(begun + due)
        rows.append([cell(ticket[name]) for name in COLUMNS])
        if due - told >= GAP or done == len(chosen):
            told = due
            words = f"{done} of {len(chosen)} tickets"
            await desk.report_progress(done, len(chosen), words)
    return rows


@contextmanager
def place(world: World) -> Iterator[None]:
    """One of the places that a user has. Raises ToolError: none is free."""
    running = world.exports
    if running.get(world.user, 0) >= PLACES:
        right = "Wait until one has ended, or cancel it."
        raise ToolError(f"{PLACES} of your exports are running. {right}")
    running[world.user] = running.get(world.user, 0) + 1
    try:
        yield
    finally:  # at its end, when it fails, and when it is cancelled
        running[world.user] -= 1
