"""The environment of mcp 1.x, in build/migration/venv and nowhere else. (lesson 05)

The rule is that of tools/venvs.py.
"""

import sys
from pathlib import Path

from tools import venvs
from tools.setup import ROOT
from tools.venvs import InstallError

PINS = ROOT / "lessons" / "05-sdk" / "migration" / "old.txt"
FIRST = "The first run with mcp 1.x needs one, the later ones none."
VENV = venvs.Venv(
    ROOT / "build" / "migration" / "venv",
    PINS,
    without_pip="this Python can't make a venv with pip",
    late=f"mcp 1.x was not installed within {venvs.LIMIT} s",
    changed=f"a package is not the file that {PINS.name} names: its hash differs",
    offline=f"could not fetch {{name}}: is there a network? {FIRST}",
    failed="pip could not install mcp 1.x: {last}",
)


def old_python() -> Path | None:
    """The Python with mcp 1.x where it is installed and current, or None."""
    return VENV.python if VENV.ready() else None


def ensure_old_python() -> Path:
    """The Python with mcp 1.x, installed where it must be. Raises InstallError."""
    if not VENV.ready():
        about = "installing mcp 1.x into build/migration/venv, once"
        print(f"migration: {about}", file=sys.stderr, flush=True)
        try:
            VENV.make()
        except OSError as error:
            why = f"could not make build/migration/venv: {error}"
            raise InstallError(why) from None
    return VENV.python
