"""A server of a few lines, with one fault each, for the tests of the wire tests."""

import json
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"


def say(message: dict) -> None:
    print(json.dumps(message), flush=True)


if FAULT == "friendly":
    print("Server is ready!", flush=True)
if FAULT == "deaf":
    time.sleep(600)
for line in sys.stdin.buffer:
    if FAULT == "drops" and not line.startswith(b"{"):
        continue
    message = json.loads(line)
    if FAULT == "dies":
        print("no room left", file=sys.stderr)
        sys.exit(3)
    if FAULT == "mute":
        continue
    if FAULT == "chatty":
        say({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
    if "id" not in message:
        if FAULT == "answers-all":
            say({"jsonrpc": "2.0", "id": None, "result": {}})
        continue
    number = str(message["id"]) if FAULT == "other-ids" else message["id"]
    if message["method"] != "server/discover":
        error = {"code": -32601, "message": "Method not found"}
        say({"jsonrpc": "2.0", "id": number, "error": error})
    elif FAULT == "echo":
        say({"jsonrpc": "2.0", "id": number, "result": message["params"]})
    else:
        say({"jsonrpc": "2.0", "id": number, "result": {"resultType": "complete"}})
if FAULT == "stays":
    time.sleep(600)
