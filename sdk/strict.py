"""The SDK's server, held to the letter of the specification. (lesson 05)

The SDK is kind: it takes "5" for 5, overlooks arguments that no tool has, and gives a
model a text where the protocol wants an error. `StrictServer` mends what can be mended
from outside: by parameters that the SDK has, by two middlewares, and in two methods
that are public. What is left stands in lessons/05-sdk/deviations.toml.
"""

from typing import Any
from collections.abc import Callable, Mapping  # lesson-06

from mcp.server import CacheHint, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, METHOD_NOT_FOUND
from mcp.types import CallToolResult, TextContent, Tool
from mcp.types import Resource  # lesson-06
from mcp.server.caching import CacheableMethod  # lesson-06
from mcp.server.mcpserver.resources import ResourceSecurity  # lesson-06
from pydantic import ValidationError
from pydantic_core import to_json

from handwritten import schema
from handwritten import prompts  # lesson-06
from handwritten.protocol import shorten
from handwritten.text import quote
from handwritten.uris import NO_STEP  # lesson-06

KEEP = CacheHint(ttl_ms=300_000, scope="public")  # both change only with the program
HINTS: dict[CacheableMethod, CacheHint] = {  # lesson-06
    "tools/list": KEEP,
    "prompts/list": KEEP,
    "resources/list": CacheHint(ttl_ms=60_000, scope="private"),
    "resources/templates/list": KEEP,
}
# By method: what is an object where it is given, and what is one inside that.
OBJECTS = {  # lesson-06
    "prompts/get": ["arguments"],
    "completion/complete": ["context", "arguments"],
}


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
        mends["cache_hints"] |= HINTS  # lesson-06
        mends["resource_security"] = OneStep()  # lesson-06
        # What there is to read beside what is registered, asked for each time.
        self.present: Callable[[], list[Resource]] = list  # lesson-06
        # What needs no look at whole lists any more: nothing is ever taken out.
        self.filled = {"tools"}  # lesson-06
        super().__init__(*parts, **mends | options)

    async def list_tools(self) -> list[Tool]:
        """The tools without what pydantic adds, and with what it leaves out."""
        return [published(tool) for tool in await super().list_tools()]

    async def call_tool(self, name: str, arguments: dict, context=None) -> Any:
        """Call a tool. Raises MCPError where there is none, else ToolError."""
        tool = {each.name: each for each in await super().list_tools()}.get(name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, shorten(f"Unknown tool: {name}"))
        # Before pydantic, which would bend the arguments until they fit. It knows flat
        # arguments, as these tools have; for others there is jsonschema.
        if problem := schema.mismatch(published(tool).input_schema, arguments):
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
            more = [each for each in result.content if each.type != "text"]  # lesson-06
            result.content = [TextContent(text=text)]
            result.content += more  # lesson-06
        return result

    async def list_resources(self) -> list[Resource]:  # lesson-06
        """What is registered, and what there is at this moment."""
        return [*await super().list_resources(), *self.present()]

    async def get_prompt(self, name: str, arguments=None, context=None):  # lesson-06
        """The messages. Raises MCPError: of a prompt, every mistake is one."""
        prompt = {each.name: each for each in await self.list_prompts()}.get(name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, shorten(f"Unknown prompt: {name}"))
        try:
            prompts.check(prompt.model_dump(), arguments or {})
        except prompts.PromptError as error:
            raise MCPError(INVALID_PARAMS, shorten(f"{name}: {error}")) from None
        return await super().get_prompt(name, arguments, context)

    async def hide_empty(self, context, call_next):
        """Middleware: a server without prompts has no empty list of them either."""
        if context.method.partition("/")[0] in self.filled:  # lesson-06
            return await call_next(context)
        features = {
            "prompts": await self.list_prompts(),
            "resources": [
                *await self.list_resources(),
                *await self.list_resource_templates(),
            ],
        }
        empty = [name for name, things in features.items() if not things]
        self.filled |= features.keys() - set(empty)  # lesson-06
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
    for name in OBJECTS.get(context.method, ()):  # lesson-06
        params = params.get(name, {}) if isinstance(params, dict) else {}
        if params is None:
            raise MCPError(INVALID_PARAMS, f"{name} must be an object")
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
    arguments = without_null(arguments)  # lesson-06
    output = untitled(tool.output_schema) if tool.output_schema else None
    new = {"description": words, "input_schema": arguments, "output_schema": output}
    return tool.model_copy(update=new)


def without_null(schema: dict) -> dict:  # lesson-06
    """Optional arguments as JSON means it: they may be absent, and are never null."""
    properties = {
        name: not_null(part) for name, part in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties}


def not_null(part: dict) -> dict:  # lesson-06
    """`str | None` without its null, and without null as its default."""
    if {"type": "null"} not in part.get("anyOf", []):
        return part
    (kept,) = [each for each in part["anyOf"] if each != {"type": "null"}]
    return kept | {key: part[key] for key in part if key not in ("anyOf", "default")}


class OneStep(ResourceSecurity):  # lesson-06
    """A variable of a template is one step of a path, and never a way out of it.

    The SDK refuses a way up (..), a way from the root and a NUL, and lets %2F through.
    """

    def validate(self, params: Mapping[str, str | list[str]]) -> str | None:
        odd = [name for name in params if NO_STEP.fullmatch(str(params[name]))]
        return odd[0] if odd else super().validate(params)


def untitled(part: dict) -> dict:
    """Without the titles that pydantic makes up; a property may be called title."""
    kept = {key: part[key] for key in part if key != "title"}
    for group in {"properties", "$defs"} & kept.keys():
        kept[group] = {name: untitled(kept[group][name]) for name in kept[group]}
    return kept
