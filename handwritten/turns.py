"""Several requests in flight on one connection. (lesson 07)

A handler, or a tool's function, is a plain function or a generator. What a generator
yields goes out before its result; a bare `yield` says nothing and means: go on with me
later. Its first step runs at once, so what needs only one is answered as ever. What is
unfinished then is parked here and goes on by one step with every tick. There are no
threads in this: a step runs alone, and to cancel a turn is to close its generator
(basic/patterns/cancellation, basic/patterns/progress).
"""

import time
from types import GeneratorType

from handwritten.protocol import Code, ProtocolError
from handwritten.text import quote

MAX_TURNS = 32  # in flight on one connection
TICK = 0.01  # seconds between two steps of what is in flight
PATIENCE = 1  # seconds: Windows sees a Ctrl-C only when a wait ends
GAP = 0.1  # seconds between two progress notifications of a request


class Turns:
    """The turns of one connection that go on after their first step."""

    def __init__(self):
        self.parked: dict = {}  # by the request's id; 1 and "1" are two keys
        self.newest: str | int | None = None  # the id of the request read last

    def enter(self, request) -> None:
        """Let a request begin. Raises ProtocolError: its id is taken, or too many."""
        if request.id in self.parked:
            # An answer with this id would be taken for that of the other request.
            request.id = None
            words = "a request with this id is in flight"
            raise ProtocolError(Code.INVALID_REQUEST, words)
        if len(self.parked) >= MAX_TURNS:
            words = f"{MAX_TURNS} requests are in flight: wait for one of them"
            raise ProtocolError(Code.INVALID_REQUEST, words)
        self.newest = request.id

    def begin(self, turn):
        """The first step. Yield what it says, and park the turn if it isn't over."""
        for said in turn:
            if not is_answer(said):
                self.parked[self.newest] = turn
            if said is not None:
                yield said
            return

    def tick(self):
        """One step of each turn in flight. Yield what they say."""
        for id, turn in list(self.parked.items()):
            if id not in self.parked:
                continue  # cancelled since this tick began
            said = next(turn)  # `answer` never ends without an answer
            if is_answer(said):
                del self.parked[id]
            if said is not None:
                yield said

    def cancel(self, params, log) -> None:
        """`notifications/cancelled`: nothing more is said for that request.

        The client may be late. What is unknown, over or malformed changes nothing.
        """
        params = params if isinstance(params, dict) else {}
        id = params.get("requestId")
        turn = self.parked.pop(id, None) if type(id) in (str, int) else None
        if turn is None:
            return
        log(f"request {quote(id)} cancelled: {quote(params.get('reason', ''))}")
        try:
            turn.close()  # runs the `finally` of whatever it was in the middle of
        except Exception as error:  # our own fault, and no reason to end
            kind = type(error).__name__
            log(f"request {quote(id)} did not end well: {kind}: {error}")


def is_answer(said: dict | None) -> bool:
    """Whether a turn that says this is over: a notification has a method."""
    return said is not None and "method" not in said


def steps(value):
    """Run what a handler returned to its end, where it is a generator."""
    return (yield from value) if is_in_steps(value) else value


def is_in_steps(value) -> bool:
    return isinstance(value, GeneratorType)


def check_token(request) -> None:
    """Keep the request's progressToken. Raises ProtocolError where it can't be one."""
    meta = request.params.get("_meta")
    if isinstance(meta, dict) and "progressToken" in meta:
        # By type: 0 and "" are tokens like any other, 1.5 and true are none.
        if type(meta["progressToken"]) not in (str, int):
            words = "progressToken must be a string or an integer"
            raise ProtocolError(Code.INVALID_PARAMS, words)
        request.progress_token = meta["progressToken"]


class Progress:
    """How far a request is, for a client that gave it a token."""

    def __init__(self, request):
        self.request = request
        self.told, self.told_at = -1, float("-inf")

    def __call__(self, done: int, total: int, message: str, at: float) -> dict | None:
        """A notification to yield. None: nobody asked, or they heard just now.

        `at` is when this step was due, so that one that comes late changes nothing in
        which of them are told.
        """
        token = self.request.progress_token
        soon = abs(at - self.told_at) < GAP and done < total
        if token is None or done <= self.told or soon:
            return None
        self.told, self.told_at = done, at
        told = {"progressToken": token, "progress": done, "total": total}
        params = {**told, "message": message}
        return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def with_ticks(lines, connection):
    """Yield lines as they come, and None whenever it is time for a tick.

    As long as nothing is in flight this only passes lines on. Then a thread reads them,
    since a wait for input can't be interrupted to go on with something else. After the
    end of the input it ticks until everything is answered.
    """
    parked = connection.turns.parked
    for line in lines:
        yield line
        if parked:
            yield from while_in_flight(lines, parked)
    while parked:
        yield None
        time.sleep(TICK)


def while_in_flight(lines, parked):
    """The same while something is in flight, and until the thread has let go."""
    import threading  # these two cost as much as all the rest of the start
    from queue import SimpleQueue

    wanted: SimpleQueue = SimpleQueue()
    came: SimpleQueue = SimpleQueue()
    threading.Thread(target=read, args=(lines, wanted, came), daemon=True).start()
    reading, due = False, time.monotonic() + TICK
    try:
        # A line that the thread waits for can't be read by anyone else.
        while parked or reading:
            if not reading:
                wanted.put(True)
            left = due - time.monotonic() if parked else PATIENCE
            line = next_of(came, left)
            reading = line is None
            if line == b"":
                return
            if line is not None:
                yield line
            if time.monotonic() >= due:
                yield None
                due = time.monotonic() + TICK
    finally:
        wanted.put(False)


def next_of(came, seconds: float):
    """The next line; b"" at the end of the input; None when none came in time."""
    from queue import Empty

    try:
        line = came.get(timeout=max(0, seconds))
    except Empty:
        return None
    if isinstance(line, BaseException):
        raise line
    return line


def read(lines, wanted, came) -> None:
    """In the thread: one line whenever one is wanted; b"" is the end."""
    while wanted.get():
        try:
            came.put(next(lines, b""))
        except BaseException as error:  # the program's own thread has to see it
            came.put(error)
