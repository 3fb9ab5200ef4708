"""A client that does not read yet, or never will. (lesson 07)"""

import json
import os
import select
import threading
import tracemalloc

import pytest
from handwritten import outbox, wire
from handwritten.outbox import Outbox
from handwritten.tests.talk import META, request
from handwritten.tests.test_pipe import CANCELLED, LIMIT, export, start, ticket

LONG = bytes(range(256)) * 4_000  # about a megabyte: no pipe takes that at once


def wordy(id: int) -> bytes:
    """A request of 10 kB, with an answer that is longer."""
    return wire.encode(request("tools/list", id=id, meta={**META, "x": "x" * 10_000}))


def done(function, *arguments) -> bool:
    """Whether it ends, which it must not do in our own thread: it might hang."""
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    thread.join(LIMIT)
    return not thread.is_alive()


def put(server, data: bytes) -> None:
    server.stdin.write(data)
    server.stdin.flush()


@pytest.fixture
def server(tmp_path):
    with start(tmp_path) as server:
        yield server
        server.kill()


def test_a_client_may_write_everything_before_it_reads_anything(server):
    # modelcontextprotocol/python-sdk#2070: STD-26
    assert done(put, server, b"".join(map(wordy, range(200))))
    server.stdin.close()
    said = [json.loads(line) for line in server.stdout]
    assert [each["id"] for each in said] == list(range(200))
    assert server.wait(LIMIT) == 0
    assert b"Traceback" not in server.stderr.read()


def test_a_cancellation_is_read_though_answers_are_not(server):
    cancel = wire.encode({**CANCELLED, "params": {"requestId": "export"}})
    data = export() + b"".join(map(wordy, range(50))) + cancel + ticket("last")
    assert done(put, server, data)
    server.stdin.close()
    said = [json.loads(line) for line in server.stdout]
    assert [each["id"] for each in said] == [*range(50), "last"]
    assert server.wait(LIMIT) == 0


def test_a_client_that_leaves_without_reading_ends_the_server_with_one_sentence(server):
    assert done(put, server, b"".join(map(wordy, range(20))))
    server.stdout.close()
    server.stdin.close()
    assert server.wait(LIMIT) == 1
    log = server.stderr.read()
    assert b"stopped by BrokenPipeError" in log
    assert b"Traceback" not in log and b"Fatal" not in log


@pytest.fixture(params=["poll", "no poll"])
def pipe(request, monkeypatch):
    """An outbox, and what reads from the pipe behind it."""
    if request.param == "no poll":
        monkeypatch.delattr(select, "poll", raising=False)
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb", 0) as source, os.fdopen(writer, "wb", 0) as sink:
        yield Outbox(sink), source


def taken(source, size: int) -> bytes:
    """The next bytes from the pipe, so many."""
    found = b""
    while len(found) < size:
        found += source.read(size - len(found))
    return found


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a thread writes all")
@pytest.mark.parametrize("pipe", ["poll"], indirect=True)
def test_as_long_as_somebody_reads_there_is_no_thread(pipe):
    out, source = pipe
    before = threading.active_count()
    for number in range(1_000):
        line = b"%d\n" % number
        assert out.write(line) == len(line)
        assert source.readline() == line
    assert threading.active_count() == before


def test_what_waits_comes_in_its_order_and_all_of_it(pipe):
    out, source = pipe
    assert (
        done(out.write, LONG) and done(out.write, b"and this") and done(out.write, b"")
    )
    assert taken(source, len(LONG)) == LONG
    assert taken(source, 8) == b"and this"
    out.flush()
    # And when all has been read, it is as before.
    count = threading.active_count()
    out.write(b"once more")
    assert taken(source, 9) == b"once more"
    assert threading.active_count() == count


def test_no_more_than_a_limit_waits(pipe, monkeypatch):
    monkeypatch.setattr(outbox, "MOST", 10)
    out, source = pipe
    out.write(LONG)
    last = threading.Thread(target=out.write, args=(b"and this",), daemon=True)
    last.start()
    last.join(0.1)
    assert last.is_alive()
    assert taken(source, len(LONG) + 8) == LONG + b"and this"
    last.join(LIMIT)
    assert not last.is_alive()


def test_what_waits_in_many_pieces_takes_hardly_more_than_its_bytes(pipe):
    out, source = pipe
    out.write(LONG)
    tracemalloc.start()
    try:
        for _ in range(20_000):
            out.write(b"x" * 50)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 3 * 20_000 * 50
    assert taken(source, len(LONG) + 20_000 * 50).endswith(b"x" * 20_000 * 50)


@pytest.mark.skipif(os.name != "posix", reason="a pipe that does not wait")
def test_a_pipe_that_does_not_wait_for_room_loses_nothing():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with os.fdopen(reader, "rb", 0) as source, os.fdopen(writer, "wb", 0) as sink:
        out = Outbox(sink)
        out.write(LONG)
        assert taken(source, len(LONG)) == LONG
        out.flush()


def test_an_error_is_told_whoever_met_it(pipe):
    out, source = pipe
    out.write(LONG)
    source.close()
    with pytest.raises(BrokenPipeError):
        out.flush()
    with pytest.raises(BrokenPipeError):
        out.write(b"more")
