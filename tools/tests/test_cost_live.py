"""`make cost-live` keeps figures only; what fails leaves the old ones. (lesson 04)"""

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import cost_live
from tools.cost_live import alone, install, measure, table
from tools.cost_live.pins import without_addresses
from tools.cost_live.servers import HERE, POPULAR, SMALL, Places, Server, helpdesk
from tools.tool_cost import CostError

SETS = {"small": SMALL, "popular": POPULAR}
ROW = {"name", "package", "version", "date", "tools", "bytes", "tokens"}
FIGURES = {"date", "tools", "bytes", "tokens"}
SECRET = "a sentence of somebody else's"


@pytest.fixture(params=SETS)
def committed(request):
    """One set of the committed table, with the servers that it should have."""
    return table.read(table.TABLE)[request.param], SETS[request.param]


def test_the_committed_table_has_a_row_for_each_server_as_pinned(committed):
    part, servers = committed
    rows = [(row["name"], row["package"], row["version"]) for row in part["servers"]]
    wanted = [helpdesk(), *servers]
    assert rows == [(each.name, each.package, each.version()) for each in wanted]


def test_the_committed_table_holds_figures_and_short_names_only(committed):
    part, _ = committed
    for row in part["servers"]:
        assert row.keys() == ROW
    assert part["total"].keys() == FIGURES
    for row in [*part["servers"], part["total"]]:
        for key, value in row.items():
            if key in ("tools", "bytes", "tokens"):
                assert type(value) is int and value > 0
            else:
                assert re.fullmatch(r"[@a-z0-9./-]{1,50}", value), value
            if key == "date":
                assert re.fullmatch(r"\d{4}-\d\d-\d\d", value)


def test_the_committed_totals_add_up(committed):
    part, _ = committed
    rows, total = part["servers"], part["total"]
    assert total["tools"] == sum(row["tools"] for row in rows)
    # One pair of brackets in place of many, and commas between: "[a],[b]" -> "[a,b]".
    brackets = len(rows) - 1
    assert total["bytes"] == sum(row["bytes"] for row in rows) - brackets
    apart = sum(row["tokens"] for row in rows)
    assert apart - 4 * len(rows) <= total["tokens"] <= apart


def test_the_python_pins_hold_hashes_and_no_addresses():
    text = (HERE / "python.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for line, following in itertools.pairwise(lines):
        if not line.startswith("    --hash=sha256:"):
            assert re.match(r"[a-z0-9-]+(\[[a-z, -]+\])?==[a-z0-9.]+ (; .*)?\\$", line)
            assert following.startswith("    --hash=sha256:")
    assert "/" not in "".join(lines)


def test_the_npm_pins_are_exact_hold_hashes_and_no_addresses():
    text = (HERE / "package-lock.json").read_text("utf-8")
    assert "://" not in text
    packages = json.loads(text)["packages"]
    root = packages.pop("")
    assert all("integrity" in each for each in packages.values())
    package = json.loads((HERE / "package.json").read_text("utf-8"))
    assert root["dependencies"] == package["dependencies"]
    assert all(re.match(r"\d", each) for each in package["dependencies"].values())


def test_an_address_in_an_npm_lock_is_left_out():
    places = {"resolved": "https://a/b.tgz", "funding": {"url": "https://c"}}
    lock = {"packages": {"node_modules/b": {"version": "1.0.0", **places}}}
    assert without_addresses(lock) == {
        "packages": {"node_modules/b": {"version": "1.0.0"}}
    }


@pytest.fixture
def world(tmp_path, monkeypatch):
    """No network, no package: two servers that list what `lists` says, or fail."""
    lists = {
        "handwritten": [{"name": "get_ticket", "description": "ours"}],
        "time": [{"name": SECRET, "description": SECRET}],
        "fetch": [{"name": "fetch", "description": SECRET * 2}],
    }

    def list_tools(command, timeout):
        found = lists[command[-1]]
        if isinstance(found, str):
            raise CostError(found)
        return SimpleNamespace(tools=found, instructions=SECRET)

    def count(tools):
        size = len(json.dumps(tools))
        return SimpleNamespace(total=SimpleNamespace(tokens=size // 4, bytes=size))

    fake = SimpleNamespace(CostError=CostError, list_tools=list_tools, measure=count)
    monkeypatch.setattr(measure, "tool_cost", fake)
    monkeypatch.setattr(measure, "can_cut_off", lambda: True)
    servers = (Server("time", "mcp-server-time", "time"),)
    servers += (Server("fetch", "mcp-server-fetch", "fetch"),)
    monkeypatch.setattr(cost_live, "SMALL", servers)
    monkeypatch.setattr(cost_live, "count", len)
    monkeypatch.setattr(cost_live, "TABLE", tmp_path / "live.json")
    monkeypatch.setattr(cost_live, "venv_python", lambda: Path("python"))
    monkeypatch.delenv("NODE", raising=False)
    return SimpleNamespace(lists=lists, file=tmp_path / "live.json")


def rows(world) -> dict:
    part = json.loads(world.file.read_text("utf-8"))["small"]
    return {row["name"]: row["bytes"] for row in part["servers"]} | {
        "total": part["total"]["bytes"]
    }


def test_nothing_that_a_server_says_is_in_the_table(world):
    assert cost_live.main([]) == 0
    assert list(rows(world)) == ["helpdesk", "time", "fetch", "total"]
    assert SECRET not in world.file.read_text("utf-8")
    assert os.listdir(world.file.parent) == ["live.json"]


def test_a_failing_server_is_a_sentence_and_keeps_its_row(world, capsys):
    assert cost_live.main([]) == 0
    before = rows(world)
    world.lists["time"] = "it ended\x1b[2J\nat once."
    world.lists["fetch"] = [{"name": "fetch", "description": "longer" * 50}]
    assert cost_live.main([]) == 1
    after = rows(world)
    assert after["time"] == before["time"] and after["fetch"] > before["fetch"]
    assert after["total"] == before["total"]
    said = capsys.readouterr().err
    assert "time failed: it ended\\x1b[2J\\nat once: its row stays as it was\n" in said
    assert "\x1b" not in said


def test_a_server_without_tools_has_failed(world, capsys):
    world.lists["time"] = []
    assert cost_live.main([]) == 1
    assert "time failed: its list is empty" in capsys.readouterr().err


def test_without_a_network_it_says_so_and_the_table_stays(world, monkeypatch, capsys):
    assert cost_live.main([]) == 0
    before = world.file.read_bytes()
    capsys.readouterr()

    def offline():
        said = "WARNING: Retrying\nERROR: No matching distribution found for caio==1\n"
        raise install.InstallError(install.VENV.why(said))

    monkeypatch.setattr(cost_live, "venv_python", offline)
    assert cost_live.main([]) == 2
    assert capsys.readouterr().err == (
        "cost-live: could not fetch caio==1: is there a network? "
        "The table of figures stays as it is\n"
    )
    assert world.file.read_bytes() == before


def test_a_table_that_is_no_json_is_a_sentence_and_left_alone(world, capsys):
    world.file.write_text("{", encoding="utf-8")
    assert cost_live.main([]) == 2
    assert "live.json is not JSON" in capsys.readouterr().err
    assert world.file.read_text("utf-8") == "{"


def test_a_missing_vocabulary_is_a_sentence_before_the_long_work(
    world, monkeypatch, capsys
):
    def missing(text):
        raise CostError("the vocabulary is missing.")

    monkeypatch.setattr(cost_live, "count", missing)
    assert cost_live.main([]) == 2
    assert capsys.readouterr().err == "cost-live: the vocabulary is missing.\n"
    assert not world.file.exists()


def test_the_figures_are_shown_without_a_measurement(world, monkeypatch, capsys):
    assert cost_live.main([]) == 0
    assert (shown := capsys.readouterr().out).count("\n") == 7
    monkeypatch.setattr(cost_live, "venv_python", None)
    assert cost_live.main(["--show"]) == 0
    assert capsys.readouterr().out.startswith(shown)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES",
            "a package is not the file that python.txt names: the table of figures "
            "stays as it is",
        ),
        (
            "ERROR: no space left\n",
            "pip could not install the servers: no space left; the table of figures "
            "stays as it is",
        ),
    ],
)
def test_what_pip_said_becomes_one_sentence(said, sentence):
    assert install.VENV.why(said) == sentence


def test_node_is_asked_for_only_with_node_1(world, monkeypatch, capsys):
    monkeypatch.setattr(install.shutil, "which", lambda name: None)
    monkeypatch.setenv("NODE", "0")
    assert cost_live.main([]) == 0
    monkeypatch.setenv("NODE", "1")
    assert cost_live.main([]) == 2
    assert "NODE=1 needs node, which is not on the PATH" in capsys.readouterr().err
    assert list(rows(world)) == ["helpdesk", "time", "fetch", "total"]


def test_npm_without_a_network_is_a_sentence():
    said = install.why_npm("npm error code ENOTFOUND\nnpm error A complete log\n")
    assert said.startswith("npm could not fetch: is there a network?")


def test_a_server_sees_a_fresh_home_and_no_variable_of_its_users(tmp_path):
    show = "import json, os; print(json.dumps([os.getcwd(), dict(os.environ)]))"
    command = [sys.executable, "-I", alone.__file__, "open", str(tmp_path)]
    command += ["TOKEN=made=up", "--", sys.executable, "-c", show]
    given = {**os.environ, "MY_API_KEY": "private", "PYTHONPATH": "private"}
    done = subprocess.run(
        command, env=given, capture_output=True, encoding="utf-8", timeout=60
    )
    place, seen = json.loads(done.stdout)
    assert Path(place).resolve() == tmp_path.resolve()
    assert seen["HOME"] == str(tmp_path) and seen["TOKEN"] == "made=up"
    assert "private" not in seen.values()


def test_a_server_can_reach_nobody_where_the_system_can_cut_it_off(tmp_path):
    if not measure.can_cut_off():
        pytest.skip("this system can't cut a process off from the network")
    ask = (
        "import socket\n"
        "here = socket.create_server(('127.0.0.1', 0))\n"
        "socket.create_connection(here.getsockname(), 5).close()\n"
        "try: socket.create_connection(('192.0.2.1', 9), 5)\n"
        "except OSError as error: print(error.errno == 101)\n"
    )
    command = ["unshare", "--map-root-user", "--net", "--", sys.executable, "-I"]
    command += [alone.__file__, "cut-off", str(tmp_path), "--", sys.executable]
    done = subprocess.run(
        [*command, "-c", ask], capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.stdout == "True\n", done.stderr


def test_a_server_from_npm_is_started_by_its_first_program(tmp_path):
    folder = tmp_path / "@a" / "b"
    folder.mkdir(parents=True)
    text = '{"bin": {"b": "dist/b.js", "other": "o.js"}}'
    (folder / "package.json").write_text(text, encoding="utf-8")
    command = Server("b", "@a/b", "", (".",)).command(Places(Path(), "node", tmp_path))
    assert command == ["node", str(folder / "dist/b.js"), "."]
