"""Where a list of tools comes from: a server, or a saved list. (lesson 04)

The rule: whatever a server does, the question ends, in time and in size. A list that
goes in circles, has no last page or is too large is refused with one sentence.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from handwritten import wire
from handwritten.protocol import SERVER_INFO, ProtocolError
from host.client import Client, ServerFailure
from tools.tool_cost.sizes import compact
from tools.tool_cost.vocabulary import MAX_BYTES, CostError

TIMEOUT = 30.0  # seconds a server gets, from its start to the last page
MAX_PAGES = 200
MAX_LINES = 10_000  # answers, messages and noise; more is taken for noise without end


@dataclass(frozen=True)
class Listing:
    """What a server lists. Where it does not say, the texts are empty."""

    tools: list[dict]
    instructions: str = ""
    name: str = ""
    version: str = ""
    revision: str = ""


class _Asked(Client):
    """A client that keeps what the server says of itself, and has one deadline."""

    def __init__(self, command: list[str], timeout: float):
        super().__init__("server", command)
        self.timeout, self.deadline = timeout, time.monotonic() + timeout
        self.about: dict = {}
        self.lines = 0

    def request(self, method: str, params=None, timeout: float = TIMEOUT) -> dict:
        left = max(0.0, self.deadline - time.monotonic())
        probing = method == "server/discover"
        # A slow start is no silence, but a silent server needs time for the handshake.
        limit = min(left, self.timeout / 2) if probing else left
        result = super().request(method, params, limit)
        if probing or method == "initialize":
            self.about = result
        return result

    def receive(self, deadline: float) -> object:
        self.lines += 1
        if self.lines > MAX_LINES:
            raise ServerFailure(f"sent {MAX_LINES:,} lines and not its list")
        return super().receive(deadline)


def list_tools(command: list[str], timeout: float = TIMEOUT) -> Listing:
    """Start this server, take its whole list, end it. Raises CostError."""
    client = _Asked(command, timeout)
    try:
        client.open()
        tools = _pages(client)
    except ServerFailure as failure:
        raise CostError(f"the server {failure}") from None
    finally:
        client.close()
    about = client.about
    meta = about.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    info = about.get("serverInfo") or meta.get(SERVER_INFO)
    info = info if isinstance(info, dict) else {}
    return Listing(
        tools,
        _text(about.get("instructions")),
        _text(info.get("name")),
        _text(info.get("version")),
        client.revision,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _pages(client: Client) -> list[dict]:
    tools: list[dict] = []
    seen: set[str] = set()
    cursor, characters = None, 0
    for _ in range(MAX_PAGES):
        params: dict = {} if cursor is None else {"cursor": cursor}
        page = client.request("tools/list", params)
        characters += len(compact(page))
        if characters > MAX_BYTES:
            raise CostError(f"the server's list has more than {MAX_BYTES:,} characters")
        tools += checked(page.get("tools"))
        cursor = page.get("nextCursor")
        if cursor is None:
            return tools
        if not isinstance(cursor, str):
            raise CostError("the server sent a nextCursor that is no string")
        if cursor in seen:  # an empty one is a cursor like any other
            raise CostError("the server's list goes in circles: it repeats a cursor")
        seen.add(cursor)
    raise CostError(f"the server's list has no end: {MAX_PAGES} pages were read")


def checked(tools: object) -> list[dict]:
    """These tools, each with a name. Raises CostError."""
    if not isinstance(tools, list):
        raise CostError("there is no list of tools: an array `tools` is expected")
    for number, tool in enumerate(tools, 1):
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
            raise CostError(f"tool {number} of the list is no object with a name")
    return tools


def read_json(path: Path | str) -> object:
    """The value of a JSON file, read as strictly as a message. Raises CostError."""
    try:
        with open(path, "rb") as file:
            return wire.decode(file.read(wire.MAX_LINE + 1))
    except OSError as error:
        raise CostError(f"can't read {str(path)!r}: {error.strerror}") from None
    except ProtocolError as error:
        raise CostError(f"{path}: {error.error['message']}") from None


def read_list(path: Path | str) -> Listing:
    """A saved result of tools/list, the message around it, or the array alone.

    Raises CostError.
    """
    value = read_json(path)
    if isinstance(value, dict) and isinstance(value.get("result"), dict):
        value = value["result"]
    try:
        tools = checked(value.get("tools") if isinstance(value, dict) else value)
    except CostError as error:
        raise CostError(f"{path}: {error}") from None
    return Listing(tools, name=Path(path).stem)
