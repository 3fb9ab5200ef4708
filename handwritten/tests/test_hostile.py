"""Whatever bytes come in: the server lives and answers by the rules. (lesson 01)"""

import json

from handwritten import wire
from handwritten.tests.talk import META, connect, request, send
from hypothesis import example, given, settings
from hypothesis import strategies as some

SCALARS = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats(allow_nan=False, allow_infinity=False)
    | some.text()
)
VALUES = some.recursive(
    SCALARS,
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.dictionaries(some.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)
METHODS = some.sampled_from(
    ["server/discover", "tools/call", "tools/list", "initialize", "ping", "x"]
)
NEARLY = some.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": some.just("2.0") | VALUES,
        "id": some.integers() | some.text() | VALUES,
        "method": METHODS | VALUES,
        "params": some.fixed_dictionaries(
            {}, optional={"_meta": some.just(META) | VALUES, "name": VALUES}
        )
        | VALUES,
        "result": VALUES,
    },
)


def check(line: bytes) -> None:
    """At most one answer, by the rules; and then the next good request is served."""
    connection = connect()
    answers = send(connection, line.replace(b"\n", b" "))
    assert len(answers) <= 1
    for answer in answers:
        said = json.loads(wire.encode(answer))
        assert said["jsonrpc"] == "2.0"
        assert ("result" in said) != ("error" in said)
        if "id" not in said:
            assert said["error"]["code"] in (-32700, -32600)
        else:
            assert type(said["id"]) in (int, str)
            assert said["id"] == json.loads(line)["id"]
        if "error" in said:
            assert said["error"]["code"] != -32603
    (good,) = send(connection, request("server/discover", id="good"))
    assert good["id"] == "good"
    assert "result" in good


@settings(deadline=None)
@given(some.binary(max_size=400))
@example(b"")
@example(b"\x00")
@example(b'{"jsonrpc":"2.0","id":1e999,"method":"x"}')
def test_any_bytes(line):
    check(line)


@settings(deadline=None)
@given(VALUES)
def test_any_json(value):
    check(json.dumps(value).encode())


@settings(deadline=None)
@given(NEARLY)
def test_anything_that_is_nearly_a_request(message):
    check(json.dumps(message).encode())


@settings(deadline=None)
@given(some.lists(NEARLY.map(json.dumps) | some.text(max_size=40), max_size=6))
def test_a_request_that_can_be_read_is_answered_exactly_once(lines):
    connection = connect()
    for line in lines:
        data = line.replace("\n", " ").encode("utf-8", "replace")
        answers = send(connection, data)
        try:
            message = json.loads(data)
        except ValueError:
            continue
        asks = isinstance(message, dict) and "id" in message and "method" in message
        if asks:
            assert len(answers) == 1


# lesson-06
FIELDS = {
    "uri": some.sampled_from(["ticket://2318", "policy://x", "ticket://{ticket_id}"]),
    "name": some.sampled_from(["draft_reply", "list_tickets", "read_draft", "x"]),
    "cursor": some.text(),
    "ref": some.fixed_dictionaries(
        {"type": some.sampled_from(["ref/prompt", "ref/resource", "x"])},
        optional={"name": VALUES, "uri": some.just("ticket://{ticket_id}") | VALUES},
    ),
    "argument": some.fixed_dictionaries(
        {}, optional={"name": some.just("ticket_id") | VALUES, "value": VALUES}
    ),
    "arguments": some.dictionaries(
        some.sampled_from(["ticket_id", "uri", "continue_with", "draft_id", "x"]),
        VALUES,
    ),
    "context": some.fixed_dictionaries({}, optional={"arguments": VALUES}),
}
MORE = ["resources/list", "resources/templates/list", "resources/read", "tools/list"]
MORE += ["prompts/list", "prompts/get", "completion/complete", "tools/call"]


@settings(deadline=None)
@given(
    some.sampled_from(MORE),
    some.fixed_dictionaries(
        {}, optional={name: VALUES | good for name, good in FIELDS.items()}
    ),
)
def test_whatever_the_parameters_are(method, params):  # lesson-06
    check(json.dumps(request(method, params)).encode())
