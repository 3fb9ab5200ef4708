"""What comes from outside: the folder, its key, the user's name. (lesson 06)"""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from handwritten import wire
from handwritten.tests.talk import request
from handwritten.world import World, make_file

ROOT = Path(__file__).resolve().parents[2]


def test_the_key_is_made_once_and_kept(tmp_path):
    folder = tmp_path / "new" / "helpdesk"
    key = World(str(folder)).key
    assert World(str(folder)).key == key
    assert len(key) == 32
    assert [path.name for path in folder.iterdir()] == ["key"]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps other kinds of rights")
def test_only_its_owner_can_read_what_is_kept(tmp_path):
    folder = tmp_path / "helpdesk"
    world = World(str(folder))
    assert world.key
    world.database.execute("create table a (b)")
    for name in ("key", "state.db"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_of_two_that_make_the_key_at_once_the_first_wins(tmp_path):
    path = tmp_path / "key"
    make_file(str(path), b"first")
    make_file(str(path), b"second")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_twin_may_come_in_between_as_threads_of_one_process_do(tmp_path, monkeypatch):
    path, link = tmp_path / "key", os.link

    def late(*names):
        monkeypatch.setattr(os, "link", link)
        make_file(str(path), b"twin")
        link(*names)

    monkeypatch.setattr(os, "link", late)
    make_file(str(path), b"first")
    assert path.read_bytes() == b"twin"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_no_key_is_not_used(tmp_path):
    (tmp_path / "key").write_bytes(b"")
    with pytest.raises(ValueError, match="no key"):
        _ = World(str(tmp_path)).key


def test_without_a_folder_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert World().key != World().key
    world = World()
    world.database.execute("create table a (b)")
    assert list(tmp_path.iterdir()) == []


def run(*requests: dict, options=(), **environment) -> list[dict]:
    kept = {name: os.environ[name] for name in os.environ if "HELPDESK" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "handwritten", *options],
        input=b"".join(map(wire.encode, requests)),
        capture_output=True,
        cwd=ROOT,
        env={**kept, **environment},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def listing(**params) -> dict:
    return request("resources/list", params)


def test_a_cursor_survives_a_restart_and_belongs_to_a_user(tmp_path):
    options = ("--data", str(tmp_path / "a"))
    (first,) = run(listing(), options=options)
    more = listing(cursor=first["result"]["nextCursor"])
    by_environment = {"HELPDESK_DATA": str(tmp_path / "a")}
    for good in (
        run(more, options=options),
        run(more, **by_environment),
        run(more, options=options, HELPDESK_DATA=str(tmp_path / "b")),
        run(more, **by_environment, HELPDESK_USER="local"),
        run(more, **by_environment, HELPDESK_USER=""),
    ):
        assert "result" in good[0]
    for bad in (
        run(more, options=("--data", str(tmp_path / "c"))),
        run(more, **by_environment, HELPDESK_USER="ana"),
    ):
        assert bad[0]["error"]["code"] == -32602


@pytest.mark.parametrize("made", ["a file", "a short key"])
def test_a_folder_that_cannot_be_used_is_said_at_once(tmp_path, made):
    place = tmp_path / ("data" if made == "a file" else "key")
    place.write_bytes(b"too short")
    folder = place if made == "a file" else tmp_path
    words = [sys.executable, "-m", "handwritten", "--data", str(folder)]
    done = subprocess.run(words, capture_output=True, input=b"", cwd=ROOT)
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert said.startswith("helpdesk: the data folder can't be used: ")
    assert str(place) in said and len(said.splitlines()) == 1


def test_a_damaged_database_is_no_reason_to_die(tmp_path):
    (tmp_path / "state.db").write_bytes(b"no database at all" * 100)
    asked = [request("tools/call", {"name": "list_drafts"}), request("tools/list")]
    refused, good = run(*asked, options=("--data", str(tmp_path)))
    assert refused["result"]["isError"] is True
    assert str(tmp_path) not in str(refused)
    assert good["result"]["tools"]
