"""Progress is kept whole or not at all, and never thrown away."""

import json

import pytest

from lessons import progress


def test_nothing_is_known_before_the_first_step(tmp_path):
    assert progress.load(tmp_path / "my") == {}
    assert progress.words(3, {}) == ""


def test_what_was_done_is_kept_and_said(tmp_path):
    my = tmp_path / "my"
    progress.note(3, my, run=True)
    progress.note(3, my, exercise=True)
    progress.note(3, my, quiz=[2, 5])
    assert progress.words(3, progress.load(my)) == "run, exercise solved, quiz 2 of 5"
    assert [path.name for path in my.iterdir()] == ["progress.json"]


def test_the_best_quiz_counts_until_the_quiz_changes(tmp_path):
    progress.note(1, tmp_path, quiz=[4, 5])
    progress.note(1, tmp_path, quiz=[2, 5])
    assert progress.load(tmp_path)["01"]["quiz"] == [4, 5]
    progress.note(1, tmp_path, quiz=[2, 6])
    assert progress.load(tmp_path)["01"]["quiz"] == [2, 6]


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"03": 1}',
        b'{"3": {}}',
        b'{"03": {"quiz": 1}}',
        b'{"03": {"quiz": ["1", 2]}}',
        b'{"03": {"hints": "x"}}',
    ],
)
def test_a_damaged_file_is_set_aside_with_a_sentence(tmp_path, capsys, damaged):
    (tmp_path / "progress.json").write_bytes(damaged)
    (tmp_path / "progress-damaged-1.json").write_text("older", "utf-8")
    progress.note(2, tmp_path, run=True)
    assert json.loads((tmp_path / "progress.json").read_text("utf-8")) == {
        "02": {"run": True}
    }
    assert (tmp_path / "progress-damaged-2.json").read_bytes() == damaged
    assert (tmp_path / "progress-damaged-1.json").read_text("utf-8") == "older"
    assert capsys.readouterr().err.count("\n") == 1


def test_where_nothing_can_be_written_a_sentence_says_so(tmp_path, capsys):
    (tmp_path / "my").write_text("a file in the way", "utf-8")
    with pytest.raises(progress.CannotRun):
        progress.note(2, tmp_path / "my", run=True)
