"""The tool that lets a customer's account be entered, elsewhere. (lesson 07)

An account number has no business in a form: the client would read it. The person gets
an address instead, and what "accept" says is only that they agreed to open it. What
happened there the server looks up by itself (client/elicitation, "URL Mode").
"""

from handwritten import confirm
from handwritten.helpdesk import accounts
from handwritten.helpdesk.define import TEXT, record, tool
from handwritten.helpdesk.tickets import tickets
from handwritten.text import quote
from handwritten.tools import Call, ToolError

SET_PAYOUT_ACCOUNT: dict = tool(
    "set_payout_account",
    "Set a payout account",
    "Have an account entered for refunds to a customer whose card is closed. A person"
    " enters it on the payment provider's page; you only get its last four digits.",
    {"customer_id": {**TEXT, "description": "As a ticket has it, e.g. cus_1310"}},
    outputSchema=record(
        {
            "status": {**TEXT, "enum": ["saved", "declined", "cancelled"]},
            "customer_id": TEXT,
            "last4": TEXT,
        },
        optional=("last4",),
    ),
    annotations={
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    },
)


def set_payout_account(call: Call) -> dict:
    """How it ended. Raises ToolError, and InputRequired as long as it hasn't."""
    customer = call.arguments["customer_id"]
    check_customer(customer, tickets().values())
    # It names a page, and opens nothing for anyone but the person who was asked.
    database, entry = call.world.database, call.question.nonce
    if call.question.asked and accounts.find(database, entry) is None:
        raise call.question.refused("already answered")
    if done := saved(database, entry, customer):
        return done
    requests = {"account": question(customer, entry)}
    try:
        answer = call.ask(requests)["account"]
        if answer["action"] == "accept":  # they agreed to go, and are not done
            raise call.question.required(requests)
    except confirm.InputRequired:
        if not call.question.asked:  # asked again, the page is there
            ends, now = call.question.ends, call.world.now()
            accounts.begin(database, entry, customer, call.user, ends, now)
        raise
    accounts.close(database, entry)
    status = "declined" if answer["action"] == "decline" else "cancelled"
    # If they filled it in all the same, that is what counts.
    return saved(database, entry, customer) or {
        "status": status,
        "customer_id": customer,
    }


def check_customer(customer: str, tickets) -> None:
    """Raise ToolError where none of the tickets has this customer."""
    if customer not in {each["customer_id"] for each in tickets}:
        right = "A ticket names its customer, for example cus_1310."
        raise ToolError(f"No customer {quote(customer)}. {right}")


def question(customer: str, entry: str) -> dict:
    words = f"Enter the account for refunds to {customer} on the provider's page."
    return confirm.page(words, f"{accounts.ADDRESS}{entry}")


def saved(database, entry: str, customer: str) -> dict | None:
    kept = accounts.find(database, entry)
    if kept is None or not kept["last4"]:
        return None
    return {"status": "saved", "customer_id": customer, "last4": kept["last4"]}
