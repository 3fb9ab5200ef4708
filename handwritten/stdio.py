"""The pipe around the core: lines in, lines out. (lesson 01)

The client starts this process and owns both pipes. Standard output belongs to the
protocol alone (basic/transports/stdio), so it is put out of reach of print() first.
"""

import os

from handwritten import wire
from handwritten.server import Connection, Server
from handwritten.outbox import Outbox  # lesson-07
from handwritten.turns import with_ticks  # lesson-07


def serve(server: Server) -> None:
    """Answer lines until the input ends. Raises BrokenPipeError if nobody reads."""
    source, sink = take_pipes()
    sink = Outbox(sink)  # lesson-07
    connection = Connection(server)
    incoming = lines(source, server.log)
    incoming = with_ticks(incoming, connection)  # lesson-07
    for line in incoming:
        for message in connection.receive(line):
            write(sink, wire.encode(message))
    sink.flush()  # lesson-07


def take_pipes():
    """Keep the two pipes for the protocol, and leave harmless ones in their place.

    What a tool prints, and what a program it starts prints, goes to the log; what
    such a program reads is empty. Neither can reach the wire.
    """
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return source, sink


def lines(source, log):
    """Yield each line; of one that is too long, only as much as shows that it is."""
    line = source.readline(wire.MAX_LINE + 1)
    log(f"first line: {line[:80]!r}")
    while line:
        yield line
        while len(line) > wire.MAX_LINE and not line.endswith(b"\n"):
            line = source.readline(wire.MAX_LINE + 1)
        line = source.readline(wire.MAX_LINE + 1)


def write(sink, data: bytes) -> None:
    """All of it, now: the peer is waiting."""
    while data:
        data = data[sink.write(data) :]


def log(text: str) -> None:
    """One line for the person who runs the server."""
    os.write(2, f"helpdesk: {text}\n".encode("utf-8", "backslashreplace"))
