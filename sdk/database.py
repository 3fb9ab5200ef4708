"""Tickets and policies in one SQLite file, made on first use. (lesson 05)

The rule: the file is there whole, or not at all. It is written beside its place and
renamed, so of two servers that start at once both find a good one. It is opened for
reading only, and what is no database of this program is reported, never overwritten.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tools import files
from handwritten.world import World  # lesson-06

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "handwritten" / "helpdesk"  # the JSON that both servers start from
FOLDER = ROOT / "build" / "helpdesk"
NAME = "helpdesk.db"

# SQLite keeps two numbers for its user: whose file this is, and in which shape.
APPLICATION, VERSION = 0x48454C50, 1  # "HELP"
SHAPE = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE tickets (
    position INTEGER PRIMARY KEY, ticket_id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL,
    status TEXT NOT NULL, customer_id TEXT NOT NULL, body TEXT NOT NULL,
    more TEXT NOT NULL  -- what the JSON holds besides, as JSON
);
CREATE TABLE policies (
    position INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
    text TEXT NOT NULL
);
"""
TICKET = ("ticket_id", "subject", "status", "customer_id", "body")
POLICY = ("uri", "title", "text")


class DatabaseError(Exception):
    """The database can't be used: one sentence that names the file and the reason."""


class Database:
    """The data in one file. Raises DatabaseError where that can't be used."""

    def __init__(self, folder: Path = FOLDER):
        self.path = folder.absolute() / NAME
        self.world = World(str(self.path.parent))  # lesson-06
        try:
            if not self.path.exists():
                make(self.path)
            if not writable(self.path):
                raise ValueError("the file is read-only, and a helpdesk's must not be")
            with self._opened() as connection:
                check(connection)
        except OSError as error:
            reason = f"can't be made: {error.strerror or error}"
            if self.path.parent.exists() and not self.path.parent.is_dir():
                reason = f"can't be made: {self.path.parent} is no folder"
            raise DatabaseError(f"{self.path} {reason}") from None
        except (sqlite3.Error, ValueError) as error:
            right = "It was left as it is: move it away, or name a folder with --data"
            raise DatabaseError(f"{self.path}: {error}. {right}") from None

    def ticket(self, number: str) -> dict | None:
        """One ticket, or None."""
        found = self._rows("SELECT * FROM tickets WHERE ticket_id = ?", number)
        return found[0] if found else None

    def tickets(self) -> list[dict]:
        """All of them, in the order of the JSON."""
        return self._rows("SELECT * FROM tickets ORDER BY position")

    def policies(self) -> list[dict]:
        """All of them, in the order of the JSON."""
        return self._rows("SELECT * FROM policies ORDER BY position")

    def whole_tickets(self) -> list[dict]:  # lesson-06
        """All of them, each with all that the JSON has of it."""
        return [whole(row) for row in self.tickets()]

    def _rows(self, query: str, *values: str) -> list[dict]:
        # The SDK runs each tool in a thread of its own, and a connection belongs to
        # the thread that opened it. Opening one takes less than a millisecond.
        with self._opened() as connection:
            return [dict(row) for row in connection.execute(query, values)]

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        address = f"{self.path.as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            yield connection


def whole(row: dict) -> dict:  # lesson-06
    """A ticket as the JSON has it: its columns, and what `more` holds."""
    return {name: row[name] for name in TICKET} | json.loads(row["more"])


def check(connection: sqlite3.Connection) -> None:
    """Raise ValueError for another program's file, another version, a damaged one."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise ValueError("not a database of this helpdesk")
    if version != VERSION:
        raise ValueError(f"made in version {version}, this program reads {VERSION}")
    problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if problem != "ok":
        raise ValueError(f"the file is damaged ({problem.splitlines()[-1]})")


def writable(path: Path) -> bool:
    """Whether the file may be changed: what nobody may change is not in use here."""
    # Root may write everything, so the mode is asked as well.
    return os.access(path, os.W_OK) and bool(path.stat().st_mode & 0o200)


def make(path: Path) -> None:
    """Make the file from the JSON. Raises OSError."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.executescript(SHAPE)
        fill(memory, "tickets", TICKET)
        fill(memory, "policies", POLICY)
        memory.commit()
        data = memory.serialize()
    try:
        files.replace(path, data)
    except OSError:
        if not path.exists():  # else another process was quicker: the same data
            raise


def fill(memory: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> None:
    """Put the rows of a JSON file into its table."""
    for row in json.loads((SOURCE / f"{table}.json").read_text("utf-8")):
        values = {name: row.pop(name) for name in columns}
        if row:
            values["more"] = json.dumps(row, ensure_ascii=False)
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        query = f"INSERT INTO {table} ({names}) VALUES ({marks})"
        memory.execute(query, tuple(values.values()))


def chosen(folder: str | None) -> Path:
    """The folder of `--data`, or else of HELPDESK_DATA, or else the usual one."""
    given = folder or os.environ.get("HELPDESK_DATA")
    return Path(given) if given else FOLDER
