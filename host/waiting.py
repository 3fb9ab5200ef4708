"""One request on its way: how long one waits, and what comes meanwhile. (lesson 07)

Progress for this request may extend the wait, up to a limit that nothing extends
(basic/patterns/cancellation, "Timeouts"). All else that comes in between, for a request
that was given up or for nobody, is dropped, and said so a few times.
"""

import math
import time
from typing import Any

from handwritten.protocol import CLIENT_CAPABILITIES
from handwritten.text import quote

LONGEST = 60.0  # seconds one request may take, whatever progress it tells of
MOST_NOTES = 3  # remarks about dropped messages while one request is waited for
SILENT = "server/discover", "initialize"  # not cancelled: the era is not known yet
LATE = "It took too long"


class Wait:
    """What a client knows about the request that it is waiting for."""

    def __init__(self, client, method: str, timeout: float):
        self.client, self.method, self.id = client, method, client.last_id
        self.timeout, self.last_moment = timeout, time.monotonic() + LONGEST
        # Any string will do that no other request has; it need not be the id.
        self.token = f"call-{self.id}" if method == "tools/call" else None
        self.sent = self.answered = self.cancelled = False
        self.reached = -math.inf  # the last progress
        self.notes = 0

    @property
    def in_flight(self) -> bool:
        return self.sent and not self.answered and not self.cancelled

    @property
    def in_doubt(self) -> bool:
        """Whether the server may have done what was asked, and nobody knows."""
        return self.sent and not self.answered

    def meta(self, meta: dict) -> dict:
        """What is said of this request beside its params; an old server gets none."""
        if not meta:
            self.token = None
            return meta
        parts = dict(meta["_meta"])
        if self.client.asking:
            parts[CLIENT_CAPABILITIES] = self.client.asking.capabilities
        if self.token is not None:
            parts["progressToken"] = self.token
        return {"_meta": parts}

    def heard(self, message: Any, deadline: float) -> float:
        """When the wait ends, after a message that is no answer to this request."""
        if not isinstance(message, dict):
            return deadline
        if message.get("method") == "notifications/progress" and "id" not in message:
            return self.progress(message.get("params"), deadline)
        id = message.get("id")
        if "method" not in message and type(id) is int and id in self.client.given_up:
            self.client.given_up.discard(id)
            self.note(f"dropped the answer to request {id}: it came too late")
        return deadline

    def progress(self, params: Any, deadline: float) -> float:
        """Take progress that is for this request, and that grows; drop all other."""
        parts = params if isinstance(params, dict) else {}
        token, reached = parts.get("progressToken"), number(parts.get("progress"))
        if self.token is None or token != self.token:
            self.note(f"dropped progress for {quote(token)}, which nobody waits for")
            return deadline
        if reached is None or reached <= self.reached:
            return deadline
        self.reached = reached
        text = parts.get("message")
        text = text if isinstance(text, str) else ""
        if self.client.asking:
            self.client.asking.progress(reached, number(parts.get("total")), text)
        return min(time.monotonic() + self.timeout, self.last_moment)

    def note(self, text: str) -> None:
        self.notes += 1
        if self.client.asking and self.notes <= MOST_NOTES:
            self.client.asking.note(text)


def number(value: object) -> float | None:
    """A number of sane size, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if abs(value) < 1e15 else None
