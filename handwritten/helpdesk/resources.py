"""Tickets, policies and recordings as resources. (lesson 06)

How long something may be kept is said as it is (server/utilities/caching): a policy
changes with the program; a ticket may change at any moment, and an answer to a customer
must rest on its present state; a new ticket may be listed a minute late.
"""

from collections.abc import Iterable

from handwritten import content
from handwritten.helpdesk.icons import ICONS
from handwritten.helpdesk.policies import policies
from handwritten.helpdesk.recordings import KIND, RECORDINGS, wave_file
from handwritten.helpdesk.tickets import tickets
from handwritten.protocol import CACHE

TICKET = "ticket://{ticket_id}"
RECORDING = "ticket://{ticket_id}/recording"
POLICY = "policy://{name}"
MARKDOWN = "text/markdown"
MINUTE = {"ttlMs": 60_000, "cacheScope": "private"}
NOW = {"ttlMs": 0, "cacheScope": "private"}
DAY = {"ttlMs": 86_400_000, "cacheScope": "private"}  # a recording never changes
PRIORITY = {"open": 0.8, "pending": 0.5, "closed": 0.2}


def listed(user: str) -> dict:
    """All there is to read; tickets come last, in order, because they keep coming."""
    return {"resources": entries(policies(), tickets().values()), **MINUTE}


def entries(rules: Iterable[dict], known: Iterable[dict]) -> list[dict]:
    """What the list says of policies, of recordings and of tickets."""
    found = [policy_entry(policy) for policy in rules]
    found += [recording_entry(number) for number in RECORDINGS]
    return found + [ticket_entry(ticket) for ticket in known]


def ticket_entry(ticket: dict) -> dict:
    number = ticket["ticket_id"]
    changed = max(
        each["at"] for each in [{"at": ticket["created"]}, *ticket["messages"]]
    )
    return {
        "uri": f"ticket://{number}",
        "name": f"ticket {number}",
        "title": ticket["subject"],
        "mimeType": MARKDOWN,
        "annotations": {
            "priority": PRIORITY[ticket["status"]],
            "lastModified": changed,
        },
    }


def policy_entry(policy: dict) -> dict:
    return {
        "uri": policy["uri"],
        "name": policy["uri"].removeprefix("policy://"),
        "title": policy["title"],
        "mimeType": MARKDOWN,
        "size": len(policy_text(policy).encode()),
    }


def recording_entry(number: str) -> dict:
    return {
        "uri": f"ticket://{number}/recording",
        "name": f"recording of ticket {number}",
        "description": RECORDINGS[number]["heard"],
        "mimeType": KIND,
        "size": len(wave_file(number)),
    }


def read_ticket(values: dict, user: str):
    ticket = tickets().get(values["ticket_id"])
    return ticket and ({"mimeType": MARKDOWN, "text": ticket_text(ticket)}, NOW)


def read_policy(values: dict, user: str):
    uri = f"policy://{values['name']}"
    for policy in policies():
        if policy["uri"] == uri:
            return {"mimeType": MARKDOWN, "text": policy_text(policy)}, CACHE
    return None


def read_recording(values: dict, user: str):
    number = values["ticket_id"]
    if number not in RECORDINGS:
        return None
    return {"mimeType": KIND, "blob": content.base64(wave_file(number))}, DAY


def ticket_text(ticket: dict) -> str:
    """The ticket with all its messages, for people and models to read."""
    about = f"{ticket['status']}, from {ticket['customer']} ({ticket['customer_id']})"
    parts = [f"# {ticket['ticket_id']}: {ticket['subject']}", f"{about}."]
    parts.append(f"## {ticket['created']}, customer\n\n{ticket['body']}")
    for each in ticket["messages"]:
        parts.append(f"## {each['at']}, {each['from']}\n\n{each['text']}")
    for each in ticket["charges"]:
        amount = f"{each['amount_cents'] / 100:.2f} {each['currency']}"
        parts.append(f"- charge {each['id']}: {amount} at {each['at']}")
    return "\n\n".join(parts) + "\n"


def policy_text(policy: dict) -> str:
    return f"# {policy['title']}\n\n{policy['text']}\n"


def ticket_numbers(chosen: dict, user: str) -> list[str]:
    return open_first(tickets().values())


def open_first(known: Iterable[dict]) -> list[str]:
    """For completion: numbers of open tickets first, then of the rest."""
    order = sorted(known, key=lambda each: each["status"] != "open")
    return [ticket["ticket_id"] for ticket in order]


def recorded(chosen: dict, user: str) -> list[str]:
    return list(RECORDINGS)


def policy_names(chosen: dict, user: str) -> list[str]:
    return names(policies())


def names(known: Iterable[dict]) -> list[str]:
    """What policies are called where no address is asked for."""
    return [policy["uri"].removeprefix("policy://") for policy in known]


def template(uri: str, name: str, about: str, kind: str) -> dict:
    return {"uriTemplate": uri, "name": name, "description": about, "mimeType": kind}


_TICKET = template(TICKET, "ticket", "A ticket with all its messages", MARKDOWN)
_POLICY = template(POLICY, "policy", "A policy of the company", MARKDOWN)
_RECORDING = template(RECORDING, "recording", "The sound sent with a ticket", KIND)
# By template: what the list shows, what reads one, and what completes each variable.
TEMPLATES = {
    TICKET: ({**_TICKET, "icons": ICONS}, read_ticket, {"ticket_id": ticket_numbers}),
    POLICY: (_POLICY, read_policy, {"name": policy_names}),
    RECORDING: (_RECORDING, read_recording, {"ticket_id": recorded}),
}
