"""One conversation between a person, a mock model and a server. (lesson 03)

For example: python -m host "What is happening with ticket #2318?"
"""

import argparse
import json
import os
import re
import sys

from handwritten.protocol import shorten
from host import decide, show
from host.app import Host
from host.client import Client
from host.models.mock import MockModel
from tools.child import split_command
from host.toolbox import Toolbox  # lesson-04
from host.schemas import Checker  # lesson-05
from host import attach  # lesson-06
from host.bar import Bar  # lesson-07

# What may stand for a whole command line after --server.
SHORT_NAMES = {"sdk": "python -m sdk"}  # lesson-05
# With one of these there is no question.
INSTEAD = {"--prompt", "--prompts", "--resources"}  # lesson-06
READ = "give the model what is at this address, too; repeatable"  # lesson-06
USE = "send this prompt of the server in place of a question"  # lesson-06


def read_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m host", description=__doc__)
    add = parser.add_argument
    add("question")
    add("--server", action="append", help="a command line, or name=command; repeatable")
    add("--json", action="store_true", help="print the whole run as one JSON object")
    add("--yes", action="store_true", help="allow each call that would be asked about")
    add("--no", action="store_true", help="refuse each call that would be asked about")
    add("--allow", default=",".join(decide.ALLOWED), help="tools that need no asking")
    # lesson-04
    add("--tools", default="all", help="all, search, or names: what the model is given")
    parser.epilog = 'or: python -m host "Is ticket 2318 open?" --tools get_ticket'
    parser.epilog += "; --server sdk is short for python -m sdk"  # lesson-05
    # lesson-06
    add("--attach", action="append", metavar="URI", default=[], help=READ)
    one = parser.add_mutually_exclusive_group().add_argument
    one("--resources", action="store_true", help="list what can be attached, and end")
    one("--prompt", nargs="+", metavar=("NAME", "KEY=VALUE"), default=[], help=USE)
    one("--prompts", action="store_true", help="list the prompts, and end")
    parser.epilog += '; --attach ticket://2318 "What does the customer want?"'
    parser.epilog += "; --prompt draft_reply ticket_id=2318"
    if INSTEAD.intersection(each.partition("=")[0] for each in arguments):
        arguments = ["", *arguments]

    return parser.parse_args(arguments)


def clients(texts: list[str] | None) -> list[Client]:
    """The servers of `--server`. Raises ValueError: a command that can't be split."""
    if not texts:
        return [Client("helpdesk", [sys.executable, "-m", "handwritten"])]
    found = []
    for number, text in enumerate(texts, 1):
        named = re.fullmatch(r"([\w-]+)=(.*)", text, re.DOTALL)
        name, command = named.groups() if named else (f"server {number}", text)
        name = text if text in SHORT_NAMES else name  # lesson-05
        command = SHORT_NAMES.get(command, command)  # lesson-05
        found.append(Client(name, split_command(command)))
    names = [client.name for client in found]  # lesson-04
    if twice := [name for name in names if names.count(name) > 1]:  # lesson-04
        raise ValueError(f"--server: two servers are called {twice[0]}.")
    return found


def main(arguments: list[str]) -> int:
    """0: answered; 1: no answer within the steps; 2: no server could be used."""
    options = read_options(arguments)
    line = show.nothing if options.json else show.line
    person = show.Person(options.yes, options.no)
    person.blind = options.json  # lesson-07
    host = Host(MockModel(), person, line, re.findall(r"[^\s,]+", options.allow))
    host.bar = Bar() if sys.stderr and not options.json else None  # lesson-07
    servers: list[Client] = []
    try:
        servers = clients(options.server)
        host.toolbox = Toolbox(options.tools)  # lesson-04
        host.checker = Checker()  # lesson-05
        if not any([host.connect(server) for server in servers]):
            raise ValueError("; ".join(step["text"] for step in host.steps))
        if options.resources or options.prompts:  # lesson-06
            feature = "resources" if options.resources else "prompts"
            return attach.catalog(host, feature, options.json)
        attach.pick(host, options.attach, options.prompt)  # lesson-06
        options.question = options.question or " ".join(options.prompt)  # lesson-06
        answer = host.converse(options.question)
        run = {"question": options.question, "answer": answer, "usage": host.usage}
        run["steps"] = host.steps
        if options.json:
            print(json.dumps(run, ensure_ascii=False, indent=2), flush=True)
    except ValueError as error:
        print(f"host: {shorten(str(error), 5000)}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    finally:
        for server in servers:
            server.close()
        if host.checker:  # lesson-05
            host.checker.close()
    return 0 if answer is not None else 1


if __name__ == "__main__":
    # UTF-8 everywhere, whatever the locale; one that was closed is None.
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore
    # What is typed may be no text at all.
    if sys.stdin:  # lesson-07
        sys.stdin.reconfigure(errors="replace")  # type: ignore
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:  # the servers are closed, or killed, by now
        sys.exit(130)
