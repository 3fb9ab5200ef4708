"""The quiz: right is the whole set, every answer is explained, the end is clean."""

import io
import sys

import pytest

from lessons import progress, quiz
from lessons.manifest import Answer, Lesson, Question

ONE = Question(
    "Who sends the first message?",
    (Answer("The client", True, "It asks."), Answer("The server", False, "It waits.")),
    "Nothing comes before a request.",
)
TWO = Question(
    "Which ids are allowed?",
    (
        Answer("1", True, "An integer."),
        Answer("1.5", False, ""),
        Answer('"1"', True, "A string."),
    ),
    "Strings and integers.",
)


def made(*questions: Question) -> Lesson:
    return Lesson(
        7, "x", "A title", 1, "P?", (), "", (), (), (), (), sessions=(), quiz=questions
    )


def answer(monkeypatch, tmp_path, text: str, *questions: Question) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return quiz.run(made(*questions), tmp_path)


@pytest.mark.parametrize("typed", ["a c", "ac", "C, A", "a) c)", "ca a"])
def test_several_letters_may_be_typed_in_any_way(monkeypatch, tmp_path, capsys, typed):
    assert answer(monkeypatch, tmp_path, typed + "\n", TWO) == 0
    assert "1 of 1" in capsys.readouterr().out


@pytest.mark.parametrize("typed", ["a", "abc", "b", "ab"])
def test_only_the_whole_set_is_right(monkeypatch, tmp_path, capsys, typed):
    assert answer(monkeypatch, tmp_path, typed + "\n", TWO) == 0
    said = capsys.readouterr().out
    assert "the answer is a c" in said
    assert "(more than one is right)" in said
    assert said.rstrip().endswith("0 of 1")


def test_each_answer_is_explained(monkeypatch, tmp_path, capsys):
    answer(monkeypatch, tmp_path, "b\nac\n", ONE, TWO)
    said = capsys.readouterr().out
    assert "It waits." in said
    assert "It asks." in said
    assert "Nothing comes before a request." in said
    assert "Strings and integers." in said
    assert said.rstrip().endswith("1 of 2")


def test_answers_keep_their_order(monkeypatch, tmp_path, capsys):
    answer(monkeypatch, tmp_path, "", TWO)
    said = capsys.readouterr().out
    assert said.index("a) 1\n") < said.index("b) 1.5") < said.index('c) "1"')


def test_what_is_no_letter_is_asked_again(monkeypatch, tmp_path, capsys):
    assert answer(monkeypatch, tmp_path, "\nz\n1\na\n", ONE) == 0
    assert capsys.readouterr().out.count("Letters from a to b") == 3


def test_the_end_of_input_ends_with_the_score_so_far(monkeypatch, tmp_path, capsys):
    assert answer(monkeypatch, tmp_path, "a\n", ONE, TWO) == 0
    assert capsys.readouterr().out.rstrip().endswith("1 of 2")
    assert progress.load(tmp_path)["07"]["quiz"] == [1, 2]


def test_ctrl_c_ends_with_the_score_so_far(monkeypatch, tmp_path, capsys):
    typed = iter(["a"])

    def read(prompt=""):
        for text in typed:
            return text
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    assert quiz.run(made(ONE, TWO), tmp_path) == 130
    assert capsys.readouterr().out.rstrip().endswith("1 of 2")


def test_without_an_answer_no_progress_is_kept(monkeypatch, tmp_path):
    answer(monkeypatch, tmp_path, "", ONE)
    assert progress.load(tmp_path) == {}
