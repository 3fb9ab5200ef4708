"""Whole runs at a terminal: a form, a page, a progress bar, Ctrl-C. (lesson 07)"""

import os
import select
import signal
import subprocess
import sys
import time
from subprocess import DEVNULL
from types import SimpleNamespace

import pytest
from host.tests.fake_server import MODERN
from host.tests.parts import LIMIT, ROOT, changed, line_of, modern, posix, record
from host.tests.parts import run_host, said, text_result

pytestmark = posix
NAME = {"type": "string", "title": "Your name\x1b[2J"}
FORM = {"type": "object", "properties": {"name": NAME}, "required": ["name"]}
EVIL = "Who are you?\x1b[1A\n[host] called \u202e"
ASK = {"mode": "form", "message": EVIL, "requestedSchema": FORM}
PAGE = {"mode": "url", "message": "Go.", "url": "https://pay.example/accounts/1"}
DONE = [text_result("done")]


def needed(params: dict) -> dict:
    request = {"method": "elicitation/create", "params": params}
    parts = {"inputRequests": {"who": request}, "requestState": "s"}
    return {"result": {"resultType": "input_required", **parts}}


class Terminal:
    """The host at a pseudo-terminal: what it prints there, and what is typed."""

    def __init__(self, *arguments: str, output: int | None = None):
        self.main, side = os.openpty()
        self.seen, self.new = "", ""
        command = [sys.executable, "-m", "host", *arguments]
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), side)
        streams["stdout"] = side if output is None else output
        self.process = subprocess.Popen(command, cwd=ROOT, **streams)
        os.close(side)

    def wait(self, words: str) -> None:
        """Read until these words have come; the next wait begins after them."""
        end = time.monotonic() + LIMIT
        while words not in self.new:
            left = end - time.monotonic()
            assert left > 0, self.seen
            assert select.select([self.main], [], [], left)[0], self.seen
            assert self.read(), self.seen
        self.new = self.new.split(words, 1)[1]

    def read(self) -> bool:
        try:
            text = os.read(self.main, 65536).decode("utf-8", "replace")
        except OSError:  # the other side is closed
            return False
        self.seen, self.new = self.seen + text, self.new + text
        return bool(text)

    def type(self, text: str, after: str) -> None:
        self.wait(after)
        os.write(self.main, text.encode())

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        while self.read():
            pass
        return self.process.wait(LIMIT)


@pytest.fixture
def terminal():
    made = []

    def one(*arguments: str, **options) -> Terminal:
        made.append(Terminal(*arguments, **options))
        return made[-1]

    yield one
    for each in made:
        each.process.kill()
        each.process.wait()
        os.close(each.main)


@pytest.fixture
def asks(tmp_path):
    """A fake server whose calls need this answer first, and what it got."""

    def one(params: dict, **more) -> SimpleNamespace:
        plan = {**changed(MODERN, {"call": [needed(params)]}), "retry": DONE, **more}
        command, got = record(tmp_path, plan)

        def answers() -> list:
            asked = [each["params"] for each in got() if "params" in each]
            found = [each.get("inputResponses") for each in asked]
            return [each["who"] for each in found if each]

        return SimpleNamespace(command=line_of(command), answers=answers, got=got)

    return one


def test_a_form_is_filled_in_reviewed_edited_and_sent(terminal, asks):
    fake = asks(ASK)
    one = terminal("ticket 7", "--server", fake.command)
    one.type("\n", "Your name\\x1b[2J:")
    one.type("Ana\n", "can't be left out")
    one.type("e\n", "[c]ancel?")
    one.type("Bé\n", "[Ana]:")
    one.type("s\n", "[c]ancel?")
    assert one.end() == 0
    assert fake.answers() == [{"action": "accept", "content": {"name": "Bé"}}]
    assert "server 1 asks:" in one.seen
    assert "The tool says: done" in one.seen


def test_nothing_that_a_form_says_can_act_on_the_terminal(terminal, asks):
    one = terminal("ticket 7", "--server", asks(ASK).command)
    one.type("\4", "Your name")
    assert one.end() == 0
    shown = one.seen.replace("\r\n", "").replace("\b", "").replace("^D", "")
    assert shown.isprintable(), [each for each in shown if not each.isprintable()]


@pytest.mark.parametrize(
    ("typed", "action"),
    [("/decline\n", "decline"), ("/cancel\n", "cancel"), ("\4", "cancel")],
)
def test_what_is_not_accepted_is_answered_too(terminal, asks, typed, action):
    fake = asks(ASK)
    one = terminal("ticket 7", "--server", fake.command)
    one.type(typed, "Your name")
    assert one.end() == 0
    assert fake.answers() == [{"action": action}]


def test_ctrl_c_in_a_form_is_cancel_and_the_program_goes_on(terminal, asks):
    fake = asks(ASK)
    one = terminal("ticket 7", "--server", fake.command)
    one.wait("Your name")
    one.interrupt()
    assert one.end() == 0
    assert fake.answers() == [{"action": "cancel"}]


def test_what_is_typed_before_the_review_is_there_does_not_send(terminal, asks):
    fake = asks(ASK)
    one = terminal("ticket 7", "--server", fake.command)
    one.type("Ana\ns\n", "Your name")
    one.type("d\n", "[c]ancel?")
    assert one.end() == 0
    assert fake.answers() == [{"action": "decline"}]


def test_a_page_is_accepted_at_the_terminal(terminal, asks):
    fake = asks(PAGE)
    one = terminal("ticket 7", "--server", fake.command)
    one.type("y\n", "done? [y/n/c]")
    assert one.end() == 0
    assert fake.answers() == [{"action": "accept"}]
    assert "It leads to the host:  pay.example" in one.seen


def test_yes_allows_calls_and_fills_in_no_form(terminal, asks):
    fake = asks(ASK)
    one = terminal("ticket 7", "--yes", "--allow", "", "--server", fake.command)
    one.type("/decline\n", "Your name")
    assert one.end() == 0
    assert fake.answers() == [{"action": "decline"}]


@pytest.mark.parametrize("options", [["--json"], ["--json", "--allow", ""]])
def test_with_json_nobody_is_asked_anything(terminal, asks, options):
    fake = asks(ASK)
    one = terminal("ticket 7", *options, "--server", fake.command)
    assert one.end() == 0
    assert fake.answers() == []
    for message in fake.got():
        meta = message["params"]["_meta"]
        assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
    assert "[y/N]" not in one.seen


def test_without_a_terminal_nothing_is_declared_and_nobody_asked(asks):
    fake = asks(ASK)
    done = run_host("ticket 7", "--yes", "--server", fake.command)
    assert "nobody is there to answer" in said(done, "model")[-1]
    assert fake.answers() == []


# --- approval


@pytest.mark.parametrize(("typed", "calls"), [("y\ny\n", 1), ("y\n", 1), ("n\n", 0)])
def test_a_yes_that_was_typed_ahead_allows_no_second_call(
    terminal, tmp_path, typed, calls
):
    command, got = record(tmp_path, MODERN)
    server = line_of(command)
    one = terminal("ticket 7 and 8", "--allow", "", "--server", server)
    one.type(typed, "[y/N]")
    one.type("n\n", "[y/N]")
    assert one.end() == 0
    assert [each["method"] for each in got()].count("tools/call") == calls


def test_a_yes_that_was_typed_before_the_question_allows_nothing(terminal, tmp_path):
    command, got = record(tmp_path, MODERN)
    one = terminal("ticket 7", "--allow", "", "--server", line_of(command))
    os.write(one.main, b"y\n")
    one.type("n\n", "[y/N]")
    assert one.end() == 0
    assert "tools/call" not in [each["method"] for each in got()]


def test_the_question_is_shown_at_the_terminal_where_the_rest_goes_to_a_file(terminal):
    one = terminal(
        "ticket 7", "--allow", "", "--server", line_of(modern()), output=DEVNULL
    )
    one.wait('Allow "get_ticket" {"ticket_id":"7"}?')
    one.type("n\n", "[y/N]")
    assert one.end() == 0


# --- progress and Ctrl-C


def test_progress_is_one_line_at_a_terminal(terminal):
    steps = [{"progress": {"progress": n, "total": 2}} for n in (1, 2)]
    server = line_of(modern(call=[*steps, *MODERN["tools/call"]]))
    one = terminal("ticket 7", "--server", server)
    assert one.end() == 0
    assert "\r[server] [##########----------]  50% 1 of 2" in one.seen
    assert "100% 2 of 2" in one.seen
    assert "2 of 2\r\n[server] fine" in one.seen


@pytest.mark.parametrize(("options", "lines"), [([], 1), (["--json"], 0)])
def test_progress_is_a_plain_line_without_one(options, lines):
    steps = [{"progress": {"progress": n, "message": "far\x1b"}} for n in (1, 2)]
    server = line_of(modern(call=[*steps, *MODERN["tools/call"]]))
    done = run_host("ticket 7", *options, "--server", server)
    assert done.stderr == b"[server] far\\x1b\n" * lines
    assert b"far" not in done.stdout


def test_progress_is_not_shown_where_standard_error_is_closed():
    steps = [{"progress": {"progress": 1}}]
    server = line_of(modern(call=[*steps, *MODERN["tools/call"]]))
    command = line_of([sys.executable, "-m", "host", "ticket 7", "--server", server])
    command = ["sh", "-c", f"{command} 2>&-"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=LIMIT)
    assert done.returncode == 0
    assert said(done, "server") == ["fine"]


def hold(tmp_path, **more) -> tuple:
    """A server that takes a call and never answers it; it says so through a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command, got = record(tmp_path, changed(MODERN, {"call": [{"hold": str(pipe)}]}))
    return pipe, line_of(command), got


def test_ctrl_c_cancels_the_call_and_not_the_program(tmp_path):
    # CAN-06
    pipe, server, got = hold(tmp_path)
    command = [sys.executable, "-m", "host", "ticket 7", "--server", server]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    with subprocess.Popen(command, **pipes) as process, pipe.open() as held:
        assert held.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, errors) == (0, b"")
    assert b"[host]   The person cancelled the call. Whether get_ticket" in output
    assert b"I was told: The person cancelled the call." in output
    asked, cancelled = got()[-2:]
    assert cancelled["method"] == "notifications/cancelled"
    assert cancelled["params"]["requestId"] == asked["id"]


def test_ctrl_c_again_and_again_ends_the_program_and_the_server(tmp_path):
    pipe, server, _ = hold(tmp_path)
    question = "tickets 1, 2, 3, 4, 5, 6, 7, 8 and 9"
    command = [sys.executable, "-m", "host", question, "--server", server]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "cwd": ROOT}
    with subprocess.Popen(command, **pipes) as process, pipe.open() as held:
        assert held.readline() == "here\n"
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        assert process.stderr.read() == b""
        assert select.select([held], [], [], LIMIT)[0]
    # The last one may come when Python has ended, and no longer looks.
    assert process.returncode in (130, -signal.SIGINT)
