"""Checks the exercise: a client that finds out which era a server is in.

    python check.py my/02/client.py

It starts the client once for each of its small servers and looks at what the client
sent and printed.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import small_servers
from small_servers import CASES, META, REVISION, Case

FILE = "client.py"
LIMIT = 12.0  # seconds for one run of the client
NO_EXIT = f"no exit within {LIMIT:g} seconds"
PATIENCE = 10.0  # seconds from the probe to the handshake
OLD = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


class Run(NamedTuple):
    """What one run of the client left behind."""

    sent: list[tuple[float, Any]]  # seconds and message, as the server got them
    printed: str
    errors: str
    code: int | None  # None: it had to be stopped


def run(client: Path, name: str, folder: Path) -> Run:
    log = folder / f"{name}.log"
    server = str(Path(small_servers.__file__).resolve())
    command = [sys.executable, str(client), sys.executable, server]
    process = subprocess.Popen(
        [*command, name, str(log)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "1"},
        start_new_session=os.name == "posix",
    )
    try:
        out, errors = process.communicate(timeout=LIMIT)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        stop(process)
        out, errors = process.communicate()
        code = None
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    entries = [json.loads(line) for line in lines]
    sent = [(moment, parsed(text)) for moment, text in entries]
    return Run(sent, out.decode("utf-8", "replace"), errors.decode(), code)


def stop(process: subprocess.Popen) -> None:
    """End the client and the server that it started."""
    with contextlib.suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def parsed(text: str) -> Any:
    try:
        message = json.loads(text)
    except ValueError:
        return text
    return message if isinstance(message, dict) else text


def judge(case: Case, ran: Run) -> str:
    """What is wrong, as lines "sent", "came" and "expected"; "" when nothing is."""
    asked = [each for each in ran.sent if method(each[1]) == "server/discover"]
    shaken = [each for each in ran.sent if method(each[1]) == "initialize"]
    came = "silence" if case.probe is None else short(case.probe)
    for found in (
        wrong_probe(ran, asked),
        wrong_era(case, ran, came, asked, shaken),
        wrong_handshake(shaken),
        wrong_output(case, ran),
    ):
        if found:
            return found
    return ""


def wrong_probe(ran: Run, asked: list) -> str:
    if not ran.sent:
        end = f"exit code {ran.code}" if ran.code is not None else NO_EXIT
        text = "the probe, a server/discover"
        return said("nothing", end + crash(ran, "; "), text)
    first = ran.sent[0][1]
    params = first.get("params") if isinstance(first, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    meta = meta if isinstance(meta, dict) else {}
    if method(first) != "server/discover" or "id" not in first:
        return said(short(first), "", "the probe first: a request server/discover")
    if meta.get(META + "protocolVersion") != REVISION:
        text = f'params._meta with "{META}protocolVersion": "{REVISION}"'
        return said(short(first), "", text)
    if not isinstance(meta.get(META + "clientCapabilities"), dict):
        text = f'params._meta with "{META}clientCapabilities", an object'
        return said(short(first), "", text)
    if len(asked) > 1:
        text = "one probe: no answer, and no error, gets better by asking again"
        return said(f"{len(asked)} probes", "", text)
    return ""


def wrong_era(case: Case, ran: Run, came: str, asked: list, shaken: list) -> str:
    if case.expected.startswith("modern"):
        if shaken:
            text = "no initialize: a modern server has spoken"
            return said(short(shaken[0][1]), came, text)
        return ""
    late = shaken and shaken[0][0] - asked[0][0] > PATIENCE
    if late or (not shaken and ran.code is None):
        text = f"initialize at last, within {PATIENCE:g} seconds of the probe"
        return said("the probe, then nothing for long", came, text)
    if not shaken:
        text = "initialize: this is no answer of a modern server"
        return said("the probe, then no initialize", came, text + crash(ran, "; "))
    return ""


def wrong_handshake(shaken: list) -> str:
    if not shaken:
        return ""
    message = shaken[0][1]
    params = message.get("params")
    params = params if isinstance(params, dict) else {}
    if params.get("protocolVersion") not in OLD:
        text = f'params.protocolVersion of the earlier era, such as "{OLD[-1]}"'
    elif not isinstance(params.get("capabilities"), dict):
        text = "params.capabilities, an object"
    elif not isinstance(params.get("clientInfo"), dict):
        text = "params.clientInfo, an object"
    elif META in json.dumps(params.get("_meta")):
        text = "no modern _meta: the earlier era does not know it"
    else:
        return ""
    return said(short(message), "", text)


def wrong_output(case: Case, ran: Run) -> str:
    if ran.code is None:
        return said("", NO_EXIT, "the client's exit")
    lines = ran.printed.strip().splitlines()
    if [line.strip() for line in lines] != [case.expected]:
        came = f"printed {short(' / '.join(lines) or 'nothing')}"
        expected = f"printed {json.dumps(case.expected)}"
        return said("", came + crash(ran, "; "), expected)
    if ran.code:
        return said("", f"exit code {ran.code}" + crash(ran, "; "), "exit code 0")
    return ""


def crash(ran: Run, before: str = "") -> str:
    """The last line of the client's standard error; of a traceback, where it was."""
    lines = ran.errors.strip().splitlines()
    if not lines:
        return ""
    places = re.findall(rf'{re.escape(FILE)}", line (\d+)', ran.errors)
    where = f" ({FILE}, line {places[-1]})" if places else ""
    return f"{before}its last words on standard error: {short(lines[-1])}{where}"


def said(sent: str, came: str, expected: str) -> str:
    parts = {"sent": sent, "came": came, "expected": expected}
    return "\n".join(f"      {k + ':':<10}{v}" for k, v in parts.items() if v)


def method(message: Any) -> object:
    return message.get("method") if isinstance(message, dict) else None


def short(value: object, limit: int = 200) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def runs(client: Path, folder: Path) -> Iterator[tuple[Case, Run]]:
    """Each server and what came of it. Only the first, where the client is silent."""
    first, *others = CASES
    ran = run(client, first, folder)
    yield CASES[first], ran
    if ran.sent:
        with ThreadPoolExecutor(4) as pool:
            found = pool.map(lambda name: run(client, name, folder), others)
            yield from zip((CASES[name] for name in others), found, strict=True)


def main(argv: list[str]) -> int:
    if len(argv) != 1 or not Path(argv[0]).is_file():
        print(f"usage: python check.py {FILE}", file=sys.stderr)
        return 2
    client = Path(argv[0]).resolve()
    tried, good, shown = 0, 0, False
    with tempfile.TemporaryDirectory() as folder:
        for case, ran in runs(client, Path(folder)):
            wrong = judge(case, ran)
            tried += 1
            good += not wrong
            print(f"{'FAIL' if wrong else 'ok':<5} a server {case.about}")
            if wrong and not shown:  # one thing at a time
                print(wrong)
                shown = True
    if tried < len(CASES):
        print("The other servers are not tried before the client sends something.")
    print(f"{good} of {len(CASES)} servers recognised.")
    return 0 if good == len(CASES) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
