"""What a text model is given of a result's blocks. (lesson 06)

Text goes to the model, and the text of an embedded resource, fenced. Of a picture or a
sound there is a placeholder: its base64 would be hundreds of thousands of tokens that
say nothing. A link is named and never fetched: to fetch what a server names is for
somebody to decide. What is for the person only is kept from the model
(server/resources, "Annotations"); such a wish is granted, other annotations are not
even read. A block that lacks something is left as it is, and app.py names its type.
"""

import base64
import binascii
import re

from handwritten.protocol import shorten
from host.decide import exact

MEDIA_TYPE = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}")
MAX_NAME, MAX_URI = 120, 2048  # characters


def readable(block: object) -> object:
    """The block, or a text block that stands for it."""
    if not isinstance(block, dict):
        return block
    if for_person_only(block):
        return text(f"[{about(block)}: for the person only]")
    words = in_words(block)
    return block if words is None else text(words)


def text(words: str) -> dict:
    return {"type": "text", "text": words}


def for_person_only(block: dict) -> bool:
    notes = block.get("annotations")
    return isinstance(notes, dict) and notes.get("audience") == ["user"]


def for_person(result: dict) -> list[str]:
    """What the person is shown of the blocks that the model does not get."""
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    return [
        shown(block)
        for block in blocks
        if isinstance(block, dict) and for_person_only(block)
    ]


def shown(block: dict) -> str:
    """The text of a block; of a picture or a sound what it is: no terminal shows it."""
    words, contents = block.get("text"), block.get("resource")
    if block.get("type") == "text" and isinstance(words, str):
        return words
    text_inside = isinstance(contents, dict) and isinstance(contents.get("text"), str)
    if text_inside or block.get("type") == "resource_link":
        return in_words(block) or f"[{about(block)}]"
    return f"[{about(block)}]"


def in_words(block: dict) -> str | None:
    """A picture, a sound, a link or a resource in words; None: it is no whole one."""
    kind, resource = block.get("type"), block.get("resource")
    if kind in ("image", "audio") and isinstance(block.get("data"), str):
        return f"[{about(block)}: not shown to the model]"
    if kind == "resource_link":
        name, uri = block.get("name"), block.get("uri")
        if isinstance(name, str) and isinstance(uri, str) and len(uri) <= MAX_URI:
            return f"[link: {shorten(name, MAX_NAME)} ({shorten(uri, MAX_URI)})]"
    if kind == "resource" and isinstance(resource, dict):
        return contents_in_words(resource)
    return None


def contents_in_words(contents: dict) -> str | None:
    """What `resources/read` gives, or a block embeds; None: it is no whole one."""
    uri, words, blob = (contents.get(name) for name in ("uri", "text", "blob"))
    if not isinstance(uri, str):
        return None
    title = f"{shorten(uri, MAX_URI)} ({media_type(contents)})"
    if isinstance(words, str):
        return fenced(title, words)
    if isinstance(blob, str):
        about = f"resource {shorten(uri, MAX_URI)}"
        return f"[{about}, {binary(contents, blob)}: not shown to the model]"
    return None


def fenced(title: str, words: str) -> str:
    """The text between lines that it can't itself hold: so it can't end early."""
    longest = max(map(len, re.findall("`+", words)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{title}:\n{fence}\n{words.rstrip()}\n{fence}"


def about(block: dict) -> str:
    """Kind, media type and size of a block that is not shown itself."""
    kind, words, data = (block.get(name) for name in ("type", "text", "data"))
    if kind == "text" and isinstance(words, str):
        return f"text, {len(words):,} characters"
    if kind in ("image", "audio") and isinstance(data, str):
        return f"{kind}, {binary(block, data)}"
    contents = block.get("resource")
    uri = contents.get("uri") if isinstance(contents, dict) else block.get("uri")
    named = f" {shorten(uri, MAX_NAME)}" if isinstance(uri, str) else ""
    known = kind in ("resource", "resource_link")
    return f"{kind}{named}" if known else "a block"


def binary(holder: dict, data: str) -> str:
    """Media type and size of what base64 stands for."""
    try:
        size = len(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):  # ValueError: it is not even ASCII
        return f"{media_type(holder)}, its data is no base64"
    return f"{media_type(holder)}, {size:,} bytes"


def media_type(holder: dict) -> str:
    kind = holder.get("mimeType")
    known = isinstance(kind, str) and MEDIA_TYPE.fullmatch(kind)
    return str(kind) if known else "of no known type"


def untold(result: dict) -> list[dict]:
    """The data of a result, where none of its blocks says it to the model.

    That it is also sent as text is a SHOULD (server/tools). Data that repeats what a
    placeholder stands for is not told in this way either. 0, "" and null are data.
    """
    content = result.get("content")
    listed = content if isinstance(content, list) else []
    blocks = [each for each in listed if isinstance(each, dict)]
    said = [each for each in blocks if each.get("type") in ("text", "resource")]
    if said or "structuredContent" not in result:
        return []
    data = exact(result["structuredContent"])
    copies = [each["data"] for each in blocks if isinstance(each.get("data"), str)]
    return [] if any(copy and copy in data for copy in copies) else [text(data)]
