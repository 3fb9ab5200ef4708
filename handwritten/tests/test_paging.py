"""Pages: each item once, and no cursor but ours. (lesson 06)"""

import pytest
from handwritten import paging
from handwritten.__main__ import helpdesk_server
from handwritten.helpdesk.tickets import tickets
from handwritten.tests.talk import META, ask, code, connect, request, send
from handwritten.world import World

LISTS = pytest.mark.parametrize("method", paging.LISTS)


def server(size=2, key=b"k" * 32, user="local"):
    made = helpdesk_server()
    made.world = World(user=user, random=lambda count: key[:count])
    made.page_size = size
    return made


def page(made, method: str, **params) -> dict:
    """The answer of a new connection: no page depends on what was asked before."""
    return ask(connect(made), method, params)


def walk(made, method: str, between=lambda: None) -> list[dict]:
    """All pages, each asked for with the cursor of the one before."""
    pages, params = [], {}
    for _ in range(200):
        pages.append(page(made, method, **params)["result"])
        if "nextCursor" not in pages[-1]:
            return pages
        params = {"cursor": pages[-1]["nextCursor"]}
        between()
    raise AssertionError("the list has no end")


def names(pages: list[dict], method: str) -> list[str]:
    member, key = paging.LISTS[method]
    return [item[key] for each in pages for item in each[member]]


@pytest.fixture
def more_tickets(monkeypatch):
    """Adds one ticket each time it is called."""
    numbers = iter(range(9001, 9999))

    def add():
        number = str(next(numbers))
        monkeypatch.setitem(
            tickets(), number, {**tickets()["2318"], "ticket_id": number}
        )

    return add


@LISTS
@pytest.mark.parametrize("size", [1, 2, 3, 7, 25, 1000])
def test_a_walk_sees_each_item_once_and_in_order(method, size):
    whole = names(walk(server(10_000), method), method)
    assert names(walk(server(size), method), method) == whole
    assert len(set(whole)) == len(whole) > 0


@LISTS
def test_the_last_page_has_no_cursor_even_when_it_is_full(method):
    whole = len(names(walk(server(10_000), method), method))
    assert len(walk(server(whole), method)) == 1
    if whole > 1:
        assert len(walk(server(whole - 1), method)) == 2


@pytest.mark.parametrize("size", [1, 3, 20])
def test_tickets_that_come_in_during_a_walk_are_seen_once_as_well(more_tickets, size):
    before = names(walk(server(10_000), "resources/list"), "resources/list")
    added = iter([more_tickets] * 9)

    def grow():
        next(added, lambda: None)()

    seen = names(walk(server(size), "resources/list", grow), "resources/list")
    assert seen[: len(before)] == before
    assert len(set(seen)) == len(seen)
    assert len(seen) == len(tickets()) + 11


def test_a_page_may_be_of_another_size_each_time():
    made, seen, params = server(), [], {}
    for size in range(1, 100):
        made.page_size = size
        result = page(made, "resources/list", **params)["result"]
        seen.append(result)
        if "nextCursor" not in result:
            break
        params = {"cursor": result["nextCursor"]}
    whole = names(walk(server(10_000), "resources/list"), "resources/list")
    assert names(seen, "resources/list") == whole


@LISTS
def test_a_cursor_is_good_in_the_next_process_that_has_the_key(method):
    first = page(server(1), method)["result"]
    if "nextCursor" in first:
        cursor = first["nextCursor"]
        second = page(server(1), method, cursor=cursor)["result"]
        assert names([first, second], method) == names(
            walk(server(1), method)[:2], method
        )
        other = page(server(1, key=b"o" * 32), method, cursor=cursor)
        assert code(other) == -32602


BAD = ["", "zzz", "-1", "99999", "dG9vbHM=", ".", "MjMxOA", "é", "\ud83d", "x" * 10_000]


@LISTS
@pytest.mark.parametrize("cursor", [*BAD, 5, None, True, [], {}])
def test_a_cursor_that_we_never_gave_is_refused_and_is_not_page_one(method, cursor):
    # The empty string is a cursor like any other (server/utilities/pagination).
    assert code(page(server(), method, cursor=cursor)) == -32602


def test_a_cursor_cut_short_or_changed_is_refused():
    cursor = page(server(), "resources/list")["result"]["nextCursor"]
    for place in range(len(cursor)):
        changed = "B" if cursor[place] == "A" else "A"
        for bad in (cursor[:place], cursor[:place] + changed + cursor[place + 1 :]):
            assert code(page(server(), "resources/list", cursor=bad)) == -32602


def test_a_cursor_of_another_list_is_refused():
    for method in ("resources/list", "resources/templates/list", "tools/list"):
        cursor = page(server(1), method)["result"]["nextCursor"]
        for other in paging.LISTS:
            refused = "error" in page(server(1), other, cursor=cursor)
            assert refused == (other != method)


def test_a_cursor_is_refused_by_another_list_that_has_an_item_of_that_name():
    made = server(1)
    made.prompts = {name: ({"name": name}, None, {}) for name in made.tools}
    cursor = page(made, "tools/list")["result"]["nextCursor"]
    assert "result" in page(made, "tools/list", cursor=cursor)
    assert code(page(made, "prompts/list", cursor=cursor)) == -32602


def test_a_cursor_of_another_user_is_refused_where_the_list_is_private():
    cursor = page(server(user="ana"), "resources/list")["result"]["nextCursor"]
    assert code(page(server(user="ben"), "resources/list", cursor=cursor)) == -32602
    # A public page may come from a cache that others filled.
    cursor = page(server(user="ana"), "tools/list")["result"]["nextCursor"]
    assert "result" in page(server(user="ben"), "tools/list", cursor=cursor)


def test_a_cursor_whose_item_has_gone_is_refused(monkeypatch):
    # The client begins again (server/utilities/caching, "Interaction with Pagination").
    cursor = page(server(11), "resources/list")["result"]["nextCursor"]
    assert "result" in page(server(11), "resources/list", cursor=cursor)
    monkeypatch.setattr("handwritten.helpdesk.resources.RECORDINGS", {})
    assert code(page(server(11), "resources/list", cursor=cursor)) == -32602


@LISTS
def test_all_pages_of_a_list_say_the_same_scope_and_a_time(method):
    pages = walk(server(1), method)
    assert len({each["cacheScope"] for each in pages}) == 1
    assert all(type(each["ttlMs"]) is int and each["ttlMs"] >= 0 for each in pages)
    assert (pages[0]["cacheScope"] == "private") == (method == "resources/list")


def test_all_tools_are_on_the_first_page():
    # Chainlit/chainlit#3042: there are hosts that read no other
    assert "nextCursor" not in ask(connect(), "tools/list")["result"]
    assert "nextCursor" in ask(connect(), "resources/list")["result"]


def test_an_old_client_pages_too():
    connection = connect(server(1))
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}
    ask(connection, "initialize", params, meta=None)
    (first,) = send(connection, request("tools/list", meta=None))
    params = {"cursor": first["result"]["nextCursor"]}
    (second,) = send(connection, request("tools/list", params, meta=None))
    assert second["result"]["tools"] != first["result"]["tools"]
    assert "cacheScope" not in second["result"]
    assert ask(connection, "tools/list", params, meta=META)["result"]["tools"]
