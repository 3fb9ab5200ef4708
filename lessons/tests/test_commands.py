"""The command line: what it lists, what it refuses, and how it stops."""

import os
import signal
import subprocess
import sys

import pytest

from lessons import __main__ as program
from lessons import commands, play, progress, quiz
from lessons.manifest import ROOT, lessons


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = commands.main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    """No test touches what a learner has done."""
    monkeypatch.setattr(progress.load, "__defaults__", (tmp_path,))
    monkeypatch.setattr(progress.note, "__defaults__", (tmp_path,))
    monkeypatch.delenv("STEP", raising=False)
    monkeypatch.delenv("SERVER", raising=False)


def test_the_list_has_titles_minutes_and_progress(capsys):
    progress.note(1, run=True, quiz=[2, 3])
    code, out, _ = run(capsys)
    assert code == 0
    for lesson in lessons():
        assert f"{lesson.number:02}  {lesson.title}" in out
        assert f"{lesson.minutes} min" in out
    assert out.splitlines()[0].endswith("min  run, quiz 2 of 3")


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["check", "--help"]])
def test_help_names_every_command_of_the_makefile(capsys, words):
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 100
    for line in (ROOT / "Makefile").read_text("utf-8").splitlines():
        if "; @" in line:
            target = line.split(":")[0].replace("%", "03")
            assert target == "help" or f"make {target}" in out


@pytest.mark.parametrize("word", ["99", "x", "-1x", "003", "0", "٣", "../03"])
@pytest.mark.parametrize("command", [[], ["check"], ["exercise"], ["quiz"]])
def test_an_unknown_lesson_is_one_sentence(capsys, command, word):
    if word.startswith("-"):
        word = " " + word
    code, out, err = run(capsys, *command, word)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "there are 01" in err


def test_an_unknown_option_is_refused(capsys):
    with pytest.raises(SystemExit) as left:
        commands.main(["01", "--stepp"])
    assert left.value.code == 2


@pytest.mark.parametrize(("value", "step"), [("1", True), ("", False), ("0", False)])
def test_step_may_stand_in_the_environment(monkeypatch, value, step):
    monkeypatch.setenv("STEP", value)
    monkeypatch.setattr(play, "run", lambda lesson, step: int(step))
    assert commands.main(["01"]) == int(step)
    assert commands.main(["1", "--step"]) == 1


def test_ctrl_c_is_130_and_no_traceback(capsys, monkeypatch):
    def stop(lesson):
        raise KeyboardInterrupt

    monkeypatch.setattr(quiz, "run", stop)
    code, _, err = run(capsys, "quiz", "01")
    assert code == 130
    assert err.strip() == "lessons: stopped."


def test_an_older_python_is_one_sentence(capsys, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    assert program.main() == 2
    said = capsys.readouterr().err
    assert said == "lessons: this is Python 3.10.4: the course needs 3.11 or later.\n"


# The lessons of the course, as a learner runs them.

NUMBERS = [f"{lesson.number:02}" for lesson in lessons()]


# As `python -m lessons`, but for the progress: it is not the tests' to change.
LESSONS = """
import sys
sys.path[0] = ""
from lessons import commands, progress
progress.note = lambda *lesson, **news: None
sys.exit(commands.main(sys.argv[1:]))
"""


def started(*words: str, **options) -> subprocess.Popen:
    """The lessons, run by a Python with nothing installed."""
    return subprocess.Popen(
        [sys.executable, "-S", "-c", LESSONS, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def learner(*words: str, **options) -> tuple[int, str, str]:
    """A whole run without a terminal: exit code, output, errors."""
    with started(*words, stdin=subprocess.DEVNULL, **options) as child:
        out, err = child.communicate(timeout=120)
    return child.returncode, out.decode("utf-8"), err.decode("utf-8")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_runs_as_recorded(number):
    code, out, err = learner(number)
    assert code == 0, out + err
    assert err == ""
    assert max(map(len, out.splitlines())) <= 100


def test_without_a_terminal_step_says_so_and_runs_through():
    code, out, _ = learner("01", env={**os.environ, "STEP": "1"})
    assert out.startswith("There is no terminal to wait at")
    assert code == 0


def test_a_reader_that_has_seen_enough_is_no_error():
    with started("01", stdin=subprocess.DEVNULL) as child:
        assert child.stdout and child.stderr
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0


def interrupt(child: subprocess.Popen) -> None:
    """Ctrl-C, again where the first came before the read began; not while it ends."""
    for _ in range(10):
        os.killpg(child.pid, signal.SIGINT)
        try:
            child.wait(10)
            return
        except subprocess.TimeoutExpired:
            pass


@pytest.mark.skipif(os.name != "posix", reason="a terminal is made with pty")
@pytest.mark.parametrize("typed", ["Ctrl-C", "q\n", "\x04"])
def test_a_person_can_leave_a_step(typed):
    import pty

    terminal, end = pty.openpty()
    with started("01", "--step", stdin=end, start_new_session=True) as child:
        os.close(end)
        shown, more = b"", b"first"
        while more and b"q leaves] " not in shown:
            assert child.stdout
            more = os.read(child.stdout.fileno(), 65536)
            shown += more
        if typed == "Ctrl-C":
            interrupt(child)
        else:
            os.write(terminal, typed.encode())
        out, err = child.communicate(timeout=60)
    os.close(terminal)
    assert child.returncode == (130 if typed == "Ctrl-C" else 0)
    assert b"Traceback" not in err
    assert typed == "Ctrl-C" or b"Left before the end" in out
