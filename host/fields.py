"""The fields of a form: which a server may ask for, and what fits them. (lesson 07)

A form is flat (client/elicitation): text, numbers, yes or no, and choices, nothing
inside each other. What goes beyond that is not guessed at: such a form is not shown.
"""

import datetime
import json
import math
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from handwritten.text import quote

MOST_FIELDS = 30
MOST_CHOICES = 100
LONGEST = 500  # characters of a choice or a default: it has to be seen whole
LONGEST_NAME = 80  # of a field: it stands before its value
LARGEST = 2**53 - 1  # beyond it readers of JSON differ about an integer

ANNOTATIONS = {"type", "title", "description", "default"}
KEYS: dict[str, set] = {
    "string": {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "maximum"},
    "boolean": set(),
    "array": {"items", "minItems", "maxItems"},
}
FORM_KEYS = {"$schema", "title", "description", "additionalProperties"}
FORM_KEYS |= {"type", "properties", "required"}
FORMATS = {
    "email": "an e-mail address",
    "uri": "an address such as https://example.com/",
    "date": "a date such as 2026-11-30",
    "date-time": "a time such as 2026-11-30T09:30:00Z",
}


class NotUnderstood(ValueError):
    """This is no form as the specification allows it; says why."""


@dataclass(frozen=True)
class Field:
    """One thing that is asked for. `choices` are (value, title), where it has some."""

    name: str
    kind: str  # string, integer, number, boolean, choice (one of), choices (some of)
    required: bool
    schema: dict
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def default(self) -> object:
        """What an empty line stands for; None without one, or where it does not fit."""
        value = self.schema.get("default")
        long = len(shown(value)) > LONGEST  # nobody would see all of it
        return None if value is None or long or misfit(self, value) else value


def fields_of(schema: object) -> list[Field]:
    """The fields in their order. Raises NotUnderstood."""
    parts = schema if isinstance(schema, dict) else {}
    properties, required = parts.get("properties"), parts.get("required", [])
    if parts.get("type") != "object" or not isinstance(properties, dict):
        raise NotUnderstood("it is no object with properties")
    if unknown := set(parts) - FORM_KEYS:
        raise NotUnderstood(f"it uses {quote(min(unknown))}")
    if len(properties) > MOST_FIELDS:
        raise NotUnderstood(f"it has {len(properties)} fields, over {MOST_FIELDS}")
    names = required if isinstance(required, list) else [None]
    if not all(isinstance(each, str) and each in properties for each in names):
        raise NotUnderstood("it requires a field that it does not have")
    return [field(name, part, name in names) for name, part in properties.items()]


def field(name: str, schema: object, required: bool) -> Field:
    """One field. Raises NotUnderstood, naming it."""
    parts = schema if isinstance(schema, dict) else {}
    kind = parts.get("type")
    if len(name) > LONGEST_NAME:
        words = f"a name of {len(name)} characters, over {LONGEST_NAME}"
        raise NotUnderstood(f"its field {quote(name)} has {words}")
    if not isinstance(kind, str) or kind not in KEYS:
        raise NotUnderstood(f"its field {quote(name)} has the type {quote(kind)}")
    if unknown := set(parts) - KEYS[kind] - ANNOTATIONS:
        raise NotUnderstood(f"its field {quote(name)} uses {quote(min(unknown))}")
    if not all(map(bound, [parts[key] for key in parts if key.startswith("m")])):
        raise NotUnderstood(f"its field {quote(name)} has a limit that is no number")
    if parts.get("format", "date") not in list(FORMATS):
        wanted = quote(parts["format"])
        raise NotUnderstood(f"its field {quote(name)} has the format {wanted}")
    if kind == "array":
        return Field(name, "choices", required, parts, choices_of(name, parts))
    if "enum" in parts or "oneOf" in parts:
        return Field(name, "choice", required, parts, choices_of(name, parts))
    return Field(name, kind, required, parts)


def choices_of(name: str, schema: dict) -> tuple[tuple[str, str], ...]:
    """The values with their titles, of one choice or of several."""
    several = schema["type"] == "array"
    source: Any = schema.get("items") if several else schema
    source = source if isinstance(source, dict) else {}
    values, titles = source.get("enum"), source.get("enumNames")
    options = source.get("anyOf" if several else "oneOf")
    if isinstance(options, list):
        parts = [each if isinstance(each, dict) else {} for each in options]
        values = [each.get("const") for each in parts]
        titles = [each.get("title", each.get("const")) for each in parts]
    values = values if isinstance(values, list) else []
    # enumNames are of an earlier revision, and promise nothing about their number.
    fits = isinstance(titles, list) and len(titles) == len(values)
    titles = titles if fits else values
    if not values or not all(isinstance(text, str) for text in [*values, *titles]):
        raise NotUnderstood(f"its field {quote(name)} has choices that are no texts")
    if any(len(text) > LONGEST for text in [*values, *titles]):
        words = f"a choice of over {LONGEST} characters"
        raise NotUnderstood(f"its field {quote(name)} has {words}")
    if len(values) > MOST_CHOICES or len(set(values)) < len(values):
        raise NotUnderstood(f"its field {quote(name)} has too many, or equal, choices")
    return tuple(zip(values, titles, strict=True))


def bound(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(float(str(value)))


def parse(asked: Field, text: str) -> object:
    """What a typed line stands for. Raises ValueError with what would be right."""
    value = READERS[asked.kind](asked, text.strip())
    if problem := misfit(asked, value):
        raise ValueError(problem)
    return value


def misfit(asked: Field, value: object) -> str:
    """What is wrong with this value for this field; "" where nothing is."""
    schema = asked.schema
    if asked.kind in ("integer", "number"):
        return number_misfit(asked.kind, schema, value)
    if asked.kind == "boolean":
        return "" if isinstance(value, bool) else "Please answer y or n."
    if asked.kind == "choices":
        return choices_misfit(asked, value)
    if asked.kind == "choice":
        known = [each for each, _ in asked.choices]
        return "" if value in known else which(asked)
    if not isinstance(value, str):
        return "Please type a text."
    if len(value) < (least := schema.get("minLength", 0)):
        return f"Please type at least {least} characters; this has {len(value)}."
    if len(value) > (most := schema.get("maxLength", math.inf)):
        return f"Please type at most {most} characters; this has {len(value)}."
    form = schema.get("format")
    if form is not None and not has_format(form, value):
        return f"Please type {FORMATS[form]}."
    return ""


def number_misfit(kind: str, schema: dict, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return "Please type a number."
    if kind == "integer" and not isinstance(value, int):
        return "Please type a whole number."
    if abs(value) > LARGEST:
        return "That number is too large."
    if value < (least := schema.get("minimum", -math.inf)):
        return f"It is at least {least}."
    if value > (most := schema.get("maximum", math.inf)):
        return f"It is at most {most}."
    return ""


def choices_misfit(asked: Field, value: object) -> str:
    known = dict(asked.choices)
    if not isinstance(value, list) or not all(
        isinstance(each, str) and each in known for each in value
    ):
        return which(asked)
    least = asked.schema.get("minItems", 0)
    most = asked.schema.get("maxItems", len(known))
    if not least <= len(set(value)) == len(value) <= most:
        return f"Please choose {least} to {most} of them, each once."
    return ""


def which(asked: Field) -> str:
    some = ", several with commas between" if asked.kind == "choices" else ""
    return f"Please type a number from 1 to {len(asked.choices)}{some}."


def has_format(form: str, text: str) -> bool:
    """Whether a text has one of the four formats."""
    try:
        if form == "email":
            return bool(re.fullmatch(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+", text))
        if form == "uri":
            right = re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+", text)
            return bool(right and urlsplit(text).scheme)
        if form == "date":
            right = re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text)
            return bool(right and datetime.date.fromisoformat(text))
        zone = re.search(r"[0-9][Tt].*[0-9]([Zz]|[+-][0-9]{2}:[0-9]{2})$", text)
        return bool(zone and datetime.datetime.fromisoformat(text.upper()))
    except ValueError:  # a 13th month; a port that is no number
        return False


def read_number(asked: Field, text: str) -> object:
    """4.5 is a number, though the published JSON Schema of an answer forgets it."""
    if re.fullmatch("[+-]?[0-9]{1,20}", text):
        return int(text)
    if re.fullmatch(r"[+-]?[0-9]{1,20}\.[0-9]{1,20}", text):
        value = float(text)
        whole = asked.kind == "integer" and value.is_integer()
        return int(value) if whole else value
    return None


def read_choice(asked: Field, text: str) -> object:
    """By its number; or by its value or title, written out."""
    if re.fullmatch("[0-9]{1,3}", text) and 1 <= int(text) <= len(asked.choices):
        return asked.choices[int(text) - 1][0]
    right = [pair[0] for pair in asked.choices if text in pair]
    return right[0] if right else None


def read_choices(asked: Field, text: str) -> object:
    return [read_choice(asked, part.strip()) for part in text.split(",")]


def read_boolean(asked: Field, text: str) -> object:
    words = {"y": True, "yes": True, "true": True, "n": False, "no": False}
    return {**words, "false": False}.get(text.lower())


def shown(value: object) -> str:
    """A value as it is sent, for people to read."""
    return json.dumps(value, ensure_ascii=False)


READERS = {
    "string": lambda asked, text: text,
    "integer": read_number,
    "number": read_number,
    "boolean": read_boolean,
    "choice": read_choice,
    "choices": read_choices,
}
