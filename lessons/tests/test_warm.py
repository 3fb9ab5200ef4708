"""A warm server is a process like any other: its pipes, its exit code, its end."""

import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from lessons import warm
from lessons.manifest import ROOT
from tools.child import Child

LIMIT = 30  # seconds; only a hang takes that long
SERVER = """
import os, sys

def main(words):
    if words == ["--variables"]:
        ours = {name: os.environ[name] for name in os.environ if "HELPDESK" in name}
        print(ours, flush=True)
    print("started", *words, os.getpid(), flush=True)
    print("log", file=sys.stderr, flush=True)
    for line in sys.stdin:
        print(line.upper(), end="", flush=True)
    return 7
"""

pytestmark = pytest.mark.skipif(not warm.possible(), reason="it needs fork")


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a warm server with these words."""
    (tmp_path / "shouting.py").write_text(SERVER, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    pipes: dict = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with tempfile.TemporaryDirectory(prefix="warm-") as folder:
        address = os.path.join(folder, "warm")
        command = [sys.executable, "-m", "lessons.warm", address, "shouting"]
        with subprocess.Popen(command, cwd=ROOT, **pipes) as process:
            assert process.stdout.readline() == b"ready\n"
            words = [sys.executable, "-I", "-S", warm.__file__, address]
            yield lambda *more: Child([*words, *more])
            process.stdin.close()
        assert process.returncode == 0


def line(child, source="server") -> bytes:
    return child.receive(source, LIMIT)[1]


def test_its_words_pipes_and_exit_code_are_passed_on(start):
    with start("--loud", "é") as child:
        assert line(child).startswith("started --loud é ".encode())
        assert line(child, "log") == b"log\n"
        child.send(b"hello\n")
        assert line(child) == b"HELLO\n"
        child.end_input()
        assert child.receive("server", LIMIT) is None
        assert child.process.wait(LIMIT) == 7


def test_a_server_has_the_helpdesk_variables_of_its_starter_and_no_others(
    monkeypatch, request
):
    monkeypatch.setenv("HELPDESK_OLD", "when the warm process began")
    start = request.getfixturevalue("start")
    monkeypatch.delenv("HELPDESK_OLD")
    for user in ("ana", "ben"):
        monkeypatch.setenv("HELPDESK_USER", user)
        with start("--variables") as child:
            assert line(child) == f"{{'HELPDESK_USER': '{user}'}}\n".encode()


def test_each_starter_gets_a_server_of_its_own(start):
    with start() as one, start() as other:
        assert line(one) != line(other)


def test_the_server_ends_when_its_starter_is_killed(start):
    with start() as child:
        pid = int(line(child).split()[-1])
        child.process.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.01)
    pytest.fail(f"the server {pid} still runs")
