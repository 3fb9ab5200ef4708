"""Servers that start warm: imported once, forked for each test.

The SDK takes half a second to import, and each wire test wants a server of its own. So
one process imports the server and waits; a starter, which is an ordinary command, hands
it its three standard descriptors, its words and the HELPDESK_ variables of its
environment, and passes on the exit code. What the test sees is a process with pipes
like any other. It needs fork and Unix sockets: `possible()`.

    python -m lessons.warm SOCKET MODULE …    import these, wait for starters at SOCKET
    python -I -S warm.py SOCKET WORD …        a starter, for main([WORD, …]) of the last
"""

# What a starter does not need is imported where it is used.
import json
import os
import select
import socket
import sys
from typing import Any, NoReturn


OURS = "HELPDESK_"  # what each server is told by its environment begins so


def possible() -> bool:
    """Whether this system can do it (Windows can't)."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds")


def start(address: str, words: list[str]) -> int:
    """Have a server started on our pipes, wait, and give its exit code."""
    with socket.socket(socket.AF_UNIX) as warm:
        warm.connect(address)
        ours = {name: os.environ[name] for name in os.environ if name.startswith(OURS)}
        socket.send_fds(warm, [json.dumps([words, ours]).encode()], [0, 1, 2])
        for descriptor in (0, 1, 2):  # or nobody would see the pipes' ends
            os.close(descriptor)
        return int(warm.recv(100) or b"1")


def serve(address: str, modules: list[str]) -> None:
    """Import, then fork for each starter until our input ends."""
    import gc
    import importlib
    import signal

    main = [importlib.import_module(name) for name in modules][-1].main
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while _first(listening, 0) is listening:
            starter, _ = listening.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listening.close()
                os._exit(supervise(starter, main))
            starter.close()


def _first(one: Any, other: Any) -> Any:
    """Which of the two can be read first."""
    return select.select([other, one], [], [])[0][0]


def supervise(starter: socket.socket, main) -> int:
    """Fork the server, and end it when its starter is ended."""
    import contextlib

    sent, descriptors, _, _ = socket.recv_fds(starter, 100_000, 3)
    ended, alive = os.pipe()  # the server holds `alive` as long as it runs
    server = os.fork()
    if server == 0:
        starter.close()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
            os.close(descriptor)
        words, ours = json.loads(sent)
        for name in [each for each in os.environ if each.startswith(OURS)]:
            del os.environ[name]
        os.environ.update(ours)
        run(main, words)
    for descriptor in (*descriptors, alive):
        os.close(descriptor)
    if _first(starter, ended) is starter:
        os.kill(server, 9)
    code = os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])
    with contextlib.suppress(OSError):  # it was ended
        starter.send(str(code if code >= 0 else 128 - code).encode())
    return 0


def run(main, words: list[str]) -> NoReturn:
    """Be the server, and leave with its exit code."""
    import traceback

    code = 1
    try:
        code = main(words)
        sys.stdout.flush()
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    if len(sys.argv) > 2 and __spec__ is not None:
        serve(sys.argv[1], sys.argv[2:])
    else:
        sys.exit(start(sys.argv[1], sys.argv[2:]))
