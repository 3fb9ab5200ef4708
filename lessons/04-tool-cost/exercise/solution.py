"""A server's tool list under a budget: first what is free, then what costs.

    python my/04/budget.py lessons/04-tool-cost/exercise/catalog.json 1600
    python my/04/budget.py lessons/04-tool-cost/exercise/catalog.json 600 get_product

The list is the product catalog's. Names behind the budget: tools to keep in any case.
"""

import json
import re
import sys

SHOWN = ("name", "description", "inputSchema")  # what a model is given of a tool
# The keys inside these are names that somebody chose, and no keywords …
NAMED = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
# … and what stands in these is no schema at all.
DATA = ("default", "const", "enum", "examples", "dependentRequired")
DEFINITIONS = ("$defs", "definitions")


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

    Raises ValueError, with the budget in its text, where all three means fail.
    """
    for means in (unchanged, cleaned, cut):
        tools = [means(tool) for tool in tools]
        if cost(tools) <= budget:
            return tools
    for tool in reversed(tools):
        if tool["name"] not in keep:
            tools = [each for each in tools if each is not tool]
            if cost(tools) <= budget:
                return tools
    raise ValueError(
        f"the budget {budget} is too small: what is kept costs {cost(tools)}"
    )


def unchanged(tool: dict) -> dict:
    return tool


def cleaned(tool: dict) -> dict:
    """A tool whose inputSchema validates the same and costs less."""
    return {**tool, "inputSchema": without_titles(without_unused(tool["inputSchema"]))}


def cut(tool: dict) -> dict:
    """A tool with one sentence for its description."""
    if "description" not in tool:
        return tool
    return {**tool, "description": first_sentence(tool["description"])}


def without_titles(schema):
    """The same schema, all the way down; a new one, so that the old one stays."""
    if isinstance(schema, list):
        return [without_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key in DATA:
            kept[key] = value
        elif key in NAMED:
            kept[key] = {name: without_titles(each) for name, each in value.items()}
        elif key != "title":
            kept[key] = without_titles(value)
    return kept


def without_unused(schema: dict) -> dict:
    """The schema without the definitions at its root that nothing reaches."""
    waiting = [{key: schema[key] for key in schema if key not in DEFINITIONS}]
    reached = set()
    while waiting:
        for keyword, name in references(waiting.pop()):
            if (keyword, name) not in reached and name in schema.get(keyword, {}):
                reached.add((keyword, name))
                waiting.append(schema[keyword][name])  # it may refer to others
    kept = dict(schema)
    for keyword in DEFINITIONS:
        held = schema.get(keyword, {})
        kept[keyword] = {
            name: held[name] for name in held if (keyword, name) in reached
        }
        if not kept[keyword]:
            del kept[keyword]
    return kept


def references(schema):
    """Where the references in a schema lead: (keyword, name) of a definition."""
    if isinstance(schema, list):
        for each in schema:
            yield from references(each)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                parts = value.split("/")  # "#/$defs/Price", or deeper into it
                if len(parts) > 2 and parts[0] == "#" and parts[1] in DEFINITIONS:
                    yield parts[1], parts[2]
            elif key in NAMED:
                yield from references(list(value.values()))
            elif key not in DATA:
                yield from references(value)


def main(arguments: list[str]) -> int:
    path, budget, *keep = arguments
    with open(path, encoding="utf-8") as file:
        tools = json.load(file)["tools"]
    for name, some in (("before", tools), ("after", fit(tools, int(budget), keep))):
        print(f"{name + ':':<8}{cost(some):>6}", *(tool["name"] for tool in some))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
