"""The whole command on ten thousand tools, against one count of them. (lesson 04)

The rule: both are fresh processes that load the same vocabulary; the other one does
nothing but encode the text that the command is about, once.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lessons.manifest import ROOT
from tools.selection import neighbours
from tools.tool_cost.sizes import compact, shape

COUNT = 10_000  # tools, from the five lists of lesson 04
PAIR = ("command", "one encode")
ENCODE = """\
import sys
from pathlib import Path
from tools.tool_cost import vocabulary
vocabulary.encoding().encode_ordinary(Path(sys.argv[1]).read_text("utf-8"))
"""


def many_tools(count: int = COUNT) -> list[dict]:
    """So many tools of realistic size, each with a name of its own."""
    known = [tool for tools in neighbours().values() for tool in tools]
    numbered = ((n, known[n % len(known)]) for n in range(count))
    return [{**tool, "name": f"{tool['name']}_{n}"} for n, tool in numbered]


@contextlib.contextmanager
def measured(count: int = COUNT) -> Iterator[Callable[[str], float]]:
    """How many seconds each of PAIR takes; the files are there while one asks."""
    tools = many_tools(count)
    with tempfile.TemporaryDirectory() as name:
        saved, text = Path(name) / "list.json", Path(name) / "text"
        saved.write_text(json.dumps({"tools": tools}), "utf-8")
        text.write_text(compact([shape(each, "claude") for each in tools]), "utf-8")
        commands = {
            "command": ["-m", "tools.tool_cost", "--list", str(saved)],
            "one encode": ["-c", ENCODE, str(text)],
        }
        yield lambda which: seconds(commands[which])


def seconds(words: list[str]) -> float:
    """What one run of Python takes. Raises RuntimeError where it fails."""
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True)
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    return time.perf_counter() - begun


def peak() -> int | None:
    """The most memory that a child of this process had, in MB; None: not known."""
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    # In bytes on macOS, else in KiB.
    return most // (1_000_000 if sys.platform == "darwin" else 1_000)
