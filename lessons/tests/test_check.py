"""`check` runs a lesson's wire tests on any server and says which rules hold."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lessons import check, screen
from lessons.manifest import ROOT

HERE = Path(__file__).parent
RULES = """
import pytest
from lessons.wire import expect, expect_error, expect_result

def test_discover_has_a_result(server):
    server.unchecked = "the small server of these tests is no whole server"
    result = expect_result(server, server.request("server/discover"), "server/discover")
    expect(server, result["resultType"] == "complete", "complete", "basic/index")

@pytest.mark.parametrize("method", ["a/b", "c"])
def test_an_unknown_method_is_refused(server, method):
    expect_error(server, server.request(method), -32601, "unknown method (basic/index)")
"""


@pytest.fixture
def rules(tmp_path):
    """A lesson's folder with wire tests, in a path that is hard on programs."""
    folder = tmp_path / "it's é place" / "lessons" / "03-x"
    folder.mkdir(parents=True)
    (folder / "test_wire.py").write_text(RULES, "utf-8")
    shutil.copy(ROOT / "lessons" / "conftest.py", folder.parent)
    shutil.copy(HERE / "small_server.py", folder)
    return folder


def checked(rules, *words: str, text: str = ""):
    if text:
        (rules / "test_wire.py").write_text(text, "utf-8")
    server = shlex.join([sys.executable, "small_server.py", *words])
    return subprocess.run(
        check.command(sys.executable, [str(rules / "test_wire.py")], server),
        cwd=rules,  # the server's file is named as seen from here
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.mark.parametrize("options", ["", "-v --durations=3"])
def test_where_all_rules_hold_it_says_so(rules, options, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", options)  # what a person likes to see
    done = checked(rules)
    assert done.stdout.splitlines() == [
        "",
        "03-x",
        "ok    discover has a result",
        "ok    an unknown method is refused [a/b]",
        "ok    an unknown method is refused [c]",
        "",
        "3 of 3 rules hold",
    ]
    assert done.returncode == 0
    assert done.stderr == ""


def test_a_rule_that_does_not_hold_is_told_in_four_lines(rules):
    done = checked(rules, "other-ids")
    lines = done.stdout.splitlines()
    at = lines.index("FAIL  discover has a result")
    told = lines[at + 1 : lines.index("FAIL  an unknown method is refused [a/b]")]
    words = [line.split()[0] for line in told if not line.startswith(" " * 16)]
    assert words == ["sent:", "came:", "expected:", "rule:"]
    assert all(len(line) <= 100 for line in lines)
    assert lines[-1] == "0 of 3 rules hold"
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 1


def test_an_answer_of_another_shape_is_told_in_four_lines_too(rules):
    done = checked(rules, "echo")
    assert "an answer with the member 'resultType'" in done.stdout
    assert "Traceback" not in done.stdout
    assert done.returncode == 1


def test_what_the_server_writes_is_held_against_the_schema(rules):
    done = checked(rules, text=RULES.replace("server.unchecked", "unchecked"))
    assert "FAIL  discover has a result" in done.stdout
    assert "a message as specified, but result." in done.stdout


def test_a_server_that_is_no_program_fails_each_rule(rules):
    (rules / "small_server.py").unlink()
    done = checked(rules)
    assert "exit code 2" in done.stdout
    assert done.stdout.rstrip().endswith("0 of 3 rules hold")


def test_a_test_file_that_is_broken_could_not_run(rules):
    done = checked(rules, text="import no_such_module\n")
    assert "no_such_module" in done.stderr
    assert done.returncode == 2


def test_what_can_not_be_started_is_said_before_any_test(tmp_path):
    lesson: Any = SimpleNamespace(folder=tmp_path)
    with pytest.raises(screen.CannotRun, match="'no-such-program' is not found"):
        check.run([lesson], "no-such-program x")
    with pytest.raises(screen.CannotRun, match="No closing quotation"):
        check.run([lesson], "node 'x")
    with pytest.raises(screen.CannotRun, match="no wire tests"):
        check.run([lesson])


def test_a_server_that_leaves_at_once_is_said_once(tmp_path):
    (tmp_path / "test_wire.py").write_text("", "utf-8")
    lesson: Any = SimpleNamespace(folder=tmp_path)
    code = "import sys; sys.exit('no packages here')"
    server = shlex.join([sys.executable, "-c", code])
    with pytest.raises(
        screen.CannotRun, match="exit code 1; its first words: no packages here"
    ):
        check.run([lesson], server)


def test_the_name_of_a_test_reads_as_a_rule():
    assert check.rule_of("a/t.py::test_an_id_comes_back[1]") == "an id comes back [1]"
