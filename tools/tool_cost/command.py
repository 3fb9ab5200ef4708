"""The command line: which lists to measure, and what to say about them. (lesson 04)"""

import argparse
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tools import setup
from tools.child import split_command
from tools.tool_cost import chart, show
from tools.tool_cost.sizes import SHAPES
from tools.tool_cost.report import Source, examine
from tools.tool_cost.source import TIMEOUT, Listing, list_tools, read_list
from tools.tool_cost.terminal import complain, fit, split_words
from tools.tool_cost.vocabulary import CostError

EXAMPLE = """\
examples:
  python -m tools.tool_cost -- python -m handwritten
  python -m tools.tool_cost --server files="npx -y some-server /tmp" --list saved.json
"""


@dataclass(frozen=True)
class Wanted:
    """One list to measure: the name it was given, and how to get it."""

    name: str
    get: Callable[[], Listing]
    is_server: bool = True


def main(arguments: list[str] | None = None) -> int:
    """0: measured; 1: with --restart, a server lists other tools; 2: not possible."""
    words = sys.argv[1:] if arguments is None else arguments
    mine, command = split_words(words)
    options = _parser().parse_args(mine)
    try:
        wanted = _wanted(options, command)
        if options.chart:
            chart.check(options.chart)
        code = setup.elsewhere("tools.tool_cost", words, "tiktoken")
        return _measure(options, wanted) if code is None else code
    except (CostError, setup.SetupError) as error:
        return complain("tool_cost", error)


def _measure(options: argparse.Namespace, wanted: list[Wanted]) -> int:
    sources, changed = [], False
    for each in wanted:
        listing = _get(each)
        again = _get(each).tools if options.restart else None
        source = Source(each.name or listing.name or "server", listing, again)
        changed = changed or bool(source.changed())
        sources.append(source)
    result = examine(sources, options.shape, options.prefix, options.window)
    if options.chart:
        chart.draw(result, options.chart)
    if options.json:
        print(json.dumps(show.as_json(result), indent=2))
    else:
        print("\n".join(show.table(result)))
    return 1 if changed else 0


def _get(wanted: Wanted) -> Listing:
    if sys.stderr.isatty() and wanted.is_server:
        print(f"tool_cost: asking {fit(wanted.name, 80)}", file=sys.stderr)
    try:
        return wanted.get()
    except CostError as error:
        where = f"{wanted.name}: " if wanted.name and wanted.is_server else ""
        raise CostError(f"{where}{error}") from None


def _wanted(options: argparse.Namespace, command: list[str]) -> list[Wanted]:
    """What to measure, in the order said here: command, servers, saved lists."""
    servers = [("", command)] if command else []
    for text in options.server:
        named = re.fullmatch(r"([\w-]+)=(.*)", text, re.DOTALL)
        name, line = named.groups() if named else ("", text)
        try:
            servers.append((name, split_command(line)))
        except ValueError as error:
            raise CostError(f"--server {text!r}: {error}") from None
    found = [
        Wanted(name, partial(list_tools, words, options.timeout))
        for name, words in servers
    ]
    if options.restart and (options.list or not found):
        raise CostError("--restart starts servers twice, and a saved list is no server")
    found += [
        Wanted(Path(path).stem, partial(read_list, path), is_server=False)
        for path in options.list
    ]
    if not found:
        raise CostError("nothing to measure: name a server behind --, or a --list FILE")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.tool_cost",
        usage="%(prog)s [options] [-- CMD ARGS…]",
        description="What a list of tools costs a model, in tokens and bytes.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    server: Any = {"action": "append", "default": [], "metavar": "[NAME=]CMD"}
    add("--server", help="one more server; repeatable", **server)
    lists: Any = {"action": "extend", "nargs": "+", "default": [], "metavar": "FILE"}
    add("--list", help="saved tools/list results; repeatable", **lists)
    add("--shape", choices=SHAPES, default="claude", help="what is given to the model")
    about = "in front of each tool's name; {server} in it is the server's name"
    add("--prefix", default="", help=about)
    add("--restart", action="store_true", help="does a second process list the same?")
    about = "the share of a context window of so many tokens"
    add("--window", type=_positive(int), metavar="TOKENS", help=about)
    about = "seconds that a server gets to list its tools (default: 30)"
    add("--timeout", type=_positive(float), default=TIMEOUT, help=about)
    add("--json", action="store_true", help="print one JSON object")
    add("--chart", type=Path, metavar="FILE", help="draw the tools' bars: .svg or .png")
    return parser


def _positive(kind: type) -> Callable[[str], float]:
    def read(text: str):
        value = kind(text)
        if not 0 < value < 1e12:
            raise ValueError(text)
        return value

    read.__name__ = "positive number"  # argparse says: invalid positive number value
    return read
