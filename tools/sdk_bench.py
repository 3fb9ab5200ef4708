"""The server by hand against the one on the SDK, measured in one run. (lesson 05)

Lines of code, start to first answer, a round trip, memory, and what has to be
installed. Times are medians of pairs that were measured in turn; the ratio says more
than the milliseconds, which are this machine's.
"""

import importlib.metadata
import importlib.util
import json
import re
import sys
from pathlib import Path

from lessons.manifest import ROOT
from tools import timing
from tools.stages.contents import files
from tools.stages.growth import code_lines
from tools.stages.marks import project

PAIR = BY_HAND, SDK = "handwritten", "sdk"
STAGE = 5  # the lines are counted as of the lesson that compares them


def measured(runs: int) -> dict[str, dict] | None:
    """The rows by name: {"by hand", "sdk", "unit"}; None where there is no SDK."""
    if importlib.util.find_spec("mcp") is None:
        return None
    packages, size = installed("mcp")
    rows = {
        "lines of code": (lines(BY_HAND), lines(SDK), ""),
        "start to first answer": (*times(timing.first_answer, runs), "ms"),
        "round trip": (*times(timing.round_trip, runs), "ms"),
        "memory": (peak(BY_HAND), peak(SDK), "MB"),
        "installed packages": (0, packages, ""),
        "their size": (0, size, "MB"),
    }
    return {
        name: {"by hand": mine, "sdk": theirs, "unit": unit}
        for name, (mine, theirs, unit) in rows.items()
    }


def table(rows: dict[str, dict] | None) -> str:
    """The rows for a terminal."""
    if rows is None:
        return "by hand against SDK: left out, for mcp is not installed: run make setup"
    made = [f"{'':24}{'by hand':>12}{'SDK':>12}{'ratio':>8}"]
    for name, row in rows.items():
        mine, theirs = row["by hand"], row["sdk"]
        cells = [written(value, row["unit"]) for value in (mine, theirs)]
        ratio = written(theirs / mine, "") if mine and theirs else "-"
        made.append(f"{name:24}{cells[0]:>12}{cells[1]:>12}{ratio:>8}")
    return "\n".join(made)


def written(value: float | None, unit: str) -> str:
    if value is None:
        return "not known"
    number = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{number} {unit}".rstrip()


def times(measure, runs: int) -> tuple[float, float]:
    """Medians in ms, the two servers measured in turn."""
    row = timing.compare(measure, runs, PAIR)
    return row["ours"], row["echo"]


def lines(folder: str) -> int:
    """Lines of code of a server as of STAGE, without its tests."""
    total = 0
    for name, path in files(ROOT, [folder]).items():
        if name.endswith(".py") and "/tests/" not in name:
            total += code_lines(project(path.read_text("utf-8"), STAGE, name) or "")
    return total


def peak(module: str) -> float | None:
    """Megabytes of memory that a server had at most, after some calls; Linux only."""
    line = json.dumps(timing.REQUEST).encode() + b"\n"
    with timing.start(module) as server:
        for _ in range(50):
            timing.trip(server, line)
        status = Path(f"/proc/{server.pid}/status")
        found = None
        if sys.platform == "linux":
            found = re.search(r"VmHWM:\s+([0-9]+) kB", status.read_text("ascii"))
        server.stdin.close()
    return int(found[1]) * 1024 / 1e6 if found else None


def installed(name: str) -> tuple[int, float]:
    """How many packages come with this one, itself included, and their megabytes."""
    waiting, seen, sizes = [name], set(), {}
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        package, _, extra = each.partition("[")
        try:
            found = importlib.metadata.distribution(package)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system, or another Python
        waiting += [one for line in found.requires or () for one in wanted(line, extra)]
        places = [Path(str(found.locate_file(file))) for file in found.files or ()]
        sizes[package] = sum(path.stat().st_size for path in places if path.is_file())
    return len(sizes), sum(sizes.values()) / 1e6


def wanted(line: str, extra: str) -> list[str]:
    """The package of a requirement, alone and with each extra: a[x] -> "a", "a[x".

    Nothing, where the requirement belongs to an extra that nobody asked for.
    """
    of = re.search(r"extra == [\"']([^\"']+)", line)
    if of and of[1] != extra:
        return []
    package, extras = re.match(r"([\w.-]+)\s*(?:\[([^]]*)])?", line).groups("")  # type: ignore
    plain = re.sub(r"[-_.]+", "-", package).lower()
    return [plain, *(f"{plain}[{each.strip()}" for each in extras.split(",") if each)]
