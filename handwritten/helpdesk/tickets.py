"""Tickets, and the tool that fetches one. (lesson 03)"""

import functools
import json
import os

from handwritten.text import quote
from handwritten.tools import Call, ToolError

# The parts of a definition, and who reads them: the model gets name, description and
# inputSchema; a host's window shows the title; programs use the outputSchema; and the
# annotations are what we say of ourselves, for a host to believe or not.
GET_TICKET: dict = {
    "name": "get_ticket",
    "title": "Get ticket",
    "description": "Fetch one support ticket by its number, with its subject, status"
    " and customer id. Ticket numbers are digits only, for example 2318.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "ticket_id": {
                "type": "string",
                "pattern": "^[0-9]+$",
                "description": "Ticket number, digits only, e.g. 2318",
            }
        },
        "required": ["ticket_id"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "ticket_id": {"type": "string"},
            "subject": {"type": "string"},
            "status": {"type": "string", "enum": ["open", "pending", "closed"]},
            "customer_id": {"type": "string"},
        },
        "required": ["ticket_id", "subject", "status", "customer_id"],
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


@functools.cache
def tickets() -> dict:
    """All tickets by number, read from the file beside this one on first use."""
    path = os.path.join(os.path.dirname(__file__), "tickets.json")
    with open(path, encoding="utf-8") as file:
        return {ticket["ticket_id"]: ticket for ticket in json.load(file)}


def get_ticket(call: Call) -> dict:
    """The ticket as the outputSchema promises it. Raises ToolError: no such ticket."""
    number = call.arguments["ticket_id"]
    if number not in tickets():
        right = "Ticket numbers are digits only, for example 2318."
        raise ToolError(f"No ticket {quote(number)}. {right}")
    ticket = tickets()[number]
    return {name: ticket[name] for name in GET_TICKET["outputSchema"]["required"]}
