"""Policies, and the tool that searches them. (lesson 04)"""

import functools
import json
import os

from handwritten.ranking import rank
from handwritten.text import quote
from handwritten.tools import Call, ToolError

SEARCH_POLICIES: dict = {
    "name": "search_policies",
    "title": "Search policies",
    "description": "Search the company's policies by words. Gives title, address,"
    " score and the beginning of each policy that fits, best first.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "Words that the policy would use, e.g. charged twice",
            },
            "limit": {"type": "integer", "minimum": 1, "maximum": 5, "default": 3},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "policies": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "uri": {"type": "string"},
                        "title": {"type": "string"},
                        "score": {"type": "number"},
                        "excerpt": {"type": "string"},
                    },
                    "required": ["uri", "title", "score", "excerpt"],
                },
            }
        },
        "required": ["policies"],
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}
EXCERPT = 300  # characters of a policy that a result shows


@functools.cache
def policies() -> list:
    """All policies, read from the file beside this one on first use."""
    path = os.path.join(os.path.dirname(__file__), "policies.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def search_policies(call: Call) -> dict:
    """The policies that share most words with the query. Raises ToolError: none."""
    query = call.arguments["query"]
    limit = int(call.arguments.get("limit", 3))
    ranked = rank(query, [f"{each['title']} {each['text']}" for each in policies()])
    if not ranked:
        right = "Try other words, for example charged twice."
        raise ToolError(f"No policy shares a word with {quote(query)}. {right}")
    found = [row(policies()[position], score) for score, position in ranked[:limit]]
    return {"policies": found}


def row(policy: dict, score: float) -> dict:
    """One policy as the outputSchema promises it."""
    shown = {"uri": policy["uri"], "title": policy["title"], "score": round(score, 2)}
    text = policy["text"]
    short = text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
    return {**shown, "excerpt": short}
