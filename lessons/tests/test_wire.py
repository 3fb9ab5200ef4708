"""What the wire tests stand on: a live server, clear failures, an end to every wait."""

import sys
from pathlib import Path

import pytest

from lessons import pipe, wire
from lessons.manifest import META
from lessons.wire import WireFailure, expect, expect_error, expect_result

SERVER = Path(__file__).parent / "small_server.py"


@pytest.fixture
def start():
    """Starts small servers with a fault, and ends them."""
    started = []

    def one(fault: str = "none") -> wire.Wire:
        started.append(wire.Wire([sys.executable, str(SERVER), fault]))
        return started[-1]

    yield one
    for each in started:
        each.close(grace=0.1)


def rows(failure) -> dict[str, str]:
    """The four lines of a failure by their first word."""
    lines = str(failure.value).split("\n")
    assert [line.split(":")[0] for line in lines] == [
        "sent",
        "came",
        "expected",
        "rule",
    ]
    return {line.split(":")[0]: line[10:] for line in lines}


def test_a_request_gets_its_response(start):
    server = start()
    assert server.request("server/discover")["result"] == {"resultType": "complete"}
    assert server.request("server/discover", id="x")["id"] == "x"


def test_meta_goes_into_the_params_and_none_leaves_it_out(start):
    server = start("echo")
    assert server.request("server/discover", {"a": 1})["result"] == {
        "a": 1,
        "_meta": META,
    }
    assert server.request("server/discover", {"a": 1}, meta=None)["result"] == {"a": 1}
    more = {"_meta": {"progressToken": 7}}
    merged = server.request("server/discover", more)["result"]["_meta"]
    assert merged == {**META, "progressToken": 7}


def test_what_the_server_says_meanwhile_is_kept_for_receive(start):
    server = start("chatty")
    assert "result" in server.request("server/discover")
    assert server.receive()["method"] == "notifications/message"


def test_a_response_with_another_id_is_a_failure(start):
    server = start("other-ids")
    with pytest.raises(WireFailure) as failure:
        server.request("server/discover", id=1)
    said = rows(failure)
    assert '"id":1' in said["sent"]
    assert '"id":"1"' in said["came"]
    assert said["expected"] == "a response with the id 1"
    assert "basic/index" in said["rule"]


def test_a_line_that_is_no_message_is_a_failure(start):
    with pytest.raises(WireFailure) as failure:
        start("friendly").request("server/discover")
    assert rows(failure)["came"] == "Server is ready!"


def test_silence_holds_for_a_notification(start):
    server = start()
    server.notify("notifications/nobody-knows")
    server.silent()


def test_an_answer_to_a_notification_is_a_failure(start):
    server = start("answers-all")
    server.notify("notifications/nobody-knows")
    with pytest.raises(WireFailure) as failure:
        server.silent()
    said = rows(failure)
    assert "nobody-knows" in said["sent"]
    assert '"result":{}' in said["came"]
    assert "silence" in said["expected"]


def test_a_server_that_dies_is_told_with_its_exit_code_and_last_words(start):
    with pytest.raises(WireFailure) as failure:
        start("dies").request("server/discover")
    came = rows(failure)["came"]
    assert "exit code 3" in came
    assert "no room left" in came


@pytest.mark.parametrize("fault", ["mute", "deaf"])
def test_a_server_that_says_nothing_has_a_time_limit(start, monkeypatch, fault):
    monkeypatch.setattr(pipe, "LIMIT", 0.3)
    with pytest.raises(WireFailure) as failure:
        start(fault).request("server/discover")
    assert rows(failure)["came"].startswith("nothing within 0.3 s")


def test_a_server_that_does_not_read_has_a_time_limit(start, monkeypatch):
    monkeypatch.setattr(pipe, "LIMIT", 0.3)
    with pytest.raises(WireFailure) as failure:
        start("deaf").line("x" * 1_000_000)
    said = rows(failure)
    assert said["came"] == "nothing: the line was not read within 0.3 s"
    assert len(said["sent"]) <= pipe.SHOWN


def test_the_end_of_input_gives_the_exit_code(start):
    server = start()
    server.request("server/discover")
    assert server.end() == 0


def test_a_server_that_stays_after_its_input_is_a_failure(start, monkeypatch):
    monkeypatch.setattr(pipe, "LIMIT", 0.5)
    with pytest.raises(WireFailure) as failure:
        start("stays").end()
    assert rows(failure)["sent"] == "the end of input"


def test_a_command_that_is_no_program_is_a_failure():
    with pytest.raises(WireFailure, match="can't be started"):
        wire.Wire(["no-such-program-here"])


def test_expectations_give_the_result_and_the_error(start):
    server = start()
    result = expect_result(server, server.request("server/discover"), "r")
    assert result == {"resultType": "complete"}
    response = server.request("guess", id=5)
    assert expect_error(server, response, -32601, "r", id=5)["code"] == -32601
    expect(server, True, "e", "r")


@pytest.mark.parametrize(
    ("response", "wanted"),
    [
        ({"id": 1, "result": {}}, {}),
        ({"id": 1, "error": {"code": -32600, "message": "m"}}, {}),
        ({"id": 1, "error": {"code": -32601}}, {}),
        ({"id": 1, "error": {"code": -32601.0, "message": "m"}}, {}),
        ({"id": 1, "result": {}, "error": {"code": -32601, "message": "m"}}, {}),
        ({"id": 1, "error": {"code": -32601, "message": "m"}}, {"id": "1"}),
        ({"id": True, "error": {"code": -32601, "message": "m"}}, {"id": 1}),
        ({"id": None, "error": {"code": -32601, "message": "m"}}, {"id": None}),
    ],
)
def test_another_error_than_expected_is_a_failure(start, response, wanted):
    with pytest.raises(WireFailure) as failure:
        expect_error(start(), response, -32601, "the rule (page)", **wanted)
    assert rows(failure)["rule"] == "the rule (page)"


def test_an_error_is_no_result(start):
    with pytest.raises(WireFailure, match="expected: a result"):
        expect_result(start(), {"id": 1, "error": {"code": 1, "message": ""}}, "r")


def test_a_line_is_sent_as_it_is_and_ended(start):
    server = start()
    server.line('{"jsonrpc":"2.0","id":"é","method":"server/discover"}\r\n')
    assert server.receive()["id"] == "é"
    server.line(b'{"jsonrpc":"2.0","id":2,"method":"server/discover"}')
    assert server.receive()["id"] == 2


def test_a_failure_is_four_lines_whatever_came():
    failure = WireFailure(b"a\nb\x1b[31m\xff", {"text": "x" * 5000}, "e", "r")
    lines = str(failure).split("\n")
    assert len(lines) == 4
    assert lines[0] == r"sent:     a\nb\x1b[31m\xff"
    assert lines[1].endswith(" …")


def test_a_command_is_split_as_a_shell_would():
    words = wire.split("no-such-program 'a b' \"it's\" c\\ d")
    assert words == ["no-such-program", "a b", "it's", "c d"]
    with pytest.raises(ValueError, match="No closing quotation"):
        wire.split("node 'x")
    with pytest.raises(ValueError, match="empty"):
        wire.split("  ")
