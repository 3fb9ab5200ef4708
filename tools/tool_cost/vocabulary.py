"""Counting tokens: the vocabulary o200k_base, from its file here. (lesson 04)

The rule: the file is only ever read. Its sha256 is checked here and the ranks are
handed to tiktoken, whose own loader would delete a file that differs and then download
another. And no text is special: `<|endoftext|>` in a description is just text.
"""

import binascii
import functools
import hashlib
import re
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().with_name("o200k_base.tiktoken")
SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
# How a text is cut into pieces before the vocabulary is applied to each of them.
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
ENDING = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
PATTERN = "|".join(
    [
        rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+{ENDING}",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*{ENDING}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
MAX_BYTES = 16 * 1024 * 1024  # of one text; ten thousand tools are about 13 MB
# Of letters, of signs or of white space, and nothing else between: one piece, for which
# tiktoken's time per character grows with the length. A million spaces crash it.
MAX_RUN = 100_000
KINDS = {
    "white spaces": re.compile(r"\s*+"),
    "letters": re.compile(r"[^\W\d_]*+"),
    "signs": re.compile(r"(?:[^\w\s]|_)*+"),
}
HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair: JSON can hold one alone


class CostError(Exception):
    """It can't be measured; the text is one sentence for the user."""


def count(text: str) -> int:
    """The tokens of this text in o200k_base.

    Raises CostError for a text of more than MAX_BYTES, for one with a run of MAX_RUN
    characters of a kind, and where the vocabulary can't be had.
    """
    if len(text) > MAX_BYTES or len((text := encodable(text)).encode()) > MAX_BYTES:
        raise CostError(f"the text to count has more than {MAX_BYTES:,} bytes")
    if len(text) >= MAX_RUN and (kind := _endless(text)):
        raise CostError(f"the text to count has {MAX_RUN:,} {kind} in a row")
    return len(encoding().encode_ordinary(text))


def encodable(text: str) -> str:
    """The text, with halves of surrogate pairs (which have no UTF-8) as U+FFFD."""
    try:
        text.encode()  # quicker than to look for them
    except UnicodeEncodeError:
        return HALF.sub("\ufffd", text)
    return text


def _endless(text: str) -> str:
    """The kind of a run of MAX_RUN characters, or "" where there is none.

    Such a run holds a multiple of MAX_RUN, so one looks around these places only.
    """
    for middle in range(0, len(text), MAX_RUN):
        sides = (
            text[middle : middle + MAX_RUN],
            text[max(0, middle - MAX_RUN) : middle][::-1],
        )
        for kind, run in KINDS.items():
            after, before = (run.match(side) for side in sides)
            if after and before and after[0] and after.end() + before.end() >= MAX_RUN:
                return kind
    return ""


@functools.cache
def encoding() -> Any:
    """tiktoken's encoding with these ranks, made once. Raises CostError."""
    ranks = _ranks()
    try:
        import tiktoken  # not at the top: who measures nothing needs no package
    except ImportError:
        raise CostError("tiktoken is not installed: run make setup") from None
    return tiktoken.Encoding(
        "o200k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={}
    )


def _ranks() -> dict[bytes, int]:
    try:
        data = FILE.read_bytes()
    except OSError as error:
        raise CostError(f"the vocabulary can't be read: {error}") from None
    if (found := hashlib.sha256(data).hexdigest()) != SHA256:
        mend = f"git checkout -- tools/tool_cost/{FILE.name}"
        raise CostError(
            f"{FILE.name} is not the vocabulary that was shipped (its sha256 is "
            f"{found[:12]}…, not {SHA256[:12]}…): {mend}"
        )
    pairs = (line.split() for line in data.splitlines())
    return {binascii.a2b_base64(token): int(rank) for token, rank in pairs}
