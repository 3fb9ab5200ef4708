"""Addresses against templates: RFC 6570, level 1. (lesson 06)

`ticket://{ticket_id}` fits `ticket://2318`, and says that ticket_id is "2318". A value
is one step of a path and never a way out of it: no slash or backslash, no `.` or `..`,
no control character, neither plain nor as an escape such as %2F (server/resources,
"Security Considerations"). Escapes are read once, so %252F is an odd name and no slash.
"""

import functools
import re

MAX_URI = 2048  # characters
# What an expanded value consists of (RFC 6570, 3.2.2).
VALUE = "((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
NO_STEP = re.compile(r"\.{1,2}|.*[/\\\x00-\x1f\x7f-\x9f\u2028\u2029].*", re.DOTALL)


def match(template: str, uri: str) -> dict | None:
    """The variables of the template as the address has them; None: it doesn't fit."""
    pattern, names = compiled(template)
    found = pattern.fullmatch(uri) if len(uri) <= MAX_URI else None
    if found is None:
        return None
    values = [unescape(value) for value in found.groups()]
    if any(value is None or NO_STEP.fullmatch(value) for value in values):
        return None
    return dict(zip(names, values, strict=True))


@functools.cache
def compiled(template: str) -> tuple[re.Pattern, list[str]]:
    """A pattern with one group for each variable, and the variables' names."""
    parts = re.split(r"\{([a-z_]+)\}", template)  # text and name by turns
    parts[::2] = map(re.escape, parts[::2])
    return re.compile(VALUE.join(parts[::2])), parts[1::2]


def unescape(text: str) -> str | None:
    """The text with its escapes read, once; None where they are no UTF-8."""
    from urllib.parse import unquote_to_bytes

    try:
        return unquote_to_bytes(text).decode()
    except ValueError:
        return None
