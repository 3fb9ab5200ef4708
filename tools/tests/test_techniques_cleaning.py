"""Cleaning: what validates stays what validates. (lesson 04)"""

import copy
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator

from tools.selection import helpdesk, neighbours
from tools.techniques import clean
from tools.tool_cost.schemas import cleaned

ALL = [tool for tools in ({"": helpdesk()} | neighbours()).values() for tool in tools]


def outcome(validator, value: object) -> object:
    """Whether the value validates, or why that cannot be said."""
    try:
        return validator.is_valid(value)
    except RecursionError:
        return "endless"
    except Exception as error:  # the library keeps the class of this one to itself
        if "Referencing" not in type(error).__name__:
            raise
        return "no such place"


# Names that are keywords elsewhere, and references to all sorts of places.
NAMES = st.sampled_from(
    ["title", "$defs", "definitions", "default", "a", "a/b", "m~1n", "5%25"]
)
POINTERS = """#/$defs/a #/$defs/b #/$defs/title #/%24defs/title #/definitions/a #here
#/$defs/a/$defs/b #/$defs/b/properties/title #/properties/title #/$defs/a~1b
#/$defs/m~01n #/$defs/5%2525 #/properties/a~1b #/properties/$defs #"""
VALUES = st.recursive(
    st.sampled_from([None, True, 1.5, "title", "#/$defs/a"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=4,
)
REFERENCES = st.sampled_from(POINTERS.split()).map(lambda pointer: {"$ref": pointer})
TYPES = st.sampled_from(["string", "object", "array", "null"])
LEAVES = st.one_of(
    REFERENCES,
    REFERENCES,
    st.booleans(),
    TYPES.map(lambda name: {"type": name, "title": "A title"}),
    VALUES.map(lambda value: {"const": value, "default": value}),
    VALUES.map(lambda value: {"enum": [value, 1]}),
)


def grown(inner):
    """Schemas made of smaller ones, a few keywords at a time."""
    named = st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    single = "items not if then additionalProperties propertyNames contains"
    keywords = {
        **dict.fromkeys(single.split(), inner),
        **dict.fromkeys(["allOf", "anyOf"], st.lists(inner, min_size=1, max_size=2)),
        **dict.fromkeys(["properties", "$defs", "definitions", "extra"], named),
        "title": st.sampled_from(["A title", "#/$defs/a"]),
    }
    some = st.sets(st.sampled_from(sorted(keywords)), min_size=1, max_size=3)
    return some.flatmap(
        lambda keys: st.fixed_dictionaries({key: keywords[key] for key in sorted(keys)})
    )


PARTS = LEAVES | grown(LEAVES) | grown(grown(LEAVES))
# Where a reference counts from elsewhere, and anchors that are there twice.
ODD = [True, {"$anchor": "here"}, {"$anchor": "there", "title": "T"}, {"title": "T"}]
ODD += [{"$id": "https://example.com/part", "items": {"$ref": "#/$defs/a"}}]
ROOTS = st.fixed_dictionaries(
    {
        "properties": st.dictionaries(NAMES, PARTS, min_size=2, max_size=4),
        "$defs": st.fixed_dictionaries(
            {
                "a": st.fixed_dictionaries(
                    {"items": PARTS, "$defs": st.fixed_dictionaries({"b": LEAVES})}
                ),
                "b": st.fixed_dictionaries(
                    {
                        "$anchor": st.just("here"),
                        "properties": st.fixed_dictionaries({"title": PARTS}),
                    }
                ),
                "title": PARTS,
                "a/b": PARTS,
                "m~1n": LEAVES,
                "5%25": LEAVES,
                "never used": PARTS,
            }
        ),
        "definitions": st.fixed_dictionaries({"a": PARTS, "title": PARTS}),
    },
    optional={
        "title": st.just("T"),
        "items": PARTS,
        "default": VALUES,
        "then": st.sampled_from(ODD),
    },
)


def constants(schema: object) -> list:
    """The values that a schema names itself: they are the ones that can fit."""
    if isinstance(schema, list):
        return [value for part in schema for value in constants(part)]
    if not isinstance(schema, dict):
        return []
    here = [schema["const"]] if "const" in schema else schema.get("enum", [])
    here = here if isinstance(here, list) else []
    return here + [value for part in schema.values() for value in constants(part)]


def instances(schema: dict, drawn: list) -> list:
    """Values, and what holds them under each property and in an array."""
    inner = [*constants(schema)[:8], *drawn]
    held = [{name: value} for name in schema["properties"] for value in inner]
    deep = [{name: [value]} for name in schema["properties"] for value in inner]
    return inner + held + deep + [[value] for value in inner]


def holds(verdicts: Counter, schema: dict, drawn: list, dialect) -> None:
    """One schema and its values; counts what they come to."""
    before = copy.deepcopy(schema)
    after = cleaned(schema)
    assert schema == before
    assert cleaned(after) == after
    old, new = dialect(schema), dialect(after)
    for value in instances(schema, drawn):
        verdict = outcome(old, value)
        # A value that nobody can judge validates neither before nor after.
        assert isinstance(verdict, str) or outcome(new, value) == verdict
        verdicts[verdict, after != schema] += 1


DIALECTS = st.sampled_from(
    [Draft202012Validator, Draft202012Validator, Draft7Validator]
)


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.soak)])
def test_what_validates_before_cleaning_validates_after(count):
    verdicts: Counter = Counter()

    @settings(max_examples=count, deadline=None, database=None, derandomize=True)
    @given(ROOTS, st.lists(VALUES, min_size=2, max_size=2), DIALECTS)
    def check(schema, drawn, dialect):
        holds(verdicts, schema, drawn, dialect)

    check()
    # Else it would say nothing: both verdicts, on schemas that were cleaned.
    assert min(verdicts[True, True], verdicts[False, True]) > 10 * count, verdicts


def resolved(schema: dict, root: dict) -> dict:
    """The schema that a reference into `$defs` stands for."""
    while (reference := schema.get("$ref", "")).startswith("#/$defs/"):
        schema = root["$defs"][reference.removeprefix("#/$defs/")]
    return schema


def sample(schema, root: dict, chance: random.Random, depth: int = 0) -> object:
    """A value that nearly fits a schema: now and then something is wrong with it."""
    if not isinstance(schema, dict) or chance.random() < 0.05 or depth > 6:
        return chance.choice([None, "x", 3, [], {}])
    schema = resolved(schema, root)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return sample(chance.choice(schema[key]), root, chance, depth + 1)
    if "enum" in schema or "const" in schema:
        return chance.choice(schema.get("enum") or [schema["const"]])
    kind = schema.get("type", "object")
    kind = chance.choice(kind) if isinstance(kind, list) else kind
    if kind == "object":
        parts = schema.get("properties", {}).items()
        chosen = [each for each in parts if chance.random() < 0.8]
        return {name: sample(part, root, chance, depth + 1) for name, part in chosen}
    if kind == "array":
        return [sample(schema.get("items"), root, chance, depth + 1)]
    return {"string": "2318", "boolean": True, "null": None}.get(kind, 5)


def test_the_arguments_of_every_tool_here_validate_as_before():
    chance = random.Random(4)
    verdicts = []
    for tool in ALL:
        before, after = tool["inputSchema"], clean(tool)["inputSchema"]
        old, new = Draft202012Validator(before), Draft202012Validator(after)
        for _ in range(20):
            value = sample(before, before, chance)
            verdicts.append(old.is_valid(value))
            assert new.is_valid(value) == verdicts[-1], (tool["name"], value)
    # Else it would say nothing: both kinds of value have to be among them.
    assert len(verdicts) > 2000
    assert 0.1 < sum(verdicts) / len(verdicts) < 0.9
