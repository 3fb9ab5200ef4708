"""More of the mock model's rules: what takes several calls, or none. (lesson 06)

A list that says how to go on is followed to its end; what one call gave, a handle, is
copied into the next; and from a text that came with the question the sentence is told
that shares most words with it. Copied and counted, not understood.
"""

import json
import re

from handwritten.ranking import rank

TOKEN = "continue_with"
DRAFT = re.compile('Ticket ([0-9]+),.*Draft: "(.*)"', re.DOTALL)


def go_through(question: str, tools: list[dict], messages: list[dict]) -> dict | None:
    """The next call of a list that takes several, or what it held; None: no such."""
    listers = [tool for tool in tools if TOKEN in properties(tool)]
    if not listers or not re.search(r"\b(?:list|all|every)\b", question, re.IGNORECASE):
        return None
    texts = [f"{tool['name']} {tool['description']}" for tool in tools]
    ranked = rank(question, texts)
    if ranked and tools[ranked[0][1]] not in listers:
        return None
    done = made(listers[0], messages)
    results = [data_in(message["text"]) for message in done]
    if done and (done[-1]["is_error"] or not results[-1]):
        return {"text": f"I can't go on. I was told: {done[-1]['text']}"}
    arguments = chosen(question, listers[0])
    if results and isinstance(results[-1].get(TOKEN), str):
        arguments[TOKEN] = results[-1][TOKEN]
    tried = [message["call"]["arguments"] for message in done]
    if arguments not in tried:
        return {"calls": [{"name": listers[0]["name"], "arguments": arguments}]}
    rows = [row for result in results for row in rows_in(result)]
    names = ", ".join(str(next(iter(row.values()), "")) for row in rows)
    calls = f"{len(done)} call{'s' * (len(done) != 1)}"
    return {"text": f"I found {len(rows)} in {calls}: {names}."}


def just_call(tool: dict | None, messages: list[dict]) -> dict | None:
    """The call of a tool that takes nothing, or what it said; None: it takes some."""
    if tool is None or properties(tool) or tool["input_schema"].get("required"):
        return None
    if tool["input_schema"].get("additionalProperties") is not False:
        return None
    if done := made(tool, messages):
        return {"text": f"The tool says: {done[-1]['text']}"}
    return {"calls": [{"name": tool["name"], "arguments": {}}]}


def kept(plan: dict | None, tools: list[dict], messages: list[dict]) -> dict | None:
    """Write down the draft that the plan came to, under the handle that a call gives.

    Until then, or without the tools for it, the plan as it is.
    """
    found = DRAFT.search((plan or {}).get("text", ""))
    named = {tool["name"]: tool for tool in tools}
    if not found or not plan or not {"start_draft", "add_to_draft"} <= named.keys():
        return plan
    number, text = found.groups()
    started = made(named["start_draft"], messages)
    if not started:
        call = {"name": "start_draft", "arguments": {"ticket_id": number}}
        return {"calls": [call]}
    handle = data_in(started[-1]["text"]).get("draft_id")
    if not isinstance(handle, str):
        return {"text": f"{plan['text']} It is not kept: {started[-1]['text']}"}
    added = made(named["add_to_draft"], messages)
    if not added:
        call = {"name": "add_to_draft", "arguments": {"draft_id": handle, "text": text}}
        return {"calls": [call]}
    if added[-1]["is_error"]:
        return {"text": f"{plan['text']} It is not kept: {added[-1]['text']}"}
    return {"text": f"{plan['text']} It is kept as {handle}."}


def from_texts(question: str, messages: list[dict]) -> dict | None:
    """An answer from what came with the question; None where no text did."""
    came = [each["text"] for each in messages[1:] if each["role"] in GIVEN]
    texts = [read for text in came if (read := parts(text))]
    if not texts:
        return None
    tickets = [title for title, _ in texts if re.match("[0-9]+:", title)]
    others = [each for each in texts if each[0] not in tickets]
    if tickets and others and re.search(r"\b(?:draft|reply)\b", question, re.I):
        about, sentence = fitting(tickets[0], others)
        words = f"Our policy {about} says what happens now: {sentence}"
        return {"text": f'Draft: "Thank you for your message. {words}"'}
    about, sentence = fitting(question, texts)
    return {"text": f"{about} says: {sentence}"}


GIVEN = ("person", "resource")


def parts(text: str) -> tuple[str, list[str]] | None:
    """Title and sentences of a fenced text; None where there is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 4 or not lines[1].startswith("```"):
        return None
    inside = lines[2:-1]
    titles = [line[2:] for line in inside if line.startswith("# ")]
    plain = [line for line in inside if not line.startswith("#")]
    sentences = [each for line in plain for each in re.split(r"(?<=[.!?])\s+", line)]
    return (titles or [lines[0].rstrip(":")])[0], sentences or titles


def fitting(query: str, texts: list[tuple]) -> tuple[str, str]:
    """Title and sentence of what shares most words with the query, or the first."""
    pairs = [(title, sentence) for title, sentences in texts for sentence in sentences]
    ranked = rank(query, [sentence for _, sentence in pairs])
    return pairs[ranked[0][1] if ranked else 0]


def chosen(question: str, tool: dict) -> dict:
    """Arguments that have fixed values, where the question names one."""
    words = re.findall("[a-z]+", question.lower())
    wishes = {}
    for name, schema in properties(tool).items():
        values = schema.get("enum") if isinstance(schema, dict) else None
        fits = [value for value in values or [] if value in words]
        if fits:
            wishes[name] = fits[0]
    return wishes


def properties(tool: dict) -> dict:
    found = tool["input_schema"].get("properties")
    return found if isinstance(found, dict) else {}


def made(tool: dict, messages: list[dict]) -> list[dict]:
    """What the calls of this tool brought, in order."""
    done = [message for message in messages if message["role"] == "tool"]
    return [each for each in done if each["call"].get("name") == tool["name"]]


def data_in(text: str) -> dict:
    """The object at the beginning of a result's text; links may follow it."""
    try:
        data, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def rows_in(data: dict) -> list[dict]:
    lists = [value for value in data.values() if isinstance(value, list)]
    return [row for row in (lists[0] if lists else []) if isinstance(row, dict)]
