"""One pipe, several requests: the reader thread and its ends. (lesson 07)"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from handwritten import wire
from handwritten.tests.talk import META, request
from handwritten.turns import with_ticks

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 30  # seconds; only a hang takes that long
CANCELLED = {"jsonrpc": "2.0", "method": "notifications/cancelled"}


def export(id: object = "export", **meta) -> bytes:
    params = {"name": "export_tickets", "arguments": {"status": "pending"}}
    return wire.encode(request("tools/call", params, id=id, meta={**META, **meta}))


def ticket(id: object) -> bytes:
    params = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}}
    return wire.encode(request("tools/call", params, id=id))


def start(tmp_path):
    pipes: dict = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-m", "handwritten", "--data", str(tmp_path)]
    return subprocess.Popen(command, cwd=ROOT, **pipes)


def run(data: bytes, tmp_path):
    """What is answered to all of this, and how the server ended."""
    with start(tmp_path) as server:
        out, log = server.communicate(data, timeout=LIMIT)
    assert b"Traceback" not in log
    return [json.loads(line) for line in out.splitlines()], server.returncode


def write(server, data: bytes) -> None:
    server.stdin.write(data)
    server.stdin.flush()


def test_others_are_answered_while_an_export_runs(tmp_path):
    with start(tmp_path) as server:
        write(server, export())
        for id in range(100):
            write(server, ticket(id))
            assert json.loads(server.stdout.readline())["id"] == id
        assert json.loads(server.stdout.readline())["id"] == "export"
        # And when it is over, all is as before.
        write(server, ticket("after"))
        assert json.loads(server.stdout.readline())["id"] == "after"
        write(server, export("again") + ticket("beside"))
        assert json.loads(server.stdout.readline())["id"] == "beside"
        server.stdin.close()
        assert json.loads(server.stdout.readline())["id"] == "again"
        assert server.wait(LIMIT) == 0
        assert server.stderr.read().count(b"\n") == 1  # the first line, as ever


def test_after_the_end_of_the_input_all_is_answered(tmp_path):
    said, code = run(export("a") + ticket(1) + export("b") + ticket(2), tmp_path)
    assert [each["id"] for each in said] == [1, 2, "a", "b"]
    assert code == 0


def test_a_last_line_without_its_line_feed_is_served_in_flight_too(tmp_path):
    said, code = run(export() + ticket(1).rstrip(b"\n"), tmp_path)
    assert [each["id"] for each in said] == [1, "export"]
    assert code == 0


def test_a_cancelled_export_is_silent_and_the_server_goes_on(tmp_path):
    cancel = wire.encode({**CANCELLED, "params": {"requestId": "export"}})
    with start(tmp_path) as server:
        write(server, export(progressToken="t"))
        for _ in range(3):
            told = json.loads(server.stdout.readline())
            assert told["params"]["progressToken"] == "t"
        write(server, cancel)
        write(server, ticket(1))
        said = [json.loads(server.stdout.readline())]
        server.stdin.close()
        said += [json.loads(line) for line in server.stdout]
        # What crossed the cancel on its way may still come, and nothing after it.
        assert said.pop()["id"] == 1
        assert len(said) <= 1
        assert server.wait(LIMIT) == 0
        assert b'request "export" cancelled' in server.stderr.read()


def test_a_line_over_the_limit_is_refused_while_an_export_runs(tmp_path):
    long = b"x" * (wire.MAX_LINE + 5) + b"\n"
    said, code = run(export() + long + ticket(1), tmp_path)
    assert said[0]["error"]["code"] == -32700
    assert [each.get("id") for each in said[1:]] == [1, "export"]
    assert code == 0


def test_a_client_that_stops_reading_ends_an_export_with_one_sentence(tmp_path):
    server = start(tmp_path)
    write(server, export(progressToken=1))
    server.stdout.readline()
    server.stdout.close()
    try:
        assert server.wait(LIMIT) == 1
    finally:
        server.stdin.close()
    log = server.stderr.read()
    server.stderr.close()
    assert b"stopped by BrokenPipeError" in log
    assert b"Traceback" not in log and b"Fatal" not in log


@pytest.mark.skipif(os.name != "posix", reason="signals are a POSIX matter")
@pytest.mark.parametrize(
    ("number", "codes"), [(signal.SIGINT, {1}), (signal.SIGTERM, {-15, 143})]
)
def test_a_signal_ends_a_busy_server_without_a_traceback(number, codes, tmp_path):
    with start(tmp_path) as server:
        write(server, export(progressToken=1))
        server.stdout.readline()
        server.send_signal(number)
        assert server.wait(LIMIT) in codes
        log = server.stderr.read()
        assert b"Traceback" not in log and b"Fatal" not in log


class Parked:
    """As much of a connection as `with_ticks` looks at."""

    def __init__(self):
        self.turns, self.parked = self, {}


def test_no_thread_is_started_as_long_as_nothing_is_in_flight():
    before = threading.active_count()
    for line in with_ticks(iter([b"a\n", b"b\n"]), Parked()):
        assert line is not None
        assert threading.active_count() == before


def test_a_thread_reads_only_while_something_is_in_flight():
    connection, seen = Parked(), []
    before = threading.active_count()
    for line in with_ticks(iter([b"a\n", b"b\n", b"c\n", b"d\n"]), connection):
        if line is not None:
            seen.append((line, threading.active_count() - before))
        connection.parked = connection.turns.parked
        if line == b"a\n":
            connection.parked["x"] = 1
        if line == b"b\n":
            connection.parked.clear()
        time.sleep(0.02)  # so that a thread that was let go is gone
    assert [line for line, _ in seen] == [b"a\n", b"b\n", b"c\n", b"d\n"]
    assert seen[0][1] == 0
    assert seen[1][1] == 1
    assert seen[3][1] == 0


def test_a_flood_of_lines_does_not_keep_what_is_in_flight_from_going_on():
    connection = Parked()
    connection.parked["x"] = 1
    ticks, lines = 0, (b"line\n" for _ in range(10**9))
    for line in with_ticks(lines, connection):
        ticks += line is None
        if ticks == 3:
            connection.parked.clear()
            break


def test_what_goes_wrong_in_the_thread_is_seen_by_the_program():
    def broken():
        yield b"a\n"
        raise OSError("the pipe is gone")

    connection = Parked()
    connection.parked["x"] = 1
    with pytest.raises(OSError, match="pipe is gone"):
        list(with_ticks(broken(), connection))
