"""Pages: the one mechanism for all four lists. (lesson 06)

A cursor names the last item that was shown, and the next page begins after it, so
what is added at the end meanwhile moves nothing (server/utilities/pagination). It is
sealed for its list and, where the list is private, for its user. A `public` page may be
kept and shown to anyone, so its cursor has to work for anyone.
"""

from handwritten.protocol import Code, ProtocolError
from handwritten.seal import seal, unseal

# By method: where in the result the items are, and what tells them apart.
LISTS = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}


def cut(request, result: dict) -> dict:
    """The page that was asked for, where the method is one of the lists.

    Raises ProtocolError for a cursor that isn't ours, or whose item has gone.
    """
    if request.method not in LISTS:
        return result
    member, key = LISTS[request.method]
    items = result[member]
    rest = {each: result[each] for each in result if each != member}
    user = request.user if result["cacheScope"] == "private" else ""
    purpose = [request.method, user]
    start = 0
    if "cursor" in request.params:  # "" is a cursor, too: one that we never gave
        last = opened(request, purpose)
        names = [item[key] for item in items]
        if last not in names:
            raise ProtocolError(Code.INVALID_PARAMS, "Invalid cursor: begin again")
        start = names.index(last) + 1
    end = start + request.server.page_size
    page = {member: items[start:end]}
    if end < len(items):
        page["nextCursor"] = seal(request.world.key, purpose, items[end - 1][key])
    return {**page, **rest}


def opened(request, purpose: list) -> str | None:
    """What the request's cursor holds; None where it isn't ours."""
    cursor = request.params["cursor"]
    return unseal(request.world.key, purpose, cursor) if type(cursor) is str else None
