"""The helpdesk itself: what its tools are and do. (lesson 03)

Nothing in here knows of JSON-RPC, and the protocol modules know nothing of tickets.
"""

from handwritten.helpdesk import tickets
from handwritten.helpdesk import policies  # lesson-04
from handwritten.helpdesk import chart, drafts, listing  # lesson-06
from handwritten.helpdesk import recordings, reply, resources  # lesson-06
from handwritten.helpdesk import export, payouts, refunds  # lesson-07

INSTRUCTIONS = "Always read the ticket before you answer a question about it."

# By name: what the list shows, and what a call runs.
TOOLS = {
    "get_ticket": (tickets.GET_TICKET, tickets.get_ticket),
    "search_tickets": (tickets.SEARCH_TICKETS, tickets.search_tickets),  # lesson-04
    # lesson-04
    "search_policies": (policies.SEARCH_POLICIES, policies.search_policies),
    # lesson-06
    "read_address": (reply.READ_ADDRESS, reply.read_address),
    "list_tickets": (listing.LIST_TICKETS, listing.list_tickets),
    "chart_tickets": (chart.CHART_TICKETS, chart.chart_tickets),
    "get_recording": (recordings.GET_RECORDING, recordings.get_recording),
    "start_draft": (drafts.START_DRAFT, drafts.start_draft),
    "add_to_draft": (drafts.ADD_TO_DRAFT, drafts.add_to_draft),
    "read_draft": (drafts.READ_DRAFT, drafts.read_draft),
    "list_drafts": (drafts.LIST_DRAFTS, drafts.list_drafts),
    # lesson-07
    "issue_refund": (refunds.ISSUE_REFUND, refunds.issue_refund),
    "set_payout_account": (payouts.SET_PAYOUT_ACCOUNT, payouts.set_payout_account),
    "export_tickets": (export.EXPORT_TICKETS, export.export_tickets),
}

# What there is to read for a user, how addresses are built, and what people pick.
RESOURCES = resources.listed  # lesson-06
TEMPLATES = resources.TEMPLATES  # lesson-06
PROMPTS = reply.PROMPTS  # lesson-06
