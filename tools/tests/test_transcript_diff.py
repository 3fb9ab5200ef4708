"""Two servers side by side: meaning is told apart from writing. (lesson 05)"""

import json
import subprocess
import sys

import pytest

from tools import transcript
from tools.transcript import Entry, Transcript
from tools.transcript.diff import data, details, overview
from tools.transcript.meaning import CHANGED, ONLY_A, ONLY_B, compare
from tools.transcript.sides import sides


def made(*entries, exit=0, volatile=()):
    header = {"transcript": 1, "command": ["python", "-m", "x"], "volatile": volatile}
    return Transcript(header, list(entries), exit)


def client(line: str) -> Entry:
    return Entry(0.0, "client", line.encode())


def server(line: str) -> Entry:
    return Entry(0.0, "server", line.encode())


def verdicts(*pair):
    return [(each.verdict, each.compared.writing) for each in sides(*pair).pairs]


@pytest.mark.parametrize(
    ("a", "b", "verdict", "writing"),
    [
        ('{"a":1}', '{"a":1}', "same", set()),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', "same meaning", {"order"}),
        ('{"a":1}', '{"a": 1}', "same meaning", {"spacing"}),
        ('{"a":1}', '{"a":1}\r', "same meaning", {"spacing"}),
        ('{"a" :1}', '{"a": 1}', "same meaning", {"spacing"}),
        ('{"a":1}', '{"a":1.0}', "same meaning", {"number form"}),
        ('{"a":1.0}', '{"a":1.00}', "same meaning", {"number form"}),
        ('{"a":100}', '{"a":1e2}', "same meaning", {"number form"}),
        ('{"a":"ü"}', '{"a":"\\u00fc"}', "same meaning", {"escapes"}),
        ('{"a":"/"}', '{"a":"\\/"}', "same meaning", {"escapes"}),
        (
            '{"a":1,"b":"ü"}',
            '{"b": "\\u00fc", "a": 1.0}',
            "same meaning",
            {"order", "spacing", "number form", "escapes"},
        ),
        ('{"a":1,"a":2}', '{"a":2}', "same meaning", {"repeated keys"}),
        ('{"r":{"a":1}}', '{"r":{"a":1,"b":2}}', "more keys", set()),
        ('{"r":{"a":1,"b":2}}', '{"r":{"a":1}}', "more keys", set()),
        ('{"r":{"b":0,"a":1}}', '{"r":{"a":1,"b":0,"c":2}}', "more keys", {"order"}),
        ('{"a":1}', '{"a":2}', "different", set()),
        ('{"a":1}', '{"a":true}', "different", set()),
        ('{"a":0}', '{"a":false}', "different", set()),
        ('{"a":null}', '{"a":0}', "different", set()),
        ('{"a":"1"}', '{"a":1}', "different", set()),
        ('{"a":[1,2]}', '{"a":[2,1]}', "different", set()),
        ('{"a":[1]}', '{"a":[1,2]}', "different", set()),
        ('{"a":[]}', '{"a":{}}', "different", set()),
        ('{"a":1e999}', '{"a":2e999}', "different", set()),
        ('{"result":{}}', '{"error":{}}', "different", set()),
        ("hello", "hello", "same", set()),
        ("hello", "world", "different", set()),
        ("{}", "hello", "different", set()),
    ],
)
def test_two_lines_are_told_apart_by_meaning_and_by_writing(a, b, verdict, writing):
    for found in (compare(a.encode(), b.encode()), compare(b.encode(), a.encode())):
        assert (found.verdict, found.writing) == (verdict, writing)


def places(a, b):
    found = compare(json.dumps(a).encode(), json.dumps(b).encode())
    return [(each.kind, each.pointer, each.a, each.b) for each in found.differences]


def test_each_difference_has_its_place_and_both_values():
    a = {"result": {"x/y": 1, "z~": [1, 2], "here": None}}
    b = {"result": {"x/y": 2, "z~": [1, 3, 4], "there": 0}}
    assert places(a, b) == [
        (CHANGED, "/result/x~1y", 1, 2),
        (CHANGED, "/result/z~0/1", 2, 3),
        (CHANGED, "/result/z~0/2", ..., 4),
        (ONLY_A, "/result/here", None, ...),
        (ONLY_B, "/result/there", ..., 0),
    ]


def test_tools_in_another_order_are_paired_by_their_names():
    one, two = {"name": "one", "title": "1"}, {"name": "two", "title": "2"}
    renamed = {"name": "two", "title": "Two"}
    found = compare(
        json.dumps({"result": {"tools": [one, two]}}).encode(),
        json.dumps({"result": {"tools": [renamed, one]}}).encode(),
    )
    assert found.writing == {"item order"}
    (only,) = found.differences
    assert (only.pointer, only.a, only.b) == ("/result/tools/1/title", "2", "Two")
    assert places({"tools": [one]}, {"tools": [two]}) == [
        (CHANGED, "/tools/0", one, ...),
        (CHANGED, "/tools/0", ..., two),
    ]


def test_the_order_of_content_blocks_is_meaning():
    links = [{"type": "resource_link", "name": each, "uri": each} for each in "ab"]
    a = {"result": {"content": links}}
    b = {"result": {"content": links[::-1]}}
    assert {kind for kind, *_ in places(a, b)} == {CHANGED}


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("isError", True, CHANGED),
        ("isError", False, ONLY_A),
        ("resultType", "input_required", CHANGED),
        ("resultType", "complete", ONLY_A),
        ("ttlMs", 0, ONLY_A),
    ],
)
def test_a_key_that_says_what_a_result_is_is_meaning(key, value, kind):
    a, b = {"result": {key: value}}, {"result": {}}
    assert [each[0] for each in places(a, b)] == [kind]


def text_block(text):
    return {"result": {"content": [{"type": "text", "text": text}]}}


def test_a_text_block_that_holds_json_is_compared_as_json():
    a, b = text_block('{"id":1,"x":2}'), text_block('{\n  "x": 2,\n  "id": 1\n}')
    found = compare(json.dumps(a).encode(), json.dumps(b).encode())
    assert (found.verdict, found.writing) == ("same meaning", {"JSON text", "order"})
    place = "/result/content/0/text (JSON) /id"
    assert places(a, text_block('{"id":7,"x":2}')) == [(CHANGED, place, 1, 7)]


@pytest.mark.parametrize("other", ["12", "no JSON", '"text"', ""])
def test_a_text_block_that_holds_no_object_is_a_text(other):
    text = '{"id":1}'
    assert places(text_block(text), text_block(other)) == [
        (CHANGED, "/result/content/0/text", text, other)
    ]
    assert places(text_block("12"), text_block("12.0"))[0][0] == CHANGED


def test_messages_are_paired_by_direction_and_id_not_by_position():
    one, two = '{"id":1,"result":{"a":1}}', '{"id":2,"result":{"a":2}}'
    text = '{"id":"1","result":{"a":3}}'
    found = sides(
        made(server(one), server(two), server(text)),
        made(server(text), server(two), server(one)),
    )
    assert [each.verdict for each in found.pairs] == ["same"] * 3
    assert not found.meaning_differs
    assert [pair.b[0] for pair in found.order] == [1, 2, 3]
    assert "another order" in "".join(details(found))


def test_a_request_of_the_server_is_no_answer_with_the_same_id():
    # Up to 2025-11-25 a server asks too, and its ids are its own.
    ask, answer = '{"id":1,"method":"elicitation/create"}', '{"id":1,"result":{}}'
    a, b = made(server(ask), server(answer)), made(server(answer), server(ask))
    assert [verdict for verdict, _ in verdicts(a, b)] == ["same", "same"]


def test_notifications_are_paired_by_method_in_their_order():
    progress = '{"method":"notifications/progress","params":{"progress":%d}}'
    message = '{"method":"notifications/message"}'
    a = made(server(progress % 1), server(message), server(progress % 2))
    b = made(server(message), server(progress % 1), server(progress % 3))
    words = [verdict for verdict, _ in verdicts(a, b)]
    assert words == ["same", "same", "different"]


def test_a_line_that_one_recording_alone_has_is_a_difference_of_meaning():
    answer = '{"id":1,"result":{}}'
    a = made(client("[]"), server('{"error":{"code":-32600}}'), server(answer))
    found = sides(a, made(client("[]"), server(answer)))
    assert [each.verdict for each in found.pairs] == ["same", ONLY_A, "same"]
    assert found.meaning_differs
    assert sides(made(server(answer)), a).pairs[-1].verdict == ONLY_B


def test_log_lines_and_times_are_not_compared():
    line = b'{"id":1,"result":{}}'
    a = made(Entry(1, "log", b"started"), Entry(2, "server", line))
    b = made(Entry(99, "server", line), Entry(100, "log", b"\x1b[2J"))
    assert verdicts(a, b) == [("same", set())]


def test_what_either_header_calls_volatile_may_differ():
    one, two = (
        server('{"id":1,"result":{"at":1}}'),
        server('{"id":1,"result":{"at":2}}'),
    )
    volatile = ["/result/at"]
    assert verdicts(made(one, volatile=volatile), made(two)) == [("same", set())]
    assert verdicts(made(one), made(two, volatile=volatile)) == [("same", set())]


def test_an_exit_code_and_a_missing_newline_are_differences():
    line = b'{"id":1,"result":{}}'
    whole = Entry(0, "server", line)
    assert sides(made(whole), made(whole, exit=1)).meaning_differs
    assert not sides(made(whole), made(whole, exit=None)).meaning_differs
    cut = Entry(0, "server", line, partial=True)
    assert sides(made(whole), made(cut)).meaning_differs


def test_a_line_too_deep_for_python_is_compared_as_a_whole():
    deep = '{"id":1,"result":%s%s}'
    one = server(deep % ("[" * 900, "]" * 900))
    two = server(deep % ("[" * 901, "]" * 901))
    found = sides(made(one), made(two))
    assert [each.verdict for each in found.pairs] == ["different"]
    assert details(found) and data(found)


def test_rows_fit_the_screen_and_control_characters_stay_out():
    evil = "\x1b]0;owned\x07\u202e\ud83d" + "long" * 90
    a = {"id": 1, "result": {evil: evil, "b": [{"name": evil}], "same": evil}}
    b = {"id": 1, "result": {"b": [{"name": evil + "!"}], "same": ""}}
    lines = [json.dumps(each) for each in (a, b)]
    found = sides(
        made(server(lines[0]), server(evil[:9])),
        made(server(lines[1]), server("\x07"), client('{"method":"%s"}' % ("m" * 200))),
    )
    for row in [*overview(found), *details(found)]:
        assert len(row) <= 100 and row.isprintable(), row


def run(*words):
    command = [sys.executable, "-m", "tools.transcript", "diff", *map(str, words)]
    return subprocess.run(command, capture_output=True, timeout=60)


@pytest.fixture
def files(tmp_path):
    """Three recordings: one server, the same in other words, and another."""
    lines = {
        "a": '{"id":1,"result":{"ttlMs":5,"isError":false}}',
        "same": '{"id": 1, "result": {"isError": false, "ttlMs": 5.0, "title": "T"}}',
        "other": '{"id":1,"result":{"ttlMs":6,"isError":false}}',
    }
    for name, line in lines.items():
        transcript.write(tmp_path / f"{name}.jsonl", made(server(line)))
    return lambda name: tmp_path / f"{name}.jsonl"


def test_the_exit_code_is_about_meaning_alone(files):
    same = run(files("a"), files("same"))
    assert same.returncode == 0 and b"nothing differs in meaning" in same.stdout
    assert b"more keys B 1 (number form, order, spacing)" in same.stdout
    assert b"only in B  /result/title" in same.stdout
    other = run(files("a"), files("other"))
    assert (
        other.returncode == 1 and b"Different in meaning: 1 of 1 pairs" in other.stdout
    )
    missing = run(files("a"), files("missing"))
    assert missing.returncode == 2 and b"Traceback" not in missing.stderr


def test_a_program_may_read_the_same(files):
    done = run(files("a"), files("other"), "--json")
    value = json.loads(done.stdout)
    assert done.returncode == 1 and value["meaning_differs"] is True
    assert value["pairs"] == [
        {
            "dir": "server",
            "lines": [1, 1],
            "about": "result 1",
            "verdict": "different",
            "writing": [],
            "differences": [
                {"kind": "differs", "pointer": "/result/ttlMs", "a": 5, "b": 6}
            ],
        }
    ]
