"""The core: one line in, the messages that answer it out. (lesson 01)

Sans-I/O: there is no pipe, clock or global state in here. A transport hands
`Connection.receive` what it read and sends on what it yields, so the same core serves
a pipe, a web request, a test and a notebook.

Each request passes the same gates in the same order, and the first that it fails
decides the error: JSON? a request? a method we know? (basic/index)
"""

from handwritten import wire
from handwritten.protocol import CACHE, REVISION, SERVER_INFO, Code, ProtocolError
from handwritten import eras  # lesson-02
from handwritten.tools import call_tool, list_tools  # lesson-03
from handwritten import paging  # lesson-06
from handwritten.completion import complete_argument  # lesson-06
from handwritten.prompts import get_prompt, list_prompts  # lesson-06
from handwritten.resources import list_resources, list_templates  # lesson-06
from handwritten.resources import read_resource  # lesson-06
from handwritten.world import World  # lesson-06
from handwritten import turns  # lesson-07


class Server:
    """What all connections share. `log` takes one line of text."""

    def __init__(self, info: dict, log=lambda text: None):
        self.meta, self.log = {SERVER_INFO: info}, log  # `_meta` of every result
        # What the server tells of itself; a capability for each feature it has.
        self.about: dict = {"capabilities": {}}
        self.about["capabilities"]["tools"] = {}  # lesson-03
        # By name: what the list shows, and the function that a call runs.
        self.tools: dict = {}  # lesson-03
        for feature in ("resources", "prompts", "completions"):  # lesson-06
            self.about["capabilities"][feature] = {}
        # See resources.py and prompts.py for what these hold.
        self.resources = lambda user: {"resources": [], **CACHE}  # lesson-06
        self.templates: dict = {}  # lesson-06
        self.prompts: dict = {}  # lesson-06
        self.page_size = 50  # lesson-06
        self.world = World()  # lesson-06


class Request:
    """One message from the peer, and what is known of it so far."""

    def __init__(self, connection: "Connection"):
        self.connection, self.server = connection, connection.server
        self.id: str | int | None = None  # None: there is none, or none we can read
        self.method: str = ""
        self.params: dict = {}
        self.legacy = False  # lesson-02
        self.world = self.server.world  # lesson-06
        self.user = self.world.user  # lesson-06
        self.progress_token: str | int | None = None  # lesson-07


class Connection:
    """One peer."""

    def __init__(self, server: Server):
        self.server = server
        # The revision that a handshake agreed on, if there was one.
        self.legacy = ""  # lesson-02
        self.turns = turns.Turns()  # lesson-07

    def receive(self, line: bytes):
        """Yield the messages that this line calls for: often one, sometimes none."""
        # No line, but time for what is in flight to go on.
        if line is None:  # lesson-07
            yield from self.turns.tick()
            return
        turn = self.answer(line) if line.strip() else ()
        turn = self.turns.begin(turn)  # lesson-07
        yield from turn

    def answer(self, line: bytes):
        """One turn of the conversation: from a line to its result or error."""
        request = Request(self)
        try:
            if read(request, wire.decode(line)):
                self.turns.enter(request)  # lesson-07
                result = perform(request)
                result = yield from turns.steps(result)  # lesson-07
                result = paging.cut(request, result)  # lesson-06
                result = complete(request, result)
                yield {"jsonrpc": "2.0", "id": request.id, "result": result}
            elif request.method == "notifications/cancelled":  # lesson-07
                self.turns.cancel(request.params, self.server.log)
        except ProtocolError as problem:
            yield failure(request, problem)
        except Exception as error:  # our own fault, and nobody else's business
            self.server.log(f"{request.method} failed: {type(error).__name__}: {error}")
            yield failure(request, ProtocolError(Code.INTERNAL_ERROR, "internal error"))


def read(request: Request, message) -> bool:
    """Fill in the request; whether it wants an answer. Raises ProtocolError."""
    if not isinstance(message, dict):
        raise ProtocolError(Code.INVALID_REQUEST, "a message is one JSON object")
    answers = "result" in message or "error" in message
    if answers and "method" not in message:
        return False  # a response, though we asked nothing: it could go on for ever
    # By type, not isinstance: in Python True is an int. null is no id either.
    if type(message.get("id", 0)) not in (str, int):
        raise ProtocolError(Code.INVALID_REQUEST, "id must be a string or an integer")
    request.id = message.get("id")
    request.method, request.params = message.get("method", 0), message.get("params", {})
    if answers or message.get("jsonrpc") != "2.0" or type(request.method) is not str:
        raise ProtocolError(Code.INVALID_REQUEST, 'must be jsonrpc "2.0" with a method')
    if "id" in message and not isinstance(request.params, dict):
        raise ProtocolError(Code.INVALID_PARAMS, "params must be an object")
    return "id" in message  # without one it is a notification: silence


def perform(request: Request):
    """What the method that was asked for returns. Raises ProtocolError."""
    methods = METHODS
    methods = eras.choose(request, methods)  # lesson-02
    turns.check_token(request)  # lesson-07
    if request.method not in methods:
        raise ProtocolError(Code.METHOD_NOT_FOUND, f"Unknown method: {request.method}")
    return methods[request.method](request)


def complete(request: Request, result: dict) -> dict:
    """Add what every result carries: what kind it is, and who made it."""
    if request.legacy:  # lesson-02
        return eras.old_shape(result)
    return {"resultType": "complete", **result, "_meta": request.server.meta}


def failure(request: Request, problem: ProtocolError) -> dict:
    """The error message. Without a readable id the member is left out, not null."""
    id = {} if request.id is None else {"id": request.id}
    return {"jsonrpc": "2.0", **id, "error": problem.error}


def discover(request: Request) -> dict:
    """`server/discover`: which revisions and features there are (server/discover)."""
    return {"supportedVersions": [REVISION], **request.server.about, **CACHE}


METHODS = {
    "server/discover": discover,
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
