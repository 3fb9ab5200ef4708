"""The migration lab: a server of mcp 1.x, carried to this revision. (lesson 05)

The rule: each step of lessons/05-sdk/migration is a whole program that mends one error
of the step before. The steps of mcp 1.x run in an environment of their own, which is
made at the first such run; all others run in the course's.
"""

import argparse
import sys

from tools.migration import lab, show
from tools.migration.install import InstallError, old_python
from tools.setup import SetupError, elsewhere

__all__ = ["main"]
WITHOUT_OLD = (
    "mcp 1.x is not installed, so what it prints is not looked for; "
    "python -m tools.migration 0 installs it"
)
EXAMPLES = """\
examples: python -m tools.migration 2          run step 02, and see what mends it
          python -m tools.migration --find isError"""


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: as the table says; 1: some text was not found; 2: could not run."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.migration",
        description="Carry a small server of mcp 1.x to this revision, step by step. "
        "Without arguments: the steps, and the error that each meets.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("step", nargs="?", type=int, help="run this step")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--find", metavar="TEXT", help="cause and remedy of an error text")
    one.add_argument("--check", action="store_true", help="run all, find each text")
    one.add_argument("--table", action="store_true", help="all errors, in Markdown")
    options = parser.parse_args(arguments)
    last = len(lab.steps()) - 1
    if options.step is not None and not 0 <= options.step <= last:
        parser.error(f"there is no step {options.step}: there are 0 to {last}")
    if options.step is not None and (options.find or options.check or options.table):
        parser.error("a step is run alone, without --find, --check or --table")
    runs = options.check or options.step is not None
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = elsewhere("tools.migration", words, "mcp") if runs else None
        return _do(options) if code is None else code
    except BrokenPipeError:  # whoever read the output has left
        raise
    except (InstallError, SetupError, OSError, TimeoutError) as error:
        print(f"migration: {error}", file=sys.stderr)
        return 2


def _do(options) -> int:
    if options.check:
        return _check()
    if options.find is not None:
        found = [each for each in lab.errors() if options.find in each.text]
        print("\n\n".join(show.error(each) for each in found) or "No such text here.")
        return 0 if found else 1
    if options.table:
        print(show.table(), end="")
    elif options.step is None:
        print(show.overview())
    else:
        return _step(lab.steps()[options.step])
    return 0


def _step(step: lab.Step) -> int:
    """Run one step, as itself and where it meets an error; 1: a text is missing."""
    print(show.heading(step))
    plain = (step.mcp, "client")
    runs = [(each.mcp, each.run) for each in step.errors]
    if step.mcp == 1 or not runs:
        runs.insert(0, plain)
    for mcp, run in dict.fromkeys(runs):
        print(show.run(step, run, mcp, lab.play(step.number, run, mcp)))
    missing = 0
    for each in step.errors:
        print(f"\n{show.error(each)}")
        missing += each.text not in lab.play(step.number, each.run, each.mcp).all
    if step.number + 1 < len(lab.steps()):
        print(f"\n{show.change(step.number + 1)}")
    return 1 if missing else 0


def _check() -> int:
    failed, with_old = 0, old_python() is not None
    if not with_old:
        print(f"migration: {WITHOUT_OLD}", file=sys.stderr)
    for each in [error for step in lab.steps() for error in step.errors]:
        if each.mcp == 1 and not with_old:
            continue
        came = each.text in lab.play(each.step or 0, each.run, each.mcp).all
        gone = each.text not in lab.play(each.mended, each.run, 2).all
        failed += _verdict(came and gone, f"step {each.step:02}", each)
    for each, met in zip(lab.others(), lab.raises(), strict=True):
        failed += _verdict(each.text in met, "alone  ", each)
    return 1 if failed else 0


def _verdict(right: bool, place: str, error: lab.Error) -> bool:
    word = "found  " if right else "MISSING"
    print(f"{word}  {place}  {show.short(error.text, 80)}", flush=True)
    return not right
