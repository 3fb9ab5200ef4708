"""A fresh data folder: new, named by the environment, and gone afterwards."""

import os

from tools import fresh
from tools.child import Child


def test_a_folder_is_empty_and_does_not_outlive_its_use():
    with fresh.folder() as first, fresh.folder() as second:
        assert first != second and os.listdir(first) == []
        with open(os.path.join(first, "key"), "w", encoding="utf-8") as file:
            file.write("x")
    assert not os.path.exists(first) and not os.path.exists(second)


def test_the_environment_names_folder_and_person_and_is_the_callers_else(monkeypatch):
    monkeypatch.setenv("HELPDESK_DATA", "mine")
    monkeypatch.setenv("HELPDESK_USER", "me")
    monkeypatch.setenv("OTHER", "stays")
    made = fresh.environment("folder")
    assert made["HELPDESK_DATA"] == "folder" and made["OTHER"] == "stays"
    assert "HELPDESK_USER" not in made
    assert fresh.environment("folder", "ben")["HELPDESK_USER"] == "ben"
    assert os.environ["HELPDESK_DATA"] == "mine"


def test_a_child_gets_the_environment_it_is_given():
    code = "import os; print(os.environ['HELPDESK_DATA'])"
    given = fresh.environment("a folder")
    with Child(["python", "-c", code], env=given) as child:
        assert child.receive()[1].rstrip() == b"a folder"
