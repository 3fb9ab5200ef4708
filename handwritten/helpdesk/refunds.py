"""The tool that gives money back: it asks a person first. (lesson 07)

The charge is what makes the call idempotent: where it is refunded already, the call
gives that refund, asks nobody and writes nothing. So a client that lost the answer may
simply call again.
"""

from handwritten import confirm
from handwritten.helpdesk import accounts, ledger
from handwritten.helpdesk.define import COUNT, TEXT, TICKET_ID, record, tool
from handwritten.helpdesk.tickets import tickets
from handwritten.text import quote
from handwritten.tools import Call, ToolError
from handwritten.world import World

# Charges whose card is closed, so that the money needs another place to go.
CARD_CLOSED = ("ch_206288",)
OUTCOMES = {
    "accept": ledger.ISSUED,
    "decline": ledger.DECLINED,
    "cancel": ledger.CANCELLED,
}
ABOUT = ("ticket_id", "charge_id", "amount_cents", "currency")
ISSUE_REFUND: dict = tool(
    "issue_refund",
    "Issue a refund",
    "Give back a charge of a ticket, or part of it, once a person has confirmed it. A"
    " charge is refunded at most once; asked again, this gives the refund there is.",
    {
        "ticket_id": TICKET_ID,
        "charge_id": {
            **TEXT,
            "pattern": "^ch_[0-9]+$",
            "description": "A charge of the ticket, e.g. ch_204837",
        },
        "amount_cents": {
            **COUNT,
            "minimum": 1,
            "description": "In cents, at most what was charged, e.g. 4900",
        },
    },
    outputSchema=record(
        {
            "status": {**TEXT, "enum": list(OUTCOMES.values())},
            "ticket_id": TEXT,
            "charge_id": TEXT,
            "amount_cents": COUNT,
            "currency": TEXT,
            "refund_id": TEXT,
            "reason": TEXT,
            "at": TEXT,
        },
        optional=("refund_id", "reason", "at"),
    ),
    annotations={
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
        "openWorldHint": True,
    },
)
FIELDS: dict = {
    "reason": {
        "type": "string",
        "title": "Why",
        "oneOf": [
            {"const": "duplicate", "title": "Charged twice"},
            {"const": "service", "title": "Service did not work"},
            {"const": "goodwill", "title": "Goodwill"},
        ],
    },
    "note": {"type": "string", "title": "Note for the books", "maxLength": 200},
    "notify": {"type": "boolean", "title": "Tell the customer", "default": True},
}


def issue_refund(call: Call) -> dict:
    """The refund, or that there is none. Raises ToolError, InputRequired."""
    about = wanted(call.arguments, tickets())
    database = ledger.opened(call.world.database)
    if known := as_it_stands(call, database, about):
        return known
    ticket = tickets()[about["ticket_id"]]
    check_card(database, about["charge_id"], ticket["customer_id"])
    answer = call.ask({"confirm": question(ticket, about)})["confirm"]
    status = OUTCOMES[answer["action"]]
    refund = None
    if status == ledger.ISSUED:
        refund = filled_in(call.world, call.user, about, answer["content"])
    nonce, ends = call.question.nonce, call.question.ends
    spent = {"nonce": nonce, "outcome": status, "ends": ends}
    first = ledger.settle(database, spent, call.world.now(), refund)
    if first and refund is None:
        return {"status": status, **about}
    # Ours; or that of a twin of this call that was faster.
    return as_it_stands(call, database, about) or {"status": status, **about}


def wanted(arguments: dict, tickets: dict[str, dict]) -> dict:
    """What to refund, held against the ticket. Raises ToolError."""
    number, name = arguments["ticket_id"], arguments["charge_id"]
    amount = int(arguments["amount_cents"])
    if number not in tickets:
        right = "Ticket numbers are digits only, for example 2318."
        raise ToolError(f"No ticket {quote(number)}. {right}")
    charges = {each["id"]: each for each in tickets[number]["charges"]}
    if name not in charges:
        right = f"Its charges: {', '.join(charges) or 'none'}."
        raise ToolError(f"Ticket {number} has no charge {quote(name)}. {right}")
    most, currency = charges[name]["amount_cents"], charges[name]["currency"]
    if amount > most:
        words = f"{name} was {most} cents ({currency}), so {quote(amount)} is too much."
        raise ToolError(words)
    return dict(zip(ABOUT, (number, name, amount, currency), strict=True))


def as_it_stands(call: Call, database, about: dict) -> dict | None:
    """`issued`. Raises ProtocolError: the question was answered, and with no."""
    if call.question.asked:
        before = ledger.outcome(database, call.question.nonce)
        if before not in (None, ledger.ISSUED):
            raise call.question.refused("already answered")
    return issued(database, about)


def issued(database, about: dict) -> dict | None:
    """The refund of the charge, if there is one. Raises ToolError: another amount."""
    refund = ledger.of_charge(database, about["charge_id"])
    if refund is None:
        return None
    if refund["amount_cents"] != about["amount_cents"]:
        words = f"with {refund['amount_cents']} cents, and can't be refunded again."
        raise ToolError(f"{refund['charge_id']} is refunded already, {words}")
    names = (*ABOUT, "refund_id", "reason", "at")
    return {"status": ledger.ISSUED, **{name: refund[name] for name in names}}


def check_card(database, charge_id: str, customer_id: str) -> None:
    """Raise ToolError where the money has no place to go to."""
    closed = charge_id in CARD_CLOSED
    if closed and not accounts.of_customer(database, customer_id):
        right = f"Call set_payout_account for {customer_id} first."
        raise ToolError(f"The card of {charge_id} is closed. {right}")


def question(ticket: dict, about: dict) -> dict:
    amount = f"{about['amount_cents'] / 100:.2f} {about['currency']}"
    whom = f"{ticket['customer']} (ticket {ticket['ticket_id']})"
    message = f"Refund {amount} of charge {about['charge_id']} to {whom}?"
    return confirm.form(f"{message} It can't be undone.", FIELDS, ["reason"])


def filled_in(world: World, user: str, about: dict, content: dict) -> dict:
    """The refund as the person confirmed it, with the form's defaults."""
    return {
        **about,
        "refund_id": f"re_{world.random(6).hex()}",
        "reason": content["reason"],
        "note": content.get("note", ""),
        "notify": content.get("notify", FIELDS["notify"]["default"]),
        "user": user,
    }
