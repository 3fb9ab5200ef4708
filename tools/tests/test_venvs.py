"""Pinned packages in a folder of their own: all of them, or nothing. (lesson 04)"""

import subprocess
import sys

import pytest

from tools import venvs
from tools.cost_live import install as servers

WORDS = {
    "without_pip": "no pip",
    "late": "late",
    "changed": "another file",
    "offline": "could not fetch {name}",
    "failed": "pip failed: {last}",
}


@pytest.fixture
def made(tmp_path, monkeypatch):
    """An environment to be, which no program makes."""
    pins = tmp_path / "pins.txt"
    pins.write_text("a==1\n", encoding="utf-8")
    monkeypatch.setattr(venvs.venv.EnvBuilder, "create", lambda *_: None)
    return venvs.Venv(tmp_path / "lab" / "venv", pins, **WORDS)


@pytest.fixture
def pip(monkeypatch):
    """What pip gives, one run after the other, and the commands of these runs."""
    gives, commands = [], []

    def run(command, place, late):
        commands.append(command)
        return gives.pop(0)

    monkeypatch.setattr(venvs, "run", run)
    return gives, commands


def python_is_there(made):
    made.python.parent.mkdir()
    made.python.touch()


def test_a_half_made_folder_is_made_again(made, pip):
    gives, commands = pip
    gives += [(1, "ERROR: no space left"), (0, "")]
    with pytest.raises(venvs.InstallError, match="pip failed: no space left"):
        made.make()
    python_is_there(made)
    (made.folder / "left over").touch()
    assert not made.ready()
    made.make()
    assert not made.ready() and not (made.folder / "left over").exists()
    python_is_there(made)
    assert made.ready()
    assert {"--require-hashes", "--only-binary", "-I"} <= set(commands[1])


def test_it_is_made_again_where_the_pins_or_the_kind_of_python_are_others(
    made, pip, monkeypatch
):
    pip[0].append((0, ""))
    made.make()
    python_is_there(made)
    with monkeypatch.context() as patch:
        patch.setattr(venvs.platform, "machine", lambda: "another")
        assert not made.ready()
    assert made.ready()
    made.pins.write_text("a==2\n", encoding="utf-8")
    assert not made.ready()


def test_a_python_without_pip_is_a_sentence(made, monkeypatch):
    def fails(*_):
        raise subprocess.CalledProcessError(1, "ensurepip")

    monkeypatch.setattr(venvs.venv.EnvBuilder, "create", fails)
    with pytest.raises(venvs.InstallError, match="no pip"):
        made.make()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "another file"),
        (
            "WARNING: Retrying\nERROR: No matching distribution found for a==1",
            "could not fetch a==1",
        ),
        ("WARNING: Retrying\n", "could not fetch the packages"),
        (
            "ERROR: first\nERROR: no space {left}\nNotice\n",
            "pip failed: no space {left}",
        ),
        ("Killed\n\n", "pip failed: Killed"),
        ("", "pip failed: it said nothing"),
    ],
)
def test_what_pip_said_becomes_one_sentence(made, said, sentence):
    assert made.why(said) == sentence


def test_an_installer_says_all_on_one_output_and_has_a_limited_time(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("PIP_TARGET", "elsewhere")
    show = "import os, sys; print(os.environ.get('PIP_TARGET'), os.getcwd());"
    show += "sys.stdout.flush(); sys.exit('an error')"
    code, said = venvs.run([sys.executable, "-c", show], tmp_path, "late")
    assert (code, said) == (1, f"None {tmp_path.resolve()}\nan error\n")
    monkeypatch.setattr(venvs, "LIMIT", 0.1)
    wait = "import time; time.sleep(60)"
    with pytest.raises(venvs.InstallError, match="late"):
        venvs.run([sys.executable, "-c", wait], tmp_path, "late")


def test_npm_has_a_stamp_of_its_own_and_a_failure_leaves_none(tmp_path, monkeypatch):
    monkeypatch.setattr(servers, "PLACE", tmp_path)
    monkeypatch.setattr(servers.shutil, "which", lambda name: name)
    gives = [(1, "npm error code EINTEGRITY"), (0, "")]
    monkeypatch.setattr(venvs, "run", lambda *_: gives.pop(0))
    with pytest.raises(venvs.InstallError, match="package-lock"):
        servers.node_modules()
    assert servers.node_modules() == servers.node_modules()
    assert gives == []
