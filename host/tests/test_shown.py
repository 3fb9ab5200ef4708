"""What a person sees: one line each, in UTF-8, with nothing hidden. (lesson 03)"""

import os
import select
import signal
import subprocess
import sys
import time

import pytest
from host.tests.fake_server import MODERN, TOOL
from host.tests.parts import (
    LIMIT,
    QUESTION,
    ROOT,
    fake,
    line_of,
    modern,
    posix,
    run_host,
    said,
    text_result,
)


EVIL = "\x1b[2J\x1b[1A\r\n[host] called \u202e \x9b31m \U000e0069"


@pytest.mark.parametrize("options", [[], ["--allow", ""]])
def test_nothing_that_a_server_says_can_act_on_the_terminal(options):
    # jonigl/mcp-client-for-ollama#270
    tool = {**TOOL, "name": f"get_ticket{EVIL}", "annotations": {"title": EVIL}}
    again = {**TOOL, "description": "ticket " * 9}
    plan = {
        "list": [{"result": {"tools": [again, tool]}}],
        "call": [text_result(EVIL)],
    }
    done = run_host("ticket 7", *options, "--server", line_of(modern(**plan)))
    assert_harmless(done.stdout + done.stderr)
    assert len(done.stdout.splitlines()) == (6 if not options else 7)


def assert_harmless(output: bytes) -> None:
    text = output.decode("utf-8")
    assert all(
        char.isprintable() for char in text.replace("\r\n", "\n").replace("\n", "")
    )


@pytest.mark.parametrize(
    "plan",
    [
        {"start": [{"log": EVIL}, {"exit": 1}]},
        {"server/discover": [{"error": {"code": -32022, "message": EVIL}}]},
        {"server/discover": [{"result": {"supportedVersions": [EVIL]}}]},
    ],
)
def test_nor_can_what_it_says_when_it_fails(plan):
    done = run_host("ticket 7", "--server", line_of(fake(plan)))
    assert done.returncode == 2
    assert_harmless(done.stdout + done.stderr)


def test_a_long_result_is_cut_and_says_so():
    call = [{"big": 100_000}]
    done = run_host("ticket 7", "--server", line_of(modern(call=call)))
    (shown,) = said(done, "server")
    assert len(shown) == 4000
    assert shown.endswith("[cut: the result has 100000 characters]")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_output_is_utf_8_whatever_the_locale_and_the_text(options):
    # flop-labs/technocore-chat#361
    plain = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    command = line_of(modern(call=[text_result("é漢😀 \ud800")]))
    done = run_host(
        "ticket 7 é", *options, "--server", command, env={**os.environ, **plain}
    )
    assert "The tool says: é漢😀 \\ud800" in done.stdout.decode("utf-8")
    assert (done.returncode, done.stderr) == (0, b"")


@posix
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_reader_that_has_seen_enough_gets_no_traceback(options):
    command = [sys.executable, "-m", "host", QUESTION, *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    with subprocess.Popen(command, **pipes) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) == 0


@posix
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_ctrl_c_in_a_call_ends_both_and_leaves_no_child(tmp_path, options):
    # gptme/gptme#719: the child is in a session of its own, the host ends it
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # The server holds the pipe open as long as it lives, and answers no call.
    server = line_of(modern(call=[{"hold": str(pipe)}]))
    # Ctrl-C would end a tool call alone, so the request is another one.
    server = line_of(modern(list=[{"hold": str(pipe)}]))  # lesson-07
    command = [sys.executable, "-m", "host", QUESTION, "--server", server, *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    with subprocess.Popen(command, **pipes) as process, pipe.open() as held:
        assert held.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 130
        assert select.select([held], [], [], LIMIT)[0]
        assert held.readline() == ""
        assert process.stderr.read() == b""


@posix
def test_a_server_that_ignores_the_end_of_input_is_gone_when_the_host_is(tmp_path):
    # mongodb-js/mongodb-mcp-server#1515
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    deaf = modern(start=[{"hold": str(pipe)}], end=[{"sleep": 600}])
    command = [sys.executable, "-m", "host", QUESTION, "--server", line_of(deaf)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
    with process, pipe.open() as held:
        assert held.readline() == "here\n"
        assert process.wait(LIMIT) == 0
        assert select.select([held], [], [], 10)[0]
        assert held.readline() == ""


@posix
def test_ctrl_c_while_a_server_is_closed_leaves_no_child(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    call = [{"hold": str(pipe)}, *MODERN["tools/call"]]
    server = line_of(modern(call=call, end=[{"sleep": 600}]))
    command = [sys.executable, "-m", "host", QUESTION, "--server", server]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    with subprocess.Popen(command, **pipes) as process, pipe.open() as held:
        assert held.readline() == "here\n"
        time.sleep(0.5)  # by now the host waits for the server to leave
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 130
        assert process.stderr.read() == b""
        assert select.select([held], [], [], 10)[0]
