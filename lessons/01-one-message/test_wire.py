"""What a server does with one line: rules that hold for every server of this course.

They are rules of the specification and of JSON-RPC. Where both leave open what to do
with a line, a test asks only that the server lives and serves the next request.
"""

import json

import pytest
from lessons.manifest import META
from lessons.wire import BASIC, STDIO, expect, expect_error, expect_result, same

DISCOVER = "server/discover"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = (
    -32700,
    -32600,
    -32601,
    -32602,
)
SAME_ID = f"a response has its request's id ({BASIC})"
NO_ID = f"an error has no id where none could be read ({BASIC}, schema)"
ONE_LINE = f"each line is a single message ({STDIO})"


def request(id: object, method: object = DISCOVER, **more) -> dict:
    """A request with all it needs; `more` replaces members or adds some."""
    start = {"jsonrpc": "2.0", "id": id, "method": method}
    return {**start, "params": {"_meta": META}, **more}


def text(message: object) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def id_of(line: bytes) -> object:
    """The id of the message on this line; None where there is none."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message.get("id") if isinstance(message, dict) else None


def until_served(server) -> list[dict]:
    """Send a good request; what comes before its answer."""
    sent = server.sent
    server.line(text(request("the next one")))
    before = []
    while not same((came := server.receive()).get("id"), "the next one"):
        before.append(came)
    expect_result(server, came, f"a bad line ends no server ({BASIC})")
    server.sent = sent
    return before


# One request, one answer.


def test_discover_tells_revisions_capabilities_and_how_long_they_hold(server):
    rule = "server/discover: supportedVersions, capabilities, ttlMs and cacheScope"
    result = expect_result(server, server.request(DISCOVER), rule)
    versions = result.get("supportedVersions")
    strings = isinstance(versions, list) and all(type(each) is str for each in versions)
    expect(server, strings and versions, "supportedVersions, a list of strings", rule)
    expect(server, isinstance(result.get("capabilities"), dict), "capabilities", rule)
    ttl, scope = result.get("ttlMs"), result.get("cacheScope")
    expect(server, type(ttl) is int and ttl >= 0, "ttlMs, an integer from 0 on", rule)
    expect(server, scope in ("public", "private"), "cacheScope", rule)


def test_every_result_says_what_kind_it_is(server):
    rule = f"a result has a resultType ({BASIC})"
    result = expect_result(server, server.request(DISCOVER), rule)
    expect(server, result.get("resultType") == "complete", '"complete"', rule)


IDS = [0, 1, -7, 2**53 + 1, 2**70, "", "1", "007", "1e3", "é漢😀—", "a\u2028b\x85c"]


@pytest.mark.parametrize("id", IDS, ids=ascii)
def test_an_answer_carries_its_requests_id_with_the_same_type(server, id):
    # modelcontextprotocol/python-sdk#961, modelcontextprotocol/typescript-sdk#2654
    expect_result(server, server.request(DISCOVER, id=id), SAME_ID)


@pytest.mark.parametrize("id", [0, "abc"])
def test_an_error_carries_its_requests_id_too(server, id):
    # modelcontextprotocol/csharp-sdk#1687
    response = server.request("tickets/guess", id=id)
    expect_error(server, response, METHOD_NOT_FOUND, SAME_ID, id=id)


def test_1_and_the_string_1_are_two_requests(server):
    server.line(text(request(1)))
    server.line(text(request("1")))
    came = [server.receive().get("id"), server.receive().get("id")]
    both = sorted(came, key=lambda id: type(id) is str) == [1, "1"]
    expect(server, both, 'one answer to 1 and one to "1"', SAME_ID)


def test_requests_sent_without_waiting_are_all_answered(server):
    # modelcontextprotocol/python-sdk#2070
    padding = {"com.example/padding": "x" * 10_000}
    for id in range(200):
        server.line(text(request(id, params={"_meta": {**META, **padding}})))
    came = [server.receive().get("id") for _ in range(200)]
    all_of_them = sorted(came, key=str) == sorted(range(200), key=str)
    expect(server, all_of_them, "200 answers, one for each id", SAME_ID)


def test_a_request_of_a_million_bytes_is_served(server):
    # IBM/mcp-context-forge#2591
    padding = {"com.example/padding": "x" * 1_000_000}
    response = server.request(DISCOVER, meta={**META, **padding})
    expect_result(server, response, ONE_LINE)


# Lines that are no message.

NOT_JSON = {
    "a greeting": "hello, server",
    "half a request": '{"jsonrpc":"2.0","id":3,"method":',
    "two requests on one line": text(request(1)) + text(request(2)),
    "not UTF-8": b"\xff\xfe",
    "a NUL byte": b"\x00",
    "NaN": text(request(1, params={"_meta": META, "x": float("nan")})),
}


@pytest.mark.parametrize("line", NOT_JSON.values(), ids=NOT_JSON)
def test_a_line_that_is_no_json_gets_a_parse_error_without_an_id(server, line):
    # PrefectHQ/fastmcp#1161, modelcontextprotocol/python-sdk#2302
    server.line(line)
    expect_error(server, server.receive(), PARSE_ERROR, NO_ID, id=None)
    server.silent()


NO_OBJECTS: list = [[request(1), request(2)], [], [1, 2], "str", 5, None, True]


@pytest.mark.parametrize("value", NO_OBJECTS, ids=lambda value: text(value)[:5])
def test_json_that_is_no_object_gets_one_error_without_an_id(server, value):
    # modelcontextprotocol/typescript-sdk#2670
    server.line(text(value))
    expect_error(server, server.receive(), INVALID_REQUEST, NO_ID, id=None)
    server.silent()


@pytest.mark.parametrize("id", [None, 1.5, True, {"a": 1}, [1]], ids=text)
def test_an_id_that_is_neither_string_nor_integer_is_refused(server, id):
    # modelcontextprotocol/python-sdk#2057
    server.line(text(request(id)))
    expect_error(server, server.receive(), INVALID_REQUEST, NO_ID, id=None)
    server.silent()


def test_an_integer_written_as_1_point_0_is_never_met_with_silence(server):
    server.line(text(request(1.0)))
    came = server.receive()
    answered = "error" in came or came.get("id") == 1
    expect(server, answered, "an error, or an answer to the id 1", SAME_ID)


NO_REQUESTS = {
    "no jsonrpc": {"id": 7, "method": DISCOVER},
    "jsonrpc 1.0": request(7, jsonrpc="1.0"),
    "no method": {"jsonrpc": "2.0", "id": 7},
    "a number as method": request(7, method=5),
    "a request with a result": request(7, result={}),
}


@pytest.mark.parametrize("message", NO_REQUESTS.values(), ids=NO_REQUESTS)
def test_an_object_with_an_id_that_is_no_request_is_refused_under_it(server, message):
    server.line(text(message))
    expect_error(server, server.receive(), INVALID_REQUEST, SAME_ID, id=7)
    server.silent()


@pytest.mark.parametrize("params", [[], "x", None], ids=text)
def test_params_that_are_no_object_are_refused(server, params):
    # drhelius/Geargrafx#133
    server.line(text(request(7, params=params)))
    came = server.receive()
    code = came.get("error", {}).get("code")
    good = code in (INVALID_REQUEST, INVALID_PARAMS) and same(came.get("id"), 7)
    expect(server, good, "the error -32602 or -32600 with the id 7", "schema")


UNKNOWN = ["tickets/guess", "ping", "logging/setLevel", "resources/subscribe"]


@pytest.mark.parametrize("method", [*UNKNOWN, "__class__", "constructor"])
def test_a_method_that_does_not_exist_is_an_error(server, method):
    # smithy-lang/smithy-java#1337
    rule = f"-32601 is for a method that does not exist ({BASIC}, schema)"
    expect_error(server, server.request(method), METHOD_NOT_FOUND, rule)


def test_a_notifications_method_with_an_id_is_an_error_and_not_obeyed(server):
    response = server.request("notifications/cancelled", {"requestId": 1})
    code = response.get("error", {}).get("code")
    good = code in (INVALID_REQUEST, METHOD_NOT_FOUND)
    rule = f"a notification has no id ({BASIC})"
    expect(server, good, "the error -32601 or -32600", rule)


# Silence.

NOTIFICATIONS = {
    "unknown": {"jsonrpc": "2.0", "method": "notifications/nobody-knows"},
    "of the old handshake": {"jsonrpc": "2.0", "method": "notifications/initialized"},
    "a request's method": {"jsonrpc": "2.0", "method": DISCOVER},
    "an unknown method": {"jsonrpc": "2.0", "method": "tickets/guess"},
    "with params": {"jsonrpc": "2.0", "method": "notifications/x", "params": {}},
}


@pytest.mark.parametrize("message", NOTIFICATIONS.values(), ids=NOTIFICATIONS)
def test_a_notification_gets_no_answer(server, message):
    # yjacquin/fast-mcp#39, aovestdipaperino/tokensave#505
    server.line(text(message))
    server.silent()


@pytest.mark.parametrize("kind", ["result", "error"])
def test_a_response_gets_no_answer(server, kind):
    # modelcontextprotocol/rust-sdk#938
    body = {"result": {}, "error": {"code": -32603, "message": "no"}}[kind]
    server.line(text({"jsonrpc": "2.0", "id": 1, kind: body}))
    server.silent()


@pytest.mark.parametrize("line", ["", "   ", "\r"], ids=ascii)
def test_a_blank_line_gets_a_parse_error_at_most(server, line):
    # modelcontextprotocol/python-sdk#2066
    server.line(line)
    before = until_served(server)
    codes = [each.get("error", {}).get("code") for each in before]
    expect(server, codes in ([], [PARSE_ERROR]), "silence, or -32700", ONE_LINE)


# The pipe.


def test_cr_lf_is_accepted_and_answered_with_lf_alone(server):
    # stackql/stackql#668, modelcontextprotocol/python-sdk#2433
    server.line(text(request(1)) + "\r\n")
    rule = f"a newline ends a message ({STDIO})"
    expect_result(server, server.receive(), rule)
    no_cr = not server.entries[-1][1].endswith(b"\r")
    expect(server, no_cr, "a line that ends in LF alone", rule)


def test_a_request_printed_over_many_lines_is_never_carried_out(server):
    # modelcontextprotocol/servers#3173
    lines = json.dumps(request(1), indent=1).splitlines()
    for line in lines:
        server.line(line)
    before = until_served(server)
    errors = all("error" in each and "id" not in each for each in before)
    few = len(before) <= len(lines)
    expect(server, errors and few, "at most one error a line, no result", ONE_LINE)


ODD = {
    "a byte order mark": b"\xef\xbb\xbf" + text(request(1)).encode(),
    "another framing": "Content-Length: 120\r\n\r\n",
    "5,000 digits": '{"jsonrpc":"2.0","id":1,"method":"x","n":' + "1" * 5000 + "}",
    "100,000 brackets": "[" * 100_000,
    "5,000 objects in each other": '{"a":' * 5000 + "1" + "}" * 5000,
    "900 arrays in params": text(request(1)).replace(
        "{", '{"x":' + "[" * 900 + "]" * 900 + ",", 1
    ),
    "a key twice": '{"jsonrpc":"2.0","id":1,"method":"x","method":"y"}',
    "20 MB": "x" * 20_000_000,
}


@pytest.mark.parametrize("line", ODD.values(), ids=ODD)
def test_an_odd_line_gets_one_answer_at_most_and_ends_no_server(server, line):
    # MemPalace/mempalace#2556, modelcontextprotocol/python-sdk#2546
    server.line(line)
    before = until_served(server)
    one = len(before) <= 1 and all("method" not in each for each in before)
    expect(server, one, "one response at most", ONE_LINE)


@pytest.mark.parametrize("where", ["id", "method"])
def test_half_a_surrogate_pair_is_answered_and_ends_no_server(server, where):
    # microsoft/playwright-mcp#1410
    server.unchecked = "the half may come back in the id, as it was sent"
    message = {**request("x"), where: "\ud83d"}
    server.line(json.dumps(message))  # as the escape \ud83d: a line of plain ASCII
    before = until_served(server)
    expect(server, len(before) == 1, "one response", SAME_ID)


def test_a_server_leaves_with_0_when_its_input_ends(server):
    # mongodb-js/mongodb-mcp-server#1515
    expect(server, server.end() == 0, "exit code 0", f"end of input ({STDIO})")


def test_all_that_was_asked_is_answered_before_it_leaves(server):
    for id in (1, 2, 3):
        server.line(text(request(id)))
    code = server.end()
    lines = [line for direction, line in server.entries if direction == "server"]
    server.came = b" | ".join(lines)
    ids = sorted(map(id_of, lines), key=str)
    rule = f"each request has its response ({BASIC}), then the end ({STDIO})"
    expect(server, (ids, code) == ([1, 2, 3], 0), "three answers, exit code 0", rule)


def test_standard_output_carries_messages_and_nothing_else(server):
    # espressif/esp-idf#19087
    server.request(DISCOVER)
    server.notify("notifications/nobody-knows")
    server.end()
    for direction, line in server.entries:
        if direction == "server":
            server.came = line
            message = json.loads(line)
            good = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
            expect(server, good, "a message", f"nothing else on stdout ({STDIO})")
