"""The `server` of the wire tests: a live one for each test, over any command.

By default it is the hand-written server as of the lesson whose folder the test is in.
A test that fails says so in four lines; after a test that passes, all that the server
wrote is held against the protocol's schema.
"""

import os
import re
from pathlib import Path

import pytest

from lessons import wire
from tools import stages, wirecheck
from tools.wirecheck import schemas as wire_schemas

HANDWRITTEN = ["python", "-m", "handwritten"]


def pytest_addoption(parser):
    parser.addoption("--server", help="the command of the server that is tested")
    parser.addoption("--stage", type=int, help="test the server as of this lesson")


def command_for(config, path: Path) -> tuple[list[str], Path | None]:
    """The command and its directory, for the test file at `path`."""
    given = config.getoption("--server") or os.environ.get("SERVER")
    if given:
        return wire.split(given), None
    number = config.getoption("--stage")
    if number is None:
        found = re.match("([0-9][0-9])-", path.parent.name)
        if not found:
            pytest.fail(f"{path} is in no lesson's folder: say --stage or --server")
        number = int(found[1])
    return HANDWRITTEN, stages.stage_dir(number)


@pytest.fixture
def server(request):
    """A fresh server, ended after the test."""
    wired = wire.Wire(*command_for(request.config, request.path))
    yield wired
    wired.close()


def breaches(entries: list[tuple[str, bytes]]) -> list[wire.WireFailure]:
    """What the server's messages of a whole session do against the schema.

    Nothing where the packages of `make setup` are missing.
    """
    try:
        findings = wirecheck.check(entries)
    except wire_schemas.MissingPackages:
        return []
    sent: bytes | str = "nothing yet"
    senders = []  # for each entry, the client's line before it
    for direction, line in entries:
        sent = line if direction == "client" else sent
        senders.append(sent)
    return [
        wire.WireFailure(
            senders[found.number - 1],
            entries[found.number - 1][1],
            f"a message as specified, but {found.text}",
            found.rule,
        )
        for found in findings
        if found.level == "must" and found.dir == "server"
    ]


def _server(item) -> wire.Wire | None:
    found = getattr(item, "funcargs", {}).get("server")
    return found if isinstance(found, wire.Wire) else None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run the test, then look at the whole session it had."""
    outcome = yield
    wired = _server(pyfuncitem)
    if wired and not wired.unchecked:
        for breach in breaches(wired.entries):
            raise breach
    return outcome


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Four lines instead of a traceback, for all that goes wrong with a server."""
    report = yield
    error = call.excinfo.value if call.excinfo else None
    wired = _server(item)
    odd = (LookupError, TypeError, AttributeError, ValueError)
    if wired and isinstance(error, odd):
        # An answer of another shape than the test reads is the server's fault.
        expected = f"an answer that can be read ({type(error).__name__}: {error})"
        if isinstance(error, KeyError):
            expected = f"an answer with the member {error}"
        here = [each for each in call.excinfo.traceback if each.path == item.path]
        line = here[-1].lineno + 1 if here else 0
        error = wired.failure(expected, f"read by {item.path.name}, line {line}")
    if report.failed and isinstance(error, wire.WireFailure):
        report.longrepr = str(error)
    return report
