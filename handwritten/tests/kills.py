"""A server that is killed at a chosen line, and a client that goes on. (lesson 07)

    python -m handwritten.tests.kills FOLDER accept retry 1 2 3

It plays the flow of a refund once for each number: the server dies, as by `kill -9`,
before the line of that number, counted over all lines that decide and write. The client
does what an honest one does: it starts the server again and sends the same answer
again ("retry"), or begins anew ("anew"). Everything is loaded once, then each server is
a fork, so a kill takes milliseconds. Each line of output is a JSON object: the number,
whether the kill came, the final status, and what the ledger then holds.
"""

import argparse  # noqa: F401  what the server loads late is loaded here, once
import base64  # noqa: F401
import hashlib  # noqa: F401
import hmac  # noqa: F401
import json
import os
import shutil
import signal
import sqlite3
import sys
import weakref  # noqa: F401
from pathlib import Path

from handwritten import confirm, seal, stdio, wire
from handwritten.__main__ import main
from handwritten.helpdesk import ledger, refunds
from handwritten.outbox import Outbox
from handwritten.tests.asking import ACCEPT, CANCEL, CAPABILITIES, DECLINE, REFUND
from handwritten.tests.talk import META, request

ANSWERS = {"accept": ACCEPT, "decline": DECLINE, "cancel": CANCEL}
FILES = {module.__file__ for module in (confirm, ledger, refunds, seal)}
LINES = {stdio.write.__code__, Outbox.write.__code__}


def kill_at(number: int) -> None:
    """From here on, count lines, and die before the line of this number."""
    left = number

    def line(frame, event, _):
        nonlocal left
        if event == "line":
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return line

    def call(frame, event, _):
        code = frame.f_code
        return line if code.co_filename in FILES or code in LINES else None

    sys.settrace(call)


def connect(*place, **options):
    """Without waiting for the disk: a killed process loses nothing that it wrote."""
    database = CONNECT(*place, **options)
    database.execute("pragma synchronous = off")
    return database


CONNECT, sqlite3.connect = sqlite3.connect, connect


class Server:
    """A fork that serves a folder; number 0 is never killed."""

    def __init__(self, folder: str, number: int = 0):
        theirs, ours = os.pipe(), os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.dup2(theirs[0], 0)
            os.dup2(ours[1], 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            for end in (*theirs, *ours):
                os.close(end)
            if number:
                kill_at(number)
            os._exit(main(["--data", folder]))
        os.close(theirs[0])
        os.close(ours[1])
        self.sink, self.source = theirs[1], os.fdopen(ours[0], "rb")

    def ask(self, id: int, **more) -> dict | None:
        """The result; None where the server died before all of it was out."""
        meta = {**META, CAPABILITIES: {"elicitation": {}}}
        params = {"name": "issue_refund", "arguments": REFUND, **more}
        message = request("tools/call", params, id=id, meta=meta)
        try:
            os.write(self.sink, wire.encode(message))
        except BrokenPipeError:
            return None
        line = self.source.readline()
        return json.loads(line)["result"] if line.endswith(b"\n") else None

    def end(self) -> bool:
        """Whether it was killed."""
        os.close(self.sink)
        self.source.close()
        _, status = os.waitpid(self.process, 0)
        return os.WIFSIGNALED(status)


class Client:
    """It wants one refund, and restarts a server that died."""

    def __init__(self, folder: str, numbers: list[int]):
        self.folder, self.numbers, self.id, self.killed = folder, numbers, 0, 0
        self.start()

    def start(self) -> None:
        number = self.numbers.pop(0) if self.numbers else 0
        self.server = Server(self.folder, number)

    def ask(self, **more) -> dict | None:
        self.id += 1  # a retry is a request of its own
        result = self.server.ask(self.id, **more)
        if result is None:
            self.killed += self.server.end()
            self.start()
        return result

    def whole(self, answer: dict, anew: bool) -> dict:
        """The flow to its end, whatever happens to the server."""
        state = None
        for _ in range(20):
            more: dict = {}
            if state is not None:
                said = {"confirm": answer}
                more = {"requestState": state, "inputResponses": said}
            result = self.ask(**more)
            if result is None:
                state = None if anew else state
            elif result["resultType"] == "input_required":
                state = result["requestState"]
            else:
                return result
        raise RuntimeError("the flow has no end")


def play(folder: Path, answer: str, way: str, numbers: list[int]) -> dict:
    """One refund on a new folder, with a kill at each number."""
    client = Client(str(folder), list(numbers))
    # A declined question that is sent again may be over: its decline was written.
    try:
        status = client.whole(ANSWERS[answer], way == "anew")["structuredContent"]
        said = status["status"]
    except KeyError:
        said = "over"
    client.killed += client.server.end()
    database = sqlite3.connect(folder / "state.db")
    held = [
        row[0] for row in ledger.opened(database).execute("select user from refunds")
    ]
    outcomes = [row[0] for row in database.execute("select outcome from answered")]
    database.close()
    shutil.rmtree(folder)  # there may be many thousands
    result = {"numbers": numbers, "killed": client.killed, "status": said}
    return {**result, "refunds": held, "answered": outcomes}


if __name__ == "__main__":
    place, answer, way, *numbers = sys.argv[1:]
    for count, each in enumerate(numbers):
        folder = Path(place) / str(count)
        kills = [int(number) for number in each.split(",")]
        print(json.dumps(play(folder, answer, way, kills)), flush=True)
