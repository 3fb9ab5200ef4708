"""What a client carried from an answer into a later line: cursors, handles, states.

The rule: a token is a text of a server's message (or of JSON inside such a text) with
20 or more of the characters A-Z a-z 0-9 _ . ~ = + / -, among them a capital letter or
a digit, so that the name of a tool is none. It is carried when it stands, whole, in a
line that the client sends later, even within a longer text. Its value means nothing to
the client, so two recordings that differ in it alone are the same, and a replay sends
what the fresh server gave in that place. A token that never came back counts as all
else does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tools.transcript.lines import NOT_JSON, parsed

if TYPE_CHECKING:
    from tools.transcript import Entry

TOKEN = re.compile(r"(?=[^A-Z0-9]*[A-Z0-9])[A-Za-z0-9_.~=+/-]{20,}")
DEEPEST = 50  # brackets within brackets that are looked into


def labelled(entries: list[Entry]) -> list[Entry]:
    """These lines with each carried token as a label, numbered by its first use."""
    labels: dict[bytes, bytes] = {}
    given: set[bytes] = set()
    for each in entries:
        if each.dir == "server":
            given |= {text.encode("ascii") for _, text in tokens(each.line)}
        elif each.dir == "client" and (pattern := _any_of(given, each.line)):
            for token in pattern.findall(each.line):
                labels.setdefault(token, b"<carried %d>" % (len(labels) + 1))
    if not labels:
        return entries
    return [replace(each, line=_swapped(each.line, labels)) for each in entries]


def refreshed(line: bytes, recorded: Iterable[bytes], fresh: Iterable[bytes]) -> bytes:
    """A recorded line of the client, with what the fresh server gave in it.

    Both are the server's lines so far; a value belongs to the one that stands in the
    same line and place. Where the fresh server gave none, the recorded one stays.
    """
    values: dict[bytes, bytes] = {}
    for old, new in zip(recorded, fresh, strict=False):
        there = dict(_texts(parsed(new)))
        for place, text in tokens(old):
            if place in there:
                inside = json.dumps(there[place], ensure_ascii=False)[1:-1]
                values[text.encode("ascii")] = inside.encode("utf-8", "replace")
    return _swapped(line, values)


def tokens(line: bytes) -> Iterator[tuple[tuple, str]]:
    """The tokens of one line of a server, each with its place."""
    for place, text in _texts(parsed(line)):
        if TOKEN.fullmatch(text):
            yield place, text


def _texts(value: Any, place: tuple = ()) -> Iterator[tuple[tuple, str]]:
    """Every text in this value, down into texts that hold JSON themselves."""
    if len(place) > DEEPEST:
        return
    if isinstance(value, str):
        yield place, value
        inside = parsed(value.encode("utf-8", "replace")) if value[:1] in "{[" else None
        value = inside if value and inside is not NOT_JSON else None
        place = (*place, "(JSON)")
    if isinstance(value, dict | list):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, inner in steps:
            yield from _texts(inner, (*place, step))


def _any_of(tokens: Iterable[bytes], line: bytes) -> re.Pattern[bytes] | None:
    """Matches those of the tokens that stand in the line, the longest first."""
    there = sorted((each for each in tokens if each in line), key=len, reverse=True)
    return re.compile(b"|".join(map(re.escape, there))) if there else None


def _swapped(line: bytes, values: dict[bytes, bytes]) -> bytes:
    pattern = _any_of(values, line)
    return pattern.sub(lambda found: values[found[0]], line) if pattern else line
