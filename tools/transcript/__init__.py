"""Transcripts: what crossed a pipe, one JSON object a line.

The first object describes the recording; each other is one line that crossed the
pipe, exactly as it was sent:

    {"t":12.4,"dir":"server","line":"…"}        t in ms since the start
    {"t":12.9,"dir":"log","base64":"/w=="}      bytes that are not UTF-8
    {"t":13.0,"dir":"client","line":"…","partial":true}   no newline at its end
    {"t":13.0,"restart":"ben"}                  the server ended, and a new one began
    {"t":13.1,"dropped":2}                      so many lines could not be kept
    {"t":13.1,"exit":0}                         the exit code (negative: the signal)

A restart names the person for whom the new server runs (HELPDESK_USER; "" is the
default one, and the header's `user` is the one of the first server); with
`"killed":true` the old one was killed, where else its input ended. The exit code is
that of the last one.

The file is UTF-8 with "\\n" between the objects. Whatever some tool might take for
the end of a line (U+0085, U+2028, U+2029) is escaped, so that all of them count alike.
"""

import argparse
import base64
import io
import json
import math
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools import files
from tools.transcript.lines import (
    as_text,
    describe,
    line_text,
    parsed,
    pretty,
    printable,
    restart_text,
    shorten,
    show_entry,
)

__all__ = [
    "Entry",
    "Transcript",
    "TranscriptError",
    "compare",
    "describe",
    "read",
    "show_entry",
    "write",
]

FORMAT = 1
DIRECTIONS = ("client", "server", "log")
HEADER = {"lesson": int, "session": str, "command": list, "user": str, "volatile": list}


class TranscriptError(Exception):
    """A transcript that can't be used; the text names file, line and rule."""


@dataclass(frozen=True)
class Entry:
    """One line that crossed the pipe, or a restart, whose line is the person."""

    t: float  # ms since the start
    dir: str  # "client", "server" or "log"; or "restart"
    line: bytes  # without its "\n"; a "\r" stays
    partial: bool = False  # the last line, and no "\n" came
    killed: bool = False  # a restart before which the old server was killed


@dataclass
class Transcript:
    """A recording: header, lines, exit code (None: unknown), lines not kept."""

    header: dict[str, Any]
    entries: list[Entry]
    exit: int | None
    dropped: int = 0


def read(path: Path | str) -> Transcript:
    """The transcript in this file. Raises TranscriptError."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise TranscriptError(f"{path}: {error.strerror}") from None
    return parse(data, str(path))


def parse(data: bytes, name: str) -> Transcript:
    """The transcript in these bytes; errors call the file `name`."""
    *lines, rest = data.split(b"\n")
    if rest:
        place = f"{name}:{len(lines) + 1}"
        raise TranscriptError(f"{place}: no newline at the end: the file broke off")
    if not lines:
        raise TranscriptError(f"{name}: empty; a transcript begins with its header")
    made = Transcript(_header(_object(lines[0], f"{name}:1"), f"{name}:1"), [], None)
    for number, line in enumerate(lines[1:], 2):
        _take(made, _object(line, f"{name}:{number}"), f"{name}:{number}")
    return made


def _take(made: Transcript, table: dict, place: str) -> None:
    """Add one object after the header."""
    time = table.pop("t", None)
    if type(time) not in (int, float) or not math.isfinite(time) or time < 0:
        raise TranscriptError(f"{place}: t is a number of milliseconds, from 0 on")
    if made.exit is not None:
        raise TranscriptError(f"{place}: nothing follows the exit code")
    if "exit" in table:
        made.exit = _whole(table, "exit", place)
    elif "dropped" in table:
        made.dropped = _whole(table, "dropped", place)
    elif made.dropped:
        raise TranscriptError(f"{place}: only the exit code follows the dropped lines")
    elif "restart" in table:
        made.entries.append(_restart(time, table, place))
    else:
        made.entries.append(_entry(time, table, place))


def _object(line: bytes, place: str) -> dict:
    value = parsed(line)
    if not isinstance(value, dict):
        what = shorten(printable(line), 40)
        raise TranscriptError(f"{place}: {what!r} is no JSON object")
    return value


def _header(table: dict, place: str) -> dict:
    if type(table.get("transcript")) is not int or table["transcript"] != FORMAT:
        raise TranscriptError(f'{place}: a header says "transcript":{FORMAT}')
    for key, kind in HEADER.items():
        value = table.get(key, kind())
        texts = kind is not list or all(isinstance(each, str) for each in value)
        if type(value) is not kind or not texts:
            what = "a list of strings" if kind is list else f"of type {kind.__name__}"
            raise TranscriptError(f"{place}: {key} is {what}")
    return table


def _whole(table: dict, key: str, place: str) -> int:
    if list(table) != [key] or type(table[key]) is not int:
        raise TranscriptError(f"{place}: {key} is an integer, and alone with t")
    return table[key]


def _restart(time: float, table: dict, place: str) -> Entry:
    user, killed = table["restart"], table.get("killed", False)
    if not isinstance(user, str) or not user.isprintable() or type(killed) is not bool:
        raise TranscriptError(f"{place}: restart is a name, killed is true or false")
    if extra := set(table) - {"restart", "killed"}:
        what = ", ".join(shorten(printable(key), 40) for key in sorted(extra))
        raise TranscriptError(f"{place}: nothing is called {what} beside a restart")
    return Entry(time, "restart", user.encode("utf-8"), killed=killed)


def _entry(time: float, table: dict, place: str) -> Entry:
    if table.get("dir") not in DIRECTIONS:
        raise TranscriptError(f"{place}: dir is one of {', '.join(DIRECTIONS)}")
    if extra := set(table) - {"dir", "line", "base64", "partial"}:
        what = ", ".join(shorten(printable(key), 40) for key in sorted(extra))
        raise TranscriptError(f"{place}: nothing is called {what} here")
    if type(table.get("partial", False)) is not bool:
        raise TranscriptError(f"{place}: partial is true or false")
    if ("line" in table) == ("base64" in table):
        raise TranscriptError(f"{place}: either line or base64 is needed")
    try:
        if "line" in table:
            line = table["line"].encode("utf-8")
        else:
            line = base64.b64decode(table["base64"], validate=True)
    except (AttributeError, TypeError, ValueError):
        raise TranscriptError(
            f"{place}: line is a text that UTF-8 can write, base64 is base64"
        ) from None
    if b"\n" in line:
        raise TranscriptError(f"{place}: a newline inside one line")
    return Entry(time, table["dir"], line, table.get("partial", False))


def write(path: Path | str, transcript: Transcript) -> bool:
    """Keep this transcript, beside the old one and then in its place.

    Gives False and leaves the file alone when only times, the date, what the header
    calls volatile and what a client carried on would change.
    """
    path = Path(path)
    try:
        if _same(read(path), transcript):
            return False
    except TranscriptError:
        pass  # none yet, or one that nobody can read
    last = transcript.entries[-1].t if transcript.entries else 0.0
    lines = [as_text(transcript.header)]
    for each in transcript.entries:
        if each.dir == "restart":
            lines.append(restart_text(each))
        else:
            lines.append(line_text(each.t, each.dir, each.line, each.partial))
    for key in ("dropped", "exit"):
        if (value := getattr(transcript, key)) or (key == "exit" and value is not None):
            lines.append(as_text({"t": round(last, 1), key: value}))
    files.replace(path, "".join(line + "\n" for line in lines).encode("utf-8"))
    return True


def _same(old: Transcript, new: Transcript) -> bool:
    dateless = {**old.header, "recorded": new.header.get("recorded")}
    same_end = (old.exit, old.dropped) == (new.exit, new.dropped)
    return (
        json.dumps(dateless, sort_keys=True) == json.dumps(new.header, sort_keys=True)
        and same_end
        and not compare(old, new)
    )


def compare(expected: Transcript, actual: Transcript) -> list[str]:
    """What differs, one text each; the rows below its first show both sides.

    Lines of client and server count in their order on the wire, log lines as a
    sequence of their own. Times don't count, nor do the places (JSON Pointers, RFC
    6901) that the expected header calls volatile, nor how a platform ends a log line,
    nor what a client carried from an answer into a later line (see `carried`).
    """
    from tools.transcript import differences  # it needs difflib, which few readers do

    return differences.compare(expected, actual)


def run(main: Callable[[], int]) -> int:
    """A program's main(), its output in UTF-8; the reader may stop reading."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # such as `… | head`: nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.transcript",
        description="Show a transcript, or compare two.",
        epilog="example: python -m tools.transcript show "
        "transcripts/lesson-03/02-call.jsonl 2",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    show = commands.add_parser("show", help="every line that crossed the pipe")
    show.add_argument("file")
    show.add_argument("number", nargs="?", type=int, help="this line alone, whole")
    show.add_argument("--full", action="store_true", help="do not shorten lines")
    both = commands.add_parser("compare", help="exit code 1 when they differ")
    both.add_argument("expected")
    both.add_argument("actual")
    beside = commands.add_parser(  # lesson-05
        "diff",
        help="two servers side by side: meaning apart from writing",
        epilog="example: python -m tools.transcript diff "
        "transcripts/lesson-04/01-list.jsonl transcripts/lesson-05/01-list.jsonl; "
        "exit code 1 when something differs in meaning",
    )
    beside.add_argument("a", metavar="A")  # lesson-05
    beside.add_argument("b", metavar="B")  # lesson-05
    beside.add_argument(  # lesson-05
        "--json", action="store_true", help="for a program to read"
    )
    options = parser.parse_args(words)
    try:
        if options.command == "compare":
            found = compare(read(options.expected), read(options.actual))
            print("\n".join(found) or "The same, but for times and the date.")
            return 1 if found else 0
        if options.command == "diff":  # lesson-05
            from tools.transcript import diff

            return diff.run(options.a, options.b, options.json)
        return _show(options)
    except TranscriptError as error:
        print(f"tools.transcript: {error}", file=sys.stderr)
        return 2


def _show(options) -> int:
    transcript = read(options.file)
    if options.number is not None:
        return _show_one(transcript, options)
    print(_headline(transcript.header))
    cut = False
    for number, each in enumerate(transcript.entries, 1):
        rows = show_entry(each, number=number, full=options.full)
        cut = cut or rows != show_entry(each, number=number, full=True)
        print("\n".join(rows))
    if transcript.dropped:
        print(f"Dropped: {transcript.dropped} lines that could not be kept in time.")
    if transcript.exit is not None:
        print(f"Exit code: {transcript.exit}.")
    if cut and not options.full:
        command = f"python -m tools.transcript show {shlex.quote(options.file)}"
        print(f"Whole lines: {command} --full")
        print(f"Line 1 alone: {command} 1")
    return 0


def _show_one(transcript: Transcript, options) -> int:
    count = len(transcript.entries)
    if not 1 <= options.number <= count:
        raise TranscriptError(
            f"{options.file}: no line {options.number}: there are {count}"
        )
    entry = transcript.entries[options.number - 1]
    print(show_entry(entry, number=options.number)[0])
    if entry.dir != "restart":
        print(pretty(entry.line))
    return 0


def _headline(header: dict) -> str:
    words = [f"lesson {header['lesson']:02}"] if "lesson" in header else []
    words += [header["session"]] if "session" in header else []
    words += [" ".join(header.get("command", []))]
    words += [f"as {header['user']}"] if header.get("user") else []
    for key in ("revision", "recorder", "recorded"):
        words += [str(header[key])] if key in header else []
    return printable(", ".join(words))
