"""The helpdesk server on a pipe: `python -m handwritten`. (lesson 01)

It reads one JSON-RPC message a line from standard input, answers on standard output
and logs on standard error. To see it at work: `python -m lessons 01`.
"""

import sys

from handwritten import stdio
from handwritten.server import Server
from handwritten import helpdesk  # lesson-03


def helpdesk_server(log=lambda text: None) -> Server:
    """The server of this course, ready for a transport, a test or a notebook."""
    server = Server({"name": "helpdesk", "version": "1.0.0"}, log)
    server.about["instructions"] = helpdesk.INSTRUCTIONS  # lesson-03
    server.tools = helpdesk.TOOLS  # lesson-03
    return server


def main(arguments: list[str]) -> int:
    """Serve until the client hangs up: 0. A pipe that breaks, or Ctrl-C: 1."""
    if arguments:
        import argparse  # only help needs it, and it takes as long as all the rest

        parser = argparse.ArgumentParser("python -m handwritten", description=__doc__)
        parser.parse_args(arguments)
    try:
        stdio.serve(helpdesk_server(stdio.log))
    except (OSError, KeyboardInterrupt) as error:
        stdio.log(f"stopped by {type(error).__name__}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
