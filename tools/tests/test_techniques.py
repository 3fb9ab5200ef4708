"""Techniques: shorter texts, fewer tools, a notation that is longer. (lesson 04)"""

import pytest

from host.toolbox import FIND_SPEC
from tools.selection import helpdesk, neighbours
from tools.techniques import allow, clean, first_sentence, search, search_tool, toon
from tools.tool_cost import compact, count, shape

ALL = [tool for tools in ({"": helpdesk()} | neighbours()).values() for tool in tools]


def test_the_allow_list_keeps_the_order_of_the_list():
    names = ["search_policies", "get_ticket"]
    kept = [tool["name"] for tool in allow(helpdesk(), names)]
    assert kept == ["get_ticket", "search_policies"]
    with pytest.raises(ValueError, match="get_tickets"):
        allow(helpdesk(), ["get_tickets"])


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Read a file. Then close it.", "Read a file."),
        ("Read a file", "Read a file"),
        ("Read e.g. a file, i.e. Text. Or not.", "Read e.g. a file, i.e. Text."),
        ("Read a file (e.g. Notes). More.", "Read a file (e.g. Notes)."),
        ("Read (e.g.) Notes here. More.", "Read (e.g.) Notes here."),
        ("Files, folders etc. are read. More.", "Files, folders etc. are read."),
        (
            "Read Python 3.11 or node.js code. More.",
            "Read Python 3.11 or node.js code.",
        ),
        ("Apples vs. Oranges. More.", "Apples vs. Oranges."),
        ("The ticket no. 5 is read. More.", "The ticket no. 5 is read."),
        ("Answer yes or no. More.", "Answer yes or no."),
        ("By J. Smith of the U.S. Office. More.", "By J. Smith of the U.S. Office."),
        ("1. Read. 2. Write.", "1. Read."),
        ("Really? Yes.", "Really?"),
        ('Say "hello." Then go.', 'Say "hello."'),
        ("Read a file\n\nArgs:\n    path: which", "Read a file"),
        ("Read a\nfile.\nMore.", "Read a\nfile."),
        ("\u8aad\u3080\u3002\u66f8\u304f\u3002", "\u8aad\u3080\u3002"),
        ("  ", ""),
    ],
)
def test_a_description_is_cut_after_its_first_sentence(text, first):
    tool = {"name": "a", "description": text, "inputSchema": {}}
    assert first_sentence(tool) == {**tool, "description": first}


def test_a_description_of_a_million_characters_is_cut_at_once():
    for text in (
        "." * 10**6 + "x",
        "e.g. " * 200_000,
        "a\n" + " " * 10**6,
        "!x" * 500_000,
    ):
        tool = {"name": "a", "description": f"{text} end. More."}
        assert first_sentence(tool)["description"].endswith(" end.")


def test_a_tool_without_a_description_stays_as_it_is():
    for tool in ({"name": "a"}, {"name": "a", "description": None}):
        assert first_sentence(tool) == tool


def test_a_search_brings_whole_definitions_of_the_tools_that_fit():
    assert search_tool()["inputSchema"] == FIND_SPEC["input_schema"]
    found = search("which policies are there", ALL)
    assert found[0]["name"] == "search_policies" and len(found) == 3
    assert all(tool in ALL for tool in found)
    assert search("xylophone", ALL) == []


def test_cleaning_and_first_sentences_save_tokens_and_toon_does_not():
    def tokens(tools):
        return count(compact([shape(tool, "claude") for tool in tools]))

    before = tokens(ALL)
    cleaned = tokens(map(clean, ALL))
    assert cleaned < 0.8 * before
    assert tokens(map(first_sentence, map(clean, ALL))) < cleaned
    for tools in (helpdesk(), *neighbours().values()):
        shaped = [shape(tool, "claude") for tool in tools]
        assert count(toon(shaped)) > 1.05 * count(compact(shaped))


def test_toon_keeps_all_there_is():
    from toon import decode

    tools = [shape(tool, "claude") for tool in helpdesk()]
    assert decode(toon(tools)) == tools
