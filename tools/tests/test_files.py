"""A file is written whole, or it stays as it was."""

import os

import pytest

from tools import files


def test_a_file_and_its_folders_are_made_and_nothing_is_left_beside(tmp_path):
    path = tmp_path / "a" / "b.txt"
    files.replace(path, b"one\n")
    files.replace(path, b"two\r\n")
    assert path.read_bytes() == b"two\r\n"
    assert os.listdir(path.parent) == ["b.txt"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "b.txt"
    files.replace(path, b"old")

    def fail(*paths):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="full"):
        files.replace(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["b.txt"]
