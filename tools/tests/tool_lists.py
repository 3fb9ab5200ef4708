"""Lists and servers for the tests of what a list costs. (lesson 04)"""

import json
import sys
from pathlib import Path

from tools.tool_cost.command import main

ROOT = Path(__file__).resolve().parents[2]
TOOL = {"name": "read", "description": "Read it.", "inputSchema": {"type": "object"}}
NOT_FOUND = {"code": -32601, "message": "Method not found"}
BAD_PARAMS = {"code": -32602, "message": "Invalid request parameters"}
MODERN = {"supportedVersions": ["2026-07-28"], "instructions": "Read first."}
OLD = {"protocolVersion": "2025-06-18", "capabilities": {}}
SERVER = """
import json, os, sys
answers = json.loads({answers!r})
for line in sys.stdin.buffer:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = answers.get(message["method"], {{"error": {error!r}}})
    text = json.dumps({{"jsonrpc": "2.0", "id": message["id"], **answer}})
    print(text.replace("PROCESS", str(os.getpid())).replace("ID", str(message["id"])))
    sys.stdout.flush()
"""


def server(folder, error=NOT_FOUND, **results) -> list[str]:
    """The command of a server that gives these results, and else this error.

    In a text, PROCESS is its process id, and ID the id of the request.
    """
    answers = {
        name.replace("_", "/"): {"result": each} for name, each in results.items()
    }
    file = folder / "server.py"
    file.write_text(SERVER.format(answers=json.dumps(answers), error=error), "utf-8")
    return [sys.executable, str(file)]


def saved(folder, tools, name="saved.json") -> str:
    """The path of a saved list."""
    file = folder / name
    file.write_text(json.dumps({"tools": tools}), "utf-8")
    return str(file)


def figures(capsys, *words) -> dict:
    """What the command prints with --json."""
    assert main(["--json", *map(str, words)]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys, *words) -> str:
    """The one sentence of a command that could not measure."""
    assert main(list(map(str, words))) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tool_cost: ") and said.err.count("\n") == 1
    assert said.err.strip().isprintable()
    return said.err
