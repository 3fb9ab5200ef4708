"""Growth: what a lesson added, and whether every lesson only adds.

The rule: every stage parses, every line of a stage is in the next one too, in the same
order, and the first stages are small enough to be held in the head.
"""

import io
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from lessons.manifest import ROOT
from tools.stages.marks import MarkError, read, stage_rows
from tools.stages.contents import (
    CODE,
    added,
    belongs,
    changes,
    files,
    highest,
    manifests,
    must_be_here,
)
from tools.stages.tags import tags_are_old

CONTEXT = 3  # unchanged lines around a change
BUDGETS = {  # lines of code without tests, at most
    ("handwritten", 1): 150,
    ("handwritten", 3): 350,
    ("host", 3): 350,
}
_NOT_CODE = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def difference(number: int, root: Path = ROOT) -> str:
    """What lesson `number` added to the code, as a unified diff."""
    must_be_here(number, root)
    paths = files(root)
    adds = added({name: paths[name].read_bytes() for name in manifests(paths)})
    pieces = []
    for name, path in paths.items():
        if name.split("/")[0] in CODE and belongs(name, number, adds):
            data = path.read_bytes()
            had = number > 1 and belongs(name, number - 1, adds)
            before = _rows(name, data, number - 1) if had else None
            after = _rows(name, data, number)
            if after is not None and before != after:
                pieces.append(_file_difference(name, before, after))
    return "".join(pieces)


def _rows(name: str, data: bytes, number: int) -> list | None:
    """(row in the source, line) pairs of a file's stage."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [(1, f"({len(data)} bytes that are not text)\n")]
    if changes(name):
        return stage_rows(text, number, name)
    return list(enumerate(io.StringIO(text), 1))


def _file_difference(name: str, before: list | None, after: list) -> str:
    """Rows name themselves, so lines are matched as they belong, not as they look."""
    rest = [_identity(*pair) for pair in before or ()]
    lines: list[str] = []
    changed: list[int] = []
    for row, line in after:
        new = not rest or rest[0] != _identity(row, line)
        if new:
            changed.append(len(lines))
        else:
            rest.pop(0)
        end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
        lines.append(("+" if new else " ") + line + end)
    first = f"--- a/{name}" if before is not None else "--- /dev/null"
    return f"{first}\n+++ b/{name}\n" + "".join(_hunks(lines, changed))


def _identity(row: int, line: str) -> int:
    return row if line.strip() else 0


def _hunks(lines: list[str], changed: list[int]) -> Iterator[str]:
    start = 0
    for at, index in enumerate(changed):
        last = at + 1 == len(changed)
        if last or changed[at + 1] - index > 2 * CONTEXT:
            top = max(changed[start] - CONTEXT, 0)
            hunk = lines[top : index + CONTEXT + 1]
            old = sum(each[0] == " " for each in lines[:top])
            had = sum(each[0] == " " for each in hunk)
            yield f"@@ -{old + (had > 0)},{had} +{top + 1},{len(hunk)} @@\n"
            yield from hunk
            start = at + 1


def code_lines(source: str) -> int:
    """How many lines are neither blank nor comment nor docstring."""
    rows: set[int] = set()
    statement: list[tuple[int, int, int]] = []  # kind, first row, last row
    for kind, _, (row, _), (end, _), _ in tokenize.generate_tokens(
        io.StringIO(source).readline
    ):
        if kind == tokenize.NEWLINE:
            if any(each != tokenize.STRING for each, _, _ in statement):
                for _, first, last in statement:
                    rows.update(range(first, last + 1))
            statement = []
        elif kind not in _NOT_CODE:
            statement.append((kind, row, end))
    return len(rows)


def check(root: Path = ROOT) -> tuple[list[str], list[str]]:
    """(what is wrong, one sentence each; a table of code lines for each stage)."""
    paths = files(root)
    faults = _missing(root, paths)
    sources, numbers = {}, [highest(paths)]
    for name, path in paths.items():
        if changes(name) and name.endswith(".py"):
            try:
                source = path.read_bytes().decode("utf-8")
                numbers += read(source, name).numbers
                sources[name] = source
            except UnicodeDecodeError:
                faults.append(f"{name}:1: the file is not UTF-8")
            except MarkError as error:
                faults.append(str(error))
    stages = range(1, max(numbers) + 1)
    counts = dict.fromkeys(((folder, n) for folder in CODE for n in stages), 0)
    for name, source in sources.items():
        folder = name.split("/")[0]
        for number, lines in _grow(name, source, stages, faults):
            if "/tests/" not in name:
                counts[folder, number] += lines
    faults += _over_budget(counts)
    return faults, _table(counts, stages)


def _grow(name: str, source: str, stages: Iterable[int], faults: list[str]):
    """(stage, lines of code) for each stage that has the file; adds what is wrong."""
    before, count = None, 0
    for number in stages:
        rows = stage_rows(source, number, name)
        if rows is None:
            continue
        if rows != before:
            unparsed = list(_unparsed(name, number, rows))
            faults += [*unparsed, *_lost(name, number, before or [], rows)]
            text = "".join(line for _, line in rows)
            count = 0 if unparsed else code_lines(text)
        before = rows
        yield number, count


def _unparsed(name: str, number: int, rows: list) -> Iterator[str]:
    try:
        with warnings.catch_warnings(action="ignore"):
            compile("".join(line for _, line in rows), name, "exec", dont_inherit=True)
    except SyntaxError as error:
        at = min(error.lineno or 1, len(rows)) - 1
        yield f"{name}:{rows[at][0]}: stage {number:02} does not parse: {error.msg}"


def _lost(name: str, number: int, before: list, after: list) -> Iterator[str]:
    left = iter([line for _, line in after])
    for row, line in before:
        if line not in left:  # takes lines off until it has found this one
            yield f"{name}:{row}: stage {number:02} has lost this line"
            return


def _missing(root: Path, paths: dict[str, Path]) -> list[str]:
    faults = []
    for manifest in manifests(paths):
        data = paths[manifest].read_bytes()
        for name in added({manifest: data}):
            if name not in paths:
                lines = data.decode("utf-8").split("\n")
                row = 1 + next((i for i, line in enumerate(lines) if name in line), 0)
                faults.append(f"{manifest}:{row}: adds {name!r}, which is not there")
    return faults


def _over_budget(counts: dict[tuple[str, int], int]) -> list[str]:
    return [
        f"{folder}: stage {number:02} has {counts[folder, number]} lines of code, "
        f"and its budget is {budget}"
        for (folder, number), budget in BUDGETS.items()
        if counts.get((folder, number), 0) > budget
    ]


def _table(counts: dict[tuple[str, int], int], stages: Iterable[int]) -> list[str]:
    lines = ["stage" + "".join(f"{folder:>13}" for folder in CODE)]
    for number in stages:
        cells = "".join(f"{counts[folder, number]:>13}" for folder in CODE)
        lines.append(f"{number:02}   {cells}")
    return lines


def main(root: Path = ROOT) -> int:
    """Print what is wrong (exit code 1), or the table."""
    faults, table = check(root)
    print("\n".join(faults or [*table, "lines of code, without tests and comments"]))
    if tags_are_old(root):
        print("The git tags are older than this checkout: make tags")
    return 1 if faults else 0
