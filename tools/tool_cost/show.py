"""The result as a table for a person, or as one object for a program. (lesson 04)

The rule: every row fits 100 columns, and what is somebody else's is made fit for that.
"""

from dataclasses import asdict
from typing import Any

from tools.tool_cost.sizes import CUT
from tools.tool_cost.report import Result, Server
from tools.tool_cost.terminal import fit
from tools.tool_cost.vocabulary import encodable

MOST = 8  # names of one kind that are listed
ABOUT = (
    "An estimate: tokens of o200k_base. A model's own vocabulary counts otherwise, and",
    "its API adds a text of its own. Compare lists with it, not bills.",
)


def table(result: Result) -> list[str]:
    """The rows of the table and the sentences below it."""
    lines = [_about(each) for each in result.servers]
    many = len(result.servers) > 1
    lines += ["", f"{'tokens':>9}{'share':>8}{'bytes':>12}  tool"]
    for server, row in result.rows:
        name = fit(f"{row.name}  ({server})" if many else row.name, 68)
        lines.append(_row(row.tokens, row.bytes, name, result.total.tokens))
    count = len(result.rows)
    whole = "no tools" if not count else f"all in one array: {_tools(count)}"
    lines.append(_row(result.total.tokens, result.total.bytes, whole))
    if result.instructions:
        size = sum(each.instructions.bytes for each in result.servers)
        lines.append(_row(result.instructions, size, "instructions"))
    return [*lines, "", *_sentences(result), *_warnings(result), *ABOUT]


def _tools(count: int) -> str:
    return f"{count:,} tool" + ("" if count == 1 else "s")


def _row(tokens: int, size: int, name: str, total: int = 0) -> str:
    share = f"{100 * tokens / total:.1f} %" if total else ""
    return f"{tokens:>9,}{share:>8}{size:>12,}  {name}"


def _about(server: Server) -> str:
    listing = server.source.listing
    own = f"{listing.name} {listing.version}".strip()
    name = server.source.name
    words = [fit(name if own.startswith(name) else f"{name}: {own}", 40)]
    if listing.name and own.startswith(name):
        words = [fit(own, 40)]
    if listing.revision:
        words.append(f"(revision {listing.revision})")
    tools = f"{_tools(len(listing.tools))}, {server.total.tokens:,} tokens"
    if not listing.revision:  # a saved list holds no instructions
        return f"{' '.join(words)}: {tools}"
    more = server.instructions.tokens
    tokens = f"{more:,} token" + ("" if more == 1 else "s")
    said = f"{tokens} of instructions" if more else "no instructions"
    return f"{' '.join(words)}: {tools}, {said}"


def _sentences(result: Result) -> list[str]:
    parts, total = result.parts, result.total.tokens
    lines = [
        f"Shape: {result.form}, compact JSON. A row is its tool in an array alone."
    ]
    if total:
        lines.append(
            f"Descriptions {_share(parts.descriptions, total)}, parameters "
            f"{_share(parts.parameters, total)}, rest {_share(parts.rest, total)}."
        )
        lines.append(
            f"Of the parameters, {parts.parameter_descriptions:,} are descriptions."
        )
    if result.dead:
        names = [f"{tool} {name}" for tool, name in result.dead]
        lines.append(
            f"Definitions that nothing refers to: {len(names):,}, "
            f"{result.dead_tokens:,} tokens:"
        )
        lines.append(f"  {_names(names)}")
    if result.window:
        spent = total + result.instructions
        lines.append(
            f"With instructions, {spent:,} tokens: {100 * spent / result.window:.1f} % "
            f"of a window of {result.window:,}, with every call of the model."
        )
    return lines + [_restarted(each) for each in result.servers if _twice(each)]


def _twice(server: Server) -> bool:
    return server.source.again is not None


def _restarted(server: Server) -> str:
    changed = server.source.changed()
    name = fit(server.source.name, 40)
    if not changed:
        return f"{name}: a second process lists the same bytes."
    rows = (
        f"{name}: a second process lists other bytes, which no prompt cache survives:"
    )
    return f"{rows}\n  {_names(changed)}"


def _names(names: list[str]) -> str:
    more = f" and {len(names) - MOST:,} more" if len(names) > MOST else ""
    return fit(", ".join(name[:90] for name in names[:MOST]), 80) + more


def _share(tokens: int, total: int) -> str:
    return f"{tokens:,} ({100 * tokens / total:.0f} %)"


def _warnings(result: Result) -> list[str]:
    lines = []
    for name, why in result.refused[:MOST]:
        lines.append(f"Warning: model APIs refuse the name {fit(name, 20)}: {why}.")
    if len(result.refused) > MOST:
        lines.append(f"and {len(result.refused) - MOST:,} more such names.")
    for whose, lost in result.cut[:MOST]:
        length = f"{CUT + len(lost):,} characters; some hosts keep about {CUT:,}"
        lines.append(f"Warning: {fit(whose, 90 - 9)}")
        start = " ".join(lost[:100].split())
        lines.append(f"  has {length}. Lost would be: {fit(start, 24)}")
    if len(result.cut) > MOST:
        lines.append(f"and {len(result.cut) - MOST:,} more of such a length.")
    return lines


def as_json(result: Result) -> dict:
    """The result as plain data, its names and texts as they came."""
    servers = [_server_json(each) for each in result.servers]
    made: dict[str, Any] = {
        "tools": [{"server": server, **asdict(row)} for server, row in result.rows],
        "total": asdict(result.total),
        "instructions": {"tokens": result.instructions},
        "servers": servers,
        "shape": result.form,
        "prefix": result.prefix,
        "parts": asdict(result.parts),
        "unreferenced": {
            "tokens": result.dead_tokens,
            "definitions": [{"tool": tool, "name": name} for tool, name in result.dead],
        },
        "refused": [{"name": name, "why": why} for name, why in result.refused],
        "cut": [{"text": whose, "lost": len(lost)} for whose, lost in result.cut],
        "estimate": "o200k_base",
    }
    if result.window:
        spent = result.total.tokens + result.instructions
        share = spent / result.window
        made["window"] = {"tokens": result.window, "share": round(share, 6)}
    return made


def _server_json(server: Server) -> dict:
    listing = server.source.listing
    made = {
        "name": server.source.name,
        "version": encodable(listing.version),
        "revision": listing.revision,
        "tools": len(listing.tools),
        **asdict(server.total),
        "instructions": asdict(server.instructions),
    }
    if _twice(server):
        changed = server.source.changed()
        made["restart"] = {"same": not changed, "changed": changed}
    return made
