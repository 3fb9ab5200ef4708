"""What the server offers since lesson 06, in the order of its lists. (lesson 06)"""

from mcp.server import CacheHint, MCPServer
from mcp.types import Icon, ToolAnnotations

from handwritten.helpdesk import resources
from handwritten.helpdesk.icons import ICONS
from handwritten.helpdesk.resources import POLICY, RECORDING, TICKET
from sdk import drafts, reading, results
from sdk.database import Database
from sdk.pages import Freshness, Pages
from sdk.server import READS
from sdk.strict import KEEP, StrictServer

ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False
)
ICON = [Icon.model_validate(each) for each in ICONS]
NOW = CacheHint(ttl_ms=0, scope="private")  # a ticket may change at any moment
DAY = CacheHint(ttl_ms=86_400_000, scope="private")  # a recording never changes


def add_more(server: MCPServer, data: Database) -> None:
    """Register it all, and mend what is mended."""
    add_tools(server)
    add_readings(server, data)
    if isinstance(server, StrictServer):
        server.present = lambda: reading.present(data)
        kept = {TICKET: NOW, POLICY: KEEP, RECORDING: DAY}
        server.middleware.extend([Pages(data.world), Freshness(kept)])


def add_tools(server: MCPServer) -> None:
    add = server.add_tool
    add(results.read_address, title="Read an address", annotations=READS)
    add(results.list_tickets, title="List tickets", annotations=READS)
    add(results.chart_tickets, title="Chart of new tickets", annotations=READS)
    add(results.get_recording, title="Get recording", annotations=READS)
    add(drafts.start_draft, title="Start a draft", annotations=ADDS)
    add(drafts.add_to_draft, title="Add to a draft", annotations=ADDS)
    add(drafts.read_draft, title="Read a draft", annotations=READS)
    add(drafts.list_drafts, title="List drafts", annotations=READS)


def add_readings(server: MCPServer, data: Database) -> None:
    # The same as @server.resource(…), @server.prompt(…), @server.completion() above
    # each function. An address with variables is a template.
    server.resource(
        TICKET,
        name="ticket",
        description="A ticket with all its messages",
        mime_type=resources.MARKDOWN,
        icons=ICON,
    )(reading.ticket)
    server.resource(
        POLICY,
        name="policy",
        description="A policy of the company",
        mime_type=resources.MARKDOWN,
    )(reading.policy)
    server.resource(
        RECORDING,
        name="recording",
        description="The sound sent with a ticket",
        mime_type=resources.KIND,
    )(reading.recording)
    server.prompt(title="Draft a reply", icons=ICON)(reading.draft_reply)
    server.completion()(reading.completing(data))
