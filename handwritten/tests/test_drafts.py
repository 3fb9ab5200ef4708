"""Handles and long results: what lasts longer than one call. (lesson 06)"""

import json
import re

import pytest
from handwritten.__main__ import helpdesk_server
from handwritten.helpdesk import drafts
from handwritten.helpdesk.tickets import tickets
from handwritten.tests.talk import ask, connect
from handwritten.world import World

HOUR = 3600
START = 1_780_000_000.0  # 2026-05-28T20:26:40Z


class Helpdesk:
    """A server whose clock is set by hand; each call is a connection of its own."""

    def __init__(self, data="", user="local", clock=None):
        self.clock = clock or [START]
        self.world = World(str(data), user, now=lambda: self.clock[0])

    def call(self, name: str, **arguments) -> dict:
        server = helpdesk_server()
        server.world = self.world
        params = {"name": name, "arguments": arguments}
        return ask(connect(server), "tools/call", params)["result"]

    def good(self, name: str, **arguments) -> dict:
        result = self.call(name, **arguments)
        assert result["isError"] is False, result
        return result["structuredContent"]

    def bad(self, name: str, **arguments) -> str:
        result = self.call(name, **arguments)
        assert result["isError"] is True, result
        assert "structuredContent" not in result
        return result["content"][0]["text"]

    def start(self, number="2318") -> str:
        return self.good("start_draft", ticket_id=number)["draft_id"]


def test_a_draft_grows_call_by_call():
    desk = Helpdesk()
    handle = desk.start()
    assert desk.good("add_to_draft", draft_id=handle, text="Hello,\n")["text"]
    added = desk.good("add_to_draft", draft_id=handle, text="we are sorry. 漢😀")
    assert added["text"] == "Hello,\nwe are sorry. 漢😀"
    assert desk.good("read_draft", draft_id=handle) == added


def test_a_handle_is_random_and_a_new_one_each_time():
    desk = Helpdesk()
    handles = {desk.start() for _ in range(10)}
    assert len(handles) == 10
    assert all(re.fullmatch("draft_[0-9a-f]{32}", each) for each in handles)


def test_a_draft_ends_a_day_after_its_last_change_and_not_before():
    desk = Helpdesk()
    handle = desk.start()
    desk.clock[0] += 23 * HOUR
    desk.good("add_to_draft", draft_id=handle, text="x")
    desk.clock[0] += 24 * HOUR - 1
    kept = desk.good("read_draft", draft_id=handle)
    assert kept["expires"] == "2026-05-30T19:26:40Z"
    desk.clock[0] += 1
    text = desk.bad("read_draft", draft_id=handle)
    assert "24 hours" in text
    assert "list_drafts" in text
    assert desk.bad("add_to_draft", draft_id=handle, text="x") == text
    assert desk.good("list_drafts") == {"drafts": []}


def test_each_description_says_how_long_a_draft_is_kept():
    for tool in (drafts.START_DRAFT, drafts.ADD_TO_DRAFT, drafts.READ_DRAFT):
        assert "24 hours" in tool["description"]


@pytest.mark.parametrize("names", [("ana", "ben"), ("ben", "ana"), ("ana", "Ana")])
def test_another_user_gets_the_same_answer_as_for_a_handle_that_never_was(
    names, tmp_path
):
    ana, ben = (Helpdesk(tmp_path, name) for name in names)
    handle, unknown = ana.start(), "draft_" + "0" * 32
    for name, more in (("read_draft", {}), ("add_to_draft", {"text": "x"})):
        theirs = ben.bad(name, draft_id=handle, **more)
        none = ben.bad(name, draft_id=unknown, **more)
        assert theirs.replace(handle, unknown) == none
    assert ben.good("list_drafts") == {"drafts": []}
    assert ana.good("read_draft", draft_id=handle)["text"] == ""


def test_drafts_are_there_after_a_restart_and_for_a_second_server(tmp_path):
    first, second = Helpdesk(tmp_path), Helpdesk(tmp_path)
    handle = first.start()
    for desk in (first, second, Helpdesk(tmp_path)):
        desk.good("add_to_draft", draft_id=handle, text="x")
    assert first.good("read_draft", draft_id=handle)["text"] == "xxx"


def test_the_list_finds_a_lost_handle():
    desk = Helpdesk()
    handles = [desk.start(number) for number in ("2318", "2319")]
    desk.clock[0] += 1
    desk.good("add_to_draft", draft_id=handles[0], text="x")
    found = desk.good("list_drafts")["drafts"]
    assert [each["draft_id"] for each in found] == handles[::-1]
    assert [each["ticket_id"] for each in found] == ["2319", "2318"]
    assert all(each.keys() == drafts.BRIEF.keys() for each in found)


@pytest.mark.parametrize("handle", ["", "x", "draft_", "draft_%", "\ud83d", "a\0", "'"])
def test_what_is_no_handle_gets_the_same_kind_of_answer(handle):
    assert "No draft" in Helpdesk().bad("read_draft", draft_id=handle)


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud83d", "x" * 3001])
def test_text_that_cannot_be_kept_changes_nothing(text):
    desk = Helpdesk()
    handle = desk.start()
    before = desk.good("read_draft", draft_id=handle)
    assert len(desk.bad("add_to_draft", draft_id=handle, text=text)) < 200
    assert desk.good("read_draft", draft_id=handle) == before


def test_a_draft_and_the_list_fit_what_a_host_shows_its_model():
    desk = Helpdesk()
    for _ in range(drafts.MAX_DRAFTS):
        handle = desk.start()
    desk.good("add_to_draft", draft_id=handle, text="x" * drafts.MAX_TEXT)
    for result in (desk.call("read_draft", draft_id=handle), desk.call("list_drafts")):
        assert len(result["content"][0]["text"]) <= 4000
    assert "no more fit" in desk.bad("start_draft", ticket_id="2318")
    desk.clock[0] += 24 * HOUR
    assert desk.start()


def walk(desk, between=lambda: None, **arguments) -> list[dict]:
    """Follow `continue_with` as a model would, from the text of the result."""
    parts, more = [], {}
    for _ in range(20):
        result = desk.call("list_tickets", **arguments, **more)
        parts.append(json.loads(result["content"][0]["text"]))
        assert parts[-1] == result["structuredContent"]
        if "continue_with" not in parts[-1]:
            return parts
        more = {"continue_with": parts[-1]["continue_with"]}
        between()
    raise AssertionError("the list has no end")


def numbers(parts: list[dict]) -> list[str]:
    return [row["ticket_id"] for part in parts for row in part["tickets"]]


def test_a_long_list_goes_on_with_a_token_in_both_forms():
    parts = walk(Helpdesk())
    assert [len(part["tickets"]) for part in parts] == [20, 20, 20, 3]
    assert numbers(parts) == list(tickets())
    assert "continue_with" in parts[0]["note"]
    assert "note" not in parts[-1]
    assert all(len(json.dumps(part)) < 4000 for part in parts)


def test_a_status_narrows_the_list():
    for status in ("open", "pending", "closed"):
        parts = walk(Helpdesk(), status=status)
        assert {row["status"] for part in parts for row in part["tickets"]} == {status}
        assert len(numbers(parts)) == parts[0]["found"]


def test_a_ticket_that_changes_its_status_meanwhile_loses_no_other(monkeypatch):
    def close_the_last_one_shown():
        monkeypatch.setitem(tickets()[shown], "status", "closed")

    desk = Helpdesk()
    whole = numbers(walk(desk, status="open"))
    shown = whole[19]
    assert numbers(walk(desk, close_the_last_one_shown, status="open")) == whole


@pytest.mark.parametrize("change", ["status", "user", "key", "token", "number"])
def test_a_token_is_for_its_user_and_arguments_and_no_other(change, tmp_path):
    ana = Helpdesk(tmp_path, "ana")
    token = ana.good("list_tickets")["continue_with"]
    assert Helpdesk(tmp_path, "ana").good("list_tickets", continue_with=token)
    desk, arguments = ana, {"continue_with": token}
    if change == "status":
        arguments["status"] = "open"
    elif change == "user":
        desk = Helpdesk(tmp_path, "ben")
    elif change == "key":
        desk = Helpdesk(user="ana")
    elif change == "token":
        arguments["continue_with"] = token[:-1]
    else:
        arguments["continue_with"] = "2337"
    assert "Leave it out" in desk.bad("list_tickets", **arguments)
