"""How far a call is, on standard error. (lesson 07)

At a terminal it is one line that is written anew; elsewhere at most a few lines, since
a file that is read later needs no more.
"""

import sys
import time

from handwritten.protocol import shorten

WIDTH = 20  # characters of the bar itself
MOST_LINES = 5  # of one call, where there is no terminal
PAUSES = {True: 0.05, False: 1.0}  # seconds between two, at a terminal or not


class Bar:
    def __init__(self):
        self.lines, self.shown_at, self.length = 0, 0.0, 0

    def show(self, progress: float, total: float | None, message: str) -> None:
        """Draw the state of the call, unless that was done a moment ago."""
        terminal, now = sys.stderr.isatty(), time.monotonic()
        pause = now - self.shown_at
        if pause < PAUSES[terminal] and progress != total and self.lines:
            return
        if not terminal and self.lines == MOST_LINES:
            return
        text = f"[server] {state(progress, total, message, terminal)}"
        # Blanks cover what is left of a longer line.
        line = f"\r{text.ljust(self.length)}" if terminal else f"{text}\n"
        print(line, end="", file=sys.stderr, flush=True)
        self.lines, self.shown_at, self.length = self.lines + 1, now, len(text)

    def end(self) -> None:
        """Leave the line, so that what comes next gets one of its own."""
        if self.lines and sys.stderr.isatty():
            print(file=sys.stderr, flush=True)
        self.lines = self.length = 0


def state(progress: float, total: float | None, message: str, terminal: bool) -> str:
    """For example `[##########----------]  50% 25 of 50 tickets`."""
    words = shorten(message, 40)
    if total is None or total <= 0:
        return words or f"{progress:.12g}"
    part = min(1.0, max(0.0, progress / total))
    done = round(WIDTH * part)
    drawn = f"[{'#' * done}{'-' * (WIDTH - done)}] " if terminal else ""
    return f"{drawn}{part:4.0%} {words or f'{progress:.12g} of {total:.12g}'}"
