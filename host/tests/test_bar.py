"""How far a call is: one line at a terminal, else a few lines. (lesson 07)"""

import io
import sys

import pytest
from host import bar


@pytest.fixture
def stream(monkeypatch):
    """Standard error, at a terminal or not, with no pause between two states."""

    def one(terminal: bool):
        made = io.StringIO()
        made.isatty = lambda: terminal  # type: ignore[method-assign]
        monkeypatch.setattr(sys, "stderr", made)
        monkeypatch.setattr(bar, "PAUSES", {True: 0, False: 0})
        return made

    return one


def test_at_a_terminal_it_is_one_line_that_is_written_anew(stream):
    shown, one = stream(True), bar.Bar()
    one.show(1, 4, "much to do")
    one.show(4, 4, "")
    one.end()
    one.end()
    first, second = shown.getvalue().split("\r")[1:]
    assert first == "[server] [#####---------------]  25% much to do"
    assert second.startswith("[server] [####################] 100% 4 of 4")
    assert len(second) == len(first) + 1  # it covers the longer line, and ends
    assert second.endswith("\n")


def test_without_a_terminal_it_is_a_few_plain_lines_of_a_call(stream):
    shown, one = stream(False), bar.Bar()
    for _ in range(2):
        for done in range(50):
            one.show(done, None, "")
        one.end()
    lines = shown.getvalue().splitlines()
    assert lines[:2] == ["[server] 0", "[server] 1"]
    assert len(lines) == 2 * bar.MOST_LINES
    assert "\r" not in shown.getvalue()


def test_not_every_state_is_drawn(stream, monkeypatch):
    shown, one = stream(True), bar.Bar()
    monkeypatch.setattr(bar, "PAUSES", {True: 60, False: 60})
    for done in range(50):
        one.show(done, 49, "")
    assert shown.getvalue().count("\r") == 2  # the first, and the end


@pytest.mark.parametrize("total", [None, 0, -1, 1e-300, 3])
def test_any_numbers_and_texts_make_one_harmless_line(stream, total):
    shown, one = stream(False), bar.Bar()
    for done in (-5, 0, 2.5, 1e14):
        one.show(done, total, "\x1b[2J\n\r\u202e" + "x" * 5000)
    for each in shown.getvalue().splitlines():
        assert each.isprintable()
        assert len(each) < 120
