"""Commands of the text at a terminal: what is typed, and what the screen shows."""

import os
import subprocess
import sys
from collections import Counter

import pytest

from tools import docs
from tools.docs import page as pages, runs, terminal
from tools.docs.terminal import TerminalError, screen

posix = pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
QUESTIONS = """
import sys
print("at a terminal:", sys.stdin.isatty() and sys.stdout.isatty())
print("log", file=sys.stderr)
name = input("Your name: ")
for number in range(3):
    print(f"\\rpart {number + 1} of 3", end="", flush=True)
print("\\r" + " " * 11, end="\\r")
try:
    sure = input(f"Sure, {name}? [y/N] ")
except EOFError:
    sure = "nothing"
print("said", sure)
"""


@pytest.fixture
def asking(tmp_path):
    """Runs the questions with these lines typed; the lines that a page shows."""
    (tmp_path / "questions.py").write_text(QUESTIONS, "utf-8")

    def ask(typed: str) -> list[str]:
        return runs.run(f"tty='{typed}' python questions.py", tmp_path)

    return ask


@posix
def test_the_echo_stands_behind_each_question_and_progress_is_gone(asking):
    for _ in range(3):
        assert asking(r"Ana\ny\n") == [
            "$ python questions.py",
            "at a terminal: True",
            "log",
            "Your name: Ana",
            "Sure, Ana? [y/N] y",
            "said y",
        ]


@posix
def test_where_nothing_is_left_to_type_the_input_ends(asking):
    assert asking(r"Ana\n")[-1].endswith("said nothing")


@posix
def test_what_was_not_asked_for_is_a_fault(asking):
    with pytest.raises(runs.RunError, match=r"did not ask for 'more\\n'"):
        asking(r"Ana\ny\nmore\n")
    with pytest.raises(runs.RunError, match=r"what is typed ends with \\n"):
        asking("Ana")


@posix
def test_a_password_is_asked_for_once_and_not_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(terminal, "QUIET", 0)  # then nobody is ever too slow
    code = "import getpass; print(getpass.getpass() + input('Again: '))"
    shown = runs.run(rf"""tty='one\ntwo\n' python -c "{code}" """, tmp_path)
    assert shown[1:] == ["Password:", "Again: two", "onetwo"]


@posix
def test_the_terminal_is_the_programs_own(tmp_path):
    code = "print(open('/dev/tty').isatty())"
    assert runs.run(f"tty='' python -c \"{code}\"", tmp_path)[1] == "True"


@posix
def test_the_terminal_has_a_hundred_columns_and_no_colour(tmp_path):
    code = "import os; print(os.get_terminal_size(), os.environ['NO_COLOR'])"
    shown = runs.run(f"tty='' python -c \"{code}\"", tmp_path)
    assert shown[1] == "os.terminal_size(columns=100, lines=24) 1"


@posix
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("raise OSError", "ended with 1: OSError"),
        ("exit(2)", "ended with 2"),
        ("print(chr(7))", "a page can't show"),
        ("import time; time.sleep(60)", "still ran after"),
    ],
)
def test_a_command_that_fails_at_a_terminal_is_a_fault(
    tmp_path, monkeypatch, code, says
):
    monkeypatch.setattr(runs, "LIMIT", 60 if "sleep" not in code else 0.5)
    with pytest.raises(runs.RunError, match=says):
        runs.run(f"tty='' python -c \"{code}\"", tmp_path)


@posix
def test_a_hang_ends_the_program(tmp_path):
    code = "import os; print(os.getpid(), flush=True); import time; time.sleep(60)"
    command = [sys.executable, "-c", code]
    with pytest.raises(subprocess.TimeoutExpired):
        terminal.run(command, tmp_path, os.environ, b"", 0.5)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("one\r\ntwo\r\n", ["one", "two", ""]),
        ("1 of 3\r2 of 3\r3 of 3", ["3 of 3"]),
        ("a long one\rshort", ["shortg one"]),
        ("a long one\rshort\x1b[K", ["short"]),
        ("gone\x1b[2K\rhere", ["here"]),
        ("gone\r     \rx", ["x"]),
        ("ab\bc", ["ac"]),
        ("trailing   \r\n", ["trailing", ""]),
    ],
)
def test_a_row_is_shown_as_it_stands_in_the_end(written, shown):
    assert screen(written) == shown


def test_what_a_page_can_not_show_is_refused():
    for odd in ("\x1b[31m", "\x07"):
        with pytest.raises(TerminalError, match="a page can't show"):
            screen(odd)


def test_without_terminals_a_block_is_left_and_counted(tmp_path, monkeypatch):
    class Course:
        latest = 1

        def stage_dir(self, number):
            return tmp_path

    def none(*anything):
        raise terminal.NoTerminal

    monkeypatch.setattr(terminal, "run", none)
    page = pages.parse("a.md", "<!-- run tty='' python x -->\n```text\nold\n```\n")
    tally: Counter = Counter()
    assert docs._blocks(Course(), 1, page, True, tally) is page
    assert page.faults == [] and tally["unchecked"] == 1 and tally["rewritten"] == 0
    assert docs.summary(tally).endswith("; not checked, for want of a terminal: 1")
    assert "terminal" not in docs.summary(Counter())
