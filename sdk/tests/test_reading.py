"""Resources and prompts on the SDK: what StrictServer mends of them. (lesson 06)"""

import pytest

pytest.importorskip("mcp")

from mcp import MCPError
from mcp.server import MCPServer
from mcp.types import Resource
from sdk import strict
from sdk.database import Database
from sdk.server import helpdesk_server
from sdk.strict import StrictServer
from sdk.tests.test_server import talk

KEPT = {
    "ticket://2318": (0, "private"),
    "policy://calendar-sync": (300_000, "public"),
    "ticket://2341/recording": (86_400_000, "private"),
}


@pytest.mark.parametrize("uri", KEPT)
def test_what_is_read_says_how_long_it_may_be_kept(tmp_path, uri):
    async def steps(client):
        read = await client.read_resource(uri)
        return read.ttl_ms, read.cache_scope

    assert talk(helpdesk_server(Database(tmp_path)), steps) == KEPT[uri]


def test_in_the_earlier_era_nothing_is_said_of_keeping(tmp_path):
    async def steps(client):
        return await client.read_resource("policy://calendar-sync")

    read = talk(helpdesk_server(Database(tmp_path)), steps, "legacy")
    assert not {"ttl_ms", "cache_scope"} & read.model_fields_set


def read(kind, uri: str):
    """What a server of that kind makes of an address that a template fits."""
    made = kind("x")
    made.resource("note://{name}", name="note")(lambda name: name)

    async def steps(client):
        try:
            return (await client.read_resource(uri)).contents[0].text
        except MCPError as error:
            return error.code

    return talk(made, steps)


@pytest.mark.parametrize(
    "value", ["a%2Fb", "a%5Cb", "..", "%2E%2E", ".", "..%2Fa", "%2Fa", "a%00", "a%0A"]
)
def test_a_variable_is_one_step_of_a_path(value):
    assert read(StrictServer, f"note://{value}") == -32602


def test_as_it_comes_the_sdk_lets_a_hidden_slash_through():
    assert read(MCPServer, "note://a%2Fb") == "a/b"
    assert read(MCPServer, "note://..%2Fb") == -32602


def test_a_name_that_only_looks_odd_is_read():
    assert read(StrictServer, "note://a%252Fb") == "a%2Fb"
    assert read(StrictServer, "note://a..b") == "a..b"


def test_optional_arguments_are_absent_and_never_null():
    optional = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
    schema = {"type": "object", "properties": {"a": optional | {"description": "A"}}}
    assert strict.without_null(schema)["properties"] == {
        "a": {"type": "string", "description": "A"}
    }


def test_a_prompt_that_crashes_tells_nothing(caplog):
    made = StrictServer("x")

    @made.prompt()
    def crash() -> str:
        raise FileNotFoundError("/home/someone/.ssh/id_rsa")

    async def steps(client):
        with pytest.raises(MCPError) as caught:
            await client.get_prompt("crash")
        return caught.value

    error = talk(made, steps)
    assert error.code == -32603
    assert "ssh" not in error.message


def test_what_is_registered_is_listed_beside_what_there_is():
    made = StrictServer("x")
    made.resource("note://1", name="note")(lambda: "one")
    there = {"uri": "note://2", "name": "note"}
    made.present = lambda: [Resource.model_validate(there)]

    async def steps(client):
        return (await client.list_resources()).resources

    assert [str(each.uri) for each in talk(made, steps)] == ["note://1", "note://2"]
