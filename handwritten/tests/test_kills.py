"""Whenever the server is killed, money goes back once or not at all. (lesson 07)"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAST = 300  # there are fewer lines than that on the way of a refund
WAYS = [
    (answer, way)
    for answer in ("accept", "decline", "cancel")
    for way in ("retry", "anew")
]
REFUNDS = {"accept": ["local"], "decline": [], "cancel": []}
SAID = {
    "accept": {"issued"},
    # Killed between writing and saying it: to be sent again it is too late.
    "decline": {"declined", "over"},
    "cancel": {"cancelled", "over"},
}
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each server is a fork")


def play(folder: Path, answer: str, way: str, numbers: list) -> list[dict]:
    """The flow once for each number, as `kills.py` tells of it."""
    words = [str(folder), answer, way, *map(str, numbers)]
    done = subprocess.run(
        [sys.executable, "-m", "handwritten.tests.kills", *words],
        capture_output=True,
        cwd=ROOT,
        timeout=250,
    )
    assert done.returncode == 0, done.stderr.decode()
    played = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(played) == len(numbers)
    for each in played:
        assert each["refunds"] == REFUNDS[answer], each
        assert each["status"] in SAID[answer], each
        assert len(each["answered"]) >= 1, each
        assert answer == "accept" or "issued" not in each["answered"], each
    return played


@pytest.mark.parametrize(("answer", "way"), WAYS)
def test_killed_at_any_step_the_ledger_has_one_entry_after_accept_and_none_otherwise(
    answer, way, tmp_path
):
    # QwenLM/qwen-code#8387, tya5/reyn#2600: HOST-15
    # Once before every line; the other ways share most of their lines with this one.
    step = 1 if (answer, way) == ("accept", "retry") else 30
    played = play(tmp_path, answer, way, [*range(1, LAST, step), LAST])
    killed = [each["killed"] for each in played]
    assert killed[0] == 1
    assert killed[-1] == 0  # it came to its end: the lines are those of the whole flow
    assert sum(killed) >= (200 if step == 1 else 6)


def test_killed_again_and_again_it_comes_to_the_same_end(tmp_path):
    numbers = [f"{first},{second},{third}" for first, second, third in REPEATED]
    played = play(tmp_path, "accept", "retry", numbers)
    assert {each["killed"] for each in played} == {3}


REPEATED = [(200, 150, 20), (240, 60, 1), (130, 130, 130), (250, 1, 1), (90, 30, 99)]


ROUNDS = [
    (answer, way, round)
    for answer, way in WAYS
    for round in range(100 if answer == "accept" else 10)
]


@pytest.mark.soak
@pytest.mark.parametrize(("answer", "way", "round"), ROUNDS)
def test_killed_at_every_step_in_any_order_again_and_again(
    answer, way, round, tmp_path
):
    chance = random.Random(f"{answer} {way} {round}")
    numbers: list = list(range(1, LAST))
    chance.shuffle(numbers)
    # In every other round the server that comes after is killed as well.
    if round % 2:
        numbers = [f"{each},{chance.randrange(1, LAST)}" for each in numbers]
    play(tmp_path, answer, way, numbers)
