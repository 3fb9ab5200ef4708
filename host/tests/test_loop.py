"""The loop: what is said, in which order, and where it ends. (lesson 03)"""

import json

import pytest
from handwritten import helpdesk
from host.app import MAX_STEPS, tool_spec
from host.client import ServerFailure
from host.tests.parts import QUESTION, Core, Person, Script, host, proposal

TEXT = {"text": "That is all."}


def steps(made) -> list[tuple[str, str]]:
    return [(step["who"], step["text"]) for step in made.steps]


def test_a_run_tells_who_said_what_in_order():
    made = host()
    answer = made.converse(QUESTION)
    assert [who for who, _ in steps(made)] == [
        *("host", "person"),
        *("model", "host", "server"),
        *("model", "host", "server", "model"),
    ]
    said = [text for _, text in steps(made)]
    assert said[0].startswith("helpdesk speaks 2026-07-28, offers: get_ticket")
    assert said[1] == QUESTION
    assert said[2] == 'please call get_ticket {"ticket_id":"#2318"}'
    assert said[4].startswith('error: No ticket "#2318".')
    assert said[5] == 'please call get_ticket {"ticket_id":"2318"}'
    assert said[-1] == answer


def test_each_step_has_its_data_fit_for_json():
    made = host()
    made.converse(QUESTION)
    assert json.loads(json.dumps(made.steps)) == made.steps
    proposed, decided, done = made.steps[2:5]
    assert proposed["data"]["call"]["arguments"] == {"ticket_id": "#2318"}
    assert decided["data"]["call"] == proposed["data"]["call"]
    assert done["data"]["result"]["isError"] is True


def test_usage_counts_model_calls_tool_calls_and_characters():
    made = host()
    made.converse(QUESTION)
    assert made.usage["model_calls"] == 3
    assert made.usage["tool_calls"] == 2
    assert made.usage["characters_to_model"] > 3 * len(QUESTION)


def test_the_model_knows_name_description_and_input_schema_and_no_more():
    model = Script(TEXT)
    host(model=model).converse("?")
    (spec, *_) = model.seen[0][1]
    assert spec == tool_spec(helpdesk.TOOLS["get_ticket"][0])
    assert set(spec) == {"name", "description", "input_schema"}


def test_the_model_is_given_all_that_was_said_every_time():
    model = Script(proposal(), TEXT)
    host(model=model).converse("?")
    first, second = (messages for messages, _ in model.seen)
    assert second[: len(first)] == first
    assert [message["role"] for message in second] == ["person", "model", "tool"]
    assert second[2]["call"] == proposal()["calls"][0]
    assert '"subject":"Charged twice for October"' in second[2]["text"]


def test_a_model_that_never_stops_is_stopped():
    # anthropics/claude-code#30150
    core, model = Core(), Script(proposal())
    made = host(core, model)
    assert made.converse("?") is None
    assert len(model.seen) == MAX_STEPS == 6
    assert len(core.calls()) == MAX_STEPS
    assert steps(made)[-1] == ("host", "no answer after 6 steps: stopped")


def test_an_answer_in_the_last_step_counts():
    model = Script(*[proposal()] * (MAX_STEPS - 1), TEXT)
    assert host(model=model).converse("?") == TEXT["text"]


def test_two_calls_in_one_reply_run_in_order_each_checked_on_its_own():
    calls = [
        *proposal("refund")["calls"],
        *proposal(arguments={"ticket_id": "2319"})["calls"],
        *proposal()["calls"],
    ]
    core, model = Core(), Script({"calls": calls}, TEXT)
    host(core, model).converse("?")
    assert core.calls() == [{"ticket_id": "2319"}, {"ticket_id": "2318"}]
    told = [each for each in model.seen[1][0] if each["role"] == "tool"]
    assert [each["is_error"] for each in told] == [True, False, False]
    assert "There is no tool" in told[0]["text"]


MALFORMED: list[dict] = [
    {"name": "serach", "arguments": {"ticket_id": "2318"}},
    {"name": "get_ticket", "arguments": "{bad"},
    {"name": "get_ticket", "arguments": 5},
    {"name": "get_ticket"},
    {"arguments": {"ticket_id": "2318"}},
    {"name": None, "arguments": None},
    {"name": "get_ticket", "arguments": {"ticket_id": "x" * 3000}},
    {},
]


@pytest.mark.parametrize("call", MALFORMED)
def test_a_malformed_proposal_never_reaches_the_wire_and_the_model_is_told(call):
    # google/adk-js#790
    core, model = Core(), Script({"calls": [call]}, TEXT)
    made = host(core, model, Person(True))
    assert made.converse("?") == TEXT["text"]
    assert core.calls() == []
    assert made.usage["tool_calls"] == 0
    told = model.seen[1][0][-1]
    assert told["is_error"] is True
    assert told["text"]


def test_only_what_was_shown_is_sent():
    # What else a proposal holds was not on the screen when somebody said yes.
    call = {**proposal()["calls"][0], "_meta": {"x": 1}, "requestState": "s", "id": "7"}
    core, model = Core(), Script({"calls": [call]}, TEXT)
    host(core, model).converse("?")
    ((_, params),) = [sent for sent in core.sent if sent[0] == "tools/call"]
    assert set(params) == {"name", "arguments", "_meta"}
    assert "x" not in params["_meta"]


@pytest.mark.parametrize("answer", [True, False])
def test_off_the_allow_list_the_person_is_asked_and_the_answer_is_noted(answer):
    core, person = Core(), Person(answer)
    made = host(core, Script(proposal(), TEXT), person, allowed=())
    made.converse("?")
    assert person.asked == 1
    assert bool(core.calls()) is answer
    assert ("person", f"{'yes' if answer else 'no'} (as the test says)") in steps(made)


def test_what_a_result_tells_the_model_to_do_is_checked_like_any_call():
    # promptfoo/promptfoo#9983
    core, person = Core(), Person(False)
    made = host(core, Script(proposal(), proposal("write_note"), TEXT), person)
    made.converse("?")
    assert len(core.calls()) == 1


class Broken(Core):
    """A server that lists, and then can't be talked to."""

    def request(self, method: str, params=None) -> dict:
        if method == "tools/call":
            raise ServerFailure("ended (exit code -9). Its last words: none")
        return super().request(method, params)


def test_a_call_that_fails_is_told_to_the_model_and_not_made_again():
    # QwenLM/qwen-code#8387
    model = Script(proposal(), TEXT)
    made = host(Broken(), model)
    assert made.converse("?") == TEXT["text"]
    told = model.seen[1][0][-1]
    assert told["is_error"] is True
    assert told["text"].startswith("The call failed: the server ended (exit code -9)")
    assert made.usage["tool_calls"] == 1


def test_the_mock_model_gives_up_when_a_call_fails():
    made = host(Broken())
    answer = made.converse(QUESTION)
    assert answer is not None
    assert made.usage["tool_calls"] == 1
    assert answer.startswith("I could not get #2318. I was told: The call failed")
