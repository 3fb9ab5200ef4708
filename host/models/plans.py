"""What the mock model does when it is told to do something. (lesson 07)

Rules over words again: a question that begins with "Refund" or "Export". Each plan
looks at what the calls so far have brought, and gives the next call or an answer.
"""

import json
import re

ORDINALS = ("first", "second", "third", "fourth", "fifth")
CHARGE = re.compile(r"^- charge (ch_[0-9]+): ([0-9]+)\.([0-9]{2}) ([A-Z]{3})\b", re.M)
STATUSES = ("open", "pending", "closed")
# What is done by order only: a question that happens to share words with it is none.
ORDERED = ("issue_refund", "set_payout_account", "export_tickets")


class Past:
    """What the calls so far have brought, in their order."""

    def __init__(self, messages: list[dict], tools: list[dict]):
        self.tools = {tool["name"]: tool for tool in tools}
        self.done = [each for each in messages if each["role"] == "tool"]

    def name(self, original: str) -> str | None:
        """What a tool is called here: with several servers it may have a prefix."""
        names = [each for each in self.tools if each.split("__")[-1] == original]
        return names[0] if names else None

    def of(self, original: str) -> list[dict]:
        """The results of all calls of one tool."""
        name = self.name(original)
        return [each for each in self.done if each["call"].get("name") == name]

    def call(self, original: str, arguments: dict) -> dict:
        return {"calls": [{"name": self.name(original), "arguments": arguments}]}


def plan(
    question: str, numbers: list[str], messages: list[dict], tools: list[dict], follow
) -> dict | None:
    """The next step towards a refund or an export; None: it is about neither.

    `follow` fetches one ticket, whatever its number looks like.
    """
    past = Past(messages, tools)
    verb = re.match(r"\W*(?:please\s+)?(refund|export)\b", question, re.IGNORECASE)
    if verb is None:
        return None
    if verb[1].lower() == "export":
        return export(question, past) if past.name("export_tickets") else None
    needed = ("get_ticket", "read_address", "issue_refund")
    if not numbers or None in map(past.name, needed):
        return None
    if len(numbers) > 1:
        return {"text": "I refund one charge at a time. Which number do you mean?"}
    return refund(question, numbers[0], past, follow)


def unordered(tools: list[dict]) -> list[dict]:
    """The tools that answer questions; all, where there are no such."""
    rest = [tool for tool in tools if tool["name"].split("__")[-1] not in ORDERED]
    return rest or tools


def refund(question: str, number: str, past: Past, follow) -> dict:
    """Read the ticket, read its charges, refund one, and say what came of it."""
    reader = past.tools[str(past.name("get_ticket"))]
    read = past.of("get_ticket")
    results = {next(iter(each["call"]["arguments"].values())): each for each in read}
    turn = follow(number, reader, results)
    if isinstance(turn, dict):
        return {"calls": [turn]}
    ticket = data_of(read[-1]["text"])
    if read[-1]["is_error"] or "ticket_id" not in ticket:
        return {"text": turn}
    address = f"ticket://{ticket['ticket_id']}"
    if not (pages := past.of("read_address")):
        return past.call("read_address", {"uri": address})
    charges = CHARGE.findall(pages[-1]["text"])
    if pages[-1]["is_error"] or not charges:
        return {"text": f"I see no charge of {number}. I read: {pages[-1]['text']}"}
    chosen = charge(question, charges)
    if chosen is None:
        return {"text": f"Ticket {ticket['ticket_id']} has {len(charges)} charges."}
    name, whole, cents, currency = chosen
    arguments = {"ticket_id": ticket["ticket_id"], "charge_id": name}
    arguments["amount_cents"] = int(whole + cents)
    tries, accounts = past.of("issue_refund"), past.of("set_payout_account")
    if not tries or (accounts and past.done[-1] is accounts[-1] and saved(accounts)):
        return past.call("issue_refund", arguments)
    wanted = "set_payout_account" in tries[-1]["text"] and not accounts
    if wanted and past.name("set_payout_account") and "customer_id" in ticket:
        customer = {"customer_id": ticket["customer_id"]}
        return past.call("set_payout_account", customer)
    amount = f"{whole}.{cents} {currency} of charge {name}"
    return {"text": outcome(amount, past.done[-1])}


def charge(question: str, charges: list[tuple]) -> tuple | None:
    """The charge that is meant: by its id, by its place, or else the last one."""
    for each in charges:
        if each[0] in question:
            return each
    wanted = re.findall(r"\w+", question.lower())
    places = [place for place, word in enumerate(ORDINALS) if word in wanted]
    place = places[0] if places else len(charges) - 1
    return charges[place] if place < len(charges) else None


def saved(results: list[dict]) -> bool:
    return data_of(results[-1]["text"]).get("status") == "saved"


def outcome(amount: str, last: dict) -> str:
    """A sentence about how a refund ended."""
    data = data_of(last["text"])
    status = None if last["is_error"] else data.get("status")
    if status == "issued":
        return f"Refunded {amount}: refund {data.get('refund_id')}."
    if status == "declined":
        return f"You declined: {amount} was not refunded."
    if status == "cancelled":
        return f"The question was left without an answer: {amount} was not refunded."
    return f"I could not refund {amount}. I was told: {last['text']}"


def export(question: str, past: Past) -> dict:
    """One call, and how many tickets it brought."""
    if not (results := past.of("export_tickets")):
        words = re.findall(r"\w+", question.lower())
        chosen = [status for status in STATUSES if status in words]
        return past.call("export_tickets", {"status": chosen[0]} if chosen else {})
    data, text = data_of(results[-1]["text"]), results[-1]["text"]
    if results[-1]["is_error"]:
        return {"text": f"I could not export the tickets. I was told: {text}"}
    if "tickets" not in data:
        return {"text": f"The tool says: {text}"}
    size = f" in {data['bytes']} bytes" if "bytes" in data else ""
    return {"text": f"I exported {data['tickets']} tickets{size}."}


def data_of(text: str) -> dict:
    """The last object that stands on a line of its own; {} without one."""
    found: dict = {}
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        found = value if isinstance(value, dict) else found
    return found
