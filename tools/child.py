"""A child process on pipes that can't hang its parent.

Two reader threads take what the child says, line by line, so that neither a full
pipe nor a chatty stderr stops the conversation; every wait has an end; and closing
always ends the process: end of input, a wait, TERM, a wait, KILL.
"""

import contextlib
import os
import queue
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LONGEST_PIECE = 64 * 1024 * 1024  # bytes; a longer line arrives in pieces
GRACE = 2.0  # seconds a child gets to leave by itself, then once more after TERM


def command_line(words: tuple[str, ...] | list[str]) -> list[str]:
    """The command to start; the word "python" in front is this interpreter."""
    first, *rest = words
    return [sys.executable if first == "python" else first, *rest]


def split_command(text: str) -> list[str]:
    """The words of a command line, split as a shell would.

    Raises ValueError where a quotation does not end, or there is no word.
    """
    try:
        if os.name == "posix":
            words = shlex.split(text)
        else:  # a backslash is part of a path there
            words = [word.strip("\"'") for word in shlex.split(text, posix=False)]
    except ValueError as error:
        raise ValueError(f"the command {text!r}: {error}") from None
    if not words:
        raise ValueError(f"the command {text!r} is empty")
    return words


class Child:
    """One started command. Raises OSError where it can't be started.

    `env` is its whole environment; without one it gets the parent's.
    """

    def __init__(
        self,
        command,
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
    ):
        self.started = time.perf_counter()
        self.process: Any = subprocess.Popen(
            command_line(command),
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            # A group of its own: Ctrl-C is for the parent to handle.
            start_new_session=os.name == "posix",
        )
        if self.process.stdin and os.name == "posix":
            # A full pipe then says so, and send() can wait for a limited time.
            os.set_blocking(self.process.stdin.fileno(), False)
        self._closed = False
        self._lines: dict[str, queue.Queue] = {}
        self._threads = [
            self._read("server", self.process.stdout),
            self._read("log", self.process.stderr),
        ]

    def milliseconds(self) -> float:
        """Time since the start, in ms."""
        return (time.perf_counter() - self.started) * 1000

    def _read(self, source: str, pipe) -> threading.Thread:
        lines = self._lines[source] = queue.Queue()

        def run():
            buffered = os.fdopen(os.dup(pipe.fileno()), "rb")
            with buffered:
                while line := buffered.readline(LONGEST_PIECE):
                    lines.put((self.milliseconds(), line))
            lines.put(None)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def send(self, data: bytes, timeout: float = 60.0) -> None:
        """Write these bytes, all of them. Raises BrokenPipeError after the end.

        Raises TimeoutError when the child takes none of them for `timeout` seconds
        (not on Windows, where a pipe can't be asked whether it has room).
        """
        stdin, view = self.process.stdin, memoryview(data)
        while view:
            try:
                written = stdin.write(view)
            except (OSError, ValueError) as error:  # ValueError: it is closed already
                raise BrokenPipeError("the child reads no more") from error
            if written:
                view = view[written:]
            elif not select.select([], [stdin], [], timeout)[1]:
                raise TimeoutError(f"nothing was read within {timeout:g} s")

    def receive(self, source: str = "server", timeout: float = 10.0):
        """The next (ms, line) of "server" or "log"; None at its end.

        Raises TimeoutError after `timeout` seconds without one.
        """
        try:
            item = self._lines[source].get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"nothing came within {timeout:g} s") from None
        if item is None:
            self._lines[source].put(None)  # the end stays the end
        return item

    def end_input(self) -> None:
        """Tell the child that nothing more will come."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def close(self, grace: float = GRACE) -> int:
        """End the child and give its exit code (negative: the signal)."""
        if self._closed:  # its process id may be somebody else's by now
            return self.process.returncode
        self.end_input()
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self._signal("SIGTERM")
            try:
                self.process.wait(grace)
            except subprocess.TimeoutExpired:
                self._signal("SIGKILL")
                self.process.wait()
        except BaseException:  # Ctrl-C while we wait: there is no second chance
            self._signal("SIGKILL")
            raise
        self._closed = True
        self._signal("SIGKILL")  # grandchildren that outlived their parent
        for thread in self._threads:
            thread.join(grace)
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode

    def kill(self) -> None:
        """End the child at once: it can put nothing in order."""
        if self.process.poll() is None:
            self._signal("SIGKILL")

    def _signal(self, name: str) -> None:
        with contextlib.suppress(OSError):  # it is gone already
            if os.name == "posix":
                os.killpg(self.process.pid, getattr(signal, name))
            else:
                self.process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()
