"""How often the right tool is picked among many; a gate for CI. (lesson 04)"""

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from tools import selection
from tools.child import split_command
from tools.selection import Question, Row, SelectionError
from tools.selection.picking import LESSON
from tools.tool_cost import CostError
from tools.tool_cost.terminal import complain, fit
from tools.transcript import run

ABOUT = """\
How often the right tool is picked among many; a gate for CI.

Each question has a tool expected and one that must not be picked. The pick is the mock
model's: the tool whose name and description fit the question's words best. It reads
words and not meaning. A list is a saved tools/list result whose file is named after the
server; without --list it is helpdesk and the neighbours of lesson 04. Questions about
servers that are not listed are left out.

    python -m tools.selection
    python -m tools.selection --list mine.json --questions questions.json --gate 0.9
    python -m tools.selection --model "python ask_my_model.py" --runs 5

A model command reads {"question", "tools"} as JSON and prints the name of one tool.
Exit code 1, with --gate: the share of right picks is below it, or a tool was picked
that must not be; 2: could not run.
"""


def read_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m tools.selection",
        description=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    more: Any = {"action": "extend", "nargs": "+", "type": Path, "metavar": "FILE"}
    add("--list", help="saved tools/list results", **more)
    add("--questions", type=Path, metavar="FILE", default=LESSON / "questions.json")
    add("--gate", type=float, metavar="SHARE", help="exit 1 below it, for example 0.9")
    about = "the experiment: right picks among so many tools, for example 1,5,20"
    add("--sizes", type=sizes_of, metavar="N,N", help=about)
    add("--json", action="store_true", help="print one JSON object")
    add("--model", metavar="COMMAND", help="a command that picks in the mock's place")
    add("--runs", type=int, metavar="N", help="runs of the model (default: 1)")
    options = parser.parse_args(arguments)
    if options.gate is not None and not 0 <= options.gate <= 1:
        parser.error(f"--gate {options.gate}: from 0 to 1 is right")
    if options.runs is not None and (options.runs < 1 or not options.model):
        parser.error(f"--runs {options.runs}: at least 1, together with --model")
    return options


def sizes_of(text: str) -> list[int]:
    """The numbers of a list like 1,5,20. Raises ValueError."""
    return [int(each) for each in text.split(",")]


def servers_of(files: list[Path] | None) -> dict[str, list[dict]]:
    """The lists by server. Raises CostError."""
    if files is None:
        return {"helpdesk": selection.helpdesk(), **selection.neighbours()}
    servers: dict[str, list[dict]] = {}
    for file in files:
        if file.stem in servers:
            raise SelectionError(f"two lists are called {file.stem}: rename one")
        servers[file.stem] = selection.read_list(file)
    return servers


def questions_about(
    servers: dict[str, list[dict]], file: Path
) -> tuple[list[Question], int]:
    """The questions about these servers, and how many others. Raises CostError."""
    questions = selection.read_questions(file)
    about = [each for each in questions if each.expected[0] in servers]
    if not about:
        raise SelectionError(f"{file}: no question is about {', '.join(servers)}")
    return about, len(questions) - len(about)


def measure(options: argparse.Namespace) -> tuple[list[Row], dict]:
    """The rows and their summary. Raises CostError and ValueError."""
    servers = servers_of(options.list)
    about, left_out = questions_about(servers, options.questions)
    model = split_command(options.model) if options.model else None
    rows = selection.evaluate(about, servers, model, options.runs or 1)
    found = selection.summary(rows)
    size = sum(map(len, servers.values()))
    return rows, {"tools": size, "left_out": left_out, **found}


def table(rows: list[Row]) -> list[str]:
    """A line for each question, none longer than 100 columns."""
    lines = [f"{'rank':>4} {'right':>6}  {'question':<44} picked"]
    for row in rows:
        wrong = [pick for pick in row.picks if pick != row.expected]
        shown = row.expected if not wrong else wrong[0]
        picked = "/".join(shown) if shown else "nothing that is listed"
        picked = f"{picked} (must not be)" if row.forbidden else picked
        question = fit(row.question, 44)
        text = f"{row.rank or '-':>4} {row.right:>6.0%}  {question:<44} "
        lines.append(text + fit(picked, 41))
    return lines


def show(rows: list[Row], found: dict) -> None:
    """The table and what it comes to."""
    print(*table(rows), sep="\n")
    print(f"\n{found['questions']} questions, {found['tools']} tools", end="")
    print(f", {found['left_out']} questions about other servers left out")
    first, three = (f"{found[f'hit_at_{n}']:.0%}" for n in (1, 3))
    print(f"the right tool by words: first {first}, among the first three {three}")
    print(f"picked: right {found['right']:.0%}, must not be {found['forbidden']}")


def experiment_table(options: argparse.Namespace) -> tuple[list[str], list[dict]]:
    """How often the pick is right as lists grow. Raises CostError, ValueError."""
    servers = servers_of(options.list)
    about, _ = questions_about(servers, options.questions)
    rows = selection.experiment(about, [], servers, options.sizes)
    lines = [f"{'tools':>6} {'right':>7}   95 % interval"]
    for row in rows:
        bar = "#" * round(50 * row["rate"])
        interval = f"{row['low']:5.0%} to {row['high']:4.0%}"
        lines.append(f"{row['tools']:>6} {row['rate']:>7.1%}   {interval:<14} {bar}")
    draws = rows[0]["draws"] // len(about)
    about_draws = f"{draws} random lists for each of {len(about)} questions"
    return [*lines, "", f"{about_draws}; picked by words."], rows


def main(arguments: list[str] | None = None) -> int:
    """0: measured; 1: not good enough for the gate; 2: not possible."""
    options = read_options(sys.argv[1:] if arguments is None else arguments)
    try:
        if options.sizes:
            lines, data = experiment_table(options)
            print(json.dumps(data) if options.json else "\n".join(lines))
            return 0
        rows, found = measure(options)
    except (CostError, ValueError) as error:
        return complain("selection", error)
    if options.json:
        print(json.dumps({**found, "rows": [dataclasses.asdict(row) for row in rows]}))
    else:
        show(rows, found)
    below = options.gate is not None and found["right"] < options.gate
    forbidden = options.gate is not None and found["forbidden"] > 0
    if below or forbidden:
        why = f"{found['right']:.0%} right is below the gate of {options.gate:.0%}"
        if not below:
            why = f"{found['forbidden']} picks of a tool that must not be picked"
        print(f"selection: {why}", file=sys.stderr)
    return int(below or forbidden)


if __name__ == "__main__":
    sys.exit(run(main))
