"""The README files: their generated blocks, links, names and commands.

Every message, excerpt and output in a lesson is made from its source: a recording,
the code of that lesson's stage, a command that is run. `--update` rewrites these
blocks and touches nothing else; without it, each difference is a fault.
"""

import argparse
import re
import sys
from collections import Counter

from lessons.manifest import ManifestError
from tools import files
from tools import setup  # lesson-04
from tools.docs import (
    blocks,
    links as page_links,
    names as page_names,
    spec_pages,
    tables,
)
from tools.docs import page as pages
from tools.docs.course import Course, CourseError, Fault, here
from tools.docs.page import Directive, Page
from tools.docs.terminal import NoTerminal
from tools.fresh import folder as data_folder

GOOD, FOUND, COULD_NOT_RUN = 0, 1, 2
WORDS = (1500, 2800)  # what a lesson should have, outside code
EXAMPLES = """\
example:
  python -m tools.docs            check: one line for each fault, exit code 1 if any
  python -m tools.docs --update   rewrite the generated blocks, then check
"""


def documents(course: Course) -> list[tuple[int, str]]:
    """The pages: their lesson (0: the whole course) and path."""
    found = [(0, "README.md"), (0, "lessons/README.md")]
    for each in course.lessons:
        folder = course.root / "lessons" / each.folder.name
        inside = {folder / "README.md", *folder.rglob("README.md")}
        names = (path.relative_to(course.root).as_posix() for path in inside)
        found += [(each.number, name) for name in sorted(names, key=_depth)]
    return found


def _depth(name: str) -> tuple[int, str]:
    return name.count("/"), name


def check(
    course: Course, update: bool, tally: Counter
) -> tuple[list[Fault], list[str]]:
    """Faults of all pages, and notes. With `update`, stale blocks are rewritten."""
    faults: list[Fault] = []
    notes: list[str] = []
    partial = _is_partial(course)
    for own, name in documents(course):
        tally["pages"] += 1
        page = _read(course, name, faults)
        if page is None:
            continue
        page = _blocks(course, own, page, update, tally)
        page_links.check(course, own, page, partial, tally)
        page_names.commands(course, own, page, partial, tally)
        if own:
            page_names.names(course, own, page, tally)
            _hand_written(page)
        if own and name.count("/") == 2:
            notes.append(_length(page))
        faults += sorted(page.faults, key=lambda fault: fault.line)
    for each in course.lessons:
        name = f"lessons/{each.folder.name}/lesson.toml"
        faults += page_names.todo(course, each.number, name, tally)
        faults += _spec(course, each.spec, name, tally)
    return faults, notes


def _read(course: Course, name: str, faults: list[Fault]) -> Page | None:
    try:
        text = (course.root / name).read_bytes().decode("utf-8")
    except FileNotFoundError:
        faults.append(Fault(name, 1, "this page is missing"))
    except UnicodeDecodeError as error:
        faults.append(Fault(name, 1, f"not UTF-8 at byte {error.start}"))
    else:
        return pages.parse(name, text)
    return None


def _is_partial(course: Course) -> bool:
    """Is this a tag's checkout? Then README.md tells of more lessons than are here."""
    try:
        text = (course.root / "README.md").read_text("utf-8", "replace")
    except FileNotFoundError:
        return False
    return tables.promised(text.split("\n")) > course.latest


def _blocks(course: Course, own: int, page: Page, update: bool, tally: Counter) -> Page:
    """Compares or rewrites the generated blocks; gives the page as it is then."""
    with data_folder() as page.data:
        made = _made(course, own, page, update, tally)
    if not made:
        return page
    for directive, wanted in reversed(made):
        page.lines[directive.start : directive.end] = wanted
    tally["rewritten"] += len(made)
    text = "\n".join(page.lines)
    files.replace(course.root / page.name, text.encode("utf-8"))
    return _blocks(course, own, pages.parse(page.name, text), False, Counter())


def _made(
    course: Course, own: int, page: Page, update: bool, tally: Counter
) -> list[tuple[Directive, list[str]]]:
    """What is to be rewritten; what differs and is not becomes a fault."""
    fresh: list[tuple[Directive, list[str]]] = []
    damaged = bool(page.faults)  # then nobody knows where a block ends: hands off
    for each in page.directives:
        tally["blocks"] += 1
        try:
            wanted = blocks.fill(course, own, page, each)
        except blocks.Absent:
            tally["left"] += 1
            continue
        except NoTerminal:
            tally["unchecked"] += 1
            continue
        except blocks.BlockError as error:
            page.fault(each.line, str(error))
            continue
        there = [line.rstrip("\r") for line in page.lines[each.start : each.end]]
        if there != wanted and update and not damaged:
            fresh.append((each, wanted))
        elif there != wanted:
            page.faults.append(_drift(page.name, each, there, wanted))
    return fresh


def _drift(name: str, block: Directive, there: list[str], wanted: list[str]) -> Fault:
    """The first line in which a block differs from its source."""
    what = f"{block.kind} {block.words}".strip()
    if not there:
        text = f"the block of {what!r} is missing: make docs writes it"
        return Fault(name, block.line, text)
    pairs = zip(there, wanted, strict=False)
    at = next(
        (at for at, (one, other) in enumerate(pairs) if one != other),
        min(len(there), len(wanted)),
    )
    one = there[at] if at < len(there) else None
    other = wanted[at] if at < len(wanted) else None
    stands, should = _around(one, other)
    return Fault(
        name,
        block.start + at + 1,
        f"the block of {what!r} has drifted: here stands {stands}, "
        f"from its source comes {should} (make docs rewrites it)",
    )


def _around(one: str | None, other: str | None) -> tuple[str, str]:
    """Both lines, quoted, shortened to where they begin to differ."""
    same = 0
    if one is not None and other is not None:
        pairs = enumerate(zip(one, other, strict=False))
        shorter = min(len(one), len(other))
        same = next((at for at, (left, right) in pairs if left != right), shorter)
    start = max(0, same - 30)

    def quoted(text: str | None) -> str:
        if text is None:
            return "the end of the block"
        piece = text[start : start + 70]
        return repr(
            ("…" if start else "") + piece + ("…" if start + 70 < len(text) else "")
        )

    return quoted(one), quoted(other)


def _hand_written(page: Page) -> None:
    """Refuses JSON typed by hand: a lesson shows what was recorded."""
    for fence in page.fences:
        kind = fence.info.split(" ")
        typed = not fence.generated and kind[0] in ("json", "jsonl", "jsonc")
        if typed and kind[1:] != ["sketch"]:
            page.fault(
                fence.line,
                "JSON written by hand: show a recorded line with "
                "<!-- message … -->, or say ```json sketch",
            )


def _spec(course: Course, spec: tuple[str, ...], name: str, tally: Counter):
    for each in spec:
        tally["links"] += 1
        if each not in spec_pages.PAGES:
            line = page_names.line_of(course, name, f'"{each}"')
            yield Fault(name, line, f"spec: the specification has no page {each!r}")


def _length(page: Page) -> str:
    text = "\n".join(line for _, line in page.prose)
    text = re.sub(r"\]\([^)]*\)|<[^>]*>", "]", text)
    count = len(re.findall(r"[^\W_]+(?:['.-][^\W_]+)*", pages.SPAN.sub("x", text)))
    few, many = WORDS
    says = "" if few <= count <= many else f" (a lesson should have {few} to {many})"
    return f"note: {page.name} has {count} words{says}"


def summary(tally: Counter) -> str:
    """What was looked at, and what was not: nothing is skipped in silence."""
    unchecked = tally["unchecked"]
    return (
        f"docs: {tally['pages']} pages, {tally['blocks']} generated blocks, "
        f"{tally['links']} links, {tally['names']} names and {tally['commands']} "
        f"commands; not opened: {tally['outside']} links to other sites; "
        f"not looked up: {tally['spaced']} pieces of code with spaces; "
        f"left as they are, for lessons that are not here: {tally['left']}"
        + (f"; not checked, for want of a terminal: {unchecked}" if unchecked else "")
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.docs",
        description="Checks the README files against code, recordings and outputs.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--update", action="store_true", help="rewrite generated blocks"
    )
    chosen = parser.parse_args(arguments)
    tally: Counter = Counter()
    try:
        words = sys.argv[1:] if arguments is None else arguments  # lesson-04
        code = setup.elsewhere("tools.docs", words, "tiktoken")  # lesson-04
        if code is not None:  # lesson-04
            return code
        faults, notes = check(here(), chosen.update, tally)
    except (ManifestError, CourseError, OSError) as error:
        print(f"docs: {error}", file=sys.stderr)
        return COULD_NOT_RUN
    except setup.SetupError as error:  # lesson-04
        print(f"docs: {error}", file=sys.stderr)
        return COULD_NOT_RUN
    for line in (*notes, *faults):
        print(line)
    if chosen.update:
        print(f"docs: {tally['rewritten']} blocks rewritten")
    print(summary(tally))
    return FOUND if faults else GOOD
