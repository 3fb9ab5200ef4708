"""`python -m sdk` as a process: its start, its errors, a host in front. (lesson 05)"""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from lessons.manifest import META
from sdk import database
from sdk.database import Database
from tools.child import Child

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 60  # seconds; only a hang takes that long
CALL = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}, "_meta": META}
LINE = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}


def command(folder) -> list[str]:
    return [sys.executable, "-m", "sdk", "--data", str(folder)]


def run(words: list[str], **environment) -> subprocess.CompletedProcess:
    return subprocess.run(
        words,
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
    )


def test_servers_that_start_at_once_without_a_database_all_serve(tmp_path):
    started = [Child(command(tmp_path / "new"), ROOT) for _ in range(3)]
    try:
        for child in started:
            child.send(json.dumps(LINE).encode() + b"\n")
        for child in started:
            _, line = child.receive("server", LIMIT)
            result = json.loads(line)["result"]
            assert result["structuredContent"]["customer_id"] == "cus_1042"
    finally:
        codes = [child.close(LIMIT) for child in started]
    assert codes == [0, 0, 0]
    (tmp_path / "new" / "key").unlink()  # lesson-06
    assert [path.name for path in (tmp_path / "new").iterdir()] == [database.NAME]


def test_a_damaged_database_is_one_sentence_and_exit_code_2(tmp_path):
    path = tmp_path / database.NAME
    path.write_bytes(b"not a database, but long enough to look at" * 30)
    kept = path.read_bytes()
    done = run([sys.executable, "-m", "sdk"], HELPDESK_DATA=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"sdk: {path}: ")
    assert done.stderr.count("\n") == 1
    assert path.read_bytes() == kept


def test_where_the_sdk_is_missing_one_sentence_says_what_to_do(tmp_path):
    # -S: no packages but Python's own.
    done = run([sys.executable, "-S", "-m", "sdk", "--data", str(tmp_path)])
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not installed: run make setup" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_folder_that_may_not_be_written_is_one_sentence_too(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("the superuser may write anywhere")
    tmp_path.chmod(0o555)
    done = run(command(tmp_path))
    tmp_path.chmod(0o755)
    assert (done.returncode, done.stdout) == (2, "")
    assert "can't be made: Permission denied" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is another thing on Windows")
def test_ctrl_c_ends_it_though_its_input_is_open(tmp_path):
    Database(tmp_path)
    with Child(command(tmp_path), ROOT) as child:
        child.send(json.dumps(LINE).encode() + b"\n")
        child.receive("server", LIMIT)
        child.process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        assert child.process.wait(LIMIT) == -signal.SIGINT
        assert time.monotonic() - begun < LIMIT / 2


@pytest.mark.parametrize(
    "question",
    ["What is happening with ticket #2318?", "Draft a reply to ticket 2318"],
)
def test_a_host_gives_the_same_answer_with_either_server(question, tmp_path):
    answers = []
    for server in ([sys.executable, "-m", "handwritten"], command(tmp_path)):
        words = [sys.executable, "-m", "host", question, "--json", "--yes"]
        done = run([*words, "--server", shlex.join(server)])
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout)["answer"])
    assert answers[0] == answers[1]
    assert "2318" in answers[0]
