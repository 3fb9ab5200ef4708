"""The loop: what is said, in which order, and where it ends. (lesson 03)"""

import json

import pytest
from handwritten import helpdesk
from host.app import MAX_RESULT, MAX_STEPS, block_text, is_tool, text_of, tool_spec
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
    {"name": "get_ticket", "arguments": {"ticket_id": float("nan")}},
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
    answer = host(Broken()).converse(QUESTION)
    assert answer is not None
    assert answer.startswith("I could not get #2318. I was told: The call failed")


def text(*texts: str) -> dict:
    return {"content": [{"type": "text", "text": each} for each in texts]}


def test_a_result_is_bounded_and_says_how_long_it_was():
    # topcheer/ggcode#262
    exact = text("é" * MAX_RESULT)
    assert text_of(exact) == "é" * MAX_RESULT
    for long in (text("😀" * (MAX_RESULT + 1)), text(*["x" * 100] * 10_000)):
        cut = text_of(long)
        assert len(cut) == MAX_RESULT == 4000
        assert cut.endswith("characters]")
    assert "the result has 4001 characters" in text_of(text("😀" * (MAX_RESULT + 1)))


def test_texts_are_joined_by_line_feeds():
    assert text_of(text("a", "b")) == "a\nb"


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ({"type": "hologram"}, '[a block of type "hologram"]'),
        ({"type": "text"}, '[a block of type "text"]'),
        ({"type": "text", "text": 5}, '[a block of type "text"]'),
        ({"type": "image", "data": "aGk="}, '[a block of type "image"]'),
        ({"type": "image", "text": "no text"}, '[a block of type "image"]'),
        ({"type": "resource_link", "uri": "file:///x"}, "[a block of type"),
        ({}, "[a block of type null]"),
        (None, "[a block of type null]"),
        ("text", "[a block of type null]"),
        ({"type": "x" * 500}, '[a block of type "xxx'),
    ],
)
def test_a_block_that_is_no_text_is_named(block, shown):
    # sipeed/picoclaw#1862
    assert block_text(block).startswith(shown)
    assert len(block_text(block)) < 120


@pytest.mark.parametrize("content", [[], None, "text", 5, {}])
def test_a_result_without_a_block_is_an_empty_text(content):
    assert text_of({"content": content}) == ""
    assert text_of({}) == ""


@pytest.mark.parametrize("structured", [{}, {"structuredContent": {"wrong": 1}}])
def test_the_error_of_a_failed_tool_reaches_the_model_whatever_else_it_holds(
    structured,
):
    # modelcontextprotocol/typescript-sdk#654

    class Full(Core):
        def request(self, method: str, params=None) -> dict:
            result = super().request(method, params)
            failed = {**text("disk full"), "isError": True, **structured}
            return failed if method == "tools/call" else result

    model = Script(proposal(), TEXT)
    host(Full(), model).converse("?")
    assert model.seen[1][0][-1]["text"] == "disk full"
    assert model.seen[1][0][-1]["is_error"] is True


BROKEN: list = [
    None,
    5,
    "get_ticket",
    [],
    {},
    {"name": "a"},
    {"name": 5, "inputSchema": {}},
    {"name": "a", "inputSchema": None},
    {"name": "a", "inputSchema": []},
    {"inputSchema": {}},
]


@pytest.mark.parametrize("entry", BROKEN)
def test_an_entry_that_is_no_tool_is_not_offered(entry):
    assert not is_tool(entry)


class Listing(Core):
    """A server with this list."""

    def __init__(self, listed: object):
        super().__init__()
        self.listed = listed

    def request(self, method: str, params=None) -> dict:
        return {"tools": self.listed}


def test_broken_entries_leave_the_good_ones_usable():
    good = {"name": "good", "inputSchema": {}, "description": None, "annotations": 5}
    made = host(Listing([*BROKEN, good]))
    assert list(made.tools) == ["good"]
    assert tool_spec(made.tools["good"])["description"] == ""


@pytest.mark.parametrize("listed", [None, {}, "x", 5, []])
def test_a_list_that_is_none_offers_nothing_and_the_model_says_so(listed):
    made = host(Listing(listed))
    assert made.steps[0]["text"].endswith("offers: no tools")
    assert "no tool" in (made.converse(QUESTION) or "")


def test_of_two_servers_with_the_same_tool_the_first_one_serves():
    # langchain-ai/langchain-mcp-adapters#605
    first, second = Core(), Core()
    made = host(first)
    made.connect(second)
    made.converse(QUESTION)
    assert len(first.calls()) == 2
    assert second.calls() == []
