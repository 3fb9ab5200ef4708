"""The steps of the migration lab, and what running one prints. (lesson 05)

The rule: a text stands in the table because a program prints it, and is found again by
running that program. The steps and the table are in lessons/05-sdk/migration.
"""

import json
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tools.child import Child
from tools.migration.install import ensure_old_python
from tools.setup import ROOT

FOLDER = ROOT / "lessons" / "05-sdk" / "migration"
NOBODY = "http://127.0.0.1:9/mcp"  # where no server listens
PATIENCE = 60.0  # seconds; an interpreter with the SDK starts in less than two
DISCOVER = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "server/discover",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "lab", "version": "0.1.0"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}
RUNS = {
    "server": ["server.py"],
    "client": ["client.py"],
    "http": ["client.py", NOBODY],
    "discover": ["server.py"],
}


@dataclass(frozen=True)
class Error:
    """A text that some step prints, or some line of code raises."""

    text: str
    cause: str
    remedy: str
    step: int | None = None  # None: the program of the lab does not meet it
    mcp: int = 2  # the SDK's major version that it is met under
    run: str = ""  # one of RUNS
    mended: int = 0  # the first step that does not print it
    code: str = ""  # where there is no step: what raises it


@dataclass(frozen=True)
class Step:
    """One whole program, in a folder of its own."""

    number: int
    title: str
    mcp: int
    errors: tuple[Error, ...] = ()

    @property
    def folder(self) -> Path:
        return FOLDER / f"step-{self.number:02}"


@dataclass(frozen=True)
class Printed:
    """What a run printed, and how it ended."""

    out: str
    err: str
    code: int

    @property
    def all(self) -> str:
        return f"{self.err}{self.out}"


@cache
def steps() -> tuple[Step, ...]:
    """All steps, in their order."""
    made = []
    for number, table in enumerate(_tables()["step"]):
        found = [
            Error(
                step=number,
                **{"mcp": table["mcp"], "mended": number + 1} | each,
            )
            for each in table.get("error", ())
        ]
        made.append(Step(number, table["title"], table["mcp"], tuple(found)))
    return tuple(made)


@cache
def others() -> tuple[Error, ...]:
    """The errors that the program of the lab does not meet."""
    return tuple(Error(**each) for each in _tables()["also"])


def errors() -> list[Error]:
    """Every error of the table, those of the steps first."""
    return [each for step in steps() for each in step.errors] + list(others())


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "errors.toml").read_text("utf-8"))


def command(run: str, python: str = "python") -> list[str]:
    """The command of such a run, started in the folder of its step."""
    return [python, *RUNS[run]]


@cache
def play(number: int, run: str, mcp: int) -> Printed:
    """Run a step under this SDK. Raises InstallError, OSError or TimeoutError."""
    python = sys.executable if mcp == 2 else str(ensure_old_python())
    first = b""
    with Child(command(run, python), cwd=FOLDER / f"step-{number:02}") as child:
        if run == "discover":
            child.send(json.dumps(DISCOVER).encode("utf-8") + b"\n")
            item = child.receive("server", PATIENCE)
            first = item[1] if item else b""
        child.end_input()
        out = first + b"".join(_rest(child, "server"))
        err = b"".join(_rest(child, "log"))
        code = child.close()
    return Printed(_text(out), _text(err), code)


def _rest(child: Child, source: str):
    while item := child.receive(source, PATIENCE):
        yield item[1]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def raises() -> list[str]:
    """What the lines of code of `others` raise, run one after the other."""
    given = json.dumps([each.code for each in others()]).encode("utf-8")
    with Child(["python", "-c", RAISER]) as child:
        child.send(given)
        child.end_input()
        item = child.receive("server", PATIENCE)
    return json.loads(item[1]) if item else []


RAISER = """
import json, sys, warnings
warnings.simplefilter("ignore")

def met(code):
    try:
        exec(code, {})
    except BaseException as error:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"

print(json.dumps([met(code) for code in json.load(sys.stdin)]))
"""
