"""What each remedy saves on a list: `python -m tools.techniques --help`. (lesson 04)"""

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

from tools import setup, techniques
from tools.selection import helpdesk, neighbours
from tools.techniques import Prices, Usage
from tools.techniques.caching import MINIMUM
from tools.tool_cost import CostError, compact, count, list_tools, read_list, shape
from tools.tool_cost.terminal import complain, split_words
from tools.transcript import run

EXAMPLE = """\
examples:
  python -m tools.techniques
  python -m tools.techniques --list saved.json --allow read_file,write_file
  python -m tools.techniques -- python my_server.py
"""
CALLS = 20  # of the model, all with the same list, for the cache
# Of one input token: what one vendor takes for writing to its cache and reading from
# it (Anthropic, five minutes; its pricing page, read 2026-11-30).
PRICES = Prices(input=1.0, write=1.25, read=0.1)


def main(arguments: list[str] | None = None) -> int:
    """0: compared; 2: not possible."""
    words = sys.argv[1:] if arguments is None else arguments
    mine, command = split_words(words)
    options = read_options(mine)
    try:
        code = setup.elsewhere("tools.techniques", words, "tiktoken", "toon")
        if code is not None:
            return code
        tools = tools_of(options.list, command)
        allowed = options.allow.split(",") if options.allow else []
        print("\n".join(table(tools, allowed)))
    except (CostError, setup.SetupError, ValueError) as error:
        return complain("techniques", error)
    return 0


def read_options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.techniques",
        usage="%(prog)s [--list FILE …] [--allow NAMES] [-- CMD ARGS…]",
        description="Compare what each remedy saves on a list of tools, in tokens. "
        "Without a list: the helpdesk and its five neighbours of lesson 04.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    more: Any = {"action": "extend", "nargs": "+", "type": Path, "metavar": "FILE"}
    add("--list", help="saved tools/list results", **more)
    add("--allow", metavar="NAMES", help="the tools of an allow-list, with commas")
    return parser.parse_args(words)


def tools_of(files: list[Path] | None, command: list[str]) -> list[dict]:
    """The tools of a server and of saved lists, in this order. Raises CostError."""
    tools = list_tools(command).tools if command else []
    for file in files or []:
        tools += read_list(file).tools
    if files is None and not command:
        tools = helpdesk() + [each for list_ in neighbours().values() for each in list_]
    if not tools:
        raise CostError("the list is empty: there is nothing to save")
    return tools


def table(tools: list[dict], allowed: list[str]) -> list[str]:
    """The remedies, a line each, and what a cache makes of the list."""
    before = cost(tools)
    cleaned = [techniques.clean(tool) for tool in tools]
    short = [techniques.first_sentence(tool) for tool in tools]
    both = [techniques.first_sentence(tool) for tool in cleaned]
    search = cost([techniques.search_tool()])
    found = search + 3 * before // len(tools)
    rows = [
        (cost(cleaned), "clean: no title keywords, no definitions without a reference"),
        (cost(short), "first sentence of each tool's description"),
        (cost(both), "both"),
        (search, "search: one tool that finds the others"),
        (found, "search, with three definitions found (of average size)"),
        (count(techniques.toon(shaped(tools))), "the same list as TOON"),
        (
            count(json.dumps(shaped(tools), ensure_ascii=False, indent=2)),
            "the same list as indented JSON",
        ),
    ]
    if allowed:
        few = techniques.allow(tools, allowed)
        names = f"allow-list: {len(few)} of the {len(tools)} tools"
        rows.insert(3, (cost(few), names))
    lines = [f"{'tokens':>8} {'change':>8}  what the model is given"]
    lines.append(f"{before:>8,} {'':>8}  the list as it is: {len(tools)} tools")
    lines += [f"{each:>8,} {change(each, before):>8}  {name}" for each, name in rows]
    return [*lines, "", *cache_table(tools)]


def cache_table(tools: list[dict]) -> list[str]:
    """What CALLS requests with this list cost, in uncached input tokens."""
    stable = [shaped(tools)] * CALLS
    chance = random.Random(4)
    shuffled = [chance.sample(shaped(tools), len(tools)) for _ in range(CALLS)]
    sent = sum(count(compact(request)) for request in stable)
    prices = f"to write a token costs {PRICES.write}, to read one {PRICES.read}"
    lines = [
        f"{CALLS} calls of the model send {sent:,} tokens. With a prompt cache",
        f"({prices}) they are billed like",
    ]
    for name, requests in (("the same", stable), ("another", shuffled)):
        spent = billed(techniques.breakpoint_usage(requests, count))
        lines.append(f"{spent:>8,} tokens, with the list in {name} order each time")
    if cost(tools) < MINIMUM:
        lines.append(
            f"A list of fewer than {MINIMUM:,} tokens is too short to be cached."
        )
    return lines


def billed(usage: Usage) -> int:
    """Uncached input tokens of the same price."""
    return round(techniques.cache_cost(usage, PRICES) * 1_000_000)


def shaped(tools: list[dict]) -> list[dict]:
    return [shape(tool, "claude") for tool in tools]


def cost(tools: list[dict]) -> int:
    return count(compact(shaped(tools)))


def change(after: int, before: int) -> str:
    return f"{100 * (after - before) / before:+.1f} %"


if __name__ == "__main__":
    sys.exit(run(main))
