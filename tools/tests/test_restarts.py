"""A session whose server is ended and started again, and whose values are carried."""

import json
import os

import pytest

from lessons import manifest
from tools import replay as replaying, transcript, wirecheck
from tools.play import PlayError, play
from tools.record import record
from tools.transcript import Entry, Transcript, compare

# It keeps each token that it gives in its data folder, and logs whom it serves.
SERVER = """
import json, os, pathlib, sys
folder = pathlib.Path(os.environ["HELPDESK_DATA"])
user = os.environ.get("HELPDESK_USER", "nobody")
print("for", user, len(list(folder.iterdir())), file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "give":
        token = "T" + os.urandom(20).hex()
        (folder / token).write_text(user)
        result = {"token": token}
    else:
        place = folder / message["params"]["token"]
        result = {"of": place.read_text() if place.exists() else "unknown"}
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    print(json.dumps(answer), flush=True)
print("goodbye", file=sys.stderr, flush=True)
sys.exit(3 if user == "ben" else 0)
"""
GIVE = {"request": "give"}
USE = {"request": "use", "params": '{"token":"{{1.token}}"}'}
CHANGED = {"request": "use", "params": '{"token":"{{1.token}}x"}'}


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    return tmp_path


def session(*steps, **more):
    table = {"name": "01-a", "title": "A", "server": ["python", "server.py"]}
    return manifest.session(7, {**table, "steps": steps, **more})


def results(recording: Transcript) -> list[dict]:
    lines = [each.line for each in recording.entries if each.dir == "server"]
    return [json.loads(line)["result"] for line in lines]


def log(recording: Transcript) -> list[bytes]:
    return [each.line for each in recording.entries if each.dir == "log"]


def test_a_value_of_an_answer_is_sent_back_whole_or_changed(directory):
    played = record(session(GIVE, USE, CHANGED), directory)
    assert results(played)[1:] == [{"of": "nobody"}, {"of": "unknown"}]


def test_a_value_that_is_not_there_ends_the_play_with_a_sentence(directory):
    wrong = {"request": "use", "params": '{"token":"{{1.cursor}}"}'}
    with pytest.raises(PlayError) as caught:
        record(session(GIVE, wrong), directory)
    for words in ("lesson 07", "session 01-a", "step 2", "{{1.cursor}}", "'cursor'"):
        assert words in str(caught.value)


def test_each_play_begins_with_an_empty_folder_and_nobody(directory, monkeypatch):
    monkeypatch.setenv("HELPDESK_USER", "me")
    for _ in range(2):
        assert log(record(session(GIVE), directory))[0] == b"for nobody 0"
    assert os.listdir(directory) == ["server.py"]


RESTARTED = (GIVE, {"restart": True, "user": "ben"}, USE, {**USE, "restart": True})


def test_a_new_server_on_the_same_data_takes_over(directory):
    played = record(session(*RESTARTED, user="ana"), directory)
    assert results(played)[1:] == [{"of": "ana"}, {"of": "ana"}]
    began = [line for line in log(played) if line != b"goodbye"]
    assert began == [b"for ana 0", b"for ben 1", b"for ben 1"]
    wire = [each for each in played.entries if each.dir != "log"]
    turn = ["client", "server"]
    assert [each.dir for each in wire] == [*turn, *["restart", *turn] * 2]
    sent = [json.loads(each.line) for each in wire if each.dir == "client"]
    assert [each["id"] for each in sent] == [1, 2, 3]
    times = [each.t for each in wire]
    assert times == sorted(times)
    assert played.header["user"] == "ana"
    assert played.exit == 3  # the last one's


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_server_that_is_killed_says_no_goodbye(directory):
    steps = (GIVE, {**USE, "restart": True, "kill": True})
    played = record(session(*steps), directory)
    assert log(played).count(b"goodbye") == 1
    assert results(played)[1] == {"of": "nobody"}
    assert [each.killed for each in played.entries if each.dir == "restart"] == [True]


def test_a_line_without_its_end_is_ended_by_the_restart(directory):
    (directory / "server.py").write_text(
        "import sys\nprint(repr(sys.stdin.read()))", "utf-8"
    )
    steps = ({"line": "a", "end": "", "answers": 1}, {"restart": True})
    lines = [each.line for each in play(session(*steps), directory)]
    assert lines == [b"a", b"'a'", b"", b"''"]


def test_leaving_a_play_early_ends_the_server_and_removes_the_folder(directory):
    playing = play(session(*RESTARTED), directory)
    entries = [next(playing) for _ in range(7)]
    assert "restart" in [each.dir for each in entries]
    playing.close()


@pytest.mark.parametrize("kill", [False, True])
def test_what_was_recorded_replays_with_the_fresh_servers_values(directory, kill):
    steps = (GIVE, {**USE, "restart": True, "user": "ben", "kill": kill}, CHANGED)
    first = record(session(*steps, user="ana"), directory)
    path = directory / "a.jsonl"
    transcript.write(path, first)
    kept = transcript.read(path)
    assert [each.line for each in kept.entries] == [each.line for each in first.entries]
    assert [each.killed for each in kept.entries if each.dir == "restart"] == [kill]
    again = replaying.replay(kept, ["python", "server.py"], directory)
    assert compare(kept, again) == []
    assert results(kept) != results(again)  # the tokens are new
    assert transcript.write(path, again) is False


def test_another_person_after_a_restart_is_a_difference(directory):
    first = record(session(*RESTARTED), directory)
    other = Transcript(first.header, list(first.entries), first.exit)
    at = next(i for i, each in enumerate(other.entries) if each.dir == "restart")
    other.entries[at] = Entry(0, "restart", b"ana")
    (found,) = compare(first, other)
    assert "started again, now for ben" in found and "now for ana" in found


def test_a_restart_is_shown_and_counted_but_is_no_message(directory, capsys):
    path = directory / "a.jsonl"
    transcript.write(path, record(session(*RESTARTED), directory))
    assert b'"restart":"ben"}' in path.read_bytes()
    assert transcript.main(["show", str(path)]) == 0
    assert "== the server is ended and started again, now for ben" in " ".join(
        capsys.readouterr().out.split()
    )
    number = [each.dir for each in transcript.read(path).entries].index("restart") + 1
    assert transcript.main(["show", str(path), str(number)]) == 0
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        b'{"t":0,"restart":3}',
        b'{"t":0,"restart":"a\\n"}',
        b'{"t":0,"restart":"","killed":1}',
        b'{"t":0,"restart":"","line":""}',
    ],
)
def test_a_restart_that_is_none_is_refused(line):
    with pytest.raises(transcript.TranscriptError, match=r"a\.jsonl:2: "):
        transcript.parse(b'{"transcript":1}\n' + line + b"\n", "a.jsonl")


def test_a_header_names_the_person_with_a_text():
    with pytest.raises(transcript.TranscriptError, match="user is"):
        transcript.parse(b'{"transcript":1,"user":3}\n', "a.jsonl")


ASKS = ("client", b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}')


def test_ids_begin_anew_with_a_new_server_and_a_killed_one_owes_nothing():
    unanswered = [each.text for each in wirecheck.check([ASKS])]
    assert any("no answer" in text for text in unanswered)
    ended = wirecheck.check([ASKS, ("restart", b""), ASKS])
    assert len([each for each in ended if "no answer" in each.text]) == 2
    killed = wirecheck.check([ASKS, ("killed", b"ben"), ASKS])
    assert [each.number for each in killed if "no answer" in each.text] == [3]
    assert not any("is in use" in each.text for each in ended)


def test_a_recording_with_a_restart_is_checked_by_file_and_line(tmp_path):
    path = tmp_path / "a.jsonl"
    answer = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    for killed, numbers in ((True, [4, 5]), (False, [2, 4, 5])):
        entries = [
            Entry(0, "client", ASKS[1]),
            Entry(1, "restart", b"ben", killed=killed),
            Entry(2, "client", ASKS[1]),
            Entry(3, "server", answer),
        ]
        transcript.write(path, Transcript({"transcript": 1}, entries, 0))
        count, findings = wirecheck.check_file(str(path))
        must = {line for line, each in findings if each.level == "must"}
        assert count == 3 and must <= set(numbers)
        assert (2 in must) is not killed


def test_two_recordings_side_by_side_are_their_messages(directory, capsys):
    for name, steps in (("a", (GIVE, USE)), ("b", (GIVE, {**USE, "restart": True}))):
        transcript.write(directory / name, record(session(*steps), directory))
    transcript.main(["diff", str(directory / "a"), str(directory / "b")])
    assert "only in" not in capsys.readouterr().out


# It asks its server one thing, and says who it is.
HOST = """
import os, shlex, subprocess, sys
given = b'{"id":1,"method":"give"}\\n'
subprocess.run(shlex.split(sys.argv[3]), input=given, stdout=subprocess.DEVNULL)
"""


@pytest.mark.skipif(os.name != "posix", reason="the rules of a POSIX shell")
def test_a_host_and_its_server_get_the_folder_and_the_person(directory, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(manifest.ROOT))
    (directory / "host.py").write_text(HOST, "utf-8")
    for user, says in (("ana", b"for ana 0"), ("", b"for nobody 0")):
        played = record(session(host="x", user=user), directory)
        assert log(played)[0] == says
