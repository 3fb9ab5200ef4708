"""The tap: nothing it stands between notices it, and it writes down everything."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tools import transcript
from tools.tap import Recording

ROOT = Path(__file__).resolve().parent.parent.parent
posix = pytest.mark.skipif(os.name != "posix", reason="signals and special files")
PIPE = subprocess.PIPE
LIMIT = 60  # seconds; a hang, not a speed

COPY = """
import os
while data := os.read(0, 65536):
    while data:
        data = data[os.write(1, data):]
"""
EVERYTHING = (
    bytes(range(256)) + b"\r\n\n\xef\xbb\xbf{}\n\r" + "a\u2028b\u0085c\n".encode()
)


def command(file, code: str) -> list[str]:
    start = [sys.executable, "-m", "tools.tap", str(file), "--"]
    return [*start, sys.executable, "-c", code]


def tap(file, code: str) -> subprocess.Popen:
    return subprocess.Popen(
        command(file, code), stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, cwd=ROOT
    )


def run(file, code: str, data: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run(
        command(file, code), input=data, capture_output=True, timeout=LIMIT, cwd=ROOT
    )


def lines(file, *directions: str) -> list[tuple[bytes, bool]]:
    entries = transcript.read(file).entries
    return [(each.line, each.partial) for each in entries if each.dir in directions]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tap.jsonl"


def ended(process: subprocess.Popen) -> int:
    """The exit code, with every pipe closed."""
    try:
        return process.wait(LIMIT)
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", EVERYTHING, b"\xff" * 3, b"x" * 2_000_000 + b"\nlast"],
    ids=["nothing", "newline", "everything", "not UTF-8", "2 MB"],
)
def test_every_byte_passes_both_ways_and_is_kept(file, data):
    # TAP-01: text mode would change CR LF, the BOM and what is not UTF-8. STD-12: a
    # line may be longer than any buffer.
    done = run(file, COPY, data)
    digests = [hashlib.sha256(each).hexdigest() for each in (data, done.stdout)]
    assert digests[0] == digests[1]
    assert (done.returncode, done.stderr) == (0, b"")
    pieces = data.split(b"\n")
    expected = [(each, False) for each in pieces[:-1]]
    expected += [(pieces[-1], True)] if pieces[-1] else []
    assert lines(file, "client") == lines(file, "server") == expected
    assert transcript.read(file).exit == 0


def test_what_is_no_message_is_passed_on_and_kept_as_it_is(file):
    # TAP-03
    said = b'WARN x\n\n{"half\n\x00\n'
    done = run(file, f"import os; os.write(1, {said!r})")
    assert done.stdout == said
    assert [line for line, _ in lines(file, "server")] == said.split(b"\n")[:-1]


def test_a_last_line_without_a_newline_stands_before_its_answer(file):
    code = "import os\nwhile os.read(0, 99): pass\nos.write(1, b'answer\\n')"
    run(file, code, b"one\nlast")
    entries = transcript.read(file).entries
    assert [each.line for each in entries] == [b"one", b"last", b"answer"]


def test_the_log_passes_and_is_kept(file):
    done = run(file, "import os; os.write(2, b'one\\ntwo\\xff')")
    assert done.stderr == b"one\ntwo\xff" and done.stdout == b""
    assert lines(file, "log") == [(b"one", False), (b"two\xff", True)]


def test_a_piece_of_a_line_is_passed_on_at_once(file):
    process = tap(file, COPY)
    for piece in (b'{"a', b"\xff", b"\n"):
        process.stdin.write(piece)
        assert process.stdout.read(len(piece)) == piece
    process.stdin.close()
    assert ended(process) == 0


def test_a_request_stands_before_its_answer_and_times_never_go_back(file):
    process = tap(file, COPY)
    for number in range(300):
        process.stdin.write(b"%d\n" % number)
        assert process.stdout.readline() == b"%d\n" % number
    process.stdin.close()
    assert ended(process) == 0
    entries = transcript.read(file).entries
    assert [each.dir for each in entries] == ["client", "server"] * 300
    assert [each.t for each in entries] == sorted(each.t for each in entries)


def test_the_end_of_input_reaches_the_child_which_may_still_answer(file):
    # TAP-02
    code = "import sys; data = sys.stdin.read(); print(len(data))"
    assert run(file, code, b"12345").stdout.strip() == b"5"


def test_the_end_of_the_output_reaches_the_client_while_the_child_lives(file):
    code = "import os, sys; os.close(1); os.read(0, 1); os._exit(4)"
    process = tap(file, code)
    assert process.stdout.read() == b""  # would wait for ever otherwise
    assert process.poll() is None
    process.stdin.write(b"x")
    assert ended(process) == 4


def test_a_child_that_stops_reading_is_known_to_the_client(file):
    process = tap(file, "import os; os.close(0); os.write(1, b'x'); os.read(2, 1)")
    assert process.stdout.read(1) == b"x"
    with pytest.raises(OSError):
        for _ in range(1000):
            process.stdin.write(b"y" * 65536)
    process.terminate()
    ended(process)


def test_a_client_that_stops_reading_is_known_to_the_child(file):
    code = (
        "import os\n"
        "try:\n"
        "    while True: os.write(1, b'y' * 65536)\n"
        "except OSError: os._exit(5)"
    )
    process = tap(file, code)
    process.stdout.close()
    assert ended(process) == 5


def test_a_child_that_ends_ends_the_tap_though_the_input_stays_open(file):
    process = tap(file, "import os; os.write(1, b'bye'); os._exit(3)")
    assert process.wait(LIMIT) == 3
    assert process.stdout.read() == b"bye"
    assert ended(process) == 3
    assert transcript.read(file).exit == 3


def test_all_output_arrives_though_the_client_is_slow(file):
    code = "import os, sys; sys.stdout.write('z' * 400_000); sys.stdout.flush()"
    process = tap(file, code)
    time.sleep(0.3)
    assert len(process.stdout.read()) == 400_000
    assert ended(process) == 0


@posix
def test_a_grandchild_that_holds_the_pipe_does_not_hold_the_tap(file, monkeypatch):
    nap = "import time; time.sleep(30)"
    code = (
        "import subprocess, sys\n"
        f"nap = subprocess.Popen([sys.executable, '-c', {nap!r}])\n"
        "print(nap.pid, flush=True)"
    )
    process = tap(file, code)
    pid = int(process.stdout.readline())
    try:
        assert process.wait(20) == 0
    finally:
        os.kill(pid, signal.SIGKILL)
        ended(process)


@posix
def test_death_by_a_signal_is_128_and_its_number(file):
    done = run(file, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert done.returncode == 128 + 9
    assert transcript.read(file).exit == -9


@pytest.fixture
def heard(name):
    """Not ignored, though `nohup make test` has SIGHUP ignored and hands that down."""
    number = getattr(signal, name)
    before = signal.signal(number, signal.SIG_DFL)
    yield number
    signal.signal(number, before)


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signals_reach_the_child_which_decides(file, name, heard):
    code = (
        "import os, signal, time\n"
        f"signal.signal(signal.{name}, lambda *_: os._exit(7))\n"
        "os.write(1, b'ready\\n')\n"
        "time.sleep(60)"
    )
    process = tap(file, code)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(heard)
    assert ended(process) == 7
    assert transcript.read(file).exit == 7


@posix
def test_a_killed_tap_leaves_what_it_saw(file):
    process = tap(file, COPY)
    process.stdin.write(b"one\ntwo\n")
    assert process.stdout.read(8) == b"one\ntwo\n"
    until = time.monotonic() + LIMIT
    while file.read_bytes().count(b"\n") < 5 and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    ended(process)
    assert [line for line, _ in lines(file, "client")] == [b"one", b"two"]
    assert transcript.read(file).exit is None


@posix
def test_a_full_disk_is_said_once_and_the_traffic_goes_on():
    # TAP-09
    done = run("/dev/full", COPY, b"line\n" * 10_000)
    assert done.stdout == b"line\n" * 10_000 and done.returncode == 0
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr and b"the traffic goes on" in done.stderr


@posix
def test_a_disk_that_takes_nothing_does_not_stop_the_traffic(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        data = (b"x" * 999 + b"\n") * 1000
        done = run(path, COPY, data)
        assert done.stdout == data and done.returncode == 0
    finally:
        os.close(reader)


@posix
def test_the_file_is_its_owners_alone(file):
    run(file, "")
    assert file.stat().st_mode & 0o077 == 0


def test_a_file_that_cannot_be_opened_is_one_sentence_and_nothing_starts(tmp_path):
    touched = tmp_path / "touched"
    done = run(tmp_path / "no" / "file", f"open({str(touched)!r}, 'w')")
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1
    assert b"nothing was started" in done.stderr and not touched.exists()


def test_a_command_that_cannot_be_started_is_one_sentence(file):
    words = [sys.executable, "-m", "tools.tap", str(file), "--", "no-such-program"]
    done = subprocess.run(words, capture_output=True, timeout=LIMIT, cwd=ROOT)
    assert done.returncode == 2 and b"no-such-program can't be started" in done.stderr
    assert transcript.read(file).exit is None


@pytest.mark.parametrize("words", [[], ["f"], ["f", "--"], ["f", "cat", "--"]])
def test_other_words_are_refused_and_help_is_given(words):
    start = [sys.executable, "-m", "tools.tap"]
    done = subprocess.run([*start, *words], capture_output=True, cwd=ROOT)
    assert done.returncode == 2 and b"--help" in done.stderr
    done = subprocess.run([*start, "--help"], capture_output=True, cwd=ROOT)
    assert done.returncode == 0 and b"example: " in done.stdout


class SlowRecording(Recording):
    """A disk that answers only when it is let."""

    def __init__(self, path):
        self.gate = threading.Event()
        super().__init__(str(path), ["server"])

    def _put(self, text):
        self.gate.wait(LIMIT)
        super()._put(text)


def test_what_does_not_fit_in_the_queue_is_counted(file, monkeypatch):
    monkeypatch.setattr("tools.tap.MOST_WAITING", 1000)
    recording = SlowRecording(file)
    for number in range(10):
        recording.take("server", b"%d" % number + b"x" * 100 + b"\n")
    recording.gate.set()
    recording.finish(0)
    os.close(recording.descriptor)
    kept = transcript.read(file)
    assert kept.dropped > 0 and len(kept.entries) + kept.dropped == 10
    assert [each.line[:1] for each in kept.entries] == [b"0", b"1", b"2"]
    assert kept.exit == 0


def test_a_line_that_never_ends_takes_no_memory_and_is_counted(file, monkeypatch):
    monkeypatch.setattr("tools.tap.LONGEST_LINE", 1000)
    recording = Recording(str(file), ["server"])
    for _ in range(50):
        recording.take("client", b"x" * 100)
    assert sum(map(len, recording.pieces["client"])) <= 1000
    recording.take("client", b"\nshort\n")
    recording.finish(0)
    os.close(recording.descriptor)
    kept = transcript.read(file)
    assert [each.line for each in kept.entries] == [b"short"] and kept.dropped == 1
