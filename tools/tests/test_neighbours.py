"""The five neighbours: their lists, and the server that shows them. (lesson 04)"""

import json
from collections import Counter
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from lessons.manifest import META
from tools import wirecheck
from tools.child import Child

LESSON = Path(__file__).resolve().parents[2] / "lessons" / "04-tool-cost"
COUNTS = {"files": 14, "calendar": 13, "code_host": 34, "browser": 22, "notes": 17}
OLD = "2025-11-25"


def saved(name):
    path = LESSON / "neighbours" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))["tools"]


def every_tool():
    return [tool for name in COUNTS for tool in saved(name)]


def talk(name, messages, *options, cwd):
    """[(direction, line)] of a session; each request gets its one answer."""
    command = ["python", str(LESSON / "neighbour_server.py"), name, *options]
    entries = []
    with Child(command, cwd) as child:
        for message in messages:
            line = json.dumps({"jsonrpc": "2.0", **message}).encode()
            child.send(line + b"\n")
            entries.append(("client", line))
            if "id" in message:
                received = child.receive("server", 30)
                assert received, f"{name} ended before it answered {line!r}"
                entries.append(("server", received[1].rstrip(b"\n")))
        assert child.close() == 0
    return entries


def ask(id, method, meta=META, **params):
    return {"id": id, "method": method, "params": params | {"_meta": meta}}


def answers(entries):
    return [json.loads(line) for direction, line in entries if direction == "server"]


def broken(entries):
    return [each for each in wirecheck.check(entries) if each.level == "must"]


@pytest.mark.parametrize("name", COUNTS)
def test_a_list_has_its_number_of_tools_each_with_a_name_of_its_own(name):
    names = [tool["name"] for tool in saved(name)]
    assert len(names) == len(set(names)) == COUNTS[name]


def test_two_names_are_used_by_two_servers():
    names = Counter(tool["name"] for tool in every_tool())
    assert {name for name in names if names[name] > 1} == {"search", "add_comment"}


@pytest.mark.parametrize("name", COUNTS)
def test_every_schema_is_one_and_wants_only_what_it_names(name):
    for tool in saved(name):
        for schema in (tool["inputSchema"], tool.get("outputSchema", {})):
            jsonschema.Draft202012Validator.check_schema(schema)
            properties = schema.get("properties", {})
            assert set(schema.get("required", ())) <= set(properties), tool["name"]


def references(value):
    """Every `$ref` of a schema."""
    if isinstance(value, list):
        return {ref for each in value for ref in references(each)}
    if isinstance(value, dict):
        found = {ref for each in value.values() for ref in references(each)}
        return found | {value["$ref"]} if "$ref" in value else found
    return set()


def test_every_reference_leads_to_a_definition():
    for tool in every_tool():
        known = {f"#/$defs/{name}" for name in tool["inputSchema"].get("$defs", ())}
        assert references(tool["inputSchema"]) <= known, tool["name"]


def test_notes_carry_definitions_that_nothing_refers_to():
    for tool in saved("notes"):
        assert "#/$defs/errorResponse" not in references(tool["inputSchema"])
        assert "errorResponse" in tool["inputSchema"]["$defs"]


def test_two_descriptions_are_longer_than_some_hosts_show():
    long = {tool["name"] for tool in every_tool() if len(tool["description"]) > 2000}
    assert long == {"create_event", "query_collection"}


@pytest.mark.parametrize("name", COUNTS)
def test_two_processes_list_the_same_bytes_wherever_they_are_started(name, tmp_path):
    session = [ask(1, "server/discover"), ask(2, "tools/list")]
    first = talk(name, session, cwd=tmp_path)
    assert first == talk(name, session, cwd=LESSON)
    assert answers(first)[1]["result"]["tools"] == saved(name)
    assert not broken(first)


@pytest.mark.parametrize("name", COUNTS)
def test_the_earlier_era_gets_the_same_list(name, tmp_path):
    client = {"name": "test", "version": "1"}
    hello = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": client}
    session = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    entries = talk(name, session, cwd=tmp_path)
    assert answers(entries)[1]["result"]["tools"] == saved(name)
    assert not broken(entries)


def test_without_the_earlier_era_a_handshake_is_an_unknown_method(tmp_path):
    session = [{"id": 1, "method": "initialize", "params": {"protocolVersion": OLD}}]
    (answer,) = answers(talk("files", session, "--legacy", "no", cwd=tmp_path))
    assert answer["error"]["code"] == -32601


@pytest.mark.parametrize("name", COUNTS)
def test_a_call_of_any_tool_is_a_tool_error_that_says_why(name, tmp_path):
    calls = [
        ask(number, "tools/call", name=tool["name"], arguments={"anything": [number]})
        for number, tool in enumerate(saved(name), 1)
    ]
    entries = talk(name, calls, cwd=tmp_path)
    for answer in answers(entries):
        assert answer["result"]["isError"] is True
        assert "only an entry of a list" in answer["result"]["content"][0]["text"]
    assert not broken(entries)


def test_a_call_of_a_tool_that_is_not_listed_is_refused(tmp_path):
    session = [ask(1, "tools/call", name="get_ticket", arguments={})]
    (answer,) = answers(talk("notes", session, cwd=tmp_path))
    assert answer["error"] == {"code": -32602, "message": "Unknown tool: get_ticket"}


def test_an_unknown_neighbour_is_refused_with_exit_code_2(tmp_path):
    with Child(
        ["python", str(LESSON / "neighbour_server.py"), "mail"], tmp_path
    ) as child:
        assert child.receive("server", 30) is None
        assert child.close() == 2
