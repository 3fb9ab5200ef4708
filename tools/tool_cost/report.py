"""All that is said about some lists: costs, parts, waste and warnings. (lesson 04)

The rule: the lists stay in the order in which they came; only what is shown is sorted,
biggest first.
"""

import re
from collections import Counter
from dataclasses import dataclass

from host.toolbox import LONGEST_NAME
from tools.tool_cost.schemas import Path
from tools.tool_cost.sizes import (
    CUT,
    Parts,
    Report,
    Row,
    Size,
    compact,
    dead_definitions,
    measure,
    measure_all,
    measure_without,
    parts,
    size,
)
from tools.tool_cost.source import Listing

LEGAL = re.compile(f"[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}")


@dataclass(frozen=True)
class Source:
    """One list, by the name it goes by here; `again` is what a second process lists."""

    name: str
    listing: Listing
    again: list[dict] | None = None

    def changed(self) -> list[str]:
        """What the second process lists otherwise: names of tools, or the order."""
        if self.again is None or compact(self.listing.tools) == compact(self.again):
            return []
        first, second = ({t["name"]: compact(t) for t in each} for each in self._both())
        names = [each for each in first | second if first.get(each) != second.get(each)]
        return names or ["the order of the tools"]

    def _both(self) -> tuple[list[dict], list[dict]]:
        return self.listing.tools, self.again or []


@dataclass(frozen=True)
class Server:
    """One source, measured."""

    source: Source
    total: Size
    instructions: Size


@dataclass(frozen=True)
class Result:
    form: str
    prefix: str
    window: int | None
    servers: list[Server]
    rows: list[tuple[str, Row]]  # (the server's name, its tool), biggest first
    total: Size
    parts: Parts
    dead: list[tuple[str, str]]  # (tool, definition that nothing refers to)
    dead_tokens: int
    cut: list[tuple[str, str]]  # (whose text, what a host would lose of it)
    refused: list[tuple[str, str]]  # (name that model APIs do not take, why)

    @property
    def instructions(self) -> int:
        return sum(each.instructions.tokens for each in self.servers)


def examine(
    sources: list[Source], form: str, prefix: str = "", window: int | None = None
) -> Result:
    """Measure these lists. A `{server}` in the prefix is the server's name.

    Raises CostError.
    """
    lists = [_prefixed(each, prefix) for each in sources]
    reports = [measure(tools, form) for tools in lists]
    tools = [tool for each in lists for tool in each]
    many = len(sources) > 1
    total = measure_all(tools, form) if many else reports[0].total
    dead = [dead_definitions(tool) for tool in tools]
    clean = measure_without(tools, dead, form) if any(dead) else total
    return Result(
        form,
        prefix,
        window,
        [_server(*pair) for pair in zip(sources, reports, strict=True)],
        _sorted(sources, reports),
        total,
        parts(tools, form, total.tokens),
        _named(tools, dead),
        total.tokens - clean.tokens,
        [each for source in sources for each in _cut(source)],
        [] if form == "mcp" else _refused([tool["name"] for tool in tools]),
    )


def _named(tools: list[dict], dead: list[list[Path]]) -> list[tuple[str, str]]:
    pairs = zip(tools, dead, strict=True)
    return [
        (tool["name"], "/".join(sum(each, ())))
        for tool, paths in pairs
        for each in paths
    ]


def _prefixed(source: Source, prefix: str) -> list[dict]:
    front = prefix.replace("{server}", source.name)
    return [{**tool, "name": front + tool["name"]} for tool in source.listing.tools]


def _server(source: Source, report: Report) -> Server:
    return Server(source, report.total, size(source.listing.instructions))


def _sorted(sources: list[Source], reports: list[Report]) -> list[tuple[str, Row]]:
    pairs = zip(sources, reports, strict=True)
    rows = [(source.name, row) for source, report in pairs for row in report.rows]
    return sorted(rows, key=lambda row: -row[1].tokens)


def _refused(names: list[str]) -> list[tuple[str, str]]:
    """The names that a host would have to change, each with the reason."""
    found = []
    for name, times in Counter(names).items():
        if not LEGAL.fullmatch(name):
            found.append((name, f"it is not 1 to {LONGEST_NAME} of A-Z a-z 0-9 _ -"))
        elif times > 1:
            found.append((name, f"it is there {times} times"))
    return found


def _cut(source: Source) -> list[tuple[str, str]]:
    """The texts that a host would cut, each with what would be lost."""
    texts = [(f"the instructions of {source.name}", source.listing.instructions)]
    for tool in source.listing.tools:
        text = tool.get("description")
        if isinstance(text, str):
            texts.append((f"the description of {tool['name']}", text))
    return [(name, text[CUT:]) for name, text in texts if len(text) > CUT]
