"""Sessions for the checker: good ones, broken ones with the page of their rule."""

from tools.tests.wire_messages import (
    CAPABILITIES,
    DISCOVER,
    DISCOVERED,
    META,
    RESULTS,
    SERVED,
    SERVER_INFO,
    VERSION,
    ASK,
    agrees,
    asks,
    client,
    fails,
    gives,
    initialize,
    lines,
    notifies,
)


def call(**members):
    return [asks("tools/call"), gives(RESULTS["tools/call"] | members)]


GOOD = [
    # not JSON, whatever the reason; an array is no batch
    [("client", b"hello, server"), fails(-32700, None)],
    [("client", b"\xff\xfe"), fails(-32700, None)],
    [("client", b'{"a":NaN}'), fails(-32600, None)],
    [("client", b'{"a":1,"a":2}'), fails(-32600, None)],
    [("client", b"[" * 100_000), fails(-32600, None)],
    [("client", [1, 2]), fails(-32600, None)],
    [("client", b"5"), fails(-32600, None)],
    # no request: with its id where that can be read
    [("client", {"jsonrpc": "2.0", "id": 3}), fails(-32600, 3)],
    [("client", {"jsonrpc": "1.0", "id": "x", "method": "a"}), fails(-32600, "x")],
    [("client", {"jsonrpc": "2.0", "id": 7, "method": 5}), fails(-32600, 7)],
    [("client", {}), fails(-32600, None)],
    [client("server/discover", None), fails(-32600, None)],
    [client("server/discover", 1.5), fails(-32600, None)],
    [client("server/discover", True), fails(-32600, None)],
    [client("server/discover", 1.0), DISCOVERED],
    [client("server/discover", 1.0), fails(-32600, None)],
    # a request that can't be served
    [client("tickets/guess"), fails(-32601)],
    [client("notifications/cancelled", 7, requestId=1), fails(-32600, 7)],
    [client("server/discover", meta=None), fails(-32602)],
    [client("tools/call", name="a", arguments=[]), fails(-32602)],
    [client("tools/call", name="a"), fails(-32602)],  # an unknown tool
    [
        client("tools/list", meta={VERSION: "1900-01-01", CAPABILITIES: {}}),
        fails(-32022, data={"supported": ["2026-07-28"], "requested": "1900-01-01"}),
    ],
    [
        asks("tools/call"),
        fails(-32021, data={"requiredCapabilities": {"elicitation": {"form": {}}}}),
    ],
    [asks("tools/list"), fails(7)],  # codes beyond the reserved range are free
    [
        initialize("2025-11-25"),
        fails(-32022, 0, data={"supported": ["2026-07-28"], "requested": "2025-11-25"}),
    ],
    # silence
    [("client", b""), ("client", b" \r"), notifies("notifications/nobody-knows")],
    [("client", {"jsonrpc": "2.0", "method": "tools/call"})],
    [asks("tools/call"), notifies("notifications/cancelled", requestId=1)],
    [client("subscriptions/listen", notifications={})],
    # what readers may differ over
    [("client", b"\xef\xbb\xbf" + lines(DISCOVER)[0][1]), fails(-32700, None)],
    [("client", b"\xef\xbb\xbf" + lines(DISCOVER)[0][1]), DISCOVERED],
    [client("server/discover", x="y" * 1_000_001), fails(-32600, None)],
    [("client", lines(DISCOVER)[0][1] + b"\r"), DISCOVERED],
    [
        ("client", b'{"a":1,"a":2}'),
        ("client", b"\xef\xbb\xbf" + lines(DISCOVER)[0][1]),
        fails(-32700, None),
        DISCOVERED,
    ],
    # order: ids decide, and errors without id go to the oldest nameless line
    [
        ("client", b"?"),
        DISCOVER,
        asks("server/discover", "1"),
        ("client", b"[]"),
        gives(RESULTS["server/discover"], "1"),
        fails(-32700, None),
        DISCOVERED,
        fails(-32600, None),
    ],
    [
        asks("tools/call"),
        DISCOVER,  # an id that is in use
        fails(-32600),
        gives(RESULTS["tools/call"]),
    ],
    # asked for more
    [
        asks("tools/call"),
        gives(
            {
                "resultType": "input_required",
                "inputRequests": {"a": ASK},
                "_meta": SERVED,
            }
        ),
    ],
    [
        asks("resources/read"),
        gives({"resultType": "input_required", "requestState": "s", "_meta": SERVED}),
    ],
]

BAD = [
    # garbage on the server's side
    ("basic/transports/stdio#sending-messages", [("server", b"helpdesk is ready")]),
    ("basic/transports/stdio#sending-messages", [("server", b"")]),
    ("basic/transports/stdio#sending-messages", [("server", b"\xff")]),
    ("basic/transports/stdio#sending-messages", [("server", [])]),
    (
        "basic/transports/stdio#sending-messages",
        [DISCOVER, ("server", b"\xef\xbb\xbf" + lines(DISCOVERED)[0][1])],
    ),
    (
        "basic/transports/stdio#sending-messages",
        call(structuredContent={"mean": float("nan")}),
    ),
    (
        "basic/transports/stdio#sending-messages",
        [DISCOVER, ("server", lines(DISCOVERED)[0][1].replace(b"{", b'{"id":1,', 1))],
    ),
    ("basic/index#messages", [DISCOVER, ("server", DISCOVERED[1] | {"jsonrpc": 2})]),
    # ids
    ("basic/index#responses", [DISCOVER, DISCOVERED, DISCOVERED]),
    ("basic/index#responses", [DISCOVERED]),
    (
        "basic/index#responses",
        [DISCOVER, gives(RESULTS["server/discover"], "1"), DISCOVERED],
    ),
    (
        "basic/index#responses",
        [DISCOVER, gives(RESULTS["server/discover"], True), DISCOVERED],
    ),
    ("basic/index#responses", [notifies("notifications/x"), fails(-32601, None)]),
    ("basic/index#responses", [("client", b""), fails(-32700, None)]),
    ("basic/index#responses", [DISCOVER, ("server", DISCOVERED[1] | {"error": {}})]),
    (
        "basic/index#error-responses",
        [("client", b"?"), ("server", fails(-32700, None)[1] | {"id": None})],
    ),
    # who may speak
    (
        "basic/patterns/index#request-and-response",
        [("server", {"jsonrpc": "2.0", "id": 1, "method": "roots/list"})],
    ),
    (
        "basic/patterns/index#request-and-response",
        [("client", {"jsonrpc": "2.0", "id": 1, "result": {}})],
    ),
    ("basic/patterns/index#request-and-response", [DISCOVER]),
    ("basic/index#notifications", [notifies("notifications/ready", "server")]),
    (
        "basic/patterns/progress",
        [notifies("notifications/progress", "server", progressToken=1)],
    ),
    # a mistake with the wrong answer, or with none
    ("basic/index#error-codes", [("client", b"?"), fails(-32600, None)]),
    ("basic/index#error-codes", [("client", b"?")]),
    ("basic/index#error-codes", [client("tickets/guess"), fails(-32602)]),
    ("basic/index#requests", [client("server/discover", None), fails(-32700, None)]),
    ("basic/index#requests", [DISCOVER, DISCOVER, DISCOVERED, DISCOVERED]),
    ("basic/index#meta", [client("server/discover", meta=None), fails(-32601)]),
    ("basic/index#meta", [client("server/discover", meta=None), DISCOVERED]),
    (
        "basic/index#meta",
        [client("server/discover", meta={VERSION: "2026-07-28"}), DISCOVERED],
    ),
    ("server/tools", [client("tools/call", name=1), gives(RESULTS["tools/call"])]),
    (
        "basic/versioning#protocol-version-negotiation",
        [client("server/discover", meta=META | {VERSION: "1900-01-01"}), DISCOVERED],
    ),
    # errors
    ("basic/index#error-responses", [DISCOVER, fails("-32603")]),
    ("basic/index#error-responses", [DISCOVER, fails(-32603, message=None)]),
    ("basic/index#error-codes", [DISCOVER, fails(-32000)]),
    ("basic/index#error-codes", [DISCOVER, fails(-32042)]),
    (
        "basic/versioning#protocol-version-negotiation",
        [
            client("server/discover", meta=META | {VERSION: "1900-01-01"}),
            fails(-32022, data={"supported": ["2026-07-28"]}),
        ],
    ),
    (
        "basic/versioning#protocol-version-negotiation",
        [DISCOVER, fails(-32022, data={"supported": ["2026-07-28"], "requested": "x"})],
    ),
    ("basic/index#meta", [asks("tools/call"), fails(-32021)]),
    # results
    ("basic/index#result-responses", [DISCOVER, gives([])]),
    ("basic/index#resulttype", call(resultType="deferred")),
    (
        "basic/patterns/mrtr#inputrequiredresult",
        [asks("tools/call"), gives({"resultType": "input_required"})],
    ),
    (
        "basic/patterns/mrtr#supported-requests",
        [DISCOVER, gives({"resultType": "input_required", "requestState": "s"})],
    ),
    ("server/tools", call(content=[{"type": "video"}])),
    ("server/tools", call(content=[{"type": "image", "data": "", "text": ""}])),
    ("server/tools", call(isError=None)),
    ("basic/index#meta", call(_meta={SERVER_INFO: {"name": "helpdesk"}})),
    # the legacy era
    (
        "basic/versioning#backward-compatibility-with-initialization-based-versions",
        [initialize("2026-07-28"), agrees("2026-07-28")],
    ),
    (
        "basic/versioning#backward-compatibility-with-initialization-based-versions",
        [
            initialize("2025-06-18"),
            agrees("2025-06-18"),
            client("ping", 1, meta=None),
            gives({"resultType": "complete"}, 1),
        ],
    ),
    (
        "2025-06-18/server/tools",
        [
            initialize("2025-06-18"),
            agrees("2025-06-18"),
            client("tools/list", 1, meta=None),
            gives({}, 1),
        ],
    ),
    ("basic/index#meta", [client("tools/list", meta=None), gives({"tools": []})]),
    (
        "basic/index#meta",
        [
            client("tools/list", meta=None),
            initialize("2025-06-18"),
            gives({"tools": []}),
            agrees("2025-06-18"),
        ],
    ),
]

ADVICE = [
    ("basic/index#meta", call(_meta={})),
    ("server/tools#structured-content", call(content=[], structuredContent={})),
    (
        "basic/versioning#backward-compatibility-with-initialization-based-versions",
        [initialize("2025-11-25"), fails(-32601, 0)],
    ),
    ("basic/patterns/cancellation", [notifies("notifications/cancelled")]),
]
