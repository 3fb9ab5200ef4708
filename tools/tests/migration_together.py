"""Many runs of the migration lab in one process: quick, nearly real. (lesson 05)

    python -m tools.tests.migration_together < runs.json

Reads [[step, run], …] and prints [text, …], what each run printed. The programs are
the lab's own files, run whole; but a client reaches its server.py over streams in
memory, and a server is started without its transport, which is where it fails or not.
"""

import contextlib
import io
import json
import logging
import os
import runpy
import sys
import traceback
import warnings

from mcp.client import client, stdio
from mcp.client._memory import InMemoryTransport

from tools.migration import lab


@contextlib.asynccontextmanager
async def here(parameters):
    """What stdio_client gives, without a process: the server of the same folder."""
    desk = runpy.run_path(parameters.args[0], run_name="server")["desk"]
    async with InMemoryTransport(desk) as streams:
        yield streams


def printed(number: int, run: str) -> str:
    """What this run prints on both outputs."""
    program, *arguments = lab.RUNS[run]
    both = io.StringIO()
    logging.root.handlers.clear()  # so that the next server logs to `both` as well
    os.chdir(lab.FOLDER / f"step-{number:02}")
    sys.argv = [program, *arguments]
    with (
        contextlib.redirect_stdout(both),
        contextlib.redirect_stderr(both),
        warnings.catch_warnings(),  # each run gives its warnings anew
    ):
        try:
            name = "server" if program == "server.py" else "__main__"
            runpy.run_path(program, run_name=name)
        except Exception:
            traceback.print_exc()
    return both.getvalue()


if __name__ == "__main__":
    client.stdio_client = stdio.stdio_client = here
    print(json.dumps([printed(*each) for each in json.load(sys.stdin)]))
