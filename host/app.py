"""The loop between a person, a model and servers. (lesson 03)

list     ask the servers for their tools            (crosses the wire)
give     hand the model what it may know of them
ask      the model answers, or proposes calls
check    the host decides about each call
call     the server does it                         (crosses the wire)
return   the result goes to the model as text
repeat   until there is an answer, at most MAX_STEPS times
"""

import time  # lesson-05
from typing import Any  # lesson-06

from handwritten.text import quote
from host.client import Client, ServerFailure
from host.decide import decide, exact
from host.toolbox import FIND, Toolbox, alias  # lesson-04
from host.decide import misfit  # lesson-05
from host.schemas import LIST_BUDGET, Checker  # lesson-05
from host.blocks import for_person, readable, untold  # lesson-06
from host.cache import Cache  # lesson-06
from host.reader import Reader  # lesson-06
from host.asking import Asking, cancel, explained  # lesson-07
from host.bar import Bar  # lesson-07

MAX_STEPS = 6  # replies of the model to one question
MAX_RESULT = 4000  # characters of one result that the model is given


class Host:
    """One conversation: who takes part, and all that was said."""

    def __init__(self, model, person, show, allowed):
        self.model, self.person, self.show, self.allowed = model, person, show, allowed
        self.tools: dict[str, dict] = {}  # by name, as the servers define them
        self.owners: dict[str, Client] = {}
        # What the tools are called on their own servers, by the name used here.
        self.originals: dict[str, str] = {}  # lesson-04
        self.toolbox = Toolbox("all")  # lesson-04
        # None checks nothing: schemas are then taken as they come.
        self.checker: Checker | None = None  # lesson-05
        self.cache, self.readers = Cache(), []  # lesson-06
        # What the person picked: a prompt's messages, and texts to go with a question.
        self.prompted: list[dict] = []  # lesson-06
        self.attached: list[dict] = []  # lesson-06
        # None shows no progress.
        self.bar: Bar | None = None  # lesson-07
        # When Ctrl-C was pressed last, in seconds.
        self.interrupted_at = float("-inf")  # lesson-07
        self.steps: list[dict] = []
        self.usage = {"model_calls": 0, "tool_calls": 0, "characters_to_model": 0}

    def say(self, who: str, text: str, **data: object) -> None:
        """Note one step, and show it as it happens."""
        if self.bar:  # lesson-07
            self.bar.end()
        self.steps.append({"who": who, "text": text, "data": data})
        self.show(who, text)

    def ask(self, question: str) -> bool:
        """Put a question to the person; the answer is a step of the run, too."""
        self.say("host", question)
        self.person.question = question  # lesson-07
        answer, how = self.person.answer()
        self.say("person", f"{'yes' if answer else 'no'} ({how})")
        return answer

    def connect(self, client: Client) -> bool:
        """Start a server and take its tools; whether that worked."""
        client.asking = Asking(self, client)  # lesson-07
        try:
            client.open()
            client = self.reading(client)  # lesson-06
            listed = client.request("tools/list").get("tools")
        except ServerFailure as failure:
            self.say("host", f"{client.name} is left out: it {failure}")
            return False
        listed = listed if isinstance(listed, list) else []
        offers = [tool for tool in listed if is_tool(tool)]
        # Before names are given: a tool that is left out takes nobody's name.
        offers = self.checked(listed, client)  # lesson-05
        offers = self.renamed(offers, client)  # lesson-04
        for tool in offers:
            self.tools.setdefault(tool["name"], tool)
            self.owners.setdefault(tool["name"], client)
        names = ", ".join(tool["name"] for tool in offers) or "no tools"
        self.say("host", f"{client.name} speaks {client.revision}, offers: {names}")
        return True

    def converse(self, question: str) -> str | None:
        """The model's answer; None when it found none in MAX_STEPS steps."""
        self.say("person", question)
        messages: list[dict] = [{"role": "person", "text": question}]
        messages = [*(self.prompted or messages), *self.attached]  # lesson-06
        for _ in range(MAX_STEPS):
            reply = self.ask_model(messages)
            if not reply.get("calls"):
                self.say("model", reply["text"])
                return reply["text"]
            messages.append({"role": "model", **reply})
            for call in reply["calls"]:
                wish = f"please call {call.get('name')} {exact(call.get('arguments'))}"
                self.say("model", wish, call=call)
                result = self.perform(call)
                messages.append({"role": "tool", "call": call, **result})
        self.say("host", f"no answer after {MAX_STEPS} steps: stopped")
        return None

    def ask_model(self, messages: list[dict]) -> dict:
        """Everything the model knows goes in, every time: it keeps nothing."""
        specs = [tool_spec(tool) for tool in self.tools.values()]
        specs = self.toolbox.given(specs)  # lesson-04
        self.usage["model_calls"] += 1
        self.usage["characters_to_model"] += len(exact(specs) + exact(messages))
        return self.model.reply(messages, specs)

    def perform(self, call: dict) -> dict:
        """Check one call, make it, and give the text that the model gets back."""
        if self.toolbox.searching and call.get("name") == FIND:  # lesson-04
            return self.search(call)
        name = call.get("name")  # lesson-04
        if name in self.tools and self.toolbox.hides(name):  # lesson-04
            reason = f"You were not given the tool {quote(name)}."
            self.say("host", f"not called: {reason}", call=call)
            return {"text": reason, "is_error": True}
        if problem := misfit(call, self.tools, self.checker):  # lesson-05
            self.say("host", f"not called: {problem}", call=call)
            return {"text": problem, "is_error": True}
        made, reason = decide(call, self.tools, self.allowed, self.ask)
        self.say("host", f"{'called' if made else 'not called'}: {reason}", call=call)
        if not made:
            return {"text": reason, "is_error": True}
        self.usage["tool_calls"] += 1
        # What else the proposal may hold was not shown to anybody.
        params = {"name": call["name"], "arguments": call["arguments"]}
        params["name"] = self.originals[call["name"]]  # lesson-04
        try:
            result = self.owners[call["name"]].request("tools/call", params)
        except KeyboardInterrupt:  # lesson-07
            text = cancel(self, self.owners[call["name"]], call["name"])
            return {"text": text, "is_error": True}
        except ServerFailure as failure:
            client = self.owners[call["name"]]  # lesson-07
            failure = explained(failure, client, call["name"])  # lesson-07
            self.say("host", f"the call failed: the server {failure}")
            return {"text": f"The call failed: the server {failure}", "is_error": True}
        text, is_error = text_of(result), result.get("isError") is True
        # That the data is also sent as text is a SHOULD (server/tools).
        if not result.get("content") and "structuredContent" in result:  # lesson-05
            data = exact(result["structuredContent"])
            text = text_of({"content": [{"type": "text", "text": data}]})
        self.say("server", ("error: " if is_error else "") + text, result=result)
        if problem := self.broken_promise(call, result):  # lesson-05
            self.say("host", problem)
            return {"text": problem, "is_error": True}
        for words in for_person(result):  # lesson-06
            self.say("server", f"for you alone: {words}")
        return {"text": text, "is_error": is_error}

    def renamed(self, offers: list[dict], client: Client) -> list[dict]:  # lesson-04
        """The tools under names that are legal, and that no other server has."""
        tools = []
        once = {tool["name"]: tool for tool in reversed(offers)}  # the first counts
        for tool in reversed(once.values()):
            name = alias(tool["name"], client.name, self.originals)
            self.originals[name] = tool["name"]
            tools.append({**tool, "name": name})
        return tools

    def search(self, call: dict) -> dict:  # lesson-04
        """The model looks for tools: the host answers, and nothing crosses the wire."""
        arguments = call.get("arguments")
        query = arguments.get("query") if isinstance(arguments, dict) else ""
        specs = [tool_spec(tool) for tool in self.tools.values()]
        result = self.toolbox.find(query, specs)
        self.say("host", f"found: {result['text']}", call=call)
        return result

    def checked(self, listed: list, client: Client) -> list[dict]:  # lesson-05
        """The tools that can be used; each entry that is left out is named."""
        good, end = [], time.monotonic() + LIST_BUDGET
        for entry in listed:
            fault = "" if is_tool(entry) else "it is no tool"
            if not fault and self.checker:
                late = time.monotonic() > end
                fault = "no time is left for it" if late else self.checker.fault(entry)
            if fault:
                name = entry.get("name") if isinstance(entry, dict) else entry
                self.say("host", f"{client.name}: {quote(name)} is left out: {fault}")
            else:
                good.append(entry)
        return good

    def broken_promise(self, call: dict, result: dict) -> str:  # lesson-05
        """What the model is told in place of a result that breaks its schema; or ""."""
        tool = self.tools[call["name"]]
        problem = self.checker.result(tool, result) if self.checker else ""
        # A model must not think that nothing was done, and do it again.
        made = f"{call['name']} was called, but its result breaks its outputSchema:"
        return problem and f"{made} {problem}"

    def reading(self, client: Client) -> Any:  # lesson-06
        """The client as the host uses it from here on: see reader.py."""
        reader = Reader(client, self.cache, lambda text: self.say("host", text))
        self.readers.append(reader)
        return reader


def tool_spec(tool: dict) -> dict:
    """All that a model ever knows of a tool."""
    about = {"name": tool["name"], "description": tool.get("description") or ""}
    return {**about, "input_schema": tool["inputSchema"]}


def is_tool(tool: object) -> bool:
    """Whether an entry of the list has what a call needs, and a name one can read."""
    parts = tool if isinstance(tool, dict) else {}
    kinds = [type(parts.get(key)) for key in ("name", "inputSchema")]
    return kinds == [str, dict] and 1 <= len(parts["name"]) <= 128


def text_of(result: dict) -> str:
    """A result as one text of at most MAX_RESULT characters; a cut says so."""
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    blocks = [*map(readable, blocks), *untold(result)]  # lesson-06
    text = "\n".join(map(block_text, blocks))
    mark = f" [cut: the result has {len(text)} characters]"
    return text if len(text) <= MAX_RESULT else text[: MAX_RESULT - len(mark)] + mark


def block_text(block: object) -> str:
    """A text block's text. Any other block is named, not shown."""
    parts = block if isinstance(block, dict) else {}
    kind, text = parts.get("type"), parts.get("text")
    if kind == "text" and isinstance(text, str):
        return text
    return f"[a block of type {quote(kind)}]"
