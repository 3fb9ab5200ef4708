"""Checks a client: it is started with five servers, one after the other.

    python lessons/01-one-message/exercise/check.py my/01/client.py

Exit code 0 when it does right by all of them, 1 when not yet: then sentences say what
its server was sent, what the server said, what came, and what was expected.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILE = "client.py"
SERVER = Path(__file__).with_name("server.py")
LIMIT = 8.0  # seconds for the client, which should give up after 3
LEAVING = 3.0  # seconds for its server, which takes a third of one
GOOD = ["catalog", "2026-07-28", "2025-11-25"]
REQUIRED = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
]
CASES = {
    "good": "a server that answers at once",
    "friendly": "a server that says two friendly lines first",
    "mixed": 'a server that answers the ids 2 and "1" first',
    "error": "a server that answers with an error",
    "silent": "a server that says nothing",
}


class NotYet(Exception):
    """What the client does not do yet; the text is for its author."""


class Run:
    """One start of the client with one server, and all that was seen of it."""

    def __init__(self, client: Path, manner: str, folder: Path):
        report = folder / manner
        command = [sys.executable, str(client), str(SERVER), manner, str(report)]
        self.code, self.printed, self.errors = run(command)
        self.report = read(report)
        # A client that closes the input and leaves at once is gone before its server.
        wait = 0.0 if manner == "silent" or self.code is None else LEAVING
        until = time.monotonic() + wait
        while not self.ended() and time.monotonic() < until:
            time.sleep(0.05)
            self.report = read(report)

    def ended(self) -> bool:
        """Whether the server saw the end of its input, and could leave in order."""
        return any("ended" in each for each in self.report)

    def words(self) -> str:
        """What the client printed, on one line and with an end."""
        if self.printed.strip():
            return repr(short(self.printed))
        if self.errors.strip():
            return f"nothing, and {short(self.errors)!r} on standard error,"
        return "nothing"

    def last_error(self) -> str:
        """How the client fell over, if it did."""
        last = short(self.errors.strip().rpartition("\n")[2])
        if re.match("(Syntax|Indentation|Tab)Error: ", last):  # it never began to run
            where = re.findall(r'", line ([0-9]+)', self.errors)
            return f"{last}, line {where[-1]}" if where else last
        return last if "Traceback" in self.errors else ""


def run(command: list[str]) -> tuple[int | None, str, str]:
    """Exit code (None: it was still there after the limit), output, errors."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=os.name == "posix",
    )
    code: int | None
    try:
        out, err = process.communicate(timeout=LIMIT)
        code = process.returncode
    except subprocess.TimeoutExpired:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)  # with the server it started
        process.kill()
        (out, err), code = process.communicate(), None
    return code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def read(report: Path) -> list[dict]:
    """What the server has written down so far."""
    try:
        return [json.loads(line) for line in report.read_text("utf-8").splitlines()]
    except (OSError, ValueError):  # none yet, or half a line
        return []


def short(text: str) -> str:
    """On one line, without control characters, at most 160 characters."""
    line = " | ".join(text.split("\n")).strip(" |")
    line = "".join(char if char.isprintable() else "?" for char in line)
    return line if len(line) <= 160 else line[:158] + " …"


def late(seen: Run) -> str:
    """The sentences about a client that did not leave by itself."""
    still = f"The client was still running after {LIMIT:g} seconds"
    if not any("line" in each for each in seen.report):
        return (
            f"{still}, and its server was sent no whole line. Expected: one line, "
            "ended by a line feed and flushed."
        )
    return f"{still}. Expected: it gives up after 3, and leaves with exit code 1."


def check_request(seen: Run) -> None:
    """The one line that the client sent."""
    line = next((each["line"] for each in seen.report if "line" in each), "")
    if not line:
        fell = f" It ended with: {seen.last_error()}" if seen.last_error() else ""
        raise NotYet(
            "Its server was sent nothing. Expected: one line, ended by a line feed "
            f"and flushed.{fell}"
        )
    try:
        request = json.loads(line)
    except ValueError:
        request = None
    if not line.endswith("\n") or not isinstance(request, dict):
        raise NotYet(
            f"Its server was sent {short(line)!r}. Expected: one JSON object on one "
            "line, ended by a line feed."
        )
    good = request.get("jsonrpc") == "2.0" and request.get("method")
    if good != "server/discover" or request.get("id") != 1:
        raise NotYet(
            f"Its server was sent {short(line)!r}. Expected: the request "
            "server/discover with the id 1."
        )
    params = request.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    for key in REQUIRED:
        if not isinstance(meta, dict) or key not in meta:
            raise NotYet(f"The request it sent has no {key} in params._meta.")


def check_output(seen: Run, said: str) -> None:
    """A name and its versions on standard output; exit code 0."""
    if seen.last_error():
        raise NotYet(f"{said} The client fell over: {seen.last_error()}")
    missing = [each for each in GOOD if each not in seen.printed.split()]
    if missing or seen.code != 0:
        raise NotYet(
            f"{said} The client printed {seen.words()} and left with exit code "
            f"{seen.code}. Expected: {' '.join(GOOD)!r} and exit code 0."
        )


def check_end(seen: Run) -> None:
    """The server was ended by the end of its input."""
    if not seen.ended():
        raise NotYet(
            "Its server was ended before it saw the end of its input: killed, and not "
            "asked to leave. Expected: close its input, then wait for it."
        )
    if any(each.get("more") for each in seen.report):
        raise NotYet(
            "After its request the client sent something more. Expected: the end of "
            "input and nothing else; there is no message that ends a server."
        )


def check_good(seen: Run) -> None:
    """The plain case."""
    check_request(seen)
    check_output(seen, "The server answered its request.")
    check_end(seen)


def check_friendly(seen: Run) -> None:
    """Two lines before the answer, one of them JSON."""
    check_output(
        seen,
        "The server said 'Catalog server ready. Products loaded:', then '2026', then "
        "the answer. Lines that are no messages are to be skipped.",
    )
    check_end(seen)


def check_mixed(seen: Run) -> None:
    """Two answers to other ids before the answer."""
    for name, id in (("answer-to-2", "2"), ("answer-to-a-string", '"1", a string,')):
        if name in seen.printed.split():
            raise NotYet(
                f"The client took the response with the id {id} for its own: it "
                f"printed {seen.words()}. It had asked with the integer 1. Expected: "
                "other ids are skipped."
            )
    said = 'The server answered 2, then "1", then 1.'
    check_output(seen, said)
    check_end(seen)


def check_error(seen: Run) -> None:
    """An error instead of a result."""
    said = "The server answered with the error -32603, 'the catalog is being counted'."
    if seen.last_error():
        raise NotYet(
            f"{said} The client fell over: {seen.last_error()}. Expected: it looks "
            "whether there is a result."
        )
    printed = seen.printed + seen.errors
    if "-32603" not in printed and "being counted" not in printed:
        raise NotYet(
            f"{said} The client printed {seen.words()}. Expected: the error's code "
            "or its message."
        )
    if seen.code != 1:
        raise NotYet(f"{said} The exit code was {seen.code}. Expected: 1.")
    check_end(seen)


def check_silent(seen: Run) -> None:
    """No answer at all; that the client comes back in time is checked for all."""
    if seen.last_error():
        raise NotYet(f"The server said nothing, and: {seen.last_error()}")
    if seen.code != 1:
        raise NotYet(
            f"The server said nothing. The client printed {seen.words()} and left "
            f"with exit code {seen.code}. Expected: exit code 1."
        )


def main(argv: list[str]) -> int:
    """Run all cases up to the first that fails."""
    if len(argv) != 1 or not Path(argv[0]).is_file():
        print("usage: python check.py FILE, the client to check", file=sys.stderr)
        return 2
    checks = {
        "good": check_good,
        "friendly": check_friendly,
        "mixed": check_mixed,
        "error": check_error,
        "silent": check_silent,
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for manner, check in checks.items():
            try:
                seen = Run(Path(argv[0]).resolve(), manner, Path(folder))
                if seen.code is None:
                    raise NotYet(late(seen))
                check(seen)
            except NotYet as problem:
                print(f"not yet  {CASES[manner]}")
                print(f"         {problem}")
                return 1
            print(f"ok       {CASES[manner]}", flush=True)
    return 0


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
