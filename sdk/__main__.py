"""The helpdesk server on the SDK: `python -m sdk`. (lesson 05)

It speaks over standard input and output, as `python -m handwritten` does.
"""

import argparse
import signal
import sys
import os  # lesson-06

from sdk import database


def main(arguments: list[str]) -> int:
    """Serve until the client hangs up: 0. What can't be used is one sentence: 2."""
    parser = argparse.ArgumentParser(
        "python -m sdk",
        description="The helpdesk on the official SDK, over standard input and output.",
        epilog="example: python -m sdk --data my/helpdesk",
    )
    add = parser.add_argument
    where = "where helpdesk.db is, or is made (else HELPDESK_DATA, else build/helpdesk)"
    add("--data", metavar="DIR", help=where)
    add("--plain", action="store_true", help="the SDK as it comes, without strict.py")
    options = parser.parse_args(arguments)
    try:
        from mcp.server import MCPServer
        from sdk.server import helpdesk_server
        from sdk.strict import StrictServer
    except ModuleNotFoundError as error:
        text = f"the package {error.name} is not installed: run make setup, and start"
        print(f"sdk: {text} this with the Python of .venv", file=sys.stderr)
        return 2
    try:
        data = database.Database(database.chosen(options.data))
    except database.DatabaseError as error:
        print(f"sdk: {error}", file=sys.stderr)
        return 2
    # Said at once: a client would only see that some requests fail.
    if problem := data.world.problem():  # lesson-06
        print(f"sdk: {problem}", file=sys.stderr)
        return 2
    # A bare name: it binds what is given to somebody, and proves nothing.
    data.world.user = os.environ.get("HELPDESK_USER") or "local"  # lesson-06
    # Ctrl-C ends it: the SDK's reader thread would wait for one more line.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    helpdesk_server(data, MCPServer if options.plain else StrictServer).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
