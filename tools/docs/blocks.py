"""What stands in a generated block: one function for each directive.

    message 01-discover 2            line 2 of a recording, as it was sent
    message lesson-02/04-legacy 1-3 pretty
    code handwritten/tools.py call   a definition as of the page's lesson
    code lesson-02 handwritten/server.py Connection.receive new
    run python -m host "…"           a command and its output
    run lesson-03 input='…\\n' python -m handwritten
    run tty='y\\n' python -m host "…"   the same at a terminal, where that is typed
    added, quiz, spec, lessons       tables and lists, up to <!-- end -->
    deviations                       the rows of the lesson's deviations.toml

The rule: a page of a lesson never shows a later lesson; a page of the whole course
says which lesson it shows, and what this checkout does not have is left as it is. The
commands of a page share one data folder, which begins empty.
"""

import re
import shlex
from pathlib import PurePosixPath

from lessons.deviations import Deviation, deviations  # lesson-05
from tools.docs import excerpt, tables
from tools.docs.course import Course
from tools.docs.page import Directive, Page
from tools.docs.pretty import pretty
from tools.docs.runs import RunError, run

ARROWS = {"client": "->", "server": "<-"}
LANGUAGES = {".json": "json", ".toml": "toml", ".md": "markdown"}


class BlockError(Exception):
    """A directive that can't be filled; the text is one sentence without a place."""


class Absent(Exception):
    """The directive shows a lesson that this checkout does not have."""


def fill(course: Course, own: int, page: Page, directive: Directive) -> list[str]:
    """The lines that belong into a block; `own` is the page's lesson, 0 for none.

    Raises BlockError, Absent or NoTerminal.
    """
    maker = {"message": _message, "code": _code}.get(directive.kind)
    try:
        if directive.kind == "run":
            return _run(course, own, page, directive.words)
        if maker:
            return maker(course, own, directive.words)
        if directive.words:
            raise BlockError(f"{directive.kind} takes no words: {directive.words!r}")
        return _table(course, own, page, directive)
    except (excerpt.ExcerptError, RunError) as error:
        raise BlockError(f"{directive.words}: {error}") from None


def _table(course: Course, own: int, page: Page, directive: Directive) -> list[str]:
    kind = directive.kind
    if (kind == "lessons") == bool(own):
        whose = "of the whole course" if own else "of a lesson"
        raise BlockError(f"{kind} belongs into a page {whose}")
    if kind == "lessons":
        there = page.lines[directive.start : directive.end]
        return tables.lesson_table(course, page.name, there)
    if kind == "quiz" and not course.lesson(own).quiz:
        raise BlockError("the lesson.toml of this lesson has no quiz")
    if kind == "deviations":  # lesson-05
        return _deviations(course, own)
    make = {"added": tables.added, "quiz": tables.quiz, "spec": tables.spec}[kind]
    return make(course, own)


def fence(language: str, lines: list[str]) -> list[str]:
    """A fenced code block with marks longer than any run of them inside."""
    inside = re.findall("`{3,}", "\n".join(lines))
    marks = "`" * max([3, *(len(each) + 1 for each in inside)])
    return [marks + language, *lines, marks]


def _stage(course: Course, own: int, pin: str | None) -> int:
    """The lesson to show: the pinned one, or the page's own."""
    if not pin and not own:
        raise BlockError("says no lesson: outside a lesson's page, write lesson-NN")
    number = int(pin) if pin else own
    if own and number > own:
        raise BlockError(f"shows lesson {number:02}, later than this page's {own:02}")
    if number > course.latest:
        raise Absent
    if number < 1:
        raise BlockError("there is no lesson 00")
    return number


def _split(words: str) -> list[str]:
    try:
        return shlex.split(words)
    except ValueError as error:
        raise BlockError(f"{words!r} can't be read: {error}".lower()) from None


def _message(course: Course, own: int, words: str) -> list[str]:
    name, *rest = _split(words) or [""]
    found = re.fullmatch(r"(?:lesson-([0-9]{2})/)?([a-z0-9][a-z0-9-]*)", name)
    indent = rest[-1:] == ["pretty"]
    numbers = _numbers(rest[:-1] if indent else rest)
    if not found or not numbers:
        raise BlockError(
            f"{words!r} names no message: write a recording and numbers, "
            "like 02-call 1 or lesson-02/04-legacy 1-3 pretty"
        )
    number = _stage(course, own, found[1])
    path = course.root / "transcripts" / f"lesson-{number:02}" / f"{found[2]}.jsonl"
    if not path.is_file():
        names = ", ".join(sorted(each.stem for each in path.parent.glob("*.jsonl")))
        raise BlockError(f"no recording {name!r}; there are {names or 'none'}")
    lines = course.recording(path)
    if max(numbers) > len(lines):
        raise BlockError(f"{name} has {len(lines)} messages, none is {max(numbers)}")
    shown = [lines[each - 1] for each in numbers]
    if len(shown) == 1:
        return _one_message(shown[0][1], indent)
    rows = []
    for source, line in shown:
        text = _indented(line, 3) if indent else _readable(line)
        rows += f"{ARROWS[source]} {text}".split("\n")
    return fence("text", rows)


def _numbers(words: list[str]) -> list[int]:
    numbers: list[int] = []
    for word in words:
        found = re.fullmatch("([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,3}))?", word)
        if not found or int(found[2] or found[1]) < int(found[1]):
            raise BlockError(f"{word!r} is no message number and no range like 1-4")
        numbers += range(int(found[1]), int(found[2] or found[1]) + 1)
    return numbers


def _one_message(line: bytes, indent: bool) -> list[str]:
    text = _readable(line)
    try:
        laid_out = pretty(text)
    except ValueError:
        if indent:
            raise BlockError(f"{text[:40]!r} is not JSON: leave out pretty") from None
        return fence("text", [text])
    return fence("json", laid_out.split("\n") if indent else [text])


def _indented(line: bytes, columns: int) -> str:
    try:
        return pretty(_readable(line), columns)
    except ValueError:
        return _readable(line)


def _readable(line: bytes) -> str:
    """The line as text; what can't stand in a page is written as an escape."""
    text = line.decode("utf-8", "backslashreplace")
    return re.sub(
        r"[\x00-\x1f\x7f\x85\u2028\u2029]",
        lambda found: found[0].encode("unicode_escape").decode(),
        text,
    )


def _code(course: Course, own: int, words: str) -> list[str]:
    parts = _split(words)
    pin = re.fullmatch("lesson-([0-9]{2})", parts[0]) if parts else None
    path, *names = (parts[1:] if pin else parts) or [""]
    new = names[-1:] == ["new"]
    names = names[:-1] if new else names
    number = _stage(course, own, pin and pin[1])
    source = _source(course, path, number)
    if path.endswith(".py"):
        before = course.source(path, number - 1) if new and number > 1 else None
        return fence("python", _excerpts(source, before, names or [""]))
    if names or new:
        raise BlockError(f"{path} is not Python: it can only be shown whole")
    language = LANGUAGES.get(PurePosixPath(path).suffix, "text")
    return fence(language, source.rstrip("\n").split("\n"))


def _source(course: Course, path: str, number: int) -> str:
    inside = path and not path.startswith("/") and ".." not in path.split("/")
    if not inside or not (course.root / path).is_file():
        raise BlockError(f"no file {path!r}: a path from the root of the repository")
    source = course.source(path, number)
    if source is None:
        raise BlockError(f"{path} belongs to a later lesson than {number:02}")
    return source


def _excerpts(source: str, before: str | None, names: list[str]) -> list[str]:
    """The named pieces, one below the other; with `before`, what that has not."""
    joined: list[str] = []
    for name in names:
        lines = _lines(source, name)
        if before is not None:
            lines = excerpt.additions(_lines_before(before, name), lines)
        joined += ["", *lines] if joined else lines
    return joined


def _lines(source: str, name: str) -> list[str]:
    return excerpt.definition(source, name) if name else excerpt.whole(source)


def _lines_before(source: str, name: str) -> list[str]:
    try:
        return _lines(source, name)
    except excerpt.ExcerptError:
        return []  # the lesson brings the whole definition


def _run(course: Course, own: int, page: Page, words: str) -> list[str]:
    found = re.fullmatch(r"(?:lesson-([0-9]{2}) +)?(.*)", words)
    assert found
    number = _stage(course, own, found[1])
    return fence("text", run(found[2], course.stage_dir(number), page.data))


# lesson-05
def _deviations(course: Course, own: int) -> list[str]:
    """The rows of deviations.toml, each with the messages that show it."""
    folder = course.root / "lessons" / course.lesson(own).folder.name
    rows = deviations(folder / "deviations.toml")
    parts = {
        "Mended": [each for each in rows if each.mended],
        "Not mended": [each for each in rows if not each.mended],
    }
    lines = [""]
    for title, inside in parts.items():
        lines += [f"## {title}", ""] if inside else []
        for row in inside:
            lines += _deviation(course, own, row)
    return lines


# lesson-05
def _deviation(course: Course, own: int, row: Deviation) -> list[str]:
    said = {"As it comes": row.sdk, "By hand": row.by_hand}
    said["Mended by" if row.mended else "Why not mended"] = row.mend
    lines = [f"### {row.name}", "", row.rule, ""]
    lines += [*(f"- **{name}**: {text}" for name, text in said.items()), ""]
    path = course.root / "transcripts" / f"lesson-{own:02}" / f"sdk-{row.name}.jsonl"
    if path.is_file():
        sent = [
            f"{ARROWS[of]} {_readable(line)}" for of, line in course.recording(path)
        ]
        lines += [*fence("text", sent), ""]
    return lines
