"""The two tools that ask a person before they do anything. (lesson 07)

They are plain functions, so the SDK gives each call a thread of its own; and each call
has a connection of its own to the ledger. No `await` can come between the beginning of
a transaction and its end, and a wait for another process's transaction holds up nobody.
"""

from contextlib import closing
from typing import Annotated, Literal, NotRequired, cast

from mcp.types import InputRequiredResult
from pydantic import Field
from typing_extensions import TypedDict

from handwritten.helpdesk import accounts, ledger, payouts, refunds
from sdk.confirm import Question
from sdk.results import refusals
from sdk.server import Desk, TicketNumber

ChargeId = Annotated[
    str,
    Field(pattern="^ch_[0-9]+$", description="A charge of the ticket, e.g. ch_204837"),
]
Cents = Annotated[
    int, Field(ge=1, description="In cents, at most what was charged, e.g. 4900")
]
CustomerId = Annotated[str, Field(description="As a ticket has it, e.g. cus_1310")]


class Refund(TypedDict):
    status: Literal["issued", "declined", "cancelled"]
    ticket_id: str
    charge_id: str
    amount_cents: int
    currency: str
    refund_id: NotRequired[str]
    reason: NotRequired[str]
    at: NotRequired[str]


class Account(TypedDict):
    status: Literal["saved", "declined", "cancelled"]
    customer_id: str
    last4: NotRequired[str]


def issue_refund(
    ticket_id: TicketNumber, charge_id: ChargeId, amount_cents: Cents, desk: Desk
) -> Refund | InputRequiredResult:
    """Give back a charge of a ticket, or part of it, once a person has confirmed it. A
    charge is refunded at most once; asked again, this gives the refund there is."""
    data = desk.request_context.lifespan_context
    tickets = {each["ticket_id"]: each for each in data.whole_tickets()}
    arguments = {"ticket_id": ticket_id, "charge_id": charge_id}
    asked = Question(desk)
    with refusals(), closing(data.world.connect()) as connection:
        about = refunds.wanted(arguments | {"amount_cents": amount_cents}, tickets)
        database = ledger.opened(connection)
        check_unanswered(asked, database)
        if known := refunds.issued(database, about):
            return cast(Refund, known)
        ticket = tickets[ticket_id]
        refunds.check_card(database, charge_id, ticket["customer_id"])
        request = refunds.question(ticket, about)
        answer = asked.answer("confirm", request)
        if answer is None:
            return asked.required("confirm", request)
        return cast(Refund, settled(asked, database, about, answer))


def check_unanswered(asked: Question, database) -> None:
    """Raise MCPError where the person has answered before, and with no."""
    before = ledger.outcome(database, asked.nonce)
    if before not in (None, ledger.ISSUED):
        raise asked.refused("already answered")


def settled(asked: Question, database, about: dict, answer: dict) -> dict:
    """Write down what the person said, once. Gives what is true then."""
    world, refund = asked.world, None
    status = refunds.OUTCOMES[answer["action"]]
    if status == ledger.ISSUED:
        refund = refunds.filled_in(world, world.user, about, answer["content"])
    spent = {"nonce": asked.nonce, "outcome": status, "ends": asked.ends}
    first = ledger.settle(database, spent, world.now(), refund)
    if not first:  # a twin of this call was faster, and what the twin did counts
        check_unanswered(asked, database)
    if first and refund is None:
        return {"status": status, **about}
    return refunds.issued(database, about) or {"status": status, **about}


def set_payout_account(
    customer_id: CustomerId, desk: Desk
) -> Account | InputRequiredResult:
    """Have an account entered for refunds to a customer whose card is closed. A person
    enters it on the payment provider's page; you only get its last four digits."""
    data = desk.request_context.lifespan_context
    asked = Question(desk)
    with refusals(), closing(data.world.connect()) as database:
        payouts.check_customer(customer_id, data.tickets())
        if asked.asked and accounts.find(database, asked.nonce) is None:
            raise asked.refused("already answered")
        if done := payouts.saved(database, asked.nonce, customer_id):
            return cast(Account, done)
        request = payouts.question(customer_id, asked.nonce)
        answer = asked.answer("account", request)
        # Whoever accepted has agreed to go there, and is not done.
        if answer is None or answer["action"] == "accept":
            question = asked.required("account", request)
            if not asked.asked:  # asked again, the page is there
                about = (asked.nonce, customer_id, asked.world.user, asked.ends)
                accounts.begin(database, *about, asked.world.now())
            return question
        accounts.close(database, asked.nonce)
        status = "declined" if answer["action"] == "decline" else "cancelled"
        # If they filled it in all the same, that is what counts.
        done = payouts.saved(database, asked.nonce, customer_id)
        return cast(Account, done or {"status": status, "customer_id": customer_id})
