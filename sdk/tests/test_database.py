"""The database: the data of the JSON, whole or not at all. (lesson 05)"""

import json
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sdk import database
from sdk.database import Database, DatabaseError
from tools import files


def json_of(name: str) -> list[dict]:
    return json.loads((database.SOURCE / f"{name}.json").read_text("utf-8"))


def change(path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.fixture
def made(tmp_path):
    """The path of a good database."""
    return Database(tmp_path).path


def test_it_holds_every_ticket_of_the_json_with_all_its_parts(tmp_path):
    rows = Database(tmp_path).tickets()
    parts = [{name: row[name] for name in database.TICKET} for row in rows]
    more = [json.loads(row["more"]) for row in rows]
    assert [one | rest for one, rest in zip(parts, more, strict=True)] == json_of(
        "tickets"
    )


def test_it_holds_every_policy_of_the_json(tmp_path):
    rows = Database(tmp_path).policies()
    parts = [{name: row[name] for name in database.POLICY} for row in rows]
    assert parts == json_of("policies")


def test_one_ticket_is_found_by_its_number_alone(tmp_path):
    data = Database(tmp_path)
    assert data.ticket("2318")["subject"] == "Charged twice for October"
    for number in ("", "#2318", "2318 ", "9999", "2318' OR '1'='1"):
        assert data.ticket(number) is None


def test_it_is_made_once_and_read_afterwards(made):
    before = made.stat()
    Database(made.parent)
    after = made.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [path.name for path in made.parent.iterdir()] == [database.NAME]


def test_it_can_be_read_in_any_thread(tmp_path):
    data = Database(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(data.ticket, ["2318"] * 20))
    assert rows == [data.ticket("2318")] * 20


def test_it_is_opened_for_reading_only(tmp_path):
    with (
        Database(tmp_path)._opened() as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM tickets")


def test_a_folder_with_odd_characters_is_no_problem(tmp_path):
    folder = tmp_path / "what? 50% #1 é"
    assert Database(folder).ticket("2318")
    assert (folder / database.NAME).is_file()


BAD = {
    "no database": (b"hello, this is a text\n" * 100, "file is not a database"),
    "empty": (b"", "not a database of this helpdesk"),
    "half a header": (b"SQLite format 3\0", "file is not a database"),
}


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_a_file_that_is_none_is_reported_and_kept(tmp_path, data, reason):
    path = tmp_path / database.NAME
    path.write_bytes(data)
    with pytest.raises(DatabaseError) as error:
        Database(tmp_path)
    assert str(path) in str(error.value)
    assert reason in str(error.value)
    assert path.read_bytes() == data


def test_a_file_that_is_cut_off_is_reported_and_kept(made):
    made.write_bytes(made.read_bytes()[: made.stat().st_size // 2])
    kept = made.read_bytes()
    with pytest.raises(DatabaseError, match="left as it is"):
        Database(made.parent)
    assert made.read_bytes() == kept


def test_a_file_with_a_broken_page_is_reported(made):
    data = bytearray(made.read_bytes())
    data[8192:12288] = b"\x55" * 4096
    made.write_bytes(data)
    with pytest.raises(DatabaseError, match="left as it is"):
        Database(made.parent)


@pytest.mark.parametrize("version", [0, database.VERSION + 1])
def test_a_file_of_another_version_is_reported_and_kept(made, version):
    change(made, f"PRAGMA user_version = {version}")
    kept = made.read_bytes()
    with pytest.raises(DatabaseError, match=f"made in version {version}, this program"):
        Database(made.parent)
    assert made.read_bytes() == kept


def test_a_database_of_another_program_is_reported_and_kept(tmp_path):
    path = tmp_path / database.NAME
    change(path, "CREATE TABLE bookings (id)", "PRAGMA user_version = 1")
    kept = path.read_bytes()
    with pytest.raises(DatabaseError, match="not a database of this helpdesk"):
        Database(tmp_path)
    assert path.read_bytes() == kept


def test_something_that_can_not_be_opened_is_reported(tmp_path):
    (tmp_path / database.NAME).mkdir()
    with pytest.raises(DatabaseError, match="It was left as it is"):
        Database(tmp_path)


def test_a_folder_in_which_nothing_can_be_written_is_reported(tmp_path, monkeypatch):
    def refuse(path, data):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "replace", refuse)  # the superuser may write anywhere
    with pytest.raises(DatabaseError, match="can't be made: Permission denied"):
        Database(tmp_path)


def test_a_folder_that_is_a_file_is_reported(tmp_path):
    (tmp_path / "data").write_text("")
    with pytest.raises(DatabaseError, match="can't be made"):
        Database(tmp_path / "data")


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_file_that_nobody_may_write_is_reported_and_kept(made):
    data = made.read_bytes()
    made.chmod(0o444)
    with pytest.raises(DatabaseError, match="the file is read-only"):
        Database(made.parent)
    assert made.read_bytes() == data


def test_when_another_process_was_quicker_its_file_is_used(tmp_path, monkeypatch):
    def lose(path, data):
        path.write_bytes(data)
        raise PermissionError(13, "it is open")  # as Windows says then

    monkeypatch.setattr(files, "replace", lose)
    assert Database(tmp_path).ticket("2318")


def test_the_option_counts_more_than_the_environment(monkeypatch, tmp_path):
    monkeypatch.delenv("HELPDESK_DATA", raising=False)
    assert database.chosen(None) == database.FOLDER
    monkeypatch.setenv("HELPDESK_DATA", str(tmp_path))
    assert database.chosen(None) == tmp_path
    assert database.chosen("here") == database.Path("here")
