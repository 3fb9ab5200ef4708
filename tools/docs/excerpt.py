"""Pieces of a Python file for the text: definitions by name, without the marks.

The source that comes in is a stage's (`tools.stages.project`); nothing here knows
lessons, apart from the marks that are taken off.
"""

import ast
import difflib
import io
import re
import textwrap
import tokenize

MARK = re.compile(r"\s*# lesson-[0-9]{2}$")
GAP = "…"


class ExcerptError(Exception):
    """A name that is not there, or nothing to show."""


def whole(source: str) -> list[str]:
    """All lines of a file without its marks."""
    return _kept(_unmarked(source))


def definition(source: str, name: str) -> list[str]:
    """The function, class or assignment `name` ("Connection.receive" for a method).

    Decorators come along, and comments directly above. Raises ExcerptError.
    """
    lines = source.split("\n")
    node = _find(ast.parse(source), name)
    decorators = getattr(node, "decorator_list", [])
    start = min(each.lineno for each in (node, *decorators)) - 1
    margin = " " * node.col_offset + "#"
    while start > 0 and lines[start - 1].startswith(margin):
        start -= 1
    return _dedent(_kept(_unmarked(source)[start : node.end_lineno]))


def additions(before: list[str], after: list[str]) -> list[str]:
    """The lines of `after` that `before` has not; a line "…" where some lie between.

    Raises ExcerptError when there are none.
    """
    same = _same(before, after)
    runs: list[list[str]] = []
    for number, line in enumerate(after):
        if number in same:
            runs.append([])
        elif line.strip() or (runs and runs[-1]):
            runs = runs or [[]]
            runs[-1].append(line)
    shown: list[str] = []
    for run in runs:
        while run and not run[-1].strip():
            run.pop()
        if run and shown:
            indent = run[0][: len(run[0]) - len(run[0].lstrip())]
            shown.append(indent + GAP)
        shown += run
    if not shown:
        raise ExcerptError("the lesson adds no line to it")
    return _dedent(shown)


def _same(before: list[str], after: list[str]) -> set[int]:
    """Which lines of `after` stand in `before`. A stage only adds lines, so all of
    `before` can be found again; difflib finds the natural places, or misses some."""
    blocks = difflib.SequenceMatcher(None, before, after, False).get_matching_blocks()
    if sum(block.size for block in blocks) == len(before):
        return {block.b + step for block in blocks for step in range(block.size)}
    found, wanted = set(), [line for line in before if line.strip()]
    wanted.reverse()
    for number, line in enumerate(after):
        if wanted and line == wanted[-1]:
            found.add(number)
            wanted.pop()
    return found


def _find(tree: ast.Module, name: str):
    body: list[ast.stmt] = tree.body
    node = None
    for part in name.split("."):
        node = next((each for each in _statements(body) if part in _names(each)), None)
        if node is None:
            names = (each for known in _statements(tree.body) for each in _names(known))
            known = ", ".join(dict.fromkeys(names))
            raise ExcerptError(f"has no {name!r}; there are {known or 'no names'}")
        body = getattr(node, "body", [])
    return node


def _statements(body: list[ast.stmt]):
    for each in body:
        yield each
        if isinstance(each, ast.If | ast.Try | ast.With):
            yield from _statements([*each.body, *getattr(each, "orelse", [])])


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [each.id for each in node.targets if isinstance(each, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _unmarked(source: str) -> list[str | None]:
    """The lines without marks; None for a line that was nothing but a mark."""
    lines: list[str | None] = list(source.split("\n"))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        number = token.start[0] - 1
        line = lines[number]
        if token.type == tokenize.COMMENT and line and MARK.search(line):
            lines[number] = MARK.sub("", line) or None
    return lines


def _kept(lines: list[str | None]) -> list[str]:
    kept = [line for line in lines if line is not None]
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _dedent(lines: list[str]) -> list[str]:
    return textwrap.dedent("\n".join(lines)).split("\n")
