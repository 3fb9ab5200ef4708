"""Definitions of tools, written in fewer lines. (lesson 06)

Every property is required unless it is named in `optional`.
"""

TICKET_ID: dict = {
    "type": "string",
    "pattern": "^[0-9]+$",
    "description": "Ticket number, digits only, e.g. 2318",
}
TEXT: dict = {"type": "string"}
COUNT: dict = {"type": "integer"}
READS = {"readOnlyHint": True, "openWorldHint": False}
# It adds something of the caller's own, and a second call adds it again.
ADDS = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False}


def tool(name: str, title: str, about: str, takes: dict, optional=(), **more) -> dict:
    """The definition; `more` is its outputSchema, where it has one, and its hints."""
    schema = {**record(takes, optional), "additionalProperties": False}
    return {
        "name": name,
        "title": title,
        "description": about,
        "inputSchema": schema,
        **more,
    }


def record(properties: dict, optional=()) -> dict:
    """The schema of an object."""
    required = [name for name in properties if name not in optional]
    shown = {"type": "object", "properties": properties}
    return {**shown, "required": required} if required else shown


def rows(properties: dict) -> dict:
    """The schema of a list of objects."""
    return {"type": "array", "items": record(properties)}
