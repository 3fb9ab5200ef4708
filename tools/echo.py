"""The yardstick of `tools.bench`: a JSON echo in one file, and nothing more."""

import json
import sys

if __name__ == "__main__":
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    for line in source:
        message = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": message["params"]}
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        sink.write(text.encode("utf-8") + b"\n")
        sink.flush()
