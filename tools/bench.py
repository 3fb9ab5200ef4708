"""How fast the server by hand is, against a JSON echo in one file.

Machines differ and are busy, so every figure is a ratio of two things that were
measured in turn, in the same run: start to first answer, and a round trip over the same
kind of pipe. The budgets are the course's own: they say when something was added to the
start or to the path of every message that need not be there.

    python -m tools.bench
    python -m tools.bench --runs 50 --json
"""

import argparse
import importlib.util  # lesson-04
import json
import platform
import sys

from tools.timing import compare, first_answer, round_trip
from tools.tool_cost import bench as lists  # lesson-04
from tools import sdk_bench  # lesson-05
from tools import busy  # lesson-07

PAIR = ("handwritten", "tools.echo")
BUDGETS = {"start": 1.4, "round trip": 1.8}
BUDGETS["tool list"] = 6.0  # lesson-04


# lesson-04
def tool_list(runs: int) -> dict | None:
    """The row of tools.tool_cost; None where tiktoken is missing."""
    if importlib.util.find_spec("tiktoken") is None:
        return None
    with lists.measured() as seconds:
        row = compare(seconds, min(runs, 5), lists.PAIR)
    return {**row, "tools": lists.COUNT, "peak_mb": lists.peak()}


# lesson-04
def about_lists(row: dict | None) -> str:
    """What the row of the tool list means."""
    if row is None:
        return "tool list: left out, for tiktoken is not installed: run make setup"
    peak = f"; peak memory {row['peak_mb']} MB" if row["peak_mb"] else ""
    return (
        f"tool list: tools.tool_cost on {row['tools']:,} tools{peak}. In the place of\n"
        "the echo: a process that loads the vocabulary and encodes the same text once."
    )


def table(found: dict[str, dict]) -> str:
    """The rows for a terminal."""
    rows = [f"{'':12}{'by hand':>12}{'echo':>12}{'ratio':>8}{'budget':>8}"]
    for name, row in found.items():
        times = f"{row['ours']:>9.3f} ms{row['echo']:>9.3f} ms"
        rows.append(f"{name:12}{times}{row['ratio']:>8.2f}{BUDGETS[name]:>8.1f}")
    return "\n".join(rows)


def main(arguments: list[str]) -> int:
    """0: within the budgets; 1: over one of them."""
    parser = argparse.ArgumentParser(
        "python -m tools.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=21, help="pairs (default: 21)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: at least 1 is needed")
    measures = {"start": first_answer, "round trip": round_trip}
    found = {
        name: compare(measure, options.runs, PAIR) for name, measure in measures.items()
    }
    listed = tool_list(options.runs)  # lesson-04
    found |= {"tool list": listed} if listed else {}  # lesson-04
    servers = sdk_bench.measured(options.runs)  # lesson-05
    beside = busy.measured(min(options.runs, 5))  # lesson-07
    machine = f"Python {platform.python_version()}, {platform.system()}"
    if options.json:
        report = {"machine": machine, "runs": options.runs, **found}
        report |= {"sdk": servers} if servers else {}  # lesson-05
        report |= {"during an export": beside}  # lesson-07
        print(json.dumps(report))
    else:
        print(f"{machine}, {platform.machine()}, median of {options.runs} pairs")
        print(table(found))
        print(about_lists(listed))  # lesson-04
        print(f"\n{sdk_bench.table(servers)}")  # lesson-05
        print(f"\n{busy.table(beside)}")  # lesson-07
    over = [name for name in found if found[name]["ratio"] > BUDGETS[name]]
    over += busy.over(beside)  # lesson-07
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
