"""Drafts by handle: the table of the hand-written server, typed. (lesson 06)

All of them use the world's one connection to SQLite, which two threads must not use at
once. So they are `async`, and run on the event loop; what they do there takes well
under a millisecond.
"""

from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ResourceLink
from pydantic import BaseModel, Field

from handwritten.helpdesk import drafts
from handwritten.text import quote
from sdk.database import whole
from sdk.results import refusals, shown
from sdk.server import Desk, TicketNumber

DraftId = Annotated[str, Field(description="As start_draft gave it")]


class Draft(BaseModel):
    draft_id: str
    ticket_id: str
    text: str
    expires: str


class NewDraft(Draft):
    policies: list[str]


class Brief(BaseModel):
    draft_id: str
    ticket_id: str
    expires: str


class Drafts(BaseModel):
    drafts: list[Brief]


async def start_draft(
    ticket_id: TicketNumber, desk: Desk
) -> Annotated[CallToolResult, NewDraft]:
    """Begin an empty answer to a customer, for add_to_draft to fill. Gives a draft_id
    and addresses to read first. Drafts last 24 hours from their last change."""
    data = desk.request_context.lifespan_context
    row = data.ticket(ticket_id)
    if row is None:
        right = "Ticket numbers are digits only, for example 2318."
        raise ToolError(f"No ticket {quote(ticket_id)}. {right}")
    read = drafts.read_first(whole(row), data.policies())
    with refusals():
        begun = drafts.begun(data.world, data.world.user, ticket_id)
    begun["policies"] = [each["uri"] for each in read[1:]]
    return shown(begun, *map(ResourceLink.model_validate, read))


async def add_to_draft(
    draft_id: DraftId,
    text: Annotated[str, Field(description="With its line breaks")],
    desk: Desk,
) -> Draft:
    """Add text at the end of a draft that start_draft began. Drafts last 24 hours from
    their last change."""
    world = desk.request_context.lifespan_context.world
    with refusals():
        return Draft(**drafts.longer(world, world.user, draft_id, text))


async def read_draft(draft_id: DraftId, desk: Desk) -> Draft:
    """Give the whole text of a draft that start_draft began. Drafts last 24 hours from
    their last change."""
    world = desk.request_context.lifespan_context.world
    with refusals():
        return Draft(**drafts.found(world, world.user, draft_id))


async def list_drafts(desk: Desk) -> Drafts:
    """List your drafts without their texts, for when a draft_id got lost."""
    world = desk.request_context.lifespan_context.world
    return Drafts(drafts=[Brief(**each) for each in drafts.kept(world, world.user)])
