"""A server with requests in flight, for the tests of the wire tests.

"slow" is answered when a notification "finish" comes, and reports its progress at each
"tick"; "cancelled" ends it, unless the server is called deaf. "count" counts the starts
on this data folder, "list" has pages.
"""

import json
import os
import pathlib
import sys

HOW = sys.argv[1] if len(sys.argv) > 1 else ""
STARTS = pathlib.Path(os.environ["HELPDESK_DATA"]) / "starts"
with STARTS.open("a", encoding="utf-8") as file:
    file.write(os.environ.get("HELPDESK_USER", "local") + " ")
PAGES = {
    "": [{}],
    "three": [{"nextCursor": ""}, {"nextCursor": "b"}, {}],
    "circle": [{"nextCursor": "a"}, {"nextCursor": "a"}],
    "null": [{"nextCursor": None}],
    "endless": None,
}
flight: dict = {}  # by id: the progress token
page = 0


def say(**message) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(number) -> None:
    say(id=number, result={"resultType": "complete", "id": number})


def notified(method: str, params: dict) -> None:
    if method == "notifications/cancelled" and HOW != "deaf":
        flight.pop(params["requestId"], None)
    elif method == "finish":
        for number in reversed(list(flight)):
            answer(number)
        flight.clear()
    elif method == "tick":
        for token in flight.values():
            say(method="notifications/progress", params={"progressToken": token})


def asked(number, method: str, params: dict) -> None:
    global page
    if method == "slow":
        flight[number] = params["_meta"].get("progressToken")
    elif method == "count":
        say(id=number, result={"starts": STARTS.read_text("utf-8").split()})
    elif method == "list":
        pages = PAGES.get(HOW, [{}])
        result = {"nextCursor": str(page)} if pages is None else pages[page]
        page += 1
        say(id=number, result={**result, "cursor": params.get("cursor")})
    else:
        answer(number)


for line in sys.stdin:
    message = json.loads(line)
    params = message.get("params", {})
    if "id" in message:
        asked(message["id"], message["method"], params)
    else:
        notified(message["method"], params)
