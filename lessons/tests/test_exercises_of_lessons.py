"""The exercises of the course: starter, solution and wrong answers, all checked."""

import ast
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lessons import exercise, manifest

FOLDERS = [each.folder / "exercise" for each in manifest.lessons()]
FOLDERS = [folder for folder in FOLDERS if folder.is_dir()]
WRONG = [path for folder in FOLDERS for path in sorted(folder.glob("wrong/*.py"))]
GIVEN = [f / name for f in FOLDERS for name in ("starter.py", "solution.py")]


def copied(answer: Path, where: Path) -> list[str]:
    """The command that checks a copy of the answer as if it were the learner's."""
    folder = next(folder for folder in FOLDERS if folder in answer.parents)
    mine = where / exercise.file_name(folder)
    mine.write_bytes(answer.read_bytes())
    return [sys.executable, str(folder / "check.py"), str(mine)]


def checked(command: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(
        command,
        cwd=manifest.ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """All answers, checked side by side: most of a check is waiting on purpose."""
    answers = WRONG + GIVEN
    commands = [copied(each, tmp_path_factory.mktemp("my")) for each in answers]
    with ThreadPoolExecutor(6) as pool:
        return dict(zip(answers, pool.map(checked, commands), strict=True))


def called(path: Path) -> str:
    return path.relative_to(manifest.ROOT / "lessons").as_posix()


@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_an_exercise_is_complete(folder):
    assert exercise.hints(folder)
    assert len(list(folder.glob("wrong/*.py"))) >= 2


@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_the_starter_is_not_solved_yet(folder, runs):
    done = runs[folder / "starter.py"]
    assert done.returncode == 1, done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_the_solution_solves_it(folder, runs):
    done = runs[folder / "solution.py"]
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", WRONG, ids=called)
def test_each_wrong_answer_is_caught(path, runs):
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))
    done = runs[path]
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stdout + done.stderr
