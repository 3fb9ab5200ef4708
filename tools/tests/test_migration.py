"""The migration lab: each text occurs, and the next step mends it. (lesson 05)"""

import difflib
import itertools
import json
import re
import socket
import subprocess
import sys
import time

import pytest

from tools import migration, venvs
from tools.child import Child
from tools.migration import install, lab, show

STEPS = lab.steps()
MET = [each for step in STEPS for each in step.errors if each.mcp == 2]
MET_OLD = [each for step in STEPS for each in step.errors if each.mcp == 1]
LAST = len(STEPS) - 1
LAST_CLIENT = (LAST, "client")
MENDED = {(each.mended, each.run) for each in MET}
FILES = ("server.py", "client.py", "requirements.txt")
CONVERSATION = """\
error:  Error executing tool open_ticket: no ticket 9999
result: Charged twice for October
asked:  Refund 49 dollars for 2318?
result: Refunded 49 dollars for 2318.
"""


def name(error):
    return f"{error.step:02}-{error.run}"


@pytest.fixture(scope="module")
def together():
    """What each run prints, by step and run: all in one process, for the time."""
    runs = sorted({(each.step, each.run) for each in MET} | {LAST_CLIENT} | MENDED)
    done = subprocess.run(
        [sys.executable, "-m", "tools.tests.migration_together"],
        cwd=lab.ROOT,
        input=json.dumps(runs),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return dict(zip(runs, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("error", MET, ids=name)
def test_the_text_of_a_step_is_printed_and_gone_once_mended(error, together):
    assert error.text in together[error.step, error.run]
    assert error.text not in together[error.mended, error.run]


def test_the_last_step_prints_the_same_in_one_process_as_in_two(together):
    rows = together[LAST_CLIENT].splitlines(keepends=True)
    assert "".join(row for row in rows if row != "opened 2318\n") == CONVERSATION


@pytest.mark.soak
@pytest.mark.parametrize("error", MET, ids=name)
def test_so_it_is_where_every_program_is_a_process(error):
    assert error.text in lab.play(error.step, error.run, 2).all
    assert error.text not in lab.play(error.mended, error.run, 2).all


def test_the_texts_that_the_lab_does_not_meet_are_raised_by_their_lines():
    met = lab.raises()
    for error, text in zip(lab.others(), met, strict=True):
        assert text.startswith(error.text), error.code


def test_the_last_step_has_the_whole_conversation_and_no_trace_of_an_error():
    printed = lab.play(*LAST_CLIENT, 2)
    assert (printed.out, printed.code) == (CONVERSATION, 0)
    assert "Traceback" not in printed.err and "Deprecat" not in printed.err


@pytest.mark.soak
def test_the_last_step_answers_a_request_of_this_revision():
    printed = lab.play(LAST, "discover", 2)
    assert '"supportedVersions":["2026-07-28"]' in printed.out and printed.code == 0


@pytest.mark.soak
def test_the_last_step_serves_the_same_conversation_over_http():
    client = STEPS[LAST].folder / "client.py"
    assert over_http(sys.executable, client) == CONVERSATION


def over_http(python, client):
    """What this client prints, which talks to the server of the last step."""
    port = free_port()
    with Child(["python", "server.py", str(port)], cwd=STEPS[LAST].folder) as server:
        wait_for(port)
        done = subprocess.run(
            [str(python), str(client), f"http://127.0.0.1:{port}/mcp"],
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        server.close(grace=0.1)  # over HTTP it does not wait for the end of input
    assert done.returncode == 0, done.stderr
    return done.stdout


def free_port():
    with socket.socket() as any_socket:
        any_socket.bind(("127.0.0.1", 0))
        return any_socket.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < end, "the server did not listen"
            time.sleep(0.05)


def lines_changed(before, after):
    old, new = (each.read_text("utf-8").splitlines() for each in (before, after))
    rows = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    return [row for row in rows if not row.startswith("@@")]


def test_each_step_is_a_whole_program_and_changes_little():
    assert sorted(each.name for each in lab.FOLDER.glob("step-*")) == [
        f"step-{number:02}" for number in range(len(STEPS))
    ]
    for step in STEPS:
        assert {each.name for each in step.folder.glob("*.*")} == set(FILES)
    for before, after in itertools.pairwise(STEPS):
        pairs = [(before.folder / each, after.folder / each) for each in FILES]
        changed = [row for pair in pairs for row in lines_changed(*pair)]
        assert 1 <= len(changed) <= 32, after.number


def test_only_the_program_as_found_asks_for_any_mcp():
    asked = [(each.folder / "requirements.txt").read_text("utf-8") for each in STEPS]
    assert asked[:3] == ["mcp\n", "mcp>=1.30,<2\n", "mcp>=2.3,<3\n"]
    assert set(asked[3:]) == {asked[2]}


def test_the_page_holds_the_table_as_it_is():
    page = (lab.FOLDER / "README.md").read_text("utf-8")
    assert page.endswith(f"\n\n{show.table()}")


def test_every_row_says_what_to_do_about_it():
    for each in lab.errors():
        assert each.text and each.cause and each.remedy
        assert (each.step is None) == bool(each.code)
        assert each.step is None or each.run in lab.RUNS
        assert not set("|`") & set(each.text + each.cause + each.remedy)


def test_the_pins_hold_hashes_and_no_addresses():
    lines = install.PINS.read_text("utf-8").splitlines()
    body = [line for line in lines if not line.startswith("#")]
    pin = r"[a-z0-9-]+(\[[a-z, -]+\])?==[a-z0-9.]+( ; .*)? \\"
    for line in body:
        assert re.fullmatch(rf"{pin}|    --hash=sha256:[0-9a-f]{{64}}( \\)?", line)
    assert any(line.startswith("mcp==1.") for line in body)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Retrying (Retry\nERROR: No matching distribution found for a==1", "a==1: is"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "its hash differs"),
        ("Collecting a\nERROR: no space left", "mcp 1.x: no space left"),
        ("", "it said nothing"),
    ],
)
def test_what_pip_said_becomes_one_sentence(said, words):
    assert words in install.VENV.why(said) and "\n" not in install.VENV.why(said)


def test_without_a_network_the_first_run_says_that_it_needs_one(monkeypatch, capsys):
    def no_network(made):
        said = "Retrying (Retry\nERROR: No matching distribution found for mcp==1.30.0"
        raise install.InstallError(install.VENV.why(said))

    monkeypatch.setattr(venvs.Venv, "ready", lambda made: False)
    monkeypatch.setattr(venvs.Venv, "make", no_network)
    monkeypatch.setattr(lab, "play", lab.play.__wrapped__)  # without what it keeps
    assert migration.main(["0"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "migration: could not fetch mcp==1.30.0: is there a network? "
        "The first run with mcp 1.x needs one, the later ones none."
    )


def test_a_folder_that_can_not_be_made_is_a_sentence(monkeypatch, capsys):
    def full(made):
        raise OSError("no space left")

    monkeypatch.setattr(venvs.Venv, "ready", lambda made: False)
    monkeypatch.setattr(venvs.Venv, "make", full)
    with pytest.raises(install.InstallError, match="venv: no space left"):
        install.ensure_old_python()
    assert install.old_python() is None


def test_the_commands_fit_a_screen_and_give_their_exit_codes(capsys):
    assert migration.main([]) == 0
    assert migration.main(["--find", "isError"]) == 0
    assert migration.main(["2"]) == 0
    assert migration.main(["--find", "no such text"]) == 1
    for row in capsys.readouterr().out.splitlines():
        assert len(row) <= show.WIDTH and row.isprintable(), row


@pytest.mark.parametrize("words", [["99"], ["-1"], ["2", "--check"], ["--check", "x"]])
def test_what_cannot_run_is_refused(words, capsys):
    with pytest.raises(SystemExit) as caught:
        migration.main(words)
    assert caught.value.code == 2 and "error:" in capsys.readouterr().err


def test_a_text_that_is_not_printed_is_said(monkeypatch, capsys):
    wrong = lab.Error("nothing prints this", "c", "r", step=2, run="server", mended=2)
    step = lab.Step(2, "title", 2, (wrong,))
    monkeypatch.setattr(lab, "steps", lambda: (step, step, step))
    monkeypatch.setattr(lab, "others", lambda: ())
    monkeypatch.setattr(lab, "raises", lambda: [])
    assert migration.main(["--check"]) == 1
    assert "MISSING" in capsys.readouterr().out
    assert migration.main(["2"]) == 1


def as_found(number):
    printed = lab.play(number, "client", 1)
    lines = CONVERSATION.splitlines(keepends=True)
    lines.insert(1, "log:    opened 2318\n")
    assert (printed.out, printed.code) == ("".join(lines), 0)


@pytest.mark.soak
def test_mcp_1_is_installed_and_prints_its_texts():
    install.ensure_old_python()
    for number in (0, 1):
        as_found(number)
    for error in MET_OLD:
        assert error.text in lab.play(error.step, error.run, 1).all
        assert error.text not in lab.play(error.mended, error.run, 2).all


@pytest.mark.soak
def test_the_last_step_still_serves_a_client_of_mcp_1(tmp_path):
    # Its session had the ticket; now the call must bring it.
    text = (STEPS[0].folder / "client.py").read_text("utf-8")
    client = tmp_path / "client.py"
    given = text.replace('{"dollars"', '{"ticket_id": "2318", "dollars"')
    client.write_text(given, encoding="utf-8", newline="\n")
    assert over_http(install.ensure_old_python(), client) == CONVERSATION
