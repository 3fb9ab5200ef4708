"""`input_required`: a person is asked, and the same request sent again. (lesson 07)"""

import json

import pytest
from host.asking import ROUNDS
from host.client import Refusal, ServerFailure
from host.tests.fake_server import MODERN
from host.tests.parts import CALL, Person, Script, Typist, changed, methods, old
from host.tests.parts import fake, host, modern, proposal, record, text_result, texts

NAME = {"type": "string", "title": "Your name"}
FORM = {"type": "object", "properties": {"name": NAME}, "required": ["name"]}
ASK = {"mode": "form", "message": "Who are you?", "requestedSchema": FORM}
PAGE = {"mode": "url", "message": "Go there.", "url": "https://pay.example/accounts/1"}
STATE = "opaque.\u00e9 {}\\"
DONE = [text_result("done")]


def question(params: object = ASK, method: object = "elicitation/create") -> dict:
    return {"method": method, "params": params}


def needed(**parts: object) -> dict:
    return {"result": {"resultType": "input_required", **parts}}


class Desk:
    """A host with a fake server that asks, and a person who types."""

    def __init__(self, start, tmp_path, first, retry, person):
        plan = {**changed(MODERN, {"call": [first]}), "retry": retry}
        command, self.got = record(tmp_path, plan)
        self.person = person
        self.client = start(command, opened=False)
        self.host = host(self.client, Script({"text": ""}), person)

    def call(self) -> dict:
        return self.client.request("tools/call", CALL)

    def calls(self) -> list[dict]:
        return [each for each in self.got() if each["method"] == "tools/call"]


@pytest.fixture
def desk(start, tmp_path):
    def one(first, retry=(), person=None) -> Desk:
        return Desk(start, tmp_path, first, list(retry), person or Typist("Ana", "s"))

    return one


def without_meta(message: dict) -> dict:
    return {
        name: message["params"][name] for name in message["params"] if name[0] != "_"
    }


def test_the_retry_is_the_same_request_with_a_new_id_the_answers_and_the_state(desk):
    # nicobailon/pi-mcp-adapter#469, andreasronge/ptc_runner#1152
    made = desk(needed(inputRequests={"who": question()}, requestState=STATE), DONE)
    assert texts(made.call()) == ["done"]
    first, again = made.calls()
    answer = {"action": "accept", "content": {"name": "Ana"}}
    more = {"inputResponses": {"who": answer}, "requestState": STATE}
    assert without_meta(first) == CALL
    assert without_meta(again) == {**CALL, **more}
    assert first["id"] != again["id"]


def test_without_a_state_none_is_sent_back(desk):
    made = desk(needed(inputRequests={"who": question()}), DONE)
    made.call()
    assert set(without_meta(made.calls()[1])) == {*CALL, "inputResponses"}


def test_a_state_without_questions_is_sent_back_at_once_and_nobody_is_asked(desk):
    made = desk(needed(requestState=""), DONE, Person())
    assert texts(made.call()) == ["done"]
    assert without_meta(made.calls()[1]) == {**CALL, "requestState": ""}


def test_answers_and_state_of_one_round_are_not_sent_with_another(desk):
    second = needed(inputRequests={"page": question(PAGE)})
    made = desk(needed(inputRequests={"who": question()}, requestState="a"), [second])
    made.person.lines += ["y"] * ROUNDS
    with pytest.raises(Refusal, match="again after 10 rounds"):
        made.call()
    third = without_meta(made.calls()[2])
    assert third == {**CALL, "inputResponses": {"page": {"action": "accept"}}}


def test_a_server_that_asks_without_end_is_left_after_ten_rounds(desk):
    made = desk(needed(requestState="s"), [needed(requestState="s")])
    for _ in range(2):  # and the next call has all its rounds again
        before = len(made.calls())
        with pytest.raises(Refusal, match="again after 10 rounds"):
            made.call()
        assert len(made.calls()) - before == 1 + ROUNDS
    assert len({each["id"] for each in made.calls()}) == 2 * (1 + ROUNDS)


def test_all_questions_of_a_round_are_answered_before_the_retry(desk):
    two = {"a": question(), "b": question(PAGE)}
    made = desk(needed(inputRequests=two), DONE, Typist("Ana", "d", "y"))
    made.call()
    answers = without_meta(made.calls()[1])["inputResponses"]
    assert answers == {"a": {"action": "decline"}, "b": {"action": "accept"}}


def test_who_cancels_one_question_is_not_asked_the_rest(desk):
    made = desk(needed(inputRequests={"a": question(), "b": question()}), DONE)
    made.person.lines = []
    made.call()
    answers = without_meta(made.calls()[1])["inputResponses"]
    assert answers == {"a": {"action": "cancel"}, "b": {"action": "cancel"}}
    assert sum("asks:" in line for line in made.person.told) == 1


def test_ctrl_c_in_a_form_is_cancel_and_the_call_goes_on(desk):
    person = Typist(KeyboardInterrupt)
    made = desk(needed(inputRequests={"a": question()}), DONE, person)
    assert texts(made.call()) == ["done"]
    answers = without_meta(made.calls()[1])["inputResponses"]
    assert answers == {"a": {"action": "cancel"}}


def test_a_second_ctrl_c_within_a_second_ends_the_program(desk):
    person = Typist(KeyboardInterrupt, KeyboardInterrupt)
    two = [needed(inputRequests={"a": question()})]
    made = desk(two[0], two, person)
    with pytest.raises(KeyboardInterrupt):
        made.call()


BROKEN: list = [
    {},
    {"inputRequests": {}},
    {"inputRequests": None, "requestState": "s"},
    {"inputRequests": [question()], "requestState": "s"},
    {"inputRequests": {"a": question()}, "requestState": None},
    {"requestState": 5},
    {"inputRequests": {"a": None}},
    {"inputRequests": {"a": {"params": ASK}}},
    {"inputRequests": {"a": question(None)}},
    {"inputRequests": {"a": question({**ASK, "message": 5})}},
    # What stands below the end of the screen would be agreed to unseen.
    {"inputRequests": {"a": question({**ASK, "message": "Yes?" + 25 * "\n" + "Pay."})}},
    {"inputRequests": {"a": question({**ASK, "message": "Yes? " * 200})}},
    {"inputRequests": {"a": question({**ASK, "mode": "voice"})}},
    {"inputRequests": {"a": question({**ASK, "mode": ["form"]})}},
    {"inputRequests": {"a": question({}, "sampling/createMessage")}},
    {"inputRequests": {"a": question({}, "roots/list")}},
    {"inputRequests": {"a": question(), "b": question({}, "roots/list")}},
    {"inputRequests": {"a": question(ASK, ["elicitation/create"])}},
    {"inputRequests": {str(n): question() for n in range(11)}},
]


@pytest.mark.parametrize("parts", BROKEN)
def test_what_can_not_be_asked_fails_the_call_and_nobody_is_asked(desk, parts):
    made = desk(needed(**parts), DONE)
    with pytest.raises(Refusal, match="asked"):
        made.call()
    assert len(made.calls()) == 1
    assert made.person.told == []


def test_sampling_is_refused_by_name_and_the_model_is_told(start):
    asked = needed(inputRequests={"a": question({}, "sampling/createMessage")})
    model = Script(proposal(), {"text": "Sorry."})
    host(start(modern(call=[asked]), opened=False), model, Typist()).converse("?")
    told = model.seen[1][0][-1]["text"]
    assert '"sampling/createMessage", which this host does not do' in told
    assert "unknown" not in told  # it answered: nothing is in doubt


@pytest.mark.parametrize("method", ["resources/list", "completion/complete"])
def test_other_requests_may_not_need_input(start, method):
    one = start(fake({**MODERN, method: [needed(requestState="s")]}), opened=False)
    host(one, Script({"text": ""}), Typist())
    with pytest.raises(Refusal, match="where none may be"):
        one.request(method)


@pytest.mark.parametrize("method", ["prompts/get", "resources/read"])
def test_prompts_and_resources_may_need_input(start, method):
    plan = {**MODERN, method: [needed(requestState="s")], "retry": DONE}
    one = start(fake(plan), opened=False)
    host(one, Script({"text": ""}), Typist())
    assert texts(one.request(method, {"name": "x"})) == ["done"]


def test_what_came_of_a_retry_is_never_kept(start, tmp_path):
    kept = {"contents": [], "ttlMs": 60_000, "cacheScope": "public"}
    plan = {**MODERN, "resources/read": [needed(requestState="s")]}
    command, got = record(tmp_path, {**plan, "retry": [{"result": kept}]})
    made = host(start(command, opened=False), Script({"text": ""}), Typist())
    for _ in range(2):
        made.readers[0].request("resources/read", {"uri": "a://b"})
    assert methods(got()).count("resources/read") == 4


def test_an_old_server_can_not_need_input(start):
    one = start(old(call=[needed(requestState="s")]), opened=False)
    host(one, Script({"text": ""}), Typist())
    with pytest.raises(ServerFailure, match="unknown type"):
        one.request("tools/call", CALL)


# --- what is declared


@pytest.mark.parametrize(("person", "declared"), [(Typist(), 1), (Person(), 0)])
def test_forms_are_declared_only_where_somebody_can_fill_them(desk, person, declared):
    made = desk(text_result("fine"), person=person)
    made.call()
    for message in made.got():
        meta = message["params"]["_meta"]
        said = meta["io.modelcontextprotocol/clientCapabilities"]
        assert said == ({"elicitation": {"form": {}, "url": {}}} if declared else {})


def test_a_question_that_nobody_can_answer_is_refused(desk):
    made = desk(needed(inputRequests={"a": question()}), DONE, Person())
    with pytest.raises(Refusal, match="nobody is there"):
        made.call()
    assert methods(made.got()).count("tools/call") == 1


@pytest.mark.parametrize(
    ("person", "words"),
    [(Person(), "nobody is at a terminal"), (Typist(), "does not offer")],
)
def test_a_missing_capability_is_told_in_plain_words(start, person, words):
    data = {"requiredCapabilities": {"elicitation": {"form": {}}}}
    error = {"code": -32021, "message": "elicitation.form", "data": data}
    model = Script(proposal(), {"text": "Sorry."})
    made = host(start(modern(call=[{"error": error}]), opened=False), model, person)
    made.converse("?")
    told = model.seen[1][0][-1]
    assert told["is_error"]
    assert words in told["text"]
    assert any(words in step["text"] for step in made.steps)


# --- what the run keeps


def test_question_and_answer_are_steps_of_the_run(desk):
    made = desk(needed(inputRequests={"who": question()}), DONE)
    made.call()
    asked, said = made.host.steps[-2:]
    assert (asked["who"], asked["text"]) == (
        "host",
        "fake wants the person's answer first",
    )
    assert (said["who"], said["text"]) == ("person", 'accept {"name":"Ana"}')
    assert json.loads(json.dumps(made.host.steps)) == made.host.steps
