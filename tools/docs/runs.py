r"""Commands in the text: what `python -m …` prints, run in the code of a stage.

The same output on every machine: no colour, UTF-8, 100 columns, no input but the
one that is written beside the command, and a data folder that begins empty. Nothing but
Python is started. With `tty='y\n'` it runs at a terminal, where that is typed.
"""

import re
import shlex
import subprocess
from pathlib import Path

from tools import fresh
from tools.child import command_line
from tools.docs import terminal

LIMIT = 120  # seconds; a hang, not a speed
_GIVEN = re.compile(r"(input|tty)='([^']*)' +(.*)")


class RunError(Exception):
    """A command that can't be shown; the text is one sentence."""


def run(words: str, directory: Path, data: str = "") -> list[str]:
    """The command after a `$`, and the lines it printed.

    `data` is the folder that its servers share with the commands before; without one,
    they get a fresh one. Raises RunError, or terminal.NoTerminal.
    """
    if not data:
        with fresh.folder() as path:
            return run(words, directory, path)
    found = _GIVEN.fullmatch(words)
    how, given, command = found.groups() if found else ("", "", words)
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise RunError(f"the command can't be read: {str(error).lower()}") from None
    if parts[:1] != ["python"]:
        raise RunError("a command to run begins with python")
    shown = f"$ printf '{given}' | {command}" if how == "input" else f"$ {command}"
    output = _output(parts, directory, data, printed(given), how == "tty")
    return [shown, *output.rstrip("\n").split("\n")] if output.strip() else [shown]


def printed(text: str) -> bytes:
    r"""What `printf` makes of a text: \n, \\ and %%. Raises RunError for more."""
    known = {"\\n": "\n", "\\\\": "\\", "%%": "%"}

    def one(found: re.Match) -> str:
        if found[0] not in known:
            raise RunError(rf"input knows \n, \\ and %%, not {found[0]}")
        return known[found[0]]

    return re.sub(r"\\.?|%.?", one, text, flags=re.DOTALL).encode("utf-8")


def _output(
    parts: list[str], directory: Path, data: str, given: bytes, at_terminal: bool
) -> str:
    command, environment = command_line(parts), _environment(data)
    try:
        if at_terminal:
            code, output = terminal.run(command, directory, environment, given, LIMIT)
            errors = output
        else:
            done = subprocess.run(
                command,
                cwd=directory,
                env=environment,
                input=given,  # then the end of the input
                capture_output=True,
                timeout=LIMIT,
            )
            code, output = done.returncode, done.stdout.decode("utf-8", "replace")
            errors = done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        raise RunError(f"the command still ran after {LIMIT} s") from None
    except OSError as error:
        raise RunError(f"the command can't be started: {error}") from None
    except terminal.TerminalError as error:
        raise RunError(str(error)) from None
    # 1 is "found something"; a traceback ends with 1 as well.
    if code not in (0, 1) or "Traceback (most recent" in errors:
        last = errors.strip().split("\n")[-1][:200]
        raise RunError(f"the command ended with {code}: {last}")
    return output.replace("\r\n", "\n")


def _environment(data: str) -> dict[str, str]:
    hidden = ("PYTHONPATH", "PYTHONHOME", "PYTHONIOENCODING", "FORCE_COLOR")
    kept = fresh.environment(data).items()
    made = {key: value for key, value in kept if key not in hidden}
    return {**made, "NO_COLOR": "1", "PYTHONUTF8": "1", "COLUMNS": "100"}
