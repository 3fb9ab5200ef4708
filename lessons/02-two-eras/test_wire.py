"""Two eras: what a request must say, and what an older client may expect.

The specification lets a server refuse the earlier era. The lesson's server speaks
both, so the tests of that era say so where they fail.
"""

import pytest

from lessons.manifest import META, REVISION
from lessons.wire import expect, expect_error, expect_result, same

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
BOTH: dict[str, object] = {VERSION: REVISION, CAPABILITIES: {}}

COMPLETE = "a request that carries both keys is served (basic/index)"
REQUIRED = "each request carries both keys, whatever came before it (basic/index)"
UNKNOWN = "another revision is refused with those that are served (basic/versioning)"
LEGACY = (
    "the lesson's server speaks both eras; a server of one era may refuse this "
    "(basic/versioning)"
)
OLD = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
CLIENT = {"name": "old", "version": "1.0.0"}


def shake_hands(server, revision: str = OLD[-1]) -> dict:
    """The handshake of the earlier era: its result."""
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": CLIENT}
    answer = server.request("initialize", params, id=0, meta=None)
    return expect_result(server, answer, LEGACY)


LITTLE: dict[str, dict | None] = {
    "no params": None,
    "empty params": {},
    "empty _meta": {"_meta": {}},
    "_meta null": {"_meta": None},
    "_meta an array": {"_meta": []},
    "the revision alone": {"_meta": {VERSION: REVISION}},
    "the capabilities alone": {"_meta": {CAPABILITIES: {}}},
    "capabilities null": {"_meta": {**BOTH, CAPABILITIES: None}},
    "capabilities an array": {"_meta": {**BOTH, CAPABILITIES: []}},
    "a number as revision": {"_meta": {**BOTH, VERSION: 20260728}},
    "null as revision": {"_meta": {**BOTH, VERSION: None}},
}


@pytest.mark.parametrize("params", LITTLE.values(), ids=LITTLE)
def test_a_request_that_says_too_little_is_refused_whatever_came_before(server, params):
    # laravel/mcp#297, joshrotenberg/tower-mcp#1200, lossless-claude/lcm#425
    expect_result(server, server.request("server/discover"), COMPLETE)
    answer = server.request("server/discover", params, id="little", meta=None)
    expect_error(server, answer, -32602, REQUIRED, id="little")
    expect_result(server, server.request("server/discover"), COMPLETE)


def test_a_first_request_without_metadata_is_refused(server):
    # callstack/agent-device#1678
    answer = server.request("server/discover", meta=None)
    code = answer.get("error", {}).get("code")
    if code == -32601:
        server.unchecked = "a server of both eras may take this for the earlier one"
    text = "an error: -32602, or -32601 from a server that speaks the earlier era too"
    expect(server, code in (-32602, -32601), text, REQUIRED)


OTHER = ["1900-01-01", "9999-12-31", "latest", ""]


@pytest.mark.parametrize("version", OTHER, ids=[*OTHER[:3], "an empty string"])
def test_another_revision_is_refused_with_those_that_are_served(server, version):
    # modelcontextprotocol/conformance#266
    meta = {**META, VERSION: version}
    answer = server.request("server/discover", id="other", meta=meta)
    data = expect_error(server, answer, -32022, UNKNOWN, id="other").get("data") or {}
    good = isinstance(data.get("supported"), list)
    expect(server, good, "data.supported, a list of revisions", UNKNOWN)
    text = f"{REVISION} in data.supported"
    expect(server, REVISION in data["supported"], text, UNKNOWN)
    text = f'data.requested "{version}"'
    expect(server, same(data.get("requested"), version), text, UNKNOWN)


def test_after_the_refusal_a_revision_from_the_list_is_served(server):
    refused = server.request("server/discover", meta={**META, VERSION: "1900-01-01"})
    error = expect_error(server, refused, -32022, UNKNOWN)
    chosen = max(each for each in error["data"]["supported"] if each >= REVISION)
    answer = server.request("server/discover", meta={**META, VERSION: chosen})
    expect_result(server, answer, UNKNOWN)


def test_two_keys_are_enough_and_strange_ones_do_no_harm(server):
    rule = "clientInfo is optional, and other names belong to others (basic/index)"
    first = server.request("server/discover", meta=BOTH)
    one = expect_result(server, first, rule)
    meta = {**BOTH, "com.example/mood": ["good", None, 1]}
    other = expect_result(server, server.request("server/discover", meta=meta), rule)
    text = "the same capabilities both times"
    expect(server, other["capabilities"] == one["capabilities"], text, rule)


def test_a_result_says_its_kind_and_who_made_it(server):
    result = expect_result(server, server.request("server/discover"), COMPLETE)
    rule = "each result has a resultType (basic/index)"
    expect(server, result.get("resultType") == "complete", '"complete"', rule)
    rule = "a server should name itself in each result's _meta (basic/index)"
    who = result.get("_meta", {}).get(SERVER_INFO, {})
    named = isinstance(who.get("name"), str) and isinstance(who.get("version"), str)
    expect(server, named, f'_meta["{SERVER_INFO}"] with name and version', rule)


def test_discover_lists_the_revision_in_which_it_was_asked(server):
    rule = "supportedVersions is what a client may ask for (server/discover)"
    result = expect_result(server, server.request("server/discover"), rule)
    text = f"{REVISION} in supportedVersions"
    expect(server, REVISION in result["supportedVersions"], text, rule)


def test_ping_and_the_handshake_are_gone_from_the_modern_era(server):
    rule = "this revision has neither (changelog, basic/versioning)"
    expect_error(server, server.request("ping"), -32601, rule)
    params = {"protocolVersion": OLD[-1], "capabilities": {}, "clientInfo": CLIENT}
    answer = server.request("initialize", params)
    result = answer.get("result", {})
    text = "an error, or a result in which no modern revision is agreed on"
    expect(server, result.get("protocolVersion") != REVISION, text, rule)


def test_an_older_client_gets_a_result_of_the_old_shape(server):
    result = shake_hands(server)
    agreed = result.get("protocolVersion")
    expect(server, agreed == OLD[-1], f'protocolVersion "{OLD[-1]}"', LEGACY)
    who = result.get("serverInfo", {})
    expect(server, isinstance(who.get("name"), str), "serverInfo in the body", LEGACY)
    text = "a result without the members of the modern era"
    new = {"resultType", "ttlMs", "cacheScope", "supportedVersions"} & result.keys()
    expect(server, not new, text, LEGACY)


@pytest.mark.parametrize("revision", [REVISION, "1999-12-31"])
def test_a_handshake_agrees_on_an_old_revision_only(server, revision):
    # callstack/agent-device#1678
    agreed = shake_hands(server, revision).get("protocolVersion")
    text = f"protocolVersion, one of {', '.join(OLD)}"
    expect(server, agreed in OLD, text, LEGACY)


def test_after_the_handshake_a_request_needs_no_metadata(server):
    shake_hands(server)
    server.notify("notifications/initialized")
    answer = server.request("ping", meta=None)
    result = expect_result(server, answer, LEGACY)
    expect(server, "resultType" not in result, "the old shape", LEGACY)


def test_the_clients_ready_gets_no_answer(server):
    shake_hands(server)
    server.notify("notifications/initialized")
    server.silent()


def test_a_modern_request_after_a_handshake_gets_no_old_answer(server):
    # callstack/agent-device#1678. A server may serve one era a process: then, an error
    rule = "what a request carries decides over its era (basic/versioning)"
    shake_hands(server)
    answer = server.request("server/discover")
    result = answer.get("result", {"resultType": "complete"})
    text = "a result with a resultType, or an error"
    expect(server, result.get("resultType") == "complete", text, rule)


def test_a_second_handshake_does_no_harm(server):
    shake_hands(server)
    params = {"protocolVersion": OLD[-2], "capabilities": {}, "clientInfo": CLIENT}
    server.request("initialize", params, meta=None)
    expect_result(server, server.request("ping", meta=None), LEGACY)
