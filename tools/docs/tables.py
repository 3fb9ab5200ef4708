"""Tables and lists in the pages: made from the manifests and from the stages.

Each begins and ends with an empty line, as Markdown between comments needs it.
"""

import re
from collections import Counter
from pathlib import PurePosixPath

from lessons.manifest import Question
from tools.docs.course import Course, python_files
from tools.docs.spec_pages import address
from tools.stages.growth import code_lines

ROW = re.compile(r"\| ([0-9]{2}) \|.*")
TOTAL = re.compile(r"([0-9]{1,2}) lessons, [0-9]+ minutes to read\.")


def added(course: Course, own: int) -> list[str]:
    """The files that the lesson adds to, and how many lines of code each gains.

    A package of tools is one row, with the data in it.
    """
    lines: Counter[str] = Counter()
    old = set()
    for path in _growing(course, own):
        after = course.source(path, own)
        before = course.source(path, own - 1) if own > 1 else None
        lines[_row(path)] += code_lines(after or "") - code_lines(before or "")
        if before:
            old.add(_row(path))
    rows = [
        f"| `{name}` | {'grows' if name in old else 'new'} | {count} |"
        for name, count in lines.items()
        if count
    ]
    data = [path for path in course.lesson(own).adds if not lines[_row(path)]]
    rows += [f"| `{path}` | new | (data) |" for path in data]
    head = ["| file | | lines of code added |", "|---|---|---:|"]
    return ["", *head, *rows, f"| together | | {lines.total()} |", ""]


def _row(path: str) -> str:
    parts = PurePosixPath(path).parts
    package = parts[0] == "tools" and len(parts) > 2
    return f"{'/'.join(parts[:2])}/" if package else path


def _growing(course: Course, own: int):
    for folder in course.code:
        # The course's own tools that were there from the start are no lesson's.
        if (folder, own) != ("tools", 1):
            for path in python_files(course.root, folder):
                if "tests" not in PurePosixPath(path).parts:
                    yield path


def lesson_table(course: Course, name: str, there: list[str]) -> list[str]:
    """One row a lesson, linked from the page `name`, and how many there are.

    In the checkout of a tag, what stands there about later lessons stays.
    """
    folder = "" if name.startswith("lessons/") else "lessons/"
    rows = ["", "| | lesson | minutes | puzzle |", "|---|---|---:|---|"]
    for each in course.lessons:
        puzzle = _flow(each.puzzle).replace("|", "\\|")
        link = f"[{each.title}]({folder}{each.folder.name}/README.md)"
        rows.append(f"| {each.number:02} | {link} | {each.minutes} | {puzzle} |")
    minutes = sum(each.minutes for each in course.lessons)
    total = f"{len(course.lessons)} lessons, {minutes} minutes to read."
    if promised(there) > course.latest:
        lines = [line.rstrip() for line in there]
        later = [row for line in lines if (row := ROW.fullmatch(line))]
        rows += [row[0] for row in later if int(row[1]) > course.latest]
        total = next(line for line in lines if TOTAL.fullmatch(line))
    return [*rows, "", total, ""]


def promised(lines: list[str]) -> int:
    """How many lessons the line below a lesson table says there are; 0 without one."""
    found = (TOTAL.fullmatch(line.rstrip()) for line in lines)
    return max((int(each[1]) for each in found if each), default=0)


def quiz(course: Course, own: int) -> list[str]:
    """Each question with its answers, and what is right under a fold."""
    rows = [""]
    for number, question in enumerate(course.lesson(own).quiz, 1):
        rows += _question(number, question)
    return rows


def _question(number: int, question: Question) -> list[str]:
    pairs = list(zip("abcdefghijklmnopqrstuvwxyz", question.answers, strict=False))
    right = [letter for letter, answer in pairs if answer.right]
    hint = " (more than one is right)" if len(right) > 1 else ""
    answers = [f"- **{letter}** {_flow(answer.text)}" for letter, answer in pairs]
    whys = [f"- **{one}**: {_flow(answer.why)}" for one, answer in pairs if answer.why]
    return [
        f"**{number}. {_flow(question.text)}**{hint}",
        "",
        *answers,
        "",
        "<details>",
        "<summary>Answer</summary>",
        "",
        f"Right: **{', '.join(right)}**. {_flow(question.why)}",
        "",
        *([*whys, ""] if whys else []),
        "</details>",
        "",
    ]


def _flow(text: str) -> str:
    return " ".join(text.split())


def spec(course: Course, own: int) -> list[str]:
    """The lesson's pages of the specification, linked."""
    pages = course.lesson(own).spec
    return ["", *(f"- [{page}]({address(page)})" for page in pages), ""]
