"""Each stage is a program of its own, and each lesson does something."""

import os
import subprocess
import sys

import pytest
from lessons import manifest
from tools import stages

ROOT = manifest.ROOT
LATEST = stages.latest()
NUMBERS = range(1, LATEST + 1)
# The last stage is the code that all other tests run on.
earlier = pytest.mark.parametrize("number", NUMBERS[:-1])


def run(*words, cwd=ROOT):
    mine = ("SERVER", "PYTHONPATH")  # a stage must not find what it lacks
    environment = {name: os.environ[name] for name in os.environ if name not in mine}
    command = [sys.executable, "-m", *map(str, words)]
    environment["PYTEST_ADDOPTS"] = "--disable-plugin-autoload -q"  # it starts faster
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8"
    )


def wire_tests(number: int) -> str:
    return str(manifest.lesson(number).folder / "test_wire.py")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_stage_has_no_unused_import_and_no_unknown_name(number):
    here = [each for each in stages.CODE if (ROOT / each).exists()]
    done = run("ruff", "check", "--select", "F", *here, cwd=stages.stage_dir(number))
    assert done.returncode == 0, done.stdout


def unit_tests(number: int) -> set[str]:
    """The files of unit tests that a stage has."""
    stage = stages.stage_dir(number)
    parts = ("handwritten", "sdk", "host")
    found = [each for part in parts for each in stage.glob(f"{part}/tests/test_*.py")]
    # Whatever bytes come in, the last stage is asked; that takes the longest.
    names = {each.relative_to(stage).as_posix() for each in found}
    return names - {"handwritten/tests/test_hostile.py"}


@earlier
def test_a_stage_passes_the_unit_tests_of_its_lesson(number):
    before = unit_tests(number - 1) if number > 1 else set()
    new = sorted(unit_tests(number) - before)
    done = run("pytest", *new, cwd=stages.stage_dir(number))
    assert new and done.returncode == 0, done.stdout[-3000:]


@pytest.mark.soak
@earlier
def test_a_stage_passes_all_its_unit_tests(number):
    tests = sorted(unit_tests(number))
    done = run("pytest", *tests, cwd=stages.stage_dir(number))
    assert done.returncode == 0, done.stdout[-3000:]


@earlier
def test_a_stage_does_not_do_yet_what_the_next_lesson_adds(number):
    done = run("pytest", wire_tests(number + 1), f"--stage={number}", "-x")
    assert done.returncode == 1, done.stdout[-3000:]


@earlier
def test_the_latest_stage_still_keeps_the_rules_of_a_lesson(number):
    done = run("pytest", wire_tests(number), f"--stage={LATEST}")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("number", "lesson"),
    [(later, each) for later in NUMBERS for each in NUMBERS if each < later],
)
def test_every_stage_keeps_the_rules_of_every_lesson_before(number, lesson):
    done = run("pytest", wire_tests(lesson), f"--stage={number}")
    assert done.returncode == 0, done.stdout[-3000:]
