"""The tool that takes its time: all tickets as one table. (lesson 07)

It is `async`: each `await` gives the others their turn, and is where the SDK ends a
cancelled export, by an exception. Progress goes out only where the client gave a token;
to whom, and that none follows the answer, is the SDK's care.
"""

from typing import Annotated

import anyio
from mcp.types import Annotations, CallToolResult, EmbeddedResource
from mcp.types import TextResourceContents
from pydantic import BaseModel

from handwritten.helpdesk.export import COLUMNS, RATE, cell, table
from handwritten.helpdesk.export import give_back_place, take_place
from handwritten.turns import GAP
from sdk.results import refusals, shown
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
    with refusals():
        take_place(data.world, data.world.user)
    try:
        rows = await written(desk, status)
    finally:  # at its end, when it fails, and when it is cancelled
        give_back_place(data.world, data.world.user)
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
