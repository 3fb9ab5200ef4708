"""Lossless cleaning of schemas: what validates before validates after. (lesson 04)

Two things go: definitions that nothing refers to, and `title` keywords. What is one,
and which schema is left as it came, is decided by tool_cost/schemas.py.
"""

from tools.tool_cost.schemas import cleaned

SCHEMAS = ("inputSchema", "outputSchema")


def clean(tool: dict) -> dict:
    """The tool with schemas that validate the same and cost less."""
    schemas = {key: tool[key] for key in SCHEMAS if isinstance(tool.get(key), dict)}
    return {**tool, **{key: cleaned(schema) for key, schema in schemas.items()}}
