"""It compares ids as text, so the answer to "1" passes for the answer to 1."""

import json
import subprocess
import sys
import threading

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
limit = threading.Timer(3, server.kill)  # a dead server ends its output, and the loop
limit.start()
server.stdin.write(json.dumps(REQUEST).encode("utf-8") + b"\n")
server.stdin.flush()


def is_mine(line):
    """Is this line a message with the id 1: compared as text?"""
    try:
        message = json.loads(line)
    except ValueError:
        return False
    id = message.get("id") if isinstance(message, dict) else None
    return str(id) == "1"


answer = next((json.loads(line) for line in server.stdout if is_mine(line)), {})
server.stdin.close()  # nothing more will come: the server may leave
server.wait()
limit.cancel()
if "result" not in answer:
    sys.exit(f"No result: {answer.get('error', 'the server gave no answer')}")
print(answer["result"]["_meta"][WHO]["name"], *answer["result"]["supportedVersions"])
