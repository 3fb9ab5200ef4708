"""The mock model's rules for what takes several calls, or none. (lesson 06)"""

import json

import pytest
from host.decide import ALLOWED
from host.models.mock import MockModel
from host.models.rules import data_in, parts
from host.tests.parts import Core, Person, host

TOOL = {
    "name": "list_things",
    "description": "List all things.",
    "input_schema": {
        "properties": {
            "status": {"enum": ["open", "closed"]},
            "continue_with": {"type": "string"},
        }
    },
}


def run(question: str, *options, **more) -> tuple[str | None, list[dict]]:
    """The answer, and the calls that were made for it."""
    core = Core()
    answer = host(core, None, *options, allowed=ALLOWED, **more).converse(question)
    sent = [params for method, params in core.sent if method == "tools/call"]
    return answer, [{key: each[key] for key in ("name", "arguments")} for each in sent]


@pytest.mark.parametrize(
    ("question", "status", "found", "calls"),
    [
        ("List all open tickets", {"status": "open"}, 24, 2),
        ("List all tickets", {}, 63, 4),
    ],
)
def test_a_list_that_says_how_to_go_on_is_followed_to_its_end(
    question, status, found, calls
):
    answer, made = run(question)
    assert answer is not None
    assert answer.startswith(f"I found {found} in {calls} calls: 2318, ")
    assert answer.count(",") == found - 1
    assert [each["name"] for each in made] == ["list_tickets"] * calls
    assert made[0]["arguments"] == status
    for each in made[1:]:
        token = each["arguments"].pop("continue_with")
        assert isinstance(token, str)
        assert each["arguments"] == status


def reply(*texts: str, is_error: bool = False) -> dict:
    """What the model does after calls of TOOL that brought these texts."""
    messages = [{"role": "person", "text": "List all open things"}]
    arguments: dict = {"status": "open"}
    for text in texts:
        call = {"name": "list_things", "arguments": arguments}
        messages.append(
            {"role": "tool", "call": call, "text": text, "is_error": is_error}
        )
        arguments = {**arguments, "continue_with": data_in(text).get("continue_with")}
    return MockModel().reply(messages, [TOOL])


def test_a_list_that_goes_in_a_circle_ends():
    page = json.dumps({"things": [{"id": 1}], "continue_with": "x"})
    assert reply(page)["calls"][0]["arguments"]["continue_with"] == "x"
    assert reply(page, page)["text"] == "I found 2 in 2 calls: 1, 1."


NO_LISTS = ["", "closed", "[1]", "5", "null", "{", '{"a":', '{"a":' * 3000]


@pytest.mark.parametrize("text", NO_LISTS, ids=lambda text: text[:9])
def test_a_result_that_is_no_list_is_told_as_it_is(text):
    assert reply(text)["text"] == f"I can't go on. I was told: {text}"


@pytest.mark.parametrize("token", [None, 5, [], {"a": 1}])
def test_what_is_no_token_is_not_followed(token):
    page = json.dumps({"things": [{"id": 1}], "continue_with": token})
    assert reply(page)["text"] == "I found 1 in 1 call: 1."


def test_an_error_is_told_and_not_tried_again():
    assert reply('{"a": 1}', is_error=True)["text"].startswith("I can't go on.")


@pytest.mark.parametrize("number", ["2318", "#2318"])
def test_a_draft_is_begun_and_filled_under_the_handle_that_was_given(number):
    answer, calls = run(f"Start a draft for ticket {number}", Person(True))
    names = ["get_ticket", "search_policies", "start_draft", "add_to_draft"]
    assert [each["name"] for each in calls if each["name"] in names][-4:] == names
    assert calls[-2]["arguments"] == {"ticket_id": "2318"}
    handle = calls[-1]["arguments"]["draft_id"]
    assert handle.startswith("draft_")
    assert calls[-1]["arguments"]["text"].startswith("Thank you for your message.")
    assert answer is not None
    assert answer.endswith(f"It is kept as {handle}.")


def test_a_draft_that_the_person_does_not_want_is_not_kept_and_that_is_said():
    answer, calls = run("Start a draft for ticket 2318", Person(False))
    assert [each["name"] for each in calls] == ["get_ticket", "search_policies"]
    assert answer is not None
    assert 'It is not kept: The person did not allow "start_draft".' in answer


def test_a_reply_is_drafted_as_before_and_nothing_is_kept():
    answer, calls = run("Draft a reply to ticket 2318")
    assert [each["name"] for each in calls] == ["get_ticket", "search_policies"]
    assert answer is not None
    assert 'is open. Draft: "Thank you' in answer


def test_a_tool_that_takes_nothing_is_called_with_nothing():
    answer, calls = run("Draw a chart of tickets by day")
    assert calls == [{"name": "chart_tickets", "arguments": {}}]
    assert answer is not None
    assert answer.startswith("The tool says: ")


FENCED = "x:1 (text/plain):\n```\n# Title\n\nOne is red. Two is blue.\n```"


def test_the_title_and_the_sentences_of_a_fenced_text_are_told_apart():
    assert parts(FENCED) == ("Title", ["One is red.", "Two is blue."])
    bare = "x:1 (text/plain):\n```\nOne.\n```"
    assert parts(bare) == ("x:1 (text/plain)", ["One."])


@pytest.mark.parametrize("text", ["", "[resource x, audio/wav: not shown]", "a\nb\nc"])
def test_a_placeholder_is_no_text_to_answer_from(text):
    assert parts(text) is None
    messages = [
        {"role": "person", "text": "Hello"},
        {"role": "resource", "text": text},
    ]
    assert "number" in MockModel().reply(messages, [TOOL])["text"]


def test_from_a_text_the_sentence_is_told_that_shares_most_words():
    messages = [
        {"role": "person", "text": "What is blue?"},
        {"role": "resource", "text": FENCED},
    ]
    told = {"text": "Title says: Two is blue."}
    assert MockModel().reply(messages, []) == told
