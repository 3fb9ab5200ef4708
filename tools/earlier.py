"""Values of earlier answers in a session's line: `{{1.nextCursor}}`.

The rule: the number is the id of a request of this session, the rest names a member of
its result, and each further part one below it; a number counts in an array, from 0. In
its place comes the live value, as it stands inside a JSON text. What is around it
stays: `{{1.requestState}}x` is a state that was changed.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from tools.transcript.lines import parsed, printable, shorten

ANY = re.compile(rb"\{\{(.*?)\}\}")
GOOD = re.compile(r"([0-9]+)\.([\w$-]+(?:\.[\w$-]+)*)")


def check(data: bytes) -> None:
    """Raise ValueError where a place in this line names no member of an answer."""
    for found in ANY.finditer(data):
        _names(found)


def fill(data: bytes, said: Iterable[bytes]) -> bytes:
    """The line with the values in it; `said` is what the server sent so far.

    Raises ValueError where an answer, or a member of it, is not there.
    """
    if not ANY.search(data):
        return data
    results: dict[str, Any] = {}
    for message in map(parsed, said):
        if isinstance(message, dict) and type(message.get("id")) is int:
            results[str(message["id"])] = message.get("result")

    def value(found: re.Match[bytes]) -> bytes:
        number, path = _names(found)
        if results.get(number) is None:
            what = "has no result" if number in results else "did not come"
            raise ValueError(f"{_shown(found)}: the answer to request {number} {what}")
        return _text(_member(results[number], path, _shown(found)), _shown(found))

    return ANY.sub(value, data)


def _names(found: re.Match[bytes]) -> tuple[str, list[str]]:
    good = GOOD.fullmatch(found[1].decode("utf-8", "replace"))
    if not good:
        text = "is the id of a request and a member of its result, as {{1.nextCursor}}"
        raise ValueError(f"{_shown(found)}: a value of an earlier answer {text}")
    return good[1], good[2].split(".")


def _shown(found: re.Match[bytes]) -> str:
    return shorten(printable(found[0]), 60)


def _member(value: Any, path: list[str], shown: str) -> Any:
    for part in path:
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise ValueError(f"{shown}: there is no {part!r} in that answer")
    return value


def _text(value: Any, shown: str) -> bytes:
    if value is None or isinstance(value, dict | list):
        raise ValueError(f"{shown}: that is no text and no number")
    text = json.dumps(value, ensure_ascii=False)
    return (text[1:-1] if isinstance(value, str) else text).encode("utf-8")
