"""Questions on the SDK's server: its seal, and what is ours. (lesson 07)"""

import json
import logging
import time
from contextlib import closing

import pytest

pytest.importorskip("mcp")

import anyio
from handwritten.helpdesk import accounts, ledger
from handwritten.world import World
from mcp import Client, MCPError
from mcp.types import ElicitResult
from sdk import refunds
from sdk.__main__ import main
from sdk.database import Database
from sdk.seal import security
from sdk.server import helpdesk_server
from sdk.tests.test_together import asked

LIMIT = 60  # seconds; only a hang takes that long
FIRST = {"ticket_id": "2318", "charge_id": "ch_204837", "amount_cents": 4900}
ACCOUNT = {"customer_id": "cus_1310"}
YES = {"action": "accept", "content": {"reason": "duplicate"}}
NO = {"action": "decline"}
INVALID, MISSING = -32602, -32021


@pytest.fixture
def data(tmp_path):
    return Database(tmp_path)


async def nobody(context, params):
    raise AssertionError("the client of these tests answers by itself")


def call(data, name="issue_refund", arguments=FIRST, mode="auto", **more):
    """The result of one call, without the client's own loop. Raises MCPError."""
    # With a callback, the client declares that it can ask a person.
    able = more.pop("able", True)
    how = {"mode": mode, "elicitation_callback": nobody if able else None}

    async def steps():
        with anyio.fail_after(LIMIT):
            async with Client(helpdesk_server(data), **how) as client:
                await client.list_tools()
                try:
                    return await client.session.call_tool(
                        name, arguments, allow_input_required=True, **more
                    )
                except MCPError as error:
                    return error  # a task group would wrap it up

    result = anyio.run(steps)
    if isinstance(result, MCPError):
        raise result
    return result


def ask(data, **how) -> str:
    """The state of a question that was just asked."""
    result = call(data, **how)
    assert result.result_type == "input_required"
    return result.request_state


def reply(data, state: str, answer=YES, **how):
    key = "account" if how.get("name") == "set_payout_account" else "confirm"
    responses = {key: ElicitResult.model_validate(answer)}
    return call(data, request_state=state, input_responses=responses, **how)


def refused(data, state: str, caplog, **how) -> str:
    """Why the state was refused, which only the log says."""
    caplog.clear()
    with caplog.at_level(logging.WARNING), pytest.raises(MCPError) as caught:
        reply(data, state, **how)
    assert caught.value.code == INVALID
    assert caught.value.message == "Invalid or expired requestState"
    (line,) = [each for each in caplog.messages if "requestState" in each]
    assert state not in caplog.text
    return line.rpartition(": ")[2]


def rows(data, table: str) -> list:
    with closing(data.world.connect()) as database:
        return ledger.opened(database).execute(f"select * from {table}").fetchall()


def test_a_question_names_charge_amount_and_customer(data):
    result = call(data)
    asked = result.input_requests["confirm"].params
    assert asked.message == (
        "Refund 49.00 USD of charge ch_204837 to Blue Heron Yoga (ticket 2318)?"
        " It can't be undone."
    )
    assert list(asked.requested_schema["properties"]) == ["reason", "note", "notify"]
    # Encrypted, and not only sealed: nothing in it can be read.
    assert result.request_state.startswith("v1.")
    assert rows(data, "refunds") == rows(data, "answered") == []


def test_a_state_outlives_the_process_that_made_it(data):
    state = ask(data)
    done = reply(Database(data.path.parent), state)
    assert done.structured_content["status"] == "issued"
    assert len(rows(data, "refunds")) == len(rows(data, "answered")) == 1


def test_a_state_of_another_folder_is_unknown(data, tmp_path, caplog):
    other = Database(tmp_path / "other")
    assert refused(other, ask(data), caplog) == "unknown key"


def test_the_log_says_why_a_state_is_refused(data, caplog):
    state = ask(data)
    assert refused(data, state[:-2] + "AA", caplog) == "seal"
    assert refused(data, "x", caplog) == "malformed"
    smaller = {**FIRST, "amount_cents": 4800}
    assert refused(data, state, caplog, arguments=smaller) == "request binding"
    ben = Database(data.path.parent)
    ben.world = World(str(data.path.parent), "ben")
    assert refused(ben, state, caplog) == "principal"
    assert reply(data, state, NO).structured_content["status"] == "declined"
    assert refused(data, state, caplog) == "already answered"
    assert rows(data, "refunds") == []


def test_a_question_that_is_sent_again_has_no_longer_life(data, caplog):
    began = data.world.now()
    state = ask(data)
    data.world.now = lambda: began + 590
    again = call(data, request_state=state).request_state
    data.world.now = lambda: began + 601
    assert refused(data, again, caplog) == "expired"  # though its seal is not


def test_a_question_that_is_sent_again_is_the_same_one(data):
    first = ask(data)
    second = call(data, request_state=first).request_state
    assert second != first
    assert reply(data, second, NO).structured_content["status"] == "declined"
    with pytest.raises(MCPError):
        reply(data, first)


def test_a_replay_gives_the_refund_there_is_whatever_it_says(data):
    one, two = ask(data), ask(data)
    done = reply(data, one).structured_content
    for again in (reply(data, one), reply(data, one, NO), reply(data, two), call(data)):
        assert again.structured_content == done
    assert len(rows(data, "refunds")) == 1


def test_forty_answers_at_once_make_one_refund(data, monkeypatch):
    states = [ask(data) for _ in range(4)]
    found: list = []
    settled = refunds.settled

    def together(*parts):
        time.sleep(0.2)  # until all of them have seen that there is no refund
        return settled(*parts)

    monkeypatch.setattr(refunds, "settled", together)

    async def answer(client, state):
        responses = {"confirm": ElicitResult.model_validate(YES)}
        more = {"request_state": state, "input_responses": responses}
        result = await client.session.call_tool("issue_refund", FIRST, **more)
        found.append(result.structured_content["refund_id"])

    async def steps():
        with anyio.fail_after(LIMIT):
            async with Client(helpdesk_server(data)) as client:
                await client.list_tools()
                async with anyio.create_task_group() as group:
                    for state in states * 10:
                        group.start_soon(answer, client, state)

    anyio.run(steps)
    assert len(found) == 40 and len(set(found)) == 1
    assert len(rows(data, "refunds")) == len(rows(data, "answered")) == 1


def test_a_client_that_can_ask_nobody_is_told_what_is_missing(data):
    with pytest.raises(MCPError) as caught:
        call(data, able=False)
    assert caught.value.code == MISSING
    needed = {"requiredCapabilities": {"elicitation": {"form": {}}}}
    assert caught.value.data == needed


def test_a_client_of_the_earlier_era_gets_a_tool_error(data):
    result = call(data, mode="legacy")
    assert result.is_error
    assert "2026-07-28" in result.content[0].text


def test_an_account_is_saved_when_the_page_says_so(data):
    how: dict = {"name": "set_payout_account", "arguments": ACCOUNT}
    asked = call(data, **how)
    url = asked.input_requests["account"].params.url
    entry = str(url).removeprefix(accounts.ADDRESS)
    assert "cus_1310" not in str(url)

    def went():
        answer = {"action": "accept"}
        return reply(data, asked.request_state, answer, **how)

    assert went().result_type == "input_required"
    with closing(data.world.connect()) as database:
        accounts.save(database, entry, "7890", data.world.now())
    saved = {"status": "saved", "customer_id": "cus_1310", "last4": "7890"}
    assert went().structured_content == saved


def test_the_other_server_honours_the_refund(data):
    done = reply(data, ask(data)).structured_content
    params = {"name": "issue_refund", "arguments": FIRST}
    theirs = asked(data.path.parent, "tools/call", params)["result"]
    assert theirs["structuredContent"] == done


def test_a_bad_key_ends_the_start_with_one_sentence(tmp_path, capsys):
    (tmp_path / "key").write_bytes(b"too short")
    assert main(["--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    key = tmp_path / "key"
    right = f"{key} is no key: remove it to get a new one"
    assert said == f"sdk: the data folder can't be used: {right}\n"


def test_a_state_holds_a_nonce_and_an_end(data):
    # Whom it is for and what it is about, the seal adds.
    claims = json.loads(security(data.world).codec.unseal(ask(data)))
    assert set(json.loads(claims["s"])) == {"nonce", "ends"}
    assert claims["m"] == "tools/call" and claims["t"] == "issue_refund"
