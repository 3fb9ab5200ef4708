"""Measure servers one after the other, each alone, each in limited time. (lesson 04)

The rule: what a server says is counted and thrown away. Each is started in an empty
home, in a network of its own where the system allows that, with nothing of the
user's environment; its input is closed afterwards and its process ended.
"""

import contextlib
import datetime
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tools import tool_cost
from tools.cost_live import alone
from tools.cost_live.servers import Places, Server, helpdesk
from tools.tool_cost.terminal import fit

TIMEOUT = 60.0  # seconds; the slowest of them needs three, once it is in the cache
OPEN = """\
cost-live: this system can't cut a process off from the network without help: the
servers can reach it while they are measured (on Linux, unshare would)"""


@dataclass
class Measured:
    """The rows of one set, what failed, and the total if nothing did."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    total: dict[str, Any] | None = None


def measure_set(servers: Iterable[Server], places: Places) -> Measured:
    """Measure the helpdesk and these servers, with a line on stderr for each."""
    measured, everything = Measured(), []
    cut_off = can_cut_off()
    if not cut_off:
        print(OPEN, file=sys.stderr)
    for server in (helpdesk(), *servers):
        print(f"cost-live: measuring {server.name}", file=sys.stderr, flush=True)
        try:
            tools = ask(server, places, cut_off)
            counted = figures(tools)
        except (tool_cost.CostError, OSError, ValueError) as error:
            why = fit(str(error), 400).rstrip(".: ")
            measured.failures.append(f"{server.name} failed: {why}")
            continue
        measured.rows[server.name] = {
            "name": server.name,
            "package": server.package,
            "version": server.version(),
            **counted,
        }
        everything += tools
    if not measured.failures:
        measured.total = figures(everything)
    return measured


def ask(server: Server, places: Places, cut_off: bool) -> list[dict]:
    """The tools of one server. Raises CostError, OSError or ValueError."""
    home = tempfile.mkdtemp(prefix="cost-live-")
    try:
        network = ["unshare", "--map-root-user", "--net", "--"] if cut_off else []
        command = [*network, sys.executable, "-I", alone.__file__]
        command += ["cut-off" if cut_off else "open", home]
        command += [f"{name}={value}" for name, value in server.environment.items()]
        command += ["--", *server.command(places)]
        tools = tool_cost.list_tools(command, TIMEOUT).tools
    finally:
        # Where a server's child still writes, the system clears it away later.
        shutil.rmtree(home, ignore_errors=True)
    if not tools:
        raise ValueError("its list is empty")
    return tools


def figures(tools: list[dict]) -> dict[str, Any]:
    """What is kept of a list: the date, and three numbers."""
    total = tool_cost.measure(tools).total
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {
        "date": today,
        "tools": len(tools),
        "bytes": total.bytes,
        "tokens": total.tokens,
    }


def can_cut_off() -> bool:
    """Whether a process can be given a network of its own here."""
    program = shutil.which("unshare")
    if program is None or not sys.platform.startswith("linux"):
        return False
    command = [program, "--map-root-user", "--net", "--", sys.executable, "-c", ""]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        return not subprocess.run(command, capture_output=True, timeout=30).returncode
    return False
