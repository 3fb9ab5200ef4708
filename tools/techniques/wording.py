"""The same list in other words: descriptions cut short, and a notation. (lesson 04)

`first_sentence` loses the rest of the description. `toon` loses nothing and is longer;
it needs the package python-toon, which `make setup` installs.
"""

import re

from tools.tool_cost import CostError

# A sentence ends at its mark, together with what closes after it, where a blank or the
# end of the text follows; at the full stops that some scripts set without a blank; and
# at an empty line.
MARKS = r"(?<![.!?\u2026])[.!?\u2026]++[\"'\u201d\u2019`)\]]*+"
END = re.compile(rf"{MARKS}(?=\s|$)|[\u3002\uff01\uff1f]|(?=\n[ \t\r]*\n)")
SHORT = ("cf", "vs", "approx", "incl", "excl", "resp", "ca", "dr", "mr", "mrs", "ms")
NEAR = 40  # characters around a full stop that are looked at: it may be a long text
BEFORE_NUMBERS = ("no", "nos", "fig", "sec")
LETTERS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # "e.g", "i.e", "U.S"


def first_sentence(tool: dict) -> dict:
    """The tool with the first sentence of its description only."""
    text = tool.get("description")
    if not isinstance(text, str):
        return tool
    return {**tool, "description": shortened(text.strip())}


def shortened(text: str) -> str:
    """The first sentence of a text; all of it where no sentence ends."""
    for match in END.finditer(text):
        before = text[max(0, match.start() - NEAR) : match.start()]
        after = text[match.end() : match.end() + NEAR].lstrip()
        if not (match[0].startswith(".") and goes_on(before, after)):
            return text[: match.end()].rstrip()
    return text


def goes_on(before: str, after: str) -> bool:
    """Whether a full stop between two texts belongs to a word and ends nothing."""
    word = re.split(r"[\s(\[\"'\u201c\u2018,;:/]", before)[-1]
    if word.lower() in BEFORE_NUMBERS:
        return after[:1].isdigit()
    known = word.lower() in SHORT or LETTERS.fullmatch(word) is not None
    initial = len(word) == 1 and word.isupper()
    numbered = word.isdigit() and before == word  # "1. Open the file"
    return known or initial or numbered or after[:1].islower()  # "etc. are"


def toon(tools: list[dict]) -> str:
    """The list in TOON, by its own library. Raises CostError: it is not there."""
    try:
        from toon import encode  # type: ignore
    except ImportError:
        raise CostError("TOON needs python-toon: run make setup") from None
    return encode(tools)
