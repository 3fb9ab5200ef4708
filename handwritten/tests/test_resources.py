"""Resources, prompts and completion: what is there, and what is not. (lesson 06)"""

import base64

import pytest
from handwritten.helpdesk.policies import policies
from handwritten.helpdesk.tickets import tickets
from handwritten.server import Server
from handwritten.tests.talk import ask, code, connect


def get(method: str, **params) -> dict:
    return ask(connect(), method, params)


def listed() -> list[dict]:
    connection = connect()
    connection.server.page_size = 1000
    return ask(connection, "resources/list")["result"]["resources"]


def read(uri: str) -> dict:
    result = get("resources/read", uri=uri)["result"]
    (contents,) = result["contents"]
    assert contents["uri"] == uri
    return {**contents, **{name: result[name] for name in ("ttlMs", "cacheScope")}}


def test_everything_on_the_list_can_be_read_and_is_as_the_list_says():
    for entry in listed():
        contents = read(entry["uri"])
        assert contents["mimeType"] == entry["mimeType"]
        data = contents.get("text", "").encode()
        data = data or base64.b64decode(contents["blob"], validate=True)
        assert entry.get("size", len(data)) == len(data) > 0


def test_every_ticket_and_policy_is_on_the_list():
    uris = [entry["uri"] for entry in listed()]
    assert len(uris) == len(set(uris)) == len(tickets()) + len(policies()) + 1
    assert {"ticket://2318", "policy://refunds-and-payments"} <= set(uris)


def test_a_ticket_holds_what_people_wrote():
    text = read("ticket://2318")["text"]
    ticket = tickets()["2318"]
    for words in (ticket["subject"], ticket["body"], ticket["messages"][0]["text"]):
        assert words in text
    assert "ch_204811: 49.00 USD" in text


def test_a_ticket_says_when_it_last_changed():
    (entry,) = (each for each in listed() if each["uri"] == "ticket://2319")
    assert entry["annotations"]["lastModified"] == "2026-10-05T08:20:00Z"
    assert all(
        0 <= each["annotations"]["priority"] <= 1
        for each in listed()
        if "annotations" in each
    )


@pytest.mark.parametrize(
    ("uri", "cache"),
    [
        ("ticket://2318", (0, "private")),
        ("policy://refunds-and-payments", (300_000, "public")),
        ("ticket://2341/recording", (86_400_000, "private")),
    ],
)
def test_how_long_something_may_be_kept_is_what_it_is_like(uri, cache):
    contents = read(uri)
    assert (contents["ttlMs"], contents["cacheScope"]) == cache


@pytest.mark.parametrize(
    "uri",
    [
        "ticket://9999",
        "ticket://",
        "ticket://2318/",
        "ticket://2318%2Frecording",
        "ticket://2318/recording",
        "ticket://../2318",
        "policy://..",
        "policy://nope",
        "file:///etc/passwd",
        "ticket://{ticket_id}",
        "",
        "\ud83d",
    ],
)
def test_what_is_not_there_is_an_error_that_names_it(uri):
    error = get("resources/read", uri=uri)["error"]
    assert error["code"] == -32602
    assert error["data"] == {"uri": uri}


@pytest.mark.parametrize("params", [{}, {"uri": 5}, {"uri": None}, {"uri": "x" * 9999}])
def test_an_address_is_a_string_of_some_length(params):
    answer = get("resources/read", **params)
    assert code(answer) == -32602
    assert len(str(answer)) < 300


def test_the_templates_build_the_addresses_on_the_list():
    found = get("resources/templates/list")["result"]["resourceTemplates"]
    templates = [each["uriTemplate"] for each in found]
    assert templates[:2] == ["ticket://{ticket_id}", "policy://{name}"]
    assert len({each["name"] for each in found}) == len(found)


def draft(**arguments) -> dict:
    return get("prompts/get", name="draft_reply", arguments=arguments)


def test_a_prompt_brings_the_ticket_and_the_policy_that_fits():
    first, policy, ticket = draft(ticket_id="2318")["result"]["messages"]
    assert [each["role"] for each in (first, policy, ticket)] == ["user"] * 3
    assert "2318" in first["content"]["text"]
    resource = policy["content"]["resource"]
    assert resource["uri"] == "policy://refunds-and-payments"
    assert read(resource["uri"])["text"] == resource["text"]
    resource = ticket["content"]["resource"]
    assert resource["uri"] == "ticket://2318"
    assert read(resource["uri"])["text"] == resource["text"]


def test_the_policy_of_a_prompt_can_be_chosen():
    _, policy, _ = draft(ticket_id="2318", policy="calendar-sync")["result"]["messages"]
    assert policy["content"]["resource"]["uri"] == "policy://calendar-sync"


def test_a_prompt_works_for_every_ticket():
    for number in tickets():
        assert len(draft(ticket_id=number)["result"]["messages"]) == 3


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 5},
        {"name": "nope"},
        {"name": "draft_reply"},
        {"name": "draft_reply", "arguments": None},
        {"name": "draft_reply", "arguments": {"policy": "calendar-sync"}},
        {"name": "draft_reply", "arguments": {"ticket_id": 2318}},
        {"name": "draft_reply", "arguments": {"ticket_id": "9999"}},
        {"name": "draft_reply", "arguments": {"ticket_id": "2318", "x": "y"}},
        {"name": "draft_reply", "arguments": {"ticket_id": "2318", "policy": "no"}},
    ],
)
def test_a_prompt_that_cannot_be_made_is_an_error_of_the_protocol(params):
    assert code(get("prompts/get", **params)) == -32602


PROMPT = {"type": "ref/prompt", "name": "draft_reply"}
TEMPLATE = {"type": "ref/resource", "uri": "ticket://{ticket_id}"}


def completed(ref: dict, name: str, value: str, **chosen) -> dict:
    params = {"ref": ref, "argument": {"name": name, "value": value}}
    context = {"context": {"arguments": chosen}} if chosen else {}
    return get("completion/complete", **params, **context)["result"]["completion"]


def test_what_begins_with_the_typed_comes_before_what_holds_it():
    offers = completed(TEMPLATE, "ticket_id", "232")
    assert offers["values"][0].startswith("232")
    assert offers["total"] == len(offers["values"]) == 10
    assert offers["hasMore"] is False
    names = completed({**TEMPLATE, "uri": "policy://{name}"}, "name", "Sta")["values"]
    assert names == ["staff-accounts"]
    names = completed({**TEMPLATE, "uri": "policy://{name}"}, "name", "p")["values"]
    assert names[:3] == ["plans-and-prices", "personal-data", "refunds-and-payments"]
    assert completed(TEMPLATE, "ticket_id", "xyzzy")["values"] == []


def test_open_tickets_are_offered_first():
    first = completed(PROMPT, "ticket_id", "")["values"][0]
    assert tickets()[first]["status"] == "open"


def test_policies_are_offered_by_the_ticket_that_was_chosen():
    best = completed(PROMPT, "policy", "", ticket_id="2319")["values"][0]
    assert best == "calendar-sync"
    assert len(completed(PROMPT, "policy", "")["values"]) == len(policies())


def test_no_more_than_a_hundred_are_offered():
    server = Server({"name": "other", "version": "1"})
    many = {"a": lambda chosen, user: [str(number) for number in range(250)]}
    server.templates = {"a://{a}": ({"uriTemplate": "a://{a}"}, None, many)}
    params = {"ref": {"type": "ref/resource", "uri": "a://{a}"}}
    params["argument"] = {"name": "a", "value": ""}
    answer = ask(connect(server), "completion/complete", params)
    offers = answer["result"]["completion"]
    assert (len(offers["values"]), offers["total"], offers["hasMore"]) == (
        100,
        250,
        True,
    )


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"ref": PROMPT},
        {"ref": PROMPT, "argument": "policy"},
        {"ref": PROMPT, "argument": {"name": "policy"}},
        {"ref": PROMPT, "argument": {"name": "policy", "value": 5}},
        {"ref": PROMPT, "argument": {"name": "nope", "value": ""}},
        {"ref": PROMPT, "argument": {"name": ["policy"], "value": ""}},
        {"ref": {"type": "ref/tool"}, "argument": {"name": "a", "value": ""}},
        {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a"}},
        {
            "ref": {**TEMPLATE, "uri": "x://{y}"},
            "argument": {"name": "y", "value": ""},
        },
        {
            "ref": {"type": "ref/prompt", "name": []},
            "argument": {"name": "a", "value": ""},
        },
        {
            "ref": PROMPT,
            "argument": {"name": "policy", "value": ""},
            "context": {"arguments": {"ticket_id": 5}},
        },
        {"ref": PROMPT, "argument": {"name": "policy", "value": ""}, "context": []},
        {"ref": None, "argument": {"name": "policy", "value": ""}},
    ],
)
def test_what_cannot_be_completed_is_an_error_of_the_protocol(params):
    assert code(get("completion/complete", **params)) == -32602


def test_another_domain_lists_nothing_and_declares_what_it_answers():
    connection = connect(Server({"name": "other", "version": "1"}))
    about = ask(connection, "server/discover")["result"]["capabilities"]
    assert about.keys() == {"tools", "resources", "prompts", "completions"}
    assert ask(connection, "resources/list")["result"]["resources"] == []
    assert ask(connection, "prompts/list")["result"]["prompts"] == []
    assert code(ask(connection, "resources/read", {"uri": "a://b"})) == -32602
