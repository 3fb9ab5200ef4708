"""Answers for a client that does not read yet. (lesson 07)

A client may write many requests before it reads the first answer. If both sides only
waited until they can write, neither would ever read. So what the pipe has no room for
is left to a thread, and the server goes on reading.
"""

import select
import time

ROOM = getattr(select, "PIPE_BUF", 512)  # bytes for which a pipe that is ready has room
MOST = 64 * 1024 * 1024  # bytes that may wait; then the server waits, too
PART = 64 * 1024  # bytes that the thread writes at once
PAUSE = 0.01  # seconds between two looks at what is left


class Outbox:
    """A sink that takes all that it is given, and writes it in this order."""

    def __init__(self, sink):
        self.sink = sink
        self.poll = None
        if hasattr(select, "poll"):  # not on Windows: there the thread writes all
            self.poll = select.poll()
            self.poll.register(sink.fileno(), select.POLLOUT)
        self.left = bytearray()  # to the thread; a byte leaves it once it is written
        self.changed = None  # the condition under which `left` grows and shrinks
        self.error: OSError | None = None  # of the thread, which then has ended

    def write(self, data: bytes) -> int:
        """Write it, or see to that. Raises OSError, which may be of earlier data."""
        if self.error:
            raise self.error
        view = memoryview(data)
        while view and not self.left and self.poll and self.poll.poll(0):
            view = view[self.sink.write(view[:ROOM]) :]
        if view:
            self.leave(view)
        return len(data)

    def leave(self, data) -> None:
        """Have it written later."""
        if self.changed is None:
            import threading  # most clients read, and then nobody needs it

            self.changed = threading.Condition()
            threading.Thread(target=self.run, args=(self.changed,), daemon=True).start()
        self.wait_for(MOST)
        with self.changed:
            self.left += data
            self.changed.notify()

    def wait_for(self, most: int) -> None:
        """Wait until no more than `most` bytes are left, or none can be written."""
        while len(self.left) > most and not self.error:
            time.sleep(PAUSE)

    def run(self, changed) -> None:
        """In the thread: write what is left, until that fails."""
        try:
            while True:
                with changed:
                    while not self.left:
                        changed.wait()
                    part = bytes(self.left[:PART])
                done = self.sink.write(part) or 0  # None: no room, and no waiting
                with changed:
                    del self.left[:done]
        except OSError as error:
            self.error = error

    def flush(self) -> None:
        """Wait until all is written. Raises OSError where it can't be."""
        self.wait_for(0)
        if self.error:
            raise self.error
