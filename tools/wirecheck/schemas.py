"""The shape of each message, as JSON Schema made from the package mcp-types.

One schema per method and revision, made when it is first needed: importing the
packages takes longer than checking a whole session. Objects may hold more than a
schema names (the specification allows it), but what it names is never null.
"""

import functools
from collections.abc import Iterator
from typing import Any, get_args

# The error schema is written by hand: mcp-types wants an id in each error and
# takes null for one; the specification leaves it out where none could be read.
ERROR_SCHEMA = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "id": {"type": ["string", "integer"]},
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "integer"},
                "message": {"type": "string"},
            },
        },
    },
}
STRINGS = {"type": "array", "items": {"type": "string"}}
DATA_SCHEMAS = {
    -32022: (
        "basic/versioning#protocol-version-negotiation",
        {
            "type": "object",
            "required": ["supported", "requested"],
            "properties": {"supported": STRINGS, "requested": {"type": "string"}},
        },
    ),
    -32021: (
        "basic/index#meta",
        {
            "type": "object",
            "required": ["requiredCapabilities"],
            "properties": {
                "requiredCapabilities": {
                    "type": "object",
                    "additionalProperties": {"type": "object"},
                }
            },
        },
    ),
}


class MissingPackages(Exception):
    """The libraries that hold the schemas are not installed; the text says so."""


def shorten(value: object, limit: int = 60) -> str:
    """Any value as Python writes it, in ASCII, on one line, cut at `limit`."""
    text = ascii(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


@functools.cache
def libraries() -> tuple[Any, Any, Any]:
    """mcp_types.methods, pydantic.TypeAdapter and the validator, imported late."""
    try:
        import jsonschema  # type: ignore[import-untyped]
        import mcp_types.methods
        import pydantic
    except ImportError as error:
        raise MissingPackages(
            f"the package {error.name} is not installed, and without it no message "
            "can be checked: run `make setup`"
        ) from None
    return mcp_types.methods, pydantic.TypeAdapter, jsonschema.Draft202012Validator


def known(table: str, method: str, revision: str) -> bool:
    """Whether a revision has this method in CLIENT_REQUESTS, SERVER_RESULTS, …"""
    return (method, revision) in getattr(libraries()[0], table)


@functools.cache
def validator(table: str, method: str, revision: str, arm: str = "") -> Any:
    """The JSON Schema of one message; `arm` names one type of a union."""
    methods, adapter, make = libraries()
    kind = getattr(methods, table)[method, revision]
    arms = get_args(kind)
    if arms:
        kind = next((each for each in arms if each.__name__ == arm), arms[0])
    return make(_without_null(adapter(kind).json_schema(by_alias=True)))


@functools.cache
def server_info_validator() -> Any:
    """The schema of serverInfo: the tables leave it untyped inside `_meta`."""
    _, adapter, make = libraries()
    import mcp_types

    schema = adapter(mcp_types.Implementation).json_schema(by_alias=True)
    return make(_without_null(schema))


@functools.cache
def error_validator(code: int = 0) -> Any:
    """The schema of an error response, or of its data for one code."""
    return libraries()[2](DATA_SCHEMAS[code][1] if code else ERROR_SCHEMA)


def _without_null(schema: Any) -> Any:
    """On this wire optional means absent: only free JSON values may be null."""
    if isinstance(schema, list):
        return [_without_null(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    arms = schema.get("anyOf", [])
    kept = [arm for arm in arms if arm != {"type": "null"}]
    if len(kept) < len(arms):
        schema = {**schema, "anyOf": kept}
        schema.pop("default", None)
    return {
        key: value if key == "JSONValue" else _without_null(value)
        for key, value in schema.items()
    }


def breaches(checker: Any, value: object, name: str) -> Iterator[tuple[str, str]]:
    """What a schema has against a value: the member it is about, and a sentence."""
    for error in checker.iter_errors(value):
        leaf = _leaf(error)
        where = name + leaf.json_path.removeprefix("$")
        missing = leaf.validator == "required"
        member = leaf.message.split("'")[1] if missing else ""
        yield str(leaf.path[0] if leaf.path else member), f"{where}: {_sentence(leaf)}"


def _leaf(error: Any) -> Any:
    """The arm of a union that was meant: the one whose constants fit."""
    while error.context:
        arms: dict[int, list] = {}
        for each in error.context:
            arms.setdefault(each.schema_path[0], []).append(each)
        meant = [
            arm for arm in arms.values() if not any(e.validator == "const" for e in arm)
        ]
        if not meant:
            return error
        error = min(meant, key=len)[0]
    return error


def _sentence(error: Any) -> str:
    """What was found and what would be right, with long values cut."""
    if error.validator == "required":
        return f"{error.message.split(' is a ')[0]} is missing"
    found, wanted = shorten(error.instance), error.validator_value
    if error.validator == "anyOf":
        constants = sorted({each for arm in error.context for each in _constants(arm)})
        kinds = ", ".join(constants) or "the kinds that the schema names"
        return f"{found} is none of {kinds}"
    if error.validator == "type":
        return f"{found} is not of type {shorten(wanted)}"
    return f"{found} breaks the schema's {error.validator}: {shorten(wanted)}"


def _constants(error: Any) -> list[str]:
    return [repr(error.validator_value)] if error.validator == "const" else []
