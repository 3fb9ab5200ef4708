"""What a person picks for the model: resources, and a prompt. (lesson 06)

Tools are for the model to choose. A resource is attached because a person, or the host,
wants it there; a prompt is sent because a person picked it (server/resources,
server/prompts). What they hold was written by others: it comes fenced, under its
address, so that nobody takes it for the person's own words.
"""

import json
import re

from handwritten.protocol import shorten
from handwritten.text import quote
from host.app import Host, block_text
from host.blocks import contents_in_words, media_type, readable
from host.client import ServerFailure
from host.reader import Reader

MAX_ATTACHED = 20_000  # characters of one text
ROLES = {"user": "person", "assistant": "model"}


def pick(host: Host, uris: list[str], prompt: list[str]) -> None:
    """Get what was picked. Raises ValueError: what is not there stops the run."""
    for text in uris:
        host.attached += attached(host, text)
    if prompt:
        host.prompted = messages(host, *prompt)


def attached(host: Host, text: str) -> list[dict]:
    """A resource, `URI` or `SERVER=URI`, as messages. Raises ValueError."""
    name, uri = re.fullmatch("(?:([^:=]+)=)?(.*)", text, re.DOTALL).groups()  # type: ignore
    reader = reader_of(host, "resources", name)
    result = asked(reader, "resources/read", {"uri": uri}, uri)
    contents = result.get("contents")
    if not isinstance(contents, list) or not contents:
        raise ValueError(f"{quote(uri)}: {reader.name} sent no contents.")
    made = []
    for each in contents:
        each = shortened(each)
        words = contents_in_words(each)
        if words is None:
            raise ValueError(f"{quote(uri)}: {reader.name} sent contents without any.")
        what = words
        if isinstance(each.get("text"), str):
            what = f"{media_type(each)}, {len(each['text']):,} characters"
        host.say("host", f"attached {shorten(each['uri'])}: {what}", contents=each)
        made.append({"role": "resource", "text": words})
    return made


def messages(host: Host, name: str, *pairs: str) -> list[dict]:
    """A prompt's messages, in the host's own form. Raises ValueError."""
    if wrong := [pair for pair in pairs if "=" not in pair]:
        raise ValueError(f"--prompt: {quote(wrong[0])} is not like ticket_id=2318.")
    reader = reader_of(host, "prompts", None)
    arguments = dict(pair.split("=", 1) for pair in pairs)
    params = {"name": name, "arguments": arguments}
    listed = asked(reader, "prompts/get", params, name).get("messages")
    if not isinstance(listed, list) or not listed:
        raise ValueError(f"{quote(name)}: {reader.name} sent no messages.")
    made = []
    for each in listed:
        role = ROLES.get(str(each.get("role"))) if isinstance(each, dict) else None
        if role is None:
            raise ValueError(f"{quote(name)}: {reader.name} sent an odd message.")
        words = cut(block_text(readable(each.get("content"))))
        host.say("server", f"prompt: {words}", message=each)
        made.append({"role": role, "text": words})
    return made


def asked(reader: Reader, method: str, params: dict, what: str) -> dict:
    """The result. Raises ValueError with a sentence for whoever named the thing."""
    try:
        return reader.request(method, params)
    except ServerFailure as failure:
        raise ValueError(f"{quote(what)}: {reader.name} {failure}.") from None


def reader_of(host: Host, feature: str, name: str | None) -> Reader:
    """The server that is meant: the first that has the feature. Raises ValueError.

    Others are not asked: what a person reads is no business of every server.
    """
    known = [each for each in host.readers if name in (None, each.name)]
    if not known:
        raise ValueError(f"--attach: no server is called {quote(name)}.")
    able = [each for each in known if each.declares(feature)]
    if not able:
        names = ", ".join(each.name for each in known)
        raise ValueError(f"there are no {feature} to pick from: {names} declares none.")
    return able[0]


def shortened(contents: object) -> dict:
    """The contents, with a text that has a bound."""
    parts = contents if isinstance(contents, dict) else {}
    long = isinstance(parts.get("text"), str)
    return {**parts, "text": cut(parts["text"])} if long else parts


def cut(text: str) -> str:
    mark = f" [cut: it has {len(text)} characters]"
    fits = len(text) <= MAX_ATTACHED
    return text if fits else text[: MAX_ATTACHED - len(mark)] + mark


def catalog(host: Host, feature: str, as_json: bool) -> int:
    """Print what there is to pick; the exit code. Raises ValueError: no list came."""
    found: dict = {"resources": [], "templates": [], "prompts": []}
    for reader in host.readers:
        if not reader.declares(feature):
            host.say("host", f"{reader.name} declares no {feature}")
        elif feature == "prompts":
            listed = asked(reader, "prompts/list", {}, reader.name)["prompts"]
            found["prompts"] += entries(host, reader, listed, "name")
        else:
            listed = asked(reader, "resources/list", {}, reader.name)["resources"]
            found["resources"] += entries(host, reader, listed, "uri")
            result = asked(reader, "resources/templates/list", {}, reader.name)
            listed = result["resourceTemplates"]
            found["templates"] += entries(host, reader, listed, "uriTemplate")
    if as_json:
        print(json.dumps({kind: found[kind] for kind in found if found[kind]}))
    return 0


def entries(host: Host, reader: Reader, listed: list, key: str) -> list[dict]:
    """The entries that have a name, each shown on a line."""
    good = [
        each
        for each in listed
        if isinstance(each, dict) and isinstance(each.get(key), str)
    ]
    before = f"{reader.name}=" if len(host.readers) > 1 and key == "uri" else ""
    for each in good:
        host.say("host", before + line(each, key))
    if left_out := len(listed) - len(good):
        host.say("host", f"{reader.name}: {left_out} without {key} are left out")
    return [{**each, "server": reader.name} for each in good]


def line(entry: dict, key: str) -> str:
    """What a person picks by: address or name, title, and size or arguments."""
    names = (entry.get(name) for name in ("title", "description", "name"))
    title = next((name for name in names if isinstance(name, str)), "")
    size, wants = entry.get("size"), entry.get("arguments")
    more = f", {size:,} bytes" if type(size) is int else ""
    if isinstance(wants, list):
        named = [each.get("name") for each in wants if isinstance(each, dict)]
        more = "".join(f" {name}=…" for name in named if isinstance(name, str))
    return f"{shorten(entry[key], 2048)}  {shorten(title)}{more}"
