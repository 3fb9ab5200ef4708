"""An approval is for one call: as it was shown, and once. (lesson 07)"""

import pytest
from handwritten import helpdesk
from host.decide import ALLOWED
from host.tests.fake_server import MODERN, TOOL
from host.tests.parts import Core, Person, Script, Typist, changed, host, methods
from host.tests.parts import proposal, record, text_result

DONE = {"text": "Done."}
ONE = {"ticket_id": "2318"}


class Once(Person):
    """Says yes to the first question, and no to all others."""

    def answer(self) -> tuple[bool, str]:
        self.says = self.asked == 0
        return super().answer()


def run(*replies: dict, person=None) -> tuple:
    """What was called, and the person who was asked about all of it."""
    core, person = Core(), person or Once()
    made = host(core, Script(*replies, DONE), person, allowed=())
    assert made.converse("?") == "Done."
    return core.calls(), person, made


def test_two_equal_calls_in_one_reply_are_asked_one_by_one():
    twins = {"calls": proposal()["calls"] * 2}
    calls, person, made = run(twins)
    assert (calls, person.asked) == ([ONE], 2)
    told = [each["text"] for each in made.model.seen[1][0] if each["role"] == "tool"]
    assert told[1] == 'The person did not allow "get_ticket".'


def test_the_same_call_later_is_asked_again():
    calls, person, _ = run(proposal(), proposal())
    assert (calls, person.asked) == ([ONE], 2)


@pytest.mark.parametrize("other", [{"ticket_id": "2319"}, {"ticket_id": "2318 "}])
def test_a_changed_argument_is_asked_again(other):
    calls, person, _ = run(proposal(), proposal(arguments=other))
    assert calls == [ONE]
    assert person.asked == 2


def test_each_question_shows_the_call_that_is_made():
    other = {"ticket_id": "2319"}
    both = {"calls": proposal()["calls"] + proposal(arguments=other)["calls"]}
    calls, _, made = run(both, person=Person(True))
    asked = [each["text"] for each in made.steps if each["text"].startswith("Allow")]
    assert calls == [ONE, other]
    for call, question in zip(calls, asked, strict=True):
        assert f'{{"ticket_id":"{call["ticket_id"]}"}}' in question


def test_what_was_approved_is_what_every_round_sends(start, tmp_path):
    needed = {"resultType": "input_required", "requestState": "s"}
    plan = changed(MODERN, {"call": [{"result": needed}]})
    command, got = record(tmp_path, {**plan, "retry": [text_result("done")]})
    person = Typist()
    client = start(command, opened=False)
    host(client, Script(proposal(), DONE), person, allowed=()).converse("?")
    sent = [each["params"] for each in got() if each["method"] == "tools/call"]
    assert [each["arguments"] for each in sent] == [ONE, ONE]
    assert person.asked == 1


def test_no_tool_that_changes_something_or_takes_much_away_is_on_the_allow_list():
    for name in ("issue_refund", "set_payout_account", "export_tickets"):
        assert name not in ALLOWED
    for name in ("start_draft", "add_to_draft"):
        assert name not in ALLOWED
    known = {
        name: helpdesk.TOOLS[name][0] for name in ALLOWED if name in helpdesk.TOOLS
    }
    assert known
    for definition in known.values():
        assert definition["annotations"]["readOnlyHint"] is True


def test_without_a_terminal_nothing_is_approved(start, tmp_path):
    from host.tests.parts import line_of, run_host, said

    listed = [{"result": {"tools": [{**TOOL, "name": "issue_refund"}]}}]
    command, got = record(tmp_path, changed(MODERN, {"list": listed}))
    done = run_host("ticket 7", "--server", line_of(command))
    assert "no terminal" in said(done, "person")[1]
    assert "tools/call" not in methods(got())
