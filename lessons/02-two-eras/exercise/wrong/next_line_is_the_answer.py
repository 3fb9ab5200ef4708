"""It takes the next line for the answer, whose ever it is."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from typing import Any

REVISION = "2026-07-28"
OLD_REVISION = "2025-11-25"
ABOUT_ME = {"name": "prober", "version": "1.0.0"}
PROBE_SECONDS = 3.0  # how long the answer to the probe may take
SECONDS = 10.0  # how long any other answer may take
MODERN_ERRORS = (-32020, -32021, -32022)  # no other server knows these
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": ABOUT_ME,
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {"protocolVersion": OLD_REVISION, "capabilities": {}, "clientInfo": ABOUT_ME}


class Server:
    """A started server: messages go in and come out as dicts."""

    def __init__(self, command: list[str]):
        self.process: Any = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # its log; a pipe that nobody reads fills up
        )
        self.lines: queue.Queue = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):  # what is no JSON is no message
                message = json.loads(line)
                if isinstance(message, dict):
                    self.lines.put(message)
        self.lines.put(None)  # the end

    def send(self, message: dict) -> None:
        """Write one message."""
        self.process.stdin.write(json.dumps(message).encode("utf-8") + b"\n")
        self.process.stdin.flush()

    def receive(self, deadline: float) -> dict | None:
        """The next message, whatever it is. None: nothing came, or nothing will.

        `deadline` is a moment: time.monotonic() + PROBE_SECONDS, for example.
        """
        try:
            return self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None

    def close(self) -> None:
        with contextlib.suppress(OSError):  # it has left already
            self.process.stdin.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()


def ask(server: Server, id: int, method: str, params: dict, seconds: float):
    """The answer to this request; None where none comes in time."""
    server.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    return server.receive(time.monotonic() + seconds)


def era_of(server: Server) -> tuple[str, str]:
    """The era, "modern" or "legacy", and the server's name or "?"."""
    answer = ask(server, 1, "server/discover", {"_meta": META}, PROBE_SECONDS) or {}
    result = answer.get("result", {})
    if isinstance(result.get("supportedVersions"), list):
        who = result.get("_meta", {}).get("io.modelcontextprotocol/serverInfo", {})
        return "modern", who.get("name", "?")
    if answer.get("error", {}).get("code") in MODERN_ERRORS:
        return "modern", "?"
    answer = ask(server, 2, "initialize", HELLO, SECONDS) or {}
    server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return "legacy", answer.get("result", {}).get("serverInfo", {}).get("name", "?")


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__)
        return 2
    server = Server(arguments)
    try:
        print(*era_of(server))
        return 0
    except OSError as error:
        print(f"The server does not listen any more: {error}", file=sys.stderr)
        return 1
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
