"""Lists: read to their end, and left when they have none. (lesson 06)"""

import pytest
from handwritten.protocol import Code
from host import paging
from host.client import Refusal
from host.tests.fake_server import KEPT, TOOL
from host.tests.parts import Core, Script, line_of, modern, run_host, said
from host.tests.parts import host as host_with

TOOLS = [{**TOOL, "name": f"tool_{number}"} for number in range(5)]
INVALID = Refusal("answered: Invalid cursor", Code.INVALID_PARAMS)


class Pages:
    """A server's pages, by cursor; None is for the request without one."""

    def __init__(self, pages: dict):
        self.pages, self.asked, self.forgotten = pages, [], 0

    def ask(self, method: str, params: dict) -> dict:
        assert method == "tools/list"
        self.asked.append(params.get("cursor"))
        page = self.pages[params.get("cursor")]
        page = page.pop(0) if isinstance(page, list) else page
        if isinstance(page, Exception):
            raise page
        return page

    def forget(self) -> None:
        self.forgotten += 1

    def whole(self, **more) -> tuple[list, str]:
        return paging.whole(self.ask, "tools/list", self.forget, **more)


def page(tools, **more) -> dict:
    return {"tools": tools, **more}


def names(items: list) -> list[str]:
    return [item["name"] for item in items]


def test_all_pages_are_read_whatever_their_size():
    # PAG-03, Chainlit/chainlit#3042
    pages = Pages(
        {
            None: page(TOOLS[:2], nextCursor="a"),
            "a": page(TOOLS[2:3], nextCursor="b"),
            "b": page([], nextCursor="c"),
            "c": page(TOOLS[3:]),
        }
    )
    assert pages.whole() == (TOOLS, "")
    assert pages.asked == [None, "a", "b", "c"]


def test_an_empty_cursor_is_a_cursor():
    pages = Pages({None: page(TOOLS[:1], nextCursor=""), "": page(TOOLS[1:])})
    assert pages.whole() == (TOOLS, "")


@pytest.mark.parametrize("cursor", [" x ", "é\n", "null", "0", "../a", "x" * 10_000])
def test_a_cursor_goes_back_as_it_came(cursor):
    pages = Pages({None: page(TOOLS[:1], nextCursor=cursor), cursor: page(TOOLS[1:])})
    assert pages.whole() == (TOOLS, "")


@pytest.mark.parametrize("cursor", [None, 5, 0, True, [], {}, ["a"]])
def test_a_cursor_that_is_no_string_ends_the_list_and_is_said(cursor):
    items, said = Pages({None: page(TOOLS, nextCursor=cursor)}).whole()
    assert items == TOOLS
    assert "which is no string" in said


@pytest.mark.parametrize(
    ("cursors", "requests"), [(["8"], 2), (["a", "b"], 3), (["a", "b", "c", "b"], 4)]
)
def test_cursors_that_go_in_a_circle_end_the_list(cursors, requests):
    # PAG-01, DeusData/codebase-memory-mcp#1247, modelcontextprotocol/csharp-sdk#1072
    following = dict(zip([None, *cursors], cursors, strict=False))
    following.setdefault(cursors[-1], cursors[0])
    pages = {
        cursor: page(TOOLS[:1], nextCursor=after) for cursor, after in following.items()
    }
    made = Pages(pages)
    items, said = made.whole()
    assert names(items) == ["tool_0"]
    assert len(made.asked) == requests
    assert "stopped after 1, because it gave the same cursor twice" in said
    assert f"because they came again: {requests - 1}" in said


def endless(tools_of):
    """Pages with a fresh cursor each, for ever; and how many were asked for."""
    asked: list[int] = []

    def ask(method: str, params: dict) -> dict:
        asked.append(len(asked))
        return page(tools_of(len(asked)), nextCursor=f"{len(asked)}")

    return ask, asked


def no_forgetting() -> None:
    raise AssertionError("there was nothing to forget")


def test_cursors_that_are_always_new_end_at_a_number_of_pages():
    # PAG-01, third variant
    ask, asked = endless(lambda number: TOOLS[:1])
    items, said = paging.whole(ask, "tools/list", no_forgetting)
    assert names(items) == ["tool_0"]
    assert len(asked) == paging.MAX_PAGES == 100
    assert "more than 100 pages" in said


def test_a_list_of_too_many_items_is_cut_there():
    ask, asked = endless(
        lambda number: [{"name": f"{number}.{each}"} for each in range(3000)]
    )
    items, said = paging.whole(ask, "tools/list", no_forgetting)
    assert len(items) == paging.MAX_ITEMS == 10_000
    assert len(asked) == 4
    assert "more than 10000 items" in said
    one_page = page([{"name": "same"}] * 10_001)
    items, said = Pages({None: one_page}).whole()
    assert len(items) == 10_000
    assert "more than 10000 items" in said


def test_a_list_of_too_many_characters_ends(monkeypatch):
    monkeypatch.setattr(paging, "MAX_SIZE", 1000)
    ask, asked = endless(
        lambda number: [{"name": f"{number}", "description": "x" * 300}]
    )
    items, said = paging.whole(ask, "tools/list", no_forgetting)
    assert len(items) == len(asked) == 3
    assert "more than 1000 characters" in said


def test_a_list_that_takes_too_long_ends():
    clock = iter(range(0, 1000, 10))
    ask, asked = endless(lambda number: [{"name": f"{number}"}])
    items, said = paging.whole(ask, "tools/list", no_forgetting, lambda: next(clock))
    assert len(items) == len(asked) == 4
    assert "longer than 30 s" in said


def test_what_comes_again_on_a_later_page_is_added_once():
    pages = Pages(
        {
            None: page([*TOOLS[:2], None, 5], nextCursor="a"),
            "a": page([*TOOLS[1:], None, {"name": 5}]),
        }
    )
    items, said = pages.whole()
    assert items == [*TOOLS[:2], None, 5, *TOOLS[2:], {"name": 5}]
    assert said == "tools/list: left out because they came again: 2"


@pytest.mark.parametrize("listed", [None, {}, "x", 5])
def test_a_page_that_is_no_list_has_no_items_and_the_next_one_counts(listed):
    pages = Pages({None: page(listed, nextCursor="a"), "a": page(TOOLS)})
    assert pages.whole() == (TOOLS, "")


def test_a_refused_cursor_drops_all_pages_and_begins_again_once():
    # CACHE-05
    pages = Pages(
        {
            None: [page(TOOLS[:2], nextCursor="old"), page(TOOLS[1:3], nextCursor="n")],
            "old": INVALID,
            "n": page(TOOLS[3:]),
        }
    )
    assert pages.whole() == (TOOLS[1:], "")
    assert pages.asked == [None, "old", None, "n"]
    assert pages.forgotten == 1


def test_a_cursor_refused_twice_ends_the_list_and_is_said():
    first = page(TOOLS[:2], nextCursor="old")
    pages = Pages({None: first, "old": INVALID})
    items, said = pages.whole()
    assert items == TOOLS[:2]
    assert said.endswith("stopped after 2, because it refused its own cursor twice")
    assert pages.asked == [None, "old", None, "old"]


def test_another_error_on_a_later_page_keeps_what_there_is():
    broken = Refusal("answered: internal error", Code.INTERNAL_ERROR)
    pages = Pages({None: page(TOOLS[:2], nextCursor="a"), "a": broken})
    items, said = pages.whole()
    assert items == TOOLS[:2]
    assert "because it answered: internal error" in said
    assert pages.forgotten == 0


@pytest.mark.parametrize("code", [Code.INVALID_PARAMS, Code.INTERNAL_ERROR])
def test_an_error_on_the_first_page_is_for_the_caller(code):
    with pytest.raises(Refusal):
        Pages({None: Refusal("answered: no", code)}).whole()


# --- the host


def offered(done) -> str:
    lines = said(done, "host")
    return next(line for line in lines if " speaks " in line).split(": ")[1]


def listing(*actions) -> str:
    return line_of(modern(list=[{"turns": list(actions)}]))


def test_the_host_has_the_tools_of_all_pages():
    # PAG-03
    done = run_host(
        "ticket 7",
        "--server",
        listing(
            {"result": {**KEPT, "tools": TOOLS[:2], "nextCursor": ""}},
            {"result": {**KEPT, "tools": TOOLS[2:4], "nextCursor": "b"}},
            {"result": {**KEPT, "tools": TOOLS[4:]}},
        ),
    )
    assert offered(done) == "tool_0, tool_1, tool_2, tool_3, tool_4"


CIRCLE = {"result": {**KEPT, "tools": TOOLS[:1], "nextCursor": "8"}}
FRESH = {"fresh": {**KEPT, "tools": TOOLS[:1]}}


@pytest.mark.parametrize("action", [CIRCLE, FRESH])
def test_the_host_leaves_a_list_without_an_end_and_says_so_in_one_line(action):
    # PAG-01
    done = run_host("ticket 7", "--server", listing(action))
    assert offered(done) == "tool_0"
    (line,) = [line for line in said(done, "host") if "stopped after" in line]
    assert line.startswith("server 1: tools/list: stopped after 1, because it ")
    assert done.returncode == 0


def test_more_tools_than_fit_on_a_page_of_the_helpdesk_are_all_offered():
    core = Core()
    core.connection.server.page_size = 3
    made = host_with(core, Script({"text": "ok"}))
    assert list(made.tools) == list(core.connection.server.tools)
    pages = -(-len(made.tools) // 3)
    assert [method for method, _ in core.sent] == ["tools/list"] * pages
