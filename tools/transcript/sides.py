"""Two recordings side by side: `python -m tools.transcript diff A B`. (lesson 05)

The rule: messages are paired by direction and id, notifications by their method and
order, and what is no message by its order. Log lines and restarts are not compared.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from tools.transcript import Entry, Transcript
from tools.transcript.differences import without_volatile
from tools.transcript.lines import NOT_JSON, parsed
from tools.transcript.meaning import (
    CHANGED,
    ONLY_A,
    ONLY_B,
    Compared,
    Difference,
    compare,
)


@dataclass(frozen=True)
class Pair:
    """Two lines that belong together; None where one recording has no such line."""

    a: tuple[int, Entry] | None  # the number as `show` counts, and the line
    b: tuple[int, Entry] | None
    compared: Compared

    @property
    def entry(self) -> Entry:
        side = self.a or self.b
        assert side
        return side[1]

    @property
    def verdict(self) -> str:
        if self.a and self.b:
            return self.compared.verdict
        return ONLY_A if self.a else ONLY_B

    @property
    def meaning_differs(self) -> bool:
        return self.verdict in ("different", ONLY_A, ONLY_B)


@dataclass(frozen=True)
class Sides:
    """Both recordings, pair by pair, in the order of A, then what B alone has."""

    pairs: list[Pair]
    order: list[Pair]  # what the server sent, as B has it, where A has another order
    ends: str  # how the exit codes differ, or ""

    @property
    def meaning_differs(self) -> bool:
        return bool(self.ends) or any(each.meaning_differs for each in self.pairs)


def sides(a: Transcript, b: Transcript) -> Sides:
    """Pair the lines of two recordings and compare each pair."""
    volatile = [*a.header.get("volatile", []), *b.header.get("volatile", [])]
    left, right = _by_key(a), _by_key(b)
    pairs = []
    for key in {**left, **right}:
        old, new = left.get(key), right.get(key)
        pairs.append(Pair(old, new, _compared(old, new, volatile)))
    ends = ""
    if None not in (a.exit, b.exit) and a.exit != b.exit:
        ends = f"the exit code: A {a.exit}, B {b.exit}"
    return Sides(pairs, _order(pairs), ends)


def _by_key(transcript: Transcript) -> dict[tuple, tuple[int, Entry]]:
    """Each line by what it is paired by; the last part counts equal ones."""
    found: dict[tuple, tuple[int, Entry]] = {}
    seen: Counter[tuple] = Counter()
    for number, entry in enumerate(transcript.entries, 1):
        if entry.dir in ("client", "server"):
            key = _key(entry)
            found[*key, seen[key]] = (number, entry)
            seen[key] += 1
    return found


def _key(entry: Entry) -> tuple:
    message = parsed(entry.line)
    if message is NOT_JSON or not isinstance(message, dict):
        return entry.dir, "line"
    number = json.dumps(message["id"]) if "id" in message else ""
    if "method" not in message:
        return entry.dir, "answer", number
    if number:
        return entry.dir, "request", number
    return entry.dir, "notification", json.dumps(message["method"])


def _compared(old, new, volatile: list[str]) -> Compared:
    if old is None or new is None:
        return Compared()
    lines = [without_volatile(each[1].line, volatile) for each in (old, new)]
    found = compare(*lines)
    if old[1].partial != new[1].partial:
        ends = ["none" if each[1].partial else "a newline" for each in (old, new)]
        found.differences.append(Difference(CHANGED, "the line's end", *ends))
    return found


def _order(pairs: list[Pair]) -> list[Pair]:
    """What the server sent in the order of B, where that is not the order of A."""
    both = [each for each in pairs if each.a and each.b and each.entry.dir == "server"]
    there = sorted(both, key=lambda each: each.b[0] if each.b else 0)
    return there if there != both else []
