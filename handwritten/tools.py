"""Tools: one list, one call. (lesson 03)

A tool is a pair: its definition, as the list shows it, and a function that takes a
`Call` and returns a JSON object. What a tool can say about a bad argument goes to the
model as a result with `isError`; only a request that no tool could take is an error of
the protocol (server/tools, "Error Handling").
"""

from handwritten import schema, wire
from handwritten.protocol import CACHE, Code, ProtocolError
from handwritten.content import Content  # lesson-06
from handwritten.seal import seal, unseal  # lesson-06
from handwritten.confirm import InputRequired, Question, misfit  # lesson-07
from handwritten.turns import Progress, is_in_steps  # lesson-07


class ToolError(Exception):
    """The call can't be done; the text tells the model why and what would be right."""


class Call:
    """What a tool may ask about the call it serves."""

    def __init__(self, request, arguments: dict):
        self.request, self.arguments = request, arguments
        self.user, self.world = request.user, request.world  # lesson-06
        self.question = Question(request, arguments)  # lesson-07
        self.progress = Progress(request)  # lesson-07

    def token(self, position: str) -> str:  # lesson-06
        """What a long result ends with: the call that brings it back goes on there."""
        return seal(self.world.key, self._purpose(), position)

    def opened(self, token: str) -> str | None:  # lesson-06
        """The position; None unless it was for this tool, user and arguments."""
        return unseal(self.world.key, self._purpose(), token)

    def _purpose(self) -> list:  # lesson-06
        name, given = self.request.params["name"], self.arguments.items()
        rest = sorted(pair for pair in given if pair[0] != "continue_with")
        return ["tools/call", name, self.user, rest]

    def ask(self, requests: dict) -> dict:  # lesson-07
        """A person's answers, by name. The first time, this call ends with asking."""
        if self.request.legacy:
            raise ToolError("This asks a person: it takes a client of 2026-07-28.")
        answers = self.question.answers(requests)
        for name, asked in requests.items():
            if problem := misfit(asked, answers[name]):
                raise ToolError(f"{self.request.params['name']}: {problem}")
        return answers


def list_tools(request) -> dict:
    """`tools/list`: every definition, always in the same order (server/tools)."""
    tools = [definition for definition, _ in request.server.tools.values()]
    return {"tools": tools, **CACHE}


def call_tool(request) -> dict:
    """`tools/call`. Raises ProtocolError where the request itself is wrong."""
    name, arguments = request.params.get("name"), request.params.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise ProtocolError(
            Code.INVALID_PARAMS, "name is a string, arguments an object"
        )
    if name not in request.server.tools:
        raise ProtocolError(Code.INVALID_PARAMS, f"Unknown tool: {name}")
    definition, run = request.server.tools[name]
    try:
        if problem := schema.mismatch(definition["inputSchema"], arguments):
            raise ToolError(f"{name}: {problem}")
        value = run(Call(request, arguments))
        if is_in_steps(value):  # lesson-07
            return in_steps(request, value)
        if isinstance(value, Content):  # lesson-06
            return value.result()
        return success(value)
    except ToolError as error:
        return refusal(str(error))
    except InputRequired as asked:  # lesson-07
        return asked.result
    except ProtocolError:  # lesson-07
        raise
    except Exception as error:  # details are for the log: they may hold secrets
        request.server.log(f"tool {name} failed: {type(error).__name__}: {error}")
        return refusal(f"{name} failed. The server's log says why.")


def in_steps(request, steps):  # lesson-07
    """`call_tool` for a tool that is a generator: what it yields, then the result."""
    try:
        value = yield from steps
        return value.result() if isinstance(value, Content) else success(value)
    except ToolError as error:
        return refusal(str(error))
    except InputRequired as asked:
        return asked.result
    except ProtocolError:
        raise
    except Exception as error:
        name = request.params["name"]
        request.server.log(f"tool {name} failed: {type(error).__name__}: {error}")
        return refusal(f"{name} failed. The server's log says why.")


def success(value: dict) -> dict:
    """The same object twice: as text for the model, as data for programs."""
    content = [{"type": "text", "text": wire.encode(value).decode().rstrip()}]
    return {"content": content, "structuredContent": value, "isError": False}


def refusal(text: str) -> dict:
    """A tool error: a result all the same, with a text that the model can act on."""
    return {"content": [{"type": "text", "text": text}], "isError": True}
