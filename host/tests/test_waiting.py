"""One request on its way: progress, limits, cancellation, late answers. (lesson 07)"""

import json
import signal
from types import SimpleNamespace

import pytest
from host import waiting
from host.client import Refusal
from host.tests.fake_server import MODERN, OLD
from host.tests.parts import CALL, Script, changed, host, methods, modern
from host.tests.parts import proposal, record, texts

SILENT: dict = changed(MODERN, {"call": []})
DONE = {"text": "Done."}


class Drawn:
    """Stands for the bar, and keeps what it was told."""

    def __init__(self):
        self.seen, self.ended = [], 0

    def show(self, *state) -> None:
        self.seen.append(state)

    def end(self) -> None:
        self.ended += 1


def line(**message: object) -> dict:
    return {"line": json.dumps({"jsonrpc": "2.0", **message})}


def progress(token: object, **params: object) -> dict:
    params = {"progressToken": token, **params}
    return line(method="notifications/progress", params=params)


@pytest.fixture
def connected(start):
    """A client with a host around it, and what the host showed."""

    def one(command) -> tuple:
        client = start(command, opened=False)
        made = host(client, Script(proposal(), DONE))
        made.bar = Drawn()
        return client, made

    return one


# --- progress


def test_a_call_has_a_progress_token_and_no_other_request_has_one(start, tmp_path):
    command, got = record(tmp_path, MODERN)
    one = start(command)
    one.request("tools/list")
    tokens = []
    for _ in range(2):
        one.request("tools/call", CALL)
    for message in got():
        meta = message["params"]["_meta"]
        assert ("progressToken" in meta) == (message["method"] == "tools/call")
        tokens += [meta[name] for name in meta if name == "progressToken"]
    assert [type(token) for token in tokens] == [str, str]
    assert len(set(tokens)) == 2


def test_an_old_server_gets_no_token(start, tmp_path):
    command, got = record(tmp_path, OLD)
    start(command).request("tools/call", CALL)
    assert "progressToken" not in json.dumps(got())


def test_progress_that_grows_is_shown_and_any_other_is_not(connected):
    steps = [
        {"progress": {"progress": 0}},
        {"progress": {"progress": 1, "total": 4, "message": "one"}},
        {"progress": {"progress": 1}},
        {"progress": {"progress": 0.5, "total": 4}},
        {"progress": {"progress": True}},
        {"progress": {"progress": "2"}},
        {"progress": {"progress": 10**400}},
        {"progress": {}},
        {"progress": {"progress": 2.5, "total": "4", "message": 5}},
    ]
    client, made = connected(modern(call=[*steps, *MODERN["tools/call"]]))
    assert texts(client.request("tools/call", CALL)) == ["fine"]
    assert made.bar.seen == [(0, None, ""), (1, 4, "one"), (2.5, None, "")]


NOBODYS: list = [
    progress("zzz", progress=1),
    progress(3, progress=1),
    progress(None, progress=1),
    progress(["call-3"], progress=1),
    progress("call-1", progress=1),
    line(method="notifications/progress", params=[]),
    line(method="notifications/progress"),
]


@pytest.mark.parametrize("noise", NOBODYS)
def test_progress_for_a_token_that_nobody_has_is_dropped_and_told(connected, noise):
    # CAN-07, anthropics/claude-code#47765
    client, made = connected(modern(call=[noise, *MODERN["tools/call"]]))
    assert texts(client.request("tools/call", CALL)) == ["fine"]
    assert made.bar.seen == []
    assert "dropped progress for" in made.steps[-1]["text"]


def test_progress_after_the_answer_is_dropped_by_the_next_call(connected):
    # CAN-07
    late = progress("call-3", progress=9)
    client, made = connected(modern(call=[*MODERN["tools/call"], late]))
    for _ in range(3):
        assert texts(client.request("tools/call", CALL)) == ["fine"]
    assert made.bar.seen == []


def test_a_flood_of_such_messages_is_told_a_few_times_only(connected):
    flood = [progress("zzz", progress=n) for n in range(50)]
    client, made = connected(modern(call=[*flood, *MODERN["tools/call"]]))
    before = len(made.steps)
    client.request("tools/call", CALL)
    assert len(made.steps) - before == waiting.MOST_NOTES


def test_progress_extends_the_wait_up_to_a_limit_that_nothing_extends(monkeypatch):
    # CAN-10
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(waiting.time, "monotonic", lambda: clock.now)
    client = SimpleNamespace(last_id=3, asking=None, given_up=set())
    wait = waiting.Wait(client, "tools/call", 10.0)
    deadlines = []
    for number in range(8):
        clock.now = 1000.0 + 9 * number
        params = {"progressToken": wait.token, "progress": number}
        message = {"method": "notifications/progress", "params": params}
        deadlines.append(wait.heard(message, 0.0))
    assert deadlines[:6] == [1010.0, 1019.0, 1028.0, 1037.0, 1046.0, 1055.0]
    assert deadlines[6:] == [1060.0, 1060.0] == [1000.0 + waiting.LONGEST] * 2


@pytest.mark.parametrize("step", [{"progress": 1}, {"progress": -1}])
def test_progress_that_does_not_grow_extends_nothing(connected, step):
    slow = [{"progress": {"progress": 1}}]
    slow += [{"sleep": 0.3}, {"progress": step}] * 4
    client, _ = connected(modern(call=[*slow, *MODERN["tools/call"]]))
    with pytest.raises(Refusal, match="no answer in time"):
        client.request("tools/call", CALL, 0.5)


def test_endless_progress_ends_at_the_limit_and_the_call_is_cancelled(
    start, hasty, monkeypatch
):
    # CAN-10, anomalyco/opencode#24965
    monkeypatch.setattr(waiting, "LONGEST", 0.6)
    one = start(modern(call=[{"endless": 0.05}]))
    with pytest.raises(Refusal, match="no answer in time"):
        one.request("tools/call", CALL, 0.4)
    assert one.wait.cancelled


# --- time out, cancel


def test_a_call_that_takes_too_long_is_cancelled_by_its_id(start, tmp_path):
    # CAN-05, strands-agents/harness-sdk#1221
    command, got = record(tmp_path, SILENT)
    one = start(command)
    with pytest.raises(Refusal, match="no answer in time"):
        one.request("tools/call", CALL, 0.2)
    one.request("tools/list")  # read after the cancellation
    asked, cancelled, _ = got()[1:]
    assert cancelled["method"] == "notifications/cancelled"
    assert "id" not in cancelled
    assert cancelled["params"] == {"requestId": asked["id"], "reason": waiting.LATE}


def test_an_old_server_is_told_too(start, tmp_path):
    command, got = record(tmp_path, changed(OLD, {"call": []}))
    one = start(command)
    with pytest.raises(Refusal):
        one.request("tools/call", CALL, 0.2)
    one.request("tools/list")
    assert methods(got())[-3:] == [
        "tools/call",
        "notifications/cancelled",
        "tools/list",
    ]


def test_neither_probe_nor_handshake_is_ever_cancelled(start, tmp_path, hasty):
    command, got = record(tmp_path, {})
    with pytest.raises(Refusal):
        start(command)
    assert methods(got()) == ["server/discover", "initialize"]


def test_a_late_answer_is_dropped_with_a_word_and_the_next_is_right(connected):
    # CAN-05
    again = [{"sleep": 0.5}, {"big": 3}]
    client, made = connected(modern(call=again))
    with pytest.raises(Refusal):
        client.request("tools/call", CALL, 0.2)
    late = client.last_id
    result = client.request("tools/list")
    assert "tools" in result
    told = [step["text"] for step in made.steps]
    assert f"fake: dropped the answer to request {late}: it came too late" in told
    assert texts(client.request("tools/call", CALL)) == ["xxx"]
    assert client.last_id == late + 2  # and no id is used again


def test_a_server_that_is_busy_can_be_cancelled_at_once(start, hasty):
    one = start(modern(call=[{"sleep": 60}]))
    with pytest.raises(Refusal):
        one.request("tools/call", CALL, 0.2)
    assert one.cancel("again") is False  # there is nothing left to cancel


def test_nothing_is_cancelled_when_nothing_is_asked(start, tmp_path):
    command, got = record(tmp_path, MODERN)
    one = start(command, opened=False)
    assert one.cancel("why") is False
    one.open()
    one.request("tools/call", CALL)
    assert one.cancel("why") is False
    one.request("tools/list")
    assert "notifications/cancelled" not in methods(got())


def test_a_timeout_and_a_lost_answer_say_that_the_outcome_is_unknown(connected):
    # HOST-15, QwenLM/qwen-code#8387
    for call in ([{"exit": 1}], [{"big": 20_000_000}]):
        _, made = connected(modern(call=call))
        made.converse("?")
        told = made.model.seen[1][0][-1]["text"]
        assert "Whether get_ticket was carried out is unknown" in told
        assert told in made.steps[-2]["text"].replace(
            "the call failed", "The call failed"
        )


def test_an_answer_or_a_message_that_was_not_sent_leaves_nothing_unknown(connected):
    error = {"error": {"code": 1, "message": "no"}}
    client, made = connected(modern(call=[error]))
    made.converse("?")
    client.close()
    made.model.replies = [proposal(), DONE]
    made.converse("?")
    told = [step["text"] for step in made.steps if "the call failed" in step["text"]]
    assert len(told) == 2
    assert not any("unknown" in text for text in told)


def test_what_was_lost_is_not_tried_again(start, tmp_path):
    # HOST-15, tya5/reyn#2600: the ledger has one line
    ledger = changed(MODERN, {"call": [{"log": "carried out\n"}, {"exit": 1}]})
    command, got = record(tmp_path, ledger)
    made = host(start(command, opened=False), Script(proposal(), proposal(), DONE))
    made.converse("?")
    assert methods(got()).count("tools/call") == 1


# --- Ctrl-C, pressed while the client waits


class Pressing:
    """A client that is interrupted while it waits for the answer to a call."""

    def __init__(self, client, times: int = 1):
        self.receive, self.client, self.left = client.receive, client, times
        client.receive = self

    def __call__(self, deadline: float):
        if self.client.wait.method == "tools/call" and self.left:
            self.left -= 1
            signal.raise_signal(signal.SIGINT)
        return self.receive(deadline)


def test_ctrl_c_cancels_the_call_tells_the_model_and_the_run_goes_on(start, tmp_path):
    # CAN-06, openai/codex#20925: nobody waits for an answer that will not come
    command, got = record(tmp_path, SILENT)
    client = start(command, opened=False)
    made = host(client, Script(proposal(), DONE))
    Pressing(client)
    assert made.converse("?") == "Done."
    told = made.model.seen[1][0][-1]
    assert told["text"].startswith("The person cancelled the call.")
    assert told["is_error"]
    client.request("tools/list")
    asked, cancelled = got()[2:4]
    about = {"requestId": asked["id"], "reason": "The person pressed Ctrl-C"}
    assert cancelled["params"] == about


def test_ctrl_c_right_after_the_call_was_sent_cancels_it_too(start, tmp_path):
    command, got = record(tmp_path, SILENT)
    client = start(command, opened=False)
    made = host(client, Script(proposal(), DONE))
    send = client.send

    def pressed(message: dict) -> None:
        send(message)
        if message["method"] == "tools/call":
            signal.raise_signal(signal.SIGINT)

    client.send = pressed
    assert made.converse("?") == "Done."
    client.request("tools/list")
    assert "notifications/cancelled" in methods(got())


def test_a_second_ctrl_c_within_a_second_ends_the_run(connected):
    client, made = connected(modern(call=[]))
    made.model.replies = [proposal(), proposal(), DONE]
    Pressing(client, 2)
    with pytest.raises(KeyboardInterrupt):
        made.converse("?")


def test_a_second_one_later_cancels_the_next_call(connected, monkeypatch):
    monkeypatch.setattr("host.asking.TWICE", 0)
    client, made = connected(modern(call=[]))
    made.model.replies = [proposal(), proposal(), DONE]
    Pressing(client, 2)
    assert made.converse("?") == "Done."


def test_the_bar_is_left_before_anything_else_is_said(connected):
    _, made = connected(modern())
    made.say("host", "x")
    assert made.bar.ended == 1
