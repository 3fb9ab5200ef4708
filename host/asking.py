"""When a server needs something from the person before it can answer. (lesson 07)

It does not send a request of its own: it answers `input_required`, and the request is
over. The host collects all answers and sends the same request again, with a new id,
with what the person said, and with the server's state unchanged, which is nobody's
business but the server's (basic/patterns/mrtr).
"""

import time

from handwritten.protocol import REVISION
from handwritten.text import quote
from host.client import Client, Refusal, ServerFailure
from host.decide import exact
from host.forms import ask_form
from host.pages import ask_page

METHODS = "tools/call", "prompts/get", "resources/read"  # others may not ask
ROUNDS = 10  # retries of one request
MOST_QUESTIONS = 10  # in one round
# Of a message: nobody should agree to what they can't see.
MOST_LINES, LONGEST_LINE = 20, 500
CAPABILITIES: dict = {"elicitation": {"form": {}, "url": {}}}
MISSING_CAPABILITY = -32021
MODES = {"form": ask_form, "url": ask_page}
ADDED = "inputResponses", "requestState"  # what a retry has more than its request
TWICE = 1.0  # seconds between two Ctrl-C that end the program


class Asking:
    """What one client needs of the person: answers, and a place for remarks."""

    def __init__(self, host, client: Client):
        self.host, self.client, self.rounds = host, client, 0

    @property
    def capabilities(self) -> dict:
        """What a server may ask for: nothing where nobody would see the question."""
        return CAPABILITIES if self.host.person.there() else {}

    def note(self, text: str) -> None:
        self.host.say("host", f"{self.client.name}: {text}")

    def progress(self, progress: float, total: float | None, message: str) -> None:
        if self.host.bar:
            self.host.bar.show(progress, total, message)

    def more(self, method: str, params: dict | None, answer: dict) -> dict | None:
        """The params of the next try; None where the answer is the last one.

        Raises Refusal where the server may not ask so, or asks without end.
        """
        result = answer.get("result")
        if not isinstance(result, dict) or self.client.revision != REVISION:
            return None
        params = params or {}
        # A request that is no retry begins to count anew.
        self.rounds = self.rounds + 1 if set(ADDED) & set(params) else 0
        if result.get("resultType") != "input_required":
            return None
        if method not in METHODS:
            raise Refusal(f"asked for input in answer to {method}, where none may be")
        if self.rounds == ROUNDS:
            raise Refusal(f"asked for input again after {ROUNDS} rounds")
        retry = {name: params[name] for name in params if name not in ADDED}
        if requests := requests_of(result, self.capabilities):
            retry["inputResponses"] = self.answers(requests)
        if "requestState" in result:
            retry["requestState"] = result["requestState"]
        return retry

    def answers(self, requests: dict) -> dict:
        """All answers of one round. Who cancels one question cancels those after it."""
        given: dict = {}
        for key, request in requests.items():
            left = {"action": "cancel"}
            given[key] = left if left in given.values() else self.ask(request["params"])
        return given

    def ask(self, params: dict) -> dict:
        """Put one question to the person; question and answer are steps of the run."""
        host, name = self.host, self.client.name
        host.say("host", f"{name} wants the person's answer first", asked=params)
        try:
            answer = MODES[params.get("mode", "form")](params, name, host.person)
        except KeyboardInterrupt:
            host.person.tell("")  # what was typed stands on a line of its own
            interrupted(host)
            answer = {"action": "cancel"}
        content = exact(answer["content"]) if "content" in answer else ""
        host.say("person", f"{answer['action']} {content}".rstrip(), answer=answer)
        return answer


def requests_of(result: dict, capabilities: dict) -> dict:
    """The questions of one round. Raises Refusal where one can't be put."""
    requests, state = result.get("inputRequests", {}), result.get("requestState", "")
    if not isinstance(requests, dict) or not isinstance(state, str):
        raise Refusal("asked for input in a way that can't be read")
    if not requests and "requestState" not in result:
        raise Refusal("asked for input, but said neither which nor for what")
    if len(requests) > MOST_QUESTIONS:
        raise Refusal(f"asked {len(requests)} questions at once")
    for request in requests.values():
        if problem := fault(request, capabilities):
            raise Refusal(problem)
    return requests


def fault(request: object, capabilities: dict) -> str:
    """Why this question is not put to anybody; "" where it is."""
    parts = request if isinstance(request, dict) else {}
    method, params = parts.get("method"), parts.get("params")
    if method != "elicitation/create":
        return f"asked for {quote(method)}, which this host does not do"
    if not isinstance(params, dict) or not isinstance(params.get("message"), str):
        return "asked a question without a message"
    lines = params["message"].splitlines()
    if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
        return "asked a question that is too long to be shown whole"
    if (mode := params.get("mode", "form")) not in list(MODES):
        return f"asked in the mode {quote(mode)}, which this host does not know"
    if mode not in capabilities.get("elicitation", {}):
        return "asked a question, though it was told that nobody is there to answer"
    return ""


def cancel(host, client: Client, name: str) -> str:
    """After Ctrl-C: give up the call that runs; the text for the model.

    Where none runs, or at the second Ctrl-C within a second, the program ends.
    """
    interrupted(host)
    if not client.cancel("The person pressed Ctrl-C"):
        raise KeyboardInterrupt
    text = f"The person cancelled the call. {unknown(name)}"
    host.say("host", text)
    return text


def interrupted(host) -> None:
    """Take note of a Ctrl-C. Raises KeyboardInterrupt at the second within a second."""
    before, host.interrupted_at = host.interrupted_at, time.monotonic()
    if host.interrupted_at - before < TWICE:
        raise KeyboardInterrupt


def explained(failure: ServerFailure, client: Client, name: str) -> ServerFailure:
    """The same failure, with what the person and the model must know about it."""
    wait = getattr(client, "wait", None)
    if getattr(failure, "code", None) == MISSING_CAPABILITY:
        if client.asking and not client.asking.capabilities:
            reason = "says that it must ask a person first, and nobody is at a terminal"
            return ServerFailure(f"{reason} (it {failure})")
        return ServerFailure(f"needs what this host does not offer (it {failure})")
    if wait and wait.in_doubt:
        return ServerFailure(f"{failure}. {unknown(name)}")
    return failure


def unknown(name: str) -> str:
    return f"Whether {name} was carried out is unknown; it was not tried again."
