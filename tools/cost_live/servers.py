"""Which published servers are measured, and how each is started. (lesson 04)

The rule: a row of the table can be measured again. Versions come from the pins
(python.txt, package.json), and what a list may depend on (arguments, tokens, the
time zone) is said here. The tokens are made up: no server is asked to do anything.
"""

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tools.stages import stage_dir

HERE = Path(__file__).resolve().parent
HELPDESK_LESSON = 3  # the helpdesk that the lesson begins with: one tool


@dataclass(frozen=True)
class Places:
    """Where the packages were installed. Without Node.js the last two are None."""

    python: Path
    node: str | None = None
    modules: Path | None = None


@dataclass(frozen=True)
class Server:
    """One published server. `module` is set for those from PyPI."""

    name: str
    package: str
    module: str = ""
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, places: Places) -> list[str]:
        """The command that starts it. Raises OSError or ValueError."""
        if self.module:
            return [str(places.python), "-I", "-m", self.module, *self.arguments]
        if places.node is None or places.modules is None:
            raise ValueError("it needs Node.js")
        folder = places.modules / self.package
        entries = json.loads((folder / "package.json").read_text("utf-8"))["bin"]
        # A package's first program is its server.
        program = folder / next(iter(entries.values()))
        return [places.node, str(program), *self.arguments]

    def version(self) -> str:
        """The pinned version."""
        if self.module:
            pins = (HERE / "python.txt").read_text("utf-8")
            found = re.search(rf"^{re.escape(self.package)}==(\S+)", pins, re.M)
            return found[1] if found else ""
        package = json.loads((HERE / "package.json").read_text("utf-8"))
        return package["dependencies"][self.package]


class Helpdesk(Server):
    """The course's own server, as it is in the lesson before."""

    def command(self, places: Places) -> list[str]:
        # Not -I: the code of the stage is found through PYTHONPATH.
        return [sys.executable, "-m", "handwritten"]

    def version(self) -> str:
        return f"lesson-{HELPDESK_LESSON:02}"


def helpdesk() -> Server:
    """The helpdesk, from the files of its stage."""
    stage = {"PYTHONPATH": str(stage_dir(HELPDESK_LESSON))}
    return Helpdesk("helpdesk", "handwritten", "handwritten", environment=stage)


GIT = Server("git", "mcp-server-git", "mcp_server_git")
SMALL = (
    # Its list names the time zone of the machine, three times.
    Server(
        "time", "mcp-server-time", "mcp_server_time", ("--local-timezone", "Etc/UTC")
    ),
    Server("fetch", "mcp-server-fetch", "mcp_server_fetch"),
    GIT,
    Server("wikipedia", "wikipedia-mcp", "wikipedia_mcp"),
    Server("duckduckgo", "duckduckgo-mcp-server", "duckduckgo_mcp_server.server"),
)
POPULAR = (
    # It serves the folders that it is given: the one it is started in.
    Server("filesystem", "@modelcontextprotocol/server-filesystem", "", (".",)),
    GIT,  # published on PyPI only
    Server("playwright", "@playwright/mcp", "", ("--headless",)),
    Server(
        "chrome-devtools",
        "chrome-devtools-mcp",
        "",
        ("--headless", "--isolated", "--no-usage-statistics"),
    ),
    Server(
        "notion",
        "@notionhq/notion-mcp-server",
        environment={"NOTION_TOKEN": "ntn_this-is-no-real-token"},
    ),
)
