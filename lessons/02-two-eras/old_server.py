"""A server of the earlier era: it knows the handshake, and no `server/discover`."""

import json
import sys

REVISION = "2025-11-25"
ABOUT = {"name": "calendar", "version": "0.9.0"}
RESULTS = {
    "initialize": {
        "protocolVersion": REVISION,
        "capabilities": {},
        "serverInfo": ABOUT,
    },
    "ping": {},
}
# Which code an old server refuses a stranger with is its own affair.
REFUSAL = {"code": -32602, "message": "Invalid request parameters"}

for line in sys.stdin.buffer:
    message = json.loads(line)
    if "id" in message:
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] in RESULTS:
            answer["result"] = RESULTS[message["method"]]
        else:
            answer["error"] = REFUSAL
        sys.stdout.buffer.write(json.dumps(answer).encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()
