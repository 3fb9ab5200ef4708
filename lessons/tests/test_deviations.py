"""The tables of deviations: each row is true, and names tests that there are."""

import dataclasses
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from lessons import deviations as table, pipe, wire
from lessons.deviations import Deviating, deviations, every_row
from lessons.manifest import ROOT, ManifestError
from tools.play import play

ROWS = every_row()
SERVER = Path(__file__).parent / "small_server.py"
needs_sdk = pytest.mark.skipif(
    importlib.util.find_spec("mcp") is None, reason="the SDK is not installed"
)


def answers(row, command, cwd) -> list[dict]:
    """What the server says to the lines of this row, parsed."""
    session = dataclasses.replace(row.session, command=tuple(command))
    lines = [entry.line for entry in play(session, cwd) if entry.dir == "server"]
    return [json.loads(line) for line in lines]


def kinds(messages: list[dict]) -> list[tuple]:
    """Of each answer what no wording changes: id, error code, tool error or not."""
    return [
        (
            message.get("id"),
            message.get("error", {}).get("code"),
            message.get("result", {}).get("isError"),
        )
        for message in messages
    ]


@needs_sdk
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_true(row, sdk_command):
    by_hand = answers(row, ["python", "-m", "handwritten"], ROOT)
    plain, strict = (answers(row, *sdk_command(kind)) for kind in ("plain", "sdk"))
    if row.mended:
        assert plain != strict
        assert kinds(strict) == kinds(by_hand)
    elif row.sometimes:  # at least once in so many times
        again = (kinds(answers(row, *sdk_command("sdk"))) for _ in range(30))
        assert any(each != kinds(by_hand) for each in again)
    else:
        assert kinds(plain) == kinds(strict) != kinds(by_hand)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_says_everything(row):
    assert all([row.name, row.rule, row.sdk, row.by_hand, row.mend])
    assert all(step.note for step in row.session.steps)


def test_no_two_rows_have_one_name():
    names = [row.name for row in ROWS]
    assert len(names) == len(set(names))


def test_a_row_names_tests_that_there_are(monkeypatch):
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--by-hand"]
    files = map(str, (ROOT / "lessons").glob("[0-9]*/test_wire.py"))
    options = ["--disable-plugin-autoload", "--rootdir", str(ROOT)]
    done = subprocess.run(
        [*command, *options, *files], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = {
        line.partition("lessons/")[2].replace("/test_wire.py", "")
        for line in done.stdout.splitlines()
    }
    known = found | {name.partition("[")[0] for name in found}
    missing = [name for row in ROWS for name in row.tests if name not in known]
    assert missing == []


def test_a_table_that_can_not_be_used_is_told_in_a_sentence(tmp_path):
    table = tmp_path / "deviations.toml"
    assert deviations(table) == []
    table.write_text('[[deviations]]\nname = "x"\nsteps = []\n', "utf-8")
    with pytest.raises(ManifestError, match="the key 'rule' is missing"):
        deviations(table)
    table.write_text("[[deviations", "utf-8")
    with pytest.raises(ManifestError, match=r"deviations\.toml: "):
        deviations(table)


def deviating(*words: str) -> Deviating:
    return Deviating([sys.executable, str(SERVER), *words])


def test_a_silence_is_proved_by_the_answer_to_the_next_request(monkeypatch):
    monkeypatch.setattr(pipe, "LIMIT", 60)
    server = deviating("drops")
    server.line("hello")
    with pytest.raises(wire.WireFailure) as failure:
        server.receive()
    sent, came, *_ = str(failure.value).splitlines()
    assert sent.endswith("hello")
    assert came.endswith("nothing, while the next request was answered")
    server.close()


def test_who_answers_late_is_not_taken_for_silent(monkeypatch):
    monkeypatch.setattr(table, "SHORT", 0)  # it is asked again before it can answer
    server = deviating()
    for _ in range(3):
        assert "result" in server.request("server/discover")
    server.silent()
    assert server.end() == 0
    server.close()
