"""The notebooks: made anew, checked, run and opened.

The rule: what a notebook shows is what its code prints, on every machine. So a
notebook is stored in one normal form, which `--update` writes and `--check` holds it
to, and nbval compares every output of every cell.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import sys
from pathlib import Path

from tools import files, setup
from tools.nb.rules import NotebookError, normal, problems, read

ROOT = setup.ROOT
NOTEBOOKS = ROOT / "notebooks"
COPIES = ROOT / "my" / "notebooks"
CELL_LIMIT = 60  # seconds that one cell may take
# Every cell is compared, with the kernel of the Python that runs pytest.
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout", str(CELL_LIMIT)]


def environment() -> dict[str, str]:
    """The environment of a kernel: the repository to import from, and none of the
    settings that a person may have made for Jupyter and IPython."""
    build = ROOT / "build" / "jupyter"
    # IPython warns of a folder that is not there, and takes a temporary one.
    (build / "ipython").mkdir(parents=True, exist_ok=True)
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "IPYTHONDIR": str(build / "ipython"),
        "JUPYTER_CONFIG_DIR": str(build / "config"),
        "JUPYTER_DATA_DIR": str(build / "data"),
        "JUPYTER_RUNTIME_DIR": str(build / "runtime"),
        "JUPYTER_PATH": "",
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_PLATFORM_DIRS": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def execute(path: Path) -> dict:
    """Run the cells of a notebook in a new kernel; the notebook with its outputs.

    Raises NotebookError where a cell fails or takes too long.
    """
    import nbclient
    import nbformat
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    made = read(path)
    for cell in made["cells"]:
        cell["metadata"] = {}  # a tag must not let an error pass
    notebook = nbformat.reads(json.dumps(made), as_version=4)
    running = 0

    def begin(cell, cell_index):
        nonlocal running
        running = cell_index + 1

    client = nbclient.NotebookClient(
        notebook,
        on_cell_start=begin,
        timeout=CELL_LIMIT,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--log-level=ERROR"],  # no word on the encryption of sockets
    )
    try:
        client.execute()
    except CellExecutionError as error:
        what = f"raised {error.ename}: {error.evalue}"
    except CellTimeoutError:
        what = f"took longer than {CELL_LIMIT} s"
    except RuntimeError as error:
        what = f"ended the kernel: {error}"
    else:
        return json.loads(nbformat.writes(notebook))
    raise NotebookError(f"{path}: cell {running} {what}")


def update(paths: list[Path]) -> int:
    os.environ.update(environment())
    for path in paths:
        print(f"running {path.name}", file=sys.stderr, flush=True)
        text = normal(execute(path))
        if path.read_bytes() == text.encode("utf-8"):
            print(f"{path.name}: unchanged")
            continue
        files.replace(path, text.encode("utf-8"))
        print(f"{path.name}: written")
    return 0


def check(paths: list[Path]) -> int:
    found = [problem for path in paths for problem in problems(path)]
    for path in sorted(NOTEBOOKS.iterdir()) if NOTEBOOKS.is_dir() else ():
        if path.suffix != ".ipynb" and path.name != ".ipynb_checkpoints":
            found.append(f"{path}: only notebooks stand here (no sanitizer file)")
    for problem in found:
        print(problem)
    if not found:
        print(f"{len(paths)} notebooks, all as they must be")
    return 1 if found else 0


def run(paths: list[Path]) -> int:
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile"]
    return setup.run([*command, *NBVAL, *map(str, paths)], environment())


def copy(paths: list[Path], folder: Path) -> None:
    """Bring copies up to date; a copy that the learner has changed is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    list_file = folder / ".copied.json"
    try:
        copied = json.loads(list_file.read_text("utf-8"))
    except (OSError, ValueError):
        copied = {}
    for path in paths:
        original, target = path.read_bytes(), folder / path.name
        digest = hashlib.sha256(original).hexdigest()
        if target.exists():
            present = hashlib.sha256(target.read_bytes()).hexdigest()
            if present not in (digest, copied.get(path.name)):
                print(f"kept your changed {target.name}; the original is {path}")
                continue
        target.write_bytes(original)
        copied[path.name] = digest
    text = json.dumps(copied, indent=1, sort_keys=True) + "\n"
    list_file.write_text(text, encoding="utf-8", newline="\n")


def lab(paths: list[Path]) -> int:
    copy(paths, COPIES)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={COPIES}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container everybody is root
    return setup.run(command, environment())


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.nb",
        description="The notebooks, or those that are named.",
        epilog="example: python -m tools.nb --check notebooks/lesson-03.ipynb",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    for action, text in (
        (update, "run them and write what they print"),
        (check, "say what in them breaks a rule"),
        (run, "run them and compare every output (= make notebooks)"),
        (lab, "open copies of them in JupyterLab (= make lab)"),
    ):
        name = f"--{action.__name__}"
        what.add_argument(
            name, dest="action", action="store_const", const=action, help=text
        )
    parser.add_argument("notebook", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    paths = options.notebook or sorted(NOTEBOOKS.glob("*.ipynb"))
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if not paths:
            raise NotebookError(f"there is no notebook in {NOTEBOOKS}")
        for path in paths:
            read(path)
        if options.action is not check and importlib.util.find_spec("nbval") is None:
            return setup.in_venv("tools.nb", given)
        return options.action([path.resolve() for path in paths])
    except (NotebookError, setup.SetupError, OSError) as error:
        print(f"nb: {error}", file=sys.stderr)
        return 2
