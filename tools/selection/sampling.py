"""The experiment: how the share of right picks falls while lists grow. (lesson 04)"""

import math
import random
from collections.abc import Sequence

from tools.selection.picking import Question, flat, order

Z = 1.96  # of a 95 % interval


def wilson(rate: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share that was seen in so many trials."""
    middle = rate + Z * Z / (2 * trials)
    wide = Z * math.sqrt(rate * (1 - rate) / trials + Z * Z / (4 * trials * trials))
    below, above = ((middle + side) / (1 + Z * Z / trials) for side in (-wide, wide))
    return max(0.0, below), min(1.0, above)


def experiment(
    questions: list[Question],
    helpdesk_tools: list[dict],
    neighbours: dict[str, list[dict]],
    sizes: Sequence[int] = (1, 5, 20, 50, 100),
    draws: int = 30,
    seed: int = 4,
) -> list[dict]:
    """How often the right tool is picked by words among so many tools.

    Each draw is the right tool and random others, in random order. Draws of one
    question depend on each other, so the interval counts questions as trials: more
    draws make it no narrower. Rows: {"tools", "draws" (in all), "hits", "rate", "low",
    "high"}. Raises ValueError for a size that is more than there are tools.
    """
    everything = flat({"helpdesk": helpdesk_tools, **neighbours})
    if sizes and not 1 <= min(sizes) <= max(sizes) <= len(everything):
        raise ValueError(f"sizes {sizes}: there are {len(everything)} tools")
    rows = []
    for size in sizes:
        # Its own source of chance: a row is the same whatever other rows there are.
        chance = random.Random(f"{seed} {size}")
        hits = 0
        for question in questions:
            right = [each for each in everything if each[0] == question.expected][:1]
            if not right:
                raise ValueError(f"no list has the tool {question.expected}")
            others = [each for each in everything if each[0] != question.expected]
            for _ in range(draws):
                tools = chance.sample(right + chance.sample(others, size - 1), size)
                hits += order(question.text, tools)[:1] == [question.expected]
        count = len(questions) * draws
        low, high = wilson(hits / count, len(questions))
        row = {"tools": size, "draws": count, "hits": hits, "rate": hits / count}
        rows.append({**row, "low": low, "high": high})
    return rows
