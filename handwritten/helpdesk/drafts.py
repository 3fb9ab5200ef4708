"""Drafts: state over several calls, named by a handle. (lesson 06)

The server remembers nothing of a connection, so what lasts longer than a call is named
in each call (server/tools, "Handles"). A handle is random, so nobody guesses one; it
is good for its user alone; and its end is said where the model reads it. One that is
unknown, someone else's or too old gets the same answer, which gives nothing away.
"""

import re
import time

from handwritten import content
from handwritten.helpdesk import resources
from handwritten.helpdesk.define import ADDS, READS, TEXT, TICKET_ID, record, rows, tool
from handwritten.helpdesk.policies import policies
from handwritten.helpdesk.tickets import tickets
from handwritten.ranking import rank
from handwritten.text import quote
from handwritten.tools import Call, ToolError
from handwritten.world import World

HOURS = 24
# Characters of a draft, and drafts of a user: a result should fit the 4,000 characters
# that our host shows its model.
MAX_TEXT, MAX_DRAFTS = 3_000, 30
KEPT = f"Drafts last {HOURS} hours from their last change."
DRAFT_ID = {**TEXT, "description": "As start_draft gave it"}
DRAFT = {"draft_id": TEXT, "ticket_id": TEXT, "text": TEXT, "expires": TEXT}
BRIEF = {name: DRAFT[name] for name in ("draft_id", "ticket_id", "expires")}

START_DRAFT: dict = tool(
    "start_draft",
    "Start a draft",
    "Begin an empty answer to a customer, for add_to_draft to fill. Gives a draft_id"
    f" and addresses to read first. {KEPT}",
    {"ticket_id": TICKET_ID},
    outputSchema=record({**DRAFT, "policies": {"type": "array", "items": TEXT}}),
    annotations=ADDS,
)
ADD_TO_DRAFT: dict = tool(
    "add_to_draft",
    "Add to a draft",
    f"Add text at the end of a draft that start_draft began. {KEPT}",
    {"draft_id": DRAFT_ID, "text": {**TEXT, "description": "With its line breaks"}},
    outputSchema=record(DRAFT),
    annotations=ADDS,
)
READ_DRAFT: dict = tool(
    "read_draft",
    "Read a draft",
    f"Give the whole text of a draft that start_draft began. {KEPT}",
    {"draft_id": DRAFT_ID},
    outputSchema=record(DRAFT),
    annotations=READS,
)
LIST_DRAFTS: dict = tool(
    "list_drafts",
    "List drafts",
    "List your drafts without their texts, for when a draft_id got lost.",
    {},
    outputSchema=record({"drafts": rows(BRIEF)}),
    annotations=READS,
)


def start_draft(call: Call) -> content.Content:
    """A new draft, and links to what to read for it. Raises ToolError: no ticket."""
    number = call.arguments["ticket_id"]
    if number not in tickets():
        right = "Ticket numbers are digits only, for example 2318."
        raise ToolError(f"No ticket {quote(number)}. {right}")
    data = begun(call.world, call.user, number)
    read = read_first(tickets()[number], policies())
    data["policies"] = [each["uri"] for each in read[1:]]
    return content.Content(*map(content.link, read), data=data)


def add_to_draft(call: Call) -> dict:
    """The draft with the text at its end. Raises ToolError: too long, or not there."""
    handle, text = call.arguments["draft_id"], call.arguments["text"]
    return longer(call.world, call.user, handle, text)


def read_draft(call: Call) -> dict:
    return found(call.world, call.user, call.arguments["draft_id"])


def list_drafts(call: Call) -> dict:
    return {"drafts": kept(call.world, call.user)}


def read_first(ticket: dict, known: list[dict]) -> list[dict]:
    """Entries of resources: the ticket, then the policies that fit it best."""
    texts = [f"{each['title']} {each['text']}" for each in known]
    ranked = rank(ticket["subject"], texts)[:2]
    # The second one only where it fits about as well.
    fitting = [known[place] for score, place in ranked if 2 * score > ranked[0][0]]
    entries = [resources.ticket_entry(ticket)]
    return entries + [resources.policy_entry(policy) for policy in fitting]


def begun(world: World, user: str, number: str) -> dict:
    """A new draft of the user's. Raises ToolError where there are too many."""
    if len(kept(world, user)) >= MAX_DRAFTS:
        raise ToolError(f"You have {MAX_DRAFTS} drafts, and no more fit. {KEPT}")
    handle = f"draft_{world.random(16).hex()}"
    row = (handle, user, number, "", world.now() + HOURS * 3600)
    store(world).execute("delete from drafts where ends <= ?", (world.now(),))
    store(world).execute("insert into drafts values (?, ?, ?, ?, ?)", row)
    return found(world, user, handle)


def longer(world: World, user: str, handle: str, text: str) -> dict:
    """The user's draft with the text at its end. Raises ToolError."""
    if odd := re.search("[\0\ud800-\udfff]", text):
        raise ToolError(f"text holds {odd[0]!a}, which is no character to write.")
    before = found(world, user, handle)["text"]
    # One statement, so that of two additions at the same time both are kept, or the
    # one that still fits.
    change = "update drafts set text = text || ?, ends = ? where handle = ?"
    change += " and user = ? and length(text) + ? <= ?"
    ends = world.now() + HOURS * 3600
    values = (text, ends, handle, user, len(text), MAX_TEXT)
    if store(world).execute(change, values).rowcount == 0:
        long = len(before) + len(text)
        raise ToolError(f"That makes {long} characters; {MAX_TEXT} are the most.")
    return found(world, user, handle)


def kept(world: World, user: str) -> list[dict]:
    """The user's drafts that have not ended, oldest change first."""
    wanted = "select * from drafts where user = ? and ends > ? order by ends, handle"
    stored = store(world).execute(wanted, (user, world.now())).fetchall()
    return [{name: shown(row)[name] for name in BRIEF} for row in stored]


def found(world: World, user: str, handle: str) -> dict:
    """The user's draft of this handle. Raises ToolError where there is none."""
    wanted = "select * from drafts where handle = ? and user = ? and ends > ?"
    row = None
    if re.fullmatch("draft_[0-9a-f]{32}", handle):
        keys = (handle, user, world.now())
        row = store(world).execute(wanted, keys).fetchone()
    if row is None:
        right = f"{KEPT} list_drafts shows what there is, start_draft begins anew."
        raise ToolError(f"No draft {quote(handle)}. {right}")
    return shown(row)


def shown(row: tuple) -> dict:
    """A row of the table as the outputSchema promises it."""
    handle, _, number, text, ends = row
    until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ends))
    return {"draft_id": handle, "ticket_id": number, "text": text, "expires": until}


def store(world: World):
    """The database with its table of drafts, some of which may have ended."""
    columns = "handle text primary key, user text, ticket text, text text, ends real"
    world.database.execute(f"create table if not exists drafts ({columns})")
    return world.database
