"""The SDK's server, held to the letter of the specification. (lesson 05)

The SDK is kind: it takes "5" for 5, overlooks arguments that no tool has, and gives a
model a text where the protocol wants an error. `StrictServer` mends what can be mended
from outside: by parameters that the SDK has, by two middlewares, and in two methods
that are public. What is left stands in lessons/05-sdk/deviations.toml.
"""

from typing import Any

from mcp.server import CacheHint, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, METHOD_NOT_FOUND
from mcp.types import CallToolResult, TextContent, Tool
from pydantic import ValidationError
from pydantic_core import to_json

from handwritten import schema
from handwritten.protocol import shorten
from handwritten.text import quote

KEEP = CacheHint(ttl_ms=300_000, scope="public")  # both change only with the program


class StrictServer(MCPServer):
    """An MCPServer that checks what it publishes, and publishes what it checks."""

    def __init__(self, *parts, **options):
        mends: dict[str, Any] = {
            # As it comes, no result may be kept at all.
            "cache_hints": {"server/discover": KEEP, "tools/list": KEEP},
            # As it comes, it promises news of changes; nothing here ever changes.
            "subscriptions": False,
            "middleware": [refuse_null, self.hide_empty],
        }
        super().__init__(*parts, **mends | options)

    async def list_tools(self) -> list[Tool]:
        """The tools without what pydantic adds, and with what it leaves out."""
        return [published(tool) for tool in await super().list_tools()]

    async def call_tool(self, name: str, arguments: dict, context=None) -> Any:
        """Call a tool. Raises MCPError where there is none, else ToolError."""
        tool = {each.name: each for each in await self.list_tools()}.get(name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, shorten(f"Unknown tool: {name}"))
        # Before pydantic, which would bend the arguments until they fit. It knows flat
        # arguments, as these tools have; for others there is jsonschema.
        if problem := schema.mismatch(tool.input_schema, arguments):
            raise ToolError(f"{name}: {problem}")
        try:
            result = await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise  # the tool crashed: the details stay in the log
        except ToolError as error:
            raise ToolError(said(error, tool)) from error.__cause__
        if isinstance(result, CallToolResult) and result.structured_content is not None:
            # The SDK indents this copy, and a model pays for each space.
            text = to_json(result.structured_content).decode()
            result.content = [TextContent(text=text)]
        return result

    async def hide_empty(self, context, call_next):
        """Middleware: a server without prompts has no empty list of them either."""
        features = {
            "prompts": await self.list_prompts(),
            "resources": [
                *await self.list_resources(),
                *await self.list_resource_templates(),
            ],
        }
        empty = [name for name, things in features.items() if not things]
        if context.method.partition("/")[0] in empty:
            words = f"Unknown method: {context.method}"
            raise MCPError(METHOD_NOT_FOUND, words)
        result = await call_next(context)
        if context.method in ("server/discover", "initialize"):
            for name in empty:
                result["capabilities"].pop(name, None)
        return result


async def refuse_null(context, call_next):
    """Middleware: null arguments are no object, and the SDK takes them for {}."""
    params = context.params or {}
    if context.method == "tools/call" and params.get("arguments", {}) is None:
        raise MCPError(INVALID_PARAMS, "arguments must be an object")
    return await call_next(context)


def said(error: ToolError, tool: Tool) -> str:
    """What the tool said, or which argument is wrong, without "Error executing"."""
    if not isinstance(error.__cause__, ValidationError):
        return str(error.__cause__ or error)
    wrong = error.__cause__.errors()[0]
    place = ".".join(map(str, wrong["loc"]))
    about = tool.input_schema["properties"].get(place, {}).get("description")
    words = f"{tool.name}: {quote(place)}: {wrong['msg']}"
    return words + (f" ({about})." if about else ".")


def published(tool: Tool) -> Tool:
    """The definition as a person would write it."""
    words = " ".join((tool.description or "").split())  # a docstring has many lines
    arguments = {**untitled(tool.input_schema), "additionalProperties": False}
    output = untitled(tool.output_schema) if tool.output_schema else None
    new = {"description": words, "input_schema": arguments, "output_schema": output}
    return tool.model_copy(update=new)


def untitled(part: dict) -> dict:
    """Without the titles that pydantic makes up; a property may be called title."""
    kept = {key: part[key] for key in part if key != "title"}
    for group in {"properties", "$defs"} & kept.keys():
        kept[group] = {name: untitled(kept[group][name]) for name in kept[group]}
    return kept
