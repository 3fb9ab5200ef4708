"""What becomes of results and lists: bounded, named, or left out. (lesson 03)"""

import pytest
from host.app import MAX_RESULT, block_text, is_tool, text_of, tool_spec
from host.tests.parts import QUESTION, Core, Script, host, proposal


def text(*texts: str) -> dict:
    return {"content": [{"type": "text", "text": each} for each in texts]}


def test_a_result_is_bounded_and_says_how_long_it_was():
    # topcheer/ggcode#262
    exact = text("é" * MAX_RESULT)
    assert text_of(exact) == "é" * MAX_RESULT
    for long in (text("😀" * (MAX_RESULT + 1)), text(*["x" * 100] * 10_000)):
        cut = text_of(long)
        assert len(cut) == MAX_RESULT == 4000
        assert cut.endswith("characters]")
    assert "the result has 4001 characters" in text_of(text("😀" * (MAX_RESULT + 1)))


def test_texts_are_joined_by_line_feeds():
    assert text_of(text("a", "b")) == "a\nb"


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ({"type": "hologram"}, '[a block of type "hologram"]'),
        ({"type": "text"}, '[a block of type "text"]'),
        ({"type": "text", "text": 5}, '[a block of type "text"]'),
        ({"type": "image", "data": "aGk="}, '[a block of type "image"]'),
        ({"type": "image", "text": "no text"}, '[a block of type "image"]'),
        ({"type": "resource_link", "uri": "file:///x"}, "[a block of type"),
        ({}, "[a block of type null]"),
        (None, "[a block of type null]"),
        ("text", "[a block of type null]"),
        ({"type": "x" * 500}, '[a block of type "xxx'),
    ],
)
def test_a_block_that_is_no_text_is_named(block, shown):
    # sipeed/picoclaw#1862
    assert block_text(block).startswith(shown)
    assert len(block_text(block)) < 120


@pytest.mark.parametrize("content", [[], None, "text", 5, {}])
def test_a_result_without_a_block_is_an_empty_text(content):
    assert text_of({"content": content}) == ""
    assert text_of({}) == ""


@pytest.mark.parametrize("structured", [{}, {"structuredContent": {"wrong": 1}}])
def test_the_error_of_a_failed_tool_reaches_the_model_whatever_else_it_holds(
    structured,
):
    # modelcontextprotocol/typescript-sdk#654

    class Full(Core):
        def request(self, method: str, params=None) -> dict:
            result = super().request(method, params)
            failed = {**text("disk full"), "isError": True, **structured}
            return failed if method == "tools/call" else result

    model = Script(proposal(), {"text": "Sorry."})
    host(Full(), model).converse("?")
    assert model.seen[1][0][-1]["text"] == "disk full"
    assert model.seen[1][0][-1]["is_error"] is True


BROKEN: list = [
    None,
    5,
    "get_ticket",
    [],
    {},
    {"name": "a"},
    {"name": 5, "inputSchema": {}},
    {"name": "a", "inputSchema": None},
    {"name": "a", "inputSchema": []},
    {"inputSchema": {}},
    {"name": "", "inputSchema": {}},
    {"name": "a" * 129, "inputSchema": {}},  # it would hide what is asked about it
]


@pytest.mark.parametrize("entry", BROKEN)
def test_an_entry_that_is_no_tool_is_not_offered(entry):
    assert not is_tool(entry)


class Listing(Core):
    """A server with this list."""

    def __init__(self, listed: object):
        super().__init__()
        self.listed = listed

    def request(self, method: str, params=None) -> dict:
        return {"tools": self.listed}


def test_broken_entries_leave_the_good_ones_usable():
    good = {"name": "good", "inputSchema": {}, "description": None, "annotations": 5}
    made = host(Listing([*BROKEN, good]))
    assert list(made.tools) == ["good"]
    assert tool_spec(made.tools["good"])["description"] == ""


@pytest.mark.parametrize("listed", [None, {}, "x", 5, []])
def test_a_list_that_is_none_offers_nothing_and_the_model_says_so(listed):
    made = host(Listing(listed))
    assert made.steps[0]["text"].endswith("offers: no tools")
    assert "no tool" in (made.converse(QUESTION) or "")


def test_of_two_servers_with_the_same_tool_the_first_one_serves():
    # langchain-ai/langchain-mcp-adapters#605
    first, second = Core(), Core()
    made = host(first)
    made.connect(second)
    made.converse(QUESTION)
    assert len(first.calls()) == 2
    assert second.calls() == []
