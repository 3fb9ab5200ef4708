"""Pinned packages in a folder of their own, apart from `.venv`. (lesson 04)

The rule is that of tools/setup.py: what is installed is what the pins name, to the
hash, and nothing runs from a half-made folder: a stamp, written last, says what it
was made from. No package's install script runs, and nothing is built from source.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from tools.setup import NETWORK

LIMIT = 900  # seconds for one installation
# A person's own settings may name a mirror, and the hashes hold whatever they say;
# these would put the packages somewhere else.
ELSEWHERE = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN", "PIP_USER"}


class InstallError(Exception):
    """The packages can't be installed; the text is one sentence."""


@dataclass(frozen=True)
class Venv:
    """Where the packages of `pins` go, and what is said where that fails."""

    folder: Path
    pins: Path
    without_pip: str  # this Python can't make a venv with pip
    late: str  # it took more than LIMIT seconds
    changed: str  # a package has another hash than pinned
    offline: str  # {name} could not be fetched
    failed: str  # something else: {last} is the last that pip said

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def wanted(self) -> str:
        kind = f"{sys.implementation.cache_tag} {sys.platform} {platform.machine()}"
        return digest(kind, self.pins)

    def ready(self) -> bool:
        """Whether it is finished, and made from these pins for this Python."""
        return stamp(self.folder) == self.wanted() and self.python.exists()

    def make(self) -> None:
        """Make it anew. Raises InstallError or OSError."""
        empty(self.folder)
        try:
            maker = venv.EnvBuilder(symlinks=os.name != "nt", with_pip=True)
            maker.create(self.folder)
        except (subprocess.CalledProcessError, ImportError):
            raise InstallError(self.without_pip) from None
        command = [str(self.python), "-I", "-m", "pip", "install", "--require-hashes"]
        command += ["--only-binary", ":all:", "--no-input", "--progress-bar", "off"]
        command += ["--retries", "1", "--disable-pip-version-check"]
        command += ["-r", str(self.pins)]
        code, said = run(command, self.folder, self.late)
        if code:
            raise InstallError(self.why(said))
        mark(self.folder, self.wanted())

    def why(self, said: str) -> str:
        """One sentence for what pip said."""
        if "DO NOT MATCH THE HASHES" in said:
            return self.changed
        if NETWORK.search(said):
            found = re.search(r"No matching distribution found for (\S+)", said)
            return self.offline.format(name=found[1] if found else "the packages")
        return self.failed.format(last=last(said, "ERROR:"))


def run(command: list[str], place: Path, late: str) -> tuple[int, str]:
    """Run an installer to its end: exit code, and what it said on both outputs.

    Raises InstallError, with the sentence `late`, after LIMIT seconds.
    """
    settings = {key: each for key, each in os.environ.items() if key not in ELSEWHERE}
    try:
        done = subprocess.run(
            command,
            cwd=place,
            env=settings | {"PIP_USER": "0", "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        raise InstallError(late) from None
    return done.returncode, done.stdout


def last(said: str, sign: str) -> str:
    """The last line that begins with `sign`, or else the last one; shortened."""
    lines = [line for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(sign)]
    line = (errors or lines or ["it said nothing"])[-1]
    return line.removeprefix(sign)[:300].strip()


def digest(kind: str, *files: Path) -> str:
    """What a stamp says: these files, for this kind of machine."""
    made = hashlib.sha256(b"".join(file.read_bytes() for file in files))
    return f"{made.hexdigest()} {kind}\n"


def stamp(folder: Path) -> str | None:
    """What the folder says it was made from; None while it is not finished."""
    try:
        return _stamp(folder).read_text("utf-8")
    except OSError:
        return None


def mark(folder: Path, text: str) -> None:
    """Write the stamp: the folder is finished."""
    _stamp(folder).write_text(text, encoding="utf-8", newline="\n")


def _stamp(folder: Path) -> Path:
    return folder / f"made-by-{folder.parent.name}"


def empty(folder: Path) -> None:
    """Make the folder, and nothing in it."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
