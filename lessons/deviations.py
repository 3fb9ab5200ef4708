"""Where the SDK differs from the specification: the `deviations.toml` of lessons.

Lesson 05 has the first; a later lesson has one for what its features bring to light,
since a lesson only adds. Each row says what the rule is, what the SDK does, what the
hand-written server does, and whether `sdk/` mends it; `faulty` says that its recording
breaks the rules that wirecheck knows, and `recorded = false` that there is none. It
names the wire tests that fail for it, and the lines that show it, written as the steps
of a session in lesson.toml. A row is held to its word: the tests of a mended row must
fail on the plain SDK server, and those of any other row on both.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from lessons import manifest
from lessons.manifest import ROOT, ManifestError, Session
from lessons.wire import STDIO, Wire

LESSON = 5  # the first with an SDK server
TABLE = ROOT / "lessons" / "05-sdk" / "deviations.toml"
SHORT = 0.05  # seconds until a server that keeps silent is asked something else


@dataclass(frozen=True)
class Deviation:
    """One row."""

    name: str  # "unknown-tool"
    rule: str  # with the specification's page
    sdk: str  # what the SDK does as it comes
    by_hand: str  # what the hand-written server does
    mended: bool  # whether sdk/strict.py mends it
    mend: str  # by what; or why it can't be mended here
    tests: tuple[str, ...]  # "01-one-message::test_x", one case: "…::test_x[case]"
    sometimes: bool  # a race decides: the tests may pass, the recording may differ
    session: Session  # the lines that show it, sent to the plain SDK server

    def excuses(self, test: str) -> bool:
        """Whether this row names that test, or the function that it is a case of."""
        return test in self.tests or test.partition("[")[0] in self.tests


def every_row() -> list[Deviation]:
    """The rows of all lessons of this checkout. Raises ManifestError."""
    tables = sorted(ROOT.glob(f"lessons/*/{TABLE.name}"))
    return [row for path in tables for row in deviations(path)]


def deviations(path: Path = TABLE) -> list[Deviation]:
    """The rows of one lesson's table; none where it has none. Raises ManifestError."""
    if not path.is_file():
        return []
    try:
        found = re.match("[0-9]{2}", path.parent.name)
        number = int(found[0]) if found else LESSON
        rows = tomllib.loads(path.read_text("utf-8"))["deviations"]
        return [_row(number, row) for row in rows]
    except KeyError as error:
        raise ManifestError(f"{path}: the key {error} is missing") from None
    except (tomllib.TOMLDecodeError, TypeError, ValueError) as error:
        raise ManifestError(f"{path}: {error}") from None


def _row(lesson: int, row: dict) -> Deviation:
    return Deviation(
        name=row["name"],
        rule=row["rule"],
        sdk=row["sdk"],
        by_hand=row["by_hand"],
        mended=row["mended"],
        mend=row["mend"],
        tests=tuple(row["tests"]),
        sometimes=row.get("sometimes", False),
        session=manifest.aside(lesson, row),
    )


class Deviating(Wire):
    """A server that is expected to fail, often by silence, which takes long to hear.

    So it is asked something else: when that is answered first, the silence is proved.
    """

    def end(self) -> int:
        self._ended = True
        return super().end()

    def _start(self):
        self._ended = False
        self._proof = ""  # the id of the request that is to prove a silence
        self._heard = False  # whether something else came before its answer
        return super()._start()

    def _receive(self):
        if not self._proof and not self._ended:
            try:
                return self._child.receive("server", SHORT)
            except TimeoutError:
                sent, self._heard = self.sent, False
                self._proof = self._ask()
                self.sent = sent
        return super()._receive()

    def _next(self) -> dict:
        message = super()._next()
        if not self._proof or message.get("id") != self._proof:
            self._heard = True
            return message
        self._proof = ""
        if self._heard:  # so there was no silence
            return self._next()
        self.came = "nothing, while the next request was answered"
        raise self.failure("a message", STDIO)
