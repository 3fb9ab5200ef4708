"""The pinned versions: `tools/requirements/*.txt`, written anew by a maintainer.

The rule: pyproject.toml says what is needed, these files say exactly which files are
installed, for every system at once; and they name no address, so that a mirror or a
folder of wheels serves as well.
"""

import argparse
import re
import shutil
import subprocess
import sys

from tools import files
from tools.setup import NAMES, REQUIREMENTS, ROOT, SetupError

HEADER = """\
# {about}
# Exact versions, with the hashes of all their wheels, for Python 3.11 and later on
# Linux, macOS and Windows. Made from the extras of pyproject.toml by
# `python -m tools.pins` (needs uv); not edited by hand.
"""
ABOUT = {
    "base": "What the message check, the token counts and the SDK's programs need.",
    "notebooks": "What the notebooks need, on top of base.txt.",
    "development": "What the tests need, on top of base.txt and notebooks.txt.",
}


def pin() -> None:
    """Write the requirement files with the newest versions that fit together."""
    whole = resolve(NAMES)
    written: set[str] = set()
    for count, name in enumerate(NAMES, start=1):
        # One resolution gives the versions; the others only say what goes where.
        wanted = {project(block) for block in resolve(NAMES[:count])} - written
        written |= wanted
        text = "".join(block for block in whole if project(block) in wanted)
        file = REQUIREMENTS / f"{name}.txt"
        files.replace(file, (HEADER.format(about=ABOUT[name]) + text).encode("utf-8"))
        print(file.relative_to(ROOT).as_posix())


def resolve(extras: tuple[str, ...]) -> list[str]:
    """What these extras need: a line each, with the indented hashes below it."""
    uv = shutil.which("uv")
    if uv is None:
        raise SetupError("uv is not installed, and pip resolves for one system only")
    command = [uv, "pip", "compile", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--only-binary", ":all:", "--no-header"]
    command += ["--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    # Without the extras in the pins, pip takes the newest version for each of them.
    command += ["--no-strip-extras", "--quiet", "pyproject.toml"]
    command += [word for extra in extras for word in ("--extra", extra)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise SetupError(f"uv found no versions that fit: {done.stderr.strip()}")
    return re.findall(r"^\S.*\n(?: .*\n)*", done.stdout, re.MULTILINE)


def project(block: str) -> str:
    """The name that a requirement begins with."""
    return re.split(r"[\[=]", block)[0]


def main(arguments: list[str] | None = None) -> int:
    argparse.ArgumentParser(
        prog="python -m tools.pins",
        description="Write tools/requirements/*.txt anew, with the newest versions.",
        epilog="example: python -m tools.pins",
    ).parse_args(arguments)
    try:
        pin()
    except SetupError as error:
        print(f"pins: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
