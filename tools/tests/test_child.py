"""Child: every wait has an end, and closing always ends the process."""

import os
import signal
import sys
import time

import pytest

from tools.child import Child, command_line, split_command

posix = pytest.mark.skipif(os.name != "posix", reason="signals and process groups")


def python(code: str) -> list[str]:
    return ["python", "-c", code]


ECHO = python("import os\nwhile data := os.read(0, 65536):\n    os.write(1, data)")


def test_python_is_this_interpreter_and_other_words_stay():
    assert command_line(("python", "a b")) == [sys.executable, "a b"]
    assert command_line(["node", "python"]) == ["node", "python"]


def test_lines_come_back_until_the_end_and_the_end_stays():
    with Child(ECHO) as child:
        child.send(b"one\n\xff\r\ntwo")
        assert child.receive()[1] == b"one\n"
        assert child.receive()[1] == b"\xff\r\n"
        child.end_input()
        assert child.receive()[1] == b"two"
        assert child.receive() is None and child.receive() is None
        assert child.close() == 0
        assert child.close() == 0


def test_a_silent_child_is_waited_for_only_so_long():
    with Child(ECHO) as child, pytest.raises(TimeoutError):
        child.receive(timeout=0.05)


def test_ten_megabytes_go_both_ways_and_a_chatty_log_stops_nothing():
    code = (
        "import sys\nsys.stderr.write('x' * 1_000_000)\n"
        "sys.stdout.buffer.write(sys.stdin.buffer.readline())"
    )
    line = b"y" * 10_000_000 + b"\n"
    with Child(python(code)) as child:
        child.send(line)
        assert child.receive()[1] == line


def test_sending_after_the_end_is_a_broken_pipe():
    with Child(python("")) as child:
        assert child.receive() is None
        with pytest.raises(BrokenPipeError):
            child.send(b"x" * 1_000_000)
        child.end_input()
        with pytest.raises(BrokenPipeError):
            child.send(b"x")


@posix
def test_a_child_that_never_reads_is_given_up():
    with Child(python("import time; time.sleep(60)")) as child:
        with pytest.raises(TimeoutError):
            child.send(b"x" * 1_000_000, timeout=0.05)
        assert child.close(grace=0.05) == -signal.SIGTERM


@posix
def test_a_child_that_ignores_everything_is_killed_with_its_own_children():
    code = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "nap = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        "print(subprocess.Popen(nap).pid, flush=True)\n"
        "time.sleep(60)"
    )
    with Child(python(code)) as child:
        grandchild = int(child.receive()[1])
        assert child.close(grace=0.1) == -signal.SIGKILL
    assert is_gone(grandchild)


@posix
def test_a_grandchild_does_not_outlive_a_child_that_left_by_itself():
    code = (
        "import subprocess, sys\n"
        "nap = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        "print(subprocess.Popen(nap).pid, flush=True)"
    )
    with Child(python(code)) as child:
        grandchild = int(child.receive()[1])
        assert child.close() == 0
    assert is_gone(grandchild)


def is_gone(pid: int) -> bool:
    """Killed, though perhaps not yet collected."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if b"\nState:\tZ" in status(pid):
            return True
        time.sleep(0.05)
    return False


def status(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            return file.read()
    except OSError:
        return b""


def test_a_command_that_is_not_there_is_an_oserror():
    with pytest.raises(OSError):
        Child(["no-such-program-anywhere"])


@posix
def test_a_command_line_is_split_as_a_shell_would():
    assert split_command("node 'my server.js' a\\ b") == ["node", "my server.js", "a b"]
    for wrong in ("node 'a", "", "  "):
        with pytest.raises(ValueError):
            split_command(wrong)


@posix
def test_a_child_that_is_killed_has_no_time_to_say_goodbye():
    code = "import sys\nprint(1, flush=True)\nsys.stdin.read()\nprint('goodbye')"
    with Child(python(code)) as child:
        assert child.receive()[1] == b"1\n"
        child.kill()
        child.end_input()
        assert child.receive() is None
        assert child.close() == -signal.SIGKILL
        child.kill()  # its process id may be somebody else's by now
