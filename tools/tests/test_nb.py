"""Notebooks show what their code prints; nothing in them may switch that off."""

import json
import os
import subprocess
import sys

import pytest

from tools import nb
from tools.nb import rules as nb_rules

HOME = "/home/someone/notes"
ADDRESS = "<object object at 0x7f" + "12ab34cd50>"


def code(source, *outputs, count=1, tags=()):
    return {
        "cell_type": "code",
        "execution_count": count,
        "id": "x",
        "metadata": {"tags": list(tags)} if tags else {},
        "outputs": list(outputs),
        "source": source,
    }


def printed(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def notebook(*cells):
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


FIRST = code("from tools.stages import stage\nstage(3)")


def stored(tmp_path, *cells, name="lesson-03.ipynb"):
    """A notebook file in normal form, but for its counts."""
    text = nb_rules.normal(notebook(*cells))
    made = json.loads(text)
    for cell, given in zip(made["cells"], cells, strict=True):
        if "execution_count" in given:
            cell["execution_count"] = given["execution_count"]
            cell["metadata"] = given["metadata"]
    path = tmp_path / name
    text = json.dumps(made, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    path.write_text(text, "utf-8", newline="\n")
    return path


def test_a_good_notebook_has_no_problem(tmp_path):
    path = stored(tmp_path, FIRST, code("print('ä')", printed("ä\n"), count=2))
    assert nb_rules.problems(path) == []
    assert nb.main(["--check", str(path)]) == 0


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        (code("1", count=None), "the count is None, it must be 2"),
        (code("1", count=7), "the count is 7, it must be 2"),
        (code("# NBVAL_IGNORE_OUTPUT\n1"), "NBVAL_IGNORE_OUTPUT switches"),
        (code("1", tags=["nbval-skip"]), "switches the comparison off"),
        (code("1", tags=["raises-exception"]), "raises-exception switches"),
        (code("1", printed("warning", "stderr")), "it writes to stderr"),
        (code("1", printed(ADDRESS)), "a memory address"),
        (code("1", printed(f"read {HOME}")), "an absolute path"),
        (code("1", printed("in D:\\notes\\ada")), "an absolute path"),
        (code("1", printed("Traceback (most recent call last)")), "a raw traceback"),
        (code("x = 1  " + "#" * 82), "a line of 89 characters"),
        (
            code("1/0", {"output_type": "error", "ename": "ZeroDivisionError"}),
            "it fails with ZeroDivisionError",
        ),
    ],
)
def test_each_broken_rule_is_said(tmp_path, cell, problem):
    if cell["execution_count"] == 1:
        cell = cell | {"execution_count": 2}
    found = nb_rules.problems(stored(tmp_path, FIRST, cell))
    assert len(found) == 1
    assert "cell 2: " in found[0]
    assert problem in found[0]


def test_a_notebook_must_project_the_stage_of_its_lesson(tmp_path):
    wrong = stored(tmp_path, FIRST, name="lesson-02.ipynb")
    assert "the first code cell must call tools.stages.stage(2)" in str(
        nb_rules.problems(wrong)
    )


def test_a_notebook_has_at_most_25_cells(tmp_path):
    more = [code("1", count=count) for count in range(2, 27)]
    assert "26 cells" in str(nb_rules.problems(stored(tmp_path, FIRST, *more)))


def test_a_notebook_as_an_editor_saves_it_is_not_in_normal_form(tmp_path):
    path = tmp_path / "lesson-03.ipynb"
    path.write_text(json.dumps(notebook(FIRST)), "utf-8")
    assert "not in normal form" in str(nb_rules.problems(path))


def test_the_normal_form_of_the_normal_form_is_itself():
    made = notebook(
        FIRST,
        code(
            "print(1)\n2",
            printed("1"),
            printed("\n"),
            {
                "output_type": "execute_result",
                "data": {"text/plain": "2"},
                "metadata": {"volatile": 1},
                "execution_count": 40,
            },
        ),
    )
    once = nb_rules.normal(made)
    assert nb_rules.normal(json.loads(once)) == once
    assert json.loads(once)["cells"][1]["outputs"][0]["text"] == ["1\n"]


@pytest.mark.parametrize("text", ["{", "[]", '{"nbformat": 3}'])
def test_what_is_no_notebook_is_refused_with_a_sentence(tmp_path, capsys, text):
    path = tmp_path / "lesson-03.ipynb"
    path.write_text(text, "utf-8")
    assert nb.main(["--check", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_a_copy_that_the_learner_changed_is_kept(tmp_path, capsys):
    original, copies = stored(tmp_path, FIRST), tmp_path / "my"
    nb.copy([original], copies)
    mine = copies / original.name
    assert mine.read_bytes() == original.read_bytes()

    stored(tmp_path, FIRST, code("2", count=2))
    nb.copy([original], copies)
    assert mine.read_bytes() == original.read_bytes()

    mine.write_text("my own", "utf-8")
    nb.copy([original], copies)
    assert mine.read_text("utf-8") == "my own"
    assert "kept your changed lesson-03.ipynb" in capsys.readouterr().out


def tool(*arguments):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=nb.ROOT,
        env=nb.environment() | {"NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


def test_update_writes_what_the_code_prints_and_nbval_sees_a_changed_output(tmp_path):
    path = stored(tmp_path, code("print('answer', 40 + 2)", count=None))
    first = tool("-m", "tools.nb", "--update", path)
    assert first.stdout == "lesson-03.ipynb: written\n", first.stderr
    written = path.read_text("utf-8")
    assert "answer 42" in written
    assert tool("-m", "tools.nb", "--update", path).stdout.endswith("unchanged\n")

    broken = tmp_path / "lesson-04.ipynb"
    broken.write_text(written.replace("answer 42", "answer 41"), "utf-8")
    run = tool(
        *("-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull),
        *("--rootdir", tmp_path, *nb.NBVAL, path, broken),
    )
    assert "1 failed, 1 passed" in run.stdout, run.stdout
    assert "lesson-04.ipynb::Cell 0" in run.stdout


def test_a_cell_that_fails_leaves_the_notebook_as_it_was(tmp_path):
    path = stored(tmp_path, code("{}['id']", count=None, tags=["raises-exception"]))
    before = path.read_bytes()
    run = tool("-m", "tools.nb", "--update", path)
    assert run.returncode == 2
    assert "cell 1 raised KeyError: 'id'" in run.stderr
    assert path.read_bytes() == before
