"""Money goes back once, or not at all. (lesson 07)"""

import re
import sqlite3
import threading

import pytest
from handwritten.helpdesk import ledger
from handwritten.helpdesk.refunds import ISSUE_REFUND
from handwritten.helpdesk.tickets import tickets
from handwritten.tests.asking import ACCEPT, CANCEL, DECLINE, REFUND
from handwritten.tests.asking import Desk, bad, good, refused
from handwritten.tests.talk import ask, connect

jsonschema = pytest.importorskip("jsonschema")


def fits(data: dict) -> dict:
    jsonschema.validate(data, ISSUE_REFUND["outputSchema"])
    return data


def test_accepted_once_is_one_entry_that_says_who_when_and_why(tmp_path):
    desk = Desk(tmp_path, "ana")
    content = {"reason": "duplicate", "note": "Two of 1 October", "notify": False}
    state = desk.state()
    desk.clock[0] += 5
    data = fits(good(desk.refund(state, {"action": "accept", "content": content})))
    assert re.fullmatch("re_[0-9a-f]{12}", data["refund_id"])
    assert data == {
        "status": "issued",
        **REFUND,
        "currency": "USD",
        "refund_id": data["refund_id"],
        "reason": "duplicate",
        "at": "2026-05-28T20:26:45Z",
    }
    (row,) = desk.refunds()
    assert row["user"] == "ana"
    assert row["note"] == "Two of 1 October"
    assert row["notify"] == 0
    assert desk.answered() == ["issued"]


def test_what_the_form_leaves_out_has_the_forms_defaults():
    desk = Desk()
    good(desk.refund(desk.state(), ACCEPT))
    (row,) = desk.refunds()
    assert (row["note"], row["notify"]) == ("", 1)


@pytest.mark.parametrize(
    ("answer", "status"), [(DECLINE, "declined"), (CANCEL, "cancelled")]
)
def test_declined_or_cancelled_is_a_result_and_no_refund(answer, status):
    desk = Desk()
    state = desk.state()
    data = fits(good(desk.refund(state, answer)))
    assert data == {"status": status, **REFUND, "currency": "USD"}
    assert desk.refunds() == []
    for later in (ACCEPT, DECLINE, CANCEL, None):
        refused(desk.refund(state, later))
        assert desk.log[-1] == "requestState refused: already answered"
    assert desk.refunds() == []
    # It can be asked for anew.
    assert good(desk.refund(desk.state(), ACCEPT))["status"] == "issued"


MALFORMED = {"action": "accept", "content": {"reason": "whim"}}


@pytest.mark.parametrize("answer", [ACCEPT, DECLINE, CANCEL, None, MALFORMED])
def test_a_replay_after_accept_gives_the_same_refund_and_writes_nothing(
    answer, tmp_path
):
    desk = Desk(tmp_path)
    state = desk.state()
    first = good(desk.refund(state, ACCEPT))
    before = (tmp_path / "state.db").read_bytes()
    desk.clock[0] += 60
    for copy in (desk, Desk(tmp_path, clock=desk.clock)):
        assert good(copy.refund(state, answer)) == first
    assert (tmp_path / "state.db").read_bytes() == before


def test_a_call_without_a_state_after_a_lost_answer_gives_the_refund_there_is():
    # QwenLM/qwen-code#8387, tya5/reyn#2600: HOST-15
    desk = Desk()
    first = good(desk.refund(desk.state(), ACCEPT))
    desk.can = None  # nobody is asked
    desk.clock[0] += 7200
    assert good(desk.refund()) == first
    assert len(desk.refunds()) == 1


def test_of_two_questions_about_one_charge_the_first_accept_counts():
    desk = Desk()
    one, two = desk.state(), desk.state()
    first = good(desk.refund(two, ACCEPT))
    for answer in (ACCEPT, DECLINE, ACCEPT):
        assert good(desk.refund(one, answer)) == first
    assert len(desk.refunds()) == 1


def test_a_charge_that_is_refunded_is_not_refunded_with_another_amount():
    desk = Desk()
    other = desk.state(amount_cents=100)
    good(desk.refund(desk.state(), ACCEPT))
    for answer in (
        desk.refund(amount_cents=100),
        desk.refund(other, ACCEPT, amount_cents=100),
    ):
        assert "refunded already, with 4900 cents" in bad(answer)
    assert len(desk.refunds()) == 1


def together(count: int, run) -> list:
    """What `run(0)`, `run(1)`, … return, all begun at the same moment."""
    ready, done = threading.Barrier(count), [None] * count

    def one(number: int) -> None:
        ready.wait()
        done[number] = run(number)

    threads = [threading.Thread(target=one, args=(each,)) for each in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return done


@pytest.mark.parametrize("states", [1, 2, 8])
def test_parallel_twins_get_one_and_the_same_refund(states, tmp_path):
    desks = [Desk(tmp_path) for _ in range(8)]
    given = [desks[0].state() for _ in range(states)]
    done = together(8, lambda each: desks[each].refund(given[each % states], ACCEPT))
    assert len({good(answer)["refund_id"] for answer in done}) == 1
    assert len(desks[0].refunds()) == 1


def test_twins_on_one_connection_get_one_and_the_same_refund():
    desk = Desk()
    connection = connect(desk.server)
    params = {"name": "issue_refund", "arguments": REFUND}
    params |= {"requestState": desk.state(), "inputResponses": {"confirm": ACCEPT}}
    first, second = (ask(connection, "tools/call", params, id=id) for id in (1, "1"))
    assert good(first) == good(second)
    assert len(desk.refunds()) == 1


def test_of_twins_that_say_different_things_one_is_heard(tmp_path):
    for round in range(5):
        folder = tmp_path / str(round)
        desks = [Desk(folder) for _ in range(4)]
        state = desks[0].state()
        said = [ACCEPT, DECLINE, ACCEPT, CANCEL]
        done = together(4, lambda each: desks[each].refund(state, said[each]))  # noqa: B023
        heard = {good(each)["status"] for each in done if "result" in each}
        assert len(heard) == 1
        assert len(desks[0].answered()) == 1
        assert len(desks[0].refunds()) == (1 if heard == {"issued"} else 0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ticket_id": "9999"}, 'No ticket "9999"'),
        ({"ticket_id": "2318 "}, "No ticket"),
        ({"ticket_id": "2323"}, "has no charge"),
        ({"ticket_id": "2319"}, "Its charges: none"),
        ({"charge_id": "ch_1"}, "Its charges: ch_204811, ch_204837"),
        ({"charge_id": "204837"}, "has no charge"),
        ({"charge_id": "\ud83d"}, "has no charge"),
        ({"amount_cents": 4901}, "was 4900 cents (USD)"),
        ({"amount_cents": 1e300}, "too much"),
        ({"amount_cents": 0}, "at least 1"),
        ({"amount_cents": -4900}, "at least 1"),
        ({"amount_cents": 49.5}, "integer"),
        ({"amount_cents": True}, "integer"),
        ({"amount_cents": "4900"}, "integer"),
    ],
    ids=str,
)
def test_what_cannot_be_refunded_is_refused_before_anybody_is_asked(change, words):
    desk = Desk()
    assert words in bad(desk.refund(**change))
    assert desk.refunds() == []


def test_part_of_a_charge_can_be_refunded_and_a_whole_number_may_have_a_point():
    desk = Desk()
    message = desk.refund(amount_cents=105.0)["result"]["inputRequests"]["confirm"]
    assert "Refund 1.05 USD" in message["params"]["message"]
    data = good(desk.refund(desk.state(amount_cents=1), ACCEPT, amount_cents=1))
    assert data["amount_cents"] == 1


def test_every_charge_of_the_helpdesk_can_be_asked_about():
    desk = Desk()
    for number, ticket in tickets().items():
        for charge in ticket["charges"]:
            if charge["id"] != "ch_206288":
                amount = {"amount_cents": charge["amount_cents"]}
                desk.state(ticket_id=number, charge_id=charge["id"], **amount)


def test_the_definition_says_that_it_destroys_and_may_be_repeated():
    hints = ISSUE_REFUND["annotations"]
    assert hints["destructiveHint"] is hints["idempotentHint"] is True
    assert hints["readOnlyHint"] is False


def test_an_answer_and_its_refund_are_written_together_or_not_at_all(tmp_path):
    database = ledger.opened(Desk(tmp_path).world.database)
    answer = {"nonce": "n", "outcome": "issued", "ends": 1000.0}
    unfinished = {"charge_id": "ch_1"}  # a column is missing: it fails half-way
    with pytest.raises(KeyError):
        ledger.settle(database, answer, 0.0, unfinished)
    assert ledger.outcome(database, "n") is None
    assert not database.in_transaction
    assert ledger.settle(database, {**answer, "outcome": "declined"}, 0.0)


ROW = {**dict.fromkeys(ledger.COLUMNS, ""), "refund_id": "re_1", "charge_id": "ch_1"}


def test_the_first_answer_to_a_question_counts_and_so_does_the_first_refund():
    database = ledger.opened(Desk().world.database)
    declined = {"nonce": "a", "outcome": "declined", "ends": 100.0}
    accepted = {"nonce": "a", "outcome": "issued", "ends": 100.0}
    assert ledger.settle(database, declined, 0.0)
    assert not ledger.settle(database, accepted, 0.0, ROW)
    assert ledger.of_charge(database, "ch_1") is None
    assert ledger.settle(database, {**accepted, "nonce": "b"}, 0.0, ROW)
    again = {**ROW, "refund_id": "re_2"}
    assert not ledger.settle(database, {**accepted, "nonce": "c"}, 0.0, again)
    assert ledger.outcome(database, "c") is None
    assert ledger.of_charge(database, "ch_1")["refund_id"] == "re_1"


def test_nobody_else_writes_between_looking_and_writing(tmp_path, monkeypatch):
    desk, other = Desk(tmp_path), Desk(tmp_path)
    database = ledger.opened(desk.world.database)
    other.world.database.execute("pragma busy_timeout = 0")
    look = ledger.outcome

    def looked(*asked):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.world.database.execute("begin immediate")
        return look(*asked)

    monkeypatch.setattr(ledger, "outcome", looked)
    answer = {"nonce": "a", "outcome": "declined", "ends": 100.0}
    assert ledger.settle(database, answer, 0.0)


def test_an_answer_is_forgotten_only_when_its_state_is_over_anyway():
    database = ledger.opened(Desk().world.database)
    for number, ends in (("a", 100.0), ("b", 200.0)):
        answer = {"nonce": number, "outcome": "declined", "ends": ends}
        assert ledger.settle(database, answer, 0.0)
    later = {"nonce": "c", "outcome": "declined", "ends": 300.0}
    # A day is left for a clock that somebody sets back.
    assert ledger.settle(database, later, ledger.DAY + 150.0)
    assert ledger.outcome(database, "a") is None
    assert ledger.outcome(database, "b") == "declined"
