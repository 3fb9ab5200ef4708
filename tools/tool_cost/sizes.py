"""What a list of tools costs, in tokens and bytes. (lesson 04)

The rule: what is counted is what the model is given, as compact JSON: no space between
the parts, no character escaped that need not be. A row is one tool in an array of its
own; the total is the whole array, so it is not quite the sum of the rows.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from tools.tool_cost.schemas import (
    DEFINITIONS,
    Path,
    descriptions,
    unreferenced,
    without,
)
from tools.tool_cost.vocabulary import CostError, count, encodable

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
CUT = 2000  # characters of a description that hosts are known to keep


@dataclass(frozen=True)
class Size:
    tokens: int
    bytes: int


@dataclass(frozen=True)
class Row:
    name: str  # as the model sees it, prefix and all
    tokens: int
    bytes: int


@dataclass(frozen=True)
class Report:
    rows: list[Row]  # in the order of the list
    total: Size


@dataclass(frozen=True)
class Parts:
    """Tokens of the tools' descriptions, of their parameters, and of the rest."""

    descriptions: int
    parameters: int
    parameter_descriptions: int  # of those in the parameters
    rest: int


def compact(value: object) -> str:
    """The value as compact JSON."""
    return _ENCODER.encode(value)


def _claude(tool: dict) -> dict:
    return _renamed(tool, "input_schema")


def _responses(tool: dict) -> dict:
    return {"type": "function", **_renamed(tool, "parameters")}


def _openai(tool: dict) -> dict:
    return {"type": "function", "function": _renamed(tool, "parameters")}


def _renamed(tool: dict, schema: str) -> dict:
    """Name, description and input schema: all that these APIs are given of a tool."""
    keys = {"name": "name", "description": "description", "inputSchema": schema}
    return {new: tool[key] for key, new in keys.items() if key in tool}


SHAPES: dict[str, Callable[[dict], dict]] = {
    "claude": _claude,  # the Messages API of Anthropic
    "openai": _openai,  # the Chat Completions API of OpenAI
    "responses": _responses,  # the Responses API of OpenAI
    "mcp": dict,  # the whole tool, as it crosses the wire
}


def shape(tool: dict, form: str, prefix: str = "") -> dict:
    """The tool as an API is given it, its name with this prefix.

    Raises CostError for a form that is not one of SHAPES.
    """
    if form not in SHAPES:
        raise CostError(f"the shape {form!r} is none of {', '.join(SHAPES)}")
    return SHAPES[form]({**tool, "name": prefix + tool["name"]})


def size(text: str) -> Size:
    """What a text costs. Raises CostError."""
    text = encodable(text)
    return Size(count(text), len(text.encode()))


def measure(tools: list[dict], form: str = "claude", prefix: str = "") -> Report:
    """What each of these tools costs, and all of them. Raises CostError."""
    texts = [compact(shape(tool, form, prefix)) for tool in tools]
    # The whole first: what is too large for it need not be counted one by one.
    total = _together(texts)
    rows = []
    for tool, text in zip(tools, texts, strict=True):
        one = size(f"[{text}]")
        rows.append(Row(prefix + tool["name"], one.tokens, one.bytes))
    return Report(rows, total)


def measure_all(tools: list[dict], form: str) -> Size:
    """What these tools cost together. Raises CostError."""
    return _together([compact(shape(tool, form)) for tool in tools])


def _together(texts: list[str]) -> Size:
    # An empty list is not sent at all.
    return size(f"[{','.join(texts)}]") if texts else Size(0, 0)


def parts(tools: list[dict], form: str, total: int) -> Parts:
    """Where the `total` tokens of these tools are. Raises CostError.

    The rest is what the list costs without descriptions and parameters; the tools'
    descriptions are counted one by one, and what remains are the parameters.
    """
    inner = [text for tool in tools for text in descriptions(tool.get("inputSchema"))]
    said = _tokens([tool["description"] for tool in tools if "description" in tool])
    dropped = ("description", "inputSchema")
    bare = [{key: tool[key] for key in tool if key not in dropped} for tool in tools]
    rest = measure_all(bare, form).tokens
    return Parts(said, total - said - rest, _tokens(inner), rest)


def _tokens(values: list) -> int:
    return sum(count(compact(value)) for value in values)


def dead_definitions(tool: dict) -> list[Path]:
    """The definitions of a tool that nothing refers to."""
    schema = tool.get("inputSchema")
    text = compact(schema)  # quicker to search than a schema is to walk
    if any(f'"{keyword}"' in text for keyword in DEFINITIONS):
        return unreferenced(schema)
    return []


def measure_without(tools: list[dict], dead: list[list[Path]], form: str) -> Size:
    """What the tools cost without these definitions, some for each tool."""
    left = [
        {**tool, "inputSchema": without(tool["inputSchema"], paths)} if paths else tool
        for tool, paths in zip(tools, dead, strict=True)
    ]
    return measure_all(left, form)
