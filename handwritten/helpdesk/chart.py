"""The tool that draws how many tickets came in, day by day. (lesson 06)

The picture is for the person, the numbers for the model and for whoever can't see it.
"""

from collections.abc import Iterable

from handwritten import content
from handwritten.helpdesk.define import COUNT, READS, TEXT, record, rows, tool
from handwritten.helpdesk.tickets import tickets
from handwritten.tools import Call

DAY = {"day": TEXT, "closed": COUNT, "pending": COUNT, "open": COUNT}
CHART_TICKETS: dict = tool(
    "chart_tickets",
    "Chart of new tickets",
    "Draw a bar chart of how many came each day, for the person to look at, and give"
    " counts by day and status.",
    {},
    outputSchema=record({"days": rows(DAY)}),
    annotations=READS,
)
# From the bottom of a bar to its top, and from light to dark: paper, closed …
STATUSES = ("closed", "pending", "open")
PALETTE = [(255, 255, 255), (170, 200, 225), (80, 140, 190), (10, 50, 90)]
HEIGHT, GAP = 12, 1  # pixels: one ticket of a bar, and the paper above it


def chart_tickets(call: Call) -> content.Content:
    days = counted(tickets().values())
    drawn = content.image(picture(days), "image/png", audience=["user"], priority=0.8)
    return content.Content(drawn, data={"days": days})


def counted(known: Iterable[dict]) -> list[dict]:
    """How many tickets of each day have which status; days without any, too."""
    from datetime import date, timedelta  # slow to load, and for this one tool

    found: dict = {}
    for ticket in known:
        counts = found.setdefault(ticket["created"][:10], dict.fromkeys(STATUSES, 0))
        counts[ticket["status"]] += 1
    day, last = date.fromisoformat(min(found)), date.fromisoformat(max(found))
    days = [day + timedelta(number) for number in range((last - day).days + 1)]
    none = dict.fromkeys(STATUSES, 0)
    return [{"day": str(day), **found.get(str(day), none)} for day in days]


def picture(days: list[dict]) -> bytes:
    """Bars from left to right, one a day: six pixels of color, then two of paper."""
    from handwritten.helpdesk.png import png  # zlib, for this one tool

    bars = [
        [color for color, status in enumerate(STATUSES, 1) for _ in range(day[status])]
        for day in days
    ]
    highest = max(map(len, bars))
    lines = []
    for level in reversed(range(highest)):
        colors = [bar[level] if level < len(bar) else 0 for bar in bars]
        # Four pixels of 2 bits make a byte, so 0x55 times a color is four of it.
        full = b"".join(bytes((0x55 * color, 0x50 * color)) for color in colors)
        lines += [bytes(len(full))] * GAP + [full] * (HEIGHT - GAP)
    return png(lines, PALETTE)
