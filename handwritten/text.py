"""Values from a peer, made fit to show to a model or a person. (lesson 03)"""

import json

from handwritten.protocol import shorten


def quote(value: object, limit: int = 80) -> str:
    """The value as JSON, shortened: a string keeps both its quotes."""
    if isinstance(value, str) and len(value) > limit:
        value = value[: limit - 1] + "…"
    text = json.dumps(value, ensure_ascii=False)
    return shorten(text, limit) if not isinstance(value, str) else text
