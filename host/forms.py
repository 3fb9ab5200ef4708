"""A form, filled in line by line at the terminal. (lesson 07)

The rules are those of client/elicitation: it is plain which server asks; the person can
decline or cancel at any moment; and nothing is sent before the person has seen, and
could change, all that will be sent. All of this goes to standard error, so that
standard output stays the conversation.
"""

import re

from handwritten.protocol import shorten
from host.fields import Field, NotUnderstood, fields_of, parse, shown

SECRET = re.compile(
    r"\b(?:pass ?(?:word|phrase|code|wd)|secret|token|credentials?|pin|cvv|cvc|"
    r"(?:api |access |private |secret )?key|(?:card|account) ?number|credit ?card)s?\b"
)
HELP = "Enter takes what is in [brackets]; /skip leaves out what is optional;"
WAYS_OUT = "/decline says no; /cancel or Ctrl-C leaves without an answer."
REVIEW = "[s]end / [e]dit / [d]ecline / [c]ancel?"
ENDS = {"d": "decline", "c": "cancel", "/decline": "decline", "/cancel": "cancel"}


class Left(Exception):
    """The person ended the form; the text is the action."""


def ask_form(params: dict, server: str, person) -> dict:
    """The answer to one form: {"action": …}, with "content" where it is accepted."""
    try:
        fields = fields_of(params.get("requestedSchema"))
    except NotUnderstood as problem:
        person.tell(f"{server} asks for a form that can't be shown: {problem}.")
        person.tell("It is answered with cancel.")
        return {"action": "cancel"}
    introduce(fields, params["message"], server, person)
    person.forget_typed()
    try:
        values: dict = {}
        edit = True
        while edit:
            values = {each.name: ask(each, values, person) for each in fields}
            edit = review(fields, values, server, person)
    except Left as left:
        return {"action": str(left)}
    return {"action": "accept", "content": given(values)}


def introduce(fields: list[Field], message: str, server: str, person) -> None:
    """Who asks, and for what; with a warning where that is a secret."""
    person.tell("")
    person.tell(f"--- {server} asks:")
    for line in message.splitlines():
        person.tell(f"    {line}")
    secrets = [each.name for each in fields if is_secret(each)]
    if secrets:
        names = ", ".join(map(shown, secrets))
        person.tell(f"Careful: it asks for {names}. No server may ask for a secret in")
        person.tell("a form: what you type is read by the server and by this host.")
    if fields:
        person.tell(f"({HELP}")
        person.tell(f" {WAYS_OUT})")


def is_secret(asked: Field) -> bool:
    """Whether a field, by its names, is for a password, a key, a token or a card."""
    texts = [asked.name, asked.schema.get("title"), asked.schema.get("description")]
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+", " ", " ".join(map(str, texts)))
    return bool(SECRET.search(text.lower()))


def ask(asked: Field, before: dict, person) -> object:
    """One value, asked until it fits; None leaves it out. Raises Left."""
    usual = before.get(asked.name, None if before else asked.default)
    describe(asked, person)
    while True:
        hint = "" if usual is None else f" [{written(asked, usual)}]"
        text = line(person, f"{label(asked)}{hint}:").strip()
        if text in ("/decline", "/cancel"):
            raise Left(ENDS[text])
        if text == "/skip" and not asked.required:
            return None
        if not text and (usual is not None or not asked.required):
            return usual
        try:
            if not text or text == "/skip":
                raise ValueError("This one can't be left out.")
            return parse(asked, text)
        except ValueError as problem:
            person.tell(f"    {problem}")


def describe(asked: Field, person) -> None:
    about = asked.schema.get("description")
    if isinstance(about, str) or asked.choices:
        said = f": {shorten(about, 500)}" if isinstance(about, str) else ""
        person.tell(f"{title(asked)}{said}")
    for number, (value, shown_as) in enumerate(asked.choices, 1):
        as_value = "" if value == shown_as else f" ({shorten(value, 60)})"
        person.tell(f"    {number}) {shorten(shown_as, 120)}{as_value}")


def label(asked: Field) -> str:
    """What stands in front of the place where one types."""
    kinds = {"boolean": "y/n", "integer": "a whole number", "number": "a number"}
    kinds |= {"choice": f"1-{len(asked.choices)}", "choices": "numbers, with commas"}
    notes = [kinds.get(asked.kind, ""), "" if asked.required else "optional"]
    note = ", ".join(filter(None, notes))
    return f"{title(asked)} ({note})" if note else title(asked)


def title(asked: Field) -> str:
    given = asked.schema.get("title")
    return shorten(given if isinstance(given, str) and given else asked.name, 80)


def written(asked: Field, value: object) -> str:
    """A value as one would type it."""
    numbers = {each: str(n) for n, (each, _) in enumerate(asked.choices, 1)}
    if isinstance(value, bool):
        return "y" if value else "n"
    if isinstance(value, list):
        return ",".join(numbers[each] for each in value)
    return numbers.get(str(value), str(value))


def review(fields: list[Field], values: dict, server: str, person) -> bool:
    """Show all that will be sent; whether it is to be changed. Raises Left."""
    content = given(values)
    person.tell("")
    person.tell(f"This will be sent to {server}:")
    for each in fields:
        if each.name in content:
            for text in as_sent(each, content[each.name]):
                person.tell(f"    {text}")
    if not content:
        person.tell("    that you agree, and nothing else")
    person.forget_typed()
    while True:
        said = line(person, REVIEW).strip().lower()
        for name in ("send", "edit", "decline", "cancel"):
            if said in (name, name[0], f"/{name}"):
                if name in ENDS.values():
                    raise Left(name)
                return name == "edit"
        person.tell("    Please type s, e, d or c.")


def as_sent(asked: Field, value: object) -> list[str]:
    """The lines that show a field whole: one for each of several choices."""
    named = [pair for pair in asked.choices if pair[0] != pair[1]]
    titles = {each: f"  ({shorten(title, 120)})" for each, title in named}
    name = shown(asked.name)
    if isinstance(value, list):
        chosen = [f"  {shown(each)}{titles.get(each, '')}" for each in value]
        return [f"{name}: {len(value)} chosen", *chosen]
    return [f"{name}: {shown(value)}{titles.get(str(value), '')}"]


def given(values: dict) -> dict:
    return {name: value for name, value in values.items() if value is not None}


def line(person, prompt: str) -> str:
    """What is typed. Raises Left at the end of input."""
    text = person.read(prompt)
    if text is None:
        raise Left("cancel")
    return text
