"""The small servers of the check: what each answers, and what it writes down.

    python small_servers.py NAME LOG

is the server NAME on a pipe. Each line that comes is kept in the file LOG, with the
moment in seconds.
"""

import contextlib
import json
import sys
import threading
import time
from typing import Any, NamedTuple

REVISION = "2026-07-28"
OLD_REVISION = "2025-11-25"
META = "io.modelcontextprotocol/"
OTHERS = {"supported": ["2027-03-01"], "requested": REVISION}


class Case(NamedTuple):
    """One small server. `probe` is its answer to server/discover; None: silence."""

    about: str
    expected: str  # what the client prints
    probe: dict | None
    before: str = ""  # what else comes: "note", "notes", "log" or "late"


def result(**more) -> dict:
    found = {"resultType": "complete", "supportedVersions": [REVISION]}
    caching = {"ttlMs": 0, "cacheScope": "public"}
    return {"result": {**found, "capabilities": {}, **caching, **more}}


def error(code: int, text: str, **more) -> dict:
    return {"error": {"code": code, "message": text, **more}}


NAMED = {META + "serverInfo": {"name": "helpdesk", "version": "1.0.0"}}
UNKNOWN = error(-32601, "Method not found")
CASES = {
    "modern": Case("of today", "modern helpdesk", result(_meta=NAMED)),
    "nameless": Case("of today that does not say its name", "modern ?", result()),
    "later": Case(
        "of a later revision (-32022)",
        "modern ?",
        error(-32022, "Unsupported protocol version", data=OTHERS),
    ),
    "wants-more": Case(
        "that wants a capability (-32021)",
        "modern ?",
        error(-32021, "Missing", data={"requiredCapabilities": {"elicitation": {}}}),
    ),
    "header": Case(
        "that compares headers (-32020)", "modern ?", error(-32020, "Header mismatch")
    ),
    "old-32601": Case("of old, answering -32601", "legacy calendar", UNKNOWN),
    "old-32602": Case(
        "of old, answering -32602", "legacy calendar", error(-32602, "Invalid params")
    ),
    "old-32603": Case(
        "of old, answering -32603", "legacy calendar", error(-32603, "Internal error")
    ),
    "old-32000": Case(
        "of old, answering -32000", "legacy calendar", error(-32000, "Not initialized")
    ),
    "obliging": Case(
        "of old that answers anything with {}", "legacy calendar", {"result": {}}
    ),
    "silent": Case("of old that keeps silent", "legacy calendar", None),
    "late": Case(
        "of old whose answer to the probe comes late", "legacy calendar", None, "late"
    ),
    "note": Case(
        "of old that sends a notification first", "legacy calendar", UNKNOWN, "note"
    ),
    "notes": Case(
        "of old that sends notifications and no answer",
        "legacy calendar",
        None,
        "notes",
    ),
    "log": Case("of old that logs 200,000 bytes", "legacy calendar", UNKNOWN, "log"),
}


def serve(name: str, log: str) -> None:
    """Be the server `name`; write each line that comes to the file `log`."""
    case = CASES[name]
    probes: list[Any] = []
    with open(log, "a", encoding="utf-8") as kept:
        for line in sys.stdin.buffer:
            text = line.decode("utf-8", "replace").strip()
            kept.write(json.dumps([time.monotonic(), text]) + "\n")
            kept.flush()
            with contextlib.suppress(ValueError, AttributeError):
                message = json.loads(text)
                if "id" in message:
                    answer(case, message, probes)


def answer(case: Case, message: dict, probes: list) -> None:
    """Answer one request; `probes` are the ids that wait for a late answer."""
    if message.get("method") == "server/discover":
        if case.before == "late":
            probes.append(message["id"])
        if case.before == "log":
            sys.stderr.write("What is server/discover?\n" * 8000)
            sys.stderr.flush()
        if case.before == "note":
            write(note())
        if case.before == "notes":
            threading.Thread(target=chatter, daemon=True).start()
        if case.probe is not None:
            write({"id": message["id"], **case.probe})
        return
    while probes:
        write({"id": probes.pop(), **UNKNOWN})
    modern = case.expected.startswith("modern")
    if message.get("method") == "initialize" and not modern:
        who = {"name": "calendar", "version": "0.9.0"}
        found = {"protocolVersion": OLD_REVISION, "capabilities": {}, "serverInfo": who}
        write({"id": message["id"], "result": found})
    else:
        write({"id": message["id"], **UNKNOWN})


def note() -> dict:
    params = {"level": "info", "data": "somebody is here"}
    return {"method": "notifications/message", "params": params}


def chatter() -> None:
    with contextlib.suppress(OSError, ValueError):
        while True:
            write(note())
            time.sleep(0.2)


def write(message: dict) -> None:
    line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
    sys.stdout.buffer.write(line.encode("utf-8"))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve(*sys.argv[1:])
