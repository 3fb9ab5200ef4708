"""What the tool lists of published servers cost: `make cost-live`. (lesson 04)

The rule: only figures are kept. Pinned packages are installed in a folder of their
own, each server is asked for its list once, alone (`alone.py`), and what is written
is its name, package, version, the date, and how many tools, bytes and tokens its list
has. A server that fails costs a sentence, and its row stays as it was.
"""

import argparse
import os
import sys

from tools.cost_live.install import InstallError, node_modules, venv_python
from tools.cost_live.measure import measure_set
from tools.cost_live.servers import POPULAR, SMALL, Places
from tools.cost_live.table import TABLE, TableError, merge, read, show, write
from tools.setup import SetupError, elsewhere
from tools.tool_cost import CostError, count
from tools.tool_cost.terminal import complain

__all__ = ["main"]
DESCRIPTION = """\
Install five published servers that need only pip (with NODE=1 also five popular
ones, four of them from npm) in build/cost-live, measure their tool lists, and write
the figures to lessons/04-tool-cost/live.json."""


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: all measured; 1: some server failed; 2: could not run."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.cost_live",
        description=DESCRIPTION,
        epilog="example: NODE=1 python -m tools.cost_live (= make cost-live NODE=1)",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    about = "print the figures that are written there, and measure nothing"
    parser.add_argument("--show", action="store_true", help=about)
    if parser.parse_args(arguments).show:
        return _show()
    try:
        code = elsewhere("tools.cost_live", [], "tiktoken")
        if code is not None:
            return code
        return _run(os.environ.get("NODE", "") not in ("", "0"))
    except (InstallError, CostError, TableError, SetupError, OSError) as error:
        return complain("cost-live", error)
    except KeyboardInterrupt:
        print("\ncost-live: stopped.", file=sys.stderr)
        return 130


def _show() -> int:
    try:
        table = read(TABLE)
    except (TableError, OSError) as error:
        return complain("cost-live", error)
    print("\n".join(show(name, table[name]) for name in ("small", "popular")))
    return 0


def _run(with_node: bool) -> int:
    # What can't work is better known before the long part.
    read(TABLE)
    count("a word")  # the vocabulary is there
    places = Places(venv_python())
    failed = _update("small", SMALL, places)
    if with_node:
        places = Places(places.python, *node_modules())
        failed += _update("popular", POPULAR, places)
    return 1 if failed else 0


def _update(name: str, servers, places: Places) -> int:
    """Measure one set, write and print its figures; how many servers failed."""
    measured = measure_set(servers, places)
    table = merge(read(TABLE), name, servers, measured)
    write(TABLE, table)
    for line in measured.failures:
        print(f"cost-live: {line}: its row stays as it was", file=sys.stderr)
    if measured.total is None:
        print("cost-live: and so does the total of the set", file=sys.stderr)
    print(show(name, table[name]))
    return len(measured.failures)
