"""What the wire tests of several requests, servers, pages and people stand on."""

import os
import sys
from pathlib import Path

import pytest

from lessons import wire
from lessons.wire import WireFailure, meta

SERVER = Path(__file__).parent / "patient_server.py"
TOKEN = {"_meta": {"progressToken": "p"}}


@pytest.fixture
def start():
    """Starts patient servers, and ends them."""
    started = []

    def one(how: str = "", **more) -> wire.Wire:
        started.append(wire.Wire([sys.executable, str(SERVER), how], **more))
        return started[-1]

    yield one
    for each in started:
        each.close(grace=0.1)


def starts(server) -> list[str]:
    return server.request("count")["result"]["starts"]


def test_a_server_has_a_fresh_folder_that_goes_with_it(start):
    one, other = start(), start()
    assert starts(one) == starts(other) == ["local"]
    assert one.data != other.data
    one.close()
    assert not os.path.exists(one.data) and os.path.exists(other.data)


def test_a_second_server_shares_the_folder_and_may_serve_another_person(start):
    server = start(user="ana")
    assert starts(server) == ["ana"]
    other = server.another(user="ben")
    assert starts(other) == starts(server) == ["ana", "ben"]
    server.close()
    assert other._child.process.poll() is not None
    assert not os.path.exists(server.data)


@pytest.mark.parametrize("kill", [False, True])
def test_a_restart_keeps_folder_and_person_and_counts_on(start, kill):
    server = start(user="ana")
    first = server.request("count")["id"]
    server.restart(kill=kill)
    server.restart("ben")
    answer = server.request("count")
    assert answer["result"]["starts"] == ["ana", "ana", "ben"]
    assert answer["id"] == first + 1
    restarts = [way for way, _ in server.entries if way not in ("client", "server")]
    assert restarts == ["killed" if kill else "restart", "restart"]


def test_responses_come_in_any_order_and_each_is_given_to_its_request(start):
    server = start()
    numbers = [server.send("slow") for _ in range(3)]
    assert "result" in server.request("server/discover")
    server.notify("finish")  # the last one is answered first
    for number in numbers:
        assert server.response(number)["result"]["id"] == number


def test_a_response_to_nothing_that_waits_is_a_failure(start):
    server = start()
    server.request("server/discover")
    server.send("slow")
    with pytest.raises(WireFailure, match="a response with the id 1"):
        server._ask()  # nobody waits for this one
        server.response(1)


def test_notifications_are_kept_and_given_once(start):
    server = start()
    number = server.send("slow", TOKEN)
    server.notify("tick")
    server.notify("tick")
    server.request("server/discover")
    assert [each["params"] for each in server.notifications()] == (
        [{"progressToken": "p"}] * 2
    )
    assert server.notifications() == []
    server.notify("finish")
    assert server.response(number)["id"] == number


def test_after_a_cancellation_nothing_more_comes(start):
    server = start()
    number, other = server.send("slow", TOKEN), server.send("slow")
    server.notify("tick")
    server.cancel(number)
    assert server.notifications() == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {"progressToken": None},
        }
    ]
    server.notify("tick")
    server.notify("finish")
    assert server.response(other)["id"] == other
    again = server.send("slow", TOKEN)  # the token is free again
    server.notify("tick")
    server.notify("finish")
    server.response(again)
    assert len(server.notifications()) == 2


def test_progress_of_what_was_cancelled_is_a_failure(start):
    server = start("deaf")
    number = server.send("slow", TOKEN)
    server.cancel(number)
    server.notify("tick")
    with pytest.raises(WireFailure, match="no more progress of what was cancelled"):
        server.silent()


def test_a_response_to_what_was_cancelled_is_a_failure(start):
    server = start("deaf")
    other, number = server.send("slow"), server.send("slow")
    server.cancel(number)
    server.notify("finish")  # the last one is answered first
    with pytest.raises(WireFailure, match=f"a response with the id {other}"):
        server.response(other)


def test_pages_are_walked_to_the_end_whatever_their_cursors_are(start):
    cursors = [each["cursor"] for each in start("three").pages("list")]
    assert cursors == [None, "", "b"]
    assert len(start().pages("list", {"x": 1})) == 1


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("circle", "a cursor that is a string, and a new one"),
        ("null", "a cursor that is a string, and a new one"),
        ("endless", "an end within 5 pages"),
    ],
)
def test_pages_without_an_end_are_a_failure(start, monkeypatch, how, expected):
    monkeypatch.setattr(wire, "MOST_PAGES", 5)
    with pytest.raises(WireFailure, match=expected):
        start(how).pages("list")


def test_a_client_says_in_its_meta_what_it_can_do():
    made = meta(elicitation={"form": {}})
    key = "io.modelcontextprotocol/clientCapabilities"
    assert made[key] == {"elicitation": {"form": {}}}
    assert wire.META[key] == {} and set(made) == set(wire.META)
