"""The prompt cache, simulated: what is read and written, and the price. (lesson 04)"""

import random

import pytest

from tools.selection import helpdesk, neighbours
from tools.techniques import Prices, Usage, breakpoint_usage, cache_cost, prefix_usage
from tools.tool_cost import compact, count, shape

ALL = [tool for tools in ({"": helpdesk()} | neighbours()).values() for tool in tools]


# For the cache, a character is a token, and nothing is too short to be cached.
def tools_of(names: str) -> list[dict]:
    return [{"name": name} for name in names]


SIZE = len(compact(tools_of("abc")))  # [{"name":"a"},{"name":"b"},{"name":"c"}]


EACH = len('{"name":"a"},')


def test_in_the_prefix_model_all_up_to_the_first_difference_is_read():
    def usage(*requests, **options):
        wanted = {"minimum": 0, "step": 1, **options}
        return prefix_usage(map(tools_of, requests), len, **wanted)

    assert usage("abc") == Usage(input=SIZE)
    assert usage("abc", "abc") == Usage(input=SIZE, read=SIZE)
    same = len('[{"name":"')
    assert usage("abc", "bca") == Usage(input=2 * SIZE - same, read=same)
    # The second request differs; the third finds the first one again.
    assert usage("abc", "bca", "abc") == Usage(2 * SIZE - same, 0, SIZE + same)
    assert usage("abc", "abd", step=16).read == 2 * EACH + same - (2 * EACH + same) % 16
    assert usage("abc", "abc", minimum=SIZE + 1) == Usage(input=2 * SIZE)


def test_in_the_breakpoint_model_a_mark_is_read_whole_or_written():
    def usage(*requests, marks=None, minimum=0):
        return breakpoint_usage(map(tools_of, requests), len, marks, minimum)

    assert usage("abc", "abc") == Usage(written=SIZE, read=SIZE)
    assert usage("abc", "abd") == Usage(written=2 * SIZE)
    two = 1 + 2 * EACH - 1  # as far as the second tool
    kept = usage("abc", "abd", marks=(2, 3))
    assert kept == Usage(written=SIZE + SIZE - two, read=two)
    assert usage("abc", "abc", marks=(2,)) == Usage(2 * (SIZE - two), two, two)
    assert usage("abc", "abc", marks=(2, 99)) == usage("abc", "abc", marks=(2, 3))
    assert usage("abc", "abc", marks=()) == Usage(input=2 * SIZE)
    assert usage("abc", "abc", minimum=SIZE + 1) == Usage(input=2 * SIZE)


def test_the_price_is_per_million_tokens():
    usage = Usage(input=1_000_000, written=2_000_000, read=3_000_000)
    assert cache_cost(usage, Prices(input=3, write=3.75, read=0.3)) == pytest.approx(
        11.4
    )
    assert usage.total == 6_000_000


def test_another_order_on_every_call_costs_more_than_no_cache():
    tools = [shape(tool, "claude") for tool in ALL]
    orders = [random.Random(n).sample(tools, len(tools)) for n in range(5)]
    prices = Prices(input=1, write=1.25, read=0.1)
    for usage_of in (prefix_usage, breakpoint_usage):
        stable, shuffled = usage_of([tools] * 5, count), usage_of(orders, count)
        assert stable.total == pytest.approx(shuffled.total, rel=0.01)
        plain = cache_cost(Usage(input=shuffled.total), prices)
        assert (
            cache_cost(stable, prices)
            < 0.4 * plain
            <= 0.4 * (cache_cost(shuffled, prices) + 1e-9)
        )
