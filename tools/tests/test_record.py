"""Recordings: a session is played step by step and kept as it was."""

import os
import sys
import types
from pathlib import Path

import pytest

from lessons import manifest
from lessons.manifest import Session, Step
from tools import record, transcript
from tools.play import join_command
from tools.record import PlayError, play
from tools.transcript import Transcript

ROOT = Path(__file__).resolve().parent.parent.parent

# It answers a line that holds a "?" with two lines, and logs the first line it reads.
SERVER = """
import sys
for number, line in enumerate(sys.stdin.buffer):
    if number == 0:
        sys.stderr.write("first line: " + repr(line) + "\\n")
        sys.stderr.flush()
    if b"?" in line:
        sys.stdout.buffer.write(b"one " + line.strip() + b"\\ntwo\\n")
        sys.stdout.buffer.flush()
sys.stdout.buffer.write(b"bye")
"""
# It starts the server it is given, sends one line, and reads the answers.
HOST = """
import shlex, subprocess, sys
question, _, server = sys.argv[1:]
pipe = subprocess.PIPE
with subprocess.Popen(shlex.split(server), stdin=pipe, stdout=pipe) as child:
    out, _ = child.communicate(question.encode() + b"\\n", timeout=60)
print("[host]", out)
sys.exit(3 if b"fail" in out else 0)
"""


def step(data: bytes, answers: int = 0) -> Step:
    return Step(data, answers, "", "", "")


def session(*steps: Step, host="", command=("python", "server.py"), name="01-a"):
    return Session(7, name, "A", "", command, steps, host)


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """A stage with a server and a host; its path is not an easy one."""
    folder = tmp_path / "it's a stäge"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER, "utf-8")
    (folder / "host.py").write_text(HOST, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return folder


def played(session, directory, limit=record.LIMIT):
    """The entries as (dir, line), and the exit code."""
    entries, playing = [], play(session, directory, limit)
    while True:
        try:
            entries.append(next(playing))
        except StopIteration as end:
            return [(each.dir, each.line) for each in entries], end.value, entries


def test_each_line_waits_for_its_answers(directory):
    steps = [step(b"a?\n", 2), step(b"no answer\n"), step(b"b?\r\n", 2)]
    lines, code, entries = played(session(*steps), directory)
    wire = [each for each in lines if each[0] != "log"]
    assert wire == [
        ("client", b"a?"),
        ("server", b"one a?"),
        ("server", b"two"),
        ("client", b"no answer"),
        ("client", b"b?\r"),
        ("server", b"one b?"),
        ("server", b"two"),
        ("server", b"bye"),
    ]
    assert ("log", b"first line: b'a?\\n'") in lines
    assert code == 0
    assert [each.partial for each in entries if each.line == b"bye"] == [True]


def test_entries_are_given_as_they_happen(directory):
    playing = play(session(step(b"a?\n", 2)), directory)
    assert next(playing).line == b"a?"
    playing.close()  # ends the server, too: pytest would see a warning otherwise


def test_a_last_line_without_a_newline_is_sent_and_then_the_input_ends(directory):
    lines, _, entries = played(session(step(b"a?", 2)), directory)
    assert ("server", b"one a?") in lines
    assert entries[0].line == b"a?" and entries[0].partial is True


def test_pieces_without_a_newline_are_one_line(directory):
    lines, _, entries = played(session(step(b"a"), step(b"?\n", 2)), directory)
    assert lines[0] == ("client", b"a?") and entries[0].partial is False


def test_a_missing_answer_is_a_sentence_that_says_where(directory):
    with pytest.raises(PlayError) as caught:
        played(session(step(b"a?\n", 2), step(b"quiet\x1b\n", 1)), directory, 0.3)
    text = str(caught.value)
    for words in ("lesson 07", "session 01-a", "step 2", "0 of 1", "quiet\\x1b"):
        assert words in text
    assert "the last line of its log: first line" in text


def test_a_server_that_leaves_is_a_sentence_with_its_last_words(directory):
    (directory / "server.py").write_text("raise SystemExit('no ticket file')")
    with pytest.raises(PlayError) as caught:
        played(session(step(b"a?\n", 1), step(b"b\n", 1)), directory)
    assert "step 1" in str(caught.value) and "no ticket file" in str(caught.value)


def test_a_server_that_stays_after_the_end_is_a_sentence(directory):
    (directory / "server.py").write_text("import time; time.sleep(60)")
    with pytest.raises(PlayError, match="still there"):
        played(session(), directory, 0.1)


def test_a_command_that_cannot_be_started_is_a_sentence(directory):
    with pytest.raises(PlayError, match="no-such-program can't be started"):
        played(session(command=("no-such-program",)), directory)


def test_the_exit_code_is_given(directory):
    (directory / "server.py").write_text("raise SystemExit(5)")
    assert played(session(), directory)[1] == 5


def test_a_hosts_session_is_what_the_tap_wrote(directory):
    lines, code, _ = played(session(host="what's up?"), directory)
    wire = [each for each in lines if each[0] != "log"]
    assert wire == [
        ("client", b"what's up?"),
        ("server", b"one what's up?"),
        ("server", b"two"),
        ("server", b"bye"),
    ]
    assert code == 0


def test_a_host_that_fails_is_a_sentence(directory):
    with pytest.raises(PlayError, match="exit code is 3"):
        played(session(host="fail?"), directory)


@pytest.mark.skipif(os.name != "posix", reason="the rules of a POSIX shell")
def test_a_command_line_survives_a_shell(tmp_path):
    import shlex

    words = ["/a b/it's", "$HOME", '"', "ü\\"]
    assert shlex.split(join_command(words)) == words


@pytest.fixture
def course(directory, tmp_path, monkeypatch):
    """A course with one lesson, two sessions, and a stage to play them on."""
    root = tmp_path / "course"
    sessions = (
        session(step(b"a?\n", 2)),
        session(step(b"b?\n", 2), name="02-b"),
    )
    lesson = types.SimpleNamespace(number=7, sessions=sessions, packages=False)
    stages = types.ModuleType("tools.stages")
    stages.stage_dir = lambda number: directory
    stages.MarkError = stages.StageError = type("StageError", (Exception,), {})
    monkeypatch.setitem(sys.modules, "tools.stages", stages)
    monkeypatch.setattr(manifest, "ROOT", root)
    monkeypatch.setattr(manifest, "lessons", lambda: [lesson])
    return root / "transcripts" / "lesson-07"


def test_sessions_are_recorded_and_stay_as_they_are(course, capsys):
    assert record.main(["07"]) == 0
    first = course / "01-a.jsonl"
    before = first.read_bytes()
    assert record.main(["--all"]) == 0
    assert first.read_bytes() == before
    out = capsys.readouterr().out
    assert "transcripts/lesson-07/01-a.jsonl: written" in out
    assert "transcripts/lesson-07/02-b.jsonl: unchanged" in out
    header = transcript.read(first).header
    assert header["lesson"] == 7 and header["session"] == "01-a"
    assert header["command"] == ["python", "server.py"]
    assert str(course) not in before.decode()


def test_a_session_can_be_named(course):
    assert record.main(["7", "02-b"]) == 0
    assert [each.name for each in course.iterdir()] == ["02-b.jsonl"]


def test_volatile_places_are_kept(course):
    record.main(["07"])
    kept = transcript.read(course / "01-a.jsonl")
    marked = Transcript({**kept.header, "volatile": ["/x"]}, kept.entries[:1], 0)
    transcript.write(course / "01-a.jsonl", marked)
    record.main(["07"])
    again = transcript.read(course / "01-a.jsonl")
    assert again.header["volatile"] == ["/x"] and len(again.entries) > 1


def test_check_compares_and_writes_nothing(course, directory, capsys):
    assert record.main(["--all", "--check"]) == 1
    assert not course.exists()
    record.main(["07"])
    before = (course / "01-a.jsonl").read_bytes()
    assert record.main(["--all", "--check"]) == 0
    (directory / "server.py").write_text(SERVER.replace("two", "TWO"), "utf-8")
    assert record.main(["--all", "--check"]) == 1
    assert "expected  two" in capsys.readouterr().out
    assert (course / "01-a.jsonl").read_bytes() == before


def test_a_recording_without_a_session_is_named(course, capsys):
    record.main(["07"])
    (course / "03-old.jsonl").write_bytes(b"")
    assert record.main(["--all"]) == 1
    assert "lesson-07/03-old.jsonl: no lesson has" in capsys.readouterr().out


def test_a_session_that_cannot_be_played_is_one_sentence(course, directory, capsys):
    (directory / "server.py").write_text("raise SystemExit(1)")
    assert record.main(["07", "01-a"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not course.exists()


@pytest.mark.parametrize("words", [["08"], ["x"], ["07", "09-z"]])
def test_what_is_not_there_is_one_sentence(course, capsys, words):
    assert record.main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1
