"""What the host does with a proposed call: three checks, in order. (lesson 03)"""

import json

import pytest
from handwritten import helpdesk
from host.decide import ALLOWED, MAX_ARGUMENTS, decide, exact

GET_TICKET = helpdesk.TOOLS["get_ticket"][0]
TOOLS = {"get_ticket": GET_TICKET, "refund": {**GET_TICKET, "name": "refund"}}
GOOD = {"ticket_id": "2318"}


class Asked:
    """Stands for the person, and keeps the questions."""

    def __init__(self, answer: bool):
        self.answer, self.questions = answer, []

    def __call__(self, question: str) -> bool:
        self.questions.append(question)
        return self.answer


def judge(call: dict, allowed=ALLOWED, answer: bool = False, tools=None):
    asked = Asked(answer)
    made, reason = decide(call, TOOLS if tools is None else tools, allowed, asked)
    return made, reason, asked.questions


def test_a_tool_on_the_allow_list_runs_without_asking():
    assert judge({"name": "get_ticket", "arguments": GOOD})[::2] == (True, [])


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize("name", ["get_ticket", "refund"])
def test_any_other_tool_runs_only_when_the_person_says_yes(name, answer):
    # AtomicBot-ai/atomic-agent#132
    call = {"name": name, "arguments": GOOD}
    made, reason, questions = judge(call, allowed=[""], answer=answer)
    assert made is answer
    assert len(questions) == 1
    assert "The person" in reason


def test_what_a_server_claims_about_its_tool_decides_nothing():
    assert TOOLS["refund"]["annotations"]["readOnlyHint"] is True
    assert judge({"name": "refund", "arguments": GOOD})[0] is False


def test_the_person_sees_the_exact_call_and_the_claims():
    call = {"name": "refund", "arguments": {"amount": 5, "to": "Ana"}}
    ((question,)) = judge(call)[2]
    assert '"refund" {"amount":5,"to":"Ana"}' in question
    assert 'The server claims: {"readOnlyHint":true' in question


@pytest.mark.parametrize(
    "hidden", ["\x1b[2J\x1b[1A", "x\r\nApprove? y", "\u202edlrow", "\U000e0069", "\x9b"]
)
def test_nothing_in_a_question_can_hide_or_move_on_a_terminal(hidden):
    # coproduct-opensource/nucleus#1332
    tools = {"refund": {**GET_TICKET, "annotations": {"title": hidden}}}
    call = {"name": "refund", "arguments": {"to": hidden}}
    (question,) = judge(call, tools=tools)[2]
    assert question.isascii()
    assert question.isprintable()
    assert question.count(exact(hidden)) == 2


@pytest.mark.parametrize(
    "name", ["serach", "", "GET_TICKET", "__class__", None, 5, ["get_ticket"], {}]
)
def test_a_name_that_is_no_tool_is_refused_with_the_names_that_are(name):
    # google/adk-js#790
    made, reason, questions = judge({"name": name, "arguments": GOOD}, answer=True)
    assert (made, questions) == (False, [])
    assert "get_ticket, refund" in reason


def test_a_call_without_a_name_is_refused():
    assert judge({"arguments": GOOD}, answer=True)[::2] == (False, [])


@pytest.mark.parametrize("arguments", ["{bad", 5, None, True, [], ["2318"], '{"a":1}'])
def test_arguments_that_are_no_object_are_refused(arguments):
    call = {"name": "get_ticket", "arguments": arguments}
    made, reason, questions = judge(call, answer=True)
    assert (made, questions) == (False, [])
    assert "object" in reason


def test_arguments_may_be_as_long_as_the_limit_and_no_longer():
    room = MAX_ARGUMENTS - len(exact({"ticket_id": ""}))
    for length, right in [(room, True), (room + 1, False)]:
        call = {"name": "get_ticket", "arguments": {"ticket_id": "x" * length}}
        assert judge(call, answer=True)[0] is right


def test_a_refusal_is_short_whatever_was_proposed():
    for call in (
        {"name": "x" * 10_000, "arguments": GOOD},
        {"name": "get_ticket", "arguments": ["x" * 10_000]},
        {"name": "get_ticket", "arguments": "x" * 10_000},
    ):
        assert len(judge(call)[1]) < 300


def test_exact_is_json_that_reads_back_as_the_same_value():
    value = {"a": "é\u2028\x00", "b": [1, None, True]}
    assert json.loads(exact(value)) == value
    assert "\n" not in exact(value)
