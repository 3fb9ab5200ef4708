"""Exercises: the file of a learner is never lost; a check tells right from wrong."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lessons import exercise, progress, screen

CHECK = """
import sys
from pathlib import Path
FILE = "client.py"
text = Path(sys.argv[1]).read_text("utf-8")
if "broken check" in text:
    sys.exit(5)
if "42" not in text:
    print("Expected 42.")
    sys.exit(1)
"""
HINTS = "# Hints\n\n## Hint 1\n\nThink.\n\n## Hint 2: numbers\nTry 42.\n"


def lesson_in(folder: Path) -> Any:
    """As much of a lesson as an exercise needs."""
    return SimpleNamespace(folder=folder, number=7)


@pytest.fixture
def fake(tmp_path):
    folder = tmp_path / "lessons" / "07-x" / "exercise"
    folder.mkdir(parents=True)
    (folder / "check.py").write_text(CHECK, "utf-8")
    (folder / "starter.py").write_text("# start here\n", "utf-8")
    (folder / "hints.md").write_text(HINTS, "utf-8")
    return lesson_in(folder.parent)


def test_the_first_run_makes_the_file_and_says_what_is_expected(fake, tmp_path, capsys):
    assert exercise.run(fake, tmp_path / "my") == 1
    path = tmp_path / "my" / "07" / "client.py"
    assert path.read_text("utf-8") == "# start here\n"
    said = capsys.readouterr().out
    assert "Expected 42." in said
    assert "python -m lessons exercise 07 --hint 1" in said


def test_the_learners_file_is_never_overwritten(fake, tmp_path):
    path = tmp_path / "my" / "07" / "client.py"
    path.parent.mkdir(parents=True)
    path.write_text("mine: 42\n", "utf-8")
    assert exercise.run(fake, tmp_path / "my") == 0
    assert path.read_text("utf-8") == "mine: 42\n"
    assert [each.name for each in path.parent.iterdir()] == ["client.py"]
    assert progress.load(tmp_path / "my")["07"]["exercise"] is True


def test_hints_come_one_by_one_and_the_next_is_named(fake, tmp_path, capsys):
    my = tmp_path / "my"
    assert exercise.show_hint(fake, 1, my) == 0
    assert "Think." in (said := capsys.readouterr().out)
    assert "42" not in said
    exercise.run(fake, my)
    assert "--hint 2" in capsys.readouterr().out
    exercise.show_hint(fake, 2, my)
    exercise.run(fake, my)
    assert "--solution" in capsys.readouterr().out
    with pytest.raises(screen.CannotRun, match="no hint 3: there are 2"):
        exercise.show_hint(fake, 3, my)


def test_the_solution_is_named_after_a_sentence(fake, capsys):
    exercise.show_solution(fake)
    said = capsys.readouterr().out.splitlines()
    assert said[-1].endswith("solution.py")
    assert len(said) > 1


def test_a_check_that_fails_itself_is_no_wrong_answer(fake, tmp_path):
    exercise.copy_starter(fake.folder / "exercise", tmp_path).write_text("broken check")
    (tmp_path / "07").mkdir()
    (tmp_path / "client.py").replace(tmp_path / "07" / "client.py")
    with pytest.raises(screen.CannotRun, match="exit code 5"):
        exercise.run(fake, tmp_path)


def test_a_lesson_without_exercise_is_a_sentence(tmp_path):
    with pytest.raises(screen.CannotRun, match="lesson 07 has no exercise"):
        exercise.run(lesson_in(tmp_path), tmp_path)
