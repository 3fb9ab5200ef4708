"""A lesson that is run shows what happened, says what differs, and leaves cleanly."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lessons import play, screen
from lessons.manifest import ROOT, Lesson, Program, Session, Step
from tools.docs import terminal
from tools.record import PlayError
from tools.transcript import Entry, Transcript, write

REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'
ENTRIES = [
    Entry(1.0, "client", REQUEST),
    Entry(2.0, "log", b"first line \x1b[31m"),
    Entry(3.5, "server", ANSWER),
]
STEP = Step(REQUEST + b"\n", 1, "A note.", "And then.", "What will come?")


class Kept(Session):
    """A session whose recording is where a test says."""

    folder = Path()

    @property
    def transcript(self):
        return self.folder / f"{self.name}.jsonl"


@pytest.fixture
def session(tmp_path):
    made = Kept(7, "01-one", "Title one", "About it.", ("python", "x"), (STEP,), "")
    object.__setattr__(made, "folder", tmp_path)
    write(made.transcript, Transcript({"transcript": 1}, ENTRIES, 0))
    return made


def lesson(*sessions: Session, question: str = "") -> Lesson:
    return Lesson(
        7,
        "x",
        "A title",
        1,
        "Why\nso?",
        ("see it",),
        question,
        ("Read it.",),
        (),
        (),
        (),
        sessions,
        (),
    )


def plays(entries, code=0):
    def play_it(session, directory):
        yield from entries
        return code

    return play_it


def performed(session, entries=ENTRIES, code=0, step=False) -> bool:
    return play.perform(lesson(session), session.folder, plays(entries, code), step)


def test_a_run_shows_everything_in_its_order(session, capsys):
    assert performed(session) is False
    said = capsys.readouterr().out
    parts = [
        "Lesson 07: A title",
        "- see it",
        "Puzzle: Why so?",
        "01-one: Title one",
        "About it.",
        "$ python x",
        "A note.",
        "-> request 1 server/discover",
        f"{len(REQUEST) + 1} bytes",
        REQUEST.decode(),
        r"log first line \x1b[31m",
        "<- result 1",
        f"{len(ANSWER) + 1} bytes       2.5 ms",
        ANSWER.decode(),
        "And then.",
        "= the same as the recording",
        "What to do next",
        "- Read it.",
    ]
    places = [said.index(part) for part in parts]
    assert places == sorted(places)
    assert "\x1b" not in said


def test_a_difference_is_said(session, capsys):
    assert performed(session, [*ENTRIES[:2], Entry(3, "server", b"{}")]) is True
    assert "DIFFERENT: " in capsys.readouterr().out


def test_another_exit_code_is_a_difference(session):
    assert performed(session, code=1) is True


def test_a_missing_recording_is_a_difference(session, capsys):
    session.transcript.unlink()
    assert performed(session) is True
    assert "No such file" in capsys.readouterr().out


def test_a_session_that_breaks_off_is_a_difference(session, capsys):
    def breaks(session, directory):
        yield ENTRIES[0]
        raise PlayError("nothing came back")

    assert play.perform(lesson(session, session), session.folder, breaks, False)
    assert capsys.readouterr().out.count("DIFFERENT: nothing came back") == 2


def test_a_long_message_is_shortened_with_the_command_that_shows_it(session, capsys):
    long = Entry(4, "server", b'{"id":1,"result":{"a":"' + b"y," * 4000 + b'"}}')
    entries = [*ENTRIES, long]
    write(session.transcript, Transcript({"transcript": 1}, entries, 0))
    performed(session, entries)
    said = capsys.readouterr().out
    assert f"tools.transcript show {session.transcript} 4" in said
    assert "8,0" in said
    shown = [row for row in said.splitlines() if str(session.transcript) not in row]
    assert max(map(len, shown)) <= 100


@pytest.mark.parametrize("wide", ["40", "72", "100", "250"])
def test_nothing_is_wider_than_the_terminal(session, monkeypatch, capsys, wide):
    monkeypatch.setenv("COLUMNS", wide)
    entries = [*ENTRIES, Entry(4, "server", ('"' + "漢字 é" * 90 + '"').encode())]
    performed(session, [*entries, Entry(5, "log", b"z" * 500)])
    shown = capsys.readouterr().out.replace(str(session.transcript), "")
    blocks = [row for row in shown.splitlines() if row.startswith(("   ", "log"))]
    limit = min(int(wide), 100)
    assert max(screen.columns(row) for row in blocks) <= limit


def test_a_step_waits_before_each_message(session, monkeypatch, capsys):
    seen = []

    def wait(prompt):
        seen.append(capsys.readouterr().out)
        return ""

    monkeypatch.setattr("builtins.input", wait)
    performed(session, step=True)
    assert "What will the client send?" in seen[0]
    assert "-> request" not in seen[0]
    assert "-> request" in seen[1]
    assert "What will come?" in seen[1]
    assert "<- result" not in seen[1]
    assert len(seen) == 2


def test_a_question_about_silence_is_asked_too(session, monkeypatch, capsys):
    quiet = Step(b"x\n", 0, "", "Silence.", "What will it answer?")
    object.__setattr__(session, "steps", (quiet,))
    asked = iter(["", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(asked))
    performed(session, ENTRIES[:1], step=True)
    said = capsys.readouterr().out
    assert said.index("What will it answer?") < said.index("Silence.")
    assert list(asked) == []


@pytest.mark.parametrize("how", ["q", EOFError])
def test_leaving_a_step_ends_the_session(session, monkeypatch, how):
    closed = []

    def play_it(session, directory):
        try:
            yield from ENTRIES
        finally:
            closed.append(True)

    def leave(prompt):
        if how is EOFError:
            raise EOFError
        return how

    monkeypatch.setattr("builtins.input", leave)
    with pytest.raises(screen.Left):
        play.perform(lesson(session), session.folder, play_it, True)
    assert closed == [True]


def test_the_host_is_asked_the_question(session, capsys):
    (session.folder / "host.py").write_text(
        "import sys\nprint('[host]', sys.argv[1], repr(sys.stdin.read()))\n"
        "sys.exit(int(sys.argv[1] == 'fail'))\n",
        "utf-8",
    )
    run = plays(ENTRIES)
    asked = lesson(session, question="What is it?")
    assert play.perform(asked, session.folder, run, False) is False
    assert "[host] What is it? ''" in capsys.readouterr().out
    assert play.perform(lesson(question="fail"), session.folder, run, False) is True
    assert "exit code 1" in capsys.readouterr().out


def test_a_program_that_does_not_end_is_ended(tmp_path):
    sleeper = ["python", "-c", "import time; print(1, flush=True); time.sleep(600)"]
    with pytest.raises(screen.CannotRun, match="did not end within"):
        screen.program(sleeper, tmp_path, 0.5)


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert screen.coloured("x", "log") == "x"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert screen.coloured("x", "log") != "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert screen.coloured("x", "log") == "x"


def test_folding_loses_nothing():
    text = '{"a":[1,2,3],"b":"' + "漢" * 50 + '","c":"' + "x" * 70 + '"}'
    rows = screen.fold(text, 20)
    assert "".join(rows) == text
    assert max(map(screen.columns, rows)) <= 20


def with_programs(*codes: int) -> Lesson:
    programs = [Program("Shown", ("python", "-c", f"exit({code})")) for code in codes]
    return dataclasses.replace(lesson(), programs=tuple(programs))


@pytest.mark.parametrize(("codes", "differs"), [((0, 0), False), ((0, 1), True)])
def test_a_program_of_a_lesson_that_fails_is_a_difference(
    codes, differs, tmp_path, monkeypatch
):
    monkeypatch.setattr(play.setup, "ensure", lambda: sys.executable)
    played = play.perform(with_programs(*codes), tmp_path, plays([]), False)
    assert played is differs


def test_where_the_packages_are_missing_a_program_is_not_run(tmp_path, monkeypatch):
    def none():
        raise play.setup.SetupError("no network")

    monkeypatch.setattr(play.setup, "ensure", none)
    with pytest.raises(play.screen.CannotRun, match="needs packages: no network"):
        play.perform(with_programs(0), tmp_path, plays([]), False)


def test_a_restart_is_told_between_the_messages(session, capsys):
    first = dataclasses.replace(STEP, note="First.", then="")
    alone = Step(b"", 0, "Ben comes.", "There he is.", "", restart="ben")
    with_line = dataclasses.replace(STEP, note="Again.", then="End.", restart="")
    object.__setattr__(session, "steps", (first, alone, STEP, with_line))
    turn = [ENTRIES[0], ENTRIES[2]]
    entries = [*turn, Entry(4, "restart", b"ben"), *turn]
    entries += [Entry(5, "restart", b"", killed=True), *turn]
    write(session.transcript, Transcript({"transcript": 1}, entries, 0))
    assert performed(session, entries) is False
    said = capsys.readouterr().out
    parts = [
        "First.",
        "Ben comes.",
        "== the server is ended and started again, now for ben",
        "There he is.",
        "A note.",
        "And then.",
        "Again.",
        "== the server is killed and started again, now for the default user",
        "-> request",
        "End.",
    ]
    places = []
    for part in parts:
        places.append(said.index(part, places[-1] if places else 0))
    assert said.count("Again.") == 1 and said.count("Ben comes.") == 1


def test_a_restart_does_not_count_as_a_message():
    entries = [*ENTRIES, Entry(4, "restart", b""), ENTRIES[0]]
    assert play.numbers(Transcript({}, entries, 0)) == [1, 3, 5]


TELLS = (
    "import os, sys\n"
    "data = os.environ['HELPDESK_DATA']\n"
    "print('[host]', os.listdir(data), 'HELPDESK_USER' in os.environ)\n"
    "open(os.path.join(data, 'key'), 'w').close()\n"
)


def test_host_and_programs_begin_with_an_empty_folder(session, capsys, monkeypatch):
    monkeypatch.setattr(play.setup, "ensure", lambda: sys.executable)
    monkeypatch.setenv("HELPDESK_USER", "me")
    (session.folder / "host.py").write_text(TELLS, "utf-8")
    program = Program("Shown", ("python", "-m", "host"))
    asked = dataclasses.replace(lesson(question="x"), programs=(program,))
    assert play.perform(asked, session.folder, plays([]), False) is False
    assert capsys.readouterr().out.count("[host] [] False\n") == 2


needs_terminal = pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
CONVERSATION = """
import sys
from pathlib import Path
from lessons import screen
command = ["python", "-c", sys.argv[1]]
print("code", screen.conversation(command, Path.cwd(), 60))
"""


@needs_terminal
def test_at_a_terminal_a_program_can_ask_the_person():
    asks = "print('Go on?', sys.stdin.isatty()); print(input('[y/N] ')); exit(3)"
    command = [sys.executable, "-c", CONVERSATION, f"import sys; {asks}"]
    code, shown = terminal.run(command, ROOT, os.environ, b"yes\n", 60)
    assert code == 0
    assert shown.split("\n") == ["Go on? True", "[y/N] yes", "yes", "code 3", ""]


INTERRUPTED = """
import sys, termios
from pathlib import Path
from lessons import screen
modes = termios.tcgetattr(0)
modes[3] &= ~termios.ECHO
termios.tcsetattr(0, termios.TCSANOW, modes)
try:
    print("code", screen.conversation(["python", "-c", sys.argv[1]], Path.cwd(), 60))
except KeyboardInterrupt:
    print("stopped")
"""
ENDS = "input('Ctrl-C? ')"
GOES_ON = f"""
try:
    {ENDS}
except KeyboardInterrupt:
    print("\\ncancelled")
"""


@needs_terminal
@pytest.mark.parametrize(
    ("program", "last"), [(ENDS, ["stopped"]), (GOES_ON, ["cancelled", "code 0"])]
)
def test_what_ctrl_c_means_is_for_the_program_to_say(program, last):
    command = [sys.executable, "-c", INTERRUPTED, program]
    code, shown = terminal.run(command, ROOT, os.environ, b"\x03\n", 60)
    rows = shown.split("\n")
    assert code == 0 and [row for row in rows if row in last] == last


def test_without_a_terminal_a_program_reads_the_end_of_its_input():
    reads = "import sys; print(repr(sys.stdin.read()))"
    done = subprocess.run(
        [sys.executable, "-c", CONVERSATION, reads],
        cwd=ROOT,
        input=b"not for it\n",
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.split() == [b"''", b"code", b"0"]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_program_that_is_not_there_is_a_sentence(monkeypatch, tmp_path, terminal):
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    with pytest.raises(screen.CannotRun, match="'no-such-program' can't be started"):
        screen.conversation(["no-such-program"], tmp_path, 1)
