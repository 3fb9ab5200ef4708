"""The client and the two eras: which one a server is of. (lesson 03)"""

import json

import pytest
from host.client import ServerFailure
from host.tests.fake_server import KEPT, MODERN, OLD, TOOL
from host.tests.parts import CALL, changed, methods, old, record, texts


def test_a_modern_server_gets_the_revision_with_each_request(start, tmp_path):
    command, got = record(tmp_path, MODERN)
    one = start(command)
    assert one.request("tools/list")["tools"] == [TOOL]
    assert texts(one.request("tools/call", CALL)) == ["fine"]
    assert methods(got()) == ["server/discover", "tools/list", "tools/call"]
    for message in got():
        meta = message["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
    assert len({message["id"] for message in got()}) == 3
    assert got()[2]["params"].items() >= CALL.items()


def test_an_old_server_gets_one_probe_then_the_handshake_and_no_meta(start, tmp_path):
    command, got = record(tmp_path, OLD)
    one = start(command)
    assert one.revision == "2025-11-25"
    assert texts(one.request("tools/call", CALL)) == ["fine"]
    order = ["server/discover", "initialize", "notifications/initialized", "tools/call"]
    assert methods(got()) == order
    assert "id" not in got()[2]
    assert got()[1]["params"]["protocolVersion"] == "2025-11-25"
    assert "_meta" not in json.dumps(got()[1:])


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_an_old_server_may_choose_an_older_revision(start, revision):
    hello = {"protocolVersion": revision, "capabilities": {}}
    assert start(old(hello=[{"result": hello}])).revision == revision


@pytest.mark.parametrize("revision", ["2026-07-28", "1999-12-31", None, ["2025-11-25"]])
def test_a_handshake_that_agrees_on_no_old_revision_fails(start, revision):
    # callstack/agent-device#1678
    hello = {"protocolVersion": revision, "capabilities": {}}
    with pytest.raises(ServerFailure, match="speaks"):
        start(old(hello=[{"result": hello}]))


ODD: list = [
    {"error": {"code": -32601, "message": "Method not found"}},
    {"error": {"code": -32602, "message": "Invalid request parameters"}},
    {"error": {"code": -32000, "message": "Server not initialized"}},
    {"error": {"code": -32603, "message": "Internal error"}},
    {"error": {"message": "no code"}},
    {"error": "no object"},
    {"result": {}},
    {"result": {"supportedVersions": "2026-07-28"}},
    {"result": {"capabilities": {}, "protocolVersion": "2024-11-05"}},
    {"result": "ok"},
    {"result": None},
    {"result": {"resultType": "deferred"}},
]


@pytest.mark.parametrize("answer", ODD)
def test_any_other_answer_to_the_probe_means_the_old_era(start, tmp_path, answer):
    # github/copilot-cli#4370
    command, got = record(tmp_path, changed(OLD, {"discover": [answer]}))
    assert start(command).revision == "2025-11-25"
    assert methods(got())[:2] == ["server/discover", "initialize"]


def test_silence_after_the_probe_means_the_old_era(start, short_probe):
    assert start(old(discover=[])).revision == "2025-11-25"


def test_an_answer_to_the_probe_that_comes_too_late_is_not_taken_for_another(
    start, short_probe
):
    late = [{"sleep": 1}, *MODERN["server/discover"]]
    one = start(old(discover=late))
    assert one.revision == "2025-11-25"
    assert texts(one.request("tools/call", CALL)) == ["fine"]


def test_an_old_server_that_logs_a_lot_at_the_probe_does_not_block(start):
    # activeing123/mcptoon#19
    loud = [{"long": 300_000}, *OLD["server/discover"]]
    assert start(old(discover=loud)).revision == "2025-11-25"


@pytest.mark.parametrize("supported", [["2026-10-01"], ["2026-07-28"], [], None])
def test_an_error_of_this_era_never_leads_to_a_handshake(start, tmp_path, supported):
    # topcheer/ggcode#2557
    data = {"supported": supported, "requested": "2026-07-28"}
    error = {"code": -32022, "message": "Unsupported protocol version", "data": data}
    command, got = record(tmp_path, changed(OLD, {"discover": [{"error": error}]}))
    with pytest.raises(ServerFailure, match="Unsupported protocol version"):
        start(command)
    assert methods(got()) == ["server/discover"]


@pytest.mark.parametrize("code", [-32020, -32021])
def test_so_with_the_other_errors_of_this_era(start, tmp_path, code):
    error = {"code": code, "message": "not so"}
    command, got = record(tmp_path, changed(OLD, {"discover": [{"error": error}]}))
    with pytest.raises(ServerFailure, match="not so"):
        start(command)
    assert methods(got()) == ["server/discover"]


@pytest.mark.parametrize("versions", [[], ["2026-10-01"], [20260728]])
def test_a_modern_server_of_another_revision_is_not_talked_to(
    start, tmp_path, versions
):
    answer = {"result": {**KEPT, "supportedVersions": versions, "capabilities": {}}}
    command, got = record(tmp_path, changed(OLD, {"discover": [answer]}))
    with pytest.raises(ServerFailure, match="this host 2026-07-28"):
        start(command)
    assert methods(got()) == ["server/discover"]
