"""The same questions and answers to both servers, good and hostile. (lesson 07)

Each server has a folder of its own, so that the same steps mean the same to both.
"""

import json
import tempfile
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from handwritten.__main__ import helpdesk_server as by_hand
from handwritten.server import Connection
from lessons.manifest import META
from lessons.warmed import sdk_words
from lessons.wire import Wire

ROOT = Path(__file__).resolve().parents[2]
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
FIRST = {"ticket_id": "2318", "charge_id": "ch_204837", "amount_cents": 4900}
SECOND = {**FIRST, "charge_id": "ch_204811"}
CLOSED = {"ticket_id": "2370", "charge_id": "ch_206288", "amount_cents": 1200}
ACCOUNT = {"customer_id": "cus_1310"}
TICKET = {"ticket_id": "2318"}
CONTENT = {"reason": "duplicate", "notify": True}
# What differs each time, and the SDK's own word for an error.
VOLATILE = ("requestState", "refund_id", "at", "url", "_meta")


def able(*modes: str) -> dict:
    return {**META, CAPABILITIES: {"elicitation": {mode: {} for mode in modes}}}


BOTH = able("form", "url")


def call(name="issue_refund", arguments=FIRST, meta=BOTH, **more) -> dict:
    return {"name": name, "arguments": arguments, **more, "_meta": meta}


def retry(answer, **how) -> dict:
    """The call again with the first state, or with `state`, and this answer."""
    state = how.pop("state", "{state}")
    key = "account" if how.get("name") == "set_payout_account" else "confirm"
    return call(requestState=state, inputResponses={key: answer}, **how)


def accept(**content) -> dict:
    return {"action": "accept", "content": {**CONTENT, **content}}


MALFORMED: list = [
    None,
    5,
    [],
    {},
    {"action": "yes"},
    {"action": None},
    {"action": "accept", "content": None},
    {"action": "accept", "content": []},
    {"roots": []},
]
ODD_STATES: list = [None, 7, True, "", "x", "é", [], {}, "{state}A"]
CALLS: list[dict] = [
    call(arguments={**FIRST, "ticket_id": "9999"}),
    call(arguments={**FIRST, "ticket_id": "2319"}),
    call(arguments={**FIRST, "charge_id": "ch_9"}),
    call(arguments={**FIRST, "amount_cents": 4901}),
    call(arguments={**FIRST, "amount_cents": 10**40}),
    call(arguments={**FIRST, "amount_cents": 0}),
    call(arguments={**FIRST, "amount_cents": "4900"}),
    call(arguments={**FIRST, "amount_cents": 49.5}),
    call(arguments={**FIRST, "amount_cents": True}),
    call(arguments={**FIRST, "more": 1}),
    call(arguments=CLOSED),
    call("set_payout_account", {"customer_id": "cus_9"}),
    call("export_tickets", {"status": "lost"}),
    call("export_tickets", {"status": None}),
    *[call(meta=meta) for meta in (META, able("url"), able())],
    *[
        call("set_payout_account", ACCOUNT, meta)
        for meta in (META, able("form"), able())
    ],
    *[
        call("get_ticket", TICKET, {**META, "progressToken": token})
        for token in (0, "", 1.5, 1.0, True, None, [])
    ],
    call(inputResponses={"confirm": 5}),
    call(inputResponses=[]),
    call("get_ticket", TICKET, inputResponses=5),
]
# In this order: each step finds what the steps before it have left.
STEPS: list[dict] = [
    *[retry(answer) for answer in MALFORMED],
    *[
        retry(accept(**content))
        for content in (
            {"reason": "because"},
            {"reason": None},
            {"reason": 7},
            {"note": "x" * 201},
            {"note": "\0"},
            {"notify": 1},
        )
    ],
    call(requestState="{state}"),
    call(requestState="{state}", inputResponses={}),
    call(requestState="{state}", inputResponses={"nickname": 5}),
    *[call(requestState="{state}", inputResponses=each) for each in (None, [], "x")],
    *[retry(accept(), state=state) for state in ODD_STATES],
    retry(accept(), arguments=SECOND),
    retry(accept(), arguments={**FIRST, "amount_cents": 4899}),
    call("get_ticket", TICKET, requestState="{state}"),
    call("set_payout_account", ACCOUNT, requestState="{state}"),
    call("get_tickets", TICKET, requestState="{state}"),
    retry({"action": "decline"}),
    retry({"action": "decline"}),
    retry(accept()),
    call(requestState="{state}"),
]
AFTER: list[dict] = [
    retry(accept(unknown=5)),
    retry(accept()),
    retry({"action": "cancel"}),
    call(requestState="{state}"),
    call(),
    call(meta=META),
    call(arguments={**FIRST, "amount_cents": 1}),
]
ACCOUNTS: list[dict] = [
    retry({"action": action}, name="set_payout_account", arguments=ACCOUNT)
    for action in ("accept", "nothing", "cancel", "accept")
]


class Both:
    """The two servers: a process of the SDK's, and the hand-written core."""

    def __init__(self, words: list[str], folder: Path):
        self.wired = Wire(words, ROOT, data=str(folder / "sdk"), user="ana")
        made = by_hand(data=str(folder / "handwritten"), user="ana")
        self.core = Connection(made)
        self.state = ["", ""]

    def ask(self, params: dict) -> tuple[dict, dict]:
        """What each says; {state} in what is sent is the state that it gave."""
        one, other = (self.filled(params, number) for number in (0, 1))
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": other}
        theirs = list(self.core.receive(json.dumps(message).encode()))
        while theirs[-1:] == [] or "method" in theirs[-1]:
            theirs += self.core.receive(None)
        return self.wired.request("tools/call", one, meta=None), theirs[-1]

    def filled(self, params: dict, number: int) -> dict:
        state = params.get("requestState")
        if not isinstance(state, str):
            return params
        return {**params, "requestState": state.replace("{state}", self.state[number])}

    def begin(self, params: dict) -> None:
        """Have a question asked, whose states later steps use."""
        answers = self.ask(params)
        self.state = [answer["result"]["requestState"] for answer in answers]


def meaning(answer: dict) -> dict:
    """The code of an error, or the result without what differs each time."""
    if "error" in answer:
        error = answer["error"]
        needed = (error.get("data") or {}).get("requiredCapabilities")
        return {"code": error["code"], "needed": needed}
    return steady(answer["result"])


def steady(value):
    if isinstance(value, dict):
        return {
            name: steady(part) for name, part in value.items() if name not in VOLATILE
        }
    if isinstance(value, list):
        return [steady(each) for each in value]
    if isinstance(value, str) and value.startswith("{"):
        return steady(json.loads(value))
    return value


@pytest.fixture(scope="module")
def words():
    with (
        tempfile.TemporaryDirectory() as folder,
        sdk_words(f"{folder}/warm", ROOT) as started,
    ):
        yield started


@pytest.fixture
def both(words, tmp_path):
    made = Both(words, tmp_path)
    yield made
    made.wired.close()


def differences(both: Both, steps: list[dict]) -> list:
    found = []
    for step in steps:
        ours, theirs = map(meaning, both.ask(step))
        if ours != theirs:
            found.append((step, ours, theirs))
    return found


def test_calls_that_ask_and_calls_that_can_not(both):
    assert differences(both, [call(), *CALLS]) == []


def test_good_and_hostile_answers_to_a_refund(both):
    both.begin(call())
    assert differences(both, STEPS) == []
    both.begin(call())
    assert differences(both, AFTER) == []


def test_answers_about_an_account(both):
    both.begin(call("set_payout_account", ACCOUNT))
    assert differences(both, ACCOUNTS) == []


def test_an_export_is_the_same_file(both):
    assert differences(both, [call("export_tickets", {"status": "pending"})]) == []


# What is left: lessons/05-sdk/deviations.toml has the rows.
NAMED = {
    "answers-before-the-tool": [
        retry(accept(unknown={"a": 1})),
        retry({"action": "decline", "content": 5}),
    ],
    "state-before-the-rest": [retry(accept(), arguments={**FIRST, "amount_cents": 0})],
}


@pytest.mark.parametrize("name", NAMED)
def test_a_named_difference_is_one(both, name):
    both.begin(call())
    for step in NAMED[name]:
        ours, _ = both.ask(step)
        assert ours["error"]["code"] == -32602
        assert differences(both, [step])
