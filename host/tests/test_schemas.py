"""Schemas of strangers: what fits, what does not, and what can't be used. (lesson 05)

Each test names the case it comes from and the public report behind it.
"""

import contextlib
import json
import os
import signal
import socket
import threading

import pytest
from host import schemas
from host.schemas import Checker
from host.tests.parts import posix

DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}


@pytest.fixture(scope="module")
def checker():
    made = Checker()
    yield made
    made.close()


@pytest.fixture
def fits(checker):
    """Whether a value fits a schema; neither may be refused for another reason."""

    def one(schema: dict, value: object) -> bool:
        assert checker.ask(schema) == ""
        problem = checker.ask(schema, value=value)
        assert "the schema" not in problem
        return problem == ""

    return one


def number(**about) -> dict:
    return {"type": "object", "properties": {"n": {"type": "integer", **about}}}


# --- what a schema says, as JSON Schema means it


@pytest.mark.parametrize("text", ["abc\n", "abc\r\n", "abc\r", "ABC", ""])
def test_a_dollar_is_the_end_and_not_the_place_before_a_line_feed(fits, text):
    # SCH-01: python-jsonschema/jsonschema#576, agentrust-io/trace-spec#379
    assert fits({"pattern": "^[a-z]+$"}, "abc")
    assert not fits({"pattern": "^[a-z]+$"}, text)


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^\d{2}$", "34", "٣٤"),
        (r"^\w+$", "e", "é"),
        (r"^\p{L}+$", "é", "5"),  # Python knows no \p
        (r"^(?<day>[0-9])-\k<day>$", "5-5", "5-6"),  # it writes names another way
        (r"^.$", "😀", "\u2028"),
        (r"^\s$", "\ufeff", "x"),
        (r"^[^]$", "\n", ""),
        (r"^\cJ$", "\n", "cJ"),
    ],
)
def test_a_pattern_is_read_as_ecma_262_reads_it(fits, pattern, good, bad):
    # SCH-02: json-schema-org/JSON-Schema-Test-Suite#505
    assert fits({"pattern": pattern}, good)
    assert not fits({"pattern": pattern}, bad)


@pytest.mark.parametrize("keyword", ["additionalProperties", "unevaluatedProperties"])
def test_so_are_the_patterns_of_property_names(fits, keyword):
    # SCH-02: json-schema-org/JSON-Schema-Test-Suite#505
    schema = {"patternProperties": {r"^\d$": {"type": "integer"}}, keyword: False}
    assert fits(schema, {"3": 1})
    assert not fits(schema, {"3": "1"})
    assert not fits(schema, {"٣": 1})


def test_a_schema_is_read_in_the_dialect_that_it_names(fits):
    # SCH-05: the tool with an explicit draft-07 schema in server/tools
    rows = {"items": [{"type": "string"}], "additionalItems": False}
    schema = {**DRAFT_07, "properties": {"p": rows}}
    assert fits(schema, {"p": ["a"]})
    assert not fits(schema, {"p": ["a", 1]})
    short = {"$ref": "#/definitions/s", "maxLength": 1}
    beside = {"properties": {"a": short}, "definitions": {"s": {"type": "string"}}}
    assert fits({**DRAFT_07, **beside}, {"a": "long"})  # beside a $ref nothing counts
    assert not fits(beside, {"a": "long"})  # and since 2019-09 it does


def test_references_inside_a_schema_are_followed_all_the_way(fits):
    # SCH-08: labring/FastGPT#6395
    kinds = {
        "Req": {"type": "object", "properties": {"who": {"$ref": "#/$defs/Who"}}},
        "Who": {"type": "object", "required": ["id"]},
    }
    schema = {"properties": {"request": {"$ref": "#/$defs/Req"}}, "$defs": kinds}
    assert fits(schema, {"request": {"who": {"id": 1}}})
    assert not fits(schema, {"request": {"who": {}}})
    assert not fits(schema, {"request": []})


@pytest.mark.parametrize("value", [{}, {"a": None}, {"a": "null"}, {"a": ""}])
def test_absent_null_and_the_word_null_are_three_things(fits, value):
    # SCH-09: anthropics/claude-code#95239
    assert fits({"properties": {"a": {"type": ["string", "null"]}}}, value)
    assert fits({"properties": {"a": {"type": "null"}}}, value) is (
        value in ({}, {"a": None})
    )


def test_a_format_is_a_remark_and_not_checked(fits):
    # SCH-10: format is an annotation in JSON Schema 2020-12
    assert fits({"format": "date"}, "not-a-date")


@pytest.mark.parametrize(("value", "good"), [("1", False), (True, False), (1.0, True)])
def test_a_number_in_a_string_is_no_number_and_true_is_none(fits, value, good):
    # TOOL-04: PostHog/posthog#48923, lmstudio-ai/lmstudio-bug-tracker#1626
    assert fits(number(), {"n": value}) is good


# --- what can't be used


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"$ref": "#/$defs/none"}, "'#/$defs/none' leads nowhere in it"),
        ({"properties": {"a": {"$ref": "other.json"}}}, "other.json"),
        ({"anyOf": [{"$dynamicRef": "#none"}]}, "#none"),
        ({"type": "objekt"}, "objekt"),
        ({"properties": []}, "properties"),
        ({"$schema": "https://example.com/mine"}, "https://example.com/mine"),
        ({"$schema": 5}, "can't be used"),
        ({"properties": {"a": {"pattern": "(?P<n>a)"}}}, "(?P<n>a)"),  # Python's
        ({"patternProperties": {"(": True}}, "'('"),
        (None, "not an object"),
        (True, "not an object"),
    ],
)
def test_a_schema_that_can_not_be_used_is_named_before_any_call(checker, schema, why):
    # SCH-07: anthropics/claude-code#76040
    assert why in checker.ask(schema)


def test_without_a_type_of_object_arguments_have_no_schema(checker):
    # SCH-07: anthropics/claude-code#76040
    assert "object" in checker.fault({"name": "a", "inputSchema": {}})
    output = {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": None}
    assert "outputSchema" in checker.fault(output)


@pytest.fixture
def listener():
    """An address, and the list of those who came to it."""
    came: list = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def run():
            while True:
                try:
                    came.append(server.accept()[1])
                except OSError:
                    return

        threading.Thread(target=run, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/x.json", came
        with contextlib.suppress(OSError):  # where that can't wake the thread
            server.shutdown(socket.SHUT_RDWR)


def test_nothing_is_fetched_and_no_file_is_read(checker, listener, tmp_path):
    # SCH-03: PrefectHQ/fastmcp#3502
    address, came = listener
    secret = tmp_path / "secret.json"
    secret.write_text('{"const": "the secret"}', encoding="utf-8")
    for target in (address, secret.as_uri()):
        schema = {"type": "object", "properties": {"a": {"$ref": target}}}
        for problem in (checker.ask(schema), checker.ask(schema, value={"a": 1})):
            assert problem.startswith("the schema can't be used: ")
            assert target[:50] in problem
            assert "the secret" not in problem
    assert came == []


def test_the_definition_of_a_dialect_is_at_hand(fits):
    # A tool may take a schema as an argument; that needs no network.
    schema = {"properties": {"a": {"$ref": DRAFT_07["$schema"]}}}
    assert fits(schema, {"a": {"type": "object"}})
    assert not fits(schema, {"a": {"type": "objekt"}})


# --- what would take for ever (basic/index, "Composition-Keyword Resource Use")


def doubled(levels: int) -> dict:
    """A schema that is small on paper, and twice as much work with each level."""
    kinds = {"a0": {"type": "string"}}
    for level in range(levels):
        kinds[f"a{level + 1}"] = {"anyOf": [{"$ref": f"#/$defs/a{level}"}] * 2}
    return {"$ref": f"#/$defs/a{levels}", "$defs": kinds}


def nested(levels: int, inner: object = True) -> dict:
    for _ in range(levels):
        inner = {"anyOf": [inner, inner]}
    return {"anyOf": [inner]}


HOSTILE = [
    (doubled(24), 2),
    ({"pattern": "^(a+)+$"}, "a" * 40 + "!"),
    pytest.param(
        {"patternProperties": {"^(a+)+$": True}},
        {"a" * 40 + "!": 1},
        marks=pytest.mark.soak,
    ),
]


@pytest.mark.parametrize(("schema", "value"), HOSTILE)
def test_what_takes_too_long_is_ended_and_the_next_check_works(
    checker, schema, value, monkeypatch
):
    # SCH-06: basic/index, "Composition-Keyword Resource Use"
    checker.ask({})  # it is started
    with monkeypatch.context() as patch:
        patch.setattr(schemas, "BUDGET", 0.1)
        assert checker.ask(schema, value=value) == (
            "the schema takes longer than 0.1 s to check"
        )
        assert checker.child is None
        # It had its time: it is not given more, and nothing is started for it.
        patch.setattr(schemas, "Child", None)
        assert "longer than" in checker.ask(schema, value=value)
    assert "not of type" in checker.ask(number(), value={"n": "1"})


def test_a_big_value_does_not_condemn_the_schema(checker, monkeypatch):
    schema = {"items": {"pattern": "^(a+)+$"}}
    checker.ask({})
    with monkeypatch.context() as patch:
        patch.setattr(schemas, "BUDGET", 0.1)
        big = ["a" * 40 + "!", "x" * schemas.BIG]
        assert "longer than" in checker.ask(schema, value=big)
    assert checker.ask(schema, value=["a"]) == ""


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"anyOf": [{"$ref": "#"}] * 2}])
def test_a_schema_without_end_is_an_error(checker, schema):
    # SCH-06: basic/index, "Composition-Keyword Resource Use"
    assert checker.ask(schema, value=1) == "the schema refers to itself without end"


@pytest.mark.parametrize(
    "schema",
    [
        nested(18),
        {"enum": ["x" * schemas.MAX_SCHEMA]},
        json.loads('{"not":' * 40 + "{}" + "}" * 40),
    ],
)
def test_a_schema_too_big_or_too_deep_is_not_even_begun(schema):
    # SCH-06: basic/index, "Composition-Keyword Resource Use"
    alone = Checker()
    assert "the schema has more than" in alone.ask(schema)
    assert alone.child is None


def test_a_value_too_big_is_not_checked():
    alone = Checker()
    assert "are not checked" in alone.ask({}, value="x" * schemas.MAX_VALUE)
    assert alone.child is None


@posix
def test_a_checker_that_was_killed_is_replaced(checker):
    checker.ask({})
    os.kill(checker.child.process.pid, signal.SIGKILL)
    assert "more memory" in checker.ask({"title": "the one that is blamed"})
    assert checker.ask(number(), value={"n": 1}) == ""


# --- the text of a problem


def test_a_problem_says_where_what_and_what_the_schema_says_of_it(checker):
    about = {"pattern": "^[0-9]+$", "description": "Ticket number, e.g. 2318"}
    schema = {"properties": {"ticket_id": about}}
    assert checker.ask(schema, value={"ticket_id": "#2318"}) == (
        "ticket_id: '#2318' does not match '^[0-9]+$' (Ticket number, e.g. 2318)"
    )


def test_a_problem_is_short_however_long_the_value_is(checker):
    long = "x" * 900_000
    schema = {"properties": {"a": {"enum": ["y"], "description": "d" * 5000}}}
    problem = checker.ask(schema, value={"a": long})
    assert problem.startswith("a: the value breaks the rule 'enum'")
    assert len(problem) < 700


def test_a_checker_that_does_not_start_is_no_fault_of_a_schema(monkeypatch):
    alone = Checker()
    monkeypatch.setattr(schemas, "COMMAND", ["python", "-c", "exit(3)"])
    with pytest.raises(ValueError, match="does not start"):
        alone.ask({})
    alone.close()


def test_closing_ends_the_child_and_may_be_done_twice():
    alone = Checker()
    alone.close()
    assert alone.ask({}) == ""
    process = alone.child.process
    alone.close()
    alone.close()
    assert process.poll() is not None
