"""Marks: which lesson each line of a Python file belongs to.

The rule: every line gets one number, the greatest of the marks that cover it, and stage
N keeps the lines up to N. So a stage is a subsequence of the next one, line by line.

    (lesson 03) at the end of the first docstring line: the file
    x = wrap(x)  # lesson-06        its line, or the statement or item the line opens
    # lesson-06                     alone: the lines below, down to a blank one

Comment lines directly above a marked block, in its column, belong to it. Marks inside
strings are text. What looks like a mark and is none is refused.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tools.stages.layout import Layout, RowError, Rows, tokens

LAST = 12  # the highest lesson a mark may name

_MARK = re.compile(r"# lesson-([0-9]{2})")
_NEAR = re.compile(r"#[\s#:!]*lessons?[\s_:.-]*[0-9]", re.IGNORECASE)
_FILE = re.compile(r"\(lesson ([0-9]{2})\)$")
_NEAR_FILE = re.compile(r"\(\s*lessons?[\s_:.-]*[0-9]+\s*\)\W*$", re.IGNORECASE)
_DOCSTRING = re.compile("[rRuU]?[\"']")  # neither f"" nor b""
_MAY_BE_MARKED = re.compile(r"#.*lesson", re.IGNORECASE)


class MarkError(Exception):
    """A mark that can't be used: one sentence that begins with file and line."""


class Mark(NamedTuple):
    """What the mark in `row` says, and the rows that it covers."""

    number: int
    row: int
    rows: Rows


class Marked(NamedTuple):
    """A file whose lines have numbers; `blank` are the rows of its blank lines."""

    lesson: int
    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    blank: frozenset[int]


def project(source: str, number: int, name: str = "") -> str | None:
    """The file as of lesson `number`; None where it belongs to a later one.

    `name` is its path from the root, with "/". Raises MarkError.
    """
    rows = stage_rows(source, number, name)
    return None if rows is None else "".join(line for _, line in rows)


def stage_rows(source: str, number: int, name: str = "") -> list | None:
    """The same as (row in the source, line) pairs."""
    marked = read(source, name)
    if marked.lesson > number:
        return None
    return [(row, marked.lines[row - 1]) for row in _kept(marked, number)]


def _kept(marked: Marked, number: int) -> list[int]:
    """The rows of a stage. Where rows fall out, the longest blank run stays."""
    rows: list[int] = []
    runs: list[list[int]] = [[]]  # the blank lines since the last row that was kept
    for row, belongs in enumerate(marked.numbers, 1):
        if belongs > number:
            runs.append([])
        elif row in marked.blank:
            runs[-1].append(row)
        else:
            rows += [*max(runs, key=len), row]
            runs = [[]]
    # A file that lost its last lines does not end in the blank ones above them.
    return rows + runs[-1]


@cache
def read(source: str, name: str = "") -> Marked:
    """The number of every line. Raises MarkError."""
    try:
        lines = tuple(io.StringIO(source))
        lesson = _file_lesson(source, name)
        if not _MAY_BE_MARKED.search(source):  # most files: nothing more to read
            return Marked(lesson, lines, (lesson,) * len(lines), frozenset())
        layout = Layout(source)
        numbers = _numbers(layout, _marks(layout), lesson, len(lines))
        return Marked(lesson, lines, numbers, frozenset(layout.blank))
    except RowError as error:
        raise MarkError(f"{name}:{error.row}: {error.rule}") from None


def _file_lesson(source: str, name: str) -> int:
    for text, row in _docstring(source):
        title = text.partition("\n")[0].rstrip()
        if found := _FILE.search(title):
            return _lesson(found[1], row)
        if found := _NEAR_FILE.search(title):
            raise RowError(row, f"{found[0]!r} is no mark; one looks like (lesson 03)")
    if name.partition("/")[0] in ("", "tools"):
        return 1
    raise RowError(1, "the first docstring line must end in a lesson, as (lesson 03)")


def _docstring(source: str) -> Iterator[tuple[str, int]]:
    for kind, text, (row, _), _ in tokens(source):
        if kind == tokenize.STRING and _DOCSTRING.match(text):
            yield ast.literal_eval(text), row
        if kind not in (tokenize.COMMENT, tokenize.NL):
            return


def _lesson(digits: str, row: int) -> int:
    if not 1 <= int(digits) <= LAST:
        raise RowError(row, f"there is no lesson {digits}; there are 01 to {LAST}")
    return int(digits)


def _marks(layout: Layout) -> list[Mark]:
    marks = []
    for row, comment in layout.comments.items():
        if found := _MARK.fullmatch(comment.text):
            rows = layout.headed(row) if comment.alone else layout.opened(row)
            marks.append(Mark(_lesson(found[1], row), row, rows))
        elif near := _NEAR.search(comment.text):
            shown = comment.text[near.start() :][:30]
            rule = f"{shown!r} is no mark; one is a comment of its own: # lesson-07"
            raise RowError(row, rule)
    return marks


def _numbers(layout: Layout, marks: list[Mark], lesson: int, count: int) -> tuple:
    """The number of each line, after every mark was found to make sense."""
    numbers = [lesson] * count
    for mark in marks:
        _must_be_later(mark, marks, lesson)
        for row in range(_top(layout, mark.rows), mark.rows.bottom + 1):
            numbers[row - 1] = max(numbers[row - 1], mark.number)
    first = layout.tokens[0] if layout.tokens else None
    if first and first.text.endswith('"""') and numbers[first.row - 1] > lesson:
        raise RowError(first.row, "the docstring of a file belongs to its own lesson")
    code = {token.row for token in layout.tokens}
    for mark in marks:
        rows = code.intersection(range(mark.rows.top, mark.rows.bottom + 1))
        if all(numbers[row - 1] > mark.number for row in rows):
            raise RowError(
                mark.row, "all that this mark heads belongs to later lessons"
            )
    return tuple(numbers)


def _must_be_later(mark: Mark, marks: list[Mark], lesson: int) -> None:
    """Than the file and than every mark around it."""
    around = [
        other.number
        for other in marks
        if other is not mark
        and other.rows.top <= mark.rows.top
        and other.rows.bottom >= mark.rows.bottom
    ]
    latest = max([lesson, *around])
    if mark.number <= latest:
        rule = f"lesson {mark.number:02} is not later than {latest:02} around it"
        raise RowError(mark.row, rule)


def _top(layout: Layout, rows: Rows) -> int:
    """With the comment lines directly above, in the same column."""
    top = rows.top
    while (above := layout.comments.get(top - 1)) and (
        above.alone and above.column == rows.column and not _MARK.fullmatch(above.text)
    ):
        top -= 1
    return top
