"""Reading a schema: its parts, its references, what nothing refers to. (lesson 04)

The rule: a word is a keyword only where JSON Schema (draft-07 to 2020-12) reads it as
one. A parameter may be called `title` or `$defs`, and what stands inside of `default`,
`const`, `enum` or `examples` is data.

In doubt, nothing is called unused: a schema with a reference that this module can't
follow (another document, an inner `$id`, a place that is no schema) is left whole.
"""

from collections.abc import Collection, Iterator
from urllib.parse import unquote

# A step is a keyword, and then the name or the number under it where it has several.
# Pointers alone would not tell the keyword `$defs` from a parameter of that name.
Step = tuple[str, ...]
Path = tuple[Step, ...]
Names = tuple[str, ...]

DEFINITIONS: Names = ("$defs", "definitions")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
ANCHORS = ("$anchor", "$dynamicAnchor")
# Keywords whose value is an object of schemas by name …
NAMED: Names = (*DEFINITIONS, "properties", "patternProperties", "dependentSchemas")
NAMED += ("dependencies",)
# … and those whose value is a schema or an array of schemas.
PLAIN: Names = ("items", "prefixItems", "additionalItems", "unevaluatedItems")
PLAIN += ("contains", "additionalProperties", "unevaluatedProperties", "propertyNames")
PLAIN += ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contentSchema")
DEEPEST = 100  # schemas inside of each other; a message may have 64 of anything
DIALECTS = ("http://json-schema.org/", "https://json-schema.org/")


class Unclear(Exception):
    """The schema cannot be read, or its references followed, with certainty."""


def parts(schema: dict) -> Iterator[tuple[Step, object]]:
    """The schemas directly inside of a schema, each with the step that leads there."""
    for key, value in schema.items():
        if key in NAMED and isinstance(value, dict):
            yield from (((key, name), part) for name, part in value.items())
        elif key in PLAIN and isinstance(value, list):
            yield from (((key, str(n)), part) for n, part in enumerate(value))
        elif key in PLAIN:
            yield (key,), value


def walk(schema: object) -> Iterator[tuple[Path, dict]]:
    """Every schema that is an object, with its path. Raises Unclear: too deep."""
    waiting: list[tuple[Path, object]] = [((), schema)]
    while waiting:
        path, each = waiting.pop()
        if len(path) > DEEPEST:
            raise Unclear
        if isinstance(each, dict):
            yield path, each
            inner = [((*path, step), part) for step, part in parts(each)]
            waiting += reversed(inner)


def descriptions(schema: object) -> list[str]:
    """The descriptions inside a schema: those of the parameters and their parts."""
    found = [each.get("description") for _, each in walk(schema)]
    return [text for text in found if isinstance(text, str)]


def unreferenced(schema: object) -> list[Path]:
    """The definitions that nothing reaches, less what is inside of such a one."""
    try:
        return _unused(schema)
    except Unclear:
        return []


def cleaned(schema: dict) -> dict:
    """The schema without unused definitions and without titles.

    It is given back as it came where it cannot be read with certainty.
    """
    try:
        return without(schema, _unused(schema), titles=False)
    except (Unclear, RecursionError):
        return schema


def _unused(schema: object) -> list[Path]:
    places = dict(walk(schema))
    if not places:
        return []
    keep = used(places)
    return [
        (*path, step)
        for path, each in places.items()
        if keep.issuperset(entries(path))
        for step, _ in parts(each)
        if step[0] in DEFINITIONS and (*path, step) not in keep
    ]


def without(schema: dict, dead: Collection[Path], titles: bool = True) -> dict:
    """The schema without these definitions, and, if asked to, without titles."""
    return _rebuilt(schema, (), set(dead), titles)


def _rebuilt(schema: dict, path: Path, dead: set[Path], titles: bool) -> dict:
    def part(step: Step, value: object) -> object:
        if not isinstance(value, dict):
            return value
        return _rebuilt(value, (*path, step), dead, titles)

    made: dict = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str) and not titles:
            continue
        if key in NAMED and isinstance(value, dict):
            names = [name for name in value if (*path, (key, name)) not in dead]
            if names or key not in DEFINITIONS:
                made[key] = {name: part((key, name), value[name]) for name in names}
        elif key in PLAIN and isinstance(value, list):
            made[key] = [part((key, str(n)), each) for n, each in enumerate(value)]
        else:
            made[key] = part((key,), value) if key in PLAIN else value
    return made


def entries(path: Path) -> list[Path]:
    """The definitions that a path leads through, the outermost first."""
    ends = [end for end, step in enumerate(path, 1) if step[0] in DEFINITIONS]
    return [path[:end] for end in ends]


def used(places: dict[Path, dict]) -> set[Path]:
    """The definitions that can be reached from the root. Raises Unclear."""
    if not str(places[()].get("$schema", DIALECTS[0])).startswith(DIALECTS):
        raise Unclear  # in an unknown dialect, a title may be a rule
    pointers = {sum(path, ()): path for path in places}
    anchors: dict = {}
    inside: dict[Path, list[Path]] = {}
    for path, schema in places.items():
        inside.setdefault((entries(path) or [()])[-1], []).append(path)
        for name in filter(None, map(schema.get, ANCHORS)):
            anchors.setdefault(f"#{name}", []).append(path)
    found: set[Path] = set()
    waiting: list[Path] = [()]
    while waiting:
        for path in inside.get(waiting.pop(), []):
            for target in targets(path, places[path], pointers, anchors):
                new = set(entries(target)) - found
                found |= new
                waiting += new
    return found


def targets(path: Path, schema: dict, pointers: dict, anchors: dict) -> list[Path]:
    """The places that one schema refers to. Raises Unclear."""
    if path and (isinstance(schema.get("$id"), str) or "id" in schema):
        raise Unclear  # from here on a reference counts from another root
    found: list[Path] = []
    for key, value in schema.items():
        if key in REFERENCES:
            found += resolve(value, pointers, anchors)
        elif key not in (*NAMED, *PLAIN, "title"):
            # An example, or a keyword that is not known here: it may refer, too.
            likely = map(split, texts(value))
            found += [pointers[steps] for steps in likely if steps in pointers]
    return found


def resolve(reference: object, pointers: dict, anchors: dict) -> list[Path]:
    """The places of a reference; several where an anchor is there more than once."""
    if isinstance(reference, str) and reference in anchors:
        return anchors[reference]
    steps = split(reference) if isinstance(reference, str) else None
    if steps not in pointers:
        raise Unclear
    return [pointers[steps]]


def split(reference: str) -> tuple[str, ...] | None:
    """The parts of a JSON pointer that is written as a fragment; None: it is none."""
    if reference in ("#", "#/"):
        return () if reference == "#" else ("",)
    if not reference.startswith("#/"):
        return None
    names = unquote(reference[2:]).split("/")
    return tuple(name.replace("~1", "/").replace("~0", "~") for name in names)


def texts(value: object) -> Iterator[str]:
    """Every string in a value, except for the names in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)
