"""The lists that a learner's `fit` is tried on, and what must come out of each.

A small case says what has to go as JSON Pointers into its one schema, so that the check
holds no second solution. Its budget is just below the cost of what is handed in: then
all of the first means is wanted, and nothing of the second.
"""

import copy
import json
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
CATALOG = json.loads((HERE / "catalog.json").read_text("utf-8"))["tools"]
CLEANED = json.loads((HERE / "cleaned.json").read_text("utf-8"))["tools"]
SENTENCES = [
    "Search the product catalog of the shop by words.",
    "Get one product by its sku, e.g. mat-02, with its name, price, weight, dimensions"
    " and how many are in stock.",
    "List the categories of the catalog with the number of products in each.",
    "Say how many pieces of a product are in stock, in each warehouse and in total.",
    "List what customers wrote about a product, newest first.",
    "Create an empty basket and give its handle.",
    "Add products to a basket by sku and number of pieces.",
    "Estimate what it costs to send a basket to an address, and when it would arrive.",
]
CUT = [
    {**tool, "description": text} for tool, text in zip(CLEANED, SENTENCES, strict=True)
]

JUST_BELOW = -1  # for a budget: one token less than what is handed in


class Case(NamedTuple):
    """One call of `fit`. `budget` None: just the cost of what is expected."""

    about: str
    tools: list[dict]  # costs more than the budget, but for the first two
    expected: list[dict] | None  # None: a ValueError that names the budget
    why: str
    budget: int | None = None
    keep: tuple[str, ...] = ()


def tool(schema: dict, description: str = "Searches the product catalog.") -> dict:
    """A tool with this schema, and around it members that nobody may touch."""
    return {
        "name": "search_catalog",
        "title": "Search the catalog",
        "description": description,
        "inputSchema": {"type": "object", **schema},
        "outputSchema": {"type": "object", "title": "Products", "$defs": {"Old": {}}},
    }


def small(about: str, schema: dict, gone: list[str], why: str) -> Case:
    """The case of one schema, of which only the parts at these pointers must go."""
    left = copy.deepcopy(schema)
    for pointer in gone:
        *path, last = [part.replace("~1", "/") for part in pointer.split("/")[1:]]
        holder = left
        for part in path:
            holder = holder[int(part) if isinstance(holder, list) else part]
        del holder[last]
    tools = [tool(schema)]
    return Case(about, tools, [tool(left)], why, JUST_BELOW, ("search_catalog",))


def words(title: str) -> dict:
    """The schema of a string, titled as generators title them."""
    return {"type": "string", "title": title}


def named(*names: str) -> list[dict]:
    """The tools of the catalog with these names, as short as they can be."""
    return [each for each in CUT if each["name"] in names]


BASKET = ("search_catalog", "add_to_basket")
MONEY = {
    "type": "object",
    "properties": {"currency": {"$ref": "#/$defs/Currency"}},
    "required": ["currency"],
}
CASES = [
    Case("an empty list and no budget", [], [], "nothing costs nothing", 0),
    Case(
        "a list that fits as it is",
        CATALOG,
        CATALOG,
        "the list costs just what the budget allows: nothing has to go",
    ),
    small(
        "title keywords at every depth",
        {
            "title": "search_catalogArguments",
            "properties": {
                "tags": {"type": "array", "title": "Tags", "items": words("Tag")},
                "shelf": {"anyOf": [words("Shelf"), {"type": "null"}]},
            },
            "additionalProperties": False,
        },
        [
            "/title",
            "/properties/tags/title",
            "/properties/tags/items/title",
            "/properties/shelf/anyOf/0/title",
        ],
        "a title is for a window, and no argument passes or fails by it",
    ),
    small(
        "a parameter that is called title",
        {
            "properties": {"title": words("Title"), "maker": words("Maker of it")},
            "required": ["title"],
            "dependentRequired": {"title": ["maker"]},
        },
        ["/properties/title/title", "/properties/maker/title"],
        "what stands in properties is a name, and so it is in dependentRequired",
    ),
    small(
        "values that have a title",
        {
            "properties": {
                "note": {
                    "title": "A note for the gift",
                    "default": {"title": "Gift", "text": "For you"},
                    "examples": [{"title": "Thanks", "text": "With love"}],
                },
                "card": {
                    "title": "The card beside the gift",
                    "enum": [{"title": "Sun"}, {"title": "Moon"}],
                },
                "wrap": {"title": "The paper", "const": {"title": "Red paper"}},
            }
        },
        ["/properties/note/title", "/properties/card/title", "/properties/wrap/title"],
        "what stands in default, const, enum and examples is data, and no schema",
    ),
    small(
        "definitions that nothing refers to",
        {
            "properties": {"query": {"type": "string"}},
            "$defs": {
                "Shelf": {"type": "object", "properties": {"row": words("Row")}},
                "Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
            },
        },
        ["/$defs"],
        "no argument is held against them: a definition that only refers to itself is"
        " not reached from outside, and a $defs with nothing in it goes as well",
    ),
    small(
        "a definition that only another definition refers to",
        {
            "properties": {"highest": {"$ref": "#/$defs/Money"}},
            "$defs": {
                "Currency": {"type": "string", "enum": ["EUR", "GBP"]},
                "Money": MONEY,
                "Address": {"type": "object", "properties": {"city": words("City")}},
            },
        },
        ["/$defs/Address"],
        "highest refers to Money, and Money to Currency: both are reached",
    ),
    small(
        "definitions under their older name, one of them called title",
        {
            "properties": {
                "heading": {"$ref": "#/definitions/title"},
                "city": {"$ref": "#/definitions/Shop/properties/city"},
            },
            "definitions": {
                "title": words("A title of a product"),
                "Shop": {"type": "object", "properties": {"city": words("City")}},
                "Address": {"type": "object", "properties": {"road": words("Road")}},
            },
        },
        [
            "/definitions/title/title",
            "/definitions/Shop/properties/city/title",
            "/definitions/Address",
        ],
        "a reference may lead into a definition, and then all of it is needed",
    ),
    small(
        "parameters that are called $defs, definitions and $ref",
        {
            "title": "search_catalogArguments",
            "properties": {
                "$defs": {"type": "object", "properties": {"Old": {"type": "string"}}},
                "definitions": words("Definitions"),
                "$ref": {"type": "string"},
            },
            "$defs": {"Unused": {"type": "string", "enum": ["never", "used"]}},
        },
        ["/title", "/properties/definitions/title", "/$defs"],
        "inside properties each of these words is the name of an argument",
    ),
    Case(
        "the catalog, and a budget that clean schemas meet",
        CATALOG,
        CLEANED,
        "cleaning is enough here, so all descriptions stay whole",
    ),
    Case(
        "the catalog, and a budget that needs short descriptions",
        CATALOG,
        CUT,
        "clean schemas are not enough, and one sentence for each tool is",
    ),
    Case(
        "descriptions with e.g., without a full stop, in other letters, and none",
        [
            tool({}, "Get a product by its sku, e.g. mat-02. Digits count. No names."),
            {
                **tool({}, "Sucht Gerätetürme für Yogaräume. Öffnet nichts."),
                "name": "a",
            },
            {**tool({}, "no full stop here"), "name": "b"},
            {"name": "c", "inputSchema": {"type": "object"}},
        ],
        [
            tool({}, "Get a product by its sku, e.g. mat-02."),
            {**tool({}, "Sucht Gerätetürme für Yogaräume."), "name": "a"},
            {**tool({}, "no full stop here"), "name": "b"},
            {"name": "c", "inputSchema": {"type": "object"}},
        ],
        "first_sentence says where a sentence ends; a description is not required",
    ),
    Case(
        "the catalog, and a budget for seven tools",
        CATALOG,
        CUT[:7],
        "the last tool in the list that need not be kept is the first to go",
    ),
    Case(
        "the catalog, and a budget for the two tools to keep",
        CATALOG,
        named(*BASKET),
        "what is named in keep stays, and the rest goes as far as needed",
        keep=BASKET,
    ),
    Case(
        "the catalog, and a budget for one more than the two to keep",
        CATALOG,
        named("get_product", *BASKET),
        "tools go one at a time, the last one first, until the list fits; the order"
        " of the others stays",
        keep=tuple(reversed(BASKET)),
    ),
    Case(
        "the catalog, and a budget too small for the tools to keep",
        CATALOG,
        None,
        "a list over the budget is no answer, and neither is a list without them",
        budget=300,
        keep=BASKET,
    ),
]
