"""A list that comes in pages, read to its end. (lesson 06)

A cursor is the server's own note to itself: it is sent back as it came, and an empty
one is one, too. The list ends where `nextCursor` is missing
(server/utilities/pagination). The other ends are for servers that never come to it:
each keeps the items so far, and says in words what was left out.
"""

import time

from handwritten.paging import LISTS
from handwritten.protocol import Code
from handwritten.text import quote
from host.client import Refusal
from host.decide import exact

MAX_PAGES, MAX_ITEMS = 100, 10_000
MAX_SIZE = 8_000_000  # characters of all pages, as JSON
BUDGET = 30.0  # seconds after which no more pages of one list are asked for


class CursorRefused(Exception):
    """The server doesn't know a cursor that it gave: its list has changed."""


def whole(ask, method: str, forget, now=time.monotonic) -> tuple[list, str]:
    """All items of a list, and what was left out of it, or "". Raises ServerFailure.

    `ask(method, params)` gives one page. When a cursor is refused, the pages so far
    are no list any more: `forget()` drops what was kept of them, and all begins again
    without a cursor, once (server/utilities/caching, "Interaction with Pagination").
    """
    walk = Walk(ask, method, now)
    try:
        return walk.items, walk.go()
    except CursorRefused:
        forget()
    walk = Walk(ask, method, now)
    try:
        return walk.items, walk.go()
    except CursorRefused:
        return walk.items, walk.said("it refused its own cursor twice")


class Walk:
    """One way through the pages of one list."""

    def __init__(self, ask, method: str, now):
        self.ask, self.method = ask, method
        self.member, self.key = LISTS[method]
        self.now, self.end = now, now() + BUDGET
        self.items: list = []
        self.names: set[str] = set()  # of what earlier pages had
        self.cursors: set[str] = set()
        self.pages = self.size = self.found = self.again = 0

    def go(self) -> str:
        """Take all pages; what was left out. Raises ServerFailure, CursorRefused."""
        params: dict = {}
        while True:
            try:
                page = self.ask(self.method, params)
            except Refusal as refused:
                if not params:
                    raise
                if refused.code == Code.INVALID_PARAMS:
                    raise CursorRefused from None
                return self.said(f"it {refused}")
            self.take(page)
            problem = self.too_much() or self.odd(page)
            if problem or "nextCursor" not in page:
                return self.said(problem)
            self.cursors.add(page["nextCursor"])
            params = {"cursor": page["nextCursor"]}

    def take(self, page: dict) -> None:
        """Add what is new. Two entries of one page are for others to judge."""
        listed = page.get(self.member)
        found = listed if isinstance(listed, list) else []
        new = [item for item in found if self.name(item) not in self.names]
        self.items += new[: MAX_ITEMS - len(self.items)]
        self.names.update(map(self.name, new))
        self.found += len(new)
        self.again += len(found) - len(new)
        self.pages += 1
        self.size += len(exact(page))

    def name(self, item: object) -> str:
        """What tells an item from others: for a broken one, all that it is."""
        name = item.get(self.key) if isinstance(item, dict) else None
        return f"={name}" if isinstance(name, str) else exact(item)

    def too_much(self) -> str:
        if self.found > MAX_ITEMS:
            return f"it has more than {MAX_ITEMS} items"
        if self.size > MAX_SIZE:
            return f"it has more than {MAX_SIZE} characters"
        return ""

    def odd(self, page: dict) -> str:
        """Why the next page is not asked for; "" where it is, or there is none."""
        if "nextCursor" not in page:
            return ""
        cursor = page["nextCursor"]
        if not isinstance(cursor, str):
            return f"nextCursor is {quote(cursor)}, which is no string"
        if cursor in self.cursors:
            return "it gave the same cursor twice"
        if self.pages >= MAX_PAGES:
            return f"it has more than {MAX_PAGES} pages"
        if self.now() > self.end:
            return f"it takes longer than {BUDGET:g} s"
        return ""

    def said(self, problem: str) -> str:
        """The sentence on what was left out; "" where nothing was."""
        parts = []
        if problem:
            parts.append(f"stopped after {len(self.items)}, because {problem}")
        if self.again:
            parts.append(f"left out because they came again: {self.again}")
        return f"{self.method}: {'; '.join(parts)}" if parts else ""
