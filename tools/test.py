"""Everything that is tested, in one run of pytest (= make test).

The rule: the last lines and the exit code are pytest's own. `.venv` is made first
where it must be. Tests marked `soak` take long and run only with --soak.
"""

from __future__ import annotations

import argparse
import signal
import sys

from tools import setup
from tools.nb import NBVAL, environment


def command(python: str, soak: bool, arguments: list[str]) -> list[str]:
    """The pytest command; pyproject.toml says in which folders the tests are."""
    # More workers than cores, since many tests wait for a process; a file's tests stay
    # together, as the cells of a notebook must, and start in the order of the folders.
    spread = ["-n", "4", "--dist", "loadfile", "--no-loadscope-reorder"]
    limit = "--timeout=300"  # seconds for one test: a hang is a failure, too
    made = [python, "-m", "pytest", limit, *spread, *NBVAL]
    if soak:
        made += ["-m", ""]  # in place of the "not soak" of pyproject.toml
    return made + arguments


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.test",
        usage="%(prog)s [--soak] [pytest arguments …]",
        description="Run all tests (= make test); what else is said goes to pytest.",
        epilog="example: python -m tools.test host -k ticket",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--soak", action="store_true", help="the long tests too (= make soak)"
    )
    options, rest = parser.parse_known_args(arguments)
    try:
        python = setup.ensure()
    except setup.SetupError as error:
        print(f"test: {error}", file=sys.stderr)
        return 2
    # A shell lets its background jobs ignore Ctrl-C, and what they start inherits that:
    # the servers that are tested would not end.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    given = environment()
    # Thousands of processes start: none should compile what another one has compiled.
    given.pop("PYTHONDONTWRITEBYTECODE", None)
    return setup.run(command(str(python), options.soak, rest), given)


if __name__ == "__main__":
    sys.exit(main())
