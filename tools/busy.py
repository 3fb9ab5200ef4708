"""Round trips on one pipe, with and without an export running on it. (lesson 07)

The rule: an export gives way. What is measured is the median of many calls of
get_ticket, so a few that wait behind a step of the export do not show; that none waits
for the whole export is what the tests are for.
"""

import importlib.util
import json
import statistics
import time

from tools import timing

CALLS = 1_000
PAIR = ("busy", "idle")
BUDGET = 3.0


def measure(module: str, kind: str) -> float:
    """The median round trip in seconds; `kind` is one of PAIR."""
    with timing.start(module) as server:
        talk = Talk(server, kind == "busy")
        for _ in range(50):
            talk.trip()
        median = statistics.median(talk.trip() for _ in range(CALLS))
        server.stdin.close()
        server.stdout.read()  # an export that still runs is answered first
    return median


def measured(runs: int) -> dict[str, dict]:
    """For each server, medians in ms and their ratio, the two kinds in turn."""
    servers = ["handwritten"]
    if importlib.util.find_spec("mcp") is not None:
        servers.append("sdk")
    found = {}
    for module in servers:
        row = timing.compare(lambda kind, name=module: measure(name, kind), runs, PAIR)
        found[module] = {"busy": row["ours"], "idle": row["echo"]}
        found[module]["ratio"] = row["ratio"]
    return found


def table(found: dict[str, dict]) -> str:
    """The rows for a terminal."""
    rows = [f"{'round trip':12}{'export':>12}{'alone':>12}{'ratio':>8}{'budget':>8}"]
    for name, row in found.items():
        times = f"{row['busy']:>9.3f} ms{row['idle']:>9.3f} ms"
        rows.append(f"{name:12}{times}{row['ratio']:>8.2f}{BUDGET:>8.1f}")
    about = f"Median of {CALLS:,} calls of get_ticket while an export runs, or none."
    return "\n".join([*rows, about])


def over(found: dict[str, dict]) -> list[str]:
    """The servers that an export slows down by more than the budget."""
    return [name for name in found if found[name]["ratio"] > BUDGET]


class Talk:
    """Calls of get_ticket on a server that always has an export in hand, or none."""

    def __init__(self, server, exporting: bool):
        self.server, self.exporting, self.running = server, exporting, False

    def trip(self) -> float:
        """Seconds from the request to its own answer."""
        if self.exporting and not self.running:
            params = {**timing.PARAMS, "name": "export_tickets", "arguments": {}}
            self.send({**timing.REQUEST, "id": "export", "params": params})
            self.running = True
        begun = time.perf_counter()
        self.send(timing.REQUEST)
        while self.receive() != timing.REQUEST["id"]:
            self.running = False  # that was the export's
        return time.perf_counter() - begun

    def send(self, message: dict) -> None:
        self.server.stdin.write(json.dumps(message).encode() + b"\n")
        self.server.stdin.flush()

    def receive(self):
        """The id of the next answer."""
        line = self.server.stdout.readline()
        if not line:
            raise RuntimeError("the server ended")
        return json.loads(line)["id"]
