"""The exercise of a lesson: the learner's copy in `my/NN/`, its check, its hints.

A lesson's `exercise/` holds starter.py, check.py, hints.md and solution.py. The
learner's file is made once from the starter and never written again. `check.py FILE`
is a program: 0 when the exercise is solved, 1 when not yet, with sentences on why.
"""

import ast
import os
import re
from pathlib import Path

from lessons import progress, screen
from lessons.manifest import ROOT, Lesson
from tools import files

LIMIT = 60.0  # seconds for the whole check


def run(lesson: Lesson, my: Path = progress.MY) -> int:
    """Make the learner's file where it is missing and check it; 0 when solved."""
    folder = folder_of(lesson)
    path = copy_starter(folder, my / f"{lesson.number:02}")
    command = ["python", str(folder / "check.py"), str(path)]
    code = screen.program(command, ROOT, LIMIT)
    if code == 0:
        screen.say(f"Solved: {_name(path)}")
        progress.note(lesson.number, my, exercise=True)
        return 0
    if code != 1:
        raise screen.CannotRun(f"the check itself failed, with exit code {code}")
    seen = progress.load(my).get(f"{lesson.number:02}", {}).get("hints", 0)
    this = f"python -m lessons exercise {lesson.number:02}"
    print()
    screen.say(f"Not solved yet. Work in {_name(path)}, then: {this}")
    if seen < len(hints(folder)):
        screen.say(f"A hint: {this} --hint {seen + 1}")
    else:
        screen.say(f"All hints are seen. A solution: {this} --solution")
    return 1


def show_hint(lesson: Lesson, number: int, my: Path = progress.MY) -> int:
    """Print one hint, counted from 1."""
    known = hints(folder_of(lesson))
    if not 1 <= number <= len(known):
        text = f"lesson {lesson.number:02} has no hint {number}: there are {len(known)}"
        raise screen.CannotRun(text)
    print(f"Hint {number} of {len(known)}\n\n{known[number - 1]}")
    progress.note(lesson.number, my, hints=number)
    return 0


def show_solution(lesson: Lesson) -> int:
    """Say where the solution is."""
    screen.say(
        "One solution of several: read it beside your own, and then close it and "
        "write yours to the end."
    )
    print(_name(folder_of(lesson) / "solution.py"))
    return 0


def folder_of(lesson: Lesson) -> Path:
    """The folder of the exercise. Raises CannotRun where there is none."""
    folder = lesson.folder / "exercise"
    if not (folder / "check.py").is_file():
        raise screen.CannotRun(f"lesson {lesson.number:02} has no exercise")
    return folder


def file_name(folder: Path) -> str:
    """The name of the learner's file: the constant FILE of check.py, not run here."""
    tree = ast.parse((folder / "check.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            names = [each.id for each in node.targets if isinstance(each, ast.Name)]
            if names == ["FILE"]:
                return str(node.value.value)
    raise screen.CannotRun(f'{folder / "check.py"} does not say FILE = "…"')


def copy_starter(folder: Path, where: Path) -> Path:
    """The learner's file, made from the starter only where there is none."""
    path = where / file_name(folder)
    try:
        if not os.path.lexists(path):
            files.replace(path, (folder / "starter.py").read_bytes())
            screen.say(f"Made {_name(path)} for you to work in.")
    except OSError as error:
        raise screen.CannotRun(f"{path} can't be made: {error.strerror}") from None
    return path


def hints(folder: Path) -> list[str]:
    """The hints of hints.md, in order, without their headings."""
    path = folder / "hints.md"
    text = path.read_text("utf-8") if path.is_file() else ""
    parts = re.split(r"^## Hint [0-9]+.*\n", text, flags=re.MULTILINE)
    return [part.strip("\n") for part in parts[1:]]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
