"""Ask a person first, with the SDK's seal. (lesson 07)

A tool that returns an `InputRequiredResult` has asked, and on the retry finds its state
in the context as it wrote it, or the SDK has refused the request (see seal.py). Three
things the SDK leaves to the tool: whether this client can ask a person at all, how
often an answer counts, and an end that stays where it is though the same question is
sent again.
"""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY
from mcp.types import InputRequiredResult

from handwritten import confirm, turns
from handwritten.protocol import ProtocolError
from sdk.seal import SECONDS
from sdk.server import Desk

ASKED = ("confirm", "account")  # the names of all questions that tools here have
log = logging.getLogger(__name__)


class Question:
    """What a call asks, or the question that it answers. Raises MCPError."""

    def __init__(self, desk: Desk):
        self.desk = desk
        self.world = desk.request_context.lifespan_context.world
        # Nothing that a tool has not put there comes through the seal.
        self.asked = desk.request_state is not None
        if desk.request_state is None:
            self.nonce = self.world.random(16).hex()
            self.ends = self.world.now() + SECONDS
            return
        said = json.loads(desk.request_state)
        self.nonce, self.ends = said["nonce"], said["ends"]
        # Each time that a question is sent, the SDK's own end moves on.
        if self.ends <= self.world.now():
            raise self.refused("expired")

    def refused(self, reason: str) -> MCPError:
        """The error that the SDK has for a state that is not good."""
        log.warning("requestState rejected on tools/call: %s", reason)
        words = "Invalid or expired requestState"
        return MCPError(INVALID_PARAMS, words, data={"reason": "invalid_request_state"})

    def answer(self, name: str, request: dict) -> dict | None:
        """The answer; None: there is none yet. Raises MCPError, ToolError."""
        if self.desk.protocol_version != "2026-07-28":
            raise ToolError("This asks a person: it takes a client of 2026-07-28.")
        # As they came: in the SDK's models null and nothing are the same.
        params = self.desk.request_context.params or {}
        given = params.get("inputResponses", {}) if self.asked else {}
        if name not in given:
            return None
        answer = given[name]
        with protocol_errors():
            confirm.check(name, request["params"]["mode"], answer)
        if problem := confirm.misfit(request, answer):
            raise ToolError(f"{params['name']}: {problem}")
        return answer

    def required(self, name: str, request: dict) -> InputRequiredResult:
        """The result that asks, with the same nonce and end each time."""
        self.check_client(request["params"]["mode"])
        return InputRequiredResult.model_validate(
            {
                "inputRequests": {name: request},
                "requestState": json.dumps({"nonce": self.nonce, "ends": self.ends}),
            }
        )

    def check_client(self, mode: str) -> None:
        """Raise MCPError where the client did not say that it can ask a person so."""
        declared = self.desk.client_capabilities
        has = declared.elicitation if declared else None
        # An empty object is from the time when there were only forms.
        empty = has is not None and mode == "form" and has.url is None
        if empty or getattr(has, mode, None) is not None:
            return
        words = f"this takes a client that can ask a person: elicitation.{mode}"
        data: dict = {"requiredCapabilities": {"elicitation": {mode: {}}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, words, data=data)


async def well_formed(context, call_next):
    """Middleware: what the SDK bends or overlooks, and what it looks at needlessly."""
    params = context.params or {}
    with protocol_errors():
        # The SDK takes true for a token, and null for no state at all.
        turns.check_token(SimpleNamespace(params=params))
    if context.method != "tools/call":
        return await call_next(context)
    given: object = {}  # without a state, what there is answers nothing
    if "requestState" in params:
        given = params.get("inputResponses", {})
        if params["requestState"] is None or given is None:
            words = "requestState must be a string, inputResponses an object"
            raise MCPError(INVALID_PARAMS, words)
    if isinstance(given, dict):
        # The SDK holds every answer against its models, asked for or not.
        given = {name: given[name] for name in given if name in ASKED}
    params = {**params, "inputResponses": given}
    return await call_next(replace(context, params=params))


@contextmanager
def protocol_errors() -> Iterator[None]:
    """What the hand-written server refuses becomes the SDK's own kind of error."""
    try:
        yield
    except ProtocolError as problem:
        error: dict = problem.error
        raise MCPError(error["code"], error["message"]) from None
