"""The client: whatever a server does, there is an end. (lesson 03)"""

import json
import os
import select
import shlex
import signal
import subprocess
import sys

import pytest
from host import client as module
from host.client import Client, ServerFailure
from host.tests.fake_server import MODERN, TOOL
from host.tests.parts import (
    CALL,
    LIMIT,
    ROOT,
    Script,
    changed,
    fake,
    host,
    line_of,
    methods,
    modern,
    posix,
    proposal,
    record,
    texts,
)
from tools.child import Child

DEAF = [{"ignore": int(signal.SIGTERM)}]


def test_a_command_that_is_not_there_fails_by_name(start):
    # microsoft/vscode#296123
    with pytest.raises(ServerFailure, match="can't start 'no-such-command'"):
        start(["no-such-command", "x"])


@pytest.mark.parametrize("command", [[str(ROOT)], ["a\0b"]])
def test_what_can_not_be_a_command_fails_the_same_way(start, command):
    with pytest.raises(ServerFailure, match="can't start"):
        start(command)


def test_a_server_that_exits_at_once_is_told_with_code_and_last_words(start):
    with pytest.raises(ServerFailure) as caught:
        start(fake({"start": [{"log": "no licence\n"}, {"exit": 3}]}))
    assert "exit code 3" in str(caught.value)
    assert "no licence" in str(caught.value)


def test_a_server_that_is_gone_before_it_is_asked_is_told_the_same_way(start):
    one = start(modern(call=[{"log": "last\n"}, {"exit": 3}]))
    with pytest.raises(ServerFailure):
        one.request("tools/call", CALL)
    with pytest.raises(ServerFailure, match=r"ended \(exit code 3\)"):
        one.request("tools/call", CALL)


def test_the_last_words_are_the_end_of_a_long_log(start):
    log = [{"log": "first\n"}, {"long": 300_000}, {"log": f"last {'x' * 9999}\n"}]
    with pytest.raises(ServerFailure) as caught:
        start(fake({"start": [*log, {"exit": 1}]}))
    assert "last xxx" in str(caught.value)
    assert "first" not in str(caught.value)
    assert len(str(caught.value)) < 500


@posix
def test_a_server_killed_in_a_call_fails_that_call_with_the_signal(start):
    # MoonshotAI/kimi-code#2109
    one = start(modern(call=[{"kill": 9}]))
    with pytest.raises(ServerFailure, match="exit code -9"):
        one.request("tools/call", CALL)


@posix
def test_a_program_that_keeps_the_log_open_delays_nothing(start, monkeypatch):
    monkeypatch.setattr(Child.close, "__defaults__", (0.3,))
    with pytest.raises(ServerFailure, match="exit code 4"):
        start(fake({"start": [{"daemon": 5}, {"exit": 4}]}))


def test_a_server_that_never_answers_is_left(start, hasty):
    with pytest.raises(ServerFailure, match="no answer in time"):
        start(fake({}))


@pytest.mark.parametrize("line", ["hello", "{}", '{"jsonrpc":"2.0","method":"x"}'])
def test_a_server_that_never_stops_talking_is_left_too(start, hasty, line):
    with pytest.raises(ServerFailure, match="no answer in time"):
        start(fake({"start": [{"flood": line}]}))


def test_a_server_that_reads_nothing_can_not_block_the_host(start, monkeypatch):
    if os.name != "posix":
        pytest.skip("there a pipe can't be asked whether it has room")
    monkeypatch.setattr(module, "TIMEOUT", 0.3)
    monkeypatch.setattr(Child.close, "__defaults__", (0.3,))
    one = start(fake({"start": [{"sleep": 60}]}), opened=False)
    one.child = Child(one.command)
    with pytest.raises(ServerFailure, match="could not be sent a message"):
        one.request("tools/call", {"arguments": {"x": "y" * 1_000_000}})


def test_a_number_that_is_no_json_is_not_sent(start):
    one = start(modern())
    with pytest.raises(ServerFailure, match="could not be sent"):
        one.request("tools/call", {"arguments": {"x": float("nan")}})
    assert texts(one.request("tools/call", CALL)) == ["fine"]


def test_a_server_that_reads_to_the_end_leaves_by_itself(start):
    one = start(modern(end=[{"exit": 7}]))
    assert one.close() == 7


def test_a_client_that_was_never_opened_can_be_closed():
    assert Client("x", ["y"]).close() == 0


@posix
@pytest.mark.parametrize(("deaf", "code"), [([], -15), (DEAF, -9)])
def test_a_server_that_ignores_the_end_of_input_is_ended(
    start, monkeypatch, deaf, code
):
    monkeypatch.setattr(Child.close, "__defaults__", (0.3,))
    one = start(modern(start=deaf, end=[{"sleep": 60}]))
    # The probe is answered, so SIGTERM is ignored by now.
    assert one.close() == code


@posix
def test_what_a_server_started_ends_with_it(start, tmp_path):
    # cyanheads/mcp-ts-core#321: a wrapper, and a program beside the server
    os.mkfifo(tmp_path / "pipe")
    beside = f"(echo up; exec sleep 60) > {shlex.quote(str(tmp_path / 'pipe'))} &"
    one = start(["sh", "-c", f"{beside} {line_of(modern())}; true"])
    with (tmp_path / "pipe").open() as pipe:
        assert pipe.readline() == "up\n"
        one.close()
        assert select.select([pipe], [], [], LIMIT)[0]
        assert pipe.readline() == ""  # nobody is left to write to it


def test_a_server_that_dies_ends_the_call_and_not_the_conversation(start, tmp_path):
    # QwenLM/qwen-code#8387: and the call is not made again
    command, got = record(tmp_path, changed(MODERN, {"call": [{"exit": 1}]}))
    model = Script(proposal(), proposal(), {"text": "Sorry."})
    assert host(start(command, opened=False), model).converse("?") == "Sorry."
    told = [each["text"] for each in model.seen[2][0] if each["role"] == "tool"]
    assert all(each.startswith("The call failed: the server ended") for each in told)
    assert methods(got()).count("tools/call") == 1


def test_the_hand_written_server_is_modern_to_this_client(start, monkeypatch):
    monkeypatch.chdir(ROOT)
    one = start([sys.executable, "-m", "handwritten"])
    assert one.revision == "2026-07-28"
    assert '"status":"open"' in texts(one.request("tools/call", CALL))[0]
    assert one.close() == 0


def test_a_module_that_is_not_there_is_told_in_the_last_words(start):
    with pytest.raises(ServerFailure, match="No module named"):
        start([sys.executable, "-m", "no_such_module"])


def test_a_fake_that_is_asked_by_hand_answers():
    # The fake is a program of its own: this is how its answers look on the pipe.
    asked = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    done = subprocess.run(
        modern(), input=asked, capture_output=True, check=True, timeout=LIMIT
    )
    assert json.loads(done.stdout)["result"]["tools"] == [TOOL]
