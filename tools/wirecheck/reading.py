"""A line of bytes as JSON: strict where RFC 8259 forbids or leaves things open.

Messages are UTF-8 (basic/transports/index) and one JSON object a line. What two
readers might take for two different things is called a doubt.
"""

import json
import re
from typing import Any, NamedTuple

UNREADABLE = frozenset({-32700, -32600})  # the errors for a line nobody can read

# A server may set limits, so a request beyond these may be refused unread.
LARGE = 1_000_000  # bytes
DEEP = 32  # brackets within brackets
LONG_NUMBER = 4000  # digits; Python itself refuses 4,301


class Reading(NamedTuple):
    """One line as JSON, and what keeps it from being a clean message."""

    value: Any = None
    fault: str = ""  # why it is not JSON; "" when it is
    codes: frozenset[int] = frozenset()  # the errors that answer the fault
    doubt: str = ""  # JSON, but readers differ over it; a server must not send it


def read_line(line: bytes) -> Reading:
    """The line as JSON: strict about what RFC 8259 forbids or leaves unpredictable."""
    doubts: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) < len(items):
            doubts.append("a key stands twice in one object")
        return made

    def number(text: str) -> int | float:
        return int(text) if len(text) <= LONG_NUMBER else float("inf")

    def constant(name: str) -> float:
        raise ArithmeticError(name)

    try:
        text = line.decode("utf-8")
        if text.startswith("\ufeff"):
            doubts.append("it begins with a byte order mark")
        value = json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=pairs,
            parse_int=number,
            parse_constant=constant,
        )
    except UnicodeDecodeError as error:
        return Reading(None, f"not UTF-8 at byte {error.start}", UNREADABLE)
    except ArithmeticError as error:
        return Reading(None, f"{error} is no JSON value", UNREADABLE)
    except RecursionError:
        return Reading(None, "nested too deeply to be read", UNREADABLE)
    except ValueError as error:
        return Reading(None, f"not JSON: {error}", frozenset({-32700}))
    if re.search(rb"\\u[dD][89a-fA-F]", line) and not _encodes(value):
        doubts.append("half of a surrogate pair stands alone")
    return Reading(value, doubt="; ".join(dict.fromkeys(doubts)))


def is_heavy(line: bytes, value: object) -> bool:
    """Whether a server may refuse this line for its size, depth or digits."""
    if len(line) > LARGE or re.search(rb"[0-9]{%d}" % LONG_NUMBER, line):
        return True
    layer, depth = [value], 0
    while layer and depth <= DEEP:
        inner = [each for each in layer if isinstance(each, dict | list)]
        layer = [x for y in inner for x in (y.values() if isinstance(y, dict) else y)]
        depth += 1
    return depth > DEEP


def _encodes(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
