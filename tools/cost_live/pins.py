"""The pinned versions of the measured servers, written by a maintainer. (lesson 04)

The rule is that of tools/pins.py: exact versions with hashes, for every system at
once, and no address, so that a mirror serves as well. Needs uv and npm.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import files
from tools.cost_live.servers import HERE, POPULAR, SMALL

HEADER = """\
# The servers that `make cost-live` measures, and what they need. Exact versions,
# with the hashes of all their wheels, for Python 3.11 and later on Linux, macOS and
# Windows. Made by `python -m tools.cost_live.pins` (needs uv); not edited by hand.
"""
UV = "pip compile --universal --python-version 3.11 --generate-hashes --no-header"
UV += " --only-binary :all: --no-annotate --no-emit-index-url --no-emit-find-links"
UV += " --no-strip-extras --quiet -"
NPM = "install --package-lock-only --ignore-scripts --no-audit --no-fund --save-exact"
NPM += " --omit-lockfile-registry-resolved"


def run(program: str, words: str, packages: list[str], folder: Path) -> str:
    """Run uv (packages on its input) or npm (as arguments); what it printed."""
    found = shutil.which(program)
    if found is None:
        raise OSError(f"{program} is not installed")
    command = [found, *words.split(), *(packages if program == "npm" else [])]
    given = "\n".join(packages)
    done = subprocess.run(
        command, cwd=folder, input=given, capture_output=True, encoding="utf-8"
    )
    if done.returncode:
        raise OSError(f"{program} found no versions that fit: {done.stderr.strip()}")
    return done.stdout


def without_addresses(lock: dict) -> dict:
    """An npm lock less what names a place: where a package is, whom to pay."""
    for package in lock["packages"].values():
        package.pop("funding", None)
        package.pop("resolved", None)
    return lock


def put(name: str, text: str) -> None:
    files.replace(HERE / name, text.encode())
    print(f"tools/cost_live/{name}")


def pin() -> None:
    """Write the three files with the newest versions that fit together."""
    small = [server.package for server in SMALL]
    popular = [server.package for server in POPULAR if not server.module]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        put("python.txt", HEADER + run("uv", UV, small, folder))
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
        run("npm", NPM, popular, folder)
        package = json.loads((folder / "package.json").read_text("utf-8"))
        lock = json.loads((folder / "package-lock.json").read_text("utf-8"))
    lock["name"] = "cost-live"  # else it is the name of the folder
    put("package.json", json.dumps(package, indent=2) + "\n")
    put("package-lock.json", json.dumps(without_addresses(lock), indent=2) + "\n")


def main(arguments: list[str] | None = None) -> int:
    argparse.ArgumentParser(
        prog="python -m tools.cost_live.pins",
        description="Write the pins of make cost-live anew, with the newest versions.",
        epilog="example: python -m tools.cost_live.pins",
    ).parse_args(arguments)
    try:
        pin()
    except OSError as error:
        print(f"cost-live: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
