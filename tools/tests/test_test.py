"""How all tests are run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEST = """
import subprocess, sys

def test_a_child_takes_ctrl_c():
    code = "import signal; print(signal.getsignal(signal.SIGINT))"
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert "default_int_handler" in said
"""


def outcome(folder: Path, text: str) -> subprocess.CompletedProcess:
    """`tools.test` on one test file, in a job that ignores Ctrl-C."""
    (folder / "test_it.py").write_text(text, "utf-8")
    start = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    start += "; from tools import test; sys.exit(test.main(sys.argv[1:]))"
    options = ["-n", "0", f"--rootdir={folder}", str(folder)]
    return subprocess.run(
        [sys.executable, "-c", start, *options],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )


@pytest.mark.skipif(os.name != "posix", reason="signals are a POSIX matter")
def test_a_job_in_the_background_tests_ctrl_c_as_well(tmp_path):
    done = outcome(tmp_path, TEST)
    assert done.returncode == 0, done.stdout


def test_a_test_that_fails_fails_the_run(tmp_path):
    done = outcome(tmp_path, "def test_it():\n    assert 2 == 3\n")
    assert done.returncode == 1
    assert "assert 2 == 3" in done.stdout
