"""Content: the five kinds of block that a result or a prompt can hold. (lesson 06)

Text is read by every model; pictures and sound by some; a link is only named until the
host follows it. So what matters stands in the text too. `audience` says whom
a block is meant for, `priority` how much is lost without it (server/resources,
"Annotations").
"""

from handwritten import wire


class Content:
    """What a tool returns that has more to show than data: the data, then blocks.

    Without `data` there is nothing for programs, and the blocks are all there is.
    """

    def __init__(self, *blocks: dict, data: dict | None = None):
        self.blocks, self.data = list(blocks), data

    def result(self) -> dict:
        """The `content` of a call and, where there is data, its structured twin."""
        if self.data is None:
            return {"content": self.blocks, "isError": False}
        content = [text(wire.encode(self.data).decode().rstrip()), *self.blocks]
        return {"content": content, "structuredContent": self.data, "isError": False}


def text(words: str, **annotations) -> dict:
    return block("text", annotations, text=words)


def image(data: bytes, kind: str, **annotations) -> dict:
    return block("image", annotations, data=base64(data), mimeType=kind)


def audio(data: bytes, kind: str, **annotations) -> dict:
    return block("audio", annotations, data=base64(data), mimeType=kind)


def link(resource: dict) -> dict:
    """A resource as its list shows it: for the host to fetch, if anyone wants it."""
    return {"type": "resource_link", **resource}


def embedded(uri: str, contents: dict, **annotations) -> dict:
    """A resource with what is in it, as `resources/read` would give it."""
    return block("resource", annotations, resource={"uri": uri, **contents})


def block(kind: str, annotations: dict, **members) -> dict:
    noted = {"annotations": annotations} if annotations else {}
    return {"type": kind, **members, **noted}


def base64(data: bytes) -> str:
    """Bytes as JSON can carry them, a third longer."""
    from base64 import b64encode

    return b64encode(data).decode()
