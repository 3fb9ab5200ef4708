"""The checker: a JSON line in, a JSON line out. (lesson 05)

schemas.py starts it as a process of its own. In: {"schema": …, "value": …}, or a schema
alone, which is then checked itself. Out: a string, what is wrong; "" if nothing is.

A schema is read in the dialect that its `$schema` names: draft-03, -04, -06, -07,
2019-09 or, as without one, 2020-12. A `$ref` is followed inside the schema, or to the
definition of a dialect, and nowhere else. `format` is a remark and no rule (JSON Schema
2020-12), so it is not checked.
"""

import contextlib
import functools
import json
import sys
import time
from itertools import islice
from types import SimpleNamespace
from typing import Any

import regress
from jsonschema import _keywords, _legacy_keywords, _utils  # type: ignore
from jsonschema.exceptions import best_match  # type: ignore
from jsonschema.validators import validator_for  # type: ignore
from jsonschema_specifications import REGISTRY  # type: ignore
from referencing.exceptions import Unresolvable
from referencing.jsonschema import specification_with

MEMORY = 512 * 1024 * 1024  # bytes, where the system knows such a limit
TIME = 10  # seconds of computing for one question: whoever asked may be gone
LONGEST = 300  # characters
FEW = 3  # problems that are told at once
DEFAULT = "https://json-schema.org/draft/2020-12/schema"
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@functools.cache
def compiled(pattern: str) -> regress.Regex:
    """A pattern, with the flag that JSON Schema asks for. Raises ValueError."""
    try:
        return regress.Regex(pattern, "u")
    except regress.RegressError as error:
        raise ValueError(f"the pattern {pattern!r:.80}: {error}") from None


# jsonschema searches with Python's `re`. Schemas mean ECMA-262: there `$` never fits
# before a last line feed, `\d` takes [0-9] alone, and `\p{L}` is any letter.
ECMA = SimpleNamespace(search=lambda pattern, text: compiled(pattern).find(text))
for module in (_keywords, _legacy_keywords, _utils):
    module.re = ECMA


def validator(schema: dict) -> Any:
    """What checks values against this schema. Raises ValueError: unknown dialect."""
    name = schema.get("$schema", DEFAULT)
    kind = validator_for({"$schema": name}, default=None)
    if kind is None:
        raise ValueError(f"the dialect {name!r:.80} is not supported")
    # The usual registry would fetch what a `$ref` names; this one fetches nothing.
    return kind(schema, registry=REGISTRY)


def check_schema(schema: dict) -> None:
    """Raise what is wrong with a schema, its references and its patterns."""
    kind = type(validator(schema))
    if problems := told(kind(kind.META_SCHEMA).iter_errors(schema)):
        raise ValueError(problems)
    specification = specification_with(schema.get("$schema", DEFAULT))
    root = specification.create_resource(schema)
    for part, resolver in parts(root, REGISTRY.resolver_with_root(root)):
        for reference in (part[name] for name in REFERENCES if name in part):
            try:
                resolver.lookup(reference)
            except Unresolvable:
                raise ValueError(f"{reference!r:.80} leads nowhere in it") from None
        for pattern in (part.get("pattern", ""), *part.get("patternProperties", ())):
            compiled(pattern)


def parts(resource, resolver):
    """Each object that is a schema in a schema, with what follows its references."""
    if isinstance(resource.contents, dict):
        yield resource.contents, resolver
        for part in resource.subresources():
            yield from parts(part, resolver.in_subresource(part))


def told(errors) -> str:
    """The first few errors; of those inside an error, such as anyOf's, the best."""
    return "; ".join(sentence(best_match([each])) for each in islice(errors, FEW))


def sentence(error) -> str:
    """Where, what, and how the schema itself describes that place."""
    place = error.json_path.removeprefix("$").removeprefix(".")
    text = error.message  # holds the whole value, however long that is
    if len(text) > LONGEST:
        text = f"the value breaks the rule {error.validator!r}"
    text = f"{place}: {text}" if place else text
    about = error.schema.get("description") if isinstance(error.schema, dict) else None
    return f"{text:.{LONGEST}} ({about:.{LONGEST}})" if about else text[:LONGEST]


def answer(schema: dict, **value: object) -> str:
    try:
        if not value:
            check_schema(schema)
            return ""
        return told(validator(schema).iter_errors(value["value"]))
    except RecursionError:
        return "the schema refers to itself without end"
    except Exception as error:  # whatever a stranger's schema makes of the library
        about = str(error) or type(error).__name__
        return f"the schema can't be used: {about:.{LONGEST}}"


def limit(name: str, most: float) -> None:
    """Let the system end this process above a limit, where it knows such a one."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        kind = getattr(resource, name)
        resource.setrlimit(kind, (int(most), resource.getrlimit(kind)[1]))


def main() -> None:
    limit("RLIMIT_AS", MEMORY)
    print('"ready"', flush=True)
    for line in sys.stdin.buffer:
        limit("RLIMIT_CPU", time.process_time() + TIME + 1)
        print(json.dumps(answer(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
