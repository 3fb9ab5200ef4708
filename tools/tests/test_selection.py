"""Selection: the place of the right tool, the gate, a model, the draws. (lesson 04)"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.selection import (
    Question,
    evaluate,
    experiment,
    helpdesk,
    neighbours,
    read_list,
    read_questions,
    summary,
    wilson,
)
from tools.selection.__main__ import main, table
from tools.tool_cost import CostError

ROOT = Path(__file__).resolve().parents[2]
TICKET = ("helpdesk", "get_ticket")
ISSUE = ("code", "get_ticket")  # another server's tool of the same name


def tool(name: str, about: str) -> dict:
    return {"name": name, "description": about, "inputSchema": {"type": "object"}}


SERVERS = {
    "helpdesk": [tool("get_ticket", "Fetch a support ticket"), tool("refund", "Pay")],
    "code": [tool("get_ticket", "Fetch an issue"), tool("search", "Look for files")],
}


def entry(question: object, expected=TICKET, never=ISSUE) -> dict:
    def pair(named):
        return dict(zip(("server", "tool"), named, strict=True))

    return {"question": question, "expected": pair(expected), "never": pair(never)}


@pytest.fixture
def files(tmp_path):
    """The lists and a questions file, as a server's author would save them."""

    def save(*questions: dict) -> list[str]:
        for server, tools in SERVERS.items():
            path = tmp_path / f"{server}.json"
            path.write_text(json.dumps({"tools": tools}), encoding="utf-8")
        path = tmp_path / "questions.json"
        path.write_text(json.dumps({"questions": questions}), encoding="utf-8")
        lists = [str(tmp_path / f"{server}.json") for server in SERVERS]
        return ["--list", *lists, "--questions", str(path)]

    return save


def test_the_questions_of_the_lesson_name_tools_that_are_there():
    questions = read_questions()
    servers = {"helpdesk": helpdesk(), **neighbours()}
    named = {(name, tool["name"]) for name, tools in servers.items() for tool in tools}
    assert len({each.text for each in questions}) == len(questions) >= 25
    for each in questions:
        assert each.expected in named and each.never in named
        assert each.expected != each.never


def test_the_right_tool_has_a_place_and_the_first_one_is_picked():
    ask = [
        Question("a support ticket", TICKET, ISSUE),
        Question("fetch an issue", TICKET, ISSUE),
        Question("money back", TICKET, ISSUE),
    ]
    rows = evaluate(ask, SERVERS)
    assert [row.rank for row in rows] == [1, 2, None]
    assert [row.picks for row in rows] == [[TICKET], [ISSUE], [None]]
    assert [row.forbidden for row in rows] == [0, 1, 0]
    found = summary(rows)
    assert found["hit_at_1"] == found["right"] == pytest.approx(1 / 3)
    assert found["hit_at_3"] == pytest.approx(2 / 3)
    assert found["forbidden"] == 1


def test_below_the_gate_the_exit_code_is_1(files, capsys):
    good, bad = entry("a support ticket"), entry("look for files")
    assert main([*files(good, bad), "--gate", "0.5"]) == 0
    assert main([*files(good, bad), "--gate", "0.51"]) == 1
    assert "50% right is below the gate of 51%" in capsys.readouterr().err
    assert main(files(good, bad)) == 0


def test_a_forbidden_pick_fails_the_gate_however_low_it_is(files, capsys):
    options = files(entry("a support ticket"), entry("fetch an issue"))
    assert main([*options, "--gate", "0"]) == 1
    assert "1 picks of a tool that must not be picked" in capsys.readouterr().err


def test_questions_about_servers_that_are_not_listed_are_left_out(files, capsys):
    options = files(entry("a support ticket"), entry("free?", ("calendar", "free")))
    assert main([*options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["questions"], found["left_out"], found["tools"]) == (1, 1, 4)
    assert found["rows"][0]["rank"] == 1


MODEL = """
import json, sys
given = json.load(sys.stdin)
names = [tool["name"] for tool in given["tools"]]
assert len(set(names)) == len(names) == 4 and given["question"]
keys = {"name", "description", "input_schema"}
assert all(set(tool) == keys for tool in given["tools"])
print(sys.argv[1])
"""


@pytest.mark.parametrize(
    ("answer", "picked"),
    [
        ("get_ticket", TICKET),
        ("code__get_ticket", ISSUE),  # as the host tells two of one name apart
        ("no_such_tool", None),
    ],
)
def test_a_model_command_is_given_the_tools_and_prints_a_name(tmp_path, answer, picked):
    script = tmp_path / "model.py"
    script.write_text(MODEL, encoding="utf-8")
    questions = [Question("fetch an issue", TICKET, ISSUE)]
    command = [sys.executable, str(script), answer]
    (row,) = evaluate(questions, SERVERS, command, runs=2)
    assert row.picks == [picked, picked]
    assert row.right == (picked == TICKET)
    assert row.forbidden == (2 if picked == ISSUE else 0)


@pytest.mark.parametrize("code", ["import sys; sys.exit(3)", None])
def test_a_model_command_that_fails_is_one_sentence(files, capfd, code):
    command = f'"{sys.executable}" -c "{code}"' if code else "no-such-command"
    assert main([*files(entry("a support ticket")), "--model", command]) == 2
    error = capfd.readouterr().err
    assert "the model command" in error and "Traceback" not in error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "not of the form"),
        ('{"questions": {}}', "not of the form"),
        ('{"questions": [5]}', "question 1 lacks"),
        ('{"questions": [{"question": "a"}]}', "question 1 lacks"),
        (json.dumps({"questions": [entry(5)]}), "question 1 lacks"),
        (json.dumps({"questions": []}), "no question is about"),
        (json.dumps({"questions": [entry("a", ("code", "x\x1b"))]}), "has no tool"),
    ],
)
def test_a_questions_file_that_is_wrong_is_one_sentence(
    files, tmp_path, capsys, text, words
):
    options = files()
    (tmp_path / "questions.json").write_text(text, encoding="utf-8")
    assert main(options) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1 and "\x1b" not in error


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ([{"name": "a"}], "tool 1 lacks an inputSchema"),
        ([tool("a", "")] * 2, "there twice"),
        ([5], "tool 1 of the list is no object with a name"),
    ],
)
def test_a_list_that_is_wrong_is_refused(tmp_path, tools, words):
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"tools": tools}), encoding="utf-8")
    with pytest.raises(CostError, match=words):
        read_list(path)
    with pytest.raises(CostError, match=r"nothing\.json"):
        read_list(tmp_path / "nothing.json")


def test_foreign_names_do_not_reach_the_terminal_as_they_are():
    servers = {"evil\x1b[2J": [tool("a\x07" + "b" * 200, "pay")]}
    named = ("evil\x1b[2J", servers["evil\x1b[2J"][0]["name"])
    for line in table(evaluate([Question("pay\x1b" * 40, named, TICKET)], servers)):
        assert line.isprintable() and len(line) <= 100


@pytest.mark.parametrize(
    "options", [["--gate", "2"], ["--gate", "nan"], ["--runs", "2"], ["--runs", "0"]]
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(SystemExit) as error:
        main(options)
    assert error.value.code == 2


def test_the_command_runs_with_the_lists_of_the_lesson():
    command = [sys.executable, "-m", "tools.selection"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and done.stderr == ""
    assert f"{len(read_questions())} questions, " in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_the_experiment_is_a_table_or_json(files, capsys):
    options = files(entry("a support ticket"))
    assert main([*options, "--sizes", "1,4"]) == 0
    out = capsys.readouterr().out
    assert "30 random lists for each of 1 questions; picked by words." in out
    assert main([*options, "--sizes", "1,4", "--json"]) == 0
    assert [row["tools"] for row in json.loads(capsys.readouterr().out)] == [1, 4]
    assert main([*options, "--sizes", "5"]) == 2
    assert "there are 4 tools" in capsys.readouterr().err
    assert main([*files(entry("a", ("x", "y"))), "--sizes", "1"]) == 2
    assert "no question is about helpdesk, code" in capsys.readouterr().err


def test_the_experiment_gives_the_same_rows_for_the_same_seed():
    def rows(sizes, seed=4):
        some = [each for each in read_questions() if each.expected == TICKET]
        return experiment(some, helpdesk(), neighbours(), sizes, draws=3, seed=seed)

    first = rows((1, 20))
    assert first == rows((1, 20))
    assert first[1:] == rows((20,))  # whatever other rows there are
    assert first[0]["rate"] == 1.0 and first[0]["draws"] == 18
    assert all(row["low"] <= row["rate"] <= row["high"] for row in first)


def test_a_rival_with_the_same_words_takes_the_pick_half_of_the_time():
    # Equal but for the place in the list, and the order is drawn.
    twins = {"a": [tool("get_ticket", "Fetch a ticket")]}
    mine = [tool("get_ticket", "Fetch a ticket")]
    questions = [Question("a ticket", TICKET, ("a", "get_ticket"))]
    alone, both = experiment(questions, mine, twins, sizes=(1, 2), draws=200)
    assert alone["rate"] == 1.0
    assert 0.4 < both["rate"] < 0.6


@pytest.mark.parametrize("sizes", [(0,), (1, 5)])
def test_more_tools_than_there_are_cannot_be_drawn(sizes):
    questions = [Question("a ticket", TICKET, ISSUE)]
    with pytest.raises(ValueError, match="there are 4 tools"):
        experiment(questions, SERVERS["helpdesk"], {"code": SERVERS["code"]}, sizes)


def test_the_interval_is_the_one_of_wilson():
    # The figures of Wilson's formula for 8 of 10 and at the ends, worked by hand.
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
