"""The protocol's own words: revision, reserved names, error codes. (lesson 01)

Pages named in comments are those of the specification, revision 2026-07-28, under
modelcontextprotocol.io/specification/2026-07-28/.
"""

REVISION = "2026-07-28"
# The revisions of the earlier era, which begins with a handshake.
LEGACY_REVISIONS = (  # lesson-02
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
)

# Reserved names in `_meta`, on a result or on a request (basic/index#meta).
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"  # lesson-02
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"  # lesson-02

# How long a client may keep a result that changes only with the program, in ms, and
# whether it may share it between users (server/utilities/caching).
CACHE = {"ttlMs": 300_000, "cacheScope": "public"}


class Code:
    """JSON-RPC's error codes, then those of this protocol (basic/index#error-codes)."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    UNSUPPORTED_PROTOCOL_VERSION = -32022  # lesson-02
    MISSING_REQUIRED_CLIENT_CAPABILITY = -32021  # lesson-07


class ProtocolError(Exception):
    """A request that is answered with an `error`, not with a result."""

    def __init__(self, code: int, message: str, **more: object):
        self.error = {"code": code, "message": shorten(message), **more}


def shorten(text: str, limit: int = 120) -> str:
    """At most `limit` characters; what does not print is shown as an escape."""
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
