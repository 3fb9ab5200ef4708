"""The mock model told to do something: a refund, an export. (lesson 07)"""

import json

import pytest
from host.models.mock import MockModel

READ = """# 2318: Charged twice

- charge ch_204811: 49.00 USD at 2026-10-01T06:00:04Z

- charge ch_204837: 9.05 EUR at 2026-10-01T06:02:19Z
"""
TICKET = {"ticket_id": "2318", "subject": "Twice", "status": "open"}
TICKET |= {"customer_id": "cus_1042"}
FIRSTS = {"get_ticket": "ticket_id", "read_address": "uri", "issue_refund": "ticket_id"}
FIRSTS |= {"set_payout_account": "customer_id", "export_tickets": "status"}
BACK = {"status": "issued", "refund_id": "re_0123456789ab"}


def spec(name: str, first: str) -> dict:
    schema = {"type": "object", "properties": {first: {"type": "string"}}}
    schema["required"] = [first] if name != "export_tickets" else []
    return {"name": name, "description": name, "input_schema": schema}


def good(value: object) -> dict:
    text = value if isinstance(value, str) else json.dumps(value)
    return {"text": text, "is_error": False}


def bad(text: str) -> dict:
    return {"text": text, "is_error": True}


def tell(question: str, prefix: str = "", without: str = "", **results) -> tuple:
    """The answer, and the calls; each tool gives these results in turn."""
    usual = {"get_ticket": good(TICKET), "read_address": good(READ)}
    left = {name: [result] for name, result in usual.items()}
    left |= {name: list(given) for name, given in results.items()}
    tools = [spec(prefix + name, FIRSTS[name]) for name in FIRSTS if name != without]
    messages: list[dict] = [{"role": "person", "text": question}]
    calls: list = []
    for _ in range(8):
        reply = MockModel().reply(messages, tools)
        if "text" in reply:
            return reply["text"], calls
        (call,) = reply["calls"]
        calls.append((call["name"], call["arguments"]))
        result = left[call["name"].removeprefix(prefix)].pop(0)
        messages.append({"role": "model", **reply})
        messages.append({"role": "tool", "call": call, **result})
    raise AssertionError(calls)


def wish(charge: str, cents: int) -> tuple:
    about = {"ticket_id": "2318", "charge_id": charge, "amount_cents": cents}
    return "issue_refund", about


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("Refund ticket 2318", wish("ch_204837", 905)),
        ("Refund the second charge of ticket 2318", wish("ch_204837", 905)),
        ("Please refund the last charge of #2318!", wish("ch_204837", 905)),
        ("refund the first charge of ticket 2318", wish("ch_204811", 4900)),
        ("Refund ch_204811 of ticket 2318", wish("ch_204811", 4900)),
    ],
)
def test_it_reads_the_ticket_and_its_charges_and_refunds_one(question, call):
    answer, calls = tell(question, issue_refund=[good(BACK)])
    names = [name for name, _ in calls]
    assert names == ["get_ticket", "read_address", "issue_refund"]
    assert calls[1][1] == {"uri": "ticket://2318"}
    assert calls[2] == call
    assert answer.startswith("Refunded ")
    assert answer.endswith(f"of charge {call[1]['charge_id']}: refund re_0123456789ab.")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (good({"status": "declined"}), "You declined: 9.05 EUR of charge ch_204837"),
        (good({"status": "cancelled"}), "left without an answer: 9.05 EUR"),
        (bad('The person did not allow "issue_refund".'), "I was told: The person did"),
        (bad("The call failed: the server ended"), "I was told: The call failed"),
        (bad("The person cancelled the call."), "I was told: The person cancelled"),
        (good("nonsense"), "I was told: nonsense"),
    ],
)
def test_any_other_end_is_told_as_it_is_and_not_tried_again(result, words):
    answer, calls = tell("Refund ticket 2318", issue_refund=[result])
    assert words in answer
    assert "Refunded" not in answer
    assert len(calls) == 3


def test_it_mends_the_number_as_for_any_ticket():
    wrong = bad("No ticket. Numbers are digits only, for example 2318.")
    twice = [wrong, good(TICKET)]
    _, calls = tell("Refund #2318", get_ticket=twice, issue_refund=[good(BACK)])
    assert [each["ticket_id"] for _, each in calls[:2]] == ["#2318", "2318"]
    assert calls[-1][0] == "issue_refund"


def test_a_closed_card_takes_an_account_first_and_then_the_same_refund():
    closed = bad("The card is closed. Call set_payout_account for cus_1042 first.")
    saved = good({"status": "saved", "customer_id": "cus_1042"})
    results = {"issue_refund": [closed, good(BACK)], "set_payout_account": [saved]}
    answer, calls = tell("Refund ticket 2318", **results)
    assert calls[3:] == [("set_payout_account", {"customer_id": "cus_1042"}), calls[2]]
    assert answer.startswith("Refunded 9.05 EUR")


def test_without_the_account_the_refund_is_not_tried_again():
    closed = bad("The card is closed. Call set_payout_account for cus_1042 first.")
    declined = good({"status": "declined"})
    results = {"issue_refund": [closed], "set_payout_account": [declined]}
    answer, calls = tell("Refund ticket 2318", **results)
    assert len(calls) == 4
    assert "9.05 EUR of charge ch_204837 was not refunded" in answer


@pytest.mark.parametrize(
    ("question", "results", "words"),
    [
        ("Refund ticket 2318", {"read_address": [good("none")]}, "I see no charge"),
        ("Refund ticket 2318", {"read_address": [bad("no")]}, "I see no charge"),
        ("Refund the third charge of ticket 2318", {}, "has 2 charges"),
        ("Refund ticket 2318", {"get_ticket": [bad("nothing")]}, "I could not get"),
        ("Refund tickets 2318 and 2319", {}, "one charge at a time"),
    ],
)
def test_what_is_not_clear_is_not_refunded(question, results, words):
    answer, calls = tell(question, **results)
    assert words in answer
    assert "issue_refund" not in [name for name, _ in calls]


def test_tools_of_a_second_server_have_a_prefix_and_are_found():
    _, calls = tell("Refund ticket 2318", prefix="b__", issue_refund=[good(BACK)])
    assert calls[-1][0] == "b__issue_refund"


@pytest.mark.parametrize("question", ["Is 2318 a refund?", "Refunds: 2318", "2318"])
def test_other_questions_are_answered_as_before(question):
    answer, calls = tell(question)
    assert [name for name, _ in calls] == ["get_ticket"]
    assert "is open." in answer


def test_without_the_tool_it_is_a_question_like_any_other():
    _, calls = tell("Refund ticket 2318", without="issue_refund")
    assert "issue_refund" not in [name for name, _ in calls]


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("Export all tickets", {}),
        ("Please export the open tickets.", {"status": "open"}),
        ("export pending tickets", {"status": "pending"}),
    ],
)
def test_an_export_is_one_call_and_a_sentence(question, arguments):
    result = good('{"tickets":63,"bytes":6804}\n[resource: for the person only]')
    answer, calls = tell(question, export_tickets=[result])
    assert calls == [("export_tickets", arguments)]
    assert answer == "I exported 63 tickets in 6804 bytes."


def test_a_result_that_can_not_be_read_is_told_as_it_is():
    deep = "[" * 3000
    answer, _ = tell("Export all tickets", export_tickets=[good(deep)])
    assert answer == f"The tool says: {deep}"


@pytest.mark.parametrize("result", [bad("The person cancelled."), bad("Too many run.")])
def test_an_export_that_failed_is_told_and_not_tried_again(result):
    answer, calls = tell("Export all tickets", export_tickets=[result])
    assert answer == f"I could not export the tickets. I was told: {result['text']}"
    assert len(calls) == 1
