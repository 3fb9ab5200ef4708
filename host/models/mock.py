"""A mock model: rules over words, and no pretence of understanding. (lesson 03)

It is deterministic, so a conversation with it can be recorded and replayed. It does
two things that real models do. It copies a number the way the person wrote it; and it
mends a call only from what the error text or the tool's input schema says is right.
Where neither says, it gives up.
"""

import json
import re

from handwritten.ranking import rank  # lesson-04
from host.models import rules  # lesson-06
from host.models import plans  # lesson-07

# A number as people write it: 2318, #2318, T-12345.
NUMBER = re.compile(r"(?<![\w-])#?(?:[A-Za-z]{1,4}-)?[0-9]+(?!\w|-\w)")
# Where a text says how it is written: "for example T-12345", "format: 2318".
CUE = r"(?:example|e\.g\.|such as|like|format?|expect(?:s|ed)?|use|try)"
EXAMPLE = re.compile(rf"\b{CUE}[\s:,\"'`]*([a-z]{{0,4}}-?[0-9]+)", re.IGNORECASE)
# Of all patterns it reads the plain ones: fixed characters, then digits.
PATTERN = re.compile(r"\^?([A-Za-z#-]*)(?:\[0-9\]|\\d)(?:\+|\*|\{[0-9,]+\})\$?")
FINAL = ("The person did not allow", "The call failed")


class MockModel:
    """Answers questions about things that have a number."""

    def reply(self, messages: list[dict], tools: list[dict]) -> dict:
        """One turn: {"text": …}, or {"calls": [{"name": …, "arguments": {…}}, …]}.

        All it knows is in the messages: each number's story is told anew every time.
        """
        question = messages[0]["text"]
        numbers = list(dict.fromkeys(NUMBER.findall(question)))
        if told := rules.from_texts(question, messages):  # lesson-06
            return told
        if not tools:
            return {"text": "I have no tool that could help with that."}
        plan = plans.plan(question, numbers, messages, tools, next_turn)  # lesson-07
        if plan:  # lesson-07
            return plan
        tools = plans.unordered(tools)  # lesson-07
        if plan := find_or_search(question, numbers, messages, tools):  # lesson-04
            return plan
        if not numbers:
            return {"text": "Which one do you mean? Please give me its number."}
        # The tool that shares most words with the question; the first of equals.
        tool = max(tools, key=lambda each: len(words(question) & words(each)))
        tool = best(question, tools) or tool  # lesson-04
        done = [message for message in messages if message["role"] == "tool"]
        results = {argument_of(message["call"]): message for message in done}
        turns = [next_turn(number, tool, results) for number in numbers]
        calls = [turn for turn in turns if isinstance(turn, dict)]
        return {"calls": calls} if calls else {"text": " ".join(map(str, turns))}


def next_turn(number: str, tool: dict, results: dict) -> dict | str:
    """Follow one number through its calls: the next call, or a sentence about it."""
    value: str | None = number
    tried: list = []
    while value in results:
        tried.append(value)
        text = results[value]["text"]
        if not results[value]["is_error"]:
            return sentence(text)
        value = correction(number, text, tool)
        if value is None or value in tried:
            return f"I could not get {number}. I was told: {text}"
    return {"name": tool["name"], "arguments": {argument_name(tool): value}}


def correction(number: str, error: str, tool: dict) -> str | None:
    """The number as the error, or else the schema, says it is written; or None."""
    if error.startswith(FINAL):
        return None
    properties = tool["input_schema"].get("properties")
    schema = properties.get(argument_name(tool)) if type(properties) is dict else {}
    schema = schema if isinstance(schema, dict) else {}  # `true` is a schema, too
    digits = re.findall("[0-9]+", number)[-1]
    for hint in (error, str(schema.get("description"))):
        if example := EXAMPLE.search(hint):
            return re.sub("[0-9]+", digits, example[1])
        if re.search("digits only|only digits", hint, re.IGNORECASE):
            return digits
    pattern = PATTERN.fullmatch(str(schema.get("pattern")))
    return pattern[1] + digits if pattern else None


def sentence(text: str) -> str:
    """What a result says, in words where it is a ticket."""
    try:
        ticket = json.loads(text)
        number, subject = ticket["ticket_id"], ticket["subject"]
        return f'Ticket {number}, "{subject}", is {ticket["status"]}.'
    # RecursionError: it is JSON, and nested too deeply to be read.
    except (ValueError, RecursionError, KeyError, TypeError):
        return f"The tool says: {text}"


def words(text: object) -> set[str]:
    return set(re.findall("[a-z]+", str(text).lower()))


def argument_name(tool: dict) -> str:
    """The first argument that the tool requires, or else its first."""
    parts = [tool["input_schema"].get(key) for key in ("required", "properties")]
    names = [name for part in parts if isinstance(part, (list, dict)) for name in part]
    return str(names[0]) if names else "query"


def argument_of(call: dict) -> object:
    return next(iter(call["arguments"].values()), None)


def best(query: str, tools: list[dict]) -> dict | None:  # lesson-04
    """The tool whose name and description fit the query best, by words alone."""
    ranked = rank(query, [f"{tool['name']} {tool['description']}" for tool in tools])
    return tools[ranked[0][1]] if ranked else None


def answers_of(messages: list[dict]) -> dict:  # lesson-04
    """What each call brought, by the tool's name and the first argument."""
    done = [message for message in messages if message["role"] == "tool"]
    return {
        (message["call"].get("name"), argument_of(message["call"])): message
        for message in done
    }


def find_or_search(  # lesson-04
    question: str, numbers: list[str], messages: list[dict], tools: list[dict]
) -> dict | None:
    """What to do before, or instead of, fetching a thing by its number; or None."""
    answers = answers_of(messages)
    finders = [tool for tool in tools if tool["name"] == "find_tools"]
    if finders and ("find_tools", question) not in answers:
        return {"calls": [call_of(finders[0], question)]}
    rest = [tool for tool in tools if tool not in finders]
    if numbers and re.search(r"\b(?:draft|reply)\b", question, re.IGNORECASE):
        if len(numbers) > 1:
            return {"text": "I draft one reply at a time. Which number do you mean?"}
        if re.search(r"\bstart a draft\b", question, re.IGNORECASE):  # lesson-06
            return rules.kept(draft(numbers[0], answers, rest), rest, messages)
        return draft(numbers[0], answers, rest)
    plan = rules.go_through(question, rest, messages)  # lesson-06
    plan = plan or rules.just_call(best(question, rest), messages)  # lesson-06
    if plan and not numbers:  # lesson-06
        return plan
    tool = best(question, rest)
    if numbers or tool is None or argument_name(tool) != "query":
        return None
    answer = answers.get((tool["name"], question))
    if answer is None:
        return {"calls": [call_of(tool, question)]}
    return {"text": sentence(answer["text"])}


def draft(number: str, answers: dict, tools: list[dict]) -> dict | None:  # lesson-04
    """A reply to a ticket: read it, search the policies with its subject, name one."""
    reader, searcher = best("get ticket number", tools), best("search policies", tools)
    if reader is None or searcher is None or argument_name(searcher) != "query":
        return None
    results = {
        value: each for (name, value), each in answers.items() if name == reader["name"]
    }
    turn = next_turn(number, reader, results)
    if isinstance(turn, dict):
        return {"calls": [turn]}
    ticket = next(
        (found for each in results.values() if (found := data_of(each))), None
    )
    if ticket is None or not isinstance(ticket.get("subject"), str):
        return {"text": turn}
    answer = answers.get((searcher["name"], ticket["subject"]))
    if answer is None:
        return {"calls": [call_of(searcher, ticket["subject"])]}
    try:
        policy = (data_of(answer) or {})["policies"][0]
        about, sentence = policy["title"], policy["excerpt"].split(". ")[0]
        about = f"{about} ({policy['uri']})"
    except (LookupError, TypeError, AttributeError):  # none, or it is no policy
        return {
            "text": f"{turn} I found no policy for it. I was told: {answer['text']}"
        }
    return {
        "text": f'{turn} Draft: "Thank you for your message. Our policy'
        f' {about} says what happens now: {sentence}."'
    }


def data_of(answer: dict) -> dict | None:  # lesson-04
    """The object in a result's text, where it is one and no error."""
    try:
        data = None if answer["is_error"] else json.loads(answer["text"])
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def call_of(tool: dict, value: str) -> dict:  # lesson-04
    return {"name": tool["name"], "arguments": {argument_name(tool): value}}
