"""The helpdesk itself: what its tools are and do. (lesson 03)

Nothing in here knows of JSON-RPC, and the protocol modules know nothing of tickets.
"""

from handwritten.helpdesk import tickets
from handwritten.helpdesk import policies  # lesson-04

INSTRUCTIONS = "Always read the ticket before you answer a question about it."

# By name: what the list shows, and what a call runs.
TOOLS = {
    "get_ticket": (tickets.GET_TICKET, tickets.get_ticket),
    "search_tickets": (tickets.SEARCH_TICKETS, tickets.search_tickets),  # lesson-04
    # lesson-04
    "search_policies": (policies.SEARCH_POLICIES, policies.search_policies),
}
