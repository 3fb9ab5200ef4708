"""The refund desk: an MCP server that opens tickets and refunds money.

It serves over stdio, or over HTTP where a port is given: python server.py 8765
"""

import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, ErrorData, ToolAnnotations
from pydantic import BaseModel

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 0
TICKETS = {
    "2318": "Charged twice for October",
    "2319": "Class schedule not syncing to calendar",
}

desk = MCPServer("refund-desk", log_level="WARNING", port=PORT)
opened = {}  # the ticket that each session works on


class Consent(BaseModel):
    sure: bool


@desk.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def open_ticket(ticket_id: str, ctx: Context) -> str:
    """Open a ticket for the other tools to work on."""
    if ticket_id not in TICKETS:
        raise MCPError(ErrorData(code=INVALID_PARAMS, message=f"no ticket {ticket_id}"))
    opened[id(ctx.session)] = ticket_id
    await ctx.info(f"opened {ticket_id}")
    return TICKETS[ticket_id]


@desk.tool(annotations=ToolAnnotations(destructiveHint=True))
async def refund(dollars: int, ctx: Context) -> str:
    """Refund dollars for the open ticket. Asks the person first."""
    ticket_id = opened.get(id(ctx.session))
    if ticket_id is None:
        raise ValueError("open a ticket first")
    answer = await ctx.elicit(f"Refund {dollars} dollars for {ticket_id}?", Consent)
    if answer.action != "accept" or not answer.data.sure:
        return "Nothing was refunded."
    return f"Refunded {dollars} dollars for {ticket_id}."


if __name__ == "__main__":
    desk.run("streamable-http" if PORT else "stdio")
