"""What a stage holds: which files of the repository, and what is in them.

The rule: of a later lesson nothing is left, neither its folder, its recordings and its
notebook, nor what its lesson.toml lists in `adds`, nor its lines in Python files, nor
the lines of the two README files that link into its folder. Works on names and bytes,
so that the work tree and a git tree are treated alike.
"""

import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from lessons.manifest import ROOT
from tools.stages.marks import MarkError, project

CODE = ("handwritten", "sdk", "host", "tools")  # their *.py carry marks
READMES = ("README.md", "lessons/README.md")  # name the lessons, one a line

# What .gitignore names: a folder that was downloaded has no git to ask.
NOT_OURS = (".git", ".venv", "build", "my")
CACHES = (
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
)

_LATER = re.compile(r"lessons/([0-9]{2})-|(?:transcripts|notebooks)/lesson-([0-9]{2})")
_MANIFEST = re.compile(r"lessons/([0-9]{2})-[^/]+/lesson\.toml")
_LINK = re.compile(r"lessons/([0-9]{2})-[a-z]")
_SHORT_LINK = re.compile(r"\]\((?:\./)?([0-9]{2})-[a-z0-9-]+/")


class StageError(Exception):
    """What can't be done, as one sentence."""


def latest(root: Path = ROOT) -> int:
    """The highest lesson of this checkout."""
    names = [
        path.relative_to(root).as_posix() for path in root.glob("lessons/*/*.toml")
    ]
    return highest(names)


def must_be_here(number: int, root: Path) -> None:
    """Raise StageError where this checkout has no such stage."""
    top = latest(root)
    if not 1 <= number <= top:
        here = f"there are 01 to {top:02}" if top else f"{root} has no lessons"
        raise StageError(f"no stage {number:02} here: {here}")


def highest(names: Iterable[str]) -> int:
    """The highest lesson that has a manifest among these files."""
    return max(
        (int(found[1]) for name in names if (found := _MANIFEST.fullmatch(name))),
        default=0,
    )


def files(root: Path = ROOT, folders: Iterable[str] = ("",)) -> dict[str, Path]:
    """Every file of the work tree that is part of the repository, by its name."""
    found = {}
    for folder in folders:
        for place, inner, names in os.walk(root / folder):
            if Path(place) == root:
                inner[:] = [each for each in inner if each not in NOT_OURS]
            inner[:] = [
                each
                for each in inner
                if each not in CACHES and not each.endswith(".egg-info")
            ]
            for name in names:
                path = Path(place, name)
                found[path.relative_to(root).as_posix()] = path
    return dict(sorted(found.items()))


def manifests(names: Iterable[str]) -> list[str]:
    """The lesson.toml files among these."""
    return [name for name in names if _MANIFEST.fullmatch(name)]


def added(tables: dict[str, bytes]) -> dict[str, int]:
    """Which lesson adds which file, from the bytes of each lesson.toml."""
    adds = {}
    for name, data in tables.items():
        found = _MANIFEST.fullmatch(name)
        if found and b"adds" in data:
            try:
                table = tomllib.loads(data.decode("utf-8"))
            except ValueError as error:
                raise StageError(f"{name}: {error}") from None
            adds.update(dict.fromkeys(table.get("adds", ()), int(found[1])))
    return adds


def belongs(name: str, number: int, adds: dict[str, int]) -> bool:
    """Whether stage `number` has this file, as far as its name tells."""
    found = _LATER.match(name)
    lesson = int(found[1] or found[2]) if found else 1
    return max(lesson, adds.get(name, 1)) <= number


def changes(name: str) -> bool:
    """Whether the content of this file depends on the stage."""
    return name in READMES or (name.endswith(".py") and name.split("/")[0] in CODE)


def content(name: str, data: bytes, number: int) -> bytes | None:
    """The file as of lesson `number`; None where its mark says it is later."""
    if not changes(name):
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise MarkError(f"{name}:1: the file is not UTF-8") from None
    if name in READMES:
        lines = text.splitlines(keepends=True)
        return "".join(each for each in lines if _links(name, each) <= number).encode()
    made = project(text, number, name)
    return None if made is None else made.encode("utf-8")


def _links(name: str, line: str) -> int:
    """The highest lesson whose folder this line of a README links into."""
    found = _LINK.findall(line)
    if name == "lessons/README.md":
        found += _SHORT_LINK.findall(line)
    return max(map(int, found), default=0)


def stage_content(contents: dict[str, bytes], number: int) -> dict[str, bytes]:
    """All files of a stage, from all files of the repository. Raises MarkError."""
    adds = added({name: contents[name] for name in manifests(contents)})
    made = {}
    for name, data in contents.items():
        if belongs(name, number, adds):
            kept = content(name, data, number)
            if kept is not None:
                made[name] = kept
    return made
