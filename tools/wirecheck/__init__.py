"""Every message of a recording against the specification.

`check` takes the lines of one session in the order in which they crossed the wire.
A client may be wrong on purpose, to show what a server does about it: its mistake
is no finding when the server answered it with the right error. Garbage from the
server always is one.
"""

import argparse
import sys
from collections.abc import Iterable

from tools.wirecheck import schemas as wire_schemas
from tools.transcript import TranscriptError, read
from tools.wirecheck.session import Finding, Session

__all__ = ["Finding", "check", "check_file", "main"]
EXAMPLE = "example: python -m tools.wirecheck transcripts/lesson-03/02-call.jsonl"


def check(entries: Iterable[tuple[str, bytes]]) -> list[Finding]:
    """What is wrong with a session: ("client" | "server", line) in wire order.

    An entry "restart" stands where another server took over: its ids begin anew. After
    "killed" the one before owes no answer any more. A finding's number counts these
    entries from 1. Raises wire_schemas.MissingPackages where mcp-types or jsonschema is
    not installed.
    """
    sessions = [Session()]
    for number, (direction, line) in enumerate(entries, 1):
        if direction in ("restart", "killed"):
            if direction == "restart":
                sessions[-1].end()
            sessions.append(Session())
        elif direction == "client":
            sessions[-1].client(number, line)
        else:
            sessions[-1].server(number, line)
    sessions[-1].end()
    findings = [finding for each in sessions for finding in each.findings]
    return sorted(findings, key=lambda finding: finding.number)


def check_file(path: str) -> tuple[int, list[tuple[int, Finding]]]:
    """A recording's number of messages, and (line of the file, finding) pairs.

    Raises TranscriptError where the file is no recording, or OSError.
    """
    spoken = [
        (line, entry)
        for line, entry in enumerate(read(path).entries, 2)  # line 1 is the header
        if entry.dir != "log"
    ]
    findings = check(
        ("killed" if entry.killed else entry.dir, entry.line) for _, entry in spoken
    )
    count = sum(entry.dir != "restart" for _, entry in spoken)
    return count, [(spoken[each.number - 1][0], each) for each in findings]


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: nothing found, or only advice; 1: a rule is broken; 2: no check."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.wirecheck",
        description="Check every message of recordings against the specification.",
        epilog=EXAMPLE,
    )
    parser.add_argument("recordings", nargs="+", metavar="FILE", help="a .jsonl file")
    options = parser.parse_args(arguments)
    lines = broken = notes = 0
    try:
        wire_schemas.libraries()
        for path in options.recordings:
            count, findings = check_file(path)
            lines += count
            for line, finding in findings:
                must = finding.level == "must"
                broken, notes = broken + must, notes + (not must)
                kind = "error" if must else "note"
                print(f"{path}:{line}: {kind}: {finding.dir}: {finding.text}", end="")
                print(f" [{finding.rule}]")
    except (TranscriptError, wire_schemas.MissingPackages, OSError) as error:
        print(f"wirecheck: {error}", file=sys.stderr)
        return 2
    print(
        f"recordings: {len(options.recordings)}, lines: {lines}, "
        f"errors: {broken}, notes: {notes}"
    )
    return 1 if broken else 0
