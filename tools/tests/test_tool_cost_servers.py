"""The cost of tools: servers of both eras, and those that do not behave. (lesson 04)"""

import json
import sys

import pytest

from tools.tests.tool_lists import (
    BAD_PARAMS,
    MODERN,
    NOT_FOUND,
    OLD,
    TOOL,
    figures,
    refused,
    saved,
    server,
)
from tools.tool_cost import list_tools
from tools.tool_cost.command import main

pytest.importorskip("tiktoken")


@pytest.mark.parametrize("error", [NOT_FOUND, BAD_PARAMS])
def test_a_server_of_the_old_era_is_listed_whatever_it_calls_the_probe(error, tmp_path):
    hello = {**OLD, "serverInfo": {"name": "old", "version": "2"}}
    hello["instructions"] = "Ask."
    listed = list_tools(
        server(tmp_path, error, initialize=hello, tools_list={"tools": [TOOL]}), 10
    )
    assert (listed.name, listed.version, listed.revision) == ("old", "2", "2025-06-18")
    assert (listed.tools, listed.instructions) == ([TOOL], "Ask.")


def test_a_server_without_instructions_or_a_name_is_measured(capsys, tmp_path):
    old = server(tmp_path, initialize=OLD, tools_list={"tools": [TOOL]})
    made = figures(capsys, "--", *old)
    assert made["instructions"] == {"tokens": 0}
    assert made["servers"][0]["name"] == "server"
    assert main(["--", *old]) == 0
    assert "no instructions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ({"tools": [TOOL], "nextCursor": "again"}, "goes in circles"),
        ({"tools": [TOOL], "nextCursor": ""}, "goes in circles"),
        ({"tools": [TOOL], "nextCursor": "ID"}, "has no end: 200 pages were read"),
        ({"tools": [TOOL], "nextCursor": 7}, "nextCursor that is no string"),
        ({"tools": {}}, "there is no list of tools"),
        ({"tools": [TOOL, {"name": 1}]}, "tool 2 of the list is no object with a name"),
    ],
)
def test_a_list_that_can_not_be_read_to_its_end(capsys, page, sentence, tmp_path):
    command = server(tmp_path, server_discover=MODERN, tools_list=page)
    assert sentence in refused(capsys, "--", *command)


def test_a_server_with_an_empty_list_is_measured(capsys, tmp_path):
    empty = server(tmp_path, server_discover=MODERN, tools_list={"tools": []})
    made = figures(capsys, "--", *empty)
    assert (made["tools"], made["total"]) == ([], {"tokens": 0, "bytes": 0})


def test_all_pages_are_read(tmp_path):
    file = tmp_path / "pages.py"
    file.write_text(
        "import json, sys\n"
        f"first = {MODERN!r}\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    page = int(asked['params'].get('cursor', 0))\n"
        "    tool = {'name': f'tool_{page}', 'inputSchema': {}}\n"
        "    more = {'nextCursor': str(page + 1)} if page < 3 else {}\n"
        "    listed = {'tools': [tool], **more}\n"
        "    result = listed if asked['method'] == 'tools/list' else first\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result}),"
        " flush=True)\n",
        "utf-8",
    )
    listed = list_tools([sys.executable, str(file)], 10)
    assert [tool["name"] for tool in listed.tools] == [f"tool_{n}" for n in range(4)]


def test_a_server_gets_no_more_than_its_time(capsys):
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    said = refused(capsys, "--timeout", "0.3", "--", *silent)
    assert "gave no answer in time" in said


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("print('hello'); print('\\x1b[2J{]')", "ended (exit code 0)"),
        ("sys.stdout.buffer.write(bytes(range(256)) * 99)", "ended (exit code 0)"),
        ("print('[1]', flush=True); sys.stdin.read()", "gave no answer in time"),
        ("while True: print('x' * 99)", "sent 10,000 lines and not its list"),
        ("sys.stdout.write('y' * 17_000_000)", "sent a line of over"),
        ("sys.stdin.readline(); sys.exit('\\x1b]0;evil\\x07')", "(exit code 1)"),
        ("answer({'supportedVersions': '\\x1b[2J'})", "ended (exit code 0)"),
        ("answer({'supportedVersions': ['\\x1b[2J']})", "speaks ['\\x1b[2J']"),
        ("answer({'supportedVersions': ['2026-07-28']})", "ended (exit code 0)"),
    ],
)
def test_a_server_that_prints_garbage_or_dies_is_a_sentence(capsys, code, sentence):
    start = "import json, sys\ndef answer(result):\n"
    start += "    sys.stdin.readline()\n"
    start += "    print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': result}))\n"
    said = refused(capsys, "--timeout", "3", "--", sys.executable, "-c", start + code)
    assert sentence in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--", "no-such-program"], "can't start 'no-such-program'"),
        (["--", sys.executable, "-c", "1/0"], "ZeroDivisionError"),
        (["--list", "none.json"], "can't read 'none.json'"),
        (["--server", "x='"], "No closing quotation"),
        ([], "nothing to measure"),
    ],
)
def test_what_can_not_be_asked_is_a_sentence(capsys, words, sentence):
    assert sentence in refused(capsys, *words)


def test_a_second_process_that_lists_the_same(capsys, tmp_path):
    same = server(tmp_path, server_discover=MODERN, tools_list={"tools": [TOOL]})
    assert main(["--restart", "--", *same]) == 0
    assert "a second process lists the same bytes" in capsys.readouterr().out


def test_a_second_process_that_lists_something_else_is_found(capsys, tmp_path):
    other = {"name": "other", "description": "PROCESS"}
    changed = server(
        tmp_path, server_discover=MODERN, tools_list={"tools": [TOOL, other]}
    )
    assert main(["--restart", "--json", "--", *changed]) == 1
    made = json.loads(capsys.readouterr().out)
    assert made["servers"][0]["restart"] == {"same": False, "changed": ["other"]}


def test_a_saved_list_can_not_be_restarted(capsys, tmp_path):
    assert "a saved list is no server" in refused(
        capsys, "--restart", "--list", saved(tmp_path, [])
    )
