"""Stages: the repository as of each lesson, made from the one final source.

The rule: a lesson only adds, so stage N is what is left when all that belongs to a
later lesson is taken away (marks.py, contents.py). Here a stage becomes files, for a
person (`write`) or for a program (`stage_dir`, `stage`).
"""

import argparse
import hashlib
import importlib
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from lessons.manifest import ROOT
from tools.stages.marks import MarkError, project
from tools.stages.contents import (
    CODE,
    StageError,
    files,
    latest,
    must_be_here,
    stage_content,
)

__all__ = [
    "CODE",
    "MarkError",
    "StageError",
    "latest",
    "project",
    "stage",
    "stage_dir",
    "write",
]

ABANDONED = 3600  # seconds after which a half-made stage is nobody's
KEPT = 2  # stages of earlier sources that may still be in use


def write(number: int, directory: Path, root: Path = ROOT) -> int:
    """Write stage `number` into a new or empty directory: how many files it has."""
    must_be_here(number, root)
    if directory.is_file() or (directory.is_dir() and any(directory.iterdir())):
        raise StageError(f"{directory} is not an empty directory")
    paths = files(root)
    made = stage_content(_read(paths), number)
    directory.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".new-", dir=directory))
    try:
        _put(made, paths, beside)
        for path in list(beside.iterdir()):
            path.rename(directory / path.name)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return len(made)


def _read(paths: dict[str, Path]) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in paths.items()}


def _put(made: dict[str, bytes], paths: dict[str, Path], directory: Path) -> None:
    for name, data in made.items():
        target = directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        shutil.copymode(paths[name], target)


def stage_dir(number: int, root: Path = ROOT) -> Path:
    """The code of stage `number` as files, made once under build/stages/.

    Holds the code directories, the recordings, and of lessons/ what programs need:
    manifests, modules and data. Two processes may ask at once; a changed source makes
    a new directory.
    """
    must_be_here(number, root)
    folders = (*CODE, "transcripts")
    paths = files(root, (each for each in folders if (root / each).is_dir()))
    for pattern in ("*.py", "*/*.py", "*/*.toml", "**/*.json"):
        for path in sorted((root / "lessons").glob(pattern)):
            paths[path.relative_to(root).as_posix()] = path
    contents = _read(paths)
    digest = hashlib.sha256()
    for name, data in contents.items():
        digest.update(b"%d %s %d\n" % (len(name), name.encode("utf-8"), len(data)))
        digest.update(data)
    place = root / "build" / "stages"
    target = place / f"{number:02}-{digest.hexdigest()[:16]}"
    if not target.is_dir():
        place.mkdir(parents=True, exist_ok=True)
        made = stage_content(contents, number)
        beside = Path(tempfile.mkdtemp(prefix=".new-", dir=place))
        try:
            _put(made, paths, beside)
            _rename(beside, target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        _clean(place, number, target)
    return target


def _rename(beside: Path, target: Path) -> None:
    try:
        beside.rename(target)
    except OSError:
        if not target.is_dir():  # another process was faster: the same files
            raise


def _clean(place: Path, number: int, target: Path) -> None:
    """Remove what earlier sources left of this stage, but for the last few.

    A notebook or a server may still run in the stage that it was started with.
    """
    others = [each for each in place.glob(f"{number:02}-*") if each != target]
    for old in sorted(others, key=age)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    for old in place.glob(".new-*"):
        if age(old) > ABANDONED:
            shutil.rmtree(old, ignore_errors=True)


def age(path: Path) -> float:
    """Seconds since a directory was made; 0 for one that has just gone."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0


def stage(number: int, root: Path = ROOT) -> Path:
    """Let `import handwritten`, `host` and `sdk` mean those of stage `number`."""
    directory = stage_dir(number, root)
    place = str(root / "build" / "stages")
    sys.path[:] = [each for each in sys.path if not each.startswith(place)]
    sys.path.insert(0, str(directory))
    for name in list(sys.modules):
        if name.split(".")[0] in ("handwritten", "host", "sdk"):
            del sys.modules[name]
    importlib.invalidate_caches()
    return directory


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a lesson's number, as in 03")
    return int(text)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.stages",
        description="The repository as of each lesson.",
        epilog="example: python -m tools.stages write 03 my/stage-03",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("write", help="write a stage as plain files")
    one.add_argument("number", type=_number, metavar="NN")
    one.add_argument("directory", type=Path, metavar="DIR", help="new or empty")
    commands.add_parser("tags", help="make the git tags lesson-01, lesson-02 …")
    one = commands.add_parser("diff", help="show what a lesson added to the code")
    one.add_argument("number", type=_number, metavar="NN")
    commands.add_parser("check", help="check the marks and every stage")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    options = _options(arguments)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        return _run(options, root)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MarkError as error:
        print(error, file=sys.stderr)
        return 1
    except (StageError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _run(options: argparse.Namespace, root: Path) -> int:
    # Only a command needs them: `stage_dir` is on the way of every lesson's start.
    from tools.stages import growth, tags

    if options.command == "write":
        count = write(options.number, options.directory, root)
        print(f"wrote {count} files of stage {options.number:02}: {options.directory}")
        return 0
    if options.command == "diff":
        print(growth.difference(options.number, root), end="", flush=True)
        return 0
    if options.command == "tags":
        return tags.main(root)
    return growth.main(root)
