"""The mock model: mends a call only from what it was told. (lesson 03)"""

import pytest
from handwritten import helpdesk
from handwritten.tools import ToolError
from host.models.mock import MockModel
from host.models.mock import data_of, draft  # lesson-04
from host.tests.parts import QUESTION, Core, host

SUBJECT = "Charged twice for October"


def ask(question: str, tools: dict | None = None) -> tuple[str, list]:
    """The answer, and the arguments of the calls that led to it."""
    core = Core(tools)
    answer = host(core).converse(question)
    assert answer is not None
    return answer, [call["ticket_id"] for call in core.calls()]


def desk(wanted: str, error: str, about: str = "", pattern: str | None = None) -> dict:
    """A helpdesk with one ticket that is written its own way."""
    schema: dict = {"type": "string", "description": about}
    if pattern is not None:
        schema["pattern"] = pattern
    definition = {
        "name": "get_ticket",
        "description": "Fetch one support ticket.",
        "inputSchema": {
            "type": "object",
            "properties": {"ticket_id": schema},
            "required": ["ticket_id"],
        },
    }

    def run(call) -> dict:
        number = call.arguments["ticket_id"]
        if number != wanted:
            raise ToolError(error.replace("VALUE", number))
        return {"ticket_id": number, "subject": SUBJECT, "status": "open"}

    return {"get_ticket": (definition, run)}


def test_it_copies_the_number_reads_the_error_and_calls_again():
    answer, calls = ask(QUESTION)
    assert calls == ["#2318", "2318"]
    assert SUBJECT in answer
    assert "open" in answer


@pytest.mark.parametrize("question", ["Ticket 2319?", "ticket #2319", "(2319)", "2319"])
def test_another_ticket_gets_its_own_subject_and_status(question):
    answer, calls = ask(question)
    assert calls[-1] == "2319"
    assert "Class schedule not syncing to calendar" in answer
    assert "pending" in answer


@pytest.mark.parametrize("number", ["9999", "#9999"])
def test_an_unknown_number_is_given_up_with_what_the_tool_said(number):
    answer, calls = ask(f"And ticket {number}?")
    assert calls == list(dict.fromkeys([number, "9999"]))
    assert f"could not get {number}" in answer
    assert 'No ticket "9999".' in answer


@pytest.mark.parametrize("question", ["Hello", "", "What is T-", "ticket 2318th", "a1"])
def test_without_a_number_it_asks_for_one_and_calls_nothing(question):
    answer, calls = ask(question)
    assert calls == []
    assert "number" in answer


def test_two_tickets_are_each_corrected_and_answered_in_order():
    answer, calls = ask("Is #2319 the same as #2318?")
    assert calls == ["#2319", "#2318", "2319", "2318"]
    assert answer.index("Class schedule") < answer.index(SUBJECT)


def test_one_of_two_may_be_right_and_one_unknown():
    answer, calls = ask("What about 2318 and #9999, 2318 above all?")
    assert calls == ["2318", "#9999", "9999"]
    assert SUBJECT in answer
    assert "could not get #9999" in answer


def test_with_the_format_in_neither_error_nor_schema_it_gives_up_and_says_so():
    answer, calls = ask(QUESTION, desk("2318", 'No ticket "VALUE".', "Ticket number"))
    assert calls == ["#2318"]
    assert answer == 'I could not get #2318. I was told: No ticket "#2318".'


DIGITS = [
    ("No such ticket.", "Ticket number, digits only, e.g. 2318", None),
    ("No such ticket.", "The number of the ticket", "^[0-9]+$"),
    ("No such ticket.", "", r"^\d+$"),
    ("No such ticket.", "", r"\d{4}"),
    ("Not found. Use digits only.", "", None),
    ("A ticket number has only digits.", "", None),
    ("Digits only, please.", "", None),
    ("No ticket VALUE, please try 1234", "", None),
]


@pytest.mark.parametrize(("error", "about", "pattern"), DIGITS)
def test_the_format_may_stand_in_the_error_the_description_or_the_pattern(
    error, about, pattern
):
    answer, calls = ask(QUESTION, desk("2318", error, about, pattern))
    assert calls == ["#2318", "2318"]
    assert SUBJECT in answer


LETTERS = [
    ("Ticket numbers look like T-12345.", "", None),
    ('No ticket "VALUE". For example T-2318.', "", None),
    ("Unknown ticket. Example: T-12345", "", None),
    ("Unknown ticket. Expected format: 'T-12345'", "", None),
    ("Use T-12345 style numbers", "", None),
    ("Invalid id (e.g., T-00001)", "", None),
    ("The id must have the format T-12345", "", None),
    ("Because of its form it is unknown. Expected: `T-12345`", "", None),
    ("No such ticket.", "Ticket number such as T-12345", None),
    ("No such ticket.", "Ticket number", "^T-[0-9]{4,5}$"),
    ("No such ticket.", "", r"T-\d+"),
]


@pytest.mark.parametrize(("error", "about", "pattern"), LETTERS)
@pytest.mark.parametrize("number", ["#2318", "2318"])
def test_a_server_that_wants_letters_in_front_is_served_too(
    number, error, about, pattern
):
    tools = desk("T-2318", error, about, pattern)
    answer, calls = ask(f"What is happening with ticket {number}?", tools)
    assert calls == [number, "T-2318"]
    assert SUBJECT in answer


def test_a_number_with_letters_is_copied_as_it_was_written():
    tools = desk("T-2318", "No such ticket.")
    assert ask("What about T-2318?", tools)[1] == ["T-2318"]
    assert ask("What about T-2318?")[1] == ["T-2318", "2318"]


def test_a_correction_that_does_not_help_is_not_tried_twice():
    tools = desk("nothing", "Ticket numbers look like T-12345.")
    answer, calls = ask(QUESTION, tools)
    assert calls == ["#2318", "T-2318"]
    assert "I was told: Ticket numbers look like T-12345." in answer


@pytest.mark.parametrize("pattern", ["^(T-)?[0-9]+$", "[", "", ".*", "^[0-9]+ $"])
def test_a_pattern_it_can_not_read_tells_it_nothing(pattern):
    assert ask(QUESTION, desk("2318", "No.", "", pattern))[1] == ["#2318"]


def test_without_a_tool_it_says_so():
    assert (
        "no tool" in MockModel().reply([{"role": "person", "text": "2318"}], [])["text"]
    )


def test_of_several_tools_it_takes_the_one_that_shares_most_words():
    other = {**helpdesk.TOOLS["get_ticket"][0], "name": "refund", "description": "Pay."}
    tools = {"refund": (other, lambda call: {"paid": True}), **helpdesk.TOOLS}
    assert SUBJECT in ask(QUESTION, tools)[0]
    core = Core(tools)
    refused = host(core).converse("Pay a refund for 2318")
    assert core.calls() == []
    assert refused is not None
    assert 'did not allow "refund"' in refused


SCHEMAS: list = [
    {},
    {"properties": {}},
    {"properties": None, "required": None},
    {"properties": {"q": {"type": "string"}}},
    {"properties": {"q": True}, "required": ["q"]},
    {"properties": [], "required": "q"},
    {"properties": {"q": 5}, "required": 5},
    {"properties": "q", "required": [None]},
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_of_any_shape_leads_to_a_call_and_then_to_a_sentence(schema):
    tool = {"name": "find", "description": "", "input_schema": schema}
    messages: list = [{"role": "person", "text": "ticket #2318"}]
    (call,) = MockModel().reply(messages, [tool])["calls"]
    (value,) = call["arguments"].values()
    assert value == "#2318"
    messages += [{"role": "tool", "call": call, "text": "No.", "is_error": True}]
    assert "could not get #2318" in MockModel().reply(messages, [tool])["text"]


@pytest.mark.parametrize(
    "text",
    ["", "closed", "[1]", "5", '{"ticket_id":"1"}', "null", "[" * 3000],
    ids=lambda text: text[:20],
)
def test_a_result_that_is_no_ticket_is_told_as_it_is(text):
    call = {"name": "get_ticket", "arguments": {"ticket_id": "1"}}
    tool = {"name": "get_ticket", "description": "", "input_schema": {}}
    messages = [
        {"role": "person", "text": "ticket 1"},
        {"role": "tool", "call": call, "text": text, "is_error": False},
    ]
    assert MockModel().reply(messages, [tool]) == {"text": f"The tool says: {text}"}


def test_data_that_is_nested_too_deeply_is_none():  # lesson-04
    assert data_of({"is_error": False, "text": "[" * 3000}) is None


# The answers of both tools that a draft takes: one of them is not as it should be.
TICKET_READ = '{"ticket_id":"1","subject":"s"}'  # lesson-04
ODD = [  # lesson-04
    ['{"ticket_id":"1","subject":[1]}', ""],
    [TICKET_READ, '{"policies":[]}'],
    [TICKET_READ, '{"policies":[5]}'],
    [TICKET_READ, '{"policies":[{"title":"t"}]}'],
    [TICKET_READ, '{"policies":{"0":1}}'],
]


@pytest.mark.parametrize("texts", ODD)
def test_a_draft_without_a_subject_or_a_policy_is_none(texts):  # lesson-04
    about = [("get_ticket", "number", "1"), ("search_policies", "query", "s")]
    tools, answers = [], {}
    for (name, argument, value), text in zip(about, texts, strict=True):
        schema = {"required": [argument]}
        words = name.replace("_", " ")
        tools.append({"name": name, "description": words, "input_schema": schema})
        call = {"name": name, "arguments": {argument: value}}
        answers[name, value] = {"call": call, "text": text, "is_error": False}
    assert "Draft:" not in draft("1", answers, tools)["text"]
