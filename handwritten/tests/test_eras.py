"""Two eras: what a request carries decides. (lesson 02)"""

import pytest
from handwritten.tests.talk import META, ask, code, connect, request, send

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
OLD = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


def shake_hands(connection, revision="2025-11-25") -> dict:
    client = {"name": "old", "version": "1"}
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
    return ask(connection, "initialize", params, meta=None, id=0)


@pytest.mark.parametrize(
    ("meta", "named"),
    [
        (None, VERSION),
        ({}, VERSION),
        ({VERSION: "2026-07-28"}, CAPABILITIES),
        ({CAPABILITIES: {}}, VERSION),
        ({VERSION: "2026-07-28", CAPABILITIES: None}, CAPABILITIES),
        ({VERSION: 20260728, CAPABILITIES: {}}, VERSION),
        ([], "_meta"),
        ("x", "_meta"),
    ],
)
def test_a_request_that_says_too_little_is_refused_and_told_what_is_missing(
    meta, named
):
    # laravel/mcp#297, lossless-claude/lcm#425
    answer = ask(connect(), "server/discover", meta=meta, id="abc")
    assert code(answer) == -32602
    assert answer["id"] == "abc"
    assert named in answer["error"]["message"]


def test_meta_null_is_refused():
    message = request("server/discover", {"_meta": None}, meta=None)
    (answer,) = send(connect(), message)
    assert code(answer) == -32602


@pytest.mark.parametrize("method", ["server/discover", "no/such", "initialize"])
@pytest.mark.parametrize("version", ["1900-01-01", "2025-11-25", "", "9999"])
def test_another_revision_is_refused_with_what_could_be_asked_for(method, version):
    # modelcontextprotocol/conformance#266: discover too, and before the method
    answer = ask(connect(), method, meta={**META, VERSION: version})
    assert code(answer) == -32022
    data = {"supported": ["2026-07-28"], "requested": version}
    assert answer["error"]["data"] == data


@pytest.mark.parametrize("revision", OLD)
def test_an_old_client_gets_its_own_revision_back_in_the_old_shape(revision):
    answer = shake_hands(connect(), revision)
    assert answer["id"] == 0
    result = answer["result"]
    assert result["protocolVersion"] == revision
    assert result["serverInfo"]["name"] == "helpdesk"
    assert "resultType" not in result
    assert "_meta" not in result
    assert "ttlMs" not in result


@pytest.mark.parametrize("revision", ["1999-12-31", "2026-07-28", "latest"])
def test_an_unknown_revision_is_offered_the_latest_old_one(revision):
    # callstack/agent-device#1678: a handshake never agrees on 2026-07-28
    assert shake_hands(connect(), revision)["result"]["protocolVersion"] == OLD[-1]


def test_a_handshake_without_a_revision_is_refused():
    assert code(ask(connect(), "initialize", meta=None)) == -32602


def test_before_the_handshake_an_old_request_is_refused():
    connection = connect()
    assert code(ask(connection, "ping", meta=None)) == -32602
    shake_hands(connection)
    assert ask(connection, "ping", meta=None)["result"] == {}


def test_a_modern_request_is_modern_whatever_came_before():
    connection = connect()
    fresh = ask(connect(), "server/discover")
    shake_hands(connection)
    assert ask(connection, "server/discover") == fresh
    assert code(ask(connection, "ping")) == -32601
    assert ask(connection, "ping", meta=None)["result"] == {}


def test_half_a_modern_meta_is_modern_even_after_a_handshake():
    connection = connect()
    shake_hands(connection)
    answer = ask(connection, "ping", meta={VERSION: "2026-07-28"})
    assert code(answer) == -32602


def test_an_old_request_may_carry_an_old_meta():
    connection = connect()
    shake_hands(connection)
    assert ask(connection, "ping", meta={"progressToken": 1})["result"] == {}


def test_the_old_era_has_no_discover():
    connection = connect()
    shake_hands(connection)
    assert code(ask(connection, "server/discover", meta=None)) == -32601


def test_a_second_handshake_is_served():
    connection = connect()
    shake_hands(connection, "2024-11-05")
    answer = shake_hands(connection, "2025-06-18")
    assert answer["result"]["protocolVersion"] == "2025-06-18"
    assert ask(connection, "ping", meta=None)["result"] == {}


def test_one_connection_knows_nothing_of_another():
    shake_hands(connect())
    assert code(ask(connect(), "ping", meta=None)) == -32602
