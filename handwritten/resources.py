"""Resources: things to read, each with an address. (lesson 06)

The host decides what becomes of a resource: a person picks one, a link is followed. A
template says how addresses are built, so that not all have to be listed. What there is
to read comes from two places of the server: `resources(user)` gives the result of
the list; `templates` has, by template, its definition, what reads a resource of that
kind and what completes its variables (server/resources).
"""

from handwritten import uris
from handwritten.protocol import CACHE, Code, ProtocolError


def list_resources(request) -> dict:
    """`resources/list`: what this user could read now."""
    return request.server.resources(request.user)


def list_templates(request) -> dict:
    """`resources/templates/list`: how the addresses are built."""
    definitions = [definition for definition, *_ in request.server.templates.values()]
    return {"resourceTemplates": definitions, **CACHE}


def read_resource(request) -> dict:
    """`resources/read`. Raises ProtocolError where there is nothing to read."""
    uri = request.params.get("uri")
    if not isinstance(uri, str) or len(uri) > uris.MAX_URI:
        words = f"uri must be a string of at most {uris.MAX_URI} characters"
        raise ProtocolError(Code.INVALID_PARAMS, words)
    if found := find(request.server.templates, uri, request.user):
        contents, cache = found
        return {"contents": [{"uri": uri, **contents}], **cache}
    # An empty list would say that it is there and empty.
    words = f"Resource not found: {uri}"
    raise ProtocolError(Code.INVALID_PARAMS, words, data={"uri": uri})


def find(templates: dict, uri: str, user: str) -> tuple[dict, dict] | None:
    """What is at the address, and how long it may be kept; None: nothing is."""
    for template, (_, read, _) in templates.items():
        values = uris.match(template, uri)
        if values is not None and (found := read(values, user)):
            return found
    return None
