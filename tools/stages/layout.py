"""Layout: which rows of a Python file a line opens, and which it heads.

The rule: a stretch of rows is whole statements, clauses or bracket items, never a part
of one, so that taking it away leaves a program. Read with `tokenize`, because comments
count here and the syntax tree has none.
"""

import io
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_CLAUSES = ("elif", "else", "except", "finally")
_NOT_CODE = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


class RowError(Exception):
    """What is wrong (`rule`), and in which row."""

    def __init__(self, row: int, rule: str):
        super().__init__(row, rule)
        self.row, self.rule = row, rule


class Token(NamedTuple):
    """A word of the program; a bracket has the depth that is outside of it."""

    text: str
    row: int
    column: int
    end: int  # its last row
    depth: int


class Comment(NamedTuple):
    text: str
    column: int
    alone: bool


class Rows(NamedTuple):
    """The rows from top to bottom, both included, that begin in this column."""

    top: int
    bottom: int
    column: int


def tokens(source: str) -> Iterator[tuple]:
    """(kind, text, start, end); an f-string is one STRING in every Python."""
    level, start = 0, (0, 0)
    try:
        for kind, text, begin, end, _ in tokenize.generate_tokens(
            io.StringIO(source).readline
        ):
            name = tokenize.tok_name[kind]
            if name.endswith("STRING_START"):
                level, start = level + 1, start if level else begin
            elif name.endswith("STRING_END"):
                level -= 1
                if not level:
                    yield tokenize.STRING, 'f""', start, end
            elif not level:
                yield kind, text, begin, end
    except tokenize.TokenError as error:
        raise RowError(error.args[1][0], f"not Python: {error.args[0]}") from None
    except SyntaxError as error:
        raise RowError(error.lineno or 1, f"not Python: {error.msg}") from None


class Layout:
    """A file read once: tokens, comments, blank lines, statements."""

    def __init__(self, source: str):
        self.tokens: list[Token] = []
        self.comments: dict[int, Comment] = {}
        self.statements: list[tuple[Token, int]] = []  # first token, last row
        used: set[int] = set()
        depth, first = 0, None
        for kind, text, (row, column), (end, _) in tokens(source):
            if kind == tokenize.COMMENT:
                self.comments[row] = Comment(text.rstrip(), column, row not in used)
            elif kind == tokenize.NEWLINE and first:
                self.statements.append((first, self.tokens[-1].end))
                first = None
            elif kind != tokenize.NEWLINE and kind not in _NOT_CODE:
                depth -= text in (")", "]", "}")
                self.tokens.append(Token(text, row, column, end, depth))
                depth += text in ("(", "[", "{")
                first = first or self.tokens[-1]
                used.update(range(row, end + 1))
        lines = enumerate(io.StringIO(source), 1)
        self.blank = {row for row, line in lines if not line.strip()} - used

    def opened(self, row: int) -> Rows:
        """The statement, clause or item that begins in this row of code."""
        for at, (first, _) in enumerate(self.statements):
            if first.row == row:
                return Rows(*self._statement(at), first.column)
        at = next((at for at, each in enumerate(self.tokens) if each.row == row), 0)
        if not self._begins_item(at):
            raise RowError(row, "a mark stands where its statement or item begins")
        first = self.tokens[at]
        for token, after in pairwise(self.tokens[at:]):
            comma = token.text == "," and token.depth == first.depth
            if after.row > token.end and (comma or after.depth < first.depth):
                return Rows(row, token.end, first.column)
            if after.depth < first.depth:
                break
        raise RowError(row, "a marked item has its lines for itself, up to its comma")

    def headed(self, row: int) -> Rows:
        """The lines below this comment, down to a blank line or the block's end."""
        column = self.comments[row].column
        at = next((at for at, each in enumerate(self.tokens) if each.row > row), None)
        bottom = row if at is None else self._last_headed(row, at)
        inside = [each for each in self.tokens[at:] if row < each.row <= bottom]
        if at is None or not inside:
            raise RowError(row, "the mark heads nothing: no code stands right below it")
        if inside[0].column != column:
            raise RowError(row, "a mark stands in the column of the lines it heads")
        if inside[0].depth and not self._are_items(at, at + len(inside) - 1):
            raise RowError(row, "the mark heads a part of an item, not the whole")
        for index, (first, _) in enumerate(self.statements):
            if row < first.row <= bottom:
                top, end = self._statement(index)
                if top < row or end > bottom:
                    rule = f"the mark heads a part of the statement of line {first.row}"
                    raise RowError(row, rule)
        return Rows(row, bottom, column)

    def _last_headed(self, row: int, at: int) -> int:
        """Where a blank line, a lower column or the closing bracket ends a group."""
        column = self.comments[row].column
        below = self.tokens[at]
        depth = below.depth + (below.text in (")", "]", "}"))
        ends = {each for each in self.blank if each > row}
        for first, _ in self.statements:
            if first.row > row and first.column < column:
                ends.add(first.row)
        for place, comment in self.comments.items():
            if place > row and comment.alone and comment.column < column:
                ends.add(place)
        for token in self.tokens[at:]:
            if token.depth < depth:
                ends.add(token.row)
                break
        return min(ends, default=self.tokens[-1].end + 1) - 1

    def _are_items(self, first: int, last: int) -> bool:
        end, after = self.tokens[last], self.tokens[last + 1]
        depth = self.tokens[first].depth
        comma = end.text == "," and end.depth == depth
        return self._begins_item(first) and (
            comma or (after.depth < depth and after.row > end.end)
        )

    def _begins_item(self, at: int) -> bool:
        """Inside brackets, right after the opening one or a comma, on a new line."""
        before, first = self.tokens[at - 1], self.tokens[at]
        if not at or not first.depth or before.end == first.row:
            return False
        opening = before.text in ("(", "[", "{") and before.depth + 1 == first.depth
        return opening or (before.text == "," and before.depth == first.depth)

    def _statement(self, at: int) -> tuple[int, int]:
        """From the first decorator to the end of the last clause."""
        first, _ = self.statements[at]
        if first.text == "@":  # marked by itself, a decorator is one line
            return first.row, self.statements[at][1]
        below, bottom = self._body(at)
        while first.text not in _CLAUSES and self._is(below, _CLAUSES, first.column):
            below, bottom = self._body(below)
        while self._is(at - 1, ("@",), first.column):
            at -= 1
        return self.statements[at][0].row, bottom

    def _is(self, at: int, words: tuple[str, ...], column: int) -> bool:
        if not 0 <= at < len(self.statements):
            return False
        first, _ = self.statements[at]
        return first.text in words and first.column == column

    def _body(self, at: int) -> tuple[int, int]:
        """The statement after a clause with its block, and the last row of that."""
        first, bottom = self.statements[at]
        below = at + 1
        while (
            below < len(self.statements)
            and self.statements[below][0].column > first.column
        ):
            bottom = self.statements[below][1]
            below += 1
        if below == at + 1:
            return below, bottom
        after = self.statements[below][0].row if below < len(self.statements) else None
        for row, comment in self.comments.items():
            if row > bottom and (after is None or row < after):
                if comment.column <= first.column:
                    break
                bottom = row
        return below, bottom
