"""The pages of the specification, so that a link can be checked without a network."""

import re

from lessons.manifest import REVISION

SITE = "https://modelcontextprotocol.io/specification/"
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", REVISION)

# All pages of revision 2026-07-28.
PAGES = frozenset(
    [
        "architecture/index",
        "basic/authorization/authorization-server-discovery",
        "basic/authorization/client-registration",
        "basic/authorization/index",
        "basic/authorization/security-considerations",
        "basic/index",
        "basic/patterns/cancellation",
        "basic/patterns/index",
        "basic/patterns/mrtr",
        "basic/patterns/progress",
        "basic/patterns/subscriptions",
        "basic/transports/index",
        "basic/transports/stdio",
        "basic/transports/streamable-http",
        "basic/versioning",
        "changelog",
        "client/elicitation",
        "client/roots",
        "client/sampling",
        "deprecated",
        "index",
        "schema",
        "server/discover",
        "server/index",
        "server/prompts",
        "server/resources",
        "server/tools",
        "server/utilities/caching",
        "server/utilities/completion",
        "server/utilities/logging",
        "server/utilities/pagination",
    ]
)


def address(page: str) -> str:
    """Where a page stands: address("server/tools")."""
    return f"{SITE}{REVISION}/{page}"


def wrong(target: str) -> str:
    """What is wrong with a link to the specification; "" when nothing is.

    Pages of earlier revisions are not known here: only that there is the revision.
    """
    found = re.fullmatch(r"([^/#?]*)/?([^#?]*?)/?(?:[#?].*)?", target[len(SITE) :])
    revision, page = found.groups() if found else ("", "")
    if revision not in REVISIONS:
        return f"there is no revision {revision!r} of the specification"
    if revision == REVISION and not known(page):
        return f"revision {REVISION} of the specification has no page {page!r}"
    return ""


def known(page: str) -> bool:
    """Is it a page? `basic` and `basic/index` are the same."""
    return page in PAGES or f"{page}/index".lstrip("/") in PAGES
