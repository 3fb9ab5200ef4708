"""The tool that takes its time: all tickets as one table. (lesson 07)

It is a generator: each `yield` gives the others their turn, and is where a cancelled
export ends. Tickets come at a measured pace, to be kind to the database.
"""

from handwritten import content
from handwritten.helpdesk.define import COUNT, READS, TEXT, record, tool
from handwritten.helpdesk.listing import STATUSES
from handwritten.helpdesk.tickets import tickets
from handwritten.tools import Call, ToolError
from handwritten.world import World

RATE = 25  # tickets a second
PLACES = 2  # exports of one user at the same time
COLUMNS = ("ticket_id", "subject", "status", "customer_id", "customer", "created")
EXPORT_TICKETS: dict = tool(
    "export_tickets",
    "Export tickets",
    "Write all tickets, or those of one status, into a CSV file for the person. Takes"
    " some seconds.",
    {"status": {**TEXT, "enum": STATUSES}},
    optional=("status",),
    outputSchema=record({"tickets": COUNT, "bytes": COUNT}),
    annotations=READS,
)


def export_tickets(call: Call):
    """Progress, then the file. Raises ToolError: too many run already."""
    take_place(call.world, call.user)
    try:
        return (yield from write(call))
    finally:  # at its end, when it fails, and when it is cancelled
        give_back_place(call.world, call.user)


def take_place(world: World, user: str) -> None:
    """One of the places that a user has. Raises ToolError: none is free."""
    running = world.exports.get(user, 0)
    if running >= PLACES:
        right = "Wait until one has ended, or cancel it."
        raise ToolError(f"{PLACES} of your exports are running. {right}")
    world.exports[user] = running + 1


def give_back_place(world: World, user: str) -> None:
    world.exports[user] -= 1


def write(call: Call):
    """A row for each ticket, never faster than the rate."""
    status = call.arguments.get("status")
    chosen = [each for each in tickets().values() if status in (None, each["status"])]
    rows, due = [list(COLUMNS)], call.world.now()
    for done, ticket in enumerate(chosen, 1):
        while 0 < due - call.world.now() < 1:
            yield
        now = call.world.now()  # should somebody have set the clock, begin from there
        at = due if abs(due - now) < 1 else now
        due = at + 1 / RATE
        rows.append([cell(ticket[name]) for name in COLUMNS])
        said = f"{done} of {len(chosen)} tickets"
        yield call.progress(done, len(chosen), said, at)
    text = table(rows)
    about = {"mimeType": "text/csv", "text": text}
    file = content.embedded("export://tickets", about, audience=["user"])
    data = {"tickets": len(chosen), "bytes": len(text.encode())}
    return content.Content(file, data=data)


def cell(text: str) -> str:
    """A customer's words stay words: a spreadsheet runs what begins like a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def table(rows: list[list[str]]) -> str:
    import csv
    import io

    held = io.StringIO(newline="")
    csv.writer(held).writerows(rows)
    return held.getvalue()
