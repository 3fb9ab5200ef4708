"""How the migration lab appears, on 100 columns and as a table. (lesson 05)"""

import difflib
import textwrap

from tools.migration import lab
from tools.transcript.lines import printable, shorten

WIDTH = 100
LAST_LINES = 6  # of what a run printed on stderr; a traceback's end says it all


def short(text: str, width: int) -> str:
    """One row of a text."""
    return shorten(printable(text.strip()), width)


def overview() -> str:
    """Every step in a row, and below it what the step meets."""
    rows = []
    for step in lab.steps():
        rows.append(
            f"{step.number:02}  mcp {step.mcp}.x  {short(step.title, WIDTH - 13)}"
        )
        if step.errors:
            rows.append("             " + short(step.errors[0].text, WIDTH - 13))
    rows.append("Run one: python -m tools.migration 2")
    return "\n".join(rows)


def heading(step: lab.Step) -> str:
    return f"Step {step.number:02}: {short(step.title, WIDTH - 9)}"


def run(step: lab.Step, kind: str, mcp: int, printed: lab.Printed) -> str:
    """A command, and what it printed: all of stdout, the end of stderr."""
    where = step.folder.relative_to(lab.ROOT).as_posix()
    asked = "  (asked server/discover)" if kind == "discover" else ""
    rows = [f"\n{where}$ {' '.join(lab.command(kind))}    # mcp {mcp}.x{asked}"]
    rows += ["  " + short(row, WIDTH - 2) for row in printed.out.splitlines()]
    said = [row for row in printed.err.splitlines() if row.strip(" |+-^~")]
    rows += ["  …"] if len(said) > LAST_LINES else []
    rows += ["  " + short(row, WIDTH - 2) for row in said[-LAST_LINES:]]
    return "\n".join([*rows, f"  exit code {printed.code}"])


def error(each: lab.Error) -> str:
    """One error: its text, its cause, its remedy."""
    rows = [("Text", short(each.text, WIDTH - 8))]
    if each.code:
        rows.insert(0, ("Code", each.code.strip()))
    rows += [("Cause", each.cause), ("Remedy", each.remedy)]
    return "\n".join(_paragraph(name, text) for name, text in rows)


def _paragraph(name: str, text: str) -> str:
    if "\n" in text:
        return f"{name}\n{textwrap.indent(text, '        ')}"
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"{name:<8}",
        subsequent_indent=" " * 8,
        break_long_words=False,
        break_on_hyphens=False,
    )


def change(number: int) -> str:
    """What this step changes, as a difference to the step before."""
    before, after = lab.steps()[number - 1].folder, lab.steps()[number].folder
    rows = [f"What step {number:02} changes: {lab.steps()[number].title}"]
    for name in ("requirements.txt", "server.py", "client.py"):
        old, new = ((each / name).read_text("utf-8") for each in (before, after))
        found = difflib.unified_diff(
            old.splitlines(),
            new.splitlines(),
            f"{before.name}/{name}",
            f"{after.name}/{name}",
            n=1,
            lineterm="",
        )
        rows += ["  " + row for row in found]
    return "\n".join(rows)


def table() -> str:
    """Every error as a row of a Markdown table: README.md holds it."""
    rows = ["| Met at | You see | Cause | Remedy |", "|---|---|---|---|"]
    for each in lab.errors():
        place = f"step {each.step:02}" if each.step is not None else "elsewhere"
        rows.append(
            f"| {place} | `{each.text.strip()}` | {each.cause} | {each.remedy} |"
        )
    return "\n".join(rows) + "\n"
