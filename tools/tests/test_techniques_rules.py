"""Cleaning: what goes, what stays, and what is left alone in doubt. (lesson 04)"""

import pytest

from tools.techniques import clean
from tools.tool_cost.schemas import cleaned


WORD = {"type": "string"}


def test_definitions_that_nothing_refers_to_go():
    schema: dict = {
        "$ref": "#/$defs/used",
        "$defs": {
            "used": {"items": {"$ref": "#/$defs/by%20used"}},
            "by used": WORD,
            "dead": {"$ref": "#/$defs/only by dead"},
            "only by dead": WORD,
        },
        "definitions": {"dead": {"$ref": "#/definitions/dead"}},
    }
    kept = {name: schema["$defs"][name] for name in ("used", "by used")}
    assert cleaned(schema) == {"$ref": "#/$defs/used", "$defs": kept}


@pytest.mark.parametrize(
    ("reference", "definition"),
    [
        ({"$ref": "#node"}, {"$anchor": "node"}),
        ({"$ref": "#node"}, {"items": {"$anchor": "node"}}),
        ({"$dynamicRef": "#node"}, {"$dynamicAnchor": "node"}),
        ({"$ref": "#/$defs/a~1b~0c"}, WORD),
        ({"$ref": "#/$defs/a~1b~0c/items"}, {"items": WORD}),
        ({"discriminator": {"mapping": {"x": "#/$defs/a~1b~0c"}}}, WORD),
        ({"default": {"$ref": "#/$defs/a~1b~0c"}}, WORD),
    ],
)
def test_a_definition_stays_however_it_is_referred_to(reference, definition):
    schema = {**reference, "$defs": {"a/b~c": definition, "dead": WORD}}
    assert cleaned(schema) == {**reference, "$defs": {"a/b~c": definition}}


def test_in_a_pointer_an_escaped_tilde_is_read_last():
    schema = {"$ref": "#/$defs/a~01b", "$defs": {"a~1b": WORD}}
    assert cleaned({**schema, "title": "T"}) == schema


@pytest.mark.parametrize(
    "doubt",
    [
        {"$ref": "https://example.com/other.json#/$defs/dead"},
        {"$ref": "#/extra/inner", "extra": {"inner": {"title": "Inner"}}},
        {"$ref": "#/default", "default": {"title": "A schema after all"}},
        {"$ref": "#nowhere"},
        {"$ref": 5},
        {"items": {"$id": "inner", "$ref": "#/$defs/dead"}},
        {"items": {"id": "inner", "$ref": "#/$defs/dead"}},
        {"$schema": "https://example.com/where-titles-are-rules"},
    ],
)
def test_in_doubt_a_schema_is_given_back_as_it_came(doubt):
    schema = {"title": "T", **doubt, "$defs": {"dead": {"title": "T"}}}
    assert cleaned(schema) == schema


def test_a_schema_that_is_nested_too_deeply_to_read_is_given_back():
    schema: dict = {"title": "T"}
    for _ in range(5000):
        schema = {"title": "T", "items": schema}
    assert cleaned(schema) is schema


def test_a_title_refers_to_nothing_whatever_it_looks_like():
    assert cleaned({"title": "#/$defs/a", "$defs": {"a": WORD}}) == {}


def test_titles_go_and_what_is_called_title_stays():
    names = ("title", "$defs", "definitions", "default")
    title = {"title": "T", "$defs": {"x": {"title": "no schema"}}}
    values = {"default": title, "const": title, "enum": [title], "examples": [title]}
    places = {
        "items": WORD,
        "allOf": [WORD],
        "not": WORD,
        "dependentSchemas": {"a": WORD},
    }
    schema = {"properties": dict.fromkeys(names, WORD), **values, **places}
    titled = {**WORD, "title": "T"}
    more = {"items": titled, "allOf": [titled], "not": titled}
    more |= {"dependentSchemas": {"a": titled}, "title": "T"}
    inner = {"properties": dict.fromkeys(names, titled)}
    assert cleaned({**schema, **more, **inner}) == schema
    strange = {"title": {"type": "string"}}  # no keyword of that kind: left alone
    assert cleaned(strange) == strange


def test_of_a_tool_only_the_schemas_are_cleaned():
    titled = {"title": "T", "type": "object"}
    tool = {"name": "a", "title": "A", "inputSchema": titled, "outputSchema": titled}
    bare = {"type": "object"}
    assert clean(tool) == {**tool, "inputSchema": bare, "outputSchema": bare}
    assert list(clean(tool)) == list(tool)
    assert clean({"name": "a", "inputSchema": True})["inputSchema"] is True
