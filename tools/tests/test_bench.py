"""The bench on tool lists: what is compared, and when it is left out. (lesson 04)"""

import contextlib
import json
import sys

import pytest

from tools import bench
from tools import sdk_bench  # lesson-05
from tools import busy  # lesson-07
from tools.tool_cost import bench as lists
from tools.tool_cost import compact, measure, shape

pytest.importorskip("tiktoken")


@pytest.fixture
def quick(monkeypatch):
    """Nothing is measured: all takes a millisecond."""

    @contextlib.contextmanager
    def measured():
        yield lambda which: 0.001

    for name in ("first_answer", "round_trip"):
        monkeypatch.setattr(bench, name, lambda module: 0.001)
    monkeypatch.setattr(lists, "measured", measured)
    monkeypatch.setattr(sdk_bench, "measured", lambda runs: None)  # lesson-05
    monkeypatch.setattr(busy, "measure", lambda module, kind: 0.001)  # lesson-07


def test_the_tools_are_those_of_the_neighbours_each_with_its_own_name():
    tools = lists.many_tools(250)
    assert len({tool["name"] for tool in tools}) == 250
    assert tools[0]["inputSchema"] == tools[100]["inputSchema"]


def test_what_is_encoded_is_what_the_command_counts():
    tools = lists.many_tools(50)
    text = compact([shape(tool, "claude") for tool in tools])
    assert len(text.encode()) == measure(tools).total.bytes


def test_both_are_processes_that_do_their_work():
    with lists.measured(20) as seconds:
        assert all(seconds(each) > 0 for each in lists.PAIR)
    if sys.platform != "win32":
        assert 20 < lists.peak() < 500


def test_the_row_says_what_was_compared(quick, capsys):
    assert bench.main(["--runs", "1", "--json"]) in (0, 1)
    row = json.loads(capsys.readouterr().out)["tool list"]
    assert row["ours"] > 0 and row["echo"] > 0 and row["ratio"] > 0
    bench.main(["--runs", "1"])
    out = capsys.readouterr().out
    assert "tool list " in out and "encodes the same text once" in out
    assert max(map(len, out.splitlines())) <= 100


def test_without_tiktoken_the_row_is_left_out_with_a_sentence(
    quick, monkeypatch, capsys
):
    monkeypatch.setattr(bench.importlib.util, "find_spec", lambda name: None)
    assert bench.main(["--runs", "1"]) == 0
    assert "tiktoken is not installed: run make setup" in capsys.readouterr().out


def test_a_command_that_fails_is_no_measurement():
    with pytest.raises(RuntimeError, match="no such list"):
        lists.seconds(["-c", "import sys; sys.exit('no such list')"])
