"""The tap: stands between a client and its server and writes down what they say.

    python -m tools.tap FILE -- COMMAND ARGS…

What comes in goes out, byte for byte and at once, whatever it is. The recording never
holds it up: lines wait in a queue with an end, and what does not fit is counted, not
waited for. End of input, exit code and signals pass through as if no tap were there.

Only raw descriptors are used: Python's own sys.stdin would buffer, and a thread that
waits in it can abort the interpreter at exit.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

CHUNK = 65536  # bytes read at once; a chunk is passed on whether or not a line ends
LONGEST_LINE = 64 * 1024 * 1024  # bytes; a longer line is passed on, but not kept
MOST_WAITING = 128 * 1024 * 1024  # bytes of lines that may wait for the disk
ENTRY_COST = 200  # bytes an entry takes beside its line
GRACE = 1.0  # seconds for a slow disk, or for a grandchild that holds the pipe
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")

USAGE = """usage: python -m tools.tap FILE -- COMMAND ARGS…

Starts COMMAND, passes on what client and server say to each other, and writes every
line to FILE as a transcript. The exit code is the command's (128 + n for a signal),
or 2 where the tap itself could not start.

example: python -m tools.tap talk.jsonl -- python -m handwritten
"""


class Recording:
    """The lines so far, and the thread that writes them to the file."""

    def __init__(self, path: str, command: list[str]):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        # What crosses a pipe may be private: the file is its owner's alone.
        self.descriptor = os.open(path, flags, 0o600)
        self.path = path
        self.command = command
        self.started = time.perf_counter()
        self.ready = threading.Condition()
        self.waiting: list[tuple[float, str, bytes, bool]] = []
        self.size = 0  # bytes of what waits
        self.written = 0  # bytes of whole lines in the file
        self.dropped = 0
        self.pieces: dict[str, list[bytes]] = {"client": [], "server": [], "log": []}
        self.lengths = dict.fromkeys(self.pieces, 0)
        self.failed = False
        self.leave_by: float | None = None  # set when no more lines will come
        self.exit: int | None = None
        self.thread = threading.Thread(target=self._write, daemon=True)
        self.thread.start()

    def milliseconds(self) -> float:
        return (time.perf_counter() - self.started) * 1000

    def take(self, source: str, data: bytes) -> None:
        """Note what just came from `source`. Never waits for the disk."""
        first, *others = data.split(b"\n")
        with self.ready:
            self._add(source, first)
            for piece in others:
                self._end_line(source, False)
                self._add(source, piece)
            self.ready.notify()

    def _add(self, source: str, piece: bytes) -> None:
        self.lengths[source] += len(piece)
        if self.lengths[source] > LONGEST_LINE:
            self.pieces[source].clear()
        elif piece:
            self.pieces[source].append(piece)

    def _end_line(self, source: str, partial: bool) -> None:
        cost = self.lengths[source] + ENTRY_COST
        too_long = self.lengths[source] > LONGEST_LINE
        line = b"".join(self.pieces[source])
        self.pieces[source].clear()
        self.lengths[source] = 0
        if self.failed:
            return
        if too_long or self.size + cost > MOST_WAITING:
            self.dropped += 1
            return
        self.size += cost
        self.waiting.append((self.milliseconds(), source, line, partial))

    def end(self, source: str) -> None:
        """No more will come from `source`: what it left unfinished is its last line."""
        with self.ready:
            if self.lengths[source]:
                self._end_line(source, True)
                self.ready.notify()

    def finish(self, exit_code: int | None) -> None:
        """Write what waits and the exit code, if the disk lets us within GRACE."""
        for source in self.pieces:
            self.end(source)
        with self.ready:
            self.exit = exit_code
            self.leave_by = time.perf_counter() + GRACE
            self.ready.notify()
        self.thread.join(GRACE + 1)

    def _write(self) -> None:
        try:
            self._write_lines()
        except OSError as error:
            with self.ready:
                self.failed = True
                self.waiting.clear()
            with contextlib.suppress(OSError):  # half a line helps nobody
                os.ftruncate(self.descriptor, self.written)
            complain(
                f"{self.path}: {error.strerror}; the recording ends here, "
                "the traffic goes on"
            )

    def _write_lines(self) -> None:
        # Imported here, beside the start of the child: json takes some milliseconds.
        from tools.transcript.lines import as_text, line_text

        header = {
            "transcript": 1,
            "command": self.command,
            "recorder": "tools.tap",
            "recorded": time.strftime("%Y-%m-%d"),
        }
        self._put(as_text(header))
        while entries := self._next():
            for entry in entries:
                if self.leave_by and time.perf_counter() > self.leave_by:
                    self.dropped += 1
                else:
                    self._put(line_text(*entry))
                with self.ready:
                    self.size -= len(entry[2]) + ENTRY_COST
        now = round(self.milliseconds(), 1)
        if self.dropped:
            self._put(as_text({"t": now, "dropped": self.dropped}))
        if self.exit is not None:
            self._put(as_text({"t": now, "exit": self.exit}))

    def _next(self) -> list[tuple[float, str, bytes, bool]]:
        """The entries that wait; none when all is said."""
        with self.ready:
            while not self.waiting and self.leave_by is None:
                self.ready.wait()
            entries, self.waiting = self.waiting, []
            return entries

    def _put(self, text: str) -> None:
        data = (text + "\n").encode("utf-8")
        view = memoryview(data)
        while view:
            view = view[os.write(self.descriptor, view) :]
        self.written += len(data)


class Pump(threading.Thread):
    """Passes on what one descriptor gives to another, and notes it first.

    Noted first, a request always stands before its answer in the recording.
    """

    def __init__(self, recording: Recording, name: str, source: int, target: int):
        super().__init__(daemon=True)
        self.recording, self.source, self.target = recording, source, target
        self.from_whom = name
        self.idle_since: float | None = None  # None while it has something to pass on
        self.start()

    def run(self) -> None:
        try:
            while data := self._read():
                self.recording.take(self.from_whom, data)
                view = memoryview(data)
                while view:
                    view = view[os.write(self.target, view) :]
        except OSError:
            pass  # the other side is gone; this side is told by the close below
        finally:
            self.recording.end(self.from_whom)
            release(self.source)
            if self.target != 2:  # the tap's own words go there too
                release(self.target)

    def _read(self) -> bytes:
        self.idle_since = time.perf_counter()
        data = os.read(self.source, CHUNK)
        self.idle_since = None
        return data

    def finish(self, ended: float) -> None:
        """Wait until all that the child said before it `ended` is passed on.

        A grandchild may hold the pipe open for ever: an idle pump is left behind.
        """
        while self.is_alive():
            self.join(0.02)
            idle = self.idle_since
            if idle and time.perf_counter() - max(idle, ended) > GRACE:
                return


def release(descriptor: int) -> None:
    """Close a pipe's end; 0, 1 and 2 stay taken, so that nothing else gets them."""
    if descriptor > 2:
        os.close(descriptor)
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)


def complain(sentence: str) -> None:
    text = f"tools.tap: {sentence}\n"
    with contextlib.suppress(OSError):  # nobody listens
        os.write(2, text.encode("utf-8", "backslashreplace"))


def pass_on_signals(started: list[subprocess.Popen]) -> None:
    """What is sent to the tap is meant for the child, which decides what to do."""

    def handle(number, frame):
        for process in started:
            # On Windows a console sends Ctrl-C to the child as well.
            if os.name == "posix":
                process.send_signal(number)
        if not started:
            os._exit(128 + number)

    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handle)


def tap(path: str, command: list[str]) -> int:
    """Run the command behind a tap; its exit code."""
    try:
        recording = Recording(path, command)
    except OSError as error:
        complain(f"{path}: {error.strerror}; nothing was started")
        return 2
    started: list[subprocess.Popen] = []
    pass_on_signals(started)
    pipe = subprocess.PIPE
    try:
        child = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0
        )
    except OSError as error:
        complain(f"{command[0]} can't be started: {error.strerror}")
        recording.finish(None)
        return 2
    started.append(child)
    # The descriptors are the pumps' from here on; detached, nobody closes them twice.
    ends = []
    for end in (child.stdin, child.stdout, child.stderr):
        if end is not None:  # they are pipes: this is for the type checker
            ends.append(os.dup(end.fileno()))
            end.close()
    Pump(recording, "client", 0, ends[0])
    outward = [
        Pump(recording, "server", ends[1], 1),
        Pump(recording, "log", ends[2], 2),
    ]
    code = child.wait()
    ended = time.perf_counter()
    for pump in outward:
        pump.finish(ended)
    recording.finish(code)
    return code if code >= 0 else 128 - code


def main(words: list[str]) -> int:
    if words[:1] in (["--help"], ["-h"]):
        os.write(1, USAGE.encode("utf-8"))
        return 0
    if len(words) < 3 or words[1] != "--":
        complain("needs FILE -- COMMAND; python -m tools.tap --help shows an example")
        return 2
    return tap(words[0], words[2:])


if __name__ == "__main__":
    ended = main(sys.argv[1:])
    # A thread may be inside read(0): leave without touching that descriptor. Windows
    # has exit codes that only fit without a sign.
    os._exit(ended if ended < 2**31 else ended - 2**32)
