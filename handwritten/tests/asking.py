"""Talk to a helpdesk that asks first: calls, states, answers. (lesson 07)"""

import itertools

from handwritten.__main__ import helpdesk_server
from handwritten.helpdesk import ledger
from handwritten.tests.talk import META, ask, connect
from handwritten.world import World

START = 1_780_000_000.0  # 2026-05-28T20:26:40Z
MINUTE = 60
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
REFUND = {"ticket_id": "2318", "charge_id": "ch_204837", "amount_cents": 4900}
ACCEPT = {"action": "accept", "content": {"reason": "duplicate"}}
DECLINE, CANCEL = {"action": "decline"}, {"action": "cancel"}
IDS = itertools.count(1)  # a retry is a request of its own


class Desk:
    """A server whose clock is set by hand; each call is a connection of its own."""

    def __init__(self, data="", user="local", clock=None):
        self.clock, self.log = clock or [START], []
        self.world = World(str(data), user, now=lambda: self.clock[0])
        self.can: object = {"form": {}, "url": {}}
        self.server = helpdesk_server(self.log.append)
        self.server.world = self.world

    def send(self, name: str, arguments: dict, **more) -> dict:
        """The whole answer to a call; `more` goes beside its arguments."""
        meta = {**META, CAPABILITIES: {"elicitation": self.can}}
        params = {"name": name, "arguments": arguments, **more}
        return ask(connect(self.server), "tools/call", params, meta=meta, id=next(IDS))

    def refund(self, state=None, answer=None, **change) -> dict:
        """The answer to issue_refund, first or with a state and what was said."""
        more = {} if state is None else {"requestState": state}
        if answer is not None:
            more["inputResponses"] = {"confirm": answer}
        return self.send("issue_refund", {**REFUND, **change}, **more)

    def state(self, **change) -> str:
        asked = self.refund(**change)["result"]
        assert asked["resultType"] == "input_required", asked
        return asked["requestState"]

    def refunds(self) -> list[dict]:
        """What stands in the ledger."""
        rows = ledger.opened(self.world.database).execute("select * from refunds")
        return [dict(zip(ledger.COLUMNS, row, strict=True)) for row in rows]

    def answered(self) -> list[str]:
        rows = self.world.database.execute("select outcome from answered")
        return [outcome for (outcome,) in rows]


def good(answer: dict) -> dict:
    assert answer["result"]["resultType"] == "complete", answer
    assert answer["result"]["isError"] is False, answer
    return answer["result"]["structuredContent"]


def bad(answer: dict) -> str:
    assert answer["result"]["isError"] is True, answer
    return answer["result"]["content"][0]["text"]


def refused(answer: dict) -> str:
    """The text of -32602."""
    assert answer["error"]["code"] == -32602, answer
    return answer["error"]["message"]
