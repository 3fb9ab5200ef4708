"""Calls the learner's `fit` once: one line of JSON in, one line of JSON out.

In: {"tools": …, "budget": …, "keep": …}. Out: {"result": …, "changed": bool}, or
{"raised": type, "text": …, "line": number}. What the file prints goes to the log.
"""

import json
import os
import sys
import traceback
from importlib.machinery import SourceFileLoader
from types import ModuleType


def call(path: str, given: dict) -> dict:
    """What came of it."""
    module = sys.modules["budget"] = ModuleType("budget")
    before = json.dumps(given)
    try:
        SourceFileLoader("budget", path).exec_module(module)
        result = module.fit(given["tools"], given["budget"], given["keep"])
    except BaseException as error:  # SystemExit, too: it is for the learner to see
        return {
            "raised": type(error).__name__,
            # A SyntaxError's text names the line as well.
            "text": error.msg if isinstance(error, SyntaxError) else str(error),
            **place(error, path),
        }
    return {"result": sent(result), "changed": json.dumps(given) != before}


def sent(result: object) -> object:
    """The result, where it is a list that JSON can hold; else a word about it."""
    if not isinstance(result, list):
        return "None" if result is None else f"a {type(result).__name__}"
    try:
        json.dumps(result)
    except (TypeError, ValueError, RecursionError):
        return "a list with values that JSON does not have"
    return result


def place(error: BaseException, path: str) -> dict:
    """The last line of the learner's file that the error came through."""
    if isinstance(error, SyntaxError):
        return {"line": error.lineno}
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if each.filename == path]
    return {"line": lines[-1]} if lines else {}


def main(arguments: list[str]) -> int:
    sys.dont_write_bytecode = True
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)  # print() in the learner's file can't reach the answer
    given = json.loads(sys.stdin.buffer.readline())
    answers.write(json.dumps(call(arguments[0], given)) + "\n")
    answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
