"""The fields of a form: which are understood, and what fits them. (lesson 07)"""

import pytest
from host.fields import MOST_CHOICES, MOST_FIELDS, NotUnderstood, fields_of, parse

ONE = [{"const": "a", "title": "The A"}, {"const": "b", "title": "The B"}]
SOME = {"type": "array", "items": {"anyOf": ONE}, "minItems": 1, "maxItems": 1}


def one(**schema: object):
    """The field of a form that has just this one."""
    form = {"type": "object", "properties": {"x": {"type": "string", **schema}}}
    return fields_of(form)[0]


RIGHT: list = [
    ({}, "é 漢 x", "é 漢 x"),
    ({"minLength": 2, "maxLength": 3}, "ééé", "ééé"),
    ({"format": "email"}, "ana@example.com", "ana@example.com"),
    ({"format": "uri"}, "https://example.com/?q=1", "https://example.com/?q=1"),
    ({"format": "date"}, "2028-02-29", "2028-02-29"),
    ({"format": "date-time"}, "2026-11-30T09:30:00Z", "2026-11-30T09:30:00Z"),
    ({"format": "date-time"}, "2026-11-30T09:30:00+01:00", "2026-11-30T09:30:00+01:00"),
    ({"type": "number"}, "4.5", 4.5),
    ({"type": "number"}, "-4", -4),
    ({"type": "number", "minimum": 0, "maximum": 4.5}, "4.5", 4.5),
    ({"type": "integer"}, "4", 4),
    ({"type": "integer"}, "4.0", 4),
    ({"type": "boolean"}, "Y", True),
    ({"type": "boolean"}, "no", False),
    ({"enum": ["red", "2", "1"]}, "2", "2"),
    ({"enum": ["red", "2", "1"]}, "3", "1"),
    ({"enum": ["red", "green"]}, "green", "green"),
    ({"oneOf": ONE}, "1", "a"),
    ({"oneOf": ONE}, "The B", "b"),
    (
        {"type": "array", "items": {"type": "string", "enum": ["p", "q"]}},
        "2, 1",
        ["q", "p"],
    ),
    (SOME, "2", ["b"]),
]


@pytest.mark.parametrize(("schema", "typed", "value"), RIGHT)
def test_what_fits_becomes_the_value_that_is_sent(schema, typed, value):
    got = parse(one(**schema), f" {typed} ")
    assert (got, type(got)) == (value, type(value))


WRONG: list = [
    ({"minLength": 2}, "é", "at least 2"),
    ({"maxLength": 3}, "éééé", "at most 3"),
    ({"format": "email"}, "ana@example", "e-mail"),
    ({"format": "email"}, "ana", "e-mail"),
    ({"format": "uri"}, "example.com", "https"),
    ({"format": "uri"}, "https://a b", "https"),
    ({"format": "date"}, "2027-02-29", "a date"),
    ({"format": "date"}, "30.11.2026", "a date"),
    ({"format": "date-time"}, "2026-11-30T09:30:00", "a time"),
    ({"format": "date-time"}, "2026-11-30", "a time"),
    ({"type": "number"}, "4,5", "a number"),
    ({"type": "number"}, "nan", "a number"),
    ({"type": "number"}, "1e999", "a number"),
    ({"type": "number"}, "\u0664", "a number"),
    ({"type": "number", "maximum": 4.5}, "4.6", "at most 4.5"),
    ({"type": "integer"}, "4.5", "whole"),
    ({"type": "integer", "minimum": 5}, "4", "at least 5"),
    ({"type": "integer"}, "9" * 18, "too large"),
    ({"type": "boolean"}, "1", "y or n"),
    ({"enum": ["red", "green"]}, "3", "1 to 2"),
    ({"enum": ["red", "green"]}, "0", "1 to 2"),
    ({"enum": ["red", "green"]}, "blue", "1 to 2"),
    (SOME, "1,2", "1 to 1"),
    (SOME, "1,1", "1 to 1"),
    (SOME, "1,3", "several with commas"),
]


@pytest.mark.parametrize(("schema", "typed", "words"), WRONG)
def test_what_does_not_fit_is_told_in_a_sentence(schema, typed, words):
    with pytest.raises(ValueError, match=words):
        parse(one(**schema), typed)


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        ({"default": "x"}, "x"),
        ({"default": 5}, None),
        ({"default": "long", "maxLength": 3}, None),
        ({"type": "boolean", "default": False}, False),
        ({"type": "boolean", "default": 0}, None),
        ({"type": "integer", "default": True}, None),
        ({"oneOf": ONE, "default": "b"}, "b"),
        ({"oneOf": ONE, "default": "The B"}, None),
        ({**SOME, "default": ["a"]}, ["a"]),
        ({**SOME, "default": ["a", "b"]}, None),
        ({**SOME, "default": [["a"]]}, None),
    ],
)
def test_a_default_counts_only_where_it_fits(schema, default):
    assert one(**schema).default == default


def test_choices_have_their_titles_and_an_old_way_to_give_them_is_known():
    assert one(oneOf=ONE).choices == (("a", "The A"), ("b", "The B"))
    old = one(enum=["a", "b"], enumNames=["Ay", "Bee"])
    assert old.choices == (("a", "Ay"), ("b", "Bee"))
    assert one(enum=["a", "b"], enumNames=["Ay"]).choices[0] == ("a", "a")


STRANGE: list = [
    None,
    [],
    {},
    {"type": "object"},
    {"type": "array", "properties": {}},
    {"type": "object", "properties": {}, "required": ["x"]},
    {"type": "object", "properties": {}, "required": "x"},
    {"type": "object", "properties": {}, "allOf": []},
    {"type": "object", "properties": {}, "$defs": {}},
    {"type": "object", "properties": {str(n): {} for n in range(MOST_FIELDS + 1)}},
]
PARTS: list = [
    True,
    {},
    {"type": "object", "properties": {}},
    {"type": ["string", "null"]},
    {"anyOf": [{"type": "string"}, {"type": "null"}]},
    {"$ref": "https://example.com/x"},
    {"type": "string", "pattern": "(a+)+$"},
    {"type": "string", "format": "password"},
    {"type": "string", "format": ["email"]},
    {"type": "string", "minLength": "2"},
    {"type": "integer", "minimum": True},
    {"type": "string", "enum": []},
    {"type": "string", "enum": [1, 2]},
    {"type": "string", "enum": ["a", "a"]},
    {"type": "string", "enum": [str(n) for n in range(MOST_CHOICES + 1)]},
    {"type": "string", "oneOf": [{"title": "no const"}]},
    {"type": "string", "oneOf": ["a"]},
    {"type": "array"},
    {"type": "array", "items": {"type": "string"}},
    {"type": "array", "items": {"type": "object", "properties": {}}},
    {"type": "boolean", "enum": ["a"]},
]


@pytest.mark.parametrize("schema", STRANGE)
def test_what_is_no_flat_form_is_not_understood(schema):
    with pytest.raises(NotUnderstood):
        fields_of(schema)


@pytest.mark.parametrize("part", PARTS)
def test_nor_is_a_field_that_is_more_than_one_value(part):
    with pytest.raises(NotUnderstood, match='its field "x"'):
        fields_of({"type": "object", "properties": {"x": part}})
