"""Links in the pages: files, headings, pages of the specification, alt texts.

Nothing is fetched. A lesson never links to a later one; a page of the whole course
may, in the checkout of a tag, link to what only later lessons bring.
"""

import re
from collections import Counter
from posixpath import normpath
from urllib.parse import unquote

from tools.docs import page as pages
from tools.docs import spec_pages
from tools.docs.course import Course
from tools.docs.page import Page

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*(<[^>]*>|[^\s()]*)[^()]*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
TAG = re.compile(r"<(img|a)\b[^>]*>")
ATTRIBUTE = re.compile(r"\b(src|href|alt|id|name)\s*=\s*[\"']([^\"']*)[\"']")


def check(course: Course, own: int, page: Page, partial: bool, tally: Counter) -> None:
    """Adds a fault to the page for each link that leads nowhere. `partial`: this is
    a tag's checkout, where later lessons are missing on purpose."""
    for line, image, alt, target in _links(page):
        tally["links"] += 1
        if image and not alt.strip():
            page.fault(line, f"the image {target!r} has no alt text")
        text = _wrong(course, own, page, target, tally)
        if text == MISSING and partial and not own:
            tally["left"] += 1
        elif text:
            page.fault(line, f"the link {target!r}: {text}")


MISSING = "there is no such file"


def _links(page: Page):
    for first, text in page.paragraphs():
        shown = pages.quiet(text)

        def line(at: int, first=first, text=text) -> int:
            return first + text.count("\n", 0, at)

        for each in LINK.finditer(shown):
            # An image as the text of a link is a link of its own.
            for inner in LINK.finditer(each[2]):
                yield line(each.start()), inner[1], inner[2], inner[3].strip("<>")
            yield line(each.start()), each[1], each[2], each[3].strip("<>")
        for each in REFERENCE.finditer(shown):
            yield line(each.start()), "", "", each[1].strip("<>")
        for each in TAG.finditer(shown):
            have = dict(ATTRIBUTE.findall(each[0]))
            target = have.get("src" if each[1] == "img" else "href")
            if target is not None:
                image = "!" if each[1] == "img" else ""
                yield line(each.start()), image, have.get("alt", ""), target


def _wrong(course: Course, own: int, page: Page, target: str, tally: Counter) -> str:
    if target.startswith(spec_pages.SITE):
        return spec_pages.wrong(target)
    if re.match("[a-z][a-z0-9+.-]*:", target):
        tally["outside"] += 1
        return ""
    path, _, anchor = unquote(target).partition("#")
    if path.startswith("/"):
        return "write it relative to this page"
    folder = page.name.rpartition("/")[0]
    place = normpath(f"{folder or '.'}/{path}") if path else page.name
    if place.startswith(".."):
        return "it leaves the repository"
    if not (course.root / place).exists():
        return MISSING
    if own and course.later(place, own):
        return f"it belongs to a later lesson than {own:02}"
    if anchor and place.endswith(".md"):
        other = page if place == page.name else _read(course, place)
        known = anchors(other)
        if anchor not in known:
            return f"there is no heading #{anchor}; there are {', '.join(known)}"
    return ""


def _read(course: Course, place: str) -> Page:
    return pages.parse(place, (course.root / place).read_text("utf-8"))


def anchors(page: Page) -> list[str]:
    """The anchors GitHub gives the headings of a page, and those set by hand."""
    found: list[str] = []
    seen: Counter = Counter()
    for heading in page.headings():
        text = LINK.sub(lambda link: link[2], heading)
        text = re.sub(r"<[^>]*>|[`*]", "", text).strip().lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found.append(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    for _, line in page.prose:
        for each in TAG.finditer(pages.quiet(line)):
            have = dict(ATTRIBUTE.findall(each[0]))
            found += [have[key] for key in ("id", "name") if key in have]
    return found
