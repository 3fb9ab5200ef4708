"""Each lesson does something, and what it does lasts."""

import pytest
from tools.tests.staging import LATEST, NUMBERS, run, wire_tests

earlier = pytest.mark.parametrize("number", NUMBERS[:-1])


@earlier
def test_a_stage_does_not_do_yet_what_the_next_lesson_adds(number):
    done = run("pytest", wire_tests(number + 1), f"--stage={number}", "-x")
    assert done.returncode == 1, done.stdout[-3000:]


@earlier
def test_the_latest_stage_still_keeps_the_rules_of_a_lesson(number):
    # The usual run asks the latest server on the SDK.
    done = run("pytest", wire_tests(number), f"--stage={LATEST}", "--by-hand")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("number", "lesson"),
    [(later, each) for later in NUMBERS for each in NUMBERS if each <= later],
)
def test_every_stage_keeps_the_rules_of_every_lesson_so_far(number, lesson):
    done = run("pytest", wire_tests(lesson), f"--stage={number}")
    assert done.returncode == 0, done.stdout[-3000:]
