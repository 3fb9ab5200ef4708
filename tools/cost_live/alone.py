"""Start a server that must not see or reach anything of its user's. (lesson 04)

    python alone.py open|cut-off HOME [NAME=VALUE ...] -- COMMAND ...

The rule: HOME is its home and where it is started, and its environment is the few
variables that programs can't do without, and those named here. `cut-off` says that
the process is in a network of its own already; the loopback of that is switched on.
"""

import contextlib
import os
import subprocess
import sys

KEPT = ("PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC")
HOMES = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "TMPDIR")


def environment(home: str, settings: list[str], given) -> dict[str, str]:
    """What the server gets: nothing of `given` but the names in KEPT."""
    kept = {name: given[name] for name in KEPT if name in given}
    kept |= dict.fromkeys(HOMES, home)
    kept |= {"PYTHONUTF8": "1", "TZ": "UTC", "CI": "1", "NO_COLOR": "1"}
    return kept | dict(each.split("=", 1) for each in settings)


def loopback() -> None:
    """Switch on the loopback of a network of our own (Linux)."""
    import fcntl
    import socket
    import struct

    set_flags, up_and_running = 0x8914, 0x41  # SIOCSIFFLAGS; netdevice(7)
    request = struct.pack("16sh14x", b"lo", up_and_running)
    with contextlib.suppress(OSError), socket.socket() as any_socket:
        fcntl.ioctl(any_socket, set_flags, request)


def main(arguments: list[str]) -> int:
    network, home, *rest = arguments
    end = rest.index("--")
    settings, command = rest[:end], rest[end + 1 :]
    if network == "cut-off":
        loopback()
    os.chdir(home)
    clean = environment(home, settings, os.environ)
    if os.name == "posix":  # the server takes this process's place, and its signals
        os.execvpe(command[0], command, clean)
    return subprocess.call(command, env=clean)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
