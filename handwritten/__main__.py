"""The helpdesk server on a pipe: `python -m handwritten`. (lesson 01)

It reads one JSON-RPC message a line from standard input, answers on standard output
and logs on standard error. To see it at work: `python -m lessons 01`.
"""

import sys
import os  # lesson-06

from handwritten import stdio
from handwritten.server import Server
from handwritten import helpdesk  # lesson-03
from handwritten.world import World, folder  # lesson-06


def helpdesk_server(log=lambda text: None, **options) -> Server:
    """The server of this course, ready for a transport, a test or a notebook."""
    server = Server({"name": "helpdesk", "version": "1.0.0"}, log)
    server.about["instructions"] = helpdesk.INSTRUCTIONS  # lesson-03
    server.tools = helpdesk.TOOLS  # lesson-03
    server.resources = helpdesk.RESOURCES  # lesson-06
    server.templates = helpdesk.TEMPLATES  # lesson-06
    server.prompts = helpdesk.PROMPTS  # lesson-06
    server.world = World(**options)  # lesson-06
    return server


def main(arguments: list[str], **options) -> int:
    """Serve until the client hangs up: 0. A pipe that breaks, or Ctrl-C: 1."""
    if arguments:
        import argparse  # only help needs it, and it takes as long as all the rest

        parser = argparse.ArgumentParser("python -m handwritten", description=__doc__)
        where = "for a key and drafts (HELPDESK_DATA, build/helpdesk)"  # lesson-06
        parser.add_argument("--data", metavar="DIR", help=where)  # lesson-06
        options = vars(parser.parse_args(arguments))
    options["data"] = folder(options.get("data"))  # lesson-06
    # A bare name: it binds what is given to somebody, and proves nothing.
    options["user"] = os.environ.get("HELPDESK_USER") or "local"  # lesson-06
    # Said at once: a client would only see that some requests fail.
    if problem := World(**options).problem():  # lesson-06
        stdio.log(problem)
        return 2
    try:
        stdio.serve(helpdesk_server(stdio.log, **options))
    except (OSError, KeyboardInterrupt) as error:
        stdio.log(f"stopped by {type(error).__name__}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
