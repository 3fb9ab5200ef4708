"""Tools: one list, one call. (lesson 03)

A tool is a pair: its definition, as the list shows it, and a function that takes a
`Call` and returns a JSON object. What a tool can say about a bad argument goes to the
model as a result with `isError`; only a request that no tool could take is an error of
the protocol (server/tools, "Error Handling").
"""

from handwritten import schema, wire
from handwritten.protocol import CACHE, Code, ProtocolError


class ToolError(Exception):
    """The call can't be done; the text tells the model why and what would be right."""


class Call:
    """What a tool may ask about the call it serves."""

    def __init__(self, request, arguments: dict):
        self.request, self.arguments = request, arguments


def list_tools(request) -> dict:
    """`tools/list`: every definition, always in the same order (server/tools)."""
    tools = [definition for definition, _ in request.server.tools.values()]
    return {"tools": tools, **CACHE}


def call_tool(request) -> dict:
    """`tools/call`. Raises ProtocolError where the request itself is wrong."""
    name, arguments = request.params.get("name"), request.params.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise ProtocolError(
            Code.INVALID_PARAMS, "name is a string, arguments an object"
        )
    if name not in request.server.tools:
        raise ProtocolError(Code.INVALID_PARAMS, f"Unknown tool: {name}")
    definition, run = request.server.tools[name]
    try:
        if problem := schema.mismatch(definition["inputSchema"], arguments):
            raise ToolError(f"{name}: {problem}")
        value = run(Call(request, arguments))
        return success(value)
    except ToolError as error:
        return refusal(str(error))
    except Exception as error:  # details are for the log: they may hold secrets
        request.server.log(f"tool {name} failed: {error!r}")
        return refusal(f"{name} failed. The server's log says why.")


def success(value: dict) -> dict:
    """The same object twice: as text for the model, as data for programs."""
    content = [{"type": "text", "text": wire.encode(value).decode().rstrip()}]
    return {"content": content, "structuredContent": value, "isError": False}


def refusal(text: str) -> dict:
    """A tool error: a result all the same, with a text that the model can act on."""
    return {"content": [{"type": "text", "text": text}], "isError": True}
