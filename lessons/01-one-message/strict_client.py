"""The client of the puzzle: it takes the first line for the answer, and believes it.

    python lessons/01-one-message/strict_client.py -m handwritten

The server is what you would type after `python`.
"""

import json
import subprocess
import sys

WHO = "io.modelcontextprotocol/serverInfo"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "strict", "version": "0.1.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
REQUEST["params"] = {"_meta": META}

command = [sys.executable, *sys.argv[1:]]
output, _ = subprocess.Popen(
    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
).communicate(json.dumps(REQUEST).encode("utf-8") + b"\n")

first = output.split(b"\n")[0]
try:
    result = json.loads(first)["result"]
except ValueError:
    print("The server is broken. It says:", first.decode("utf-8", "replace"))
    sys.exit(1)
print(result["_meta"][WHO]["name"], *result["supportedVersions"])
