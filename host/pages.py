"""A page that a server asks the person to visit. (lesson 07)

What must not be typed into a form is typed into a web page that neither this host nor
the model can read (client/elicitation, URL mode). The host shows the whole address and
where it leads; it never opens or fetches it. To accept says that the person agreed to
go there, and no more: whether all went well, the server learns on its own side.
"""

import re
from urllib.parse import urlsplit

LONGEST = 2000  # characters: one that can't be shown whole is not shown
QUESTION = "done? [y/n/c]"
ANSWERS = {"yes": "accept", "no": "decline", "cancel": "cancel"}


def ask_page(params: dict, server: str, person) -> dict:
    """The answer to one page: {"action": "accept", "decline" or "cancel"}."""
    url = params.get("url")
    if not isinstance(url, str) or (problem := fault(url)):
        reason = "there is no address" if not isinstance(url, str) else problem
        person.tell(f"{server} asks to visit a page that can't be shown: {reason}.")
        person.tell("It is answered with cancel.")
        return {"action": "cancel"}
    person.tell("")
    person.tell(f"--- {server} asks:")
    for line in params["message"].splitlines():
        person.tell(f"    {line}")
    person.tell("It asks you to visit this page (this host does not open it for you):")
    person.tell(f"    {url}")
    person.tell(f"It leads to the host:  {urlsplit(url).hostname}")
    for warning in warnings(url):
        person.tell(f"Careful: {warning}.")
    person.tell("y: I went there and am done; n: I decline; c: cancel, no answer.")
    person.forget_typed()
    while (said := person.read(QUESTION)) is not None:
        for name, action in ANSWERS.items():
            if said.strip().lower() in (name, name[0]):
                return {"action": action}
        person.tell("Please type y, n or c.")
    return {"action": "cancel"}


def fault(url: str) -> str:
    """Why an address is not even shown; "" where it is."""
    if len(url) > LONGEST:
        return f"its address has {len(url)} characters, over {LONGEST}"
    if not re.fullmatch(r"[!-~]+", url) or "\\" in url:
        return "its address holds characters that an address can't have"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "its address is none"
    if parts.scheme not in ("http", "https"):
        return f"its address begins with {parts.scheme[:20] or 'no scheme'}, not https"
    # To a browser evil%2eexample is evil.example, which would not be what is shown.
    if host and not re.fullmatch(r"[a-z0-9_.:-]+", host):
        return "its host is written with characters that a name can't have"
    return "" if host else "its address names no host"


def warnings(url: str) -> list[str]:
    """What to look at twice before one goes there."""
    parts, found = urlsplit(url), []
    if parts.scheme != "https":
        found.append("it is not https, so others can read and change what is sent")
    if re.search(r"(^|\.)xn--", parts.hostname or ""):
        found.append("the name of the host (xn--) may look like another one's")
    if "@" in parts.netloc:
        found.append("what stands before the @ is no host, though it may look like one")
    return found
