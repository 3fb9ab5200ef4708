"""`.venv` is made once, from the pins alone, and never from a half-made state."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools import setup

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = {
    name: (ROOT / "tools" / "requirements" / f"{name}.txt").read_text("utf-8")
    for name in setup.NAMES
}


@pytest.mark.parametrize("extra", setup.NAMES)
def test_each_name_in_the_extras_is_pinned(extra):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for wanted in project["optional-dependencies"][extra]:
        name, exact = re.match(r"([a-z0-9-]+)(==.+)?", wanted).groups()
        pin = rf"^{name}(\[.+\])?{exact or '=='}"
        assert re.search(pin, "".join(REQUIREMENTS.values()), re.MULTILINE)


@pytest.mark.parametrize("name", setup.NAMES)
def test_requirement_files_hold_hashes_and_no_addresses(name):
    lines = REQUIREMENTS[name].splitlines()
    pins = [
        number
        for number, line in enumerate(lines)
        if not line.startswith(("#", "    --hash=sha256:"))
    ]
    assert pins
    for number in pins:
        assert re.match(
            r"[a-z0-9-]+(\[[a-z-]+\])?==[a-z0-9.]+ (; .*)?\\$", lines[number]
        )
        assert lines[number + 1].startswith("    --hash=sha256:")
    assert "/" not in "".join(line for line in lines if not line.startswith("#"))


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """The tool, looking at a `.venv` and a running Python that are both elsewhere."""
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "another"))
    return tmp_path / ".venv"


def put(venv: Path, stamp: str) -> None:
    python = setup._python_of(venv)
    python.parent.mkdir(parents=True)
    python.write_text("")
    (venv / setup.STAMP).write_text(stamp, "utf-8")


def test_a_finished_environment_is_taken_as_it_is(venv):
    put(venv, setup._wanted())
    assert setup.python() == setup.ensure() == setup._python_of(venv)


@pytest.mark.parametrize("stamp", ["begun\n", "another digest\n", ""])
def test_an_interrupted_or_outdated_environment_is_not_used(venv, stamp):
    put(venv, stamp)
    assert setup.python() is None


def test_an_environment_whose_python_is_gone_is_not_used(venv):
    put(venv, setup._wanted())
    setup._python_of(venv).unlink()
    assert setup.python() is None


def test_an_environment_of_somebody_else_is_left_alone(venv):
    (venv / "bin").mkdir(parents=True)
    with pytest.raises(setup.SetupError, match="was not made by make setup"):
        setup.ensure()
    assert (venv / "bin").exists()


def test_an_old_python_is_refused_with_a_sentence(venv, monkeypatch, capsys):
    monkeypatch.setattr(setup, "OLDEST", (99, 0))
    assert setup.main([]) == 2
    assert "the course needs 3.11 or later" in capsys.readouterr().err


def test_a_python_without_ensurepip_is_told_which_package_to_install(
    venv, monkeypatch, capsys
):
    monkeypatch.setattr(setup.importlib.util, "find_spec", lambda name: None)
    assert setup.main([]) == 2
    version = f"python3.{sys.version_info[1]}-venv"
    assert version in capsys.readouterr().err


def test_a_package_missing_from_the_finished_environment_does_not_loop(
    venv, monkeypatch
):
    put(venv, setup._wanted())
    monkeypatch.setattr(sys, "prefix", str(venv))
    with pytest.raises(setup.SetupError, match=r"missing from .*\.venv"):
        setup.in_venv("tools.nb", [])


def test_what_pip_says_becomes_one_sentence():
    differs = (
        "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n"
        "    idna==3.20 from somewhere (from -r base.txt (line 3)):\n"
    )
    assert "idna==3.20 is not the file" in setup._why(differs)
    assert "No space left" in setup._why("ERROR: [Errno 28] No space left on device\n")


# One small wheel stands in for the packages; nothing is fetched from anywhere.
@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    folder = tmp_path_factory.mktemp("it's the café of") / "a course"
    (folder / "tools" / "requirements").mkdir(parents=True)
    for name in ("__init__.py", "setup.py"):
        text = (ROOT / "tools" / name).read_text("utf-8")
        (folder / "tools" / name).write_text(text, "utf-8")
    wheel = folder / "wheels" / "small-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as file:
        about = "small-1.0.dist-info"
        file.writestr("small.py", "")
        file.writestr(
            f"{about}/METADATA", "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n"
        )
        file.writestr(
            f"{about}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: x\n"
            "Root-Is-Purelib: true\nTag: py3-none-any\n",
        )
        file.writestr(f"{about}/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    for name in setup.NAMES:
        text = f"small==1.0 \\\n    --hash=sha256:{digest}\n" if name == "base" else ""
        path = folder / "tools" / "requirements" / f"{name}.txt"
        path.write_text(text, "utf-8")
    return folder


def start(checkout: Path, **more: str) -> subprocess.Popen:
    environment = {
        **{key: each for key, each in os.environ.items() if "PIP_" not in key},
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "1",
        "NO_PROXY": "*",
        "PYTHONPATH": "",
        "PYTHONIOENCODING": "utf-8",
        **more,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tools.setup"],
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.mark.soak
def test_set_up_without_network_then_with_it_and_twice_at_once(checkout):
    offline = start(checkout)
    said = offline.communicate(timeout=300)[1]
    assert offline.returncode == 2
    assert "could not fetch small==1.0: is there a network?" in said
    assert "lessons 01 to 03 run without" in said
    assert "Traceback" not in said

    wheels = (checkout / "wheels").as_uri()
    both = [start(checkout, PIP_FIND_LINKS=wheels, PIP_NO_INDEX="1") for _ in "ab"]
    answers = [process.communicate(timeout=300) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("making .venv" in stderr for _, stderr in answers) == 1
    python = Path(answers[0][0].rstrip("\n"))
    assert python.is_relative_to(checkout.resolve())
    subprocess.run([python, "-c", "import small"], check=True)

    again = start(checkout)
    assert again.communicate(timeout=60)[1] == ""


def test_any_tool_says_which_python_it_needs_before_it_reads_more():
    # An older Python, pretended to: what it lacks would come as a traceback.
    old = "import sys; sys.version_info = (3, 9, 1); import tools.stages"
    done = subprocess.run(
        [sys.executable, "-c", old], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 2
    assert done.stderr == "this is Python 3.9.1: the course needs 3.11 or later\n"
