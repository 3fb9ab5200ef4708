"""Tools whose results hold more than data: parts, pictures, sound. (lesson 06)

Such a tool returns a `CallToolResult`; the model beside it in the annotation is what
the outputSchema is made of, and what the SDK holds `structured_content` against.

The functions are `async`: the SDK runs them on its event loop, one at a time between
two awaits, while a plain function gets a thread. So nothing here needs a lock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, NotRequired, cast

from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.types import Annotations, AudioContent, CallToolResult
from mcp.types import EmbeddedResource, ImageContent, TextContent, TextResourceContents
from pydantic import BaseModel, Field
from pydantic_core import to_json
from typing_extensions import TypedDict

from handwritten import tools as by_hand
from handwritten.content import base64
from handwritten.helpdesk import chart, listing, recordings
from handwritten.helpdesk.reply import NO_TEXT
from handwritten.seal import seal, unseal
from handwritten.text import quote
from sdk.server import Desk, Status, Ticket, TicketNumber

Token = Annotated[
    str | None,
    Field(description="From the result before, to go on after its last row"),
]
Address = Annotated[str, Field(description="e.g. policy://refunds-and-payments")]


class Part(TypedDict):
    tickets: list[Ticket]
    found: int
    # Of a TypedDict an absent key stays absent; a model would say null.
    continue_with: NotRequired[str]
    note: NotRequired[str]


class Day(BaseModel):
    day: str
    closed: int
    pending: int
    open: int


class Chart(BaseModel):
    days: list[Day]


class Recording(BaseModel):
    uri: str
    heard: str
    at: str
    mimeType: str
    bytes: int


async def read_address(uri: Address, desk: Desk) -> EmbeddedResource:
    """Read the whole text behind an address that another tool gave."""
    try:
        (read,) = await desk.read_resource(uri)
    except ResourceError:
        right = "Addresses are like policy://refunds-and-payments or ticket://2318."
        raise ToolError(f"Nothing at {quote(uri)}. {right}") from None
    if not isinstance(read.content, str):
        raise ToolError(NO_TEXT.format(quote(uri)))
    return EmbeddedResource(
        resource=TextResourceContents(
            uri=uri, mime_type=read.mime_type, text=read.content
        ),
        annotations=Annotations(audience=["assistant"]),
    )


async def list_tickets(
    desk: Desk, status: Status | None = None, continue_with: Token = None
) -> Part:
    """Go through every one, or those of one status, oldest first, 20 a call. A longer
    list says how to go on."""
    data = desk.request_context.lifespan_context
    chosen = [["status", status]] if status else []
    # As the hand-written server seals it: a token of either is good for both.
    purpose = ["tools/call", "list_tickets", data.world.user, chosen]

    def token(position: str) -> str:
        return seal(data.world.key, purpose, position)

    begin = 0
    with refusals():
        if continue_with is not None:
            last = unseal(data.world.key, purpose, continue_with)
            begin = listing.last_number(last)
    return cast(Part, listing.part(data.tickets(), status, begin, token))


async def chart_tickets(desk: Desk) -> Annotated[CallToolResult, Chart]:
    """Draw a bar chart of how many came each day, for the person to look at, and give
    counts by day and status."""
    days = chart.counted(desk.request_context.lifespan_context.whole_tickets())
    drawn = ImageContent(
        data=base64(chart.picture(days)),
        mime_type="image/png",
        annotations=Annotations(audience=["user"], priority=0.8),
    )
    return shown({"days": days}, drawn)


async def get_recording(
    ticket_id: TicketNumber,
) -> Annotated[CallToolResult, Recording]:
    """Fetch a sound recorded by a customer, plus a description."""
    with refusals():
        about, sound = recordings.found(ticket_id)
    played = AudioContent(
        data=base64(sound),
        mime_type=recordings.KIND,
        annotations=Annotations(audience=["user", "assistant"], priority=0.9),
    )
    return shown(about, played)


def shown(data: dict, *blocks) -> CallToolResult:
    """The data in both forms, then what else there is to show."""
    text = TextContent(text=to_json(data).decode())
    return CallToolResult(content=[text, *blocks], structured_content=data)


@contextmanager
def refusals() -> Iterator[None]:
    """What the helpdesk refuses becomes the SDK's own kind of error."""
    try:
        yield
    except by_hand.ToolError as error:
        raise ToolError(str(error)) from None
