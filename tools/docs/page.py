"""One Markdown page: its generated blocks, its fences and its prose.

A generated block is a comment alone on a line, and what follows it:

    <!-- message 01-discover 1 -->     a fenced code block, on the very next line
    <!-- quiz -->                      Markdown, up to a line <!-- end -->

A comment that is not one of these is refused: it would be a block that nobody
notices is missing.
"""

import re
from dataclasses import dataclass, field

from tools.docs.course import Fault

FENCED = ("message", "code", "run")
REGIONS: tuple[str, ...] = ("added", "lessons", "quiz", "spec")
REGIONS += ("deviations",)  # lesson-05
COMMENT = re.compile(r"<!-- ([a-z]+)(?: (.*\S))? -->")
FENCE = re.compile(r"\s*(?P<marks>`{3,}|~{3,})\s*(?P<info>[^`]*)")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)


@dataclass(frozen=True)
class Directive:
    """One generated block: `lines[start:end]` of the page is what stands there."""

    line: int  # of the comment, from 1
    kind: str
    words: str  # what follows the kind, as it was written
    start: int
    end: int


@dataclass(frozen=True)
class Fence:
    line: int  # of the opening marks, from 1
    info: str  # "json", "console", …
    body: tuple[str, ...]
    generated: bool


@dataclass
class Page:
    """A page taken apart. `prose` is all that stands in no fence, with line numbers."""

    name: str
    lines: list[str]
    directives: list[Directive] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    prose: list[tuple[int, str]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    data: str = ""  # the folder that the commands of this page share

    def fault(self, line: int, text: str) -> None:
        self.faults.append(Fault(self.name, line, text))

    def paragraphs(self) -> list[tuple[int, str]]:
        """Runs of prose lines without an empty one between, with their first line."""
        found: list[tuple[int, list[str]]] = []
        before = -1
        for number, line in self.prose:
            if line.strip():
                if number != before + 1:
                    found.append((number, []))
                found[-1][1].append(line)
                before = number
        return [(number, "\n".join(lines)) for number, lines in found]

    def spans(self) -> list[tuple[int, str]]:
        """What stands between backticks in the prose, with its line."""
        return [
            (first + text.count("\n", 0, each.start()), " ".join(each[2].split()))
            for first, text in self.paragraphs()
            for each in SPAN.finditer(text)
        ]

    def headings(self) -> list[str]:
        found = (
            re.fullmatch(r"#{1,6}\s+(.*?)\s*#*\s*", line) for _, line in self.prose
        )
        return [each[1] for each in found if each]


def parse(name: str, text: str) -> Page:
    """Takes a page apart; what is damaged is in `faults`."""
    page = Page(name, text.split("\n"))
    reader = _Reader(page)
    at = 0
    while at < len(page.lines):
        at = reader.step(at)
    reader.no_end(len(page.lines))
    return page


def quiet(text: str) -> str:
    """The text with the inside of its code spans blanked out, lengths kept."""

    def blank(span: re.Match) -> str:
        return re.sub(r"[^\n]", "x", span[0])

    return SPAN.sub(blank, text)


class _Reader:
    """Walks down a page; remembers the region that waits for its end."""

    def __init__(self, page: Page):
        self.page = page
        self.open: tuple[int, re.Match] | None = None

    def step(self, at: int) -> int:
        """Reads what begins at line index `at`; the index behind it."""
        line = self.page.lines[at]
        if FENCE.match(line):
            return self._fence(at, generated=self.open is not None)
        if "<!--" in quiet(line):
            return self._comment(at, line)
        self.page.prose.append((at + 1, line))
        return at + 1

    def _fence(self, at: int, generated: bool) -> int:
        opened = FENCE.match(self.page.lines[at])
        assert opened
        marks = opened["marks"]
        closing = re.compile(rf"\s*{marks[0]}{{{len(marks)},}}\s*")
        for end in range(at + 1, len(self.page.lines)):
            if closing.fullmatch(self.page.lines[end]):
                break
            if generated and self._begins_block(self.page.lines[end], marks):
                text = f"the block is not closed before line {end + 1}"
                self.page.fault(at + 1, text)
                return end
        else:
            self.page.fault(at + 1, f"the code block is not closed: no line {marks}")
            end = len(self.page.lines)
        body = tuple(self.page.lines[at + 1 : end])
        self.page.fences.append(Fence(at + 1, opened["info"].strip(), body, generated))
        return end + 1

    def _begins_block(self, line: str, marks: str) -> bool:
        """No generated block holds such a line: its closing marks were lost."""
        comment = COMMENT.fullmatch(line.rstrip())
        return line.startswith(marks) or bool(comment and comment[1] in FENCED)

    def _comment(self, at: int, line: str) -> int:
        found = COMMENT.fullmatch(line.rstrip())
        kind = found[1] if found else ""
        if not found or kind not in (*FENCED, *REGIONS, "end"):
            known = ", ".join((*FENCED, *REGIONS, "end"))
            self.page.fault(
                at + 1,
                f"{line.strip()[:60]!r} is no directive: one stands alone on its line, "
                f"like <!-- quiz -->, and is one of {known}",
            )
            return at + 1
        if kind == "end":
            self._end(at)
            return at + 1
        self.no_end(at)
        if kind in REGIONS:
            self.open = (at, found)
            return at + 1
        below = self.page.lines[at + 1] if at + 1 < len(self.page.lines) else ""
        end = self._fence(at + 1, generated=True) if FENCE.match(below) else at + 1
        self._add(at, found, min(end, len(self.page.lines)))
        return end

    def _add(self, at: int, found: re.Match, end: int) -> None:
        words = found[2] or ""
        self.page.directives.append(Directive(at + 1, found[1], words, at + 1, end))

    def _end(self, at: int) -> None:
        if self.open is None:
            self.page.fault(at + 1, "<!-- end --> ends nothing: no region is open here")
            return
        self._add(*self.open, at)
        self.open = None

    def no_end(self, at: int) -> None:
        """At the next directive or the page's end: a region must not be open."""
        if self.open is not None:
            start, found = self.open
            last = at == len(self.page.lines)
            where = "the end of the page" if last else f"line {at + 1}"
            text = f"<!-- {found[1]} --> has no <!-- end --> before {where}"
            self.page.fault(start + 1, text)
            self.open = None
