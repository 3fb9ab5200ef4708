"""Two eras on one process: what a request carries decides. (lesson 02)

Since 2026-07-28 every request names its revision and capabilities in `_meta`, and
the server remembers nothing. Before, a client shook hands first (`initialize`), and
its requests carried neither. A server may speak both: basic/versioning, "Backward
Compatibility with Initialization-Based Versions".
"""

from handwritten.protocol import CLIENT_CAPABILITIES, PROTOCOL_VERSION, SERVER_INFO
from handwritten.protocol import LEGACY_REVISIONS, REVISION, Code, ProtocolError
from handwritten.tools import call_tool, list_tools  # lesson-03
from handwritten.completion import complete_argument  # lesson-06
from handwritten.prompts import get_prompt, list_prompts  # lesson-06
from handwritten.resources import list_resources, list_templates  # lesson-06
from handwritten.resources import read_resource  # lesson-06

REQUIRED_META = {PROTOCOL_VERSION: str, CLIENT_CAPABILITIES: dict}


def choose(request, modern_methods: dict) -> dict:
    """The methods of the request's era. Raises ProtocolError where it has none."""
    meta = request.params.get("_meta", {})
    modern = isinstance(meta, dict) and not REQUIRED_META.keys().isdisjoint(meta)
    if not modern and (request.connection.legacy or request.method == "initialize"):
        request.legacy = True
        return LEGACY_METHODS
    check_meta(meta)
    return modern_methods


def check_meta(meta) -> None:
    """Refuse a modern request that says too little, or asks for another revision."""
    for key, kind in REQUIRED_META.items():
        if not isinstance(meta, dict) or not isinstance(meta.get(key), kind):
            words = f"_meta must hold {key}, {JSON_NAMES[kind]}"
            raise ProtocolError(Code.INVALID_PARAMS, words)
    if meta[PROTOCOL_VERSION] != REVISION:
        # The client needs both to choose again (basic/versioning).
        data = {"supported": [REVISION], "requested": meta[PROTOCOL_VERSION]}
        words = f"Unsupported protocol version: {meta[PROTOCOL_VERSION]}"
        raise ProtocolError(Code.UNSUPPORTED_PROTOCOL_VERSION, words, data=data)


def initialize(request) -> dict:
    """The old handshake. A revision we do not know is offered our latest old one."""
    wanted = request.params.get("protocolVersion")
    if not isinstance(wanted, str):
        raise ProtocolError(Code.INVALID_PARAMS, "protocolVersion must be a string")
    agreed = wanted if wanted in LEGACY_REVISIONS else LEGACY_REVISIONS[-1]
    request.connection.legacy = agreed
    who = request.server.meta[SERVER_INFO]
    return {"protocolVersion": agreed, **request.server.about, "serverInfo": who}


def ping(request) -> dict:
    """Are you there? Gone since 2026-07-28: any answer says as much."""
    return {}


def old_shape(result: dict) -> dict:
    """What the earlier revisions know of a result: no members for caching."""
    return {key: result[key] for key in result if key not in ("ttlMs", "cacheScope")}


JSON_NAMES = {str: "a string", dict: "an object"}
LEGACY_METHODS = {
    "initialize": initialize,
    "ping": ping,
    "tools/list": list_tools,  # lesson-03
    "tools/call": call_tool,  # lesson-03
    # lesson-06
    "resources/list": list_resources,
    "resources/templates/list": list_templates,
    "resources/read": read_resource,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
    "completion/complete": complete_argument,
}
