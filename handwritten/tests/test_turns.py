"""Several requests in flight: steps, cancellation, progress. (lesson 07)"""

import pytest
from handwritten import turns
from handwritten.server import METHODS
from handwritten.tests.talk import META, ask, code, connect, request, send
from handwritten.tests.test_eras import shake_hands
from handwritten.tools import Call, ToolError
from hypothesis import given, settings
from hypothesis import strategies as some

NOTE = {"jsonrpc": "2.0", "method": "notifications/test"}


class Slow:
    """A connection whose tool `slow` takes `count` steps, and says `said` at each."""

    def __init__(self):
        self.connection, self.log = connect(), []
        self.connection.server.log = self.log.append
        schema = {"properties": {"count": {"type": "integer"}}}
        tool = ({"name": "slow", "inputSchema": schema}, self.run)
        self.connection.server.tools = {"slow": tool}
        self.said, self.open = None, 0

    def run(self, call: Call):
        self.open += 1
        try:
            for _ in range(call.arguments.get("count", 0)):
                yield self.said
            return {"done": call.request.id}
        finally:
            self.open -= 1

    def call(self, id, count: int, **meta) -> list[dict]:
        params = {"name": "slow", "arguments": {"count": count}}
        asked = request("tools/call", params, id=id, meta={**META, **meta})
        return send(self.connection, asked)

    def tick(self, count=1) -> list[dict]:
        return [said for _ in range(count) for said in self.connection.receive(None)]

    def cancel(self, *ids, **more) -> list[dict]:
        sent = [{"requestId": id, **more} for id in ids]
        return [said for params in sent for said in notify(self.connection, params)]


def notify(connection, params, method="notifications/cancelled") -> list[dict]:
    return send(connection, {"jsonrpc": "2.0", "method": method, "params": params})


def ids(said: list[dict]) -> list:
    return [each.get("id") for each in said]


def test_what_takes_one_step_is_answered_at_once():
    slow = Slow()
    (answer,) = slow.call(1, 0)
    assert answer["result"]["structuredContent"] == {"done": 1}
    assert slow.connection.turns.parked == {}


def test_what_is_unfinished_goes_on_with_ticks_and_others_are_answered_meanwhile():
    slow = Slow()
    assert slow.call("a", 2) == []
    assert "result" in ask(slow.connection, "server/discover", id="b")
    assert slow.tick() == []
    assert slow.open == 1
    assert ids(slow.tick()) == ["a"]
    assert slow.tick(5) == []
    assert slow.open == 0


def test_turns_go_on_side_by_side():
    slow = Slow()
    for id, count in ((1, 3), (2, 1), (3, 2)):
        assert slow.call(id, count) == []
    assert [ids(slow.tick()) for _ in range(3)] == [[2], [3], [1]]


def test_what_a_step_says_goes_out_before_the_result():
    slow = Slow()
    slow.said = NOTE
    assert slow.call(1, 2) == [NOTE]
    assert slow.tick() == [NOTE]
    assert ids(slow.tick()) == [1]


def test_a_tick_with_nothing_in_flight_says_nothing():
    assert list(connect().receive(None)) == []


def test_a_handler_may_take_steps_too(monkeypatch):
    def handler(request):
        yield NOTE
        yield
        return {"made": "in steps"}

    monkeypatch.setitem(METHODS, "test/steps", handler)
    connection = connect()
    assert send(connection, request("test/steps")) == [NOTE]
    assert list(connection.receive(None)) == []
    (answer,) = connection.receive(None)
    assert answer["result"]["made"] == "in steps"
    assert answer["result"]["resultType"] == "complete"


@pytest.mark.parametrize("error", [ToolError("too late"), RuntimeError("secret")])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_tool_that_fails_at_a_later_step_fails_like_any_other(error, count):
    def run(call):
        for _ in range(count):
            yield
        raise error

    slow = Slow()
    slow.run = run
    slow.connection.server.tools["slow"] = (
        *slow.connection.server.tools["slow"][:1],
        run,
    )
    (answer,) = slow.call(1, 0) + slow.tick(count)
    assert answer["result"]["isError"] is True
    assert "secret" not in str(answer)
    assert slow.connection.turns.parked == {}


def test_a_cancelled_call_says_nothing_more_and_frees_what_it_held():
    # modelcontextprotocol/python-sdk#2481, modelcontextprotocol/rust-sdk#957: CAN-02
    slow = Slow()
    slow.said = NOTE
    slow.call(1, 5)
    slow.tick()
    assert slow.open == 1
    assert slow.cancel(1, reason="enough\x1b[31m") == []
    assert slow.open == 0
    assert slow.tick(9) == []
    assert slow.log == ['request 1 cancelled: "enough\\u001b[31m"']


def test_what_a_cancelled_call_held_is_free_at_once_whoever_still_knows_of_it():
    slow = Slow()
    slow.call(1, 5)
    turn = slow.connection.turns.parked[1]  # else Python would end it by itself
    slow.cancel(1)
    assert slow.open == 0
    assert list(turn) == []


def test_to_cancel_one_call_leaves_the_others_alone():
    # QwenLM/qwen-code#11272: CAN-12
    slow = Slow()
    slow.call(1, 2)
    slow.call(2, 2)
    slow.cancel(1)
    assert ids(slow.tick(3)) == [2]
    assert ids(slow.call(3, 0)) == [3]


@pytest.mark.parametrize("steps", range(5))
def test_at_whatever_step_a_cancel_comes_there_is_one_answer_or_none(steps):
    # modelcontextprotocol/python-sdk#2416: CAN-01
    slow = Slow()
    said = slow.call(1, 3) + slow.tick(steps) + slow.cancel(1) + slow.tick(5)
    assert ids(said) == ([1] if steps >= 3 else [])
    assert ids(slow.call(2, 0)) == [2]


@pytest.mark.parametrize(
    ("id", "other"),
    [(1, "1"), ("1", 1), (0, ""), (0, False), (1, True), (1, 1.0), (5, 6), ("", 0)],
)
def test_a_cancel_for_an_id_of_another_type_changes_nothing(id, other):
    slow = Slow()
    slow.call(id, 2)
    assert slow.cancel(other) == []
    assert ids(slow.tick(2)) == [id]


@pytest.mark.parametrize(
    "params",
    [{}, [], None, "x", 7, {"requestId": None}, {"requestId": {"a": 1}},
     {"requestId": [1]}, {"requestId": 424242}, {"requestid": 1}, {"reason": "x"}],
    ids=str,
)  # fmt: skip
def test_a_malformed_cancel_is_ignored(params):
    # MarkusPfundstein/mcp-gsuite#21: CAN-04
    slow = Slow()
    slow.call(1, 1)
    assert notify(slow.connection, params) == []
    assert send(slow.connection, {"jsonrpc": "2.0", "method": METHOD}) == []
    assert ids(slow.tick()) == [1]


METHOD = "notifications/cancelled"


def test_a_cancel_for_a_finished_or_cancelled_call_changes_nothing():
    slow = Slow()
    slow.call(1, 0)
    slow.call(2, 1)
    slow.cancel(1, 2, 2, 1)
    assert slow.tick(3) == []
    # The ids are free again, and a cancel that came before does not reach them.
    assert slow.call(2, 1) == []
    assert ids(slow.tick()) == [2]


def test_a_cancel_that_asks_for_an_answer_is_no_notification():
    slow = Slow()
    slow.call(1, 1)
    answer = ask(slow.connection, METHOD, {"requestId": 1}, id=2)
    assert code(answer) == -32601
    assert ids(slow.tick()) == [1]


def test_a_turn_that_cannot_be_closed_is_logged_and_gone():
    def run(call):
        try:
            yield
        finally:
            raise OSError("no")

    slow = Slow()
    slow.connection.server.tools["slow"] = ({"inputSchema": {}}, run)
    params = {"name": "slow"}
    assert send(slow.connection, request("tools/call", params)) == []
    assert slow.cancel(1) == []
    assert slow.tick(3) == []
    assert "Traceback" not in str(slow.log)
    assert "result" in ask(slow.connection, "server/discover")


def test_an_id_that_is_in_flight_is_refused_without_it():
    # With it, the error would pass for the answer to the other request.
    slow = Slow()
    slow.call(1, 2)
    (answer,) = slow.call(1, 0)
    assert code(answer) == -32600
    assert "id" not in answer
    assert ids(slow.call("1", 0)) == ["1"]
    assert ids(slow.tick(2)) == [1]
    assert ids(slow.call(1, 0)) == [1]


def test_there_are_no_more_turns_than_the_limit():
    slow = Slow()
    for id in range(turns.MAX_TURNS):
        assert slow.call(id, 1) == []
    (answer,) = slow.call("more", 1)
    assert code(answer) == -32600
    assert answer["id"] == "more"
    assert ids(slow.tick()) == list(range(turns.MAX_TURNS))
    assert ids(slow.call("more", 0)) == ["more"]


def test_one_connection_cannot_cancel_what_another_asked_for():
    slow, other = Slow(), connect()
    slow.call(1, 1)
    assert notify(other, {"requestId": 1}) == []
    assert ids(slow.tick()) == [1]


def test_steps_and_cancel_work_in_the_older_era_too():
    slow = Slow()
    shake_hands(slow.connection)
    params = {"name": "slow", "arguments": {"count": 1}}
    for id in (1, 2):
        asked = request("tools/call", params, id=id, meta=None)
        assert send(slow.connection, asked) == []
    slow.cancel(1)
    (answer,) = slow.tick(2)
    assert answer["id"] == 2
    assert "resultType" not in answer["result"]


@pytest.mark.parametrize("token", [1.5, True, False, None, [], {}, 1.0])
@pytest.mark.parametrize("method", ["tools/call", "server/discover"])
def test_a_progress_token_is_a_string_or_an_integer(token, method):
    # modelcontextprotocol/python-sdk#176, twentyhq/twenty#24559: CAN-08
    meta = {**META, "progressToken": token}
    params = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}}
    assert code(ask(connect(), method, params, meta=meta)) == -32602


class Reported:
    """A `Progress` whose schedule is set by hand."""

    def __init__(self, token: object = "t"):
        self.progress_token, self.clock = token, 1000.0
        self.progress = turns.Progress(self)

    def tell(self, done, total=10, later=1.0):
        self.clock += later
        told = self.progress(done, total, f"{done}", self.clock)
        return told and told["params"]["progress"]


def test_progress_only_grows():
    # shaun0927/openchrome#954: CAN-09
    told = Reported()
    values = [told.tell(done) for done in (0, 1, 1, 0.5, 2, 2, 10, 10)]
    assert values == [0, 1, None, None, 2, None, 10, None]


def test_progress_comes_at_most_every_tenth_of_a_second_and_always_the_last():
    told = Reported()
    values = [told.tell(done, later=0.03) for done in range(1, 11)]
    assert values == [1, None, None, None, 5, None, None, None, 9, 10]


def test_a_clock_that_is_set_back_does_not_silence_progress():
    told = Reported()
    assert [told.tell(1), told.tell(2, later=-3600)] == [1, 2]


@pytest.mark.parametrize("token", [0, "", "x", 2**70, -1])
def test_the_token_comes_back_as_it_is(token):
    told = Reported(token).progress(1, 2, "one", 1.0)
    assert told["params"]["progressToken"] == token
    assert type(told["params"]["progressToken"]) is type(token)
    assert "id" not in told


def test_without_a_token_there_is_no_progress():
    assert Reported(None).tell(1) is None


EVENTS = some.one_of(
    some.tuples(some.just("call"), some.integers(0, 3), some.integers(0, 3)),
    some.tuples(some.just("cancel"), some.integers(0, 3), some.just(0)),
    some.tuples(some.just("tick"), some.just(0), some.just(0)),
)


@settings(max_examples=200, deadline=None)
@given(some.lists(EVENTS, max_size=25))
def test_in_any_order_each_call_gets_one_answer_unless_it_was_cancelled(events):
    slow, flying, said = Slow(), {}, []
    for event, id, count in events:
        if event == "call" and id in flying:
            assert code(*slow.call(id, count)) == -32600
        elif event == "call":
            said += slow.call(id, count)
            flying[id] = count
        elif event == "cancel":
            assert slow.cancel(id) == []
            flying.pop(id, None)
        else:
            said += slow.tick()
            flying = {id: count - 1 for id, count in flying.items()}
        over = sorted(id for id, count in flying.items() if count <= 0)
        assert sorted(ids(said)) == over
        flying = {id: count for id, count in flying.items() if count > 0}
        said = []
        assert slow.open == len(flying)
