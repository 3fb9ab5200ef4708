"""Bytes and messages: one JSON object a line. (lesson 01)

A message is JSON in UTF-8 on a line of its own (basic/transports/stdio). The text
leaves open what to do with lines that are not; this module decides. A line that is
no JSON, or JSON that readers are known to read differently (a repeated key, NaN, an
endless number), is refused whole, so nobody can hide one message inside another.
"""

import json

from handwritten.protocol import Code, ProtocolError

# The specification sets no limit, so memory would. 16 MiB holds any honest message.
MAX_LINE = 16 * 1024 * 1024  # bytes
MAX_DEPTH = 64  # objects and arrays inside each other


def decode(line: bytes) -> object:
    """The JSON value on one line. Raises ProtocolError (-32700) where there is none."""
    try:
        if len(line) > MAX_LINE:
            raise ValueError(f"more than {MAX_LINE} bytes")
        # Some Windows shells put a byte order mark before the first line.
        value = _DECODER.decode(line.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
        # Counting brackets is cheap and never too low, so few lines need the walk.
        if line.count(b"[") + line.count(b"{") > MAX_DEPTH < _depth(value):
            raise ValueError("nested too deeply")
    except (ValueError, RecursionError) as error:
        raise ProtocolError(Code.PARSE_ERROR, f"not JSON: {error}") from None
    return value


def encode(message: dict) -> bytes:
    """The line for one message: compact JSON, UTF-8, one line feed.

    Raises ValueError for NaN and infinities: JSON has no such numbers.
    """
    # Half of a surrogate pair has no UTF-8. Python's escape for it is JSON's, too.
    return (_ENCODER.encode(message) + "\n").encode("utf-8", "backslashreplace")


def _depth(value: object) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _unique(pairs: list) -> dict:
    return made if len(made := dict(pairs)) == len(pairs) else _refuse("a key twice")


def _refuse(what: str):
    raise ValueError(f"{what} is not allowed")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)
