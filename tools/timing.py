"""What a server takes to start and to answer, measured in pairs.

The rule: machines differ and are busy, so two things are measured in turn, in one run,
and what counts is the ratio.
"""

import json
import os
import statistics
import subprocess
import sys
import time

from lessons.manifest import META, ROOT

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


def compare(measure, runs: int, pair: tuple[str, str]) -> dict:
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
