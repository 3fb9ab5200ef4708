"""What a result and an error must look like: the rules beside the schemas.

The shapes are those of tools/wirecheck/schemas.py; what no schema holds stands here as
code. Each rule names its page of the specification, says what was found and what
would be right, and never raises for what it reads.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tools.wirecheck import schemas
from tools.wirecheck.schemas import shorten

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
INPUT_REQUIRED = frozenset({"tools/call", "prompts/get", "resources/read"})
CACHEABLE = frozenset(
    {
        "server/discover",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
    }
)
ERROR_CODES = frozenset(
    {-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022}
)
HANDSHAKE = "basic/versioning#backward-compatibility-with-initialization-based-versions"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"

PAGES = (
    ("tools/", "server/tools"),
    ("resources/", "server/resources"),
    ("prompts/", "server/prompts"),
    ("server/discover", "server/discover"),
    ("completion/", "server/utilities/completion"),
    ("logging/", "server/utilities/logging"),
    ("initialize", "basic/lifecycle"),
    ("ping", "basic/utilities/ping"),
    ("notifications/progress", "basic/patterns/progress"),
    ("notifications/cancelled", "basic/patterns/cancellation"),
    ("notifications/message", "server/utilities/logging"),
    ("", "basic/patterns/subscriptions"),
)


class Complaint(NamedTuple):
    """One broken rule: its page, what was found and what would be right."""

    rule: str
    text: str
    level: str = "must"


def page(method: str, revision: str = MODERN) -> str:
    """The page of the specification that describes a method."""
    name = next(name for start, name in PAGES if method.startswith(start))
    return name if revision == MODERN else f"{revision}/{name}"


def result_complaints(
    method: str, result: Any, revision: str = MODERN
) -> Iterator[Complaint]:
    """The rules for the `result` that answers `method` in one revision."""
    if not isinstance(result, dict):
        yield Complaint(
            "basic/index#result-responses",
            f"result is {shorten(result)}: a result is an object",
        )
        return
    if revision == MODERN:
        yield from _modern_rules(method, result)
    else:
        yield from _legacy_rules(result, revision)
    if not schemas.known("SERVER_RESULTS", method, revision):
        return
    asks = result.get("resultType") == "input_required" and revision == MODERN
    arm = "InputRequiredResult" if asks else ""
    checker = schemas.validator("SERVER_RESULTS", method, revision, arm)
    for member, text in schemas.breaches(checker, result, "result"):
        # The rules above speak of these in plainer words.
        if member not in ("resultType", "ttlMs", "cacheScope"):
            yield Complaint(page(method, revision), text)


def _modern_rules(method: str, result: dict) -> Iterator[Complaint]:
    kind = result.get("resultType")
    if kind not in ("complete", "input_required"):
        found = shorten(kind) if "resultType" in result else "missing"
        yield Complaint(
            "basic/index#resulttype",
            f'result.resultType is {found}: "complete" or "input_required" is right',
        )
    if kind == "input_required":
        yield from _input_required_rules(method, result)
    elif method in CACHEABLE:
        yield from _cache_rules(result)
    if method == "tools/call" and kind == "complete":
        yield from _structured_rules(result)
    yield from _server_info_rules(result.get("_meta"))


def _input_required_rules(method: str, result: dict) -> Iterator[Complaint]:
    if method not in INPUT_REQUIRED:
        yield Complaint(
            "basic/patterns/mrtr#supported-requests",
            f"{shorten(method)} is answered input_required: only "
            f"{', '.join(sorted(INPUT_REQUIRED))} may be",
        )
    if "inputRequests" not in result and "requestState" not in result:
        yield Complaint(
            "basic/patterns/mrtr#inputrequiredresult",
            "an input_required result has neither inputRequests nor requestState: "
            "at least one of them must be there",
        )


def _cache_rules(result: dict) -> Iterator[Complaint]:
    time = result.get("ttlMs")
    if not isinstance(time, int) or isinstance(time, bool) or time < 0:
        found = shorten(time) if "ttlMs" in result else "missing"
        yield Complaint(
            "server/utilities/caching#time-to-live-ttl-field",
            f"result.ttlMs is {found}: an integer of 0 or more is right (milliseconds)",
        )
    scope = result.get("cacheScope")
    if scope not in ("public", "private"):
        found = shorten(scope) if "cacheScope" in result else "missing"
        yield Complaint(
            "server/utilities/caching#cache-scope-field",
            f'result.cacheScope is {found}: "public" or "private" is right',
        )


def _structured_rules(result: dict) -> Iterator[Complaint]:
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    kinds = [block.get("type") for block in blocks if isinstance(block, dict)]
    if "structuredContent" in result and "text" not in kinds:
        yield Complaint(
            "server/tools#structured-content",
            "structuredContent comes without a text block: the same JSON belongs "
            "into one, for clients that read only text",
            "should",
        )


def _server_info_rules(meta: Any) -> Iterator[Complaint]:
    if not isinstance(meta, dict) or SERVER_INFO not in meta:
        yield Complaint(
            "basic/index#meta",
            f"result._meta has no {SERVER_INFO}: name and version of the server "
            "belong there",
            "should",
        )
        return
    checker = schemas.server_info_validator()
    name = f'result._meta["{SERVER_INFO}"]'
    for _, text in schemas.breaches(checker, meta[SERVER_INFO], name):
        yield Complaint("basic/index#meta", text)


def _legacy_rules(result: dict, revision: str) -> Iterator[Complaint]:
    for name in ("resultType", "ttlMs", "cacheScope"):
        if name in result:
            yield Complaint(
                HANDSHAKE,
                f"result.{name} is there, but the request was one of {revision}, "
                "which has no such member",
            )


def error_complaints(message: dict, revision: str = MODERN) -> Iterator[Complaint]:
    """The rules for an error response, apart from which request it answers."""
    wrong = False
    for _, text in schemas.breaches(schemas.error_validator(), message, "message"):
        wrong = True
        yield Complaint("basic/index#error-responses", text)
    if wrong or revision != MODERN:
        return
    code, data = message["error"]["code"], message["error"].get("data")
    if -32768 <= code <= -32000 and code not in ERROR_CODES:
        yield Complaint(
            "basic/index#error-codes",
            f"error.code is {code}: of -32768 to -32000 this revision has only "
            + ", ".join(map(str, sorted(ERROR_CODES))),
        )
    if code in schemas.DATA_SCHEMAS:
        rule, _ = schemas.DATA_SCHEMAS[code]
        checker = schemas.error_validator(code)
        for _, text in schemas.breaches(checker, data, "error.data"):
            yield Complaint(rule, f"{text}, and {code} must carry it")
