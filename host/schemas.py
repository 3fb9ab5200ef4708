"""A tool's schemas, and a checker that no schema can hang. (lesson 05)

A schema comes from a stranger, and to check something against it is to run it: nested
`anyOf`s take hours, a pattern takes years, a `$ref` asks to be fetched (basic/index,
"JSON Schema Usage"). So size and depth are bounded here, and the rest is done by a
child process, schemas_child.py, which is killed when its time is over.
"""

import importlib.util
import json
from pathlib import Path

from tools.child import Child

BUDGET = 2.0  # seconds that one check may take
LIST_BUDGET = 10.0  # seconds after which no more schemas of one server are begun
START = 20.0  # seconds until a checker is ready
MAX_SCHEMA = 100_000  # characters, as JSON
MAX_DEPTH = 32  # objects and arrays inside each other, in a schema
MAX_VALUE = 1_000_000  # characters, as JSON
BIG = 10_000  # characters; what takes long with less, is the schema's fault
# -P: the folder host/ is not searched for what the checker imports.
COMMAND = ["python", "-P", str(Path(__file__).with_name("schemas_child.py"))]


class Checker:
    """Asks a child process that is started at first need, and again after a kill."""

    def __init__(self):
        """Raises ValueError where a package is missing."""
        for name in ("jsonschema", "regress"):
            if importlib.util.find_spec(name) is None:
                raise ValueError(
                    f"the package {name} is missing, and without it no schema can be"
                    " checked: run make setup, then start this with the Python of .venv"
                )
        self.child: Child | None = None
        self.given_up: dict[str, str] = {}  # by schema, as JSON: why

    def fault(self, tool: dict) -> str:
        """Why a tool can't be offered, by its schemas; "" if it can.

        One with a bad outputSchema can't, either: to use it unchecked would be to take
        a promise that nobody can read for one that is kept.
        """
        if tool["inputSchema"].get("type") != "object":
            return 'the type of its inputSchema is not "object"'
        for name in ("inputSchema", "outputSchema"):
            if name in tool and (problem := self.ask(tool[name])):
                return f"{name}: {problem}"
        return ""

    def arguments(self, tool: dict, arguments: dict) -> str:
        """What is wrong with the arguments of a call; "" where nothing is."""
        problem = self.ask(tool["inputSchema"], value=arguments)
        return problem and f"{tool['name']}: {problem}"

    def result(self, tool: dict, result: dict) -> str:
        """What is wrong with the structured part of a result; "" where nothing is."""
        # An error explains itself in its text, whatever the outputSchema says.
        if "outputSchema" not in tool or result.get("isError") is True:
            return ""
        if "structuredContent" not in result:  # null, 0 and "" are values like others
            return "structuredContent is missing"
        return self.ask(tool["outputSchema"], value=result["structuredContent"])

    def ask(self, schema: object, **value: object) -> str:
        """What is wrong with `value`, or without one with the schema itself; or ""."""
        if not isinstance(schema, dict):
            return "it is not an object"
        key = json.dumps(schema)
        if len(key) > MAX_SCHEMA or depth(schema) > MAX_DEPTH:
            most = f"{MAX_SCHEMA} characters or {MAX_DEPTH} levels"
            return f"the schema has more than {most}"
        if (size := len(json.dumps(value))) > MAX_VALUE:
            return f"more than {MAX_VALUE} characters are not checked"
        if key in self.given_up:  # it had its time, and is not given more
            return self.given_up[key]
        try:
            return self.answer(json.dumps({"schema": schema, **value}))
        except TimeoutError:
            problem = f"the schema takes longer than {BUDGET:g} s to check"
        except (BrokenPipeError, TypeError):  # TypeError: no line, it has ended
            problem = "the schema takes more memory than the checker has"
        self.close()
        if size < BIG:
            self.given_up[key] = problem
        return problem

    def answer(self, line: str) -> str:
        """Ask the child. Raises ValueError where there is none."""
        if self.child is None:
            self.child = Child(COMMAND)
            try:
                self.child.receive("server", START)[1]
            except (TimeoutError, TypeError):
                raise ValueError("the checker of schemas does not start") from None
        self.child.send(line.encode() + b"\n", BUDGET)
        return json.loads(self.child.receive("server", BUDGET)[1])

    def close(self) -> None:
        """End the child, if there is one; the next question starts another."""
        child, self.child = self.child, None
        if child:
            child.close(grace=0.1)


def depth(value: object) -> int:
    """How many objects and arrays are inside each other."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0
