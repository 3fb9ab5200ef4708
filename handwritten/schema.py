"""Arguments against an inputSchema, as far as a server needs. (lesson 03)

Checked are `type`, `required`, `enum` and `additionalProperties: false` of flat
arguments. A `pattern` is left to the tool, which can say better what was meant. The
host of lesson 05 checks whole schemas, with a library.
"""

from handwritten.text import quote


def mismatch(schema: dict, arguments: dict) -> str:
    """What is wrong with the arguments, as a sentence; "" where nothing is."""
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in arguments:
            about = properties[name].get("description", "required")
            return f"the argument {quote(name)} is missing ({about})."
    for name, value in arguments.items():
        if name not in properties:
            known = ", ".join(map(quote, properties)) or "none"
            return f"there is no argument {quote(name)}. Arguments: {known}."
        kind, values = properties[name]["type"], properties[name].get("enum", [value])
        if not TYPES[kind](value):
            return f"{quote(name)} must be of type {kind}, not {quote(value)}."
        if value not in values:
            return f"{quote(name)} must be one of {quote(values)}, not {quote(value)}."
        lowest = properties[name].get("minimum", value)  # lesson-04
        if value < lowest:  # lesson-04
            return f"{quote(name)} must be at least {lowest}, not {quote(value)}."
        highest = properties[name].get("maximum", value)  # lesson-04
        if value > highest:  # lesson-04
            return f"{quote(name)} must be at most {highest}, not {quote(value)}."
    return ""


def is_integer(value: object) -> bool:
    """In JSON 1.0 is an integer, and true is none, whatever Python says."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


TYPES = {
    "string": lambda value: isinstance(value, str),
    "integer": is_integer,
}
