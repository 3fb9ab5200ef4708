"""Each stage is a program of its own, which its own unit tests find good."""

import pytest
from tools import stages
from tools.tests.staging import NUMBERS, ROOT, run

EARLIER = NUMBERS[:-1]  # the last stage is the code that all other tests run on


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


@pytest.mark.parametrize("number", EARLIER[-1:])
def test_the_stage_before_the_latest_passes_the_unit_tests_of_its_lesson(number):
    # What the newest lesson adds without its mark shows there first.
    before = unit_tests(number - 1) if number > 1 else set()
    new = sorted(unit_tests(number) - before)
    done = run("pytest", *new, cwd=stages.stage_dir(number))
    assert new and done.returncode == 0, done.stdout[-3000:]


@pytest.mark.soak
@pytest.mark.parametrize("number", EARLIER)
def test_a_stage_passes_its_unit_tests(number):
    tests = sorted(unit_tests(number))
    done = run("pytest", *tests, cwd=stages.stage_dir(number))
    assert done.returncode == 0, done.stdout[-3000:]
