"""Replay: the client's lines to a fresh server, and what differs."""

import os
import shlex
import subprocess
import sys
import types
from pathlib import Path

import pytest

from lessons import manifest
from tools import replay as tool
from tools import transcript
from tools.play import Move, PlayError
from tools.replay import moves, replay
from tools.transcript import Entry, Transcript, compare

ROOT = Path(__file__).resolve().parent.parent.parent

SERVER = """
import sys
sys.stderr.write("started\\n")
sys.stderr.flush()
for line in sys.stdin.buffer:
    if b"quiet" not in line:
        sys.stdout.buffer.write(b'{"id":1,"result":"' + line.strip() + b'"}\\n')
        sys.stdout.buffer.flush()
"""


def answer(text: bytes) -> Entry:
    return Entry(2.0, "server", b'{"id":1,"result":"%s"}' % text)


def client(text: bytes, partial=False) -> Entry:
    return Entry(1.0, "client", text, partial)


STARTED = Entry(0.5, "log", b"started")


def recording(*entries, **header):
    head = {"transcript": 1, "lesson": 7, "session": "01-a"}
    head |= {"command": ["python", "server.py"]}
    return Transcript({**head, **header}, list(entries), 0)


GOOD = recording(STARTED, client(b"a"), answer(b"a"), client(b"quiet"), client(b"b"))
GOOD.entries.append(answer(b"b"))


@pytest.fixture
def directory(tmp_path, monkeypatch):
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    stages = types.ModuleType("tools.stages")
    stages.stage_dir = lambda number: tmp_path
    stages.MarkError = stages.StageError = type("StageError", (Exception,), {})
    monkeypatch.setitem(sys.modules, "tools.stages", stages)
    seventh = types.SimpleNamespace(number=7)
    monkeypatch.setattr(manifest, "lessons", lambda: [seventh])
    return tmp_path


@pytest.fixture
def kept(directory):
    """Keep a transcript as a file and give its path."""

    def keep(which, name="a.jsonl"):
        transcript.write(directory / name, which)
        return str(directory / name)

    return keep


def test_a_client_waits_for_as_many_lines_as_the_recording_has():
    first = recording(answer(b"x"), client(b"a"), STARTED, answer(b"y"), answer(b"z"))
    assert moves(first) == [Move(b"", 1), Move(b"a\n", 2)]
    assert moves(recording(client(b"a"), client(b"b", True))) == [
        Move(b"a\n", 0),
        Move(b"b", 0),
    ]


def test_the_same_server_gives_the_same_transcript(directory):
    again = replay(GOOD, ["python", "server.py"], directory)
    assert compare(GOOD, again) == [] and again.exit == 0


def test_a_line_that_is_no_message_is_sent_as_it_was(directory):
    odd = recording(STARTED, client(b"\xff\x00\r"), answer(b"\xff\x00"))
    assert compare(odd, replay(odd, ["python", "server.py"], directory)) == []


def test_an_answer_that_does_not_come_ends_the_replay(directory):
    silent = recording(client(b"quiet"), answer(b"quiet"))
    with pytest.raises(PlayError, match="0 of 1 answers"):
        replay(silent, ["python", "server.py"], directory, limit=0.3)


def test_recordings_replay_on_their_own_stage(kept, capsys):
    assert tool.main([kept(GOOD), kept(GOOD, "b.jsonl")]) == 0
    assert capsys.readouterr().out.count("as recorded") == 2


def test_a_difference_is_shown_with_both_sides(kept, capsys):
    changed = recording(*GOOD.entries[:2], answer(b"A"), *GOOD.entries[3:])
    assert tool.main([kept(changed), kept(GOOD, "b.jsonl")]) == 1
    out = capsys.readouterr().out
    assert "line 3: expected result 1 from the server" in out
    assert '  expected  {"id":1,"result":"A"}' in out
    assert '  came      {"id":1,"result":"a"}' in out
    assert "b.jsonl: as recorded" in out


def test_a_changed_log_line_is_a_difference(kept):
    changed = recording(Entry(0, "log", b"other"), *GOOD.entries[1:])
    assert tool.main([kept(changed)]) == 1


def test_an_answer_too_much_is_a_difference(kept, capsys):
    assert tool.main([kept(recording(*GOOD.entries[:-1]))]) == 1
    assert "was not expected" in capsys.readouterr().out


def test_a_server_that_leaves_early_is_a_difference(kept, directory, capsys):
    file = kept(GOOD)
    (directory / "server.py").write_text("")
    assert tool.main([file]) == 1
    assert "session 01-a" not in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="the rules of a POSIX shell")
def test_another_server_can_be_named_and_logs_what_it_likes(kept, directory):
    other = directory / "it's other.py"
    other.write_text(SERVER.replace("started", "hello"), "utf-8")
    command = f"python {shlex.quote(str(other))}"
    assert tool.main([kept(GOOD), "--server", command]) == 0
    other.write_text(SERVER.replace("result", "r"), "utf-8")
    assert tool.main([kept(GOOD), "--server", command]) == 1


@pytest.mark.parametrize(
    "words", [["--server", ""], ["--server", "'a"], ["no-such-file"]]
)
def test_what_cannot_be_replayed_is_one_sentence(kept, capsys, words):
    assert tool.main([kept(GOOD), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("header", [{"lesson": 9}, {"lesson": 0}, {"command": []}])
def test_a_recording_of_no_lesson_needs_a_server(kept, capsys, header):
    assert tool.main([kept(recording(*GOOD.entries, **header))]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_the_tap_wrote_can_be_replayed(kept, directory):
    # PAG-05, TAP-01: what passed the tap is what was sent.
    path, server = directory / "tap.jsonl", str(directory / "server.py")
    command = [sys.executable, "-m", "tools.tap", str(path), "--"]
    subprocess.run(
        [*command, sys.executable, server],
        input=b'{"cursor":"8"}\nlast',
        capture_output=True,
        timeout=60,
        cwd=ROOT,
    )
    taken = transcript.read(path)
    again = replay(taken, ["python", server], directory)
    assert compare(taken, again) == []
