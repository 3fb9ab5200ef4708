"""The helpdesk as a program for the SDK: typed functions become tools. (lesson 05)

From a function the SDK takes a tool's name and description, from its annotations the
schema of the arguments, and from the model that it returns the outputSchema.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from handwritten.ranking import rank
from handwritten.text import quote
from sdk.database import Database
from sdk.strict import StrictServer
from sdk.seal import security  # lesson-07

INSTRUCTIONS = "Always read the ticket before you answer a question about it."
EXCERPT = 300  # characters of a policy that a result shows
Status = Literal["open", "pending", "closed"]  # lesson-06
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)

Desk = Context[Database]  # how a tool gets at the data: see `helpdesk_server`
TicketNumber = Annotated[
    str, Field(pattern="^[0-9]+$", description="Ticket number, digits only, e.g. 2318")
]
TicketWords = Annotated[
    str, Field(description="Words that the ticket would use, e.g. calendar sync")
]
PolicyWords = Annotated[
    str, Field(description="Words that the policy would use, e.g. charged twice")
]


class Ticket(BaseModel):
    ticket_id: str
    subject: str
    status: Literal["open", "pending", "closed"]
    customer_id: str


class FoundTickets(BaseModel):
    tickets: list[Ticket]
    found: Annotated[int, Field(description="How many fit, shown or not")]


class Policy(BaseModel):
    uri: str
    title: str
    score: float
    excerpt: str


class FoundPolicies(BaseModel):
    policies: list[Policy]


def get_ticket(ticket_id: TicketNumber, desk: Desk) -> Ticket:
    """Fetch one support ticket by its number, with its subject, status and customer
    id. Ticket numbers are digits only, for example 2318."""
    row = desk.request_context.lifespan_context.ticket(ticket_id)
    if row is None:
        right = "Ticket numbers are digits only, for example 2318."
        raise ToolError(f"No ticket {quote(ticket_id)}. {right}")
    return Ticket(**row)


def search_tickets(
    query: TicketWords,
    desk: Desk,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> FoundTickets:
    """Search the support tickets by words of their subject and text. Gives number,
    subject, status and customer id of those that fit, best first."""
    rows = desk.request_context.lifespan_context.tickets()
    ranked = rank(query, [f"{row['subject']} {row['body']}" for row in rows])
    if not ranked:
        right = "Try other words, for example calendar sync."
        raise ToolError(f"No ticket shares a word with {quote(query)}. {right}")
    best = [Ticket(**rows[position]) for _, position in ranked[:limit]]
    return FoundTickets(tickets=best, found=len(ranked))


def search_policies(
    query: PolicyWords,
    desk: Desk,
    limit: Annotated[int, Field(ge=1, le=5)] = 3,
) -> FoundPolicies:
    """Search the company's policies by words. Gives title, address, score and the
    beginning of each policy that fits, best first."""
    rows = desk.request_context.lifespan_context.policies()
    ranked = rank(query, [f"{row['title']} {row['text']}" for row in rows])
    if not ranked:
        right = "Try other words, for example charged twice."
        raise ToolError(f"No policy shares a word with {quote(query)}. {right}")
    best = [policy(rows[position], score) for score, position in ranked[:limit]]
    return FoundPolicies(policies=best)


def policy(row: dict, score: float) -> Policy:
    """One row of a result: the beginning of the text, and the score to two places."""
    text = row["text"]
    short = text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
    return Policy(
        uri=row["uri"], title=row["title"], score=round(score, 2), excerpt=short
    )


def helpdesk_server(
    database: Database, kind: type[MCPServer] = StrictServer
) -> MCPServer:
    """The server, ready to run; as `kind` MCPServer it is the SDK's as it comes."""
    # It is made of the types above, so they have to be there before it is imported.
    from sdk.more import add_more  # lesson-06
    from sdk.asking import add_asking  # lesson-07

    @asynccontextmanager
    async def lifespan(_) -> AsyncIterator[Database]:
        yield database  # what `lifespan_context` is, in every tool

    server = kind(
        "helpdesk",
        version="1.0.0",
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        log_level="WARNING",
        request_state_security=security(database.world),  # lesson-07
    )
    # The same as @server.tool(…) above each function.
    server.add_tool(get_ticket, title="Get ticket", annotations=READS)
    server.add_tool(search_tickets, title="Search tickets", annotations=READS)
    server.add_tool(search_policies, title="Search policies", annotations=READS)
    add_more(server, database)  # lesson-06
    add_asking(server)  # lesson-07
    return server
