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
import os
import platform
import statistics
import subprocess
import sys
import time

from lessons.manifest import META, ROOT
from tools.tool_cost import bench as lists  # lesson-04

OURS, ECHO = "handwritten", "tools.echo"
BUDGETS = {"start": 1.4, "round trip": 1.8}
BUDGETS["tool list"] = 6.0  # lesson-04
PARAMS = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}, "_meta": META}
REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": PARAMS}
DISCOVER = {**REQUEST, "method": "server/discover"}
TRIPS = 500  # round trips that one measurement is the mean of


def start(module: str):
    command = [sys.executable, "-m", module]
    given: dict = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    # PYTHONDONTWRITEBYTECODE, say, would compile one of the two anew each time.
    given["env"] = {
        name: os.environ[name] for name in os.environ if not name.startswith("PYTHON")
    }
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, **given)


def trip(server, line: bytes) -> None:
    """One request there, one answer back."""
    server.stdin.write(line)
    server.stdin.flush()
    if not server.stdout.readline():
        raise RuntimeError("the server ended")


def first_answer(module: str) -> float:
    """Seconds from starting the process to its first answer."""
    begun = time.perf_counter()
    with start(module) as server:
        trip(server, json.dumps(DISCOVER).encode() + b"\n")
        taken = time.perf_counter() - begun
        server.stdin.close()
    return taken


def round_trip(module: str) -> float:
    """Seconds of one request and answer on a server that is warm, on average."""
    line = json.dumps(REQUEST).encode() + b"\n"
    with start(module) as server:
        for _ in range(50):
            trip(server, line)
        begun = time.perf_counter()
        for _ in range(TRIPS):
            trip(server, line)
        taken = time.perf_counter() - begun
        server.stdin.close()
    return taken / TRIPS


def compare(measure, runs: int, pair: tuple[str, str] = (OURS, ECHO)) -> dict:
    """Medians in ms and the median of the ratios, the two measured in turn."""
    for each in pair:  # the first run writes the bytecode
        measure(each)
    pairs = []
    for number in range(runs):
        print(f"\r{number + 1} of {runs}", end="", file=sys.stderr, flush=True)
        pairs.append([measure(each) for each in pair])
    print("\r" + " " * 20 + "\r", end="", file=sys.stderr)
    ours, echo = (statistics.median(each) * 1000 for each in zip(*pairs, strict=True))
    ratio = statistics.median(mine / other for mine, other in pairs)
    return {"ours": round(ours, 3), "echo": round(echo, 3), "ratio": round(ratio, 2)}


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
    found = {name: compare(measure, options.runs) for name, measure in measures.items()}
    listed = tool_list(options.runs)  # lesson-04
    found |= {"tool list": listed} if listed else {}  # lesson-04
    machine = f"Python {platform.python_version()}, {platform.system()}"
    if options.json:
        print(json.dumps({"machine": machine, "runs": options.runs, **found}))
    else:
        print(f"{machine}, {platform.machine()}, median of {options.runs} pairs")
        print(f"{'':12}{'by hand':>12}{'echo':>12}{'ratio':>8}{'budget':>8}")
        for name, row in found.items():
            times = f"{row['ours']:>9.3f} ms{row['echo']:>9.3f} ms"
            print(f"{name:12}{times}{row['ratio']:>8.2f}{BUDGETS[name]:>8.1f}")
        print(about_lists(listed))  # lesson-04
    return int(any(found[name]["ratio"] > BUDGETS[name] for name in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
