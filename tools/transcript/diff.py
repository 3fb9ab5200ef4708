"""Two recordings side by side, on a screen or as JSON. (lesson 05)

The rule: first a row for each pair of lines, then what differs in it, meaning before
extra keys. Rows fit a screen of 100 columns; what is longer is shortened, and what a
terminal would act on is escaped.
"""

from __future__ import annotations

import json
from typing import Any

from tools.transcript import Transcript, read
from tools.transcript.lines import ARROWS, describe, printable, shorten
from tools.transcript.meaning import CHANGED, ONLY_A, ONLY_B, Difference
from tools.transcript.sides import Pair, Sides, sides

WIDTH = 100
SHORTEST = 20  # columns at least for what a line is
PLACE = 13  # columns for the kind of a difference
ENOUGH = 1000  # characters of a value; no screen shows more


def run(a: str, b: str, as_json: bool) -> int:
    """Print how two files differ: 1 where the meaning does, else 0.

    Raises TranscriptError.
    """
    recordings = read(a), read(b)
    found = sides(*recordings)
    if as_json:
        print(json.dumps(data(found), indent=2))
    else:
        heads = zip("AB", (a, b), recordings, strict=True)
        rows = [_head(*each) for each in heads]
        print("\n".join([*rows, *overview(found), *details(found), end(found)]))
    return 1 if found.meaning_differs else 0


def _head(side: str, file: str, recording: Transcript) -> str:
    command = " ".join(recording.header.get("command", []))
    return _fit(f"{side}  {file}" + (f"  ({command})" if command else ""))


def overview(found: Sides) -> list[str]:
    """One row for each pair: its lines, what it is, the verdict."""
    table = [(pair, _about(pair), _verdict(pair)) for pair in found.pairs]
    longest = max((len(verdict) for _, _, verdict in table), default=0)
    about = min(
        max((len(each) for _, each, _ in table), default=0), WIDTH - 17 - longest
    )
    about = max(about, SHORTEST)
    rows = ["", f"{'A':>4} {'B':>4}"]
    for pair, words, verdict in table:
        numbers = [str(side[0]) if side else "-" for side in (pair.a, pair.b)]
        head = f"{numbers[0]:>4} {numbers[1]:>4}  {ARROWS[pair.entry.dir]} "
        rows.append(_fit(f"{head}{shorten(words, about):<{about}}  {verdict}"))
    return rows


def _about(pair: Pair) -> str:
    words = [describe(side[1].line) for side in (pair.a, pair.b) if side]
    return " | ".join(dict.fromkeys(words))


def _verdict(pair: Pair) -> str:
    """Such as "different 2, more keys A 1 B 3 (order, JSON text)"."""
    compared, parts = pair.compared, []
    if compared.changed:
        parts.append(f"different {len(compared.changed)}")
    if compared.extra:
        more = [
            f"{side} {count}"
            for side, kind in (("A", ONLY_A), ("B", ONLY_B))
            if (count := sum(each.kind == kind for each in compared.extra))
        ]
        parts.append(f"more keys {' '.join(more)}")
    words = ", ".join(parts) or pair.verdict
    writing = ", ".join(sorted(compared.writing))
    return f"{words} ({writing})" if writing else words


def details(found: Sides) -> list[str]:
    """What differs in each pair, place by place."""
    rows: list[str] = []
    for pair in found.pairs:
        if pair.compared.differences:
            rows += ["", _fit(f"{ARROWS[pair.entry.dir]} {_about(pair)}")]
            for each in [*pair.compared.changed, *pair.compared.extra]:
                rows += _difference(each)
    if found.order:
        first = sorted(found.order, key=lambda pair: pair.a[0] if pair.a else 0)
        rows += ["", "The server's lines came in another order:"]
        for side, order in (("A", first), ("B", found.order)):
            rows.append(_fit(f"   {side}  " + ", ".join(map(_about, order))))
    if any("JSON text" in pair.compared.writing for pair in found.pairs):
        rows += [
            "",
            "JSON text: a text block holds JSON on both sides, compared as JSON.",
        ]
    return rows + (["", f"Different: {found.ends}."] if found.ends else [])


def _difference(each: Difference) -> list[str]:
    place = shorten(printable(each.pointer), WIDTH - PLACE - 2) or "the whole line"
    head = f"  {each.kind:<{PLACE - 2}}{place}"
    if each.kind != CHANGED:
        return [_fit(f"{head}  {_value(each.b if each.a is ... else each.a)}")]
    sides_of = (("A", each.a), ("B", each.b))
    rows = [_fit(f"{' ' * PLACE}{side}  {_value(value)}") for side, value in sides_of]
    return [head, *rows]


def _value(value: Any) -> str:
    if value is ...:
        return "(nothing)"
    if isinstance(value, bytes):
        return printable(value[:ENOUGH])
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return "(too deep to show)"
    return printable(text[:ENOUGH])


def end(found: Sides) -> str:
    """How many pairs differ in meaning."""
    count, every = sum(each.meaning_differs for each in found.pairs), len(found.pairs)
    if found.meaning_differs:
        return f"\nDifferent in meaning: {count} of {every} pairs."
    extra = any(pair.compared.extra for pair in found.pairs)
    what = "In the keys that both have, nothing" if extra else "Nothing"
    return f"\n{what} differs in meaning ({every} pairs)."


def _fit(row: str) -> str:
    return shorten(printable(row), WIDTH)


def data(found: Sides) -> dict[str, Any]:
    """Both recordings as one JSON value; lines are counted from 1."""
    pairs = [
        {
            "dir": pair.entry.dir,
            "lines": [side[0] if side else None for side in (pair.a, pair.b)],
            "about": _about(pair),
            "verdict": pair.verdict,
            "writing": sorted(pair.compared.writing),
            "differences": [_as_data(each) for each in pair.compared.differences],
        }
        for pair in found.pairs
    ]
    return {
        "meaning_differs": found.meaning_differs,
        "pairs": pairs,
        "order_in_b": [pair.b[0] for pair in found.order if pair.b],
        "exit": found.ends,
    }


def _as_data(each: Difference) -> dict[str, Any]:
    values: dict[str, Any] = {"kind": each.kind, "pointer": each.pointer}
    for side, value in (("a", each.a), ("b", each.b)):
        if value is not ...:
            text = isinstance(value, bytes)
            values[side] = value.decode("utf-8", "backslashreplace") if text else value
    return values
