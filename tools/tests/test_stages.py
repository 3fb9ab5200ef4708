"""Stages: what they hold, on disk for people and for programs."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lessons.manifest import ROOT
from tools.stages import contents
from tools import stages

MANIFEST = 'number = {0}\nslug = "s"\ntitle = "Title {0}"\n'
TREE = {
    "README.md": "# Course\n| [One](lessons/01-s/README.md) |\n"
    "| [Two](lessons/02-s/README.md) |\n| [Three](lessons/03-s/) |\n",
    "Makefile": "all:\n",
    "lessons/README.md": "[1](01-s/README.md)\n[3](03-s/README.md)\n[3](./03-s/)\n",
    "lessons/__init__.py": "",
    "lessons/01-s/lesson.toml": MANIFEST.format(1),
    "lessons/01-s/friendly_server.py": "print('hello')\n",
    "lessons/01-s/exercise/check.py": "a = 1  # Lesson 7\n",
    "lessons/02-s/lesson.toml": MANIFEST.format(2)
    + 'adds = ["handwritten/data.json"]\n',
    "lessons/02-s/README.md": "# Two\n",
    "lessons/03-s/lesson.toml": MANIFEST.format(3),
    "transcripts/lesson-01/01-a.jsonl": "{}\n",
    "transcripts/lesson-03/01-a.jsonl": "{}\n",
    "notebooks/lesson-01.ipynb": "{}\n",
    "notebooks/lesson-02-b.ipynb": "{}\n",
    "handwritten/__init__.py": '"""The server. (lesson 01)"""\n',
    "handwritten/core.py": '"""Core. (lesson 01)"""\n\nA = 1\nB = 2  # lesson-02\n'
    "C = 3  # lesson-03\n",
    "handwritten/data.json": '{"a": "é"}\n',
    "host/__init__.py": '"""The host. (lesson 03)"""\n',
    "tools/a.py": '"""A tool."""\n',
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "it's a tree é"
    for name, text in TREE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


def names(directory: Path) -> set[str]:
    return {
        p.relative_to(directory).as_posix() for p in directory.rglob("*") if p.is_file()
    }


def test_latest_is_the_highest_lesson_with_a_manifest(tree):
    (tree / "lessons" / "09-empty").mkdir()
    assert stages.latest(tree) == 3


def test_a_stage_leaves_out_all_that_is_later(tree, tmp_path):
    out = tmp_path / "out"
    assert stages.write(1, out, tree) == len(names(out))
    assert names(out) == set(TREE) - {
        "lessons/02-s/lesson.toml",
        "lessons/02-s/README.md",
        "lessons/03-s/lesson.toml",
        "transcripts/lesson-03/01-a.jsonl",
        "notebooks/lesson-02-b.ipynb",
        "handwritten/data.json",
        "host/__init__.py",
    }
    assert (out / "handwritten/core.py").read_text("utf-8").endswith("A = 1\n")
    assert (out / "README.md").read_text("utf-8").count("\n") == 2
    assert (out / "lessons/README.md").read_text("utf-8") == "[1](01-s/README.md)\n"


def test_the_last_stage_is_the_whole_repository(tree, tmp_path):
    stages.write(3, tmp_path / "out", tree)
    assert names(tmp_path / "out") == set(TREE)
    for name, text in TREE.items():
        assert (tmp_path / "out" / name).read_bytes() == text.encode()


def test_what_git_ignores_is_no_part_of_a_stage(tree, tmp_path):
    for name in ("my/a.py", "build/b", ".venv/c", ".git/d", "tools/__pycache__/e.pyc"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("x", "utf-8")
    stages.write(3, tmp_path / "out", tree)
    assert names(tmp_path / "out") == set(TREE)


def test_every_line_of_gitignore_is_known_here():
    known = {f"/{each}/" for each in contents.NOT_OURS}
    known |= {f"{each}/" for each in contents.CACHES} | {"*.egg-info/"}
    lines = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert {line for line in lines if line and line[0] != "#"} <= known


def test_write_wants_an_empty_directory_and_says_so(tree, tmp_path, capsys):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", "utf-8")
    assert stages.main(["write", "01", str(tmp_path / "full")], tree) == 2
    assert "is not an empty directory" in capsys.readouterr().err
    assert names(tmp_path / "full") == {"mine.txt"}
    (tmp_path / "empty").mkdir()
    assert stages.main(["write", "01", str(tmp_path / "empty")], tree) == 0


def test_write_makes_nothing_when_a_mark_is_wrong(tree, tmp_path, capsys):
    (tree / "tools/a.py").write_text('"""A."""\na = 1  # lesson 02\n', "utf-8")
    assert stages.main(["write", "01", str(tmp_path / "out")], tree) == 1
    assert capsys.readouterr().err.startswith("tools/a.py:2: ")
    assert not (tmp_path / "out").exists()


def test_a_stage_that_is_not_here_is_refused(tree, tmp_path, capsys):
    for number in ("00", "04"):
        assert stages.main(["write", number, str(tmp_path / "x")], tree) == 2
        assert "there are 01 to 03" in capsys.readouterr().err


def test_a_stage_of_a_written_stage_is_that_stage(tree, tmp_path):
    stages.write(2, tmp_path / "two", tree)
    assert stages.latest(tmp_path / "two") == 2
    stages.write(1, tmp_path / "through", tmp_path / "two")
    stages.write(1, tmp_path / "direct", tree)
    assert names(tmp_path / "through") == names(tmp_path / "direct")
    for name in names(tmp_path / "direct"):
        through, direct = tmp_path / "through" / name, tmp_path / "direct" / name
        assert through.read_bytes() == direct.read_bytes()


# What programs use


def test_stage_dir_is_made_once_and_again_when_a_source_changes(tree):
    first = stages.stage_dir(1, tree)
    assert first.parent == tree / "build" / "stages"
    assert names(first) == {
        "handwritten/__init__.py",
        "handwritten/core.py",
        "lessons/__init__.py",
        "lessons/01-s/lesson.toml",
        "lessons/01-s/friendly_server.py",
        "tools/a.py",
        "transcripts/lesson-01/01-a.jsonl",
    }
    (first / "kept").write_text("by a run", "utf-8")
    assert stages.stage_dir(1, tree) == first and (first / "kept").exists()
    other = stages.stage_dir(2, tree)
    assert "handwritten/data.json" in names(other)
    (tree / "tools" / "a.py").write_text('"""Another."""\n', "utf-8")
    second = stages.stage_dir(1, tree)
    assert second != first and other.exists()


def test_a_stage_may_be_in_use_while_newer_ones_are_made(tree):
    made = []
    for number in range(stages.KEPT + 2):
        text = f'"""Version {number}."""\n'
        (tree / "tools" / "a.py").write_text(text, "utf-8")
        made.append(stages.stage_dir(1, tree))
        old = time.time() - 100 + number
        os.utime(made[-1], (old, old))
    assert [each.exists() for each in made] == [False, *[True] * (stages.KEPT + 1)]


def test_an_abandoned_half_made_stage_is_removed_and_a_fresh_one_is_not(tree):
    place = tree / "build" / "stages"
    for name in (".new-old", ".new-fresh"):
        (place / name).mkdir(parents=True)
    long_ago = time.time() - 2 * stages.ABANDONED
    os.utime(place / ".new-old", (long_ago, long_ago))
    stages.stage_dir(1, tree)
    assert not (place / ".new-old").exists() and (place / ".new-fresh").exists()


def test_two_processes_may_make_the_same_stage_at_once(tree):
    program = (
        "import sys; from pathlib import Path; from tools.stages import stage_dir;"
        "print(stage_dir(2, Path(sys.argv[1])).name)"
    )
    command = [sys.executable, "-c", program, str(tree)]
    running = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(4)
    ]
    said = {child.communicate(timeout=60)[0] for child in running}
    assert len(said) == 1 and all(child.returncode == 0 for child in running)
    assert len(list((tree / "build" / "stages").iterdir())) == 1


def test_stage_puts_the_code_of_a_lesson_first(tree):
    path, modules = list(sys.path), dict(sys.modules)
    try:
        for number, expected in ((1, ["A"]), (2, ["A", "B"]), (1, ["A"])):
            directory = stages.stage(number, tree)
            core = __import__("handwritten.core").core
            assert Path(core.__file__).parent.parent == directory == Path(sys.path[0])
            assert [name for name in "ABC" if hasattr(core, name)] == expected
        assert sum(str(tree) in each for each in sys.path) == 1
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.modules.update(modules)
