"""What people and hosts pick: resources, the prompt, completion. (lesson 06)

The texts are those of the hand-written server; the tickets come from the database, and
each request sees them as they are then.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated

from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, Completion, CompletionArgument
from mcp.types import CompletionContext, PromptReference, Resource
from mcp.types import ResourceTemplateReference
from pydantic import Field

from handwritten.completion import MAX_VALUES, best
from handwritten.helpdesk import recordings, reply, resources
from handwritten.helpdesk.resources import POLICY, RECORDING, TICKET
from handwritten.prompts import PromptError
from handwritten.protocol import shorten
from sdk.database import Database, whole
from sdk.server import Desk

Reference = PromptReference | ResourceTemplateReference
Complete = Callable[
    [Reference, CompletionArgument, CompletionContext | None], Awaitable[Completion]
]


def present(data: Database) -> list[Resource]:
    """All there is to read at this moment; tickets come last, in order."""
    entries = resources.entries(data.policies(), data.whole_tickets())
    return [Resource.model_validate(entry) for entry in entries]


async def ticket(ticket_id: str, desk: Desk) -> str:
    row = desk.request_context.lifespan_context.ticket(ticket_id)
    if row is None:
        raise ResourceNotFoundError(f"No ticket {shorten(ticket_id)}")
    return resources.ticket_text(whole(row))


async def policy(name: str, desk: Desk) -> str:
    for row in desk.request_context.lifespan_context.policies():
        if row["uri"] == f"policy://{name}":
            return resources.policy_text(row)
    raise ResourceNotFoundError(f"No policy {shorten(name)}")


async def recording(ticket_id: str) -> bytes:
    if ticket_id not in recordings.RECORDINGS:
        raise ResourceNotFoundError(f"No recording of ticket {shorten(ticket_id)}")
    return recordings.wave_file(ticket_id)


async def draft_reply(
    desk: Desk,
    ticket_id: Annotated[str, Field(description="Number of the ticket")],
    policy: Annotated[
        str | None, Field(description="Which one; else the one that fits best")
    ] = None,
) -> list[dict]:
    """Answer a ticket by the policy that applies."""
    data = desk.request_context.lifespan_context
    arguments = {"ticket_id": ticket_id}
    if policy is not None:
        arguments["policy"] = policy
    row = data.ticket(ticket_id)
    try:
        return reply.messages(arguments, row and whole(row), data.policies())
    except PromptError as error:
        # Any other exception of a prompt is -32603 to the SDK.
        raise MCPError(INVALID_PARAMS, shorten(f"draft_reply: {error}")) from None


def ticket_numbers(data: Database, chosen: dict) -> list[str]:
    return resources.open_first(data.tickets())


def policy_names(data: Database, chosen: dict) -> list[str]:
    return resources.names(data.policies())


def fitting(data: Database, chosen: dict) -> list[str]:
    """Names of policies; those first that fit the ticket, where one is chosen."""
    row = data.ticket(chosen.get("ticket_id", ""))
    return resources.names(reply.best_first(row, data.policies()))


def recorded(data: Database, chosen: dict) -> list[str]:
    return list(recordings.RECORDINGS)


# By reference: what completes each argument or variable.
OFFERS: dict[tuple[str, str], dict] = {
    ("ref/prompt", "draft_reply"): {"ticket_id": ticket_numbers, "policy": fitting},
    ("ref/resource", TICKET): {"ticket_id": ticket_numbers},
    ("ref/resource", POLICY): {"name": policy_names},
    ("ref/resource", RECORDING): {"ticket_id": recorded},
}


def completing(data: Database) -> Complete:
    """The one handler of all completions. The SDK hands it no context of a request."""

    async def complete(ref, argument, context) -> Completion:
        key = ref.name if isinstance(ref, PromptReference) else ref.uri
        offers = OFFERS.get((ref.type, key))
        # The SDK leaves the check to us: what is unknown here would be "no values".
        if offers is None:
            raise MCPError(INVALID_PARAMS, shorten(f"Unknown reference: {key}"))
        if argument.name not in offers:
            raise MCPError(
                INVALID_PARAMS, shorten(f"Unknown argument: {argument.name}")
            )
        chosen = (context and context.arguments) or {}
        found = best(argument.value, offers[argument.name](data, chosen))
        more = len(found) > MAX_VALUES
        return Completion(values=found[:MAX_VALUES], total=len(found), has_more=more)

    return complete
