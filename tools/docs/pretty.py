"""JSON for reading: indented, with what is short on one line.

Only white space changes: every name, number and string stays as it was sent, in
the order in which it was sent.
"""

import json
import re

WIDTH = 88  # columns
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')

# A value is its text, or its opening bracket, its items and its closing bracket.
_Node = str | tuple[str, list[tuple[str, "_Node"]], str]


def pretty(text: str, indent: int = 0) -> str:
    """The JSON text in lines; all but the first are indented by `indent` columns.

    Raises ValueError where the text is not JSON.
    """
    try:
        json.loads(text)
        tokens = _TOKEN.findall(text)
        tokens.reverse()
        return _lay(_node(tokens), indent, indent)
    except RecursionError:
        raise ValueError("too many brackets inside each other") from None


def _node(tokens: list[str]) -> _Node:
    first = tokens.pop()
    if first not in ("{", "["):
        return first
    items: list[tuple[str, _Node]] = []
    while tokens[-1] not in ("}", "]"):
        name = ""
        if first == "{":
            name = tokens.pop() + tokens.pop() + " "
        items.append((name, _node(tokens)))
        if tokens[-1] == ",":
            tokens.pop()
    return (first, items, tokens.pop())


def _flat(node: _Node) -> str:
    if isinstance(node, str):
        return node
    opening, items, closing = node
    return opening + ", ".join(name + _flat(each) for name, each in items) + closing


def _lay(node: _Node, indent: int, used: int) -> str:
    """`used`: the columns that are taken already on the node's first line."""
    flat = _flat(node)
    if isinstance(node, str) or used + len(flat) <= WIDTH or not node[1]:
        return flat
    opening, items, closing = node
    margin = "\n" + " " * (indent + 2)
    rows = [
        name + _lay(each, indent + 2, indent + 2 + len(name) + 1)
        for name, each in items
    ]
    inside = margin + ("," + margin).join(rows)
    return opening + inside + "\n" + " " * indent + closing
