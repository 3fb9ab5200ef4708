"""Which tools the model is given, under which names, and which it picks. (lesson 04)"""

import contextlib
import json
import re
import sys

import pytest
from host.app import Host
from host.client import Client
from host.models.mock import MockModel, best
from host.tests.parts import run_host, said
from host.toolbox import FIND, Toolbox, alias
from host.tests.parts import Person  # lesson-07

SERVER = [sys.executable, "-m", "handwritten"]
LEGAL = re.compile("[A-Za-z0-9_-]{1,64}")


def test_the_first_server_keeps_a_name_and_the_second_gets_a_prefix():
    assert alias("get_ticket", "a", {}) == "get_ticket"
    assert alias("get_ticket", "b", {"get_ticket"}) == "b__get_ticket"


@pytest.mark.parametrize(
    ("name", "server"),
    [
        ("9.reports list", "my-server"),
        ("a" * 128, "x"),
        ("\x1b", ""),
        ("é", "s"),
    ],
)
def test_an_alias_is_legal_for_a_model_api(name, server):
    # google-gemini/gemini-cli#20987
    assert LEGAL.fullmatch(alias(name, server, {}))


def test_no_two_tools_share_an_alias():
    taken: dict = {}
    for server in ("a", "b"):
        for name in ("x.y", "x y", "x_y", "x" * 100, "x" * 101):
            made = alias(name, server, taken)
            assert made not in taken
            taken[made] = name


def test_an_alias_that_somebody_took_on_purpose_is_not_given_twice():
    long = "x" * 100
    taken = {alias(long, "good", {}): "evil", FIND: ""}
    assert alias(long, "good", taken) not in taken
    assert alias(FIND, "evil", {}) == f"evil__{FIND}"


def answer_of(done) -> dict:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


TWO = ["--server", "a=python -m handwritten", "--server", "b=python -m handwritten"]


def test_two_servers_with_the_same_tools_are_kept_apart_and_called_by_true_names():
    only = ("--tools", "b__get_ticket", "--yes")
    run = answer_of(run_host("ticket 2318", "--json", *only, *TWO))
    calls = [
        step["data"]["call"]
        for step in run["steps"]
        if step["who"] == "model" and step["data"]
    ]
    assert [call["name"] for call in calls] == ["b__get_ticket"]
    assert run["answer"] == 'Ticket 2318, "Charged twice for October", is open.'


def test_a_reply_is_drafted_from_the_ticket_and_a_policy():
    run = answer_of(run_host("Draft a reply to ticket #2318", "--json"))
    names = [
        step["data"]["call"]["name"]
        for step in run["steps"]
        if step["who"] == "model" and step["data"]
    ]
    assert names == ["get_ticket", "get_ticket", "search_policies"]
    assert "policy://refunds-and-payments" in run["answer"]


def test_two_replies_at_once_are_not_half_done():
    run = answer_of(run_host("Draft a reply to tickets 2318 and 2319", "--json"))
    assert "one reply at a time" in run["answer"]
    assert run["usage"]["tool_calls"] == 0


def test_a_second_servers_tool_is_not_allowed_by_the_first_ones_name():
    done = run_host("ticket 2318", "--tools", "b__get_ticket", *TWO)
    assert "did not allow" in said(done, "model")[-1]


def test_the_model_is_given_only_what_the_list_names():
    done = run_host("Draft a reply to ticket 2318", "--tools", "get_ticket")
    assert b"search_policies {" not in done.stdout
    assert b"is open." in done.stdout
    full = answer_of(run_host("ticket 2318", "--json"))["usage"]["characters_to_model"]
    few = run_host("ticket 2318", "--json", "--tools", "get_ticket")
    assert answer_of(few)["usage"]["characters_to_model"] < full


def test_two_servers_of_one_name_cannot_be_told_apart():
    same = ["--server", "a=python -m handwritten"]
    done = run_host("ticket 2318", *same, *same)
    assert done.returncode == 2
    assert b"host: --server: two servers are called a." in done.stderr


def test_a_name_that_no_server_offers_is_a_slip_and_said():
    done = run_host("ticket 2318", "--tools", "get_ticket,get_tickets")
    assert done.returncode == 2
    assert b'host: --tools: no server offers "get_tickets".' in done.stderr


def test_a_tool_that_the_model_was_not_given_is_not_called():
    class Hearsay:
        """A model that calls what it read about somewhere."""

        def reply(self, messages, tools):
            if len(messages) > 1:
                return {"text": messages[-1]["text"]}
            call = {"name": "search_policies", "arguments": {"query": "refund"}}
            return {"calls": [call]}

    host = Host(Hearsay(), lambda question: True, lambda *_: None, ["search_policies"])
    host.person = Person()  # lesson-07
    host.toolbox = Toolbox("get_ticket")
    with contextlib.closing(Client("helpdesk", SERVER)) as client:
        assert host.connect(client)
        answer = host.converse("ticket 2318")
    assert answer == 'You were not given the tool "search_policies".'
    assert host.usage["tool_calls"] == 0


def test_with_search_the_model_gets_definitions_on_demand():
    done = run_host("What is happening with ticket 2318?", "--tools", "search")
    assert said(done, "host")[1].startswith('found: {"found": ["get_ticket"')
    assert "is open." in said(done, "model")[-1]


def test_a_search_finds_few_and_keeps_what_it_found():
    specs = [{"name": f"t{n}", "description": "tickets"} for n in range(9)]
    toolbox = Toolbox("search")
    assert [spec["name"] for spec in toolbox.given(specs)] == [FIND]
    assert toolbox.find("tickets", specs)["is_error"] is False
    assert [spec["name"] for spec in toolbox.given(specs)] == [FIND, "t0", "t1", "t2"]
    assert toolbox.find(None, specs)["is_error"] is True
    assert len(toolbox.given(specs)) == 4


def test_the_pick_is_by_words_alone():
    tools = [
        {"name": "get_ticket", "description": "Fetch a ticket by number"},
        {"name": "refund", "description": "Send money back"},
    ]
    assert best("fetch the ticket", tools)["name"] == "get_ticket"
    assert best("reimburse", tools) is None


def test_a_search_question_without_a_number_is_searched():
    spec = {
        "name": "search_tickets",
        "description": "Search tickets",
        "input_schema": {"properties": {"query": {}}, "required": ["query"]},
    }
    messages = [{"role": "person", "text": "search tickets about calendars"}]
    (call,) = MockModel().reply(messages, [spec])["calls"]
    assert call["arguments"] == {"query": "search tickets about calendars"}
