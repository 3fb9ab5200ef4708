"""What comes from outside: a person, the clock, chance, a key, a database. (lesson 06)

The rule: the core takes these from here and from nowhere else. So a test or a notebook
hands in a clock of its own, and two copies of the server that share a folder honour
each other's cursors and drafts.
"""

import functools
import os
import time

KEY_SIZE = 32  # bytes


class World:
    """`data` is a folder for what outlives the process; without one, nothing does."""

    def __init__(self, data="", user="local", now=time.time, random=os.urandom):
        self.folder, self.user = data, user
        self.now, self.random = now, random  # seconds since 1970; n bytes
        # By user: how many exports are running.
        self.exports: dict = {}  # lesson-07

    @functools.cached_property
    def key(self) -> bytes:
        """The secret that makes cursors unforgeable. Made on first use, then kept."""
        if not self.folder:
            return self.random(KEY_SIZE)
        with open(self._place("key", self.random(KEY_SIZE)), "rb") as file:
            key = file.read()
        if len(key) != KEY_SIZE:
            raise ValueError(f"{file.name} is no key: remove it to get a new one")
        return key

    def problem(self) -> str:
        """Why the folder can't be used, as a sentence; "" where it can."""
        try:
            _ = self.key
        except (OSError, ValueError) as error:
            return f"the data folder can't be used: {error}"
        return ""

    @functools.cached_property
    def database(self):
        """One SQLite connection; each statement is a transaction of its own."""
        import weakref

        made = self.connect()
        weakref.finalize(self, made.close)
        return made

    def connect(self):
        """A new connection, for whoever has to have one of its own."""
        import sqlite3  # as slow to load as all the rest, and most calls need none

        # To SQLite an empty file is a database with nothing in it.
        path = self._place("state.db", b"") if self.folder else ":memory:"
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    def _place(self, name: str, data: bytes) -> str:
        """The path of a file in the folder; where it isn't there yet, with this."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            make_file(path, data)
        return path


def folder(chosen: str | None) -> str:
    """Where the program keeps things: as it was told, or beside its code."""
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    usual = os.path.join(beside, "build", "helpdesk")
    return chosen or os.environ.get("HELPDESK_DATA") or usual


def make_file(path: str, data: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all.

    Of two processes or threads that do it at once, the first wins, and both find its
    file.
    """
    # A name of its own: a twin must not write to what is linked already.
    beside = f"{path}.{os.urandom(8).hex()}"
    options = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(beside, options, 0o600), "wb") as file:
        file.write(data)
    try:
        # Unlike a rename, a link never takes the place of what is there already.
        os.link(beside, path)
    except FileExistsError:
        pass
    except OSError:  # this file system has no links
        os.replace(beside, path)
        return
    os.unlink(beside)
