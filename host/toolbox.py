"""Which tools the model is given, and under which names. (lesson 04)

Every definition that a model is given is paid for on every call, so the host decides
which it gives. With several servers it also decides what the tools are called: a model
API takes letters, digits, `_` and `-`, 64 of them, and each name once.
"""

import hashlib
import itertools
import json
import re

from handwritten.ranking import rank
from handwritten.text import quote

LONGEST_NAME = 64
FIND = "find_tools"
FOUND_AT_ONCE = 3  # definitions that one search brings
FIND_SPEC = {
    "name": FIND,
    "description": "Find tools by words of what you want to do. The tools that fit"
    " best can be called from then on.",
    "input_schema": {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
}


def alias(name: str, server: str, taken) -> str:
    """A name that a model API takes and that nobody has yet.

    The first server that brings a name keeps it; a second one's gets the prefix that
    this host chose for the server. What a server calls itself could be chosen to shadow
    another.
    """
    for wish in (name, f"{server}__{name}"):
        legal = re.sub("[^A-Za-z0-9_-]", "_", wish)
        if len(legal) <= LONGEST_NAME and legal not in (FIND, *taken):
            return legal
    # Somebody may have taken the first of these on purpose.
    data = (f"{server}\n{name}\n{number}" for number in itertools.count())
    digests = (hashlib.sha256(each.encode("utf-8", "replace")) for each in data)
    short = legal[: LONGEST_NAME - 9]
    made = (f"{short}_{digest.hexdigest()[:8]}" for digest in digests)
    return next(each for each in made if each not in taken)


class Toolbox:
    """What of all tools the model is given: all, some by name, or what it found."""

    def __init__(self, choice: str):
        self.searching = choice == "search"
        names = re.findall(r"[^\s,]+", choice)
        self.only = None if choice in ("all", "search") else names
        self.found: list[str] = []
        self.shown: set[str] = set()  # names that the model has been given

    def given(self, specs: list[dict]) -> list[dict]:
        """The specs that the model gets with this reply. Raises ValueError: no such."""
        known = {spec["name"]: spec for spec in specs}
        chosen = list(known) if self.only is None else self.only
        if missing := [name for name in chosen if name not in known]:
            raise ValueError(f"--tools: no server offers {quote(missing[0])}.")
        if self.searching:
            chosen = self.found
        shown = [spec for spec in specs if spec["name"] in chosen]
        self.shown.update(spec["name"] for spec in shown)
        return [FIND_SPEC, *shown] if self.searching else shown

    def hides(self, name: object) -> bool:
        """Whether the model can know of this tool by hearsay only, a text it read."""
        return name not in self.shown

    def find(self, query: object, specs: list[dict]) -> dict:
        """Answer a search of the model; nothing crosses the wire for it."""
        texts = [f"{spec['name']} {spec['description']}" for spec in specs]
        best = rank(str(query), texts)[:FOUND_AT_ONCE]
        names = [specs[position]["name"] for _, position in best]
        self.found += [name for name in names if name not in self.found]
        return {"text": json.dumps({"found": names}), "is_error": not names}
