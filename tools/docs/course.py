"""The checkout as the documents see it: lessons, stages, recordings, files.

Everything that `tools.docs` needs of the rest of the repository is handed in here,
so that a test can give it a small course of its own. The rule: what belongs to a
later lesson than the one that asks is not there.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from lessons.manifest import ROOT, Lesson, lessons

SPOKEN = ("client", "server")  # what counts as a message of a recording

NUMBERED = ("lessons", "transcripts", "notebooks")  # their entries carry a number


class CourseError(Exception):
    """A source that can't be read; the text is one sentence that names the file."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong, in one sentence, and where."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Course:
    """One checkout; paths are relative to its root and written with `/`."""

    root: Path
    lessons: tuple[Lesson, ...]
    code: tuple[str, ...]  # folders whose *.py files carry marks
    project: Callable[[str, int, str], str | None]
    stage_dir: Callable[[int], Path]
    recording: Callable[[Path], list[tuple[str, bytes]]]  # ("client", line), …
    cache: dict = field(default_factory=dict, repr=False)  # what was read once

    @property
    def latest(self) -> int:
        """The highest lesson of this checkout."""
        return max((each.number for each in self.lessons), default=0)

    def lesson(self, number: int) -> Lesson:
        return next(each for each in self.lessons if each.number == number)

    def source(self, path: str, number: int) -> str | None:
        """A file as of a lesson; None when it belongs to a later one.

        Raises OSError or CourseError for what can't be read as text.
        """
        if (path, number) not in self.cache:
            self.cache[path, number] = self._source(path, number)
        return self.cache[path, number]

    def _source(self, path: str, number: int) -> str | None:
        if self._numbered_later(path, number):
            return None
        try:
            text = (self.root / path).read_text("utf-8")
        except UnicodeDecodeError as error:
            raise CourseError(f"{path}: not UTF-8 at byte {error.start}") from None
        if path.endswith(".py") and PurePosixPath(path).parts[0] in self.code:
            return self.project(text, number, path)
        return text

    def later(self, path: str, number: int) -> bool:
        """Does an existing file or folder belong to a later lesson than `number`?"""
        if self._numbered_later(path, number):
            return True
        place = self.root / path
        if place.is_dir():
            inside = python_files(self.root, path)
            return bool(inside) and all(self.later(each, number) for each in inside)
        marked = path.endswith(".py") and PurePosixPath(path).parts[0] in self.code
        return marked and self.source(path, number) is None

    def _numbered_later(self, path: str, number: int) -> bool:
        parts = PurePosixPath(path).parts
        if len(parts) > 1 and parts[0] in NUMBERED:
            found = re.match(r"(?:lesson-)?([0-9]{2})(?![0-9])", parts[1])
            return found is not None and int(found[1]) > number
        return any(
            path == added or path.startswith(added.rstrip("/") + "/")
            for each in self.lessons
            if each.number > number
            for added in each.adds
        )


def python_files(root: Path, folder: str) -> list[str]:
    """The Python files below a folder, in order, as paths relative to `root`."""
    found = (root / folder).rglob("*.py")
    names = (each.relative_to(root).as_posix() for each in found)
    return sorted(each for each in names if "__pycache__" not in each)


def paths(root: Path) -> frozenset[str]:
    """All files and folders a text may mention because they are there."""
    skipped = ("build", "my", "node_modules", "__pycache__")
    names = set()
    for place in root.rglob("*"):
        path = place.relative_to(root)
        if path.parts[0].startswith(".") and path.parts[0] != ".ci":
            continue
        if not any(part in skipped for part in path.parts):
            names.add(path.as_posix())
    return frozenset(names)


def here() -> Course:
    """The checkout this program stands in. Raises ManifestError."""
    # Not above: a test hands in a course of its own and needs neither of them.
    from tools import stages, transcript

    def project(source: str, number: int, name: str) -> str | None:
        try:
            return stages.project(source, number, name)
        except stages.MarkError as error:
            raise CourseError(str(error)) from None

    def stage_dir(number: int) -> Path:
        try:
            return stages.stage_dir(number)
        except (stages.MarkError, stages.StageError) as error:
            raise CourseError(str(error)) from None

    def recording(path: Path) -> list[tuple[str, bytes]]:
        try:
            entries = transcript.read(path).entries
        except transcript.TranscriptError as error:
            raise CourseError(str(error)) from None
        return [(each.dir, each.line) for each in entries if each.dir in SPOKEN]

    return Course(
        ROOT,
        tuple(lessons()),
        stages.CODE,
        project,
        stage_dir,
        recording,
    )
