"""What a person sees, and how a person is asked. (lesson 03)"""

import contextlib  # lesson-07
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
        # Whether nothing is shown to the person while it happens.
        self.blind = False  # lesson-07
        # What the next answer is for.
        self.question = ""  # lesson-07

    def answer(self) -> tuple[bool, str]:
        """The answer, and how it came about."""
        if self.yes or self.no:
            return not self.no, "as the option says"
        if self.blind:  # lesson-07
            return False, "the question was not shown, so nobody said yes"
        if not (sys.stdin and sys.stdin.isatty()):  # None: it was closed
            return False, "there is no terminal to ask at, so nobody said yes"
        # The conversation goes to a file, say; nobody says yes to what they can't see.
        if not (sys.stdout and sys.stdout.isatty()):  # lesson-07
            self.tell(self.question)
        # What was typed before is no answer to a question that was not there yet.
        self.forget_typed()  # lesson-07
        print("[y/N] ", end="", file=sys.stderr, flush=True)
        # Only a plain yes is a yes; the end of input is none.
        return sys.stdin.readline().strip().lower() in ("y", "yes"), "at the terminal"

    def there(self) -> bool:  # lesson-07
        """Whether somebody can see a form, and fill it in."""
        streams = (sys.stdin, sys.stderr)
        return not self.blind and all(each and each.isatty() for each in streams)

    def tell(self, text: str) -> None:  # lesson-07
        """A line of a dialog; what does not print is shown as an escape."""
        print(shorten(text, limit=5000), file=sys.stderr, flush=True)

    def read(self, prompt: str) -> str | None:  # lesson-07
        """The line that is typed; None at the end of input."""
        print(shorten(prompt, limit=500), end=" ", file=sys.stderr, flush=True)
        typed = sys.stdin.readline()
        if not typed:
            print(file=sys.stderr, flush=True)
        return typed.rstrip("\r\n") if typed else None

    def forget_typed(self) -> None:  # lesson-07
        """Drop what was typed before the next question could be read."""
        if sys.platform == "win32":
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()
        else:
            import termios

            with contextlib.suppress(termios.error):  # it is no terminal
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
