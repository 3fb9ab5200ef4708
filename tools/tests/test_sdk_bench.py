"""By hand against SDK: what is counted, and when it is left out. (lesson 05)"""

import importlib.metadata
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import bench, sdk_bench, timing
from tools import busy  # lesson-07

TIMES = {"handwritten": 0.002, "sdk": 0.5, "tools.echo": 0.001}


@pytest.fixture
def quick(monkeypatch):
    """No server is started, and no list of tools is counted."""
    for name in ("first_answer", "round_trip"):
        monkeypatch.setattr(bench, name, TIMES.get)
        monkeypatch.setattr(timing, name, TIMES.get)
    memory = {"handwritten": 10.0, "sdk": 75.0}
    monkeypatch.setattr(sdk_bench, "peak", memory.get)
    monkeypatch.setattr(bench, "tool_list", lambda runs: None)
    monkeypatch.setattr(busy, "measure", lambda module, kind: 0.001)  # lesson-07


@pytest.fixture
def packages(monkeypatch):
    """Packages that are installed: what they need, and files of a known size."""
    needs = {
        "mcp": ["pydantic>=2", "PyJWT[crypto] (>=2)", "win; os_name == 'nt'"],
        "pydantic": ["mcp"],
        "pyjwt": ['a_b.c; extra == "crypto"', "sphinx; extra == 'docs'"],
        "a-b-c": [],
        "sphinx": [],
    }

    def distribution(name):
        if name not in needs:
            raise importlib.metadata.PackageNotFoundError(name)
        return SimpleNamespace(
            requires=needs[name], files=["a"], locate_file=lambda file: Path(__file__)
        )

    monkeypatch.setattr(sdk_bench.importlib.metadata, "distribution", distribution)


def test_a_package_brings_all_that_it_needs_once_and_no_extra_unasked(packages):
    count, size = sdk_bench.installed("mcp")
    assert count == 4  # pyjwt with its extra "crypto"; not sphinx, not win
    assert size == pytest.approx(4 * Path(__file__).stat().st_size / 1e6)


def test_the_lines_are_code_of_the_server_as_of_the_lesson_that_compares(
    tmp_path, monkeypatch
):
    texts = {
        "sdk/server.py": '"""A server. (lesson 05)"""\n\n# why\nA = 1\nB = 2\n',
        "sdk/later.py": '"""More. (lesson 06)"""\nA = 1\n',
        "sdk/tests/test_server.py": '"""Tests. (lesson 05)"""\nA = 1\n',
        "sdk/mended.py": '"""One line now. (lesson 05)"""\nA = 1\nB = 2  # lesson-07\n',
        "sdk/notes.txt": "A = 1\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(sdk_bench, "ROOT", tmp_path)
    assert sdk_bench.lines("sdk") == 3


def test_a_second_table_says_the_two_and_their_ratio(quick, capsys):
    bench.main(["--runs", "1"])
    first, second, *_ = capsys.readouterr().out.split("\n\n")
    assert "echo" in first and "echo" not in second
    rows = {row[:24].strip(): row[24:].split() for row in second.splitlines()}
    assert rows["start to first answer"] == ["2", "ms", "500", "ms", "250"]
    assert rows["memory"] == ["10", "MB", "75", "MB", "7.5"]
    assert rows["installed packages"][0] == "0" and rows["their size"][-1] == "-"
    assert max(map(len, second.splitlines())) <= 100


def test_a_program_may_read_it_under_a_key_of_its_own(quick, capsys):
    bench.main(["--runs", "1", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["sdk"]["round trip"] == {"by hand": 2.0, "sdk": 500.0, "unit": "ms"}
    assert all(
        row.keys() == {"by hand", "sdk", "unit"} for row in report["sdk"].values()
    )


def test_without_the_sdk_it_is_left_out_with_a_sentence(quick, monkeypatch, capsys):
    monkeypatch.setattr(sdk_bench.importlib.util, "find_spec", lambda name: None)
    bench.main(["--runs", "1"])
    assert "mcp is not installed: run make setup" in capsys.readouterr().out
    bench.main(["--runs", "1", "--json"])
    assert "sdk" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "MB", "not known"),
        (0, "", "0"),
        (0.06214, "ms", "0.0621 ms"),
        (99.5, "ms", "99.5 ms"),
        (1234.5, "", "1,234"),
    ],
)
def test_a_number_has_three_places_that_count(value, unit, text):
    assert sdk_bench.written(value, unit) == text


def test_memory_is_that_of_a_server_which_answers():
    found = sdk_bench.peak("handwritten")
    assert found is None or 2 < found < 200
