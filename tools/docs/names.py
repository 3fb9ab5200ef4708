"""Names in the pages: commands must exist, and identifiers must be somebody's.

Between backticks stands what a reader can look up. A command (`make …`,
`python -m …`) has its target in the Makefile or its module in the tree; any other
thing without a space occurs in the stage's files, in a recording up to the lesson,
or in `words` of its lesson.toml.
"""

import re
import sys
from collections import Counter

from tools.docs.course import Course, Fault, paths, python_files
from tools.docs.page import Page

INSTALLED = ("pip", "pytest", "jupyter")  # run as modules, and not in this tree
TYPED = ("console", "sh", "bash", "shell", "text", "")  # fences that hold commands
# A word of a command; the value of a variable may be quoted.
WORD = r"""(?:[A-Z]+=(?:"[^"]*"|'[^']*')|[^\s;&|#]+)"""
MAKE = re.compile(rf"(?:^|[;&|] *|\$ )make((?: +{WORD})*)")
MODULE = re.compile(r"\bpython3? -m +([A-Za-z_][\w.]*\w)")
PROSE_MAKE = re.compile(r"\bmake ([a-z]+-(?:[0-9]{2}|NN))|^make ([a-z]+)")


def commands(
    course: Course, own: int, page: Page, partial: bool, tally: Counter
) -> None:
    """Adds a fault to the page for each command that does not exist."""
    places = [(line, text) for line, text in page.spans()]
    for fence in page.fences:
        # A generated one was not typed: it was run.
        if fence.info.split(" ")[0] in TYPED and not fence.generated:
            places += [(fence.line + at, line) for at, line in enumerate(fence.body, 1)]
    for line, text in places:
        for command in MAKE.finditer(text.strip()):
            tally["commands"] += 1
            for target in re.findall(WORD, command[1]):
                if not _target_known(course, target):
                    page.fault(line, f"the Makefile has no target {target!r}")
        for command in MODULE.finditer(text):
            tally["commands"] += 1
            wrong = _module_wrong(course, own, command[1])
            if wrong and partial and not own:
                tally["left"] += 1
            elif wrong:
                page.fault(line, wrong)


def todo(course: Course, number: int, name: str, tally: Counter) -> list[Fault]:
    """Faults of the commands in a lesson.toml's `todo`."""
    lesson, found = course.lesson(number), []
    for item in lesson.todo:
        wrong = []
        for each in PROSE_MAKE.finditer(item):
            tally["commands"] += 1
            target = each[1] or each[2]
            if not _target_known(course, target):
                wrong.append(f"the Makefile has no target {target!r}")
        for each in MODULE.finditer(item):
            tally["commands"] += 1
            wrong.append(_module_wrong(course, number, each[1]))
        line = line_of(course, name, item)
        found += [Fault(name, line, f"todo: {text}") for text in wrong if text]
    return found


def line_of(course: Course, name: str, text: str) -> int:
    """The first line of a file that holds the text; 1 when none does."""
    lines = (course.root / name).read_text("utf-8").split("\n")
    return next((at for at, line in enumerate(lines, 1) if text in line), 1)


def _target_known(course: Course, target: str) -> bool:
    if "=" in target or target.startswith("-"):  # a variable or an option of make
        return True
    makefile = (course.root / "Makefile").read_text("utf-8")
    for each in re.findall(r"^([a-z%][a-z0-9%-]*) *:(?!=)", makefile, re.MULTILINE):
        pattern = re.escape(each).replace("%", "(?:[0-9]{2}|NN)")
        if re.fullmatch(pattern, target):
            return True
    return False


def _module_wrong(course: Course, own: int, module: str) -> str:
    top = module.split(".")[0]
    base = module.replace(".", "/")
    for path in (f"{base}/__main__.py", f"{base}.py"):
        if (course.root / path).is_file():
            if own and course.later(path, own):
                return f"python -m {module} belongs to a later lesson than {own:02}"
            return ""
    ours = (course.root / top).is_dir()
    if not ours and (top in sys.stdlib_module_names or top in INSTALLED):
        return ""
    return f"there is no module {module!r} to run with python -m"


def names(course: Course, own: int, page: Page, tally: Counter) -> None:
    """Adds a fault to a lesson's page for each name that occurs nowhere."""
    for line, span in page.spans():
        if " " in span:
            if not re.match("(?:make|python3?) ", span):
                tally["spaced"] += 1
            continue
        tally["names"] += 1
        if not known(course, own, page, span):
            page.fault(
                line,
                f"`{span}` occurs in no file of lesson {own:02} and in no recording up "
                "to it: correct it, or add it to words in lesson.toml",
            )


def known(course: Course, own: int, page: Page, span: str) -> bool:
    """Can a reader of this lesson find the name somewhere?"""
    tag = re.fullmatch("lesson-([0-9]{2}|NN)", span)
    if tag:
        return tag[1] == "NN" or 1 <= int(tag[1]) <= own
    if span in course.lesson(own).words or span.startswith("my/"):
        return True
    path = span.rstrip("/")
    for place in (path, f"{page.name.rpartition('/')[0]}/{path}"):
        if place in _paths(course):
            return not course.later(place, own)
    name = span.removesuffix("()")
    text = corpus(course, own)
    pieces = [each for each in name.split("…") if each]
    if all(_occurs(each, text) for each in pieces):
        return True
    parts = name.split(".")  # Connection.receive is written in two places
    return len(parts) > 1 and all(
        re.fullmatch(r"\w+", each) and _occurs(each, text) for each in parts
    )


def _occurs(name: str, text: str) -> bool:
    """Does the name stand there, not as a piece of a longer word?"""
    before = r"(?<!\w)" if re.match(r"\w", name) else ""
    after = r"(?!\w)" if re.search(r"\w$", name) else ""
    return bool(re.search(before + re.escape(name) + after, text))


def _paths(course: Course) -> frozenset[str]:
    if "paths" not in course.cache:
        course.cache["paths"] = paths(course.root)
    return course.cache["paths"]


def corpus(course: Course, own: int) -> str:
    """All text in which a name of this lesson may occur."""
    if ("corpus", own) not in course.cache:
        course.cache["corpus", own] = "\n".join(_texts(course, own))
    return course.cache["corpus", own]


def _texts(course: Course, own: int):
    for folder in (*course.code, "lessons"):
        for path in python_files(course.root, folder):
            if not path.startswith("tools/tests/"):
                text = course.source(path, own)
                if text is not None:
                    yield path
                    yield text
    for each in course.lessons[:own]:
        for added in each.adds:
            if (course.root / added).is_file():
                yield added
                yield (course.root / added).read_text("utf-8", "replace")
        # The quiz is prose of the page itself: it proves nothing.
        toml = (course.root / "lessons" / each.folder.name / "lesson.toml").read_text(
            "utf-8"
        )
        yield toml.partition("[[quiz]]")[0]
        recordings = course.root / "transcripts" / f"lesson-{each.number:02}"
        for recording in sorted(recordings.glob("*.jsonl")):
            yield recording.name
            for _, line in course.recording(recording):
                yield line.decode("utf-8", "backslashreplace")
    yield (course.root / "Makefile").read_text("utf-8")
