"""The committed table of figures, lessons/04-tool-cost/live.json. (lesson 04)

Two sets, `small` and `popular`, each with the rows of its servers, the helpdesk
first, and a total: all its tools in one array, which is a few tokens less than the
rows together, because a row has brackets of its own.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools import files
from tools.cost_live.measure import Measured
from tools.cost_live.servers import Server

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "lessons" / "04-tool-cost" / "live.json"
COUNTED = {"vocabulary": "o200k_base", "shape": "claude"}
EMPTY: dict[str, Any] = {"servers": [], "total": None}
COLUMNS = ("tools", "bytes", "tokens")


class TableError(Exception):
    """The table can't be read; the text is one sentence."""


def read(path: Path) -> dict[str, Any]:
    """The table, or an empty one where there is none. Raises TableError."""
    try:
        table = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {"counted": COUNTED, "small": EMPTY, "popular": EMPTY}
    except ValueError as error:
        raise TableError(f"{path.name} is not JSON: {error}") from None
    if not isinstance(table, dict) or not {"small", "popular"} <= table.keys():
        raise TableError(f"{path.name} is not a table of this program's")
    return table


def merge(
    table: dict[str, Any], name: str, servers: Iterable[Server], new: Measured
) -> dict[str, Any]:
    """The table with the new rows of one set; where one is missing, the old stays."""
    old = {row["name"]: row for row in table[name]["servers"]}
    rows = old | new.rows
    order = ["helpdesk", *(server.name for server in servers)]
    kept = [rows[each] for each in order if each in rows]
    total = new.total or table[name]["total"]
    return {**table, "counted": COUNTED, name: {"servers": kept, "total": total}}


def write(path: Path, table: dict[str, Any]) -> None:
    """Write the table, a row a line. Raises OSError."""
    sets = []
    for name in ("small", "popular"):
        rows = ",\n".join(f"  {json.dumps(row)}" for row in table[name]["servers"])
        total = json.dumps(table[name]["total"])
        sets.append(f' "{name}": {{"servers": [\n{rows}\n ],\n "total": {total}}}')
    body = ",\n".join([f' "counted": {json.dumps(table["counted"])}', *sets])
    files.replace(path, f"{{\n{body}\n}}\n".encode())


def show(name: str, part: dict[str, Any]) -> str:
    """The figures of one set for a terminal."""
    heads = ("server", "version", "date", *COLUMNS)
    widths = (16, 12, 12, 7, 9, 8)
    rows = [*part["servers"]]
    if part["total"]:
        rows.append({"name": "together", "version": "", **part["total"]})
    lines = [heads] + [
        (row["name"], row["version"], row["date"], *(f"{row[c]:,}" for c in COLUMNS))
        for row in rows
    ]
    texts = [
        "".join(
            f"{cell:<{width}}" if place < 3 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([f"{name}: estimates with o200k_base", *texts, ""])
