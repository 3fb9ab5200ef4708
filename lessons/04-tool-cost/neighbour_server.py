"""A neighbour of the helpdesk: a server that shows a list of tools, and no more.

The five lists in neighbours/ were written for this lesson; there is no calendar and no
browser behind them. Listing is real, on the course's own core, in both eras. A call is
answered with a tool error that says so, whatever its arguments.
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from handwritten import eras, server, stdio, tools

LISTS = Path(__file__).resolve().parent / "neighbours"
NAMES = ("files", "calendar", "code_host", "browser", "notes")


def neighbour(name: str, log=lambda text: None) -> server.Server:
    """The server with the saved list of that name."""
    saved = json.loads((LISTS / f"{name}.json").read_text(encoding="utf-8"))
    made = server.Server({"name": name, "version": "1.0.0"}, log)
    made.tools = {tool["name"]: (tool, None) for tool in saved["tools"]}
    return made


def only_a_list(request) -> dict:
    """`tools/call` here: it comes before the checks, as there is nothing to check."""
    name = request.params.get("name")
    if isinstance(name, str) and name in request.server.tools:
        return tools.refusal(
            f"{name} is only an entry of a list here: it does nothing."
        )
    return tools.call_tool(request)  # no such tool, and the core says that


def main(arguments: list[str]) -> int:
    """Serve until the client hangs up: 0. It stopped reading first, or Ctrl-C: 1."""
    parser = argparse.ArgumentParser(
        prog="neighbour_server.py",
        description=__doc__,
        epilog="example: python lessons/04-tool-cost/neighbour_server.py calendar",
    )
    parser.add_argument("name", choices=NAMES, help="which list")
    parser.add_argument(
        "--legacy",
        choices=("yes", "no"),
        default="yes",
        help="no: refuse the handshake of earlier revisions (default: yes)",
    )
    options = parser.parse_args(arguments)

    def log(text: str) -> None:
        os.write(2, f"{options.name}: {text}\n".encode("utf-8", "backslashreplace"))

    for methods in (server.METHODS, eras.LEGACY_METHODS):
        methods["tools/call"] = only_a_list
    if options.legacy == "no":
        eras.LEGACY_METHODS.clear()  # `initialize` is then an unknown method
    try:
        stdio.serve(neighbour(options.name, log))
    except (BrokenPipeError, KeyboardInterrupt) as error:
        log(f"stopped by {type(error).__name__}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
