"""Results kept: for how long, for whom, and which never. (lesson 06)"""

import pytest
from host.cache import DAY, MAX_ENTRIES, MAX_ENTRY, Cache
from host.client import Refusal
from host.reader import Reader

LIST = "tools/list"
PUBLIC = {"tools": [], "ttlMs": 300_000, "cacheScope": "public"}
PRIVATE = {**PUBLIC, "cacheScope": "private"}


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock) -> Cache:
    return Cache(clock)


def kept(cache: Cache, result: dict, method: str = LIST, params: dict | None = None):
    """What of a result is still there at once."""
    cache.keep("a server", "ana", method, params or {}, result)
    return cache.get("a server", "ana", method, params or {})


def test_a_result_is_fresh_until_exactly_its_time_is_over(cache, clock):
    # CACHE-02
    assert kept(cache, PUBLIC) == PUBLIC
    clock.now = 1299.999
    assert cache.get("a server", "ana", LIST, {}) == PUBLIC
    clock.now = 1300.0
    assert cache.get("a server", "ana", LIST, {}) is None
    clock.now = 1000.0  # a stale one is not only hidden
    assert cache.get("a server", "ana", LIST, {}) is None


NONE: list = [-1, 0, 1.5, 300_000.0, "300", "300000", None, True, [], {}, -(10**30)]


@pytest.mark.parametrize("said", NONE)
def test_what_is_no_whole_number_above_zero_is_stale_at_once(cache, said):
    # CACHE-02, byte5ai/omadia#702
    assert kept(cache, {**PUBLIC, "ttlMs": said}) is None


def test_without_a_time_a_result_is_stale_at_once(cache):
    assert kept(cache, {"tools": [], "cacheScope": "public"}) is None


@pytest.mark.parametrize("said", [DAY, DAY + 1, 10**400])
def test_nothing_is_kept_longer_than_a_day(cache, clock, said):
    assert kept(cache, {**PUBLIC, "ttlMs": said})
    clock.now = 1000 + DAY / 1000 - 1
    assert cache.get("a server", "ana", LIST, {})
    clock.now += 1
    assert cache.get("a server", "ana", LIST, {}) is None


def test_a_private_result_is_for_one_person_and_a_public_one_for_all(cache):
    # CACHE-01, crewAIInc/crewAI#6715
    kept(cache, PRIVATE)
    kept(cache, PUBLIC, "prompts/list")
    assert cache.get("a server", "ben", LIST, {}) is None
    assert cache.get("a server", "", LIST, {}) is None
    assert cache.get("a server", "ben", "prompts/list", {}) == PUBLIC


@pytest.mark.parametrize("scope", [None, "Public", "shared", 5, ["public"], ""])
def test_only_public_itself_means_public(cache, scope):
    kept(cache, {**PUBLIC, "cacheScope": scope})
    assert cache.get("a server", "ben", LIST, {}) is None
    assert cache.get("a server", "ana", LIST, {}) is not None


def test_one_server_never_answers_for_another(cache):
    kept(cache, PUBLIC)
    assert cache.get("another", "ana", LIST, {}) is None


def test_each_cursor_and_each_address_has_an_entry_of_its_own(cache):
    # CACHE-04
    kept(cache, {**PUBLIC, "contents": ["a"]}, "resources/read", {"uri": "a"})
    kept(cache, {**PUBLIC, "contents": ["b"]}, "resources/read", {"uri": "b"})
    first = cache.get("a server", "ana", "resources/read", {"uri": "a"})
    assert first is not None
    assert first["contents"] == ["a"]
    kept(cache, PUBLIC)
    for params in ({"cursor": ""}, {"cursor": "x"}, {"uri": "a"}):
        assert cache.get("a server", "ana", LIST, params) is None


def test_meta_is_no_part_of_what_is_asked_for(cache):
    kept(cache, PUBLIC, LIST, {"cursor": "x", "_meta": {"traceparent": "1"}})
    assert cache.get("a server", "ana", LIST, {"_meta": {}, "cursor": "x"}) == PUBLIC


def test_nobody_can_change_an_entry(cache):
    # CACHE-04
    result = {**PUBLIC, "tools": [{"name": "a"}]}
    cache.keep("a server", "ana", LIST, {}, result)
    result["tools"].append({"name": "evil"})
    cache.get("a server", "ana", LIST, {})["tools"].clear()
    assert cache.get("a server", "ana", LIST, {})["tools"] == [{"name": "a"}]


@pytest.mark.parametrize(
    "method",
    ["tools/call", "prompts/get", "completion/complete", "initialize", "anything"],
)
def test_other_methods_are_never_kept_whatever_they_say(cache, method):
    assert kept(cache, PUBLIC, method) is None


def test_what_depends_on_answers_is_never_kept(cache):
    # CACHE-04
    asks = {**PUBLIC, "resultType": "input_required"}
    assert kept(cache, asks, "resources/read", {"uri": "a"}) is None
    for name in ("inputResponses", "requestState"):
        assert kept(cache, PUBLIC, "resources/read", {"uri": "a", name: {}}) is None


def test_a_notification_drops_all_pages_of_one_list_and_of_one_server(cache):
    # CACHE-05
    kept(cache, PUBLIC)
    kept(cache, PRIVATE, LIST, {"cursor": "x"})
    kept(cache, PUBLIC, "prompts/list")
    cache.keep("another", "ana", LIST, {}, PUBLIC)
    cache.drop("a server", LIST)
    assert cache.get("a server", "ana", LIST, {}) is None
    assert cache.get("a server", "ana", LIST, {"cursor": "x"}) is None
    assert cache.get("a server", "ana", "prompts/list", {}) == PUBLIC
    assert cache.get("another", "ana", LIST, {}) == PUBLIC


def test_the_cache_has_bounds(cache):
    assert kept(cache, {**PUBLIC, "tools": "x" * MAX_ENTRY}) is None
    for number in range(MAX_ENTRIES + 1):
        kept(cache, PUBLIC, "resources/read", {"uri": f"{number}"})
    assert len(cache.entries) == MAX_ENTRIES
    assert cache.get("a server", "ana", "resources/read", {"uri": "0"}) is None
    assert cache.get("a server", "ana", "resources/read", {"uri": "1"})


# --- a client with a cache before it


class Counting:
    """A client that notes what it is asked, and gives these results in turn."""

    name, command, capabilities = "desk", ("desk",), {"resources": {}, "prompts": None}

    def __init__(self, *results):
        self.results, self.asked = list(results), []

    def request(self, method: str, params=None) -> dict:
        self.asked.append((method, params))
        result = self.results.pop(0) if len(self.results) > 1 else self.results[0]
        if isinstance(result, Exception):
            raise result
        return result


def reader(client: Counting, cache: Cache) -> Reader:
    return Reader(client, cache, lambda text: None)


def test_a_fresh_result_is_not_asked_for_again_and_a_stale_one_is(cache, clock):
    client = Counting(PUBLIC)
    made = reader(client, cache)
    made.request(LIST)
    made.request(LIST)
    assert len(client.asked) == 1
    clock.now += 300
    made.request(LIST)
    assert len(client.asked) == 2


def test_a_failure_is_not_kept_and_nothing_stale_takes_its_place(cache, clock):
    read = ("resources/read", {"uri": "a"})
    client = Counting(PUBLIC, Refusal("gave no answer in time"), PUBLIC)
    made = reader(client, cache)
    made.request(*read)
    clock.now += 300
    with pytest.raises(Refusal):
        made.request(*read)
    assert made.request(*read) == PUBLIC
    assert len(client.asked) == 3


def test_a_call_is_made_each_time_it_is_asked_for(cache):
    client = Counting(PUBLIC)
    made = reader(client, cache)
    for _ in range(2):
        made.request("tools/call", {"name": "a", "arguments": {}})
    assert len(client.asked) == 2


def test_what_else_a_call_is_given_goes_through_to_the_client(cache):
    class Timed(Counting):
        def request(self, method: str, params=None, timeout: float = 1) -> dict:
            return {"timeout": timeout}

    made = reader(Timed(PUBLIC), cache)
    assert made.request("tools/call", {}, 5) == {"timeout": 5}
    assert made.request("tools/call", {}, timeout=6) == {"timeout": 6}


def test_a_refused_cursor_makes_kept_pages_stale_too(cache):
    # CACHE-05
    first, second = ({**PUBLIC, "tools": [{"name": each}]} for each in ("a", "b"))
    client = Counting(
        {**first, "nextCursor": "x"},
        Refusal("answered: Invalid cursor", -32602),
        second,
    )
    assert reader(client, cache).request(LIST)["tools"] == [{"name": "b"}]
    assert client.asked == [(LIST, {}), (LIST, {"cursor": "x"}), (LIST, {})]


def test_each_person_has_an_entry_of_their_own(cache, monkeypatch):
    # CACHE-01: on a pipe, whom the server serves is said by its environment
    client = Counting(PRIVATE)
    for user in ("ana", "ben", "ana"):
        monkeypatch.setenv("HELPDESK_USER", user)
        reader(client, cache).request(LIST)
    assert len(client.asked) == 2


def test_a_reader_is_used_like_its_client(cache):
    made = reader(Counting(PUBLIC), cache)
    assert made.name == "desk"
    assert made.declares("resources")
    assert not made.declares("prompts")
    assert not made.declares("tools")
