"""The client: what comes in, and what of it is an answer. (lesson 03)"""

import json

import pytest
from host.client import ServerFailure
from host.tests.fake_server import MODERN, TOOL
from host.tests.parts import CALL, changed, methods, modern, record, text_result, texts


def line(**message: object) -> dict:
    return {"line": json.dumps({"jsonrpc": "2.0", **message})}


NOISE: list = [
    {"line": "helpdesk 1.0 is ready"},
    {"line": ""},
    {"line": "null"},
    {"line": "[]"},
    {"line": "\udcff"},
    {"deep": 100_000},
    {"line": '{"id":3,"result":{},"result":{}}'},
    line(method="notifications/message", params={"level": "info", "data": "x"}),
    line(error={"code": -32700, "message": "whose?"}),
    line(id=None, error={"code": -32700, "message": "whose?"}),
    line(id=3),
    line(id=3, result={}, error={"code": 1, "message": "both"}),
    *[line(id=wrong, result={"wrong": 1}) for wrong in ("3", 3.0, True, 1, 2, 99, [3])],
    # Servers of this era send no requests: basic/patterns, "MUST NOT initiate".
    *[line(id=n, method="sampling/createMessage", params={}) for n in (1, 3)],
    line(id=3, method="ping", result={}),
]


@pytest.mark.parametrize("noise", NOISE)
def test_noise_is_skipped_and_never_answered(start, tmp_path, noise):
    # modelcontextprotocol/python-sdk#1720: "3", 3.0 and 3 are three ids
    again = [noise, noise, *MODERN["tools/call"]]
    command, got = record(tmp_path, changed(MODERN, {"call": again}))
    one = start(command)
    one.request("tools/list")
    assert texts(one.request("tools/call", CALL)) == ["fine"]
    assert got()[2]["id"] == 3
    one.request("tools/list")
    assert methods(got())[2:] == ["tools/call", "tools/list"]


def test_true_is_not_the_id_1(start):
    first = [line(id=True, result={}), *MODERN["server/discover"]]
    assert start(modern(discover=first)).revision == "2026-07-28"


def test_a_server_that_prints_each_line_it_gets_is_not_answered(start, tmp_path):
    # modelcontextprotocol/rust-sdk#938
    echo = {name: [{"line": "log: got it"}, *MODERN[name]] for name in MODERN}
    command, got = record(tmp_path, {"start": [{"line": "ready"}], **echo})
    one = start(command)
    assert texts(one.request("tools/call", CALL)) == ["fine"]
    assert methods(got()) == ["server/discover", "tools/call"]


def test_a_loud_log_stops_nothing(start):
    # mark3labs/mcp-go#956
    one = start(modern(call=[{"long": 300_000}, *MODERN["tools/call"]]))
    assert texts(one.request("tools/call", CALL)) == ["fine"]


@pytest.mark.parametrize("length", [70_000, 10_000_000])
def test_long_lines_are_read_whole(start, length):
    # IBM/mcp-context-forge#2591
    one = start(modern(call=[{"big": length}]))
    assert texts(one.request("tools/call", CALL)) == ["x" * length]


def test_a_line_over_the_limit_is_refused_and_the_next_request_is_served(start):
    one = start(modern(call=[{"big": 20_000_000}]))
    with pytest.raises(ServerFailure, match="over 16777216 bytes"):
        one.request("tools/call", CALL)
    assert one.request("tools/list")["tools"] == [TOOL]


@pytest.mark.parametrize("kind", ["deferred", "input_required", 5, None, True, []])
def test_a_result_of_an_unknown_type_is_none(start, kind):
    # Significant-Gravitas/AutoGPT#14302
    one = start(modern(call=[text_result("secret", resultType=kind)]))
    with pytest.raises(ServerFailure, match="unknown type"):
        one.request("tools/call", CALL)


def test_a_result_without_a_type_is_complete(start):
    assert texts(start(modern()).request("tools/call", CALL)) == ["fine"]


@pytest.mark.parametrize("result", [None, [], "x", 5])
def test_a_result_that_is_no_object_is_none(start, result):
    with pytest.raises(ServerFailure, match="no object"):
        start(modern(call=[{"result": result}])).request("tools/call", CALL)


@pytest.mark.parametrize("error", [{"code": 1, "message": "m" * 9999}, {}, 5, None])
def test_an_error_is_a_failure_of_bounded_length(start, error):
    one = start(modern(call=[{"error": error}]))
    with pytest.raises(ServerFailure) as caught:
        one.request("tools/call", CALL)
    assert str(caught.value).startswith("answered: ")
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("text", ["a\u2028b\u0085c\u001cd", "é漢😀", "\ud800", "\x00"])
def test_text_comes_through_as_it_was_sent(start, text):
    # anthropics/claude-agent-sdk-typescript#137
    one = start(modern(call=[text_result(text)]))
    assert texts(one.request("tools/call", CALL)) == [text]
