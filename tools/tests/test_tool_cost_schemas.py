"""Schemas: which definitions nothing refers to, and what they cost. (lesson 04)"""

import pytest

from tools.tests.tool_lists import TOOL, figures, saved
from tools.tool_cost import measure
from tools.tool_cost.schemas import descriptions, unreferenced, without

pytest.importorskip("tiktoken")


SCHEMA = {
    "properties": {
        "a": {"$ref": "#/$defs/A"},
        "$defs": {"type": "object", "description": "a parameter called $defs"},
        "description": {"type": "string", "description": "one called description"},
        "b": {"default": {"description": "data"}},
    },
    "$defs": {
        "A": {"properties": {"next": {"$ref": "#/$defs/B~1b/properties/c"}}},
        "B/b": {"properties": {"c": {"$ref": "#"}}},
        "Dead": {"$ref": "#/$defs/Too"},
        "Too": {"description": "dead, too", "$ref": "#/$defs/Dead"},
    },
    "definitions": {"Old": {}},
}


DEAD = [(("$defs", "Dead"),), (("$defs", "Too"),), (("definitions", "Old"),)]


def test_definitions_that_nothing_reaches_are_found_and_a_parameter_is_none():
    assert unreferenced(SCHEMA) == DEAD
    kept = without(SCHEMA, DEAD)
    assert list(kept["$defs"]) == ["A", "B/b"] and "definitions" not in kept
    assert kept["properties"] == SCHEMA["properties"]
    assert unreferenced({"properties": {"$defs": {"x": {}}}}) == []
    assert sorted(descriptions(SCHEMA)) == [
        "a parameter called $defs",
        "dead, too",
        "one called description",
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#anchor"},
        {"$ref": "other.json#/$defs/A"},
        {"$ref": "#/$defs"},
        {"$dynamicRef": "#node"},
        {"properties": {"x": {"$id": "x", "$ref": "#/$defs/A"}}},
        {"not": {"$ref": "#/$defs/Dead%7E0"}, "$defs": {"Dead~": {}}},
    ],
)
def test_where_a_reference_leads_elsewhere_no_definition_is_called_dead(schema):
    assert unreferenced({"$defs": {"Dead": {}}, **schema}) == []


def test_what_dead_definitions_cost_is_said(capsys, tmp_path):
    tool = {**TOOL, "inputSchema": SCHEMA}
    made = figures(capsys, "--list", saved(tmp_path, [tool]))
    clean = {**TOOL, "inputSchema": without(SCHEMA, DEAD)}
    saving = measure([tool]).total.tokens - measure([clean]).total.tokens
    assert made["unreferenced"]["tokens"] == saving > 0
    assert [each["name"] for each in made["unreferenced"]["definitions"]] == [
        "/".join(*each) for each in DEAD
    ]
