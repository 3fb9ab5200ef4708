"""Completion: what a person who is typing may mean. (lesson 06)

For the arguments of prompts and the variables of templates, which people fill in; a
tool's arguments come from the model. Only what the person may see anyway is offered
(server/utilities/completion).
"""

from handwritten.protocol import Code, ProtocolError

MAX_VALUES = 100  # the specification's limit


def complete_argument(request) -> dict:
    """`completion/complete`. Raises ProtocolError for what can't be completed."""
    argument = request.params.get("argument")
    context = request.params.get("context", {})
    chosen = context.get("arguments", {}) if isinstance(context, dict) else None
    if not isinstance(argument, dict) or not isinstance(chosen, dict):
        words = "argument and context.arguments must be objects"
        raise ProtocolError(Code.INVALID_PARAMS, words)
    name, typed = argument.get("name"), argument.get("value")
    strings = all(isinstance(each, str) for each in (name, *chosen.values()))
    if not strings or not isinstance(typed, str):
        raise ProtocolError(Code.INVALID_PARAMS, "names and values must be strings")
    offers = offers_of(request)
    if name not in offers:
        raise ProtocolError(Code.INVALID_PARAMS, f"Unknown argument: {name}")
    found = best(typed, offers[name](chosen, request.user))
    more = len(found) > MAX_VALUES
    shown = {"values": found[:MAX_VALUES], "total": len(found), "hasMore": more}
    return {"completion": shown}


def offers_of(request) -> dict:
    """By argument: what lists its values, best first. Raises ProtocolError."""
    ref = request.params.get("ref")
    kind = ref.get("type") if isinstance(ref, dict) else None
    if kind == "ref/prompt":
        table, name = request.server.prompts, ref.get("name")
    elif kind == "ref/resource":
        table, name = request.server.templates, ref.get("uri")
    else:
        words = "ref.type must be ref/prompt or ref/resource"
        raise ProtocolError(Code.INVALID_PARAMS, words)
    if not isinstance(name, str) or name not in table:
        raise ProtocolError(Code.INVALID_PARAMS, f"Unknown reference: {name}")
    *_, offers = table[name]
    return offers


def best(typed: str, values: list[str]) -> list[str]:
    """Values that begin with what was typed, then those that hold it elsewhere."""
    typed = typed.lower()
    holding = [value for value in values if typed in value.lower()]
    return sorted(holding, key=lambda value: not value.lower().startswith(typed))
