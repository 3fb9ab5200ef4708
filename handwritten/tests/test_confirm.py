"""A question, and what comes back with its state. (lesson 07)"""

import json

import pytest
from handwritten import confirm, wire
from handwritten.tests.asking import ACCEPT, CANCEL, DECLINE, MINUTE, REFUND, START
from handwritten.tests.asking import Desk, bad, good, refused
from handwritten.tests.talk import ask, code, connect, request, send
from handwritten.tests.test_eras import shake_hands
from hypothesis import given, settings
from hypothesis import strategies as some

REFUSED = "requestState does not fit this request"


def turned_away(desk: Desk, answer: dict, reason: str) -> None:
    """Refused with the one text for all; the log alone knows why."""
    assert refused(answer) == REFUSED
    assert "data" not in answer["error"]
    assert desk.log[-1] == f"requestState refused: {reason}"
    assert desk.refunds() == []


def test_the_first_call_is_answered_with_a_question_and_nothing_is_written(tmp_path):
    desk = Desk(tmp_path)
    result = desk.refund()["result"]
    assert result["resultType"] == "input_required"
    assert result.keys() == {"resultType", "inputRequests", "requestState", "_meta"}
    (asked,) = result["inputRequests"].values()
    assert asked.keys() == {"method", "params"}
    assert asked["method"] == "elicitation/create"
    assert asked["params"]["message"] == (
        "Refund 49.00 USD of charge ch_204837 to Blue Heron Yoga (ticket 2318)?"
        " It can't be undone."
    )
    assert list(asked["params"]["requestedSchema"]["properties"]) == [
        "reason",
        "note",
        "notify",
    ]
    assert desk.refunds() == []
    assert desk.answered() == []


def test_a_state_changed_in_any_character_is_refused(tmp_path):
    desk = Desk(tmp_path)
    state = desk.state()
    for place in range(len(state)):
        other = "A" if state[place] != "A" else "B"
        changed = state[:place] + other + state[place + 1 :]
        turned_away(desk, desk.refund(changed, ACCEPT), "not ours, or changed")
    for changed in (state[:-1], state + "x", f" {state}", "", state.split(".")[0]):
        turned_away(desk, desk.refund(changed, ACCEPT), "not ours, or changed")
    assert good(desk.refund(state, ACCEPT))["status"] == "issued"


@pytest.mark.parametrize("state", [0, 1.5, True, [], {}, ["x"], "é", "\ud83d", "."])
def test_what_is_no_state_is_refused(state):
    desk = Desk()
    turned_away(desk, desk.refund(state, ACCEPT), "not ours, or changed")


def test_null_is_no_state_either():
    desk = Desk()
    answer = desk.send("issue_refund", REFUND, requestState=None)
    turned_away(desk, answer, "not ours, or changed")


def test_a_state_sealed_with_another_key_is_refused(tmp_path):
    desk = Desk(tmp_path / "a")
    state = Desk(tmp_path / "b").state()
    turned_away(desk, desk.refund(state, ACCEPT), "not ours, or changed")


def test_a_token_that_was_sealed_for_something_else_is_no_state():
    desk = Desk()
    token = good(desk.send("list_tickets", {}))["continue_with"]
    turned_away(desk, desk.refund(token, ACCEPT), "not ours, or changed")


@pytest.mark.parametrize("user", ["ben", "Ana", "local"])
def test_the_state_of_another_person_is_refused(user, tmp_path):
    state = Desk(tmp_path, "ana").state()
    other = Desk(tmp_path, user)
    turned_away(other, other.refund(state, ACCEPT), "other person")
    assert good(Desk(tmp_path, "ana").refund(state, ACCEPT))["status"] == "issued"


@pytest.mark.parametrize(
    "change",
    [{"amount_cents": 4899}, {"amount_cents": 1}, {"charge_id": "ch_204811"}],
)
def test_a_state_is_for_its_arguments_and_no_other(change):
    desk = Desk()
    state = desk.state()
    turned_away(desk, desk.refund(state, ACCEPT, **change), "other request")
    assert good(desk.refund(state, ACCEPT))["status"] == "issued"


def test_the_order_of_arguments_makes_no_other_request():
    desk = Desk()
    state = desk.state()
    params = dict(reversed(REFUND.items()))
    answers = {"inputResponses": {"confirm": ACCEPT}, "requestState": state}
    assert good(desk.send("issue_refund", params, **answers))["status"] == "issued"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_ticket", {"ticket_id": "2318"}),
        ("set_payout_account", {"customer_id": "cus_1310"}),
        ("export_tickets", {}),
    ],
)
def test_a_state_on_another_tool_is_refused_even_where_none_was_asked_for(
    name, arguments
):
    desk = Desk()
    state = desk.state()
    answer = desk.send(name, arguments, requestState=state)
    turned_away(desk, answer, "other request")


def test_a_state_ends_after_ten_minutes_and_not_before():
    desk = Desk()
    early, late = desk.state(), desk.state(charge_id="ch_204811")
    desk.clock[0] += 10 * MINUTE - 1
    assert good(desk.refund(early, ACCEPT))["status"] == "issued"
    desk.clock[0] += 1
    for state, change in ((early, {}), (late, {"charge_id": "ch_204811"})):
        assert refused(desk.refund(state, ACCEPT, **change)) == REFUSED
        assert desk.log[-1] == "requestState refused: expired"
    assert len(desk.refunds()) == 1


def test_the_log_holds_no_state_no_key_and_no_answer(tmp_path):
    ana, ben = Desk(tmp_path, "ana"), Desk(tmp_path, "ben")
    state = ana.state()
    ben.refund(state, ACCEPT)
    ana.refund(state + "x", ACCEPT)
    ana.refund(state, ACCEPT, amount_cents=1)
    ana.clock[0] += 10 * MINUTE
    ana.refund(state, ACCEPT)
    log = "\n".join(ana.log + ben.log)
    assert log.count("requestState refused") == 4
    for secret in (state, state.split(".")[1], ana.world.key.hex(), "duplicate"):
        assert secret not in log


def test_a_state_survives_a_restart_and_another_copy_of_the_server(tmp_path):
    state = Desk(tmp_path).state()
    assert good(Desk(tmp_path).refund(state, ACCEPT))["status"] == "issued"


def said(desk: Desk, state: str) -> dict:
    value = confirm.unseal(desk.world.key, confirm.PURPOSE, state)
    assert value is not None
    return json.loads(value)


def test_each_question_has_a_nonce_of_its_own():
    desk = Desk()
    states = [said(desk, desk.state()) for _ in range(10)]
    assert len({each["nonce"] for each in states}) == 10
    assert {each["ends"] for each in states} == {START + 600}


@pytest.mark.parametrize(
    "responses",
    [None, {}, {"other": ACCEPT}, {"Confirm": ACCEPT}],
    ids=["none", "empty", "another key", "a key spelled otherwise"],
)
def test_a_missing_answer_is_asked_for_again_with_the_same_nonce_and_end(responses):
    desk = Desk()
    state = desk.state()
    desk.clock[0] += MINUTE
    more = {} if responses is None else {"inputResponses": responses}
    again = desk.send("issue_refund", REFUND, requestState=state, **more)["result"]
    assert again["resultType"] == "input_required"
    assert said(desk, again["requestState"]) == said(desk, state)
    assert good(desk.refund(again["requestState"], ACCEPT))["status"] == "issued"
    assert good(desk.refund(state, ACCEPT))["status"] == "issued"
    assert len(desk.refunds()) == 1


def test_answers_without_a_state_are_ignored():
    desk = Desk()
    for responses in ({"confirm": ACCEPT}, {"confirm": 1}, "x"):
        asked = desk.send("issue_refund", REFUND, inputResponses=responses)["result"]
        assert asked["resultType"] == "input_required"
    assert desk.refunds() == []


def test_answers_that_were_not_asked_for_are_ignored():
    desk = Desk()
    responses = {"confirm": ACCEPT, "other": DECLINE, "more": 7}
    answers = {"requestState": desk.state(), "inputResponses": responses}
    assert good(desk.send("issue_refund", REFUND, **answers))["status"] == "issued"


MALFORMED: list = [
    None,
    True,
    "accept",
    [],
    {},
    {"action": "ACCEPT"},
    {"action": None},
    {"action": ["accept"]},
    {"action": {}},
    {"content": {"reason": "duplicate"}},
    {"action": "accept", "content": "duplicate"},
    {"action": "accept", "content": ["duplicate"]},
    {"action": "accept", "content": None},
]


@pytest.mark.parametrize("answer", MALFORMED, ids=json.dumps)
def test_a_malformed_answer_is_an_error_and_spends_nothing(answer):
    desk = Desk()
    state = desk.state()
    responses = {"requestState": state, "inputResponses": {"confirm": answer}}
    refused(desk.send("issue_refund", REFUND, **responses))
    assert desk.refunds() == [] == desk.answered()
    assert good(desk.refund(state, ACCEPT))["status"] == "issued"


@pytest.mark.parametrize("responses", [None, [], "x", 1, True])
def test_answers_are_an_object(responses):
    desk = Desk()
    answers = {"requestState": desk.state(), "inputResponses": responses}
    refused(desk.send("issue_refund", REFUND, **answers))


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ({}, "reason"),
        ({"reason": "whim"}, "reason"),
        ({"reason": "Charged twice"}, "reason"),
        ({"reason": 1}, "reason"),
        ({"reason": None}, "reason"),
        ({"reason": "duplicate", "note": 5}, "note"),
        ({"reason": "duplicate", "note": "x" * 201}, "note"),
        ({"reason": "duplicate", "note": "\ud83d"}, "note"),
        ({"reason": "duplicate", "note": "\0"}, "note"),
        ({"reason": "duplicate", "notify": "yes"}, "notify"),
        ({"reason": "duplicate", "notify": 1}, "notify"),
    ],
    ids=str,
)
def test_content_that_does_not_fit_the_form_names_the_field_and_can_be_mended(
    content, field
):
    desk = Desk()
    state = desk.state()
    answer = desk.refund(state, {"action": "accept", "content": content})
    text = bad(answer)
    assert f'"{field}" of the form' in text
    assert len(text) < 300
    assert desk.refunds() == [] == desk.answered()
    assert good(desk.refund(state, ACCEPT))["status"] == "issued"


def test_accepted_without_any_content_the_required_field_is_missing():
    desk = Desk()
    assert '"reason"' in bad(desk.refund(desk.state(), {"action": "accept"}))


@pytest.mark.parametrize(
    ("can", "asks"),
    [
        ({}, True),  # the same as form, and form alone (client/elicitation)
        ({"form": {}}, True),
        ({"form": {}, "url": {}}, True),
        ({"url": {}}, False),
        ({"form": None}, False),
        ({"other": {}}, False),
        (None, False),
        (True, False),
        ("form", False),
    ],
    ids=str,
)
def test_only_a_client_that_declared_a_form_is_asked_with_one(can, asks):
    desk = Desk()
    desk.can = can
    answer = desk.refund()
    if asks:
        assert answer["result"]["resultType"] == "input_required"
        return
    assert code(answer) == -32021
    needed = {"requiredCapabilities": {"elicitation": {"form": {}}}}
    assert answer["error"]["data"] == needed
    assert desk.refunds() == []


def test_a_client_that_declared_nothing_is_told_what_it_takes():
    answer = ask(connect(), "tools/call", {"name": "issue_refund", "arguments": REFUND})
    assert code(answer) == -32021
    data = {"requiredCapabilities": {"elicitation": {"form": {}}}}
    assert answer["error"]["data"] == data


def test_the_capability_counts_for_the_request_that_declares_it():
    desk = Desk()
    state = desk.state()
    desk.can = None
    assert code(desk.refund(state)) == -32021  # it would have to ask again
    assert good(desk.refund(state, ACCEPT))["status"] == "issued"  # it need not ask


def test_an_old_client_is_told_that_it_takes_a_new_one():
    connection = connect()
    shake_hands(connection)
    params = {"name": "issue_refund", "arguments": REFUND, "requestState": "x"}
    answer = ask(connection, "tools/call", params, meta=None)
    assert "2026-07-28" in bad(answer)


@pytest.mark.parametrize("method", ["tools/list", "prompts/get", "resources/read"])
def test_only_a_tool_call_is_ever_answered_with_a_question(method):
    desk = Desk()
    params = {"name": "draft_reply", "uri": "ticket://2318"}
    params |= {"arguments": {"ticket_id": "2318"}, "requestState": desk.state()}
    answer = ask(connect(desk.server), method, params)
    assert answer["result"]["resultType"] == "complete"


def test_a_question_has_no_id_and_is_no_request_of_the_wire():
    desk = Desk()
    line = wire.encode(desk.refund())
    assert line.count(b'"jsonrpc"') == 1
    assert line.count(b'"id"') == 1


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=9),
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(some.text(max_size=9), inner, max_size=3)
        | some.dictionaries(some.sampled_from(["action", "content"]), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(JSON, JSON)
def test_whatever_comes_back_nothing_is_refunded_without_a_good_answer(state, answer):
    desk = Desk()
    connection = connect(desk.server)
    for given_state in (state, desk.state()):
        params = {"name": "issue_refund", "arguments": REFUND}
        params |= {"requestState": given_state, "inputResponses": {"confirm": answer}}
        (got,) = send(connection, request("tools/call", params))
        assert "result" in got or code(got) in (-32602, -32021), got
    assert desk.refunds() == []


ANSWERS = {"accept": ACCEPT, "decline": DECLINE, "cancel": CANCEL}
STEPS = some.tuples(some.sampled_from(["ask", "wait", *ANSWERS]), some.integers(0, 3))


@settings(max_examples=150, deadline=None)
@given(some.lists(STEPS, max_size=14))
def test_in_any_order_of_questions_and_answers_the_first_good_accept_alone_counts(
    steps,
):
    desk, states, refunds = Desk(), [], []
    for step, which in steps:
        if step == "wait":
            desk.clock[0] += 4 * MINUTE
        elif step == "ask" or not states:
            answer = desk.refund()
            if refunds:
                assert good(answer) == refunds[0]
            else:
                states.append([answer["result"]["requestState"], desk.clock[0], ""])
        else:
            kept = states[which % len(states)]
            answer = desk.refund(kept[0], ANSWERS[step])
            over = desk.clock[0] >= kept[1] + 10 * MINUTE
            if over or kept[2] in ("decline", "cancel"):
                assert refused(answer) == REFUSED
            elif refunds:  # whatever the answer says: it is done
                assert good(answer) == refunds[0]
            elif step == "accept":
                refunds.append(good(answer))
                kept[2] = step
            else:
                assert good(answer)["status"] in ("declined", "cancelled")
                kept[2] = step
        assert len(desk.refunds()) == len(refunds)
