"""Whether the right tool is picked among many: an evaluation without a key. (lesson 04)

A file holds questions, each with the tool expected and one that must not be picked. The
pick is the mock model's: the tool whose name and description fit the words of the
question best (BM25). It reads words and not meaning, so it misses what a real model
would see; it shows which words a description lacks, and which neighbour has them.
"""

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from handwritten.helpdesk import TOOLS
from handwritten.ranking import rank
from host.app import tool_spec
from host.toolbox import alias
from lessons.manifest import ROOT
from tools.techniques.choosing import read
from tools.tool_cost import CostError
from tools.tool_cost import read_list as read_any_list
from tools.tool_cost.source import read_json

LESSON = ROOT / "lessons" / "04-tool-cost"
LONGEST_WAIT = 300  # seconds for one answer of a --model command

Named = tuple[str, str]  # a server and the name of one of its tools


class SelectionError(CostError):
    """Why there is nothing to select from, in one sentence."""


@dataclass(frozen=True)
class Question:
    """What a person asks, the tool that should be picked and one that must not be."""

    text: str
    expected: Named
    never: Named


@dataclass(frozen=True)
class Row:
    """One question: the place of the right tool (from 1; None: no word in common)."""

    question: str
    expected: Named
    rank: int | None
    picks: list[Named | None]  # one by words, or one for each run of a model
    forbidden: int  # picks of the tool that must not be picked

    @property
    def right(self) -> float:
        """The share of right picks."""
        return self.picks.count(self.expected) / len(self.picks)


def read_questions(path: Path = LESSON / "questions.json") -> list[Question]:
    """Raises CostError for a file that does not hold what it should."""
    value = read_json(path)
    entries = value.get("questions") if isinstance(value, dict) else None
    if not isinstance(entries, list):
        raise SelectionError(f'{path}: not of the form {{"questions": [{{…}}, …]}}')
    found = []
    for number, entry in enumerate(entries, 1):
        try:
            pairs = [entry[key] for key in ("expected", "never")]
            texts = [entry["question"]]
            texts += [pair[key] for pair in pairs for key in ("server", "tool")]
            question, server, tool, *never = map(text_of, texts)
            found.append(Question(question, (server, tool), (never[0], never[1])))
        except (KeyError, TypeError):
            form = 'question, expected {"server", "tool"} and never {"server", "tool"}'
            raise SelectionError(f"{path}: question {number} lacks {form}") from None
    return found


def text_of(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def read_list(path: Path) -> list[dict]:
    """The tools of a saved list, each with a name of its own. Raises CostError."""
    tools = read_any_list(path).tools
    seen: set[str] = set()
    for number, tool in enumerate(tools, 1):
        if "inputSchema" not in tool:
            raise SelectionError(f"{path}: tool {number} lacks an inputSchema")
        if tool["name"] in seen:
            name = f"{tool['name']!r:.80}"
            raise SelectionError(f"{path}: the name {name} is there twice")
        seen.add(tool["name"])
    return tools


def helpdesk() -> list[dict]:
    return [definition for definition, _ in TOOLS.values()]


def neighbours() -> dict[str, list[dict]]:
    """The lists of the other servers of lesson 04."""
    files = sorted((LESSON / "neighbours").glob("*.json"))
    return {file.stem: read_list(file) for file in files}


def order(question: str, tools: Sequence[tuple[Named, dict]]) -> list[Named]:
    """The tools that share a word with the question, best first."""
    found = rank(question, read([tool for _, tool in tools]))
    return [tools[position][0] for _, position in found]


def flat(servers: dict[str, list[dict]]) -> list[tuple[Named, dict]]:
    """All tools of all servers, each with its server and name."""
    pairs = [(server, tool) for server, tools in servers.items() for tool in tools]
    return [((server, tool["name"]), tool) for server, tool in pairs]


def ask(command: list[str], question: str, specs: list[dict]) -> str:
    """The name that a model command prints. Raises SelectionError."""
    data = json.dumps({"question": question, "tools": specs}).encode("ascii")
    pipes: dict = {"input": data, "stdout": subprocess.PIPE}
    try:
        done = subprocess.run(command, timeout=LONGEST_WAIT, check=True, **pipes)
    except OSError as error:
        reason = error.strerror or "cannot be started"
    except subprocess.TimeoutExpired:
        reason = f"no answer within {LONGEST_WAIT} s"
    except subprocess.CalledProcessError as error:
        reason = f"exit code {error.returncode}"
    else:
        return done.stdout.decode("utf-8", "replace").strip()
    raise SelectionError(f"the model command {command[0]!r:.80}: {reason}")


def aliases(tools: Sequence[tuple[Named, dict]]) -> tuple[dict[str, Named], list[dict]]:
    """The names that a model is given, what they stand for, and the definitions."""
    names: dict[str, Named] = {}
    specs = []
    for named, tool in tools:
        name = alias(tool["name"], named[0], names)
        names[name] = named
        specs.append({**tool_spec(tool), "name": name})
    return names, specs


def evaluate(
    questions: list[Question],
    servers: dict[str, list[dict]],
    model: list[str] | None = None,
    runs: int = 1,
) -> list[Row]:
    """One row a question. Raises SelectionError: no list has an expected tool."""
    tools = flat(servers)
    names, specs = aliases(tools)
    rows = []
    for number, each in enumerate(questions, 1):
        if each.expected not in names.values():
            server, tool = each.expected
            missing = f"{server:.80} has no tool {tool:.80}"
            raise SelectionError(f"{missing}, which is expected for {each.text!r:.80}")
        best = order(each.text, tools)
        place = best.index(each.expected) + 1 if each.expected in best else None
        picks = [best[0] if best else None]
        if model:
            if sys.stderr.isatty():
                show = f"question {number} of {len(questions)}"
                print(show, end="\r", file=sys.stderr, flush=True)
            answers = [ask(model, each.text, specs) for _ in range(runs)]
            picks = [names.get(answer) for answer in answers]
        forbidden = picks.count(each.never)
        rows.append(Row(each.text, each.expected, place, picks, forbidden))
    return rows


def summary(rows: list[Row]) -> dict:
    """Shares of all questions: right tool among the first 1 and 3 by words, picked."""
    places = [row.rank or math.inf for row in rows]
    one, three = (sum(place <= n for place in places) / len(rows) for n in (1, 3))
    return {
        "questions": len(rows),
        "hit_at_1": one,
        "hit_at_3": three,
        "right": sum(row.right for row in rows) / len(rows),
        "forbidden": sum(row.forbidden for row in rows),
    }
