"""Bring a server's tool list under a budget, and break no call.

    python my/04/budget.py lessons/04-tool-cost/exercise/catalog.json 1600
    python my/04/budget.py lessons/04-tool-cost/exercise/catalog.json 600 get_product

The list is the product catalog's. Names behind the budget: tools to keep in any case.
"""

import json
import re
import sys

SHOWN = ("name", "description", "inputSchema")  # what a model is given of a tool


def cost(tools: list[dict]) -> int:
    """About how many tokens the tools cost a model, with nothing to install.

    An estimate: four bytes a token is a rule of thumb for English. A real vocabulary
    cuts JSON, names and other languages differently, and each model has its own;
    `python -m tools.tool_cost` counts the tokens of one.
    """
    return sum(-(-len(compact(tool)) // 4) for tool in tools)


def compact(tool: dict) -> bytes:
    """The parts that a model is given, as JSON without spaces."""
    shown = {key: tool[key] for key in SHOWN if key in tool}
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8")


def first_sentence(text: str) -> str:
    """Up to the first full stop before a space and a capital letter, else all of it."""
    for found in re.finditer(r"\.\s+", text):
        if text[found.end() :][:1].isupper():
            return text[: found.start() + 1]
    return text


def fit(tools: list[dict], budget: int, keep: list[str]) -> list[dict]:
    """The tools in their order, at a cost of at most `budget`; `tools` stays as it is.

    Each means is used only when the ones before it were not enough:

    1. Clean the inputSchema of every tool: no `title` keywords anywhere in it, and at
       its root no definition (in `$defs` or `definitions`) that nothing refers to; a
       definition counts when the rest of the schema reaches it, directly or by way
       of another definition. A `$defs` that would be left empty goes as well.
    2. Cut the description of every tool to its first sentence. Those of the arguments
       stay: they tell a model what to write.
    3. Leave out tools that are not named in `keep`: one at a time, the last one first.

    What validates never changes: a parameter may be called "title" or "$defs", and what
    stands in `default`, `const`, `enum` or `examples` is data. All that is not named
    here stays: a tool's own `title`, its outputSchema, its annotations.

    Raises ValueError, with the budget in its text, where all three are not enough.
    """
    # ---- Yours from here on. This believes that every list fits.
    return tools


def main(arguments: list[str]) -> int:
    path, budget, *keep = arguments
    with open(path, encoding="utf-8") as file:
        tools = json.load(file)["tools"]
    for name, some in (("before", tools), ("after", fit(tools, int(budget), keep))):
        print(f"{name + ':':<8}{cost(some):>6}", *(tool["name"] for tool in some))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
