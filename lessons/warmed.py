"""How the SDK's server is started many times: warm, where the system can do that."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lessons import warm

# What is imported once for all of them; the first, the SDK imports when it serves.
IMPORTED = ["anyio._backends._asyncio", "sdk.server", "sdk.more", "sdk.asking"]
IMPORTED += ["sdk.__main__"]


@contextmanager
def sdk_words(address: str, cwd: Path) -> Iterator[list[str]]:
    """The words that start `python -m sdk` of `cwd`, as often as one likes."""
    if not warm.possible() or not (cwd / "sdk" / "__main__.py").is_file():
        yield ["python", "-m", "sdk"]
        return
    command = [sys.executable, "-m", "lessons.warm", address]
    for name in IMPORTED:  # as far as this stage has them
        own = name.startswith("sdk.")
        if not own or (cwd / name.replace(".", "/")).with_suffix(".py").is_file():
            command.append(name)
    pipes: dict = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=cwd, **pipes) as process:
        assert process.stdin and process.stdout
        process.stdout.readline()  # "ready", or the end: then no test can start it
        yield [sys.executable, "-I", "-S", warm.__file__, address]
        process.stdin.close()  # that ends it
