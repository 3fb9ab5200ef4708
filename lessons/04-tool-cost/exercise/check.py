"""Checks the exercise of lesson 04: `python check.py budget.py`.

`fit` is called once for each list, each time in a process of its own. The first list
that comes out wrong is told in full; the lists behind it wait.
"""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from cases import CASES, JUST_BELOW, Case

from tools.child import Child
from tools.transcript.lines import printable

FILE = "budget.py"
LIMIT = 10.0  # seconds for one call of `fit`, process and all
RUNNER = Path(__file__).with_name("runner.py")
PRINTED = 5  # lines of the learner's own output, for each list
SHOWN = ("name", "description", "inputSchema")
MISSING = object()


class NotYet(Exception):
    """What came instead of what was expected; the text is for the learner."""


def cost(tools: list[dict]) -> int:
    """The cost as the starter counts it: the learner's own counter may have changed."""
    total = 0
    for tool in tools:
        shown = {key: tool[key] for key in SHOWN if key in tool}
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        total -= -len(text.encode("utf-8", "surrogatepass")) // 4
    return total


def budget_of(case: Case) -> int:
    """The budget of the case, in the tokens of `cost`."""
    if case.budget == JUST_BELOW:
        return cost(case.tools) - 1
    return cost(case.expected or []) if case.budget is None else case.budget


def call(path: Path, case: Case) -> dict:
    """What came of `fit`. Raises NotYet where nothing did."""
    given = {"tools": case.tools, "budget": budget_of(case), "keep": case.keep}
    with Child(["python", str(RUNNER), str(path)]) as child:
        try:
            child.send(json.dumps(given).encode("utf-8") + b"\n")
            item = child.receive("server", LIMIT)
        except TimeoutError:
            raise NotYet(f"nothing within {LIMIT:g} seconds") from None
        except BrokenPipeError:
            item = None
        if item is None:
            raise NotYet("nothing: the process ended")
        return {**json.loads(item[1]), "printed": printed(child)}


def printed(child: Child) -> list[str]:
    """The last lines that the learner's file printed."""
    lines = []
    with contextlib.suppress(TimeoutError):
        while item := child.receive("log", LIMIT):
            lines.append(short(item[1].decode("utf-8", "replace").rstrip()))
    return lines[-PRINTED:]


def judge(case: Case, outcome: dict) -> None:
    """Raise NotYet unless the outcome is right."""
    if "raised" in outcome:
        judge_error(case, outcome)
        return
    result = outcome["result"]
    if outcome["changed"]:
        raise NotYet("the list that was handed in was changed: build new dicts")
    good = isinstance(result, list) and all(isinstance(each, dict) for each in result)
    if not good:
        raise NotYet(f"{short(result)}, which is no list of tools")
    if case.expected is None:
        raise NotYet(f"{names(result)} at a cost of {cost(result)}")
    if [each.get("name") for each in result] != [
        each["name"] for each in case.expected
    ]:
        raise NotYet(f"{names(result)} at a cost of {cost(result)}")
    for wanted, tool in zip(case.expected, result, strict=True):
        for difference in differences(wanted, tool):
            raise NotYet(f"in {wanted['name']}, {difference}{over(case, result)}")


def judge_error(case: Case, outcome: dict) -> None:
    """An error is right where the budget can't be met, and names the budget then."""
    line = f" (line {outcome['line']})" if outcome.get("line") else ""
    text = f"{outcome['raised']}: {short(outcome['text'])}{line}"
    if case.expected is not None or outcome["raised"] != "ValueError":
        raise NotYet(text)
    if str(budget_of(case)) not in outcome["text"]:
        raise NotYet(f"{text}, without the budget in its text")


def differences(wanted: object, came: object, where: str = "") -> Iterator[str]:
    """What is different, as sentences with JSON Pointers."""
    if isinstance(wanted, dict) and isinstance(came, dict):
        pairs = [(key, wanted.get(key, MISSING)) for key in {**wanted, **came}]
        for key, value in pairs:
            yield from differences(value, came.get(key, MISSING), f"{where}/{key}")
    elif isinstance(wanted, list) and isinstance(came, list) and wanted and came:
        if len(wanted) != len(came):
            yield f"{where} has {len(came)} entries and not {len(wanted)}"
        for index, (one, other) in enumerate(zip(wanted, came, strict=False)):
            yield from differences(one, other, f"{where}/{index}")
    elif came is MISSING:
        yield f"{where} is gone: {short(wanted)}"
    elif wanted is MISSING:
        yield f"{where} is still there: {short(came)}"
    elif type(wanted) is not type(came) or wanted != came:
        yield f"{where} is {short(came)} and not {short(wanted)}"


def over(case: Case, result: list[dict]) -> str:
    """By the way: the list costs too much."""
    total = cost(result)
    return f" (the list costs {total})" if total > budget_of(case) else ""


def names(tools: list[dict]) -> str:
    """The tools of a list, in its order."""
    return ", ".join(short(each.get("name")) for each in tools) or "an empty list"


def short(value: object, limit: int = 100) -> str:
    """On one line, and with an end: text as it is, all else as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = printable(text)
    return text if len(text) <= limit else f"{text[: limit - 2]} …"


def told(case: Case, problem: NotYet, output: list[str]) -> str:
    """Given, came, expected, why, and what was printed, a line each."""
    keep = f", keep {', '.join(case.keep)}" if case.keep else ""
    given = f"{len(case.tools)} tools" if len(case.tools) != 1 else "one tool"
    given = f"{given} at a cost of {cost(case.tools)}, budget {budget_of(case)}{keep}"
    expected = f"ValueError, with {budget_of(case)} in its text"
    if case.expected is not None:
        expected = f"{names(case.expected)} at a cost of {cost(case.expected)}"
    parts = {"given": given, "came": problem, "expected": expected, "why": case.why}
    rows = [*parts.items(), *(("printed", line) for line in output)]
    return "\n".join(f"         {key + ':':<10}{part}" for key, part in rows)


def main(arguments: list[str]) -> int:
    """0: all lists come out right; 1: one does not; 2: there is no such file."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # the learner's texts, on any system
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print(f"check: say which file to check: python check.py {FILE}")
        return 2
    for number, case in enumerate(CASES, 1):
        outcome: dict = {}
        try:
            outcome = call(Path(arguments[0]).resolve(), case)
            judge(case, outcome)
        except NotYet as problem:
            print(f"not yet  {case.about}")
            print(told(case, problem, outcome.get("printed", [])))
            print(f"{number - 1} of {len(CASES)} lists come out right")
            return 1
        print(f"ok       {case.about}", flush=True)
    print(f"All {len(CASES)} lists come out right, and every call still validates.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
