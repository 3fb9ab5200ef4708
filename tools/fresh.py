"""A fresh folder for what a server keeps, and the environment that names it.

The rule: what is played, recorded or tested starts from nothing and leaves nothing, so
it is the same each time, and the learner's own `build/helpdesk` is never touched.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

DATA, USER = "HELPDESK_DATA", "HELPDESK_USER"


@contextmanager
def folder() -> Iterator[str]:
    """The path of a new folder, removed with all that is in it."""
    # On Windows a file that is still open would keep the folder; that is no error.
    options: dict = {"prefix": "helpdesk-", "ignore_cleanup_errors": True}
    with tempfile.TemporaryDirectory(**options) as path:
        yield path


def environment(data: str, user: str = "") -> dict[str, str]:
    """The caller's environment with this folder and this person ("": the default)."""
    made = {name: value for name, value in os.environ.items() if name != USER}
    return {**made, DATA: data, **({USER: user} if user else {})}
