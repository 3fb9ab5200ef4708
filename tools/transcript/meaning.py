"""Two lines of a pipe: what they mean, apart from how they are written. (lesson 05)

The rule: the order of keys, spacing, the form of a number and the escapes of a text are
writing; a key that one side alone has is extra, unless it says what the message is;
everything else is meaning, the order of an array too. Only where every item of a list
has a name of its own are the items paired by it: then their order is writing. A text
block that holds JSON on both sides is compared as JSON.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tools.transcript.lines import NOT_JSON, parsed

CHANGED, ONLY_A, ONLY_B = "differs", "only in A", "only in B"
IN_TEXT = " (JSON) "  # parts the place of a text block from the place inside it
# Keys that say what a message is, as the parts of a message itself do; absent, they
# mean this (server/tools and basic/index of the specification).
ABSENT = {"/result/isError": False, "/result/resultType": "complete"}
NAMES = ("name", "uri", "uriTemplate")  # what items of lists are called by
TOKEN = re.compile(rb'("(?:[^"\\]|\\.)*")|(-?[0-9][0-9.eE+-]*)|([ \t\r]+)')


@dataclass(frozen=True)
class Difference:
    """One place that differs: a JSON Pointer (RFC 6901), both values (`...`: none)."""

    kind: str  # CHANGED, ONLY_A or ONLY_B
    pointer: str
    a: Any = ...
    b: Any = ...


@dataclass
class Compared:
    """Two lines: what differs in meaning or by a key, and how they are written."""

    differences: list[Difference] = field(default_factory=list)
    writing: set[str] = field(default_factory=set)

    @property
    def changed(self) -> list[Difference]:
        return [each for each in self.differences if each.kind == CHANGED]

    @property
    def extra(self) -> list[Difference]:
        return [each for each in self.differences if each.kind != CHANGED]

    @property
    def verdict(self) -> str:
        """The strongest of what was found, in two words at most."""
        if self.changed:
            return "different"
        if self.extra:
            return "more keys"
        return "same meaning" if self.writing else "same"


def compare(a: bytes, b: bytes) -> Compared:
    """What differs between two lines, without their newlines."""
    found = Compared()
    if a == b:
        return found
    values = parsed(a), parsed(b)
    if NOT_JSON in values:
        found.differences.append(Difference(CHANGED, "", a, b))
        return found
    try:
        _walk("", *values, found)
    except RecursionError:  # read in C, and too deep for Python
        found.differences = [Difference(CHANGED, "", a, b)]
        return found
    found.writing |= _writing(a, b, not found.differences)
    if not found.differences and not found.writing:
        found.writing.add("spacing")  # as much of it, in other places
    return found


def _walk(place: str, a: Any, b: Any, found: Compared) -> None:
    """Add what differs at this place and below it."""
    if isinstance(a, dict) and isinstance(b, dict):
        _walk_object(place, a, b, found)
    elif isinstance(a, list) and isinstance(b, list):
        _walk_array(place, a, b, found)
    elif not _equal(a, b):
        found.differences.append(Difference(CHANGED, place, a, b))
    elif type(a) is not type(b):
        found.writing.add("number form")


def _equal(a: Any, b: Any) -> bool:
    """Whether two values that are not both objects or both arrays are the same."""
    numbers = {type(a), type(b)} <= {int, float}
    if numbers and (math.inf in (a, b) or -math.inf in (a, b)):
        return False  # such as 1e999: what was sent is not known any more
    return a == b and (numbers or type(a) is type(b))


def _walk_object(place: str, a: dict, b: dict, found: Compared) -> None:
    shared = [key for key in a if key in b]
    if shared != [key for key in b if key in a]:
        found.writing.add("order")
    for key in {**a, **b}:
        below = f"{place}/{key.replace('~', '~0').replace('/', '~1')}"
        if key not in b or key not in a:
            found.differences.append(_one_side(below, a.get(key, ...), b.get(key, ...)))
        elif key == "text" and a.get("type") == b.get("type") == "text":
            _walk_text(below, a[key], b[key], found)
        else:
            _walk(below, a[key], b[key], found)


def _one_side(place: str, a: Any, b: Any) -> Difference:
    """A key that one side alone has; the other value is `...`."""
    value = a if b is ... else b
    part_of_message = place.count("/") == 1
    if part_of_message or ABSENT.get(place, value) != value:
        return Difference(CHANGED, place, a, b)
    return Difference(ONLY_A if b is ... else ONLY_B, place, a, b)


def _walk_text(place: str, a: Any, b: Any, found: Compared) -> None:
    """A text block: as JSON where both texts hold an object or an array."""
    if a != b and isinstance(a, str) and isinstance(b, str):
        values = _json_in(a), _json_in(b)
        if NOT_JSON not in values:
            found.writing.add("JSON text")
            return _walk(place + IN_TEXT, *values, found)
    return _walk(place, a, b, found)


def _json_in(text: str) -> Any:
    value = parsed(text.encode("utf-8", "replace"))
    return value if isinstance(value, dict | list) else NOT_JSON


def _walk_array(place: str, a: list, b: list, found: Compared) -> None:
    names = None if place.endswith("/content") else _names(a, b)
    if names:
        _walk_named(place, *names, found)
        return
    for index, (left, right) in enumerate(zip(a, b, strict=False)):
        _walk(f"{place}/{index}", left, right, found)
    # An item more is no key more: a reader of the array gets another array.
    for index in range(len(b), len(a)):
        found.differences.append(Difference(CHANGED, f"{place}/{index}", a[index], ...))
    for index in range(len(a), len(b)):
        found.differences.append(Difference(CHANGED, f"{place}/{index}", ..., b[index]))


def _walk_named(place: str, a: dict, b: dict, found: Compared) -> None:
    """Two arrays whose items have names; the places are those of A, then of B."""
    if [name for name in a if name in b] != [name for name in b if name in a]:
        found.writing.add("item order")
    for index, (name, item) in enumerate(a.items()):
        if name in b:
            _walk(f"{place}/{index}", item, b[name], found)
        else:
            found.differences.append(Difference(CHANGED, f"{place}/{index}", item, ...))
    for index, (name, item) in enumerate(b.items()):
        if name not in a:
            found.differences.append(Difference(CHANGED, f"{place}/{index}", ..., item))


def _names(a: list, b: list) -> tuple[dict, dict] | None:
    """The items by their names, where all on both sides have names of their own."""
    for key in NAMES:
        sides = [_named(side, key) for side in (a, b)]
        if a and b and None not in sides:
            return sides[0] or {}, sides[1] or {}
    return None


def _named(items: list, key: str) -> dict | None:
    found = {}
    for item in items:
        name = item.get(key) if isinstance(item, dict) else None
        if not isinstance(name, str) or name in found:
            return None
        found[name] = item
    return found


def _writing(a: bytes, b: bytes, equal: bool) -> set[str]:
    """How two lines of JSON are written differently, as far as that can be told.

    Where the values are not equal, the texts and numbers differ anyhow.
    """
    tokens = list(_tokens(a)), list(_tokens(b))
    texts, numbers, spaces = (
        [Counter(token[kind] for token in side if token[kind]) for side in tokens]
        for kind in range(3)
    )
    found = set()
    if spaces[0] != spaces[1] if equal else bool(spaces[0]) != bool(spaces[1]):
        found.add("spacing")
    if equal and texts[0].total() != texts[1].total():
        found.add("repeated keys")  # the last of them counts
    elif equal and numbers[0] != numbers[1]:
        found.add("number form")
    return found | ({"escapes"} if equal and _escaped(*texts) else set())


def _tokens(line: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    yield from TOKEN.findall(line)


def _escaped(a: Counter, b: Counter) -> bool:
    """Whether some text is written with escapes on one side, without on the other."""
    plain = [Counter(map(parsed, side)) for side in (a - b, b - a)]
    return bool(plain[0] & plain[1])
