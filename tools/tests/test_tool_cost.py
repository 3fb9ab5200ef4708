"""The cost of tools: figures, shapes, lists together, parts, windows. (lesson 04)"""

import ast
import json
import re
import subprocess
import sys

import pytest

from tools import stages
from tools.tests.tool_lists import ROOT, TOOL, figures, saved
from tools.tool_cost import CostError, compact, count, list_tools, measure, shape
from tools.tool_cost import vocabulary
from tools.tool_cost.command import main

pytest.importorskip("tiktoken")


@pytest.fixture(scope="module")
def helpdesk():
    """What the server of lesson 03 lists."""
    start = "import runpy, sys; sys.path[0] = sys.argv.pop(); "
    start += "runpy.run_module('handwritten', run_name='__main__', alter_sys=True)"
    return list_tools([sys.executable, "-c", start, str(stages.stage_dir(3))])


@pytest.mark.parametrize(
    ("form", "prefix", "tokens"),
    [
        ("claude", "", 91),
        ("claude", "mcp__helpdesk__", 97),
        ("openai", "", 96),
        ("responses", "", 94),
        ("mcp", "", 170),
    ],
)
def test_the_figures_of_get_ticket(helpdesk, form, prefix, tokens):
    report = measure(helpdesk.tools, form, prefix)
    assert [(row.name, row.tokens) for row in report.rows] == [
        (f"{prefix}get_ticket", tokens)
    ]
    assert report.total.tokens == tokens
    shaped = [shape(helpdesk.tools[0], form, prefix)]
    assert report.total.bytes == len(compact(shaped).encode())
    assert (helpdesk.name, helpdesk.revision) == ("helpdesk", "2026-07-28")
    assert count(helpdesk.instructions) == 12


@pytest.mark.parametrize(
    ("words", "tokens"),
    [
        ([], 91),
        (["--prefix", "mcp__helpdesk__"], 97),
        (["--shape", "openai"], 96),
        (["--shape", "mcp"], 170),
    ],
)
def test_the_command_in_the_folder_of_lesson_3(words, tokens):
    start = "import sys; sys.path[0] = sys.argv.pop(1); "
    start += "from tools.tool_cost.command import main; sys.exit(main())"
    command = [sys.executable, "-c", start, str(ROOT), "--json", *words]
    done = subprocess.run(
        [*command, "--", "python", "-m", "handwritten"],
        cwd=stages.stage_dir(3),
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (row,) = json.loads(done.stdout)["tools"]
    assert (row["name"][-10:], row["tokens"]) == ("get_ticket", tokens)


def test_the_count_is_that_of_tiktokens_own_o200k_base():
    from tiktoken_ext import openai_public

    source = openai_public.__loader__.get_source("tiktoken_ext.openai_public")
    own = re.search(r"def o200k_base.*?\[\n(.*?)\n\s*\]\n", source, re.DOTALL)
    lines = [line.strip().rstrip(",") for line in own[1].splitlines()]
    written = [ast.literal_eval(line) for line in lines]
    assert "|".join(written) == vocabulary.PATTERN
    assert f'"{vocabulary.SHA256}"' in source


def test_no_text_is_special_and_half_a_character_counts_as_a_whole_one():
    assert count("<|endoftext|>") > 1
    assert count("a\ud800b") == count("a\ufffdb")
    lone = {**TOOL, "description": "half \ud83d"}
    whole = {**TOOL, "description": "half \ufffd"}
    assert measure([lone]) == measure([whole])


def test_text_that_is_not_english_is_counted_as_it_is_and_not_escaped():
    assert measure([{**TOOL, "description": "Найти"}]).total.bytes == len(
        compact([shape({**TOOL, "description": "Найти"}, "claude")]).encode()
    )
    assert "Найти" in compact("Найти")


@pytest.mark.parametrize("around", ["{0}", '{{"tools":{0}}}', '{{"result":{1}}}'])
def test_a_saved_list_may_be_the_array_the_result_or_the_message(
    capsys, tmp_path, around
):
    file = tmp_path / "saved.json"
    array = json.dumps([TOOL])
    file.write_text(around.format(array, f'{{"tools":{array}}}'), "utf-8")
    made = figures(capsys, "--list", str(file))
    assert [each["name"] for each in made["tools"]] == ["read"]
    assert made["tools"][0]["tokens"] == measure([TOOL]).total.tokens


def test_an_empty_list_costs_nothing(capsys, tmp_path):
    made = figures(capsys, "--list", saved(tmp_path, []), "--window", "1000")
    assert made["total"] == {"tokens": 0, "bytes": 0}
    assert main(["--list", saved(tmp_path, [])]) == 0
    assert "no tools" in capsys.readouterr().out


def test_several_lists_are_one_array_biggest_first_each_with_its_own_prefix(
    capsys, tmp_path
):
    big = {**TOOL, "name": "write", "description": "Write it, " * 30}
    lists = [
        "--list",
        saved(tmp_path, [TOOL], "a.json"),
        "--list",
        saved(tmp_path, [TOOL, big], "b.json"),
    ]
    made = figures(capsys, *lists, "--prefix", "mcp__{server}__")
    names = [each["name"] for each in made["tools"]]
    assert names == ["mcp__b__write", "mcp__a__read", "mcp__b__read"]
    together = [{**TOOL, "name": "mcp__a__read"}, {**TOOL, "name": "mcp__b__read"}]
    together.append({**big, "name": "mcp__b__write"})
    assert made["total"]["bytes"] == measure(together).total.bytes
    assert [each["tools"] for each in made["servers"]] == [1, 2]


def test_the_parts_are_the_whole(capsys, tmp_path):
    made = figures(capsys, "--list", saved(tmp_path, [TOOL, {"name": "bare"}]))
    parts = made["parts"]
    whole = parts["descriptions"] + parts["parameters"] + parts["rest"]
    assert whole == made["total"]["tokens"]
    assert parts["descriptions"] == count('"Read it."')
    assert parts["parameter_descriptions"] == 0


def test_the_share_of_a_window(capsys, tmp_path):
    made = figures(capsys, "--list", saved(tmp_path, [TOOL]), "--window", "1000")
    share = made["total"]["tokens"] / 1000
    assert made["window"] == {"tokens": 1000, "share": share}
    with pytest.raises(SystemExit) as ended:
        main(["--list", "x", "--window", "0"])
    assert ended.value.code == 2


def test_a_shape_that_nobody_takes_is_refused():
    with pytest.raises(CostError, match="the shape 'gemini' is none of claude, openai"):
        shape(TOOL, "gemini")
