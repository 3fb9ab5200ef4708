"""The pinned servers, installed in build/cost-live only. (lesson 04)

The rule is that of tools/venvs.py, for the packages of npm too.
"""

import platform
import re
import shutil
import sys
from pathlib import Path

from tools import venvs
from tools.venvs import InstallError

HERE = Path(__file__).resolve().parent
PLACE = HERE.parents[1] / "build" / "cost-live"
STAYS = "the table of figures stays as it is"
SO_IT_STAYS = STAYS[0].upper() + STAYS[1:]
LATE = f"not installed within {venvs.LIMIT} s: {STAYS}"
NPM_NETWORK = re.compile("ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|network")
VENV = venvs.Venv(
    PLACE / "venv",
    HERE / "python.txt",
    without_pip=f"this Python can't make a venv with pip: {STAYS}",
    late=LATE,
    changed=f"a package is not the file that python.txt names: {STAYS}",
    offline=f"could not fetch {{name}}: is there a network? {SO_IT_STAYS}",
    failed=f"pip could not install the servers: {{last}}; {STAYS}",
)


def venv_python() -> Path:
    """The Python of the servers, installed where they must be. Raises InstallError."""
    if not VENV.ready():
        where = "build/cost-live/venv; about a minute"
        _say(f"installing the servers from PyPI into {where}")
        VENV.make()
    return VENV.python


def node_modules() -> tuple[str, Path]:
    """Node.js and the installed node_modules. Raises InstallError."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        missing = "node" if node is None else "npm"
        raise InstallError(f"NODE=1 needs {missing}, which is not on the PATH: {STAYS}")
    folder = PLACE / "npm"
    files = (HERE / "package.json", HERE / "package-lock.json")
    wanted = venvs.digest(f"{sys.platform} {platform.machine()}", *files)
    if venvs.stamp(folder) != wanted:
        venvs.empty(folder)
        for file in files:
            shutil.copyfile(file, folder / file.name)
        _say("installing the servers from npm into build/cost-live/npm")
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        command += ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"]
        code, said = venvs.run(command, folder, LATE)
        if code:
            raise InstallError(why_npm(said))
        venvs.mark(folder, wanted)
    return node, folder / "node_modules"


def why_npm(said: str) -> str:
    """One sentence for what npm said."""
    if "EINTEGRITY" in said:
        return f"a package is not the file that package-lock.json names: {STAYS}"
    if NPM_NETWORK.search(said):
        return f"npm could not fetch: is there a network? {SO_IT_STAYS}"
    last = venvs.last(said, "npm error")
    return f"npm could not install the servers: {last}; {STAYS}"


def _say(text: str) -> None:
    print(f"cost-live: {text}", file=sys.stderr, flush=True)
