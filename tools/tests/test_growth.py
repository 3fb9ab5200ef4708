"""Growth: what a lesson added, and the check that every lesson only adds."""

import os
import re
import subprocess

import pytest

from tools.stages import growth
from tools import stages
from tools.tests.test_stages import MANIFEST, names, tree

__all__ = ["tree"]  # the fixture


def test_diff_shows_only_lines_that_were_added(tree, capsys):
    assert stages.main(["diff", "02"], tree) == 0
    assert capsys.readouterr().out == (
        "--- a/handwritten/core.py\n+++ b/handwritten/core.py\n"
        '@@ -1,3 +1,4 @@\n """Core. (lesson 01)"""\n \n A = 1\n+B = 2  # lesson-02\n'
        "--- /dev/null\n+++ b/handwritten/data.json\n"
        '@@ -0,0 +1,1 @@\n+{"a": "é"}\n'
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_diff_turns_a_stage_into_the_next(tree, tmp_path, number):
    long = "".join(f"a{i} = {i}{'  # lesson-03' * (i % 9 == 0)}\n\n" for i in range(99))
    (tree / "host/b.py").write_text(f'"""B. (lesson 02)"""\n{long}', "utf-8")
    (tree / "tools/b.py").write_text(f'"""B."""\n{long}c = 1', "utf-8")
    # Here the blank lines of one stage are not those of the next.
    text = "def f():  # lesson-02\n    p()\n\n\n    q()  # lesson-03\n\nb = 2\n"
    (tree / "tools/c.py").write_text(f'"""C."""\na = 1\n{text}', "utf-8")
    out = tmp_path / "out"
    out.mkdir()
    if number > 1:
        stages.write(number - 1, out, tree)
    patch = growth.difference(number, tree).encode()
    command = ["git", "apply", "--unidiff-zero", "-"]
    subprocess.run(command, cwd=out, input=patch, check=True, env=without_git())
    stages.write(number, tmp_path / "next", tree)
    code = {n for n in names(tmp_path / "next") if n.split("/")[0] in stages.CODE}
    assert {n for n in names(out) if n.split("/")[0] in stages.CODE} == code
    for name in code:
        assert (out / name).read_bytes() == (tmp_path / "next" / name).read_bytes()


def without_git() -> dict[str, str]:
    """No repository around the test's folder is looked for."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return kept | {"GIT_DIR": "nowhere", "GIT_CEILING_DIRECTORIES": "/"}


def test_check_prints_the_lines_of_code_of_each_stage(tree, capsys):
    assert stages.main(["check"], tree) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["stage", *stages.CODE]
    assert [line.split() for line in table[1:4]] == [
        ["01", "1", "0", "0", "0"],
        ["02", "2", "0", "0", "0"],
        ["03", "3", "0", "0", "0"],
    ]


def test_code_lines_are_not_blank_not_comment_not_docstring():
    source = '"""Two\nlines."""\n\n# comment\ndef f():  # comment\n    """Doc."""\n'
    assert growth.code_lines(source) == 1
    assert growth.code_lines(source + '    x = """\n\n"""\n    return (\n1)\n') == 6


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("host/b.py", "a = 1\n", "host/b.py:1: .* must end in a lesson"),
        ("tools/b.py", "a = 1  # Lesson 2\n", "tools/b.py:1: .* is no mark"),
        ("tools/b.py", "b = 'é'\xff", "tools/b.py:1: the file is not UTF-8"),
        (
            "host/b.py",
            '"""B. (lesson 02)"""\na = (\n',
            "host/b.py:[23]: stage 02 does not",
        ),
        (
            "tools/b.py",
            "a = 1\nif a:\n    b = 2  # lesson-03\nc = 3\n",
            "tools/b.py:4: stage 01 does not parse: ",
        ),
        (
            "lessons/03-s/lesson.toml",
            MANIFEST.format(3) + 'adds = [\n  "host/no.json",\n]\n',
            "lessons/03-s/lesson.toml:5: adds 'host/no.json', which is not there",
        ),
        (
            "handwritten/big.py",
            '"""Big. (lesson 01)"""\n' + "a = 1\n" * 151,
            "handwritten: stage 01 has 152 lines of code, and its budget is 150",
        ),
    ],
)
def test_check_names_each_fault_in_a_sentence(tree, capsys, name, text, fault):
    (tree / name).write_bytes(text.encode("latin-1" if "\xff" in text else "utf-8"))
    assert stages.main(["check"], tree) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 1 and re.match(fault, said[0]), said


def test_check_finds_a_line_that_is_lost():
    before, after = [(1, "a\n"), (2, "b\n")], [(1, "b\n"), (2, "a\n")]
    (fault,) = growth._lost("host/a.py", 2, before, after)
    assert fault == "host/a.py:2: stage 02 has lost this line"


@pytest.mark.parametrize("arguments", [[], ["write", "x", "y"], ["diff", "003"]])
def test_wrong_use_is_said_with_exit_code_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        stages.main(arguments)
    assert caught.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
