"""What the tests of stages share: how one is run, and which there are."""

import os
import subprocess
import sys

from lessons import manifest
from tools import stages

ROOT = manifest.ROOT
LATEST = stages.latest()
NUMBERS = range(1, LATEST + 1)


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
