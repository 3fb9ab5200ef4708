"""A client that reads lists to their end, and asks for nothing twice. (lesson 06)

It stands before a client and is used like it: what it doesn't know of goes through.
"""

import os
from typing import Any

from handwritten.paging import LISTS
from host import paging
from host.cache import METHODS, Cache
from host.decide import exact


class Reader:
    """`note` is told in a sentence what was left out of a list."""

    def __init__(self, client: Any, cache: Cache, note):
        self.client, self.cache, self.note = client, cache, note
        self.server = exact(client.command)
        # The person whom the server serves: it was started with our environment.
        self.user = os.environ.get("HELPDESK_USER", "")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def request(self, method: str, params=None, *rest, **more) -> dict:
        """As the client's; a list without a cursor is the whole list."""
        if method not in METHODS:
            return self.client.request(method, params, *rest, **more)
        if method not in LISTS or params:
            return self.ask(method, params or {})
        items, left_out = paging.whole(self.ask, method, lambda: self.forget(method))
        if left_out:
            self.note(f"{self.client.name}: {left_out}")
        return {LISTS[method][0]: items}

    def ask(self, method: str, params: dict) -> dict:
        """One result, kept or new. Raises ServerFailure; failures are never kept."""
        kept = self.cache.get(self.server, self.user, method, params)
        if kept is None:
            kept = self.client.request(method, params)
            # What came of a retry depends on answers that are in no key.
            if getattr(getattr(self.client, "asking", None), "rounds", 0):  # lesson-07
                return kept
            self.cache.keep(self.server, self.user, method, params, kept)
        return kept

    def forget(self, method: str) -> None:
        self.cache.drop(self.server, method)

    def declares(self, feature: str) -> bool:
        """Whether the server says that it has resources, prompts, …"""
        declared = self.client.capabilities
        return isinstance(declared, dict) and isinstance(declared.get(feature), dict)
