"""What the learner has done, kept in `my/progress.json`.

    {"03": {"run": true, "exercise": true, "hints": 1, "quiz": [4, 5]}}

The file is written beside and renamed. One that can't be read is never overwritten:
it is set aside under another name, and a sentence says so.
"""

import json
import os
import re
import sys
from pathlib import Path

from lessons.manifest import ROOT
from lessons.screen import CannotRun
from tools import files

MY = ROOT / "my"


def load(my: Path = MY) -> dict[str, dict]:
    """All that is known, by lesson ("03")."""
    path = my / "progress.json"
    try:
        known = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CannotRun(f"{path} can't be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict) or not all(map(_sound, known, known.values())):
        _set_aside(path)
        return {}
    return known


def note(number: int, my: Path = MY, **news) -> None:
    """Remember this of a lesson: run=True, exercise=True, hints=1 or quiz=[4, 5]."""
    known = load(my)
    before = known.get(f"{number:02}", {})
    if "quiz" in news and before.get("quiz", [0, 0])[1] == news["quiz"][1]:
        news["quiz"] = max(before["quiz"], news["quiz"])  # the best try counts
    if "hints" in news:
        news["hints"] = max(before.get("hints", 0), news["hints"])
    now = {**before, **news}
    if now == before:
        return
    known[f"{number:02}"] = now
    text = json.dumps(dict(sorted(known.items())), indent=1) + "\n"
    path = my / "progress.json"
    try:
        files.replace(path, text.encode("utf-8"))
    except OSError as error:
        text = f"lessons: the progress is not kept, {path}: {error.strerror}"
        print(text, file=sys.stderr)


def words(number: int, known: dict[str, dict]) -> str:
    """The progress of one lesson as a few words; "" before the first step."""
    have = known.get(f"{number:02}", {})
    parts = ["run"] if have.get("run") else []
    if have.get("exercise"):
        parts.append("exercise solved")
    if "quiz" in have:
        right, questions = have["quiz"]
        parts.append(f"quiz {right} of {questions}")
    return ", ".join(parts)


def _sound(name: str, have: object) -> bool:
    if not re.fullmatch("[0-9]{2}", name) or not isinstance(have, dict):
        return False
    quiz = have.get("quiz", [0, 0])
    pair = isinstance(quiz, list) and [type(each) for each in quiz] == [int, int]
    return pair and type(have.get("hints", 0)) is int


def _set_aside(path: Path) -> None:
    names = (path.with_name(f"progress-damaged-{at}.json") for at in range(1, 1000))
    aside = next(name for name in names if not name.exists())
    try:
        os.replace(path, aside)
    except OSError as error:
        raise CannotRun(f"{path} is damaged, and stays: {error.strerror}") from None
    text = f"lessons: {path} could not be read as progress; it is now {aside.name}."
    print(text, file=sys.stderr)
