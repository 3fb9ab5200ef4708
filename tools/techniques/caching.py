"""What a prompt cache makes of a tool list, simulated: tokens and money. (lesson 04)

Two models, both of which read a request from its beginning. The prefix model: all up to
the first difference from some earlier request is read from the cache, in steps. The
breakpoint model: the client marks places; at a mark the list so far is read from the
cache when an earlier request had exactly the same up to a mark of its own, and is
written otherwise. In both, what was sent once stays cached, and only the tools are
counted. A cached list is cheaper and not shorter: it fills the window just the same.

A request is a list of tools in the shape in which the model API gets them. `count` says
how many tokens a text has. Prices are per million tokens and always the caller's.
"""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tools.tool_cost import compact

Count = Callable[[str], int]
MINIMUM = 1024  # tokens: what is shorter is not cached
STEP = 128  # tokens: the cached prefix is a multiple


@dataclass(frozen=True)
class Prices:
    """Money per million tokens."""

    input: float
    write: float
    read: float


@dataclass(frozen=True)
class Usage:
    """Tokens: sent at the plain price, written to the cache, read from the cache."""

    input: int = 0
    written: int = 0
    read: int = 0

    @property
    def total(self) -> int:
        return self.input + self.written + self.read

    def __add__(self, other: "Usage") -> "Usage":
        pairs = (self.input + other.input, self.written + other.written)
        return Usage(*pairs, self.read + other.read)


def cache_cost(usage: Usage, prices: Prices) -> float:
    """What the usage costs, in the currency of the prices."""
    parts = usage.input * prices.input + usage.written * prices.write
    return (parts + usage.read * prices.read) / 1_000_000


def prefix_usage(
    requests: Iterable[list[dict]],
    count: Count,
    minimum: int = MINIMUM,
    step: int = STEP,
) -> Usage:
    """The prefix model. Writing costs nothing extra in it, so nothing is `written`."""
    count = functools.cache(count)
    earlier: dict[str, None] = {}  # each text once, in order
    usage = Usage()
    for request in requests:
        text = compact(request)
        same = max((common(text, other) for other in earlier), default=0)
        # Tokens may join over the cut, so a prefix never counts more than its text.
        cached = min(count(text[:same]), count(text)) // step * step
        cached = cached if cached >= minimum else 0
        usage += Usage(input=count(text) - cached, read=cached)
        earlier[text] = None
    return usage


def breakpoint_usage(
    requests: Iterable[list[dict]],
    count: Count,
    breakpoints: Iterable[int] | None = None,
    minimum: int = MINIMUM,
) -> Usage:
    """The breakpoint model; `breakpoints` say after how many tools the marks are.

    None: one mark after the last tool. A mark beyond the end of a list is one after its
    last tool. What follows the last mark is sent at the plain price.
    """
    count = functools.cache(count)
    earlier: set[str] = set()
    usage = Usage()
    for request in requests:
        marks = [len(request)] if breakpoints is None else list(breakpoints)
        ends = sorted({min(mark, len(request)) for mark in marks})
        texts = [beginning(request, end) for end in ends]
        cachable = [text for text in texts if count(text) >= minimum]
        sizes = {text: count(text) for text in cachable}
        read = max((sizes[text] for text in cachable if text in earlier), default=0)
        upto = max(sizes.values(), default=0)
        total = max(count(compact(request)), upto)
        usage += Usage(total - upto, upto - read, read)
        earlier.update(cachable)
    return usage


def beginning(tools: list[dict], end: int) -> str:
    """The list as far as its first `end` tools; with its bracket when that is all."""
    text = compact(tools[:end])
    return text if end == len(tools) else text[:-1]


def common(one: str, other: str) -> int:
    """How many characters two texts share at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
