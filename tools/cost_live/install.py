"""The pinned servers, installed in build/cost-live only. (lesson 04)

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
from pathlib import Path

from tools.setup import NETWORK

HERE = Path(__file__).resolve().parent
PLACE = HERE.parents[1] / "build" / "cost-live"
STAMP = "made-by-cost-live"
LIMIT = 900  # seconds for one installation
STAYS = "the table of figures stays as it is"
NPM_NETWORK = re.compile("ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|network")


class InstallError(Exception):
    """The packages can't be installed; the text is one sentence."""


def venv_python() -> Path:
    """The Python of the servers, installed where they must be. Raises InstallError."""
    folder, pins = PLACE / "venv", HERE / "python.txt"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    kind = f"{sys.implementation.cache_tag} {sys.platform} {platform.machine()}"
    wanted = _wanted(kind, pins)
    if _stamp(folder) == wanted and python.exists():
        return python
    _empty(folder)
    _say("installing the servers from PyPI into build/cost-live/venv; about a minute")
    try:
        venv.EnvBuilder(symlinks=os.name != "nt", with_pip=True).create(folder)
    except (subprocess.CalledProcessError, ImportError):
        raise InstallError("this Python can't make a venv with pip: " + STAYS) from None
    command = [str(python), "-I", "-m", "pip", "install", "--require-hashes"]
    command += ["--only-binary", ":all:", "--no-input", "--progress-bar", "off"]
    command += ["--retries", "1", "--disable-pip-version-check", "-r", str(pins)]
    code, said = _run(command, PLACE)
    if code:
        raise InstallError(why_pip(said))
    _mark(folder, wanted)
    return python


def node_modules() -> tuple[str, Path]:
    """Node.js and the installed node_modules. Raises InstallError."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        missing = "node" if node is None else "npm"
        raise InstallError(f"NODE=1 needs {missing}, which is not on the PATH: {STAYS}")
    folder = PLACE / "npm"
    files = (HERE / "package.json", HERE / "package-lock.json")
    wanted = _wanted(f"{sys.platform} {platform.machine()}", *files)
    if _stamp(folder) != wanted:
        _empty(folder)
        for file in files:
            shutil.copyfile(file, folder / file.name)
        _say("installing the servers from npm into build/cost-live/npm")
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        command += ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"]
        code, said = _run(command, folder)
        if code:
            raise InstallError(why_npm(said))
        _mark(folder, wanted)
    return node, folder / "node_modules"


def why_pip(said: str) -> str:
    """One sentence for what pip said."""
    if "DO NOT MATCH THE HASHES" in said:
        return f"a package is not the file that python.txt names: {STAYS}"
    found = re.search(r"No matching distribution found for (\S+)", said)
    if NETWORK.search(said):
        name = found[1] if found else "the packages"
        return f"could not fetch {name}: is there a network? {_sentence(STAYS)}"
    return f"pip could not install the servers: {_last(said, 'ERROR:')}; {STAYS}"


def why_npm(said: str) -> str:
    """One sentence for what npm said."""
    if "EINTEGRITY" in said:
        return f"a package is not the file that package-lock.json names: {STAYS}"
    if NPM_NETWORK.search(said):
        return f"npm could not fetch: is there a network? {_sentence(STAYS)}"
    return f"npm could not install the servers: {_last(said, 'npm error')}; {STAYS}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _last(said: str, mark: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(mark)]
    last = (errors or lines or ["it said nothing"])[-1]
    return last.removeprefix(mark)[:300].strip()


def _run(command: list[str], place: Path) -> tuple[int, str]:
    # A person's own settings may name a mirror, and the hashes hold whatever they
    # say; these would put the packages somewhere else.
    elsewhere = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN", "PIP_USER"}
    settings = {key: each for key, each in os.environ.items() if key not in elsewhere}
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
        raise InstallError(f"not installed within {LIMIT} s: {STAYS}") from None
    return done.returncode, done.stdout


def _wanted(kind: str, *files: Path) -> str:
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files))
    return f"{digest.hexdigest()} {kind}\n"


def _stamp(folder: Path) -> str | None:
    try:
        return (folder / STAMP).read_text("utf-8")
    except OSError:
        return None


def _mark(folder: Path, text: str) -> None:
    (folder / STAMP).write_text(text, encoding="utf-8", newline="\n")


def _empty(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def _say(text: str) -> None:
    print(f"cost-live: {text}", file=sys.stderr, flush=True)
