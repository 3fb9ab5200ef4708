"""Runs the learner's server for the check: a line of JSON in, a line of JSON out.

In: {"shop": name, "user": …, "now": seconds, "key": hex, "line": …}. A shop is opened
anew when its user or its key differ from before, or with "anew": then it is another
process as far as the server can tell. Out: {"answer": …, "orders": n, "compared":
[lengths]} or {"raised": type, "text": …, "loaded": bool, "line": number}. What the file
prints goes to the log.
"""

import hmac
import json
import os
import sys
import tempfile
import traceback
from importlib.machinery import SourceFileLoader
from types import ModuleType

COMPARED: list[int] = []  # how much the constant-time comparisons looked at
COMPARE = hmac.compare_digest


def compare(one, other) -> bool:
    COMPARED.append(min(len(one), len(other)))
    return COMPARE(one, other)


class Shops:
    """The shops of one run: a folder each, and the server that has it open."""

    def __init__(self, path: str, where: str):
        self.path, self.where, self.clock = path, where, 0.0
        self.module = sys.modules["server"] = ModuleType("server")
        SourceFileLoader("server", path).exec_module(self.module)
        for name in ("Shop", "answer"):
            getattr(self.module, name)  # raises where there is nothing to check
        self.open: dict = {}  # by name: what it was opened with, and the Shop

    def shop(self, given: dict):
        name, how = given["shop"], (given["user"], given["key"])
        kept, shop = self.open.get(name, (None, None))
        if kept != how or given.get("anew"):
            if given.get("anew"):  # a new process remembers nothing of the old one
                SourceFileLoader("server", self.path).exec_module(self.module)
            folder = os.path.join(self.where, name)
            os.makedirs(folder, exist_ok=True)
            if shop is not None:
                shop.database.close()
            key = bytes.fromhex(given["key"])
            shop = self.module.Shop(folder, given["user"], self.now, key=key)
            self.open[name] = (how, shop)
        return shop

    def now(self) -> float:
        return self.clock

    def step(self, given: dict) -> dict:
        """What the server answers to the line, at the time given."""
        self.clock = given["now"]
        shop = self.shop(given)
        COMPARED.clear()
        line = given["line"].encode("utf-8")
        answer = self.module.answer(shop, line)
        return {
            "answer": answer,
            "orders": len(shop.orders()),
            "compared": list(COMPARED),
        }


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
    hmac.compare_digest = compare  # type: ignore[assignment]
    path, shops = arguments[0], None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as where:
        for line in sys.stdin.buffer:
            try:
                shops = shops or Shops(path, where)
                result = json.dumps(shops.step(json.loads(line)))
            except BaseException as error:  # SystemExit, too: it is for the learner
                text = error.msg if isinstance(error, SyntaxError) else str(error)
                told = {"raised": type(error).__name__, "text": text}
                told["loaded"] = shops is not None
                result = json.dumps({**told, **place(error, path)})
            answers.write(result + "\n")
            answers.flush()
        for _, shop in shops.open.values() if shops else ():
            shop.database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
