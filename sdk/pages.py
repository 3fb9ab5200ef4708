"""Pages and caching, which an MCPServer leaves out: two middlewares. (lesson 06)

A middleware of the SDK sees the request as it came and, from `call_next`, the result as
it will be sent. An MCPServer always makes the whole list and never looks at a cursor;
so the page is cut from that list by the very function that the hand-written server
uses, and a cursor of either server is good for both.
"""

from collections.abc import Mapping
from types import SimpleNamespace

from mcp.server import CacheHint
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS

from handwritten.paging import LISTS, cut
from handwritten.protocol import ProtocolError
from handwritten.uris import match
from handwritten.world import World
from sdk.strict import HINTS


class Pages:
    """Middleware: one page of a list, and the cursor for the next one."""

    page_size = 50

    def __init__(self, world: World):
        self.world = world

    async def __call__(self, context, call_next):
        result = await call_next(context)
        if context.method not in LISTS:
            return result
        asked = SimpleNamespace(
            method=context.method,
            params=context.params or {},
            user=self.world.user,
            world=self.world,
            server=self,
        )
        # The earlier era has no such member, and its lists are as private as ours.
        scope = {"cacheScope": HINTS[context.method].scope}
        try:
            page = cut(asked, scope | result)
        except ProtocolError as problem:
            words = str(problem.error["message"])
            raise MCPError(INVALID_PARAMS, words) from None
        return {key: page[key] for key in page if key in {*result, "nextCursor"}}


class Freshness:
    """Middleware: how long what was read may be kept, by the template of its address.

    The SDK has one hint a method, and none a result.
    """

    def __init__(self, hints: Mapping[str, CacheHint]):
        self.hints = hints

    async def __call__(self, context, call_next):
        result = await call_next(context)
        if context.method != "resources/read" or "ttlMs" not in result:
            return result
        for template, hint in self.hints.items():
            if match(template, context.params["uri"]) is not None:
                return result | {"ttlMs": hint.ttl_ms, "cacheScope": hint.scope}
        return result
