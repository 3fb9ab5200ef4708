"""One line of a pipe: how a transcript keeps it, what it is, how a screen shows it.

Lines come from programs nobody here wrote, so they may hold anything. What a terminal
would act on (control characters, changes of direction, halves of characters) is shown
as an escape, never sent. Only what the tap can afford to import is imported here.
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.transcript import Entry

NOT_JSON = object()  # what parsed() gives where JSON null would be ambiguous
ARROWS = {"client": "-> ", "server": "<- ", "log": "log", "restart": "== "}
NOT_IN_A_FILE = re.compile("[\u0085\u2028\u2029\ud800-\udfff]")
NAMED_BY = ("name", "uri", "requestId", "level")  # params that say what it is about
LONGEST_NUMBER = 4000  # digits; Python refuses to read longer ones


def as_text(value: dict) -> str:
    """This object as one line of a transcript file, without its newline."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return NOT_IN_A_FILE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def line_text(t: float, dir: str, line: bytes, partial: bool = False) -> str:
    """The line of a transcript file for this line of a pipe (`t` in ms)."""
    value: dict[str, Any] = {"t": round(t, 1), "dir": dir}
    try:
        value["line"] = line.decode("utf-8")
    except UnicodeDecodeError:
        value["base64"] = base64.b64encode(line).decode("ascii")
    if partial:
        value["partial"] = True
    return as_text(value)


def restart_text(entry: Entry) -> str:
    """The line of a transcript file for the server's end and a new one's start."""
    value: dict[str, Any] = {"t": round(entry.t, 1), "restart": entry.line.decode()}
    return as_text(value | ({"killed": True} if entry.killed else {}))


def restart_words(entry: Entry) -> str:
    """That a server was ended and started again, and for whom."""
    how = "killed" if entry.killed else "ended"
    user = printable(entry.line) or "the default user"
    return f"the server is {how} and started again, now for {user}"


def parsed(line: bytes) -> Any:
    """The JSON value of this line, or NOT_JSON. A number too long stays a text."""
    try:
        text = line.decode("utf-8")
        return json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return NOT_JSON


def _integer(text: str) -> int | str:
    return int(text) if len(text) < LONGEST_NUMBER else text


def _no_constant(text: str):
    raise ValueError(f"{text} is not JSON")


def describe(line: bytes) -> str:
    """What this line is, in a few words: "request 1 tools/call get_ticket"."""
    if not line.strip(b" \t\r"):
        return "empty line"
    message = parsed(line)
    if message is NOT_JSON:
        return "not JSON" if _is_text(line) else "not UTF-8"
    if not isinstance(message, dict):
        return "an array" if isinstance(message, list) else "JSON, but no object"
    number = _short(json.dumps(message["id"])) if "id" in message else ""
    if "method" in message and number and type(message["id"]) not in (str, int):
        return f"no request, for its id is none: {number}"
    if "method" in message:
        words = ["request" if number else "notification", number, message["method"]]
        words.append(_subject(message.get("params")))
    elif "error" in message:
        error = message["error"]
        words = ["error", number, error.get("code") if isinstance(error, dict) else ""]
    elif "result" in message:
        words = ["result", number, _kind(message["result"])]
    else:
        words = ["an object, but no message", number]
    return " ".join(_short(word) for word in words if word not in ("", None))


def _subject(params: Any) -> Any:
    if not isinstance(params, dict):
        return ""
    return next((params[key] for key in NAMED_BY if key in params), "")


def _kind(result: Any) -> str:
    if not isinstance(result, dict):
        return ""
    if result.get("isError") is True:
        return "isError"
    kind = result.get("resultType", "complete")
    return "" if kind == "complete" else str(kind)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return shorten(printable(text), 40)


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def printable(text: str | bytes) -> str:
    """This text with everything that could act on a terminal as an escape."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def shorten(text: str, width: int) -> str:
    """At most `width` characters, the last of them "…" where more were there."""
    return text if len(text) <= width else text[: width - 1] + "…"


def excerpt(line: bytes, at: int, width: int = 72) -> str:
    """The part of a line around byte `at`, made for one row of a screen."""
    start = max(0, at - width // 2)
    text = printable(line[start : start + width])
    before = "…" if start else ""
    return before + shorten(text + ("…" if start + width < len(line) else ""), width)


def show_entry(
    entry: Entry, width: int = 100, number: int | None = None, full: bool = False
) -> list[str]:
    """The entry as rows of at most `width` columns; `full` shows the line whole."""
    head = "" if number is None else f"{number:>4} "
    head += f"{entry.t:>9.1f} ms  {ARROWS[entry.dir]}  "
    if entry.dir == "restart":
        return [head + shorten(restart_words(entry), width - len(head))]
    counted = len(entry.line) + (not entry.partial)  # the newline is one, too
    size = f"  {counted} bytes" + (", no newline" if entry.partial else "")
    text = printable(entry.line)
    if entry.dir == "log":
        return [head + (text if full else shorten(text, width - len(head)))]
    about = shorten(describe(entry.line), width - len(head) - len(size))
    rows = [f"{head}{about:<{width - len(head) - len(size)}}{size}"]
    if text:
        rows.append("     " + (text if full else shorten(text, width - 5)))
    return rows


def pretty(line: bytes) -> str:
    """A message over several rows; what is no JSON as it is."""
    message = parsed(line)
    if message is NOT_JSON:
        return printable(line)
    try:
        text = json.dumps(message, indent=2, ensure_ascii=False)
    except RecursionError:
        return printable(line)
    return "\n".join(printable(row) for row in text.split("\n"))
