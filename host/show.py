"""What a person sees, and how a person is asked. (lesson 03)"""

import sys

from handwritten.protocol import shorten


def line(who: str, text: str) -> None:
    """One line of the conversation; what does not print is shown as an escape."""
    print(f"{f'[{who}]':8} {shorten(text, limit=5000)}", flush=True)


def nothing(who: str, text: str) -> None:
    """Show nothing: the whole run is printed at the end."""


class Person:
    """Says yes or no to a question. Nobody there means no, and two options too."""

    def __init__(self, yes: bool, no: bool):
        self.yes, self.no = yes, no

    def answer(self) -> tuple[bool, str]:
        """The answer, and how it came about."""
        if self.yes or self.no:
            return not self.no, "as the option says"
        if not (sys.stdin and sys.stdin.isatty()):  # None: it was closed
            return False, "there is no terminal to ask at, so nobody said yes"
        print("[y/N] ", end="", file=sys.stderr, flush=True)
        # Only a plain yes is a yes; the end of input is none.
        return sys.stdin.readline().strip().lower() in ("y", "yes"), "at the terminal"
