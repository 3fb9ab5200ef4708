"""The command `python -m host`: options, output, exit codes. (lesson 03)"""

import json
import os
import subprocess
import sys

import pytest
from host.tests.fake_server import MODERN, SCHEMA, TOOL
from host.tests.parts import (
    LIMIT,
    QUESTION,
    ROOT,
    line_of,
    modern,
    old,
    posix,
    run_host,
    said,
    text_result,
)

PLAIN = "What is happening with ticket 2318?"  # as the server wants it
ANSWER = 'Ticket 2318, "Charged twice for October", is open.'


def test_it_corrects_the_number_and_answers_with_subject_and_status():
    done = run_host(QUESTION)
    assert said(done, "model") == [
        'please call get_ticket {"ticket_id":"#2318"}',
        'please call get_ticket {"ticket_id":"2318"}',
        ANSWER,
    ]
    assert said(done, "server")[-1].startswith('{"ticket_id":"2318"')
    assert said(done, "person") == [QUESTION]
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_has_an_example():
    done = run_host("--help")
    assert done.returncode == 0
    assert b'python -m host "What is happening with ticket #2318?"' in done.stdout


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a", "--server"], ["a", "-x"]])
def test_a_wrong_command_line_is_refused_with_exit_code_2(arguments):
    done = run_host(*arguments)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_json_prints_one_object_and_nothing_else():
    done = run_host(PLAIN, "--json")
    run = json.loads(done.stdout)
    assert set(run) == {"question", "answer", "usage", "steps"}
    assert (run["question"], run["answer"]) == (PLAIN, ANSWER)
    assert run["usage"]["tool_calls"] == 1
    assert all(set(step) == {"who", "text", "data"} for step in run["steps"])
    assert run["steps"][-1]["text"] == ANSWER
    assert done.returncode == 0


# --- asking the person


def test_without_a_terminal_nobody_says_yes_and_it_says_so():
    done = run_host(QUESTION, "--allow", "")
    assert any(line.startswith('Allow "get_ticket" {') for line in said(done, "host"))
    assert "no terminal" in said(done, "person")[1]
    assert said(done, "server") == []
    assert said(done, "model")[-1].endswith('The person did not allow "get_ticket".')
    assert done.returncode == 0


@posix
def test_a_closed_standard_input_is_no_terminal_either():
    command = f"{line_of([sys.executable])} -m host 'ticket 2318' --allow '' <&-"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, cwd=ROOT, timeout=LIMIT
    )
    assert "no terminal" in said(done, "person")[1]
    assert done.stderr == b""


@posix
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_output_ends_nothing(closed):
    command = f"{line_of([sys.executable])} -m host 'ticket 2318' {closed}"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, cwd=ROOT, timeout=LIMIT
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("options", "asked", "called"),
    [
        ([], 0, 1),
        (["--no"], 0, 1),
        (["--allow", "", "--yes"], 1, 1),
        (["--allow", "", "--no"], 1, 0),
        (["--allow", "", "--yes", "--no"], 1, 0),
        (["--allow", "other", "--yes"], 1, 1),
        (["--allow", "other, get_ticket"], 0, 1),
    ],
)
def test_the_options_answer_what_would_be_asked(options, asked, called):
    done = run_host(PLAIN, *options)
    assert sum(line.startswith("Allow") for line in said(done, "host")) == asked
    assert len(said(done, "server")) == called
    assert len(said(done, "person")) == 1 + asked


def test_an_empty_allow_list_does_not_allow_a_tool_without_a_name():
    listed = [{"result": {"tools": [{**TOOL, "name": ""}]}}]
    done = run_host(QUESTION, "--allow", "", "--server", line_of(modern(list=listed)))
    assert said(done, "server") == []


@posix
@pytest.mark.parametrize(
    ("typed", "called"),
    [(b"y\n", 1), (b"YES\n", 1), (b"\n", 0), (b"n\n", 0), (b"\4", 0)],
)
def test_at_a_terminal_only_a_plain_yes_is_a_yes(typed, called):
    main, side = os.openpty()
    command = [sys.executable, "-m", "host", "ticket 2318", "--allow", ""]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    with subprocess.Popen(command, stdin=side, **pipes) as process:
        errors = b""
        while not errors.endswith(b"[y/N] ") and (more := process.stderr.read(1)):
            errors += more
        os.write(main, typed)
        output = process.communicate(timeout=LIMIT)[0]
    os.close(main)
    os.close(side)
    done = subprocess.CompletedProcess(command, process.returncode, output, errors)
    assert len(said(done, "server")) == called
    assert said(done, "person")[1].endswith("(at the terminal)")
    assert b"[y/N]" in done.stderr


# --- servers


def test_a_server_that_wants_letters_in_front_is_served():
    about = {"type": "string", "pattern": "^T-[0-9]+$"}
    schema = {**SCHEMA, "properties": {"ticket_id": about}}
    plan = {
        "list": [{"result": {"tools": [{**TOOL, "inputSchema": schema}]}}],
        "call": [{"result": {"content": [], "isError": True}}],
    }
    done = run_host(QUESTION, "--server", line_of(modern(**plan)))
    assert 'please call get_ticket {"ticket_id":"T-2318"}' in said(done, "model")


def test_a_server_of_the_old_era_is_served():
    done = run_host(QUESTION, "--server", line_of(old()))
    assert said(done, "host")[0].startswith("server 1 speaks 2025-11-25")
    assert said(done, "model")[-1] == "The tool says: fine"


def test_several_servers_may_have_names_and_each_says_what_it_offers():
    second = [{"result": {"tools": [{**TOOL, "name": "refund"}]}}]
    done = run_host(
        QUESTION,
        *("--server", "desk=python -m handwritten"),
        *("--server", f"pay-2={line_of(modern(list=second))}"),
    )
    first, other = said(done, "host")[:2]
    assert first.startswith("desk speaks 2026-07-28, offers: get_ticket")
    assert other == "pay-2 speaks 2026-07-28, offers: refund"
    assert said(done, "model")[-1] == ANSWER


def test_a_server_that_can_not_be_used_is_left_out_and_the_others_serve():
    gone = ["--server", "gone=no-such-command", "--server", "x=y"]
    done = run_host(QUESTION, *gone, "--server", "python -m handwritten")
    assert said(done, "host")[0].startswith("gone is left out: it can't start")
    assert said(done, "host")[1].startswith("x is left out: it can't start 'y'")
    assert said(done, "model")[-1] == ANSWER
    assert done.returncode == 0


@pytest.mark.parametrize("command", ["no-such-command", "python -c 'exit(3)'", "", "'"])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_without_any_server_it_ends_with_one_sentence_and_2(command, options):
    done = run_host(QUESTION, "--server", command, *options)
    assert done.returncode == 2
    assert done.stderr.startswith(b"host: ")
    assert done.stderr.count(b"\n") == 1
    assert said(done, "model") == []


@pytest.mark.parametrize("name", ["", "desk="])
def test_the_command_line_is_split_as_a_shell_would_once(tmp_path, name):
    folder = tmp_path / "it's a Büro, $HOME"
    folder.mkdir()
    copy = folder / "my server.py"
    copy.write_bytes((ROOT / "host/tests/fake_server.py").read_bytes())
    plan = {**MODERN, "tools/call": [text_result("a  'b' \"c\" \\d")]}
    command = line_of([sys.executable, str(copy), json.dumps(plan)])
    done = run_host("ticket 7", "--server", name + command)
    assert said(done, "model")[-1] == "The tool says: a  'b' \"c\" \\d"


@posix
@pytest.mark.parametrize(
    "written",
    [
        "'{}'",
        '"{}"',
        "\\{}",
    ],
)
def test_each_way_to_quote_in_a_shell_works(tmp_path, written):
    link = tmp_path / "a é"
    link.symlink_to(sys.executable)
    quoted = written.format(str(link).replace(" ", "\\ ") if "\\" in written else link)
    done = run_host(QUESTION, "--server", f"{quoted} -m handwritten")
    assert said(done, "model")[-1] == ANSWER
