"""What the tests of the host share: fakes, and short ways to run them. (lesson 03)"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from handwritten import helpdesk, wire
from handwritten.__main__ import helpdesk_server
from handwritten.server import Connection
from host import app
from host.client import IDENTITY, META, result_of
from host.models.mock import MockModel
from host.tests import fake_server

ROOT = Path(__file__).resolve().parents[2]
FAKE = Path(fake_server.__file__).resolve()
LIMIT = 60  # seconds; only a hang takes that long
CALL = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}}
posix = pytest.mark.skipif(os.name != "posix", reason="signals and terminals")
QUESTION = "What is happening with ticket #2318?"


def fake(plan: dict) -> list[str]:
    """The command of a server that keeps to this plan."""
    return [sys.executable, str(FAKE), json.dumps(plan)]


def modern(**changes) -> list[str]:
    """A server of this era; `discover`, `list` and `call` replace an answer."""
    return fake(changed(fake_server.MODERN, changes))


def old(**changes) -> list[str]:
    """A server of the old era."""
    return fake(changed(fake_server.OLD, changes))


def changed(plan: dict, changes: dict) -> dict:
    names = {
        "discover": "server/discover",
        "list": "tools/list",
        "call": "tools/call",
        "hello": "initialize",
    }
    return {**plan, **{names.get(key, key): changes[key] for key in changes}}


def text_result(text: str, **more) -> dict:
    return {"result": {"content": [{"type": "text", "text": text}], **more}}


def line_of(command: list[str]) -> str:
    """The command as one would type it after --server."""
    if sys.platform == "win32":
        return subprocess.list2cmdline(command)
    return shlex.join(command)


def run_host(*arguments: str, **options) -> subprocess.CompletedProcess:
    """`python -m host …` with nobody at the terminal."""
    given = {"input": b"", "capture_output": True, "cwd": ROOT, "timeout": LIMIT}
    command = [sys.executable, "-m", "host", *arguments]
    return subprocess.run(command, **{**given, **options})


def said(done: subprocess.CompletedProcess, who: str) -> list[str]:
    """The lines of one party in the output."""
    lines = done.stdout.decode("utf-8").splitlines()
    return [line[9:] for line in lines if line.startswith(f"[{who}]")]


class Person:
    """Gives the same answer each time, and keeps count."""

    def __init__(self, answer: bool = False):
        self.says, self.asked = answer, 0

    def answer(self) -> tuple[bool, str]:
        self.asked += 1
        return self.says, "as the test says"

    def there(self) -> bool:  # lesson-07
        """A form would have to be typed: see Typist."""
        return False


class Typist(Person):  # lesson-07
    """Types these lines, one at a time, and then ends the input; or presses Ctrl-C."""

    def __init__(self, *lines, answer: bool = True):
        super().__init__(answer)
        self.lines, self.told = list(lines), []

    def there(self) -> bool:
        return True

    def tell(self, text: str) -> None:
        self.told.append(text)

    def forget_typed(self) -> None:
        """These lines are not there before they are asked for."""

    def read(self, prompt: str) -> str | None:
        self.told.append(prompt)
        line = self.lines.pop(0) if self.lines else None
        if line is KeyboardInterrupt:
            raise line
        return line


class Core:
    """A client of the hand-written server, with no process in between."""

    name, revision = "helpdesk", META["io.modelcontextprotocol/protocolVersion"]
    command = ("core",)  # lesson-06

    def __init__(self, tools: dict | None = None):
        server = helpdesk_server()
        server.tools = tools if tools is not None else {**helpdesk.TOOLS}
        self.connection, self.sent = Connection(server), []
        self.capabilities = server.about["capabilities"]  # lesson-06

    def open(self) -> None:
        assert IDENTITY.items() <= META.items()

    def request(self, method: str, params=None) -> dict:
        """What a real client does, through the same bytes."""
        params = {**(params or {}), "_meta": META}
        self.sent.append((method, params))
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        (answer,) = self.connection.receive(wire.encode(message))
        return result_of(wire.decode(wire.encode(answer)))

    def calls(self) -> list:
        """The arguments of each call that reached the server."""
        sent = [params for method, params in self.sent if method == "tools/call"]
        return [params["arguments"] for params in sent]


class Script:
    """A model that gives these replies in turn, and the last one for ever."""

    def __init__(self, *replies: dict):
        self.replies, self.seen = list(replies), []

    def reply(self, messages: list, tools: list) -> dict:
        self.seen.append((json.loads(json.dumps(messages)), tools))
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def proposal(name: object = "get_ticket", arguments: object = None) -> dict:
    arguments = {"ticket_id": "2318"} if arguments is None else arguments
    return {"calls": [{"name": name, "arguments": arguments}]}


def host(client=None, model=None, person=None, allowed=("get_ticket",)) -> app.Host:
    """A host with one server connected, that shows nothing."""
    made = app.Host(
        model or MockModel(), person or Person(), lambda who, text: None, allowed
    )
    assert made.connect(client or Core())
    return made


def texts(result: dict) -> list[str]:
    return [block["text"] for block in result["content"]]


def record(tmp_path, plan: dict) -> tuple[list[str], object]:
    """A fake that records, and a function that gives the methods it got."""
    path = tmp_path / "got.jsonl"

    def got() -> list[dict]:
        return [json.loads(line) for line in path.read_bytes().splitlines()]

    return fake({**plan, "record": str(path)}), got


def methods(messages: list[dict]) -> list[str]:
    return [message["method"] for message in messages]
