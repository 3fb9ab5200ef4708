"""The tool that lists tickets: too many for one result. (lesson 06)

A model gets what one call returns and never asks for page two by itself. So a result
that isn't all says so, and says how to go on, in both of its forms: the text is the
same JSON as the data. (Cursors are for programs; a model never sees a list's.)
"""

from collections.abc import Iterable

from handwritten.helpdesk.define import COUNT, READS, TEXT, record, tool
from handwritten.helpdesk.tickets import GET_TICKET, tickets
from handwritten.tools import Call, ToolError

ROWS = 20  # so that a result stays under the 4,000 characters that our host shows
STATUSES = GET_TICKET["outputSchema"]["properties"]["status"]["enum"]
TOKEN = {**TEXT, "description": "From the result before, to go on after its last row"}
LIST_TICKETS: dict = tool(
    "list_tickets",
    "List tickets",
    f"Go through every one, or those of one status, oldest first, {ROWS} a call. A"
    " longer list says how to go on.",
    {"status": {"type": "string", "enum": STATUSES}, "continue_with": TOKEN},
    optional=("status", "continue_with"),
    outputSchema=record(
        {
            "tickets": {"type": "array", "items": GET_TICKET["outputSchema"]},
            "found": COUNT,
            "continue_with": TEXT,
            "note": TEXT,
        },
        optional=("continue_with", "note"),
    ),
    annotations=READS,
)


def list_tickets(call: Call) -> dict:
    """One part of the list. Raises ToolError: the token is not ours."""
    status, begin = call.arguments.get("status"), 0
    if "continue_with" in call.arguments:
        begin = last_number(call.opened(call.arguments["continue_with"]))
    return part(tickets().values(), status, begin, call.token)


def part(known: Iterable[dict], status: str | None, begin: int, token) -> dict:
    """The rows after that number; `token` makes what names the last one of them."""
    fitting = [ticket for ticket in known if status in (None, ticket["status"])]
    # By number and not by place: the last row may have changed its status meanwhile.
    rest = [ticket for ticket in fitting if int(ticket["ticket_id"]) > begin]
    names = GET_TICKET["outputSchema"]["required"]
    rows = [{name: ticket[name] for name in names} for ticket in rest[:ROWS]]
    result = {"tickets": rows, "found": len(fitting)}
    if len(rest) <= ROWS:
        return result
    left = len(rest) - ROWS
    note = f"{left} more. To see them, call list_tickets again with this continue_with"
    note += " and the same status." if status else "."
    return {**result, "continue_with": token(rows[-1]["ticket_id"]), "note": note}


def last_number(last: str | None) -> int:
    """The number that a token held. Raises ToolError: it was none of ours."""
    if last is None:
        right = "Leave it out to begin again."
        raise ToolError(f"continue_with does not fit this call. {right}")
    return int(last)
