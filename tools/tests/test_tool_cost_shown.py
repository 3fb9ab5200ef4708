"""The cost of tools: what a person is shown, and a chart. (lesson 04)"""

import subprocess
import sys

import pytest

from tools.tests.tool_lists import ROOT, TOOL, figures, refused, saved
from tools.tool_cost.command import main
from tools.tool_cost.terminal import fit

pytest.importorskip("tiktoken")


def test_a_description_that_a_host_would_cut_is_warned_of(capsys, tmp_path):
    long = {**TOOL, "description": "x" * 2000 + "the important end"}
    short = {**TOOL, "name": "other", "description": "y" * 2000}
    assert main(["--list", saved(tmp_path, [long, short])]) == 0
    out = capsys.readouterr().out
    assert out.count("Warning") == 1
    assert "the description of read" in out and "the important end" in out
    made = figures(capsys, "--list", saved(tmp_path, [long]))
    assert made["cut"] == [{"text": "the description of read", "lost": 17}]


@pytest.mark.parametrize("more", [["--json"], []])
def test_nothing_that_acts_on_a_terminal_reaches_it(capsys, more, tmp_path):
    evil = "\x1b[2J\x07\x9b31m\x7f\u202e\r\n\ud800"
    schema = {"$defs": {evil: {}}}
    tool = {"name": evil, "description": "x" * 2000 + evil, "inputSchema": schema}
    assert main(["--list", saved(tmp_path, [tool]), *more]) == 0
    assert all(each.isprintable() or each == "\n" for each in capsys.readouterr().out)
    assert main(["--server", f"{evil}", *more]) == 2
    assert capsys.readouterr().err.strip().isprintable()


def test_every_row_fits_a_hundred_columns(capsys, tmp_path):
    definitions = {f"{'d' * 200}{n}": {} for n in range(20)}
    tool = {
        "name": "n" * 300,
        "description": "x y " * 3000,
        "inputSchema": {"$defs": definitions},
    }
    lists = [saved(tmp_path, [tool], f"{'s' * 60}{n}.json") for n in range(2)]
    words = [word for each in lists for word in ("--list", each)]
    assert main([*words, "--window", "200000"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100
    assert len(fit("\x1b" * 99, 20)) == 20


def test_a_chart_of_svg_or_png_that_is_the_same_each_time(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    tools = [{**TOOL, "name": f"$x_{n}^\x1b<&漢"} for n in range(40)]
    for name, start in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
        file = tmp_path / name
        made = []
        for _ in range(2):
            assert main(["--list", saved(tmp_path, tools), "--chart", str(file)]) == 0
            made.append(file.read_bytes())
        assert made[0] == made[1] and made[0].startswith(start)
    assert sorted(each.name for each in tmp_path.glob("a.*")) == ["a.png", "a.svg"]
    assert "the biggest 30" in (tmp_path / "a.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("a.pdf", ".svg or .png"), ("no/a.svg", "there is no folder")],
)
def test_a_chart_that_can_not_be_written_is_a_sentence(
    capsys, tmp_path, name, sentence
):
    file = tmp_path / name
    assert sentence in refused(capsys, "--list", saved(tmp_path, []), "--chart", file)


def test_matplotlib_is_loaded_for_a_chart_only():
    code = "import sys, tools.tool_cost.command\n"
    code += "sys.exit('matplotlib' in sys.modules or 'tiktoken' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_names_that_model_apis_refuse_are_said(capsys, tmp_path):
    names = ["a.b", "n" * 65, "日本", "twice", "twice", "good-name_1"]
    tools = [{**TOOL, "name": name} for name in names]
    assert main(["--list", saved(tmp_path, tools)]) == 0
    out = capsys.readouterr().out
    assert "Warning: model APIs refuse the name a.b: it is not 1 to 64 of" in out
    assert "refuse the name twice: it is there 2 times." in out
    assert "refuse the name good" not in out
    assert len(figures(capsys, "--list", saved(tmp_path, tools))["refused"]) == 4
    assert main(["--list", saved(tmp_path, tools), "--shape", "mcp"]) == 0
    assert "refuse the name" not in capsys.readouterr().out
