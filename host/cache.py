"""Results that may be used again, for as long as their server says. (lesson 06)

A result is kept under all that it depends on: the server, the method, the parameters
and, unless it is for everybody, the person (server/utilities/caching). It is fresh
while now < received + ttlMs. A stale one is never used, even where asking again fails,
which the specification would allow: nobody should answer a customer from what was true
an hour ago and not be told so.
"""

import json
import time

from handwritten.paging import LISTS

METHODS = ("server/discover", "resources/read", *LISTS)
# Results that came of these depend on answers that are in no key.
RETRY = {"inputResponses", "requestState"}
DAY = 24 * 3600 * 1000  # ms; longer than that nothing is kept
MAX_ENTRIES = 500
MAX_ENTRY = 1_000_000  # characters, as JSON


class Cache:
    """`now` gives seconds. Entries go in and out as JSON, so nobody can change one."""

    def __init__(self, now=time.monotonic):
        self.now = now
        self.entries: dict[tuple, tuple[float, str]] = {}  # until when, and what

    def get(self, server: str, user: str, method: str, params: dict) -> dict | None:
        """The result as it was kept; None where there is none, or it is stale."""
        for whose in (f"private to {user}", "public"):
            key = (server, method, whose, named(params))
            until, text = self.entries.get(key, (0, ""))
            if text and self.now() < until:
                return json.loads(text)
            self.entries.pop(key, None)
        return None

    def keep(
        self, server: str, user: str, method: str, params: dict, result: dict
    ) -> None:
        """Keep a result that just came in, if it may be kept at all."""
        time_to_live, text = lifetime(result), json.dumps(result)
        kind = result.get("resultType", "complete")
        if method not in METHODS or kind != "complete" or RETRY & params.keys():
            return
        if not time_to_live or len(text) > MAX_ENTRY:
            return
        # Who says neither has at least not said that it is for everybody.
        public = result.get("cacheScope") == "public"
        whose = "public" if public else f"private to {user}"
        until = self.now() + time_to_live / 1000
        self.entries[(server, method, whose, named(params))] = until, text
        while len(self.entries) > MAX_ENTRIES:
            self.entries.pop(next(iter(self.entries)))  # the oldest

    def drop(self, server: str, method: str) -> None:
        """Forget all pages, or all results, of a method: they are known to be stale."""
        old = [key for key in self.entries if key[:2] == (server, method)]
        for key in old:
            del self.entries[key]


def named(params: dict) -> str:
    """The parameters as a key. What `_meta` holds is not what is asked for."""
    rest = {name: params[name] for name in params if name != "_meta"}
    return json.dumps(rest, sort_keys=True)


def lifetime(result: dict) -> int:
    """How many ms the result is fresh; 0 for whatever is no whole number above 0."""
    said = result.get("ttlMs")
    # By type: in Python True is an int. A guess at "300" could be wrong by 1,000.
    return min(max(said, 0), DAY) if type(said) is int else 0
