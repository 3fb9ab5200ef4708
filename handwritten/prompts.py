"""Prompts: messages that a person picks, ready to send to a model. (lesson 06)

A host shows them as commands or buttons, so title and arguments are for people, and
arguments are strings. The server's `prompts` has, by name, the definition, what makes
the messages and what completes the arguments (server/prompts).
"""

from handwritten.protocol import CACHE, Code, ProtocolError
from handwritten.text import quote


class PromptError(Exception):
    """The prompt can't be made of these arguments; the text says why."""


def list_prompts(request) -> dict:
    """`prompts/list`: every definition, always in the same order."""
    definitions = [definition for definition, *_ in request.server.prompts.values()]
    return {"prompts": definitions, **CACHE}


def get_prompt(request) -> dict:
    """`prompts/get`. Raises ProtocolError: for a prompt, every mistake is one."""
    name, arguments = request.params.get("name"), request.params.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise ProtocolError(
            Code.INVALID_PARAMS, "name is a string, arguments an object"
        )
    if name not in request.server.prompts:
        raise ProtocolError(Code.INVALID_PARAMS, f"Unknown prompt: {name}")
    definition, make, _ = request.server.prompts[name]
    try:
        check(definition, arguments)
        messages = make(arguments, request.user)
    except PromptError as error:
        raise ProtocolError(Code.INVALID_PARAMS, f"{name}: {error}") from None
    return {"description": definition["description"], "messages": messages}


def check(definition: dict, arguments: dict) -> None:
    """Raise PromptError where an argument is missing, unknown or no string."""
    known = {each["name"]: each for each in definition["arguments"]}
    for name, argument in known.items():
        if argument.get("required") and name not in arguments:
            raise PromptError(f"the argument {quote(name)} is missing")
    for name, value in arguments.items():
        if name not in known:
            raise PromptError(f"there is no argument {quote(name)}")
        if not isinstance(value, str):
            raise PromptError(f"{quote(name)} must be a string, not {quote(value)}")
