"""What the commands that measure lists have in common on a terminal. (lesson 04)

The rule: names, paths and error texts are somebody else's. What a terminal would act on
is shown as an escape, and what goes wrong is one sentence.
"""

import sys

from tools.transcript.lines import printable, shorten

LONGEST = 1000  # characters of an error


def fit(text: str, width: int) -> str:
    """Somebody else's text, safe on a terminal and at most so wide."""
    return shorten(printable(text[: width + 1]), width)


def complain(program: str, error: object) -> int:
    """Print an error as a sentence of this program: 2, its exit code."""
    print(f"{program}: {fit(str(error), LONGEST)}", file=sys.stderr)
    return 2


def split_words(words: list[str]) -> tuple[list[str], list[str]]:
    """A command's own words, and the server's: all behind the first `--`."""
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end + 1 :]
