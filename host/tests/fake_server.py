"""A server that does what a plan says, good or bad. (lesson 03)

Started as `python fake_server.py PLAN`, with the plan as JSON: by method, what is done
when a request for it comes in, in order; "start" and "end" are done before the first
line and after the last. What can be done:

    {"result": …}, {"error": …}   an answer, with the id of the request
    {"line": "…"}                 these characters and a line feed
    {"log": "…"}                  these characters on standard error
    {"long": n}                   n characters on standard error, in lines
    {"deep": n}                   a line of n opening brackets
    {"big": n}                    a result whose text has n characters
    {"flood": "…"}                this line again and again, for ever
    {"hold": "…"}                 this pipe is kept open
    {"sleep": s}, {"exit": code}, {"kill": signal}, {"ignore": signal}, {"daemon": s}

"record" names a file that gets every line as it came in.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

# Also {"progress": {…}}, progress for this request; {"endless": s}, progress that grows
# every s seconds, for ever; and "retry" stands for calls that bring answers or a state.
LAST: dict = {}  # lesson-07

TICKETS = {"2318": "Charged twice for October", "2319": "Class schedule not syncing"}
SCHEMA = {
    "type": "object",
    "properties": {"ticket_id": {"type": "string"}},
    "required": ["ticket_id"],
}
TOOL = {"name": "get_ticket", "description": "Fetch a ticket.", "inputSchema": SCHEMA}
KEPT = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
MODERN: dict = {
    "server/discover": [
        {"result": {**KEPT, "supportedVersions": ["2026-07-28"], "capabilities": {}}}
    ],
    "tools/list": [{"result": {**KEPT, "tools": [TOOL]}}],
    "tools/call": [{"result": {"content": [{"type": "text", "text": "fine"}]}}],
}
OLD: dict = {
    **MODERN,
    "server/discover": [{"error": {"code": -32601, "message": "Method not found"}}],
    "initialize": [
        {
            "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "old", "version": "1"},
            }
        }
    ],
}


def write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


def answer(id: object, **part: object) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": id, **part}))


def told_apart(message: dict) -> dict:  # lesson-07
    """The same message, under the name that the plan has for it."""
    LAST.clear()
    LAST.update(message)
    again = {"inputResponses", "requestState"} & set(message.get("params", ()))
    return {**message, "method": "retry"} if again else message


def progress(about: dict) -> None:  # lesson-07
    """With the token of the request, where it has one."""
    token = LAST.get("params", {}).get("_meta", {}).get("progressToken", "none")
    params = {"progressToken": token, **about}
    method = "notifications/progress"
    write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))


def act(action: dict, id: object = None) -> None:
    """Do one thing of the plan."""
    ((what, value),) = action.items()
    if what in ("result", "error"):
        answer(id, **action)
    elif what == "big":
        answer(id, result={"content": [{"type": "text", "text": "x" * value}]})
    elif what == "line":
        write(value)
    elif what == "log":
        os.write(2, value.encode())
    elif what == "long":
        os.write(2, b"words words words words\n" * (value // 24))
    elif what == "deep":
        write("[" * value)
    elif what == "hold":  # a pipe that somebody reads, as long as this process lives
        os.write(os.open(value, os.O_WRONLY), b"here\n")
    elif what == "sleep":
        time.sleep(value)
    elif what == "exit":
        sys.exit(value)
    elif what == "kill":
        os.kill(os.getpid(), value)
    elif what == "ignore":
        signal.signal(value, signal.SIG_IGN)
    elif what == "daemon":  # one that outlives its parent, and keeps the log open
        code = f"import time; time.sleep({value})"
        pipes = dict.fromkeys(("stdin", "stdout"), subprocess.DEVNULL)
        subprocess.Popen([sys.executable, "-c", code], start_new_session=True, **pipes)
    elif what == "turns":  # lesson-06
        # Of several actions one each time, and the last for ever.
        act(value.pop(0) if len(value) > 1 else value[0], id)
    elif what == "fresh":  # lesson-06
        # This page, with a cursor that never was there before.
        answer(id, result={**value, "nextCursor": str(time.monotonic_ns())})
    elif what == "progress":  # lesson-07
        progress(value)
    elif what == "endless":  # lesson-07
        for done in range(1_000_000):
            progress({"progress": done})
            time.sleep(value)
    while what == "flood":
        write(value)


def main(plan: dict) -> None:
    for action in plan.get("start", ()):
        act(action)
    for line in sys.stdin.buffer:
        if "record" in plan:
            with Path(plan["record"]).open("ab") as file:
                file.write(line)
        message = json.loads(line)
        message = told_apart(message)  # lesson-07
        for action in plan.get(message["method"], ()):
            act(action, message.get("id"))
    for action in plan.get("end", ()):
        act(action)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
