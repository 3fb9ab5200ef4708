"""Two transcripts side by side: what differs, and where each difference begins."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any

from tools.transcript import carried
from tools.transcript.lines import as_text, describe, excerpt, parsed, restart_words

if TYPE_CHECKING:
    from tools.transcript import Entry, Transcript

    Numbered = list[tuple[int, Entry]]  # as `show` counts them, from 1


def compare(expected: Transcript, actual: Transcript) -> list[str]:
    """See `tools.transcript.compare`."""
    found = []
    if expected.dropped or actual.dropped:
        found.append(
            f"lines are missing: {expected.dropped} dropped from the expected "
            f"transcript, {actual.dropped} from the other"
        )
    pointers = expected.header.get("volatile", [])
    for directions in (("client", "server", "restart"), ("log",)):
        old, new = (_numbered(each, directions) for each in (expected, actual))
        found += _differences(old, new, pointers)
    if expected.exit is not None and expected.exit != actual.exit:
        found.append(f"the exit code: expected {expected.exit}, came {actual.exit}")
    return found


def _numbered(transcript: Transcript, directions: tuple[str, ...]) -> Numbered:
    every = enumerate(carried.labelled(transcript.entries), 1)
    return [(number, each) for number, each in every if each.dir in directions]


def _differences(old: Numbered, new: Numbered, pointers: list[str]) -> list[str]:
    keys = [[_key(each, pointers) for _, each in side] for side in (old, new)]
    matcher = difflib.SequenceMatcher(None, keys[0], keys[1], autojunk=False)
    found = []
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        pairs = min(i_end - i, j_end - j)
        for k in range(pairs):
            number, each = old[i + k]
            found.append(_difference(number, each, new[j + k][1]))
        for number, each in old[i + pairs : i_end]:
            found.append(f"line {number}: expected {_title(each)}, and it did not come")
        for number, each in new[j + pairs : j_end]:
            found.append(
                f"line {number} of what came: {_title(each)} was not expected\n"
                f"  came      {excerpt(each.line, 0)}"
            )
    return found


def _key(entry: Entry, pointers: list[str]) -> tuple:
    line = entry.line.removesuffix(b"\r") if entry.dir == "log" else entry.line
    return entry.dir, entry.partial, entry.killed, without_volatile(line, pointers)


def without_volatile(line: bytes, pointers: list[str]) -> bytes:
    """The line with what is volatile replaced; the very bytes where nothing is.

    A pointer may go on inside a text that holds JSON: /result/content/0/text/expires.
    """
    message: Any = parsed(line) if pointers else None
    masked = False
    for pointer in pointers:
        parts = [
            part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")
        ][1:] or [""]
        masked = _masked(message, parts) is not None or masked
    return as_text(message).encode("utf-8") if masked else line


def _masked(value: Any, parts: list[str]) -> Any:
    """The value with what is in that place replaced; None where nothing is."""
    if isinstance(value, str):
        inside = parsed(value.encode("utf-8", "replace"))
        made = None if isinstance(inside, str) else _masked(inside, parts)
        return None if made is None else as_text(made)
    part, *rest = parts
    child = _child(value, part)
    made = _masked(child, rest) if rest and child is not None else child
    if made is None:
        return None
    value[int(part) if isinstance(value, list) else part] = made if rest else "volatile"
    return value


def _child(value: Any, part: str) -> Any:
    if isinstance(value, dict):
        return value.get(part)
    inside = isinstance(value, list) and re.fullmatch("[0-9]{1,9}", part)
    return value[int(part)] if inside and int(part) < len(value) else None


def _title(entry: Entry) -> str:
    if entry.dir == "restart":
        return f"that {restart_words(entry)}"
    what = "a log line" if entry.dir == "log" else describe(entry.line)
    cut = " without a newline" if entry.partial else ""
    return f"{what}{cut} from the {'server' if entry.dir == 'log' else entry.dir}"


def _difference(number: int, old: Entry, new: Entry) -> str:
    """Two lines that should have been the same, and where they part."""
    pairs = enumerate(zip(old.line, new.line, strict=False))
    shorter = min(len(old.line), len(new.line))
    at = next((i for i, (left, right) in pairs if left != right), shorter)
    messages = parsed(old.line), parsed(new.line)
    place = f"byte {at + 1}"
    if isinstance(messages[0], dict) and isinstance(messages[1], dict):
        try:
            pointer = _first_difference(*messages)
        except RecursionError:  # read in C, and too deep for Python
            pointer = ""
        same = "the same JSON, written differently"
        place += f" ({same if pointer is None else pointer or 'the whole message'})"
    return (
        f"line {number}: expected {_title(old)}, came {_title(new)}; "
        f"they differ first at {place}\n"
        f"  expected  {excerpt(old.line, at)}\n  came      {excerpt(new.line, at)}"
    )


def _first_difference(old: Any, new: Any) -> str | None:
    """The JSON Pointer of the first place that differs; None when none does."""
    if isinstance(old, dict) and isinstance(new, dict):
        steps = [(key, old.get(key, ...), new.get(key, ...)) for key in {**old, **new}]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        steps = [(str(i), *pair) for i, pair in enumerate(zip(old, new, strict=True))]
    else:
        return None if type(old) is type(new) and old == new else ""
    for key, left, right in steps:
        if (deeper := _first_difference(left, right)) is not None:
            return "/" + key.replace("~", "~0").replace("/", "~1") + deeper
    return None
