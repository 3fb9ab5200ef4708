"""The server as a process: pipes, signals, ends. (lesson 01)"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from handwritten import wire
from handwritten.tests.talk import request

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "handwritten"]
LIMIT = 20  # seconds; only a hang takes that long


def line(**options) -> bytes:
    return json.dumps(request("server/discover", **options)).encode() + b"\n"


def run(data: bytes, command=COMMAND, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, input=data, capture_output=True, cwd=ROOT, timeout=LIMIT, **options
    )


def start():
    pipes: dict = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(COMMAND, cwd=ROOT, **pipes)


def test_all_piped_requests_are_answered_in_order_before_it_exits():
    done = run(b"".join(line(id=number) for number in range(50)))
    answers = [json.loads(each) for each in done.stdout.split(b"\n")[:-1]]
    assert [answer["id"] for answer in answers] == list(range(50))
    assert done.returncode == 0


def test_no_input_at_all_is_a_clean_end():
    done = run(b"")
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_last_line_without_its_line_feed_is_served():
    assert json.loads(run(line().rstrip(b"\n")).stdout)["id"] == 1


def test_answers_end_in_a_line_feed_alone_whatever_the_input_had():
    done = run(line().replace(b"\n", b"\r\n"))
    assert done.stdout.endswith(b"}\n")
    assert b"\r" not in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp932"])
def test_the_wire_is_utf_8_whatever_the_locale(encoding):
    # flop-labs/technocore-chat#361
    environment = {
        **os.environ,
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": encoding,
        "LC_ALL": "C",
    }
    text = "é漢😀—"
    done = run(line(id=text).replace(b"\\u", b"\\u"), env=environment)
    assert json.loads(done.stdout.decode("utf-8"))["id"] == text
    assert text.encode("utf-8") in done.stdout


def test_the_first_line_is_logged_shortened_and_nothing_else():
    log = run(line() * 3).stderr.decode("utf-8").splitlines()
    assert len(log) == 1
    assert log[0].startswith("helpdesk: first line: b'{")
    assert len(log[0]) < 120


def test_a_foreign_framing_shows_in_the_log():
    # modelcontextprotocol/python-sdk#2546
    done = run(b"Content-Length: 120\r\n\r\n" + line())
    assert b"first line: b'Content-Length: 120" in done.stderr
    first, second = done.stdout.split(b"\n")[:-1]
    assert json.loads(first)["error"]["code"] == -32700
    assert json.loads(second)["id"] == 1


def test_a_line_over_the_limit_is_refused_and_the_next_one_served():
    done = run(b"x" * (20 * 1024 * 1024) + b"\n" + line())
    first, second = done.stdout.split(b"\n")[:-1]
    assert json.loads(first)["error"]["code"] == -32700
    assert str(wire.MAX_LINE) in json.loads(first)["error"]["message"]
    assert json.loads(second)["id"] == 1


def test_an_answer_comes_while_the_input_stays_open():
    # awslabs/AutoCorrode#171
    with start() as server:
        server.stdin.write(line())
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.stdin.close()
        assert server.wait(LIMIT) == 0


def test_half_a_line_waits_for_its_end():
    # webstudio-is/webstudio#6066
    with start() as server:
        for part in (line()[:20], b"\n", line(id=2)):
            server.stdin.write(part)
            server.stdin.flush()
        assert json.loads(server.stdout.readline())["error"]["code"] == -32700
        assert json.loads(server.stdout.readline())["id"] == 2
        server.stdin.close()


PRINTS = """
import os, subprocess, sys
from handwritten import server
from handwritten.__main__ import main

def noisy(request):
    print("printed", flush=True)
    os.write(1, b"written\\n")
    subprocess.run([sys.executable, "-c", "print('from a child')"])
    eaten = subprocess.run(
        [sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"],
        capture_output=True,
    )
    return {"eaten": eaten.stdout.decode().strip()}

server.METHODS["server/discover"] = noisy
sys.exit(main([]))
"""


def test_what_a_method_or_its_children_print_or_read_never_touches_the_wire():
    # NatLabRockies/openstudio-mcp#44, modelcontextprotocol/python-sdk#671
    done = run(line() + line(id=2), [sys.executable, "-c", PRINTS])
    answers = [json.loads(each) for each in done.stdout.split(b"\n")[:-1]]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert {answer["result"]["eaten"] for answer in answers} == {"0"}
    for word in (b"printed", b"written", b"from a child"):
        assert done.stderr.count(word) == 2


def test_a_client_that_stops_reading_ends_the_server_with_one_sentence():
    # ArcadeData/arcadedb#8039
    server = start()
    server.stdout.close()
    server.stdin.write(line())
    server.stdin.close()
    log = server.stderr.read().decode()
    server.stderr.close()
    assert server.wait(LIMIT) == 1
    assert "stopped by BrokenPipeError" in log
    assert "Traceback" not in log


@pytest.mark.skipif(os.name != "posix", reason="a closed descriptor 0 or 1")
@pytest.mark.parametrize("closed", [0, 1])
def test_a_server_started_without_a_pipe_says_so_in_one_sentence(closed):
    # In a process of its own, since only there can the descriptor be closed.
    starts = f"import os; os.close({closed}); os.execv({COMMAND[0]!r}, {COMMAND!r})"
    done = run(line(), [COMMAND[0], "-c", starts])
    assert done.returncode == 1
    assert done.stderr.startswith(b"helpdesk: stopped by OSError")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="signals are a POSIX matter")
@pytest.mark.parametrize(
    ("number", "codes"), [(signal.SIGINT, {1}), (signal.SIGTERM, {-15, 143})]
)
def test_a_signal_ends_an_idle_server_without_a_traceback(number, codes):
    # modelcontextprotocol/python-sdk#2663
    with start() as server:
        server.stdin.write(line())
        server.stdin.flush()
        server.stdout.readline()
        # Python misses a signal in the instant before it begins to wait for input.
        time.sleep(0.2)
        server.send_signal(number)
        assert server.wait(LIMIT) in codes
        assert b"Traceback" not in server.stderr.read()


def test_help_shows_how_to_try_it():
    done = run(b"", [*COMMAND, "--help"])
    assert done.returncode == 0
    assert b"python -m lessons 01" in done.stdout


def test_an_unknown_option_is_refused_with_exit_code_2():
    done = run(b"", [*COMMAND, "--port", "80"])
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
