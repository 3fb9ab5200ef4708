"""Tickets, and the tool that fetches one. (lesson 03)"""

import functools
import json
import os

from handwritten.text import quote
from handwritten.tools import Call, ToolError
from handwritten.ranking import rank  # lesson-04

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


SEARCH_TICKETS: dict = {  # lesson-04
    "name": "search_tickets",
    "title": "Search tickets",
    "description": "Search the support tickets by words of their subject and text."
    " Gives number, subject, status and customer id of those that fit, best first.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "Words that the ticket would use, e.g. calendar sync",
            },
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "tickets": {"type": "array", "items": GET_TICKET["outputSchema"]},
            "found": {"type": "integer", "description": "How many fit, shown or not"},
        },
        "required": ["tickets", "found"],
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


def search_tickets(call: Call) -> dict:  # lesson-04
    """The tickets that share most words with the query. Raises ToolError: none."""
    query = call.arguments["query"]
    limit = int(call.arguments.get("limit", 10))
    known = list(tickets().values())
    ranked = rank(query, [f"{each['subject']} {each['body']}" for each in known])
    if not ranked:
        right = "Try other words, for example calendar sync."
        raise ToolError(f"No ticket shares a word with {quote(query)}. {right}")
    names = GET_TICKET["outputSchema"]["required"]
    best = [known[position] for _, position in ranked[:limit]]
    rows = [{name: ticket[name] for name in names} for ticket in best]
    return {"tickets": rows, "found": len(ranked)}
