"""A lesson's wire tests, run on any server: n of N rules hold.

The tests are pytest's, run by the Python of `.venv`; what a person sees is a line for
each rule and, where one does not hold, what was sent, what came, what was expected and
which rule says so. No traceback of Python: the server may be written in anything.
"""

import contextlib
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from lessons import screen, wire
from lessons.manifest import META, ROOT, Lesson
from tools import fresh
from tools.child import Child
from tools.transcript.lines import printable, shorten

PATIENCE = 3.0  # seconds for a sign of life
REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
DISCOVER = json.dumps({**REQUEST, "params": {"_meta": META}}).encode() + b"\n"

# Not by way of PYTHONPATH, which the server would inherit.
INSIDE = """
import json, sys
sys.path[0] = sys.argv[1]
from lessons import check
sys.exit(check.inside(json.loads(sys.argv[2]), sys.argv[3]))
"""


def run(lessons: list[Lesson], server: str = "") -> int:
    """Check these lessons; 0 when all rules hold, 1 when not, 2 when it can't run."""
    if server:
        try:
            words = wire.split(server)
        except ValueError as error:
            raise screen.CannotRun(str(error)) from None
        if not Path(words[0]).is_file() and words[0] != "python":
            raise screen.CannotRun(f"the server's program {words[0]!r} is not found")
        must_start(words)
    files = [lesson.folder / "test_wire.py" for lesson in lessons]
    found = [str(path) for path in files if path.is_file()]
    if not found:
        raise screen.CannotRun("there are no wire tests to run")
    child = subprocess.Popen(command(_python(), found, server))
    try:
        return child.wait()
    except KeyboardInterrupt:  # the child gets it as well, and ends its servers
        try:
            child.wait(screen.GRACE)
        except subprocess.TimeoutExpired:
            child.kill()
        raise


def must_start(words: list[str]) -> None:
    """Raise CannotRun where the server leaves at once: said once, not for each rule."""
    with fresh.folder() as data, Child(words, env=fresh.environment(data)) as child:
        with contextlib.suppress(OSError):
            child.send(DISCOVER)
        try:
            if child.receive("server", PATIENCE) is not None:
                return
            said = child.receive("log", PATIENCE)
        except TimeoutError:
            return  # it is silent, which the rules are about
        code = child.close()
    last = printable(said[1].rstrip()) if said else "none"
    text = f"the server left before its first answer, with exit code {code}"
    raise screen.CannotRun(f"{text}; its first words: {shorten(last, 300)}")


def command(python: Path | str, files: list[str], server: str) -> list[str]:
    """What runs these tests in the caller's directory, where the server starts too."""
    return [str(python), "-c", INSIDE, str(ROOT), json.dumps(files), server]


def _python() -> Path:
    from tools import setup

    try:
        return setup.ensure()
    except setup.SetupError as error:
        raise screen.CannotRun(str(error)) from None


class Rules:
    """The pytest plugin that prints a line for each rule."""

    def __init__(self):
        self.results: dict[str, bool] = {}  # by test: does its rule hold?
        self.folder = ""

    def pytest_runtest_protocol(self, item):
        """A lesson's name above its rules."""
        if item.path.parent.name != self.folder:
            self.folder = item.path.parent.name
            print(f"\n{self.folder}")

    def pytest_runtest_logreport(self, report):
        """Called three times a test; what fails before or after counts as failed."""
        rule = rule_of(report.nodeid)
        if report.failed:
            self.results[report.nodeid] = False
            print(screen.coloured(f"FAIL  {rule}", "bad"))
            for line in str(report.longrepr).splitlines():
                first, *more = screen.fold(line, screen.width() - 16) or [""]
                print(f"      {first}")
                for row in more:
                    print(f"      {'':10}{row}")
        elif report.when == "call" and report.passed:
            self.results[report.nodeid] = True
            print(f"ok    {rule}")
        elif report.skipped:
            print(f"skip  {rule}")
        sys.stdout.flush()

    def pytest_collectreport(self, report):
        """A test file that can't be read is no rule: say so."""
        if report.failed:
            print(report.longrepr, file=sys.stderr)


def rule_of(nodeid: str) -> str:
    """ "…::test_an_id_comes_back[1]" as words: "an id comes back [1]"."""
    name = nodeid.partition("::")[2]
    words, bracket, case = name.removeprefix("test_").partition("[")
    return re.sub("_+", " ", words) + (f" [{case}" if bracket else "")


def inside(files: list[str], server: str) -> int:
    """What runs in the Python of `.venv`: the tests, and the exit code of `run`."""
    for name in ("SERVER", "PYTEST_ADDOPTS"):  # these are for other runs of pytest
        os.environ.pop(name, None)
    pytest = importlib.import_module("pytest")
    rules = Rules()
    options = ["--disable-plugin-autoload", "-p", "no:terminal", "-c"]
    options += [str(ROOT / "pyproject.toml"), f"--rootdir={ROOT}"]
    options += [f"--server={server}"] if server else ["--by-hand"]
    code = pytest.main([*options, *files], plugins=[rules])
    held = list(rules.results.values())
    print(f"\n{sum(held)} of {len(held)} rules hold")
    return code if code in (0, 1) else 2
