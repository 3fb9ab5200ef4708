"""The whole repository keeps its own rules of form."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", "build", "my", "node_modules"}
NOT_TEXT = {".png", ".wav", ".tiktoken"}
# Written in pieces, so that this file does not break its own rule.
PLACEHOLDERS = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "T" + "BD", "lorem" + " ipsum")
HOSTS = ("pypi" + ".org", "python" + "hosted", "npmjs" + ".org", "deb." + "debian")
# An example may have a home: that of "someone".
HOMES = r"/(?:home|Users)/(?!someone\b)[a-z]+/|/roo[t]/|[A-Z]:\\{1,2}Users\\"


def text_files():
    """Every file of the repository that a person may read."""
    folders = [ROOT]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            caches = path.name.endswith(("_cache", "__pycache__", ".egg-info"))
            if path.name in NOT_OURS or caches or path.name == ".hypothesis":
                continue
            if path.is_dir():
                folders.append(path)
            elif path.suffix not in NOT_TEXT:
                yield path


def run(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_finds_nothing():
    run("ruff", "check", ".")


def test_the_code_is_formatted():
    run("ruff", "format", "--check", ".")


def test_the_types_are_right():
    # By name: an early stage has no host yet, or a folder of bytecode in its place.
    names = ("handwritten", "host", "sdk", "tools", "lessons")
    run("mypy", *(name for name in names if (ROOT / name / "__init__.py").exists()))


def test_each_command_of_the_makefile_is_one_call_of_python():
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    recipes = [line for line in lines if re.match(r"[a-z-]+%?:\s", line)]
    assert len(recipes) > 10
    for line in recipes:
        assert re.fullmatch(r"[a-z-]+%?: +; @\$\(PYTHON\) -m [a-z_. $*-]+", line), line
    assert not any(line.startswith("\t") for line in lines)


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a placeholder", "|".join(rf"\b{word}\b" for word in PLACEHOLDERS)),
        ("a package registry", "|".join(map(re.escape, HOSTS))),
        ("a path of one machine", f"{HOMES}|{re.escape(f'{ROOT}/')}"),
    ],
)
def test_no_file_holds(what, pattern):
    found = []
    for path in text_files():
        lines = path.read_text("utf-8", errors="replace").splitlines()
        for number, line in enumerate(lines, start=1):
            hit = re.search(pattern, line)
            if hit:
                place = f"{path.relative_to(ROOT).as_posix()}:{number}"
                found.append(f"{place}: {what}: {hit[0]!r}")
    assert not found, "\n".join(found)
