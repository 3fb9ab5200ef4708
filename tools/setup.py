"""The packages of the course: `.venv`, made once from the pinned versions.

The rule: what is installed is what `tools/requirements/*.txt` pin, to the hash, and
nothing runs from a half-made environment. A stamp written last says what `.venv` was
made from; where it is missing or says something else, `.venv` is made again. A
`.venv` that this program did not make is left alone.
"""

# An older Python must get as far as the sentence that says so.
from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
REQUIREMENTS = ROOT / "tools" / "requirements"
NAMES = ("base", "notebooks", "development")  # each is on top of those before it
OLDEST = (3, 11)
STAMP = "made-by-tools-setup"
WITHOUT = "The lessons 01 to 03 run without: make lesson-01"
NETWORK = re.compile(
    "Retrying|NewConnectionError|NameResolutionError|ProxyError|SSLError|Timeout"
)


class SetupError(Exception):
    """The environment can't be made; the text is one sentence for the user."""


def python() -> Path | None:
    """The Python of a finished and current `.venv`, or None."""
    for folder in (Path(sys.prefix), VENV):
        if _stamp(folder) == _wanted() and _python_of(folder).exists():
            return _python_of(folder)
    return None


def ensure() -> Path:
    """The Python of `.venv`, which is made first where it must be.

    Raises SetupError.
    """
    ready = python()
    if ready:
        return ready
    _refuse_what_cannot_work()
    try:
        with _alone():
            ready = python()  # another process may have been quicker
            if not ready:
                _make()
    except OSError as error:
        raise SetupError(f"could not make .venv: {error}") from None
    return ready or _python_of(VENV)


def in_venv(module: str, arguments: list[str]) -> int:
    """Run `python -m module arguments…` with the Python of `.venv`; its exit code.

    For a program that finds a package missing. Raises SetupError, also where this
    process is in the finished `.venv` already: then starting it again helps nobody.
    """
    if _stamp(Path(sys.prefix)) == _wanted():
        raise SetupError(
            f"a package that {module} needs is missing from {sys.prefix}: "
            "remove that folder, then run make setup"
        )
    return run([str(ensure()), "-m", module, *arguments])


def elsewhere(module: str, words: list[str], *packages: str) -> int | None:  # lesson-04
    """Where a package is missing, run this program in `.venv`: its exit code.

    None: nothing is missing, go on here. Raises SetupError.
    """
    if all(importlib.util.find_spec(name) for name in packages):
        return None
    return in_venv(module, words)


def run(command: list[str], environment: dict[str, str] | None = None) -> int:
    """Run a command to its end and give its exit code.

    Ctrl-C reaches the command too, so this process only waits for its answer.
    """
    process = subprocess.Popen(command, env=environment)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def _say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr, flush=True)


def _python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _stamp(folder: Path) -> str | None:
    try:
        return (folder / STAMP).read_text("utf-8")
    except OSError:
        return None


def _mark(text: str) -> None:
    (VENV / STAMP).write_text(text, encoding="utf-8", newline="\n")


def _wanted() -> str:
    """What the stamp of a current `.venv` says: the pins and the kind of Python."""
    digest = hashlib.sha256()
    for name in NAMES:
        digest.update((REQUIREMENTS / f"{name}.txt").read_bytes())
    kind = f"{sys.implementation.cache_tag} {sys.platform} {platform.machine()}"
    return f"{digest.hexdigest()} {kind}\n"


def _refuse_what_cannot_work() -> None:
    version = platform.python_version()
    if sys.version_info < OLDEST:
        raise SetupError(f"this is Python {version}: the course needs 3.11 or later")
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            package = f"python3.{sys.version_info[1]}-venv"
            raise SetupError(
                f"this Python ({sys.executable}) comes without {module}: install its "
                f"package (Debian and Ubuntu: {package}), then try again. {WITHOUT}"
            )
    if VENV.is_dir() and _stamp(VENV) is None and any(VENV.iterdir()):
        raise SetupError(
            f"{VENV} was not made by make setup: rename or remove it, then try again"
        )
    if Path(sys.prefix) == VENV:
        raise SetupError(
            "the packages have changed, and .venv can't be made again from within: "
            "leave it (deactivate), then try again"
        )


@contextlib.contextmanager
def _alone():
    """Hold the lock of the set-up; the system frees it even when a process dies."""
    (ROOT / "build").mkdir(exist_ok=True)
    with open(ROOT / "build" / "setup.lock", "ab") as file:
        if sys.platform == "win32":
            import msvcrt

            while True:
                with contextlib.suppress(OSError):  # it gives up after ten seconds
                    file.seek(0)
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make() -> None:
    import venv

    _say(f"making .venv with Python {platform.python_version()}, once")
    _empty()
    try:
        venv.EnvBuilder(symlinks=os.name != "nt", with_pip=True).create(VENV)
    except subprocess.CalledProcessError as error:
        said = (error.output or b"").decode("utf-8", "replace").strip()
        raise SetupError(f"could not put pip into .venv: {_last(said)}") from None
    _install()
    _mark(_wanted())
    _say("done: .venv is ready")


def _empty() -> None:
    """Make `.venv` empty but for the mark that it is ours."""
    VENV.mkdir(exist_ok=True)
    _mark("begun\n")
    for each in VENV.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        elif each.name != STAMP:
            each.unlink()


def _install() -> None:
    """Have pip install the pins; on a terminal a counter shows that it works."""
    files = [REQUIREMENTS / f"{name}.txt" for name in NAMES]
    texts = [file.read_text("utf-8") for file in files]
    pins = sum(len(re.findall(r"^\S+==", text, re.MULTILINE)) for text in texts)
    _say(f"installing {pins} packages into it; this takes a minute or two")
    command = [str(_python_of(VENV)), "-I", "-m", "pip", "install", "--require-hashes"]
    command += ["--only-binary", ":all:", "--no-input", "--progress-bar", "off"]
    command += [part for file in files for part in ("-r", str(file))]
    # A person's own pip settings may name a mirror or a certificate, and the hashes
    # hold whatever they say; these would put the packages somewhere else.
    elsewhere = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN"}
    settings = {key: each for key, each in os.environ.items() if key not in elsewhere}
    settings |= {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    process = subprocess.Popen(
        command,
        env=settings | {"PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdout
    said = _follow(process.stdout, pins)
    if process.wait():
        raise SetupError(_why(said))


def _follow(lines, pins: int) -> str:
    said, fetched = [], 0
    for line in lines:
        said.append(line)
        if line.startswith("Collecting "):
            fetched += 1
            if sys.stderr.isatty():
                name = line.split()[1].split("==")[0]
                text = f"setup: {fetched} of {pins}: {name}"
                print(f"\r{text:<70.70}", end="", file=sys.stderr, flush=True)
        elif line.startswith("Installing collected"):
            if sys.stderr.isatty():
                print(file=sys.stderr)
            _say("unpacking")
    return "".join(said)


def _why(said: str) -> str:
    """One sentence for what pip said."""
    if "DO NOT MATCH THE HASHES" in said:
        found = re.search(r"\n\s+(\S+==\S+) from", said)
        name = found[1] if found else "a package"
        return f"{name} is not the file that tools/requirements/ names: hash differs"
    found = re.search(r"No matching distribution found for (\S+)", said)
    if found and NETWORK.search(said):
        return f"could not fetch {found[1]}: is there a network? {WITHOUT}"
    return f"pip could not install the packages: {_last(said)}. {WITHOUT}"


def _last(said: str) -> str:
    errors = [line for line in said.splitlines() if line.startswith("ERROR:")]
    last = (errors or said.splitlines() or ["it said nothing"])[-1]
    return last.removeprefix("ERROR:").strip()[:300]


def main(arguments: list[str] | None = None) -> int:
    argparse.ArgumentParser(
        prog="python -m tools.setup",
        description="Make .venv from the pinned versions, once (= make setup).",
        epilog="example: python -m tools.setup",
    ).parse_args(arguments)
    try:
        print(ensure())
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
