"""The pins of the migration lab's mcp 1.x, written anew by a maintainer. (lesson 05)

The rule is that of tools/pins.py: exact versions with hashes, for every system at
once, and no address, so that a mirror serves as well. Needs uv.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tools import files
from tools.cost_live.pins import UV, run
from tools.migration.install import PINS

NEWEST = "mcp<2"  # the newest 1.x; older ones fail in the same way
HEADER = """\
# The SDK that the migration lab starts from, mcp 1.x, and what it needs. Exact
# versions, with the hashes of all their wheels, for Python 3.11 and later on Linux,
# macOS and Windows. Made by `python -m tools.migration.pins`; not edited by hand.
"""


def main(arguments: list[str] | None = None) -> int:
    argparse.ArgumentParser(
        prog="python -m tools.migration.pins",
        description=f"Write {PINS.name} anew, with the newest mcp 1.x.",
        epilog="example: python -m tools.migration.pins",
    ).parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            text = HEADER + run("uv", UV, [NEWEST], Path(folder))
        files.replace(PINS, text.encode("utf-8"))
    except OSError as error:
        print(f"migration: {error}", file=sys.stderr)
        return 2
    print(PINS.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
