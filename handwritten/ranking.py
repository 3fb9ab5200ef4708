"""Which text fits a query best, by its words: BM25. (lesson 04)

A word counts for more when few texts have it, and for less each further time that one
text repeats it; long texts get no bonus for being long. It reads words, not meaning:
"refund" does not find "money back".
"""

import math
import re
from collections import Counter

K1, B = 1.5, 0.75  # how soon repetition stops to count, and how much length does


def words(text: str) -> list[str]:
    """The words of a text in lower case; `get_ticket` is two."""
    return re.findall(r"[^\W_]+", text.lower())


def rank(query: str, texts: list[str]) -> list[tuple[float, int]]:
    """(score, position) of each text that shares a word, best first."""
    counts = [Counter(words(text)) for text in texts]
    average = sum(count.total() for count in counts) / (len(texts) or 1) or 1
    known = Counter(word for count in counts for word in count)
    asked, found = set(words(query)), []
    for position, count in enumerate(counts):
        length = K1 * (1 - B + B * count.total() / average)
        score = 0.0
        for word in sorted(asked & count.keys()):
            rarity = math.log(
                1 + (len(texts) - known[word] + 0.5) / (known[word] + 0.5)
            )
            score += rarity * count[word] * (K1 + 1) / (count[word] + length)
        if score:
            found.append((score, position))
    return sorted(found, key=lambda pair: (-pair[0], pair[1]))
