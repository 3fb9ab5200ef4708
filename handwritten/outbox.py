"""Answers for a client that does not read yet. (lesson 07)

A client may write many requests before it reads the first answer. If both sides only
waited until they can write, neither would ever read. So what the pipe has no room for
is left to a thread, and the server goes on reading.
"""

import select
import time

ROOM = getattr(select, "PIPE_BUF", 512)  # bytes for which a pipe that is ready has room
MOST = 64 * 1024 * 1024  # bytes that may wait; then the server waits, too
PAUSE = 0.01  # seconds between two looks at what is left


class Outbox:
    """A sink that takes all that it is given, and writes it in this order."""

    def __init__(self, sink):
        self.sink = sink
        self.poll = None
        if hasattr(select, "poll"):  # not on Windows: there the thread writes all
            self.poll = select.poll()
            self.poll.register(sink.fileno(), select.POLLOUT)
        self.queue = None
        self.left = self.done = 0  # bytes: left to the thread, and done by it
        self.error: OSError | None = None

    def write(self, data: bytes) -> int:
        """Write it, or see to that. Raises OSError, which may be of earlier data."""
        if self.error:
            raise self.error
        view = memoryview(data)
        while view and self.left == self.done and self.poll and self.poll.poll(0):
            view = view[self.sink.write(view[:ROOM]) :]
        if view:
            self.leave(view)
        return len(data)

    def leave(self, data) -> None:
        """Have it written later."""
        if self.queue is None:
            import threading  # most clients read, and then nobody needs these
            from queue import SimpleQueue

            self.queue = SimpleQueue()
            threading.Thread(target=self.run, args=(self.queue,), daemon=True).start()
        self.wait_for(MOST)
        self.left += len(data)
        self.queue.put(data)

    def wait_for(self, most: int) -> None:
        """Wait until no more than `most` bytes are left."""
        while self.left - self.done > most:
            time.sleep(PAUSE)

    def run(self, queue) -> None:
        """In the thread: write, or after an error drop, what comes."""
        while True:
            data = queue.get()
            size = len(data)
            try:
                while data and not self.error:
                    data = data[self.sink.write(data) :]
            except OSError as error:
                self.error = error
            self.done += size

    def flush(self) -> None:
        """Wait until all is written. Raises OSError where it can't be."""
        self.wait_for(0)
        if self.error:
            raise self.error
