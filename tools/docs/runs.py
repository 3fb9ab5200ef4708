"""Commands in the text: what `python -m …` prints, run in the code of a stage.

The same output on every machine: no colour, UTF-8, 100 columns, no input but the
one that is written beside the command. Nothing but Python is started.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

from tools.child import command_line

LIMIT = 120  # seconds; a hang, not a speed
_GIVEN = re.compile(r"input='([^']*)' +(.*)")


class RunError(Exception):
    """A command that can't be shown; the text is one sentence."""


def run(words: str, directory: Path) -> list[str]:
    """The command after a `$`, and the lines it printed. Raises RunError."""
    found = _GIVEN.fullmatch(words)
    given, command = found.groups() if found else (None, words)
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise RunError(f"the command can't be read: {str(error).lower()}") from None
    if parts[:1] != ["python"]:
        raise RunError("a command to run begins with python")
    shown = f"$ printf '{given}' | {command}" if found else f"$ {command}"
    output = _output(parts, directory, b"" if given is None else printed(given))
    return [shown, *output.rstrip("\n").split("\n")] if output.strip() else [shown]


def printed(text: str) -> bytes:
    r"""What `printf` makes of a text: \n, \\ and %%. Raises RunError for more."""
    known = {"\\n": "\n", "\\\\": "\\", "%%": "%"}

    def one(found: re.Match) -> str:
        if found[0] not in known:
            raise RunError(rf"input knows \n, \\ and %%, not {found[0]}")
        return known[found[0]]

    return re.sub(r"\\.?|%.?", one, text, flags=re.DOTALL).encode("utf-8")


def _output(parts: list[str], directory: Path, given: bytes) -> str:
    hidden = ("PYTHONPATH", "PYTHONHOME", "PYTHONIOENCODING", "FORCE_COLOR")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment.update(NO_COLOR="1", PYTHONUTF8="1", COLUMNS="100")
    try:
        done = subprocess.run(
            command_line(parts),
            cwd=directory,
            env=environment,
            input=given,  # then the end of the input
            capture_output=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        raise RunError(f"the command still ran after {LIMIT} s") from None
    except OSError as error:
        raise RunError(f"the command can't be started: {error}") from None
    errors = done.stderr.decode("utf-8", "replace").strip()
    # 1 is "found something"; a traceback ends with 1 as well.
    if done.returncode not in (0, 1) or "Traceback (most recent" in errors:
        last = errors.split("\n")[-1][:200]
        raise RunError(f"the command ended with {done.returncode}: {last}")
    return done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
