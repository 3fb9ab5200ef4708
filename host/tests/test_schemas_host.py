"""What becomes of calls, results and lists that break their schemas. (lesson 05)

Each test names the case it comes from and the public report behind it.
"""

import itertools
import subprocess
import sys

import pytest
from host import app, schemas
from host.__main__ import clients, main
from host.client import Refusal
from host.models.mock import MockModel
from host.schemas import Checker
from host.tests.fake_server import SCHEMA, TOOL
from host.tests.parts import (
    LIMIT,
    QUESTION,
    ROOT,
    Core,
    Person,
    Script,
    line_of,
    modern,
    proposal,
    text_result,
)

DONE = {"text": "That is all."}
NUMBERS = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
ADD = {"name": "add", "inputSchema": NUMBERS}
TIME = {
    "name": "get_time",
    "inputSchema": {"type": "object", "additionalProperties": False},
}
ANY = {"type": "object"}


@pytest.fixture(scope="module")
def checker():
    made = Checker()
    yield made
    made.close()


class Fake(Core):
    """A server with these tools, and one answer to every call."""

    def __init__(self, tools: list, answer: dict | Exception):
        super().__init__()
        self.listed, self.answer = tools, answer

    def request(self, method: str, params=None) -> dict:
        if method == "tools/list":
            return {"tools": self.listed}
        self.sent.append((method, params))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Run:
    """One session of a model that makes these calls in turn, then is done."""

    def __init__(self, checker, tools: list, answer=None, calls=(), allowed=None):
        self.core = Fake(tools, answer or text_result("fine")["result"])
        replies = [proposal(name, arguments) for name, arguments in calls]
        self.model, self.person = Script(*replies, DONE), Person(True)
        names = [tool["name"] for tool in tools if app.is_tool(tool)]
        names = names if allowed is None else allowed
        self.host = app.Host(self.model, self.person, lambda *_: None, names)
        self.host.checker = checker
        assert self.host.connect(self.core)
        self.answer = self.host.converse("?")

    def told(self) -> list[dict]:
        """What the model was told about each of its calls."""
        (messages, _) = self.model.seen[-1]
        return [each for each in messages if each["role"] == "tool"]

    def warnings(self) -> list[str]:
        texts = [step["text"] for step in self.host.steps]
        return [text for text in texts if "is left out" in text]


@pytest.fixture
def run(checker):
    def one(tools: list, answer=None, **more) -> Run:
        return Run(checker, tools, answer, **more)

    return one


# --- arguments


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "'a'"),  # TOOL-01: KeeperHub/keeperhub#2108, cline/cline#10553
        ({"a": "1", "b": 2}, "a: '1'"),  # TOOL-04: PostHog/posthog#48923
        ({"a": True, "b": 2}, "a: True"),  # TOOL-04: PostHog/posthog#48923
        ({"a": 1, "b": 2, "c": 3}, "'c'"),  # TOOL-05: morluto/jacobian#801
        ({"self": 1, "a": 1, "b": 2}, "'self'"),  # TOOL-06: vercel/ai#16035
        (
            {"__proto__": 1, "a b": 2},
            "'b' is a required property; Add",
        ),  # TOOL-06: vercel/ai#16035
    ],
)
def test_arguments_that_do_not_fit_stay_here_and_the_model_is_told_why(
    run, arguments, named
):
    made = run([ADD], calls=[("add", arguments)])
    assert made.core.sent == []
    (told,) = made.told()
    assert told["is_error"] is True
    assert told["text"].startswith("add: ")
    assert named in told["text"]


@pytest.mark.parametrize("arguments", [["x"], '{"a":1,"b":2}', 5])
def test_arguments_that_are_no_object_are_not_made_into_one(run, arguments):
    # TOOL-02: brightwave-inc/tidebreak#1464
    made = run([ADD], calls=[("add", arguments)])
    assert made.core.sent == []
    assert "must be an object" in made.told()[0]["text"]


def test_no_arguments_at_all_or_null_are_no_object_either(run):
    # TOOL-01: KeeperHub/keeperhub#2108, cline/cline#10553
    for call in ({"name": "get_time"}, {"name": "get_time", "arguments": None}):
        made = run([TIME])
        assert made.host.perform(call)["is_error"] is True
        assert made.core.sent == []
    assert run([TIME], calls=[("get_time", {})]).core.calls() == [{}]


def test_what_fits_is_sent_as_it_is(run):
    # TOOL-04: lmstudio-ai/lmstudio-bug-tracker#1626. No number becomes another.
    made = run([ADD], calls=[("add", {"a": 1.0, "b": 2})])
    assert repr(made.core.calls()) == "[{'a': 1.0, 'b': 2}]"
    echo = {"name": "echo", "inputSchema": {**ANY, "properties": {"text": {}}}}
    made = run([echo], calls=[("echo", {"text": "5"})])
    assert made.core.calls() == [{"text": "5"}]


@pytest.mark.parametrize("name", ["nope", "__class__", "__init__", "constructor"])
def test_a_name_that_is_no_tool_is_none(run, name):
    # TOOL-03: modelcontextprotocol/typescript-sdk#1044; TOOL-06: vercel/ai#16035
    made = run([ADD], calls=[(name, {"a": 1, "b": 2})])
    assert made.core.sent == []
    assert f'There is no tool "{name}"' in made.told()[0]["text"]


@pytest.mark.parametrize(
    "answer",
    [
        Refusal("answered: 'Invalid params: b'", -32602),
        {**text_result("b is wrong")["result"], "isError": True},
    ],
)
def test_a_server_may_refuse_arguments_in_either_way(run, answer):
    # TOOL-03: modelcontextprotocol/typescript-sdk#1044
    (told,) = run([ADD], answer, calls=[("add", {"a": 1, "b": 2})]).told()
    assert told["is_error"] is True
    assert "b" in told["text"]


def test_what_the_host_refuses_by_itself_is_not_put_to_a_schema(run):
    made = run([ADD], calls=[("add", {"a": "x" * 3000})])
    assert made.told()[0]["text"].startswith("The arguments have 3")


def test_the_person_is_asked_only_about_what_fits(run):
    calls = [("add", {"a": "1"}), ("add", {"a": 1, "b": 2})]
    made = run([ADD], calls=calls, allowed=())
    assert made.person.asked == 1
    assert made.core.calls() == [{"a": 1, "b": 2}]


def test_the_model_is_given_the_schema_unchanged(run):
    # SCH-08: labring/FastGPT#6395
    schema = {**ANY, "properties": {"r": {"$ref": "#/$defs/R"}}, "$defs": {"R": ANY}}
    made = run([{"name": "a", "inputSchema": schema}])
    assert made.model.seen[0][1][0]["input_schema"] == schema


# --- results


def promising(schema: dict) -> list[dict]:
    return [{**TIME, "outputSchema": schema}]


NOW = [("get_time", {})]
WARM = {
    "type": "object",
    "properties": {"temperature": {"type": "number"}},
    "required": ["temperature"],
}


@pytest.mark.parametrize(
    ("structured", "why"),
    [
        ({}, "structuredContent is missing"),
        ({"structuredContent": {"temperature": "22"}}, "temperature: '22' is not of"),
        ({"structuredContent": None}, "None is not of type 'object'"),
    ],
)
def test_a_result_that_breaks_its_promise_is_an_error_for_the_model(
    run, structured, why
):
    # TOOL-08: mastra-ai/mastra#22556
    answer = {**text_result("22 degrees")["result"], **structured}
    made = run(promising(WARM), answer, calls=NOW)
    (told,) = made.told()
    assert told["is_error"] is True
    assert told["text"].startswith("get_time was called, but its result breaks")
    assert why in told["text"]
    assert "22 degrees" not in told["text"]
    assert made.answer == DONE["text"]


@pytest.mark.parametrize("structured", [{}, {"structuredContent": {"free": "1 GB"}}])
def test_the_error_of_a_failed_tool_is_not_hidden_by_its_schema(run, structured):
    # TOOL-07: modelcontextprotocol/typescript-sdk#654, yamadashy/repomix#833
    answer = {**text_result("disk full")["result"], "isError": True, **structured}
    (told,) = run(promising(WARM), answer, calls=NOW).told()
    assert (told["text"], told["is_error"]) == ("disk full", True)


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("integer", 0, "0"),
        ("boolean", False, "false"),
        ("string", "", '""'),
        ("array", [], "[]"),
        ("null", None, "null"),
        # TOOL-10: modelcontextprotocol/php-sdk#357, naw103/foremerge#28
        ("array", [{"id": 1}, {"id": 2}], '[{"id":1},{"id":2}]'),
    ],
)
def test_a_structured_result_is_any_value_and_nothing_is_not_absent(
    run, kind, value, text
):
    # TOOL-09: strands-agents/harness-sdk#3431
    answer = {"content": [], "structuredContent": value}
    (told,) = run(promising({"type": kind}), answer, calls=NOW).told()
    assert told["is_error"] is False
    assert told["text"] == text  # the data, where the server sent no text
    answer = {**text_result("as text")["result"], "structuredContent": value}
    (told,) = run(promising({"type": kind}), answer, calls=NOW).told()
    assert told["text"] == "as text"


def test_a_tool_without_an_output_schema_promises_nothing(run):
    answer = {**text_result("fine")["result"], "structuredContent": {"x": 1}}
    (told,) = run([TIME], answer, calls=NOW).told()
    assert (told["text"], told["is_error"]) == ("fine", False)


# --- lists


@pytest.mark.parametrize(
    "bad",
    [
        {"inputSchema": {**ANY, "properties": {"a": {"$ref": "#/$defs/none"}}}},
        {"inputSchema": {**ANY, "properties": {"a": {"pattern": "("}}}},
        {"inputSchema": {"properties": {}}},
        {"inputSchema": {"type": "array"}},
        {"inputSchema": None},
        {"inputSchema": {**ANY, "$schema": "https://example.com/mine"}},
        {"inputSchema": {**ANY, "$ref": "http://127.0.0.1:9/x.json"}},
        {"inputSchema": {**ANY, "enum": ["x" * schemas.MAX_SCHEMA]}},
        {"inputSchema": ANY, "outputSchema": {"type": "objekt"}},
        {"inputSchema": ANY, "outputSchema": {"$ref": "#/$defs/none"}},
        {"inputSchema": ANY, "outputSchema": None},
    ],
)
def test_one_bad_tool_is_left_out_by_name_and_its_neighbours_serve(run, bad):
    # SCH-07: anthropics/claude-code#76040
    made = run([ADD, {"name": "bad", **bad}, TIME], calls=NOW)
    assert list(made.host.tools) == ["add", "get_time"]
    (warning,) = made.warnings()
    assert warning.startswith('helpdesk: "bad" is left out: ')
    assert made.told()[0]["text"] == "fine"


@pytest.mark.parametrize("entry", [None, 5, {}, {"name": "\x1b[2J", "inputSchema": 5}])
def test_an_entry_that_is_no_tool_is_named_as_far_as_it_has_a_name(run, entry):
    # SCH-07: anthropics/claude-code#76040
    made = run([entry, TIME])
    (warning,) = made.warnings()
    assert warning.endswith("it is no tool")
    assert "\x1b" not in warning


def test_a_tool_that_is_left_out_takes_nobodys_name(checker):
    made = app.Host(Script(DONE), Person(), lambda *_: None, ())
    made.checker = checker
    made.connect(Fake([{**TIME, "outputSchema": None}], {}))
    made.connect(Fake([TIME], {}))
    assert list(made.tools) == ["get_time"]


def test_a_list_has_an_end_to_its_time_too(run, monkeypatch):
    monkeypatch.setattr(app, "LIST_BUDGET", -1)
    (warning,) = run([TIME]).warnings()
    assert "no time is left" in warning


# --- what would take for ever


COUNT = itertools.count()


def hostile() -> dict:
    """A new one each time: one that had its time once is not offered again."""
    title = f"number {next(COUNT)}"
    return {**ANY, "title": title, "properties": {"a": {"pattern": "^(a+)+$"}}}


BOMB = {"a": "a" * 40 + "!"}
SOON = 0.1  # seconds


@pytest.fixture
def impatient(monkeypatch):
    """A check against a hostile pattern has SOON; all else has its usual time."""
    answer = Checker.answer

    def quick(checker, line):
        with monkeypatch.context() as patch:
            if ")+" in line and '"value"' in line:
                patch.setattr(schemas, "BUDGET", SOON)
            return answer(checker, line)

    monkeypatch.setattr(Checker, "answer", quick)


@pytest.mark.parametrize(
    ("tool", "answer", "calls"),
    [
        ({"inputSchema": hostile()}, None, [("bomb", BOMB)]),
        (
            {"inputSchema": ANY, "outputSchema": hostile()},
            {"content": [], "structuredContent": BOMB},
            [("bomb", {})],
        ),
        ({"inputSchema": {**ANY, "$ref": "#"}}, None, [("bomb", {})]),
    ],
)
def test_a_session_goes_on_after_a_hostile_schema(run, impatient, tool, answer, calls):
    # SCH-06: basic/index, "Composition-Keyword Resource Use"
    made = run([{"name": "bomb", **tool}, TIME], answer, calls=[*calls, *NOW])
    first, second = made.told()
    assert first["is_error"] is True
    assert "the schema" in first["text"]
    assert second["is_error"] is False
    assert made.answer == DONE["text"]


def test_the_command_survives_a_hostile_schema(impatient, capsys):
    # SCH-06: basic/index, "Composition-Keyword Resource Use"
    about = {"type": "string", "pattern": "^(.+)+!$", "description": "digits only"}
    schema = {**SCHEMA, "properties": {"ticket_id": about}}
    listed = [{"result": {"tools": [{**TOOL, "inputSchema": schema}]}}]
    question = f"What is happening with ticket #{'2318' * 20}?"
    assert main([question, "--server", line_of(modern(list=listed))]) == 0
    out, err = capsys.readouterr()
    assert err == "" and "[server]" not in out
    *calls, answer = [row for row in out.splitlines() if row.startswith("[model]")]
    assert len(calls) == 2  # and only the first of them took the time
    assert answer.endswith("the schema takes longer than 2 s to check")


# --- the command


def test_the_model_corrects_itself_from_the_hosts_own_error_text(checker):
    # The same answer, word for word, as from the server's error text (test_loop.py).
    made = app.Host(MockModel(), Person(), lambda *_: None, ("get_ticket",))
    made.checker, core = checker, Core()
    made.connect(core)
    answer = made.converse(QUESTION)
    assert answer == 'Ticket 2318, "Charged twice for October", is open.'
    assert core.calls() == [{"ticket_id": "2318"}]
    texts = [step["text"] for step in made.steps]
    assert any(text.startswith("not called: get_ticket: ticket_id") for text in texts)


def test_sdk_is_a_short_name_for_a_server():
    made = clients(["sdk", "mine=sdk", "python -m sdk"])
    assert [each.name for each in made] == ["sdk", "mine", "server 3"]
    assert [each.command for each in made] == [["python", "-m", "sdk"]] * 3


def test_the_checker_ends_with_the_run(monkeypatch, capsys):
    children = []

    def close(checker):
        children.append(checker.child.process)
        end(checker)

    end = Checker.close
    monkeypatch.setattr(Checker, "close", close)
    assert main([QUESTION, "--json"]) == 0
    assert [each.poll() is None for each in children] == [False]


def test_where_a_package_is_missing_one_sentence_says_how_to_get_it():
    command = [sys.executable, "-S", "-m", "host", QUESTION]  # -S: no packages
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=LIMIT)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"host: the package jsonschema is missing")
    assert b"make setup" in done.stderr
    assert done.stderr.count(b"\n") == 1
