"""Ask a person first: `input_required`, and what comes back. (lesson 07)

A server can't call its client. It answers a call with questions and a `requestState`,
and is done; the client asks the person and sends the same call again, with answers and
state. Nothing waits meanwhile, so any copy of the server with the same key can go on
(basic/patterns/mrtr).

The state went through other hands. It is sealed, and says who was asked, about which
call, until when. It carries a nonce as well: sealing can't tell the first use of a
state from the second, so what must happen once is written down by its nonce.
"""

import functools
import json
import re

from handwritten.protocol import CLIENT_CAPABILITIES, Code, ProtocolError
from handwritten.seal import seal, unseal
from handwritten.text import quote

MINUTES = 10  # how long an answer may take
PURPOSE = ["requestState"]
ACTIONS = ("accept", "decline", "cancel")
KINDS = {"string": str, "boolean": bool}


class InputRequired(Exception):
    """The call can't go on before somebody has answered."""

    def __init__(self, requests: dict, state: str):
        self.result = {
            "resultType": "input_required",
            "inputRequests": requests,
            "requestState": state,
        }


class Question:
    """What a call asks, or the question that it answers. Raises ProtocolError."""

    def __init__(self, request, arguments: dict):
        self.request, self.arguments = request, arguments
        self.asked = "requestState" in request.params and not request.legacy
        if self.asked:
            self._open(request.params["requestState"])

    @functools.cached_property
    def nonce(self) -> str:
        return self.request.world.random(16).hex()

    @functools.cached_property
    def ends(self) -> float:
        return self.request.world.now() + MINUTES * 60

    def state(self) -> str:
        """The sealed state; asked again, a question keeps its nonce and its end."""
        said = {"user": self.request.user, "what": self._what()}
        said |= {"ends": self.ends, "nonce": self.nonce}
        return seal(self.request.world.key, PURPOSE, json.dumps(said))

    def refused(self, reason: str) -> ProtocolError:
        """The error for a state. Only the log says why: a forger learns nothing."""
        self.request.server.log(f"requestState refused: {reason}")
        words = "requestState does not fit this request"
        return ProtocolError(Code.INVALID_PARAMS, words)

    def answers(self, requests: dict) -> dict:
        """The answers by name; raises InputRequired where one of them is missing."""
        given = self.request.params.get("inputResponses", {}) if self.asked else {}
        if not isinstance(given, dict):
            raise ProtocolError(Code.INVALID_PARAMS, "inputResponses must be an object")
        if requests.keys() - given.keys():
            raise self.required(requests)
        for name, asked in requests.items():
            check(name, asked["params"]["mode"], given[name])
        return {name: given[name] for name in requests}

    def required(self, requests: dict) -> InputRequired:
        """Raises ProtocolError: the client did not say that it can ask a person so."""
        declared = self.request.params["_meta"][CLIENT_CAPABILITIES]
        has = declared.get("elicitation")
        for asked in requests.values():
            mode = asked["params"]["mode"]
            named = isinstance(has, dict) and isinstance(has.get(mode), dict)
            if not named and not (has == {} and mode == "form"):
                words = f"this takes a client that can ask a person: elicitation.{mode}"
                data: dict = {"requiredCapabilities": {"elicitation": {mode: {}}}}
                code = Code.MISSING_REQUIRED_CLIENT_CAPABILITY
                raise ProtocolError(code, words, data=data)
        return InputRequired(requests, self.state())

    def _open(self, state) -> None:
        world = self.request.world
        text = unseal(world.key, PURPOSE, state) if type(state) is str else None
        if text is None:
            raise self.refused("not ours, or changed")
        said = json.loads(text)
        if said["user"] != self.request.user:
            raise self.refused("other person")
        if said["what"] != self._what():
            raise self.refused("other request")
        if said["ends"] <= world.now():
            raise self.refused("expired")
        self.nonce, self.ends = said["nonce"], said["ends"]

    def _what(self) -> str:
        """The call in short: another tool or another amount is another call."""
        import hashlib  # most calls ask nothing

        called = [self.request.method, self.request.params["name"], self.arguments]
        return hashlib.sha256(json.dumps(called, sort_keys=True).encode()).hexdigest()


def form(message: str, properties: dict, required: list[str]) -> dict:
    """A question with fields. Never for a password or an account: see `page`."""
    schema = {"type": "object", "properties": properties, "required": required}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def page(message: str, url: str) -> dict:
    """An address to open, for what neither the client nor the model may see."""
    params = {"mode": "url", "message": message, "url": url}
    return {"method": "elicitation/create", "params": params}


def check(name: str, mode: str, answer) -> None:
    """Raise ProtocolError for what is no answer at all."""
    action = answer.get("action") if isinstance(answer, dict) else None
    good = action in ACTIONS if isinstance(action, str) else False
    if good and mode == "form" and action == "accept":
        good = isinstance(answer.get("content", {}), dict)
    if not good:
        words = f"{name} must have an action (accept, decline, cancel) and its content"
        raise ProtocolError(Code.INVALID_PARAMS, words)


def misfit(asked: dict, answer: dict) -> str:
    """What is wrong with an accepted form, as a sentence; "" where nothing is."""
    if answer["action"] != "accept" or asked["params"]["mode"] != "form":
        return ""
    schema, content = asked["params"]["requestedSchema"], answer.get("content", {})
    for name, field in schema["properties"].items():
        if name in content:
            value = content[name]
            if problem := misfit_of_field(field, value):
                return f"{quote(name)} of the form {problem}, not {quote(value)}."
        elif name in schema["required"]:
            return f"{quote(name)} of the form is missing."
    return ""


def misfit_of_field(field: dict, value) -> str:
    if not isinstance(value, KINDS[field["type"]]):
        return f"must be of type {field['type']}"
    choices = [each["const"] for each in field.get("oneOf", ())]
    if choices and value not in choices:
        return f"must be one of {quote(choices)}"
    if isinstance(value, str) and len(value) > field.get("maxLength", len(value)):
        return f"must have at most {field['maxLength']} characters"
    if isinstance(value, str) and re.search("[\0\ud800-\udfff]", value):
        return "must be text that can be written"
    return ""
