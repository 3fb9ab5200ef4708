"""An account that is entered elsewhere, and the page where it is. (lesson 07)"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from handwritten.helpdesk import accounts, provider
from handwritten.tests.asking import ACCEPT, CANCEL, DECLINE, MINUTE
from handwritten.tests.asking import Desk, bad, good, refused
from handwritten.tests.talk import code

ROOT = Path(__file__).resolve().parents[2]
CUSTOMER = {"customer_id": "cus_1310"}
GONE = {"action": "accept"}  # the person agreed to go there
NUMBER = "GB33 BUKB 2020 1555 5500"


def set_account(desk: Desk, state=None, answer=None) -> dict:
    more = {} if state is None else {"requestState": state}
    if answer is not None:
        more["inputResponses"] = {"account": answer}
    return desk.send("set_payout_account", CUSTOMER, **more)


def asked(answer: dict) -> tuple[str, str]:
    """The address and the state of a question."""
    result = answer["result"]
    assert result["resultType"] == "input_required", answer
    params = result["inputRequests"]["account"]["params"]
    return params["url"], result["requestState"]


def visit(folder, address: str, user="local", number=NUMBER):
    """Open the provider's page as the person would."""
    kept = {name: os.environ[name] for name in os.environ if "HELPDESK" not in name}
    command = [sys.executable, "-m", "handwritten.helpdesk.provider"]
    return subprocess.run(
        [*command, "--data", str(folder), address],
        input=f"{number}\n",
        encoding="utf-8",
        capture_output=True,
        cwd=ROOT,
        env={**kept, "HELPDESK_USER": user},
        timeout=60,
    )


def enter(desk: Desk, address: str, last4="5500") -> None:
    entry = address.removeprefix(accounts.ADDRESS)
    accounts.save(desk.world.database, entry, last4, desk.clock[0])


def test_an_account_goes_past_the_client_and_only_its_end_comes_back(tmp_path):
    desk = Desk(tmp_path)
    desk.clock[0] = desk.world.now() + 10**9  # the provider has a clock of its own
    address, state = asked(set_account(desk))
    done = visit(tmp_path, address)
    assert done.returncode == 0, done.stderr
    assert "RuntimeWarning" not in done.stderr
    data = good(set_account(desk, state, GONE))
    assert data == {"status": "saved", **CUSTOMER, "last4": "5500"}
    kept = (tmp_path / "state.db").read_bytes()
    for part in (b"GB33", b"BUKB", b"2020"):
        assert part not in kept


def test_the_address_is_random_and_tells_nothing_of_anyone():
    desk = Desk(user="ana")
    addresses = {asked(set_account(desk))[0] for _ in range(10)}
    assert len(addresses) == 10
    for address in addresses:
        assert re.fullmatch("https://pay[.]example/accounts/[0-9a-f]{32}", address)


def test_accept_says_only_that_the_person_went_there():
    desk = Desk()
    address, state = asked(set_account(desk))
    for _ in range(3):
        assert asked(set_account(desk, state, GONE))[0] == address
    assert desk.world.database.execute("select last4 from accounts").fetchall() == [
        ("",)
    ]
    enter(desk, address)
    assert good(set_account(desk, state, GONE))["status"] == "saved"


@pytest.mark.parametrize(
    ("answer", "status"), [(DECLINE, "declined"), (CANCEL, "cancelled")]
)
def test_declined_or_cancelled_closes_the_page(answer, status, tmp_path):
    desk = Desk(tmp_path)
    address, state = asked(set_account(desk))
    assert good(set_account(desk, state, answer)) == {"status": status, **CUSTOMER}
    done = visit(tmp_path, address)
    assert done.returncode == 1
    assert "no such page" in done.stderr
    refused(set_account(desk, state, GONE))
    assert desk.log[-1] == "requestState refused: already answered"


def test_what_was_entered_all_the_same_counts():
    desk = Desk()
    address, state = asked(set_account(desk))
    enter(desk, address)
    assert good(set_account(desk, state, DECLINE))["status"] == "saved"


def test_a_page_that_is_closed_or_over_while_one_types_keeps_nothing(monkeypatch):
    desk = Desk()
    for meanwhile in (
        lambda state: set_account(desk, state, DECLINE),
        lambda state: desk.clock.__setitem__(0, desk.clock[0] + 10 * MINUTE),
    ):
        address, state = asked(set_account(desk))

        def typed(prompt, change=meanwhile, state=state):
            change(state)
            return NUMBER

        monkeypatch.setattr(provider, "typed", typed)
        assert "over" in provider.visit(desk.world, address)
        assert accounts.of_customer(desk.world.database, "cus_1310") == ""


def test_a_page_opens_for_the_person_who_was_asked_and_nobody_else(tmp_path):
    desk = Desk(tmp_path, "ana")
    desk.clock[0] += 10**9
    address, state = asked(set_account(desk))
    for user in ("ben", "", "Ana"):
        done = visit(tmp_path, address, user)
        assert done.returncode == 1
        assert "somebody else" in done.stderr
        assert "Account number" not in done.stderr + done.stdout
    assert visit(tmp_path, address, "ana").returncode == 0
    assert good(set_account(desk, state, GONE))["status"] == "saved"
    # It is used up.
    assert visit(tmp_path, address, "ana").returncode == 1


@pytest.mark.parametrize("number", ["", "123", "x" * 35, "1234 567é", "1234567\0"])
def test_what_is_no_account_is_not_kept(number, tmp_path):
    desk = Desk(tmp_path)
    desk.clock[0] += 10**9
    address, state = asked(set_account(desk))
    assert visit(tmp_path, address, number=number).returncode == 1
    asked(set_account(desk, state, GONE))


def test_a_page_is_over_when_its_state_is(tmp_path):
    desk = Desk(tmp_path)  # its clock is far behind the provider's
    address, state = asked(set_account(desk))
    assert visit(tmp_path, address).returncode == 1
    desk.clock[0] += 10 * MINUTE
    refused(set_account(desk, state, GONE))


@pytest.mark.parametrize(
    ("can", "asks"),
    [({"url": {}}, True), ({"form": {}}, False), ({}, False), (None, False)],
)
def test_only_a_client_that_declared_addresses_is_given_one(can, asks):
    desk = Desk()
    desk.can = can
    answer = set_account(desk)
    if asks:
        asked(answer)
        return
    assert code(answer) == -32021
    needed = {"requiredCapabilities": {"elicitation": {"url": {}}}}
    assert answer["error"]["data"] == needed


def test_a_charge_whose_card_is_closed_waits_for_an_account():
    desk = Desk()
    charge = {"ticket_id": "2370", "charge_id": "ch_206288", "amount_cents": 1200}
    assert "set_payout_account" in bad(desk.refund(**charge))
    address, state = asked(set_account(desk))
    enter(desk, address)
    good(set_account(desk, state, GONE))
    data = good(desk.refund(desk.state(**charge), ACCEPT, **charge))
    assert (data["status"], data["currency"]) == ("issued", "GBP")


def test_the_latest_account_of_a_customer_counts():
    desk = Desk()
    for last4 in ("1111", "2222"):
        desk.clock[0] += 1
        address, state = asked(set_account(desk))
        enter(desk, address, last4)
        assert good(set_account(desk, state, GONE))["last4"] == last4
    assert accounts.of_customer(desk.world.database, "cus_1310") == "2222"


def test_an_unknown_customer_has_no_account():
    answer = Desk().send("set_payout_account", {"customer_id": "cus_0"})
    assert 'No customer "cus_0"' in bad(answer)


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    done = visit(tmp_path / "file", "x")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1
