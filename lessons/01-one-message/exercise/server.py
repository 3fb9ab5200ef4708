"""A small server of a product catalog that behaves as its first argument says.

    python my/01/client.py lessons/01-one-message/exercise/server.py friendly

    good      answers
    friendly  says two friendly lines first
    mixed     answers other ids first
    error     answers with an error
    silent    answers nothing

It takes one request. With a second argument, a file, it writes there what it was sent
and, when its input has ended, that too: this is how check.py sees what a client did.
"""

import json
import sys
import time

SERVER_INFO = {"name": "catalog", "version": "1.0.0"}
VERSIONS = ["2026-07-28", "2025-11-25"]
TIDY = 0.3  # seconds it takes to leave in good order


def say(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8") + b"\n")
    sys.stdout.buffer.flush()


def result(id: object, name: str) -> str:
    who = {"io.modelcontextprotocol/serverInfo": {**SERVER_INFO, "name": name}}
    about = {"supportedVersions": VERSIONS, "capabilities": {}}
    cache = {"ttlMs": 0, "cacheScope": "private"}
    body = {"resultType": "complete", **about, **cache, "_meta": who}
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": body})


def lines(manner: str, id: object) -> list[str]:
    """What the server says to the request with this id."""
    if manner == "silent":
        return []
    if manner == "error":
        error = {"code": -32603, "message": "the catalog is being counted"}
        return [json.dumps({"jsonrpc": "2.0", "id": id, "error": error})]
    before = []
    if manner == "mixed":
        before = [result(2, "answer-to-2"), result(str(id), "answer-to-a-string")]
    return [*before, result(id, SERVER_INFO["name"])]


def main(manner: str, report: str) -> None:
    if manner == "friendly":
        say("Catalog server ready. Products loaded:")
        say("2026")  # JSON, and still no message
    line = sys.stdin.buffer.readline()
    note(report, {"line": line.decode("utf-8", "backslashreplace")})
    try:
        id = json.loads(line)["id"]
    except (ValueError, LookupError, TypeError):
        return  # no request: nobody to answer to
    for answer in lines(manner, id):
        say(answer)
    more = sys.stdin.buffer.read()
    time.sleep(TIDY)
    note(report, {"ended": True, "more": len(more)})


def note(report: str, what: dict) -> None:
    if report:
        with open(report, "a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(what) + "\n")


if __name__ == "__main__":
    main(*[*sys.argv[1:], "good", ""][:2])
