"""The core: what is answered, with which code, and what is not. (lesson 01)"""

import json

import pytest
from handwritten import wire
from handwritten.tests.talk import META, ask, code, connect, request, send

GOOD = request("server/discover", id="good")


def still_serves(connection) -> bool:
    (answer,) = send(connection, GOOD)
    return answer["id"] == "good" and "result" in answer


def test_discover_names_the_revision_and_the_server():
    answer = ask(connect(), "server/discover")
    result = answer["result"]
    assert answer["id"] == 1
    assert result["resultType"] == "complete"
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["cacheScope"] in ("public", "private")
    who = {
        "io.modelcontextprotocol/serverInfo": {"name": "helpdesk", "version": "1.0.0"}
    }
    assert result["_meta"] == who


@pytest.mark.parametrize(
    "id", [0, "", 1, "1", "007", "1e3", -5, 2**53 + 1, 2**70, "\ud83d"]
)
def test_an_id_comes_back_unchanged_and_of_the_same_type(id):
    # modelcontextprotocol/typescript-sdk#2654, modelcontextprotocol/python-sdk#961
    line = wire.encode(ask(connect(), "server/discover", id=id))
    answer = json.loads(line)
    assert answer["id"] == id
    assert type(answer["id"]) is type(id)


@pytest.mark.parametrize(
    "id", ["null", "1.5", "true", "false", '{"a":1}', "[1]", "1.0"]
)
def test_what_is_no_id_gets_an_error_without_one(id):
    # modelcontextprotocol/python-sdk#2057
    connection = connect()
    line = f'{{"jsonrpc":"2.0","id":{id},"method":"server/discover"}}'
    (answer,) = send(connection, line)
    assert code(answer) == -32600
    assert "id" not in answer
    assert still_serves(connection)


NOT_JSON = {
    "words": b"hello",
    "half a request": b'{"jsonrpc":"2.0","id":3,"method":',
    "two on a line": b'{"jsonrpc":"2.0","id":1,"method":"a"}' * 2,
    "a header": b"Content-Length: 120",
    "not UTF-8": b"\xff\xfe",
    "a NUL": b'{"jsonrpc":"2.0","id":1,"method":"a\x00b"}',
    "NaN": b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":NaN}}',
    "infinity": b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":-Infinity}}',
    "5000 digits": b'{"jsonrpc":"2.0","id":1,"method":"a","x":' + b"1" * 5000 + b"}",
    "100000 brackets": b"[" * 100_000,
    "100000 closed brackets": b"[" * 100_000 + b"]" * 100_000,
    "depth 900": b'{"a":' * 900 + b"1" + b"}" * 900,
    "depth 65": b"[" * 65 + b"]" * 65,
    "a key twice": b'{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}',
    "an inner key twice": b'{"jsonrpc":"2.0","id":1,"params":{"b":1,"b":2}}',
    "too long": b'"' + b"x" * wire.MAX_LINE + b'"',
}


@pytest.mark.parametrize("line", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_a_line_that_is_not_json_gets_a_parse_error_without_an_id(line):
    connection = connect()
    (answer,) = send(connection, line)
    assert code(answer) == -32700
    assert "id" not in answer
    assert still_serves(connection)


@pytest.mark.parametrize(
    "line", ["[]", "[1,2]", '"str"', "5", "null", "true", f"[{json.dumps(GOOD)}]"]
)
def test_what_is_no_object_gets_one_error_and_nothing_is_done(line):
    # modelcontextprotocol/typescript-sdk#2670
    connection = connect()
    (answer,) = send(connection, line)
    assert code(answer) == -32600
    assert "id" not in answer
    assert still_serves(connection)


@pytest.mark.parametrize(
    "line",
    [
        '{"id":7,"method":"server/discover"}',
        '{"jsonrpc":"1.0","id":7,"method":"server/discover"}',
        '{"jsonrpc":"2.0","id":7,"method":5}',
        '{"jsonrpc":"2.0","id":7}',
        '{"jsonrpc":"2.0","id":7,"method":"server/discover","result":{}}',
    ],
)
def test_a_bad_request_gets_its_readable_id_back(line):
    connection = connect()
    (answer,) = send(connection, line)
    assert code(answer) == -32600
    assert answer["id"] == 7
    assert still_serves(connection)


@pytest.mark.parametrize("params", ["[]", '"x"', "null", "5"])
def test_params_are_an_object(params):
    line = f'{{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{params}}}'
    (answer,) = send(connect(), line)
    assert code(answer) == -32602
    assert answer["id"] == 7


@pytest.mark.parametrize(
    "method", ["nope/x", "__class__", "logging/setLevel", "notifications/cancelled", ""]
)
def test_an_unknown_method_is_named_in_the_error(method):
    answer = ask(connect(), method, id="abc")
    assert code(answer) == -32601
    assert answer["id"] == "abc"
    assert method in answer["error"]["message"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"\r",
        b'{"jsonrpc":"2.0","method":"notifications/whatever"}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","method":"notifications/x","params":[]}',
        b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_ticket"}}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}',
    ],
)
def test_silence_where_nothing_was_asked(line):
    # yjacquin/fast-mcp#39; an answer to a response could go on for ever
    connection = connect()
    assert send(connection, line) == []
    assert still_serves(connection)


def test_a_byte_order_mark_and_a_carriage_return_are_no_obstacle():
    # modelcontextprotocol/rust-sdk#825, stackql/stackql#668
    line = b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r"
    (answer,) = send(connect(), line)
    assert answer["id"] == "good"


def test_our_own_fault_is_an_internal_error_that_tells_no_secret(monkeypatch):
    log: list[str] = []
    connection = connect()
    connection.server.log = log.append

    def broken(request):
        raise OSError("/home/someone/.ssh/id_rsa")

    monkeypatch.setattr("handwritten.server.METHODS", {"server/discover": broken})
    answer = ask(connection, "server/discover", id="abc")
    assert answer["error"] == {"code": -32603, "message": "internal error"}
    assert answer["id"] == "abc"
    assert "id_rsa" in log[0]


def test_a_long_method_is_shortened_and_its_control_characters_escaped():
    answer = ask(connect(), "\x1b[2J" + "x" * 1000)
    assert len(answer["error"]["message"]) < 150
    assert "\x1b" not in answer["error"]["message"]


def test_a_line_is_compact_utf_8_and_ends_in_one_line_feed():
    line = wire.encode({"a": "é漢😀\u2028", "b": [1, 2]})
    assert line == '{"a":"é漢😀\u2028","b":[1,2]}\n'.encode()
    assert wire.decode(line) == {"a": "é漢😀\u2028", "b": [1, 2]}


def test_half_a_surrogate_pair_is_kept_as_an_escape():
    # microsoft/playwright-mcp#1410
    assert wire.encode({"a": "\ud83d"}) == b'{"a":"\\ud83d"}\n'


def test_not_a_number_is_never_written():
    with pytest.raises(ValueError):
        wire.encode({"a": float("nan")})


def test_meta_is_not_needed_to_be_remembered():
    connection = connect()
    first = ask(connection, "server/discover", meta=META)
    second = ask(connection, "server/discover", meta=META)
    assert first == second
