"""A client: starts a server, asks what it is, and prints its name and versions.

    python my/01/client.py -m handwritten
    python my/01/client.py lessons/01-one-message/friendly_server.py

The server is what you would type after `python`.
"""

import json
import subprocess
import sys

WHO = "io.modelcontextprotocol/serverInfo"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "my-client", "version": "0.1.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
REQUEST["params"] = {"_meta": META}

command = [sys.executable, *sys.argv[1:]]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(json.dumps(REQUEST).encode("utf-8") + b"\n")
server.stdin.flush()

# ---- Yours from here on. This takes the first line for the answer, and believes it.

line = server.stdout.readline()
try:
    answer = json.loads(line)
except ValueError:
    print("The server is broken. It says:", line.decode("utf-8", "replace").strip())
    sys.exit(1)
print(answer["result"]["_meta"][WHO]["name"], *answer["result"]["supportedVersions"])

# It does not yet
# - skip lines that are no messages,
# - look for the answer to its own request: the id 1, which is not "1",
# - print an error of the server, and leave with exit code 1,
# - give up on a server that says nothing, after 3 seconds,
# - end the server: close its input, then wait for it.
