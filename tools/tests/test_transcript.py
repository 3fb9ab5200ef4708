"""Transcripts: what is written is read again, and differences are named."""

import json
import subprocess
import sys

import pytest

from tools import transcript
from tools.transcript.lines import show_entry
from tools.transcript import Entry, Transcript, TranscriptError, compare, describe

HEADER = {
    "transcript": 1,
    "lesson": 3,
    "session": "02-call",
    "command": ["python", "-m", "handwritten"],
    "recorded": "2026-11-30",
    "volatile": [],
}
LINES = [
    Entry(0.04, "client", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    Entry(3.26, "log", b"helpdesk: started"),
    Entry(12.4, "server", b'{"jsonrpc":"2.0","id":1,"result":{"ttlMs":5}}'),
]


def made(*entries, exit=0, **header):
    return Transcript({**HEADER, **header}, list(entries), exit)


def call(line: bytes) -> Entry:
    return Entry(0.0, "server", line)


def lines_of(path):
    return path.read_bytes().split(b"\n")[:-1]


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "lesson-03" / "a.jsonl"
    assert transcript.write(path, made(*LINES)) is True
    again = transcript.read(path)
    assert again.header == HEADER and again.exit == 0
    assert [each.line for each in again.entries] == [each.line for each in LINES]
    assert [each.t for each in again.entries] == [0.0, 3.3, 12.4]
    assert [each.name for each in path.parent.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\r",
        b'{"a":"\xc3\xbc \xf0\x9f\x98\x80"}\r',
        b"\xef\xbb\xbf{}",
        b"\x00 nul",
        bytes(each for each in range(256) if each != 10),
        "a\u2028b\u2029c\u0085d\x1ce\x0bf".encode(),
        b"\xed\xa0\xbd",  # half a character, as some programs write it
        b"\\ud83d",
    ],
)
def test_a_line_of_any_bytes_comes_back_and_takes_one_line_of_the_file(tmp_path, line):
    # STD-10, TAP-10: whatever a reader takes for a line's end counts the same.
    path = tmp_path / "a.jsonl"
    transcript.write(path, made(Entry(1.0, "client", line, partial=True)))
    assert transcript.read(path).entries == [Entry(1.0, "client", line, True)]
    assert len(path.read_bytes().decode("utf-8").splitlines()) == 3
    assert path.read_bytes().count(b"\n") == 3


def test_text_stays_text_and_other_bytes_are_base64(tmp_path):
    path = tmp_path / "a.jsonl"
    transcript.write(
        path, made(Entry(1, "log", "ü".encode()), Entry(2, "log", b"\xff"))
    )
    assert '{"t":1,"dir":"log","line":"ü"}'.encode() in lines_of(path)
    assert b'{"t":2,"dir":"log","base64":"/w=="}' in lines_of(path)


def test_a_file_stays_when_only_times_or_the_date_change(tmp_path):
    path = tmp_path / "a.jsonl"
    transcript.write(path, made(*LINES))
    before = path.read_bytes()
    later = [Entry(each.t + 7, each.dir, each.line) for each in LINES]
    assert transcript.write(path, made(*later, recorded="2027-01-01")) is False
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "new",
    [
        made(*LINES[:2]),
        made(*LINES, exit=1),
        made(*LINES, exit=None),
        made(*LINES, session="03-other"),
        made(LINES[0], LINES[1], Entry(12.4, "server", LINES[2].line, True)),
    ],
)
def test_a_file_changes_when_anything_else_does(tmp_path, new):
    path = tmp_path / "a.jsonl"
    transcript.write(path, made(*LINES))
    assert transcript.write(path, new) is True
    assert transcript.read(path).entries[0].line == LINES[0].line
    assert transcript.write(path, new) is False


HEAD = b'{"transcript":1}\n'


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"hello\n", ":1: 'hello' is no JSON object"),
        (b'{"transcript":2}\n', ":1: a header says"),
        (b'{"transcript":1,"lesson":"3"}\n', ":1: lesson is"),
        (b'{"transcript":1,"command":[3]}\n', ":1: command is"),
        (HEAD + b"\n", ":2: '' is no JSON object"),
        (HEAD + b"[1]\n", ":2: '[1]' is no JSON object"),
        (HEAD + b'{"t":0,"dir":"log","line":"\xff"}\n', ":2:"),
        (HEAD + b'{"dir":"log","line":""}\n', ":2: t is"),
        (HEAD + b'{"t":true,"dir":"log","line":""}\n', ":2: t is"),
        (HEAD + b'{"t":NaN,"dir":"log","line":""}\n', ":2:"),
        (HEAD + b'{"t":0,"dir":"up","line":""}\n', ":2: dir is"),
        (HEAD + b'{"t":0,"dir":[],"line":""}\n', ":2: dir is"),
        (HEAD + b'{"t":0,"dir":"log"}\n', ":2: either line or base64"),
        (HEAD + b'{"t":0,"dir":"log","line":"","base64":""}\n', ":2: either"),
        (HEAD + b'{"t":0,"dir":"log","line":3}\n', ":2: line is"),
        (HEAD + b'{"t":0,"dir":"log","line":"\\ud83d"}\n', ":2: line is"),
        (HEAD + b'{"t":0,"dir":"log","base64":"?"}\n', ":2: line is"),
        (HEAD + b'{"t":0,"dir":"log","line":"a\\nb"}\n', ":2: a newline"),
        (HEAD + b'{"t":0,"dir":"log","line":"","x\\u001b":1}\n', "x\\x1b"),
        (HEAD + b'{"t":0,"dir":"log","line":"","partial":1}\n', ":2: partial"),
        (HEAD + b'{"t":0,"exit":"0"}\n', ":2: exit is"),
        (HEAD + b'{"t":0,"exit":0}\n{"t":0,"exit":0}\n', ":3: nothing follows"),
        (HEAD + b'{"t":0,"dropped":1}\n{"t":0,"dir":"log","line":""}\n', ":3: only"),
        (HEAD + b'{"t":0,"exit":0}', ":2: no newline"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(tmp_path, data, words):
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    with pytest.raises(TranscriptError) as caught:
        transcript.read(path)
    assert str(caught.value).startswith(str(path)) and words in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_times_are_not_compared_and_log_lines_may_come_at_another_moment():
    moved = [LINES[1], LINES[0], Entry(99.0, "server", LINES[2].line)]
    assert compare(made(*LINES), made(*moved)) == []
    ended = Entry(0, "log", LINES[1].line + b"\r")  # Windows ends log lines so
    assert compare(made(*LINES), made(LINES[0], ended, LINES[2])) == []


def test_the_order_of_client_and_server_counts():
    assert compare(made(*LINES), made(LINES[2], LINES[0], LINES[1]))


def test_a_difference_names_both_sides_and_its_place():
    other = call(b'{"jsonrpc":"2.0","id":1,"result":{"ttlMs":60}}')
    (text,) = compare(made(*LINES), made(*LINES[:2], other))
    assert "line 3: expected result 1 from the server, came result 1" in text
    assert "byte 43 (/result/ttlMs)" in text
    assert '"ttlMs":5}' in text and '"ttlMs":60}' in text


def test_the_same_json_in_other_bytes_is_a_difference():
    (text,) = compare(made(call(b'{"a":1,"b":2}')), made(call(b'{"a": 1,"b":2}')))
    assert "byte 6 (the same JSON, written differently)" in text


def test_true_is_not_one():
    (text,) = compare(made(call(b'{"a":1}')), made(call(b'{"a":true}')))
    assert "(/a)" in text


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (made(*LINES[:2]), "line 3: expected result 1"),
        (made(*LINES, call(b"hello\x1b")), "line 4 of what came: not JSON"),
        (made(LINES[0], LINES[2]), "line 2: expected a log line"),
        (made(*LINES, exit=-9), "exit code: expected 0, came -9"),
        (made(*LINES, exit=None), "exit code: expected 0, came None"),
        (
            made(*LINES[:2], Entry(0, "server", LINES[2].line, True)),
            "without a newline",
        ),
        (Transcript(HEADER, LINES, 0, dropped=2), "2 from the other"),
    ],
)
def test_each_kind_of_difference_is_found_alone(new, words):
    (text,) = compare(made(*LINES), new)
    assert words in text and "\x1b" not in text


def test_one_line_that_is_missing_is_one_difference():
    many = [call(b'{"id":%d,"result":{}}' % each) for each in range(50)]
    assert len(compare(made(*many), made(*many[:20], *many[21:]))) == 1


def test_what_the_header_calls_volatile_may_differ_and_nothing_beside_it():
    pointers = ["/result/content/0/text", "/result/a~1b~0c", "/id"]
    old = b'{"id":1,"result":{"content":[{"text":"x"}],"a/b~c":1,"same":1}}'
    new = b'{"id":7,"result":{"content":[{"text":"y"}],"a/b~c":2,"same":1}}'
    assert compare(made(call(old), volatile=pointers), made(call(new))) == []
    assert compare(made(call(old)), made(call(new)))
    worse = new.replace(b'"same":1', b'"same":2')
    assert compare(made(call(old), volatile=pointers), made(call(worse)))
    gone = b'{"id":7,"result":{}}'
    assert compare(made(call(old), volatile=pointers), made(call(gone)))


def test_a_volatile_place_may_be_inside_a_text_that_holds_json():
    def line(text: str) -> Entry:
        return call(json.dumps({"content": [{"type": "text", "text": text}]}).encode())

    pointers = ["/content/0/text/at", "/content/0/text/in/0"]
    old = made(line('{"at":"12:00","in":[1],"x":1}'), volatile=pointers)
    assert compare(old, made(line('{"at":"12:01","in":[2],"x":1}'))) == []
    assert compare(old, made(line('{"at":"12:01","in":[2],"x":2}')))
    for odd in ("12:00", '"12:00"', "{", "[]"):
        assert compare(made(line(odd), volatile=pointers), made(line(odd))) == []
        assert compare(made(line(odd), volatile=pointers), made(line(odd + " ")))


def test_volatile_places_leave_a_file_alone(tmp_path):
    # TAP-06: a nonce must not change a committed file at every run.
    path = tmp_path / "a.jsonl"
    transcript.write(path, made(call(b'{"nonce":1}'), volatile=["/nonce"]))
    new = made(call(b'{"nonce":2}'), volatile=["/nonce"])
    assert transcript.write(path, new) is False


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"id":1,"method":"server/discover"}', "request 1 server/discover"),
        (
            b'{"id":1,"method":"tools/call","params":{"name":"get_ticket"}}',
            "request 1 tools/call get_ticket",
        ),
        (b'{"id":"1","method":"ping"}', 'request "1" ping'),
        (b'{"id":null,"method":"ping"}', "no request, for its id is none: null"),
        (b'{"id":"","method":"ping"}', 'request "" ping'),
        (b'{"id":0,"result":{}}', "result 0"),
        (b'{"id":1,"result":{"isError":true}}', "result 1 isError"),
        (b'{"id":1,"result":{"resultType":"complete"}}', "result 1"),
        (
            b'{"id":1,"result":{"resultType":"input_required"}}',
            "result 1 input_required",
        ),
        (b'{"id":1,"error":{"code":-32602}}', "error 1 -32602"),
        (b'{"error":{"code":-32700}}', "error -32700"),
        (b'{"error":3}', "error"),
        (b'{"method":"notifications/x"}', "notification notifications/x"),
        (b'{"id":3}', "an object, but no message 3"),
        (b'{"method":["\\u001b"]}', 'notification ["\\u001b"]'),
        (b'{"method":"\\u001b[2J\\u202e"}', "notification \\x1b[2J\\u202e"),
        (b'{"method":"\\ud83d"}', "notification \\ud83d"),
        (b"[]", "an array"),
        (b"12", "JSON, but no object"),
        (b"null", "JSON, but no object"),
        (b"hello", "not JSON"),
        (b'{"id":NaN}', "not JSON"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff", "not UTF-8"),
        (b" \r", "empty line"),
    ],
)
def test_a_line_is_described_in_a_few_words(line, words):
    assert describe(line) == words


def test_a_long_id_is_shortened():
    words = describe(b'{"id":%s,"method":"ping"}' % (b"9" * 5000))
    assert words.startswith("request") and len(words) < 60


def test_rows_fit_the_width_and_control_characters_stay_out():
    text = "\x1b]0;owned\x07 \u202e \u2028 " + "long " * 100
    for direction, sign in (("client", "->"), ("server", "<-"), ("log", "log")):
        rows = show_entry(Entry(1.5, direction, text.encode()), number=7)
        assert sign in rows[0] and "1.5 ms" in rows[0]
        assert all(len(row) <= 100 and row.isprintable() for row in rows)
    assert show_entry(LINES[0], width=60)[0].endswith("47 bytes")


def run(*words):
    command = [sys.executable, "-m", "tools.transcript", *map(str, words)]
    return subprocess.run(command, capture_output=True, timeout=60)


def test_the_commands_show_and_compare(tmp_path):
    one, two = tmp_path / "it's one.jsonl", tmp_path / "two.jsonl"
    long = Entry(3, "server", b'{"id":1,"result":"%s"}' % (b"x" * 200))
    transcript.write(one, made(*LINES, long))
    transcript.write(two, made(*LINES))
    shown = run("show", one)
    assert shown.returncode == 0 and b"request 1 tools/list" in shown.stdout
    assert b"--full" in shown.stdout and b"x" * 200 not in shown.stdout
    assert all(len(row) <= 100 for row in shown.stdout.decode().split("\n")[1:-4])
    whole = run("show", one, "--full")
    assert b"x" * 200 in whole.stdout and b"--full" not in whole.stdout
    assert b'\n  "result": {' in run("show", one, 3).stdout
    assert run("show", one, 9).returncode == 2
    assert run("compare", one, one).returncode == 0
    assert run("compare", one, two).returncode == 1
    broken = run("compare", one, tmp_path)
    assert broken.returncode == 2 and b"Traceback" not in broken.stderr


def test_a_reader_that_stops_reading_gets_no_traceback(tmp_path):
    path = tmp_path / "a.jsonl"
    transcript.write(path, made(*LINES * 2000))
    command = [sys.executable, "-m", "tools.transcript", "show", str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_an_exit_code_that_was_unknown_is_written(tmp_path):
    path = tmp_path / "a.jsonl"
    transcript.write(path, made(*LINES, exit=None))
    assert transcript.write(path, made(*LINES, exit=0)) is True
