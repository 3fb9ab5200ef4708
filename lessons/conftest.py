"""The `server` of the wire tests: a live one for each test, over any command.

By default a test runs on the hand-written server as of the lesson whose folder it is
in and, where there is lesson 05 and the SDK is installed, on `python -m sdk` as well.
What the SDK does otherwise stands in the lessons' deviations.toml: a test that a row
names must fail there, and a row that is no longer true fails the run.

A test that fails says so in four lines; after a test that passes, all that the server
wrote, and the others on its data folder, is held against the protocol's schema.
"""

import functools
import importlib.util
import os
import re
import tempfile
from pathlib import Path

import pytest

from lessons import wire
from lessons.deviations import LESSON, Deviating, every_row
from lessons.manifest import ROOT, ManifestError
from lessons.warmed import sdk_words
from tools import stages, wirecheck
from tools.wirecheck import schemas as wire_schemas

HANDWRITTEN = ["python", "-m", "handwritten"]
# The SDK's servers by the id of their tests: with our mends, and as it comes.
SDK: dict[str, list[str]] = {"sdk": [], "plain": ["--plain"]}
# Each call reads the whole source, and each test wants one.
stage_dir = functools.cache(stages.stage_dir)


def pytest_addoption(parser):
    parser.addoption("--server", help="the command of the server that is tested")
    parser.addoption("--stage", type=int, help="test the server as of this lesson")
    parser.addoption("--by-hand", action="store_true", help="leave the SDK out")


def lesson_of(path: Path) -> int | None:
    """The lesson in whose folder this test file is."""
    found = re.match("([0-9][0-9])-", path.parent.name)
    return int(found[1]) if found else None


def command_given(config) -> str:
    return config.getoption("--server") or os.environ.get("SERVER") or ""


def has_sdk(config, path: Path) -> bool:
    """Whether the tests of this file run on the SDK's server as well."""
    if command_given(config) or config.getoption("--by-hand"):
        return False
    # What is left of it after a switch to an earlier tag is a folder of bytecode.
    there = (ROOT / "sdk" / "__main__.py").is_file()
    if not there or importlib.util.find_spec("mcp") is None:
        return False
    # An earlier stage has no SDK server, or one that the usual run covers.
    return config.getoption("--stage") is None or (lesson_of(path) or 0) >= LESSON


@pytest.hookimpl(trylast=True)  # so that the server stands last in a test's id
def pytest_generate_tests(metafunc):
    """Each wire test once for each server."""
    path = metafunc.definition.path
    if "server" in metafunc.fixturenames and has_sdk(metafunc.config, path):
        metafunc.parametrize("server", ["handwritten", *SDK], indirect=True)


def pytest_collection_modifyitems(config, items):
    """Expect the failures that the table names, and no other."""
    try:
        rows, left_out = every_row(), []
    except ManifestError as error:
        raise pytest.UsageError(str(error)) from None
    for item in items:
        kind = item.callspec.params.get("server") if hasattr(item, "callspec") else None
        if kind not in SDK:
            continue
        named = [row for row in rows if row.excuses(name_of(item, kind))]
        if kind == "plain" and not any(row.mended for row in named):
            left_out.append(item)  # it would tell the same as the other one
        for row in named:
            if kind == "plain" or not row.mended:
                reason = (
                    f"deviations.toml of lesson {row.session.lesson:02}: {row.name}"
                )
                word: dict = {"strict": not row.sometimes, "raises": wire.WireFailure}
                item.add_marker(pytest.mark.xfail(reason=reason, **word))
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def name_of(item, kind: str) -> str:
    """The test as the table names it: lesson, function and case, without the server."""
    name = item.name.removesuffix(f"[{kind}]")
    case = name.removesuffix(f"-{kind}]")
    return f"{item.path.parent.name}::{name if case == name else case + ']'}"


@pytest.fixture(scope="session")
def sdk_command(request):
    """Gives the command of an SDK server and its directory, warm where possible."""
    number = request.config.getoption("--stage")
    cwd = ROOT if number is None else stage_dir(number)
    with (
        tempfile.TemporaryDirectory(prefix="wire-") as folder,
        sdk_words(os.path.join(folder, "warm"), cwd) as words,
    ):
        yield lambda kind: ([*words, *SDK[kind]], cwd)


@pytest.fixture
def server(request):
    """A fresh server, ended after the test."""
    kind = getattr(request, "param", "handwritten")
    if kind in SDK:
        command = request.getfixturevalue("sdk_command")(kind)
    else:
        command = command_for(request.config, request.path)
    deviates = request.node.get_closest_marker("xfail")
    wired = (Deviating if deviates else wire.Wire)(*command)
    yield wired
    wired.close()


def command_for(config, path: Path) -> tuple[list[str], Path | None]:
    """The command and its directory, for the test file at `path`."""
    if given := command_given(config):
        return wire.split(given), None
    number = config.getoption("--stage") or lesson_of(path)
    if number is None:
        pytest.fail(f"{path} is in no lesson's folder: say --stage or --server")
    return HANDWRITTEN, stage_dir(number)


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
    for each in [wired, *wired.others] if wired else []:
        if not each.unchecked:
            for breach in breaches(each.entries):
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
