"""Fewer definitions for the model: some by name, or one search tool. (lesson 04)

Both lose something: what the model is not given it cannot call, and what a search does
not find it does not know of. The search is the one of the host in this repository.
"""

from collections.abc import Collection

from handwritten.ranking import rank
from host.toolbox import FIND_SPEC, FOUND_AT_ONCE


def allow(tools: list[dict], names: Collection[str]) -> list[dict]:
    """The tools with these names, in the order of the list.

    Raises ValueError for a name that no tool has: a slip there would only show when the
    model cannot do what it should.
    """
    known = {tool["name"] for tool in tools}
    for name in names:
        if name not in known:
            raise ValueError(f"No tool of the list is called {name!r}.")
    return [tool for tool in tools if tool["name"] in names]


def search_tool() -> dict:
    """The definition that the model is given in place of the whole list."""
    about = {key: FIND_SPEC[key] for key in ("name", "description")}
    return {**about, "inputSchema": FIND_SPEC["input_schema"]}


def search(query: str, tools: list[dict], limit: int = FOUND_AT_ONCE) -> list[dict]:
    """The definitions that fit a query best, by the words of name and description."""
    return [tools[position] for _, position in rank(query, read(tools))[:limit]]


def read(tools: list[dict]) -> list[str]:
    """What the ranking reads of each tool; the mock model reads the same."""
    return [f"{tool['name']} {tool.get('description') or ''}" for tool in tools]
