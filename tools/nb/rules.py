"""The rules for a stored notebook: its one normal form, and what may not be in it.

The rule: every cell is compared with what it printed before, so nothing in a notebook
may switch the comparison off, and nothing in an output may differ between two
machines. Standard library only.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

MOST_CELLS = 25
LONGEST_LINE = 88
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# What nbval takes as "compare less": comments, and tags of the same names.
MARKERS = re.compile(r"\b(NBVAL|PYTEST_VALIDATE)_[A-Z_]+|\braises-exception\b", re.I)
VOLATILE = (
    (re.compile(r"\b0x[0-9a-fA-F]{6,}\b"), "a memory address"),
    (
        re.compile(r"(?<![\w.~/:-])/(home|Users|root|tmp|usr|var|private|opt|etc)/\S*"),
        "an absolute path",
    ),
    (re.compile(r"\b[A-Za-z]:\\{1,2}\w\S*"), "an absolute path"),
    (re.compile(r"Traceback \(most recent call last\)"), "a raw traceback"),
)


class NotebookError(Exception):
    """A notebook that can't be used; the text names the file and says why."""


def read(path: Path) -> dict:
    """The notebook as it stands in the file. Raises NotebookError."""
    try:
        notebook = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise NotebookError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise NotebookError(f"{path} is not JSON: {error}") from None
    if not isinstance(notebook, dict) or notebook.get("nbformat") != 4:
        raise NotebookError(f"{path} is not a notebook of format 4")
    return notebook


def normal(notebook: dict) -> str:
    """The text of the notebook in its one normal form."""
    cells = []
    count = 0
    for number, cell in enumerate(notebook["cells"], start=1):
        kind = cell["cell_type"]
        made = {
            "id": f"cell-{number:02}",
            "cell_type": kind,
            "metadata": {},
            "source": _lines(cell["source"]),
        }
        if kind == "code":
            count += 1
            made["execution_count"] = count
            made["outputs"] = _outputs(cell["outputs"], count)
        cells.append(made)
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def problems(path: Path) -> list[str]:
    """What breaks a rule, one sentence each. Raises NotebookError."""
    notebook = read(path)
    found = []
    cells = notebook["cells"]
    if len(cells) > MOST_CELLS:
        found.append(
            f"{path}: {len(cells)} cells, at most {MOST_CELLS} can be followed"
        )
    found += _stage_problems(path, cells)
    count = 0
    for number, cell in enumerate(cells, start=1):
        where = f"{path}: cell {number}:"
        if cell["cell_type"] == "code":
            count += 1
            if cell["execution_count"] != count:
                has = cell["execution_count"]
                found.append(f"{where} the count is {has}, it must be {count}")
            found += (f"{where} {each}" for each in _cell_problems(cell))
    if not found and path.read_bytes() != normal(notebook).encode("utf-8"):
        found.append(f"{path}: not in normal form: python -m tools.nb --update")
    return found


def _stage_problems(path: Path, cells: list[dict]) -> list[str]:
    """The first code cell projects the stage that the file's name says."""
    number = re.fullmatch(r"lesson-([0-9]{2})\.ipynb", path.name)
    if number is None:
        return [f"{path}: the name must be that of a lesson, as in lesson-03.ipynb"]
    first = next((cell for cell in cells if cell["cell_type"] == "code"), None)
    source = _text(first["source"]) if first else ""
    call = f"stage({int(number[1])})"
    if "tools.stages" in source and call in source:
        return []
    return [f"{path}: the first code cell must call tools.stages.{call}"]


def _cell_problems(cell: dict):
    source = _text(cell["source"])
    tags = " ".join(map(str, cell["metadata"].get("tags", ())))
    marker = MARKERS.search(source) or MARKERS.search(tags.replace("nbval-", "NBVAL_"))
    if marker:
        yield f"{marker[0]} switches the comparison off"
    for line in source.splitlines():
        if len(line) > LONGEST_LINE:
            yield f"a line of {len(line)} characters, at most {LONGEST_LINE}: {line!r}"
    for output in cell["outputs"]:
        if output.get("name") == "stderr":
            yield "it writes to stderr, which differs from machine to machine"
        if output["output_type"] == "error":
            yield f"it fails with {output['ename']}: catch it and print it"
            continue
        shown = "\n".join(_texts(output))
        for pattern, what in VOLATILE:
            hit = pattern.search(shown)
            if hit:
                yield f"the output holds {what}: {hit[0]!r}"


def _outputs(outputs: list[dict], count: int) -> list[dict]:
    made: list[dict] = []
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            before = made[-1] if made else {}
            text = _text(output["text"])
            if before.get("name") == output["name"]:  # pieces of one text
                before["text"] = _lines(_text(before["text"]) + text)
                continue
            made.append(
                {"output_type": kind, "name": output["name"], "text": _lines(text)}
            )
        elif kind == "error":
            made.append(dict(output))
        else:
            data = {
                name: value if name.endswith("json") else _lines(value)
                for name, value in output["data"].items()
            }
            made.append({"output_type": kind, "data": data, "metadata": {}})
            if kind == "execute_result":
                made[-1]["execution_count"] = count
    return made


def _texts(output: dict):
    yield _text(output.get("text", ""))
    for name, value in output.get("data", {}).items():
        yield json.dumps(value) if name.endswith("json") else _text(value)


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)


def _lines(value: str | list[str]) -> list[str]:
    return _text(value).splitlines(keepends=True)
