"""What the host does with a call that the model proposes. (lesson 03)

The model only proposes. The host checks, in this order, and the first check that fails
decides: is there such a tool? are the arguments an object of a sane size? is the tool
on the allow-list, or does the person say yes? A refusal is a text for the model.
"""

import json

from handwritten.text import quote

# Tools that run without asking. By name, chosen here: what a server claims about its
# tools (`readOnlyHint`) is shown to the person and decides nothing.
ALLOWED: tuple = ("get_ticket",)
ALLOWED += ("search_tickets", "search_policies")  # lesson-04
ALLOWED += ("read_address", "list_tickets", "chart_tickets")  # lesson-06
ALLOWED += ("get_recording", "read_draft", "list_drafts")  # lesson-06
MAX_ARGUMENTS = 2000  # characters, as JSON


def decide(call: dict, tools: dict, allowed, ask) -> tuple[bool, str]:
    """Whether the call is made, and why; a refusal's reason is told to the model."""
    name, arguments = call.get("name"), call.get("arguments")
    if not isinstance(name, str) or name not in tools:
        known = ", ".join(tools) or "none"
        return False, f"There is no tool {quote(name)}. Tools: {known}."
    if not isinstance(arguments, dict):
        return False, f"The arguments must be an object, not {quote(arguments)}."
    if (size := len(exact(arguments))) > MAX_ARGUMENTS:
        return False, f"The arguments have {size} characters, over {MAX_ARGUMENTS}."
    if name in allowed:
        return True, f"{name} is on the allow-list."
    claims = exact(tools[name].get("annotations"))[:300]
    # Exactly what will be sent, on one line, with escapes for what a terminal hides.
    if ask(f"Allow {exact(name)} {exact(arguments)}? The server claims: {claims}"):
        return True, "The person said yes."
    return False, f"The person did not allow {quote(name)}."


def misfit(call: dict, tools: dict, checker) -> str:  # lesson-05
    """What is wrong with the arguments, by the tool's inputSchema; "" where nothing is.

    Asked before the person is: a call that can't work is no question for anybody, and
    the model, which is told, can mend it. What decide() refuses is left to decide().
    """
    tool, arguments = tools.get(str(call.get("name"))), call.get("arguments")
    if checker is None or tool is None or not isinstance(arguments, dict):
        return ""
    small = len(exact(arguments)) <= MAX_ARGUMENTS
    return checker.arguments(tool, arguments) if small else ""


def exact(value: object) -> str:
    """As compact JSON on one line, with escapes for what is not ASCII."""
    return json.dumps(value, separators=(",", ":"))
