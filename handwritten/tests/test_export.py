"""An export takes its time: pace, progress, places. (lesson 07)"""

import csv
import io

import pytest
from handwritten.helpdesk import export
from handwritten.helpdesk.tickets import tickets
from handwritten.tests.asking import START, bad, good
from handwritten.tests.talk import META, connect, request, send
from handwritten.tests.test_eras import shake_hands
from handwritten.world import World


class Exports:
    """A connection with a clock that each tick moves on by 10 ms."""

    def __init__(self, user="local", world=None):
        self.clock = START
        self.connection = connect()
        self.world = world or World(user=user, now=lambda: self.clock)
        self.connection.server.world = self.world

    def call(self, id=1, meta=META, **arguments) -> list[dict]:
        params = {"name": "export_tickets", "arguments": arguments}
        return send(self.connection, request("tools/call", params, id=id, meta=meta))

    def tick(self, count=1) -> list[dict]:
        said = []
        for _ in range(count):
            self.clock += 0.01
            said += self.connection.receive(None)
        return said

    def whole(self, token=None, **arguments) -> list[dict]:
        """All that is said for one export."""
        meta = META if token is None else {**META, "progressToken": token}
        return self.call(meta=meta, **arguments) + self.tick(400)


def rows(answer: dict) -> list[list[str]]:
    (block,) = answer["result"]["content"][1:]
    assert block["type"] == "resource"
    assert block["annotations"] == {"audience": ["user"]}
    assert block["resource"]["mimeType"] == "text/csv"
    text = block["resource"]["text"]
    data = good(answer)
    assert data["bytes"] == len(text.encode())
    found = list(csv.reader(io.StringIO(text, newline="")))
    assert data["tickets"] == len(found) - 1
    return found


def test_all_tickets_are_in_the_file():
    (answer,) = Exports().whole()
    names, *found = rows(answer)
    assert names == list(export.COLUMNS)
    assert [row[0] for row in found] == list(tickets())


def test_a_status_narrows_it():
    (answer,) = Exports().whole(status="pending")
    found = rows(answer)[1:]
    assert {row[2] for row in found} == {"pending"}


def test_it_takes_its_time_and_no_more():
    exports = Exports()
    exports.call()
    while not (said := exports.tick()):
        pass
    assert rows(said[0])
    assert len(tickets()) / 25 - 0.1 < exports.clock - START < len(tickets()) / 25 + 0.5


@pytest.mark.parametrize("jump", [-7200, 7200])
def test_a_clock_that_is_set_meanwhile_neither_stops_it_nor_lets_it_rush(jump):
    exports = Exports()
    exports.call()
    exports.tick(50)
    exports.clock += jump
    assert exports.tick(100) == []
    assert len(exports.tick(200)) == 1


@pytest.mark.parametrize("token", ["t", "", 0, 7])
def test_progress_grows_to_the_end_for_its_own_token_and_ends_before_the_answer(token):
    # anthropics/claude-code#47765: CAN-07; modelcontextprotocol/python-sdk#176: CAN-08
    *told, answer = Exports().whole(token)
    assert answer["id"] == 1
    assert {each["method"] for each in told} == {"notifications/progress"}
    params = [each["params"] for each in told]
    assert all(each["progressToken"] == token for each in params)
    assert all(type(each["progressToken"]) is type(token) for each in params)
    values = [each["progress"] for each in params]
    assert values == sorted(set(values))
    assert values[-1] == len(tickets()) == params[-1]["total"]
    assert 10 < len(values) <= 27  # 2.5 s, at most every 100 ms, and the last


def test_without_a_token_only_the_answer_comes():
    assert len(Exports().whole()) == 1


def test_two_exports_at_a_time_each_tell_of_themselves():
    exports = Exports()
    metas = [{**META, "progressToken": each} for each in ("a", "b")]
    said = exports.call(1, metas[0]) + exports.tick(100)
    said += exports.call(2, metas[1]) + exports.tick(400)
    told = [each["params"] for each in said if "method" in each]
    assert {each["progressToken"] for each in told} == {"a", "b"}
    assert [each["id"] for each in said if "id" in each] == [1, 2]
    end = [each.get("id") for each in said].index(1)
    tokens = [
        each["params"]["progressToken"] for each in said[end:] if "method" in each
    ]
    assert set(tokens) == {"b"}


def cancel(exports: Exports, id) -> list[dict]:
    params = {"requestId": id}
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
    return send(exports.connection, {**message, "params": params})


def test_a_third_export_of_a_user_is_refused_until_a_place_is_free():
    exports = Exports()
    other = Exports(world=exports.world)  # another connection of the same user
    assert exports.call(1) == [] == other.call(1)
    (answer,) = exports.call(2)
    assert "2 of your exports are running" in bad(answer)
    assert cancel(exports, 1) == []
    assert exports.call(3) == []
    assert len(exports.call(4)) == 1
    exports.tick(400)
    assert exports.call(5) == []


def test_an_export_of_somebody_else_takes_no_place(tmp_path):
    exports = Exports("ana")
    exports.call(1)
    exports.call(2)
    exports.world.user = "ben"
    assert exports.call(3) == []


def test_an_export_that_fails_gives_its_place_back(monkeypatch):
    def fail(rows):
        raise OSError("/home/secret")

    monkeypatch.setattr(export, "table", fail)
    exports = Exports()
    for id in range(4):
        (answer,) = exports.call(id) + exports.tick(400)
        assert "secret" not in bad(answer)
    assert set(exports.world.exports.values()) == {0}


@pytest.mark.parametrize("steps", [0, 1, 2, 50, 249])
def test_a_cancelled_export_says_nothing_more_wherever_it_was(steps):
    exports = Exports()
    exports.call(meta={**META, "progressToken": 1})
    exports.tick(steps)
    assert cancel(exports, 1) == []
    assert exports.tick(400) == []
    assert exports.world.exports == {"local": 0}


def test_an_old_client_gets_progress_too():
    exports = Exports()
    shake_hands(exports.connection)
    *told, answer = exports.call(meta={"progressToken": 0}) + exports.tick(400)
    assert len(told) > 10
    assert "resultType" not in answer["result"]


@pytest.mark.parametrize("words", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_a_customers_words_are_no_formula(words):
    assert export.cell(words) == f"'{words}"
    assert export.cell(f"x{words}") == f"x{words}"


@pytest.mark.parametrize("words", ["a,b", 'a "b"', "a\nb", "é漢😀"])
def test_words_come_out_as_they_went_in(words):
    text = export.table([["a", words], [words, "b"]])
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["a", words],
        [words, "b"],
    ]
