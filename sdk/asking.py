"""What the server offers since lesson 07, in the order of its list. (lesson 07)"""

from mcp.server import MCPServer
from mcp.types import ToolAnnotations

from sdk.confirm import well_formed
from sdk.export import export_tickets
from sdk.refunds import issue_refund, set_payout_account
from sdk.server import READS
from sdk.strict import StrictServer

# A second call for the same charge refunds nothing more.
REFUNDS = ToolAnnotations(
    read_only_hint=False,
    destructive_hint=True,
    idempotent_hint=True,
    open_world_hint=True,
)
ENTERS = REFUNDS.model_copy(update={"idempotent_hint": False})


def add_asking(server: MCPServer) -> None:
    """Register it, and mend what is mended."""
    add = server.add_tool
    add(issue_refund, title="Issue a refund", annotations=REFUNDS)
    add(set_payout_account, title="Set a payout account", annotations=ENTERS)
    add(export_tickets, title="Export tickets", annotations=READS)
    if isinstance(server, StrictServer):
        server.middleware.append(well_formed)
