"""Resources, prompts, pages, blocks and handles over the wire, whatever the server.

Nothing here knows how a cursor, a token or a handle is made, or how many items a page
has: a client must not know it either. Report numbers name public reports of servers or
clients that got it wrong.
"""

import base64
import json
import re

import pytest
from lessons.wire import expect, expect_error, expect_result

TOOLS = "server/tools"
RESOURCES = "server/resources"
PROMPTS = "server/prompts"
COMPLETION = "server/utilities/completion"
PAGES = "server/utilities/pagination"
CACHING = "server/utilities/caching"
BLOCKS = f'{TOOLS}, "Tool Result"'
HANDLES = f'{TOOLS}, "Handles"'
INVALID_PARAMS = -32602
# By method: where in the result the items are, and what tells them apart.
LISTS = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}
EACH_LIST = pytest.mark.parametrize("method", LISTS)
MANY = 200  # parts of a long result: more than there are
# Staff, both of them: what is given to one is not the other's.
ANA, BEN = "ana", "ben"


def items(server, method: str) -> list[dict]:
    member, _ = LISTS[method]
    return [item for page in server.pages(method) for item in page[member]]


def cursor(server) -> str:
    """One that resources/list has just given: the helpdesk has more than a page."""
    result = expect_result(server, server.request("resources/list"), PAGES)
    text = "nextCursor, a string: there are more resources than a page holds"
    expect(server, isinstance(result.get("nextCursor"), str), text, PAGES)
    return result["nextCursor"]


def read(server, uri: str) -> dict:
    """What is at the address."""
    answer = server.request("resources/read", {"uri": uri})
    result = expect_result(server, answer, RESOURCES)
    good = isinstance(result.get("contents"), list) and result["contents"]
    expect(server, good, "contents, a list that is not empty", RESOURCES)
    return result


def call(server, name: str, **arguments) -> dict:
    """The result of a call, good or bad."""
    answer = server.request("tools/call", {"name": name, "arguments": arguments})
    return expect_result(server, answer, TOOLS)


def data(server, name: str, **arguments) -> dict:
    """What a call that works gives as data, which its text says as well."""
    result = call(server, name, **arguments)
    expect(server, result.get("isError", False) is False, "no isError", TOOLS)
    value = result.get("structuredContent")
    expect(server, isinstance(value, dict), "structuredContent, an object", TOOLS)
    texts = [each["text"] for each in result["content"] if each["type"] == "text"]
    said = [
        each for each in texts if each.startswith("{") and json.loads(each) == value
    ]
    rule = f"the same in both forms: hosts show their models one ({TOOLS})"
    expect(server, said, "a text: the JSON of structuredContent", rule)
    return value


def expect_tool_error(server, name: str, rule: str, **arguments) -> None:
    result = call(server, name, **arguments)
    expect(server, result.get("isError") is True, "isError true", rule)
    good = result["content"] and result["content"][0].get("text")
    expect(server, good, "a text that says what was wrong", rule)


def blocks(server, name: str, kind: str, **arguments) -> list[dict]:
    """The blocks of this type in the result of a call; there is at least one."""
    found = [each for each in call(server, name, **arguments)["content"]]
    found = [each for each in found if each.get("type") == kind]
    expect(server, found, f"a block of type {kind}", BLOCKS)
    for each in found:
        expect_annotations(server, each.get("annotations", {}))
    return found


def expect_annotations(server, annotations: dict) -> None:
    """What is said of whom something is for, and how much it matters."""
    rule = f'{RESOURCES}, "Annotations"'
    audience = annotations.get("audience", [])
    text = 'audience: "user", "assistant" or both'
    expect(server, set(audience) <= {"user", "assistant"}, text, rule)
    priority = annotations.get("priority", 1)
    good = not isinstance(priority, bool) and 0 <= priority <= 1
    expect(server, good, "priority: a number from 0 to 1", rule)
    modified = annotations.get("lastModified", "2026-10-03T09:12:00Z")
    good = re.match("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}", modified)
    expect(server, good, "lastModified: an ISO 8601 time", rule)


def decoded(server, text: str, rule: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        raise server.failure("base64", f"binary data is encoded ({rule})") from None


# What there is


@pytest.mark.parametrize("feature", ["resources", "prompts", "completions"])
def test_a_server_declares_what_it_serves(server, feature):
    result = expect_result(server, server.request("server/discover"), "server/discover")
    declared = isinstance(result["capabilities"].get(feature), dict)
    rule = f"servers that support it MUST declare it (server/{feature})"
    expect(server, declared, f"capabilities with {feature}, an object", rule)


# Pages


@EACH_LIST
def test_a_walk_to_the_end_shows_each_item_once(server, method):
    # Chainlit/chainlit#3042: read one page and believe that it is all
    _, key = LISTS[method]
    names = [item.get(key) for item in items(server, method)]
    expect(server, names, f"items, each with {key}", PAGES)
    expect(server, None not in names, f"a {key} for each item", PAGES)
    expect(server, len(set(names)) == len(names), f"no {key} twice", PAGES)


NEVER_GIVEN = ["zzz", "-1", "99999", "2", "", "AAAA", "é", "x" * 5000, 5, True]


@EACH_LIST
def test_a_cursor_that_was_never_given_is_refused(server, method):
    for bad in NEVER_GIVEN:
        rule = f"an invalid cursor is -32602, and never the first page ({PAGES})"
        answer = server.request(method, {"cursor": bad})
        expect_error(server, answer, INVALID_PARAMS, rule)


@pytest.mark.parametrize("method", [each for each in LISTS if each != "resources/list"])
def test_a_cursor_of_another_list_is_refused(server, method):
    answer = server.request(method, {"cursor": cursor(server)})
    rule = f"a cursor is a place in its own list ({PAGES})"
    expect_error(server, answer, INVALID_PARAMS, rule)


def test_a_cursor_cut_short_or_changed_is_refused(server):
    given = cursor(server)
    rule = f"clients MUST NOT modify cursors, so what they send is checked ({PAGES})"
    for place in (0, len(given) // 2, len(given) - 1):
        other = "B" if given[place] == "A" else "A"
        changed = given[:place] + other + given[place + 1 :]
        for bad in (given[:place], changed, given + other):
            answer = server.request("resources/list", {"cursor": bad})
            expect_error(server, answer, INVALID_PARAMS, rule)


def test_a_cursor_is_good_twice(server):
    given = {"cursor": cursor(server)}
    asked = [server.request("resources/list", given) for _ in "ab"]
    first, again = (expect_result(server, each, PAGES) for each in asked)
    rule = f"no page depends on what was asked before ({RESOURCES})"
    same = first["resources"] == again["resources"]
    expect(server, same, "the same page, though it was asked for before", rule)


def test_a_cursor_is_good_in_the_next_process(server):
    given = cursor(server)
    before = server.request("resources/list", {"cursor": given})
    second = expect_result(server, before, PAGES)["resources"]
    server.restart()
    answer = server.request("resources/list", {"cursor": given})
    again = expect_result(server, answer, PAGES)["resources"]
    rule = f"servers SHOULD provide stable cursors ({PAGES})"
    expect(server, again == second, "the second page, as before the restart", rule)


def test_a_client_of_the_earlier_era_pages_as_well(server):
    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
    about["clientInfo"] = {"name": "old", "version": "1"}
    server.request("initialize", about, meta=None)
    server.notify("notifications/initialized")
    answer = server.request("resources/list", meta=None)
    first = expect_result(server, answer, PAGES)
    given = {"cursor": first.get("nextCursor")}
    answer = server.request("resources/list", given, meta=None)
    second = expect_result(server, answer, PAGES)
    shown = [each["uri"] for each in first["resources"]]
    new = all(each["uri"] not in shown for each in second["resources"])
    expect(server, new and second["resources"], "a second page, of others", PAGES)


# Caching


@EACH_LIST
def test_all_pages_of_a_list_have_one_scope_and_each_a_time(server, method):
    # HelpCode-ai/anythingmcp#533, byte5ai/omadia#702
    found = server.pages(method)
    for page in found:
        expect_caching(server, page)
    scopes = {page["cacheScope"] for page in found}
    expect(server, len(scopes) == 1, "the same cacheScope on all pages", CACHING)


def expect_caching(server, result: dict) -> None:
    age = result.get("ttlMs")
    expect(server, type(age) is int and age >= 0, "ttlMs, an integer from 0", CACHING)
    good = result.get("cacheScope") in ("public", "private")
    expect(server, good, 'cacheScope, "public" or "private"', CACHING)


@pytest.mark.parametrize(
    "uri", ["ticket://2318", "policy://refunds-and-payments", "ticket://2341/recording"]
)
def test_what_is_read_says_how_long_it_may_be_kept(server, uri):
    expect_caching(server, read(server, uri))


# Resources


def test_each_listed_resource_can_be_read(server):
    for entry in items(server, "resources/list"):
        expect(server, isinstance(entry.get("name"), str), "a name", RESOURCES)
        expect_annotations(server, entry.get("annotations", {}))
        for contents in read(server, entry["uri"])["contents"]:
            expect(server, contents.get("uri"), "contents with a uri", RESOURCES)
            rule = f"text or binary data, and not both ({RESOURCES})"
            one = ("text" in contents) != ("blob" in contents)
            expect(server, one, "either text or blob", rule)
            if "blob" in contents:
                size = len(decoded(server, contents["blob"], RESOURCES))
                good = entry.get("size", size) == size
                expect(server, good, "as many bytes as its size says", RESOURCES)


@pytest.mark.parametrize(
    "template, values",
    [
        ("ticket://{ticket_id}", {"ticket_id": "2319"}),
        ("policy://{name}", {"name": "calendar-sync"}),
        ("ticket://{ticket_id}/recording", {"ticket_id": "2341"}),
    ],
)
def test_a_template_makes_addresses_that_can_be_read(server, template, values):
    known = [each["uriTemplate"] for each in items(server, "resources/templates/list")]
    expect(server, template in known, f"the template {template}", RESOURCES)
    uri = template.format(**values)
    expect(server, read(server, uri)["contents"][0]["uri"] == uri, uri, RESOURCES)


def test_a_ticket_as_a_resource_holds_what_the_customer_wrote(server):
    contents = read(server, "ticket://2318")["contents"]
    said = "Charged twice for October" in contents[0].get("text", "")
    expect(server, said, "a text with the subject of ticket 2318", RESOURCES)


NOT_THERE = [
    "ticket://9999",
    "policy://nothing",
    "ticket://2318/recording",
    "other://2318",
]


def test_a_resource_that_is_not_there_is_an_error_that_names_it(server):
    # IBM/mcp-context-forge#6568: not -32002 any more, and no empty contents
    for uri in NOT_THERE:
        answer = server.request("resources/read", {"uri": uri})
        rule = f'{RESOURCES}, "Error Handling": resource not found'
        error = expect_error(server, answer, INVALID_PARAMS, rule)
        named = isinstance(error.get("data"), dict) and error["data"].get("uri") == uri
        expect(server, named, "data with the uri", rule)


ODD_ADDRESSES = [
    "policy://..",
    "policy://../refunds-and-payments",
    "policy://./refunds-and-payments",
    "policy://%2e%2e",
    "policy://%2e%2e%2frefunds-and-payments",
    "policy://x%2F..%2Frefunds-and-payments",
    "policy://refunds-and-payments%00",
    "policy://refunds-and-payments/",
    "policy://..%5Crefunds-and-payments",
    "policy://%252e%252e%252frefunds-and-payments",
    "policy://refunds-and-payments\n",
    "policy://policies.json",
    "ticket://../2318",
    "ticket://2318/../2319",
    "ticket://2318/recording/../../2319",
    "ticket://2341/%2e%2e/recording",
    "ticket://2318%0a",
    "ticket:///2318",
    "ticket://\uff12\uff13\uff11\uff18",
    "file:///etc/passwd",
    "file://../../etc/passwd",
    "../2318",
    "",
    "ticket://" + "1" * 5000,
]


def test_no_address_leads_out_of_its_place(server):
    # modelcontextprotocol/servers#1845, modelcontextprotocol/python-sdk#2353
    for uri in ODD_ADDRESSES:
        answer = server.request("resources/read", {"uri": uri})
        rule = f'{RESOURCES}, "Security Considerations": MUST validate all URIs'
        expect_error(server, answer, INVALID_PARAMS, rule)


NO_ADDRESS = [{}, {"uri": 5}, {"uri": ["ticket://2318"]}]


def test_a_read_without_an_address_is_an_error(server):
    for params in NO_ADDRESS:
        answer = server.request("resources/read", params)
        expect_error(server, answer, INVALID_PARAMS, f"uri is a string ({RESOURCES})")


# Prompts


def test_a_prompt_becomes_messages_with_one_block_each(server):
    # What a person may pick says what it needs.
    named = {each["name"]: each for each in items(server, "prompts/list")}
    expect(server, "draft_reply" in named, "the prompt draft_reply", PROMPTS)
    takes = {each["name"]: each for each in named["draft_reply"]["arguments"]}
    good = takes["ticket_id"].get("required") is True and not takes["policy"].get(
        "required", False
    )
    expect(server, good, "ticket_id required, and policy not", PROMPTS)
    given = {"name": "draft_reply", "arguments": {"ticket_id": "2318"}}
    result = expect_result(server, server.request("prompts/get", given), PROMPTS)
    expect(server, result["messages"], "messages", PROMPTS)
    for message in result["messages"]:
        text = 'the role "user" or "assistant"'
        expect(server, message["role"] in ("user", "assistant"), text, PROMPTS)
        rule = f"one block, and no list of them ({PROMPTS})"
        expect(server, isinstance(message["content"], dict), "content, an object", rule)
    said = json.dumps(result["messages"])
    text = "messages that hold the ticket"
    expect(server, "Charged twice for October" in said, text, PROMPTS)


NO_PROMPTS = [
    {"name": "draft_reply"},
    {"name": "draft_reply", "arguments": {}},
    {"name": "draft_reply", "arguments": {"policy": "calendar-sync"}},
    {"name": "draft_reply", "arguments": {"ticket_id": "9999"}},
    {"name": "draft_reply", "arguments": {"ticket_id": "2318", "policy": "none"}},
    {"name": "draft_reply", "arguments": {"ticket_id": "2318", "tone": "kind"}},
    {"name": "draft_reply", "arguments": {"ticket_id": 2318}},
    {"name": "draft_reply", "arguments": ["2318"]},
    {"name": "draft_replies", "arguments": {"ticket_id": "2318"}},
    {"name": "__class__", "arguments": {}},
    {"name": 5},
    {},
]


def test_a_prompt_that_can_not_be_made_is_a_protocol_error(server):
    # No model reads the answer: a person has picked it, and the host must tell them.
    for params in NO_PROMPTS:
        answer = server.request("prompts/get", params)
        expect_error(server, answer, INVALID_PARAMS, f'{PROMPTS}, "Error Handling"')


# Completion


PROMPT = {"type": "ref/prompt", "name": "draft_reply"}
POLICY = {"type": "ref/resource", "uri": "policy://{name}"}


def completed(server, ref: dict, name: str, value: str, **more) -> list[str]:
    params = {"ref": ref, "argument": {"name": name, "value": value}, **more}
    answer = server.request("completion/complete", params)
    found = expect_result(server, answer, COMPLETION)["completion"]
    values = found["values"]
    good = all(isinstance(each, str) for each in values) and len(values) <= 100
    expect(server, good, "at most 100 values, all strings", COMPLETION)
    total = found.get("total", len(values))
    text = "total: how many there are, shown or not"
    expect(server, total >= len(values), text, COMPLETION)
    return values


@pytest.mark.parametrize(
    "ref, name, typed, wanted",
    [
        (PROMPT, "ticket_id", "231", {"2318", "2319"}),
        (PROMPT, "policy", "refunds", {"refunds-and-payments"}),
        (POLICY, "name", "cal", {"calendar-sync"}),
        (POLICY, "name", "", {"refunds-and-payments", "calendar-sync"}),
    ],
)
def test_what_was_typed_is_completed(server, ref, name, typed, wanted):
    values = completed(server, ref, name, typed)
    text = f"values with {', '.join(sorted(wanted))}"
    expect(server, wanted <= set(values), text, COMPLETION)


def test_what_was_chosen_before_ranks_what_is_offered(server):
    # Ticket 2318 was charged twice: its policy stands before the others.
    chosen = {"context": {"arguments": {"ticket_id": "2318"}}}
    values = completed(server, PROMPT, "policy", "", **chosen)
    text = "first the policy that fits the ticket, refunds-and-payments"
    first = values[:1] == ["refunds-and-payments"]
    expect(server, first, text, f"suggestions sorted by relevance ({COMPLETION})")


def test_what_is_offered_is_accepted(server):
    for number in completed(server, PROMPT, "ticket_id", "")[:3]:
        given = {"name": "draft_reply", "arguments": {"ticket_id": number}}
        expect_result(server, server.request("prompts/get", given), COMPLETION)


def test_where_nothing_fits_nothing_is_offered(server):
    values = completed(server, POLICY, "name", "zzz")
    expect(server, values == [], "no values, which is no error", COMPLETION)


NOT_COMPLETED = [
    {},
    {"ref": {"type": "ref/prompt", "name": "nothing"}},
    {"ref": {"type": "ref/resource", "uri": "nothing://{name}"}},
    {"ref": {"type": "ref/tool", "name": "get_ticket"}},
    {"ref": PROMPT, "argument": {"name": "nothing", "value": ""}},
    {"ref": PROMPT, "argument": {"name": "policy", "value": 5}},
    {"ref": PROMPT, "argument": {"name": "policy"}},
    {"ref": PROMPT, "argument": "policy"},
    {"ref": PROMPT, "context": {"arguments": ["2318"]}},
]


def test_what_can_not_be_completed_is_an_error(server):
    for params in NOT_COMPLETED:
        usual = {"argument": {"name": "policy", "value": ""}} if params else {}
        answer = server.request("completion/complete", {**usual, **params})
        rule = f'{COMPLETION}, "Security": MUST validate all inputs'
        expect_error(server, answer, INVALID_PARAMS, rule)


# Blocks


def test_a_picture_is_base64_beside_the_numbers_that_it_draws(server):
    numbers = data(server, "chart_tickets")["days"]
    expect(server, numbers, "days, for whoever can't see the picture", BLOCKS)
    (block,) = blocks(server, "chart_tickets", "image")
    picture = decoded(server, block["data"], BLOCKS)
    good = block["mimeType"] == "image/png" and picture.startswith(b"\x89PNG\r\n")
    expect(server, good, "image/png, and data that is a PNG", BLOCKS)


def test_a_sound_is_base64_beside_what_is_heard(server):
    value = data(server, "get_recording", ticket_id="2341")
    (block,) = blocks(server, "get_recording", "audio", ticket_id="2341")
    sound = decoded(server, block["data"], BLOCKS)
    good = block["mimeType"] == "audio/wav" and sound.startswith(b"RIFF")
    expect(server, good, "audio/wav, and data that is a WAV", BLOCKS)
    (contents,) = read(server, value["uri"])["contents"]
    same = decoded(server, contents["blob"], RESOURCES) == sound
    expect(server, same, "the same sound at its address", RESOURCES)
    expect_tool_error(server, "get_recording", TOOLS, ticket_id="2318")


def test_each_link_leads_somewhere(server):
    for block in blocks(server, "start_draft", "resource_link", ticket_id="2318"):
        expect(server, block.get("name"), "a link with a name", BLOCKS)
        read(server, block["uri"])


@pytest.mark.parametrize("uri", ["policy://refunds-and-payments", "ticket://2318"])
def test_an_embedded_resource_holds_what_reading_it_gives(server, uri):
    (block,) = blocks(server, "read_address", "resource", uri=uri)
    (contents,) = read(server, uri)["contents"]
    text = f"a resource with the uri {uri} and its text"
    same = block["resource"].get("text") == contents["text"]
    expect(server, same and block["resource"].get("uri") == uri, text, BLOCKS)


CARELESS = ["policy://..", "file:///etc/passwd", "ticket://9999"]


def test_a_tool_that_reads_addresses_is_as_careful(server):
    for uri in CARELESS:
        expect_tool_error(server, "read_address", TOOLS, uri=uri)


def test_icons_come_with_a_safe_address(server):
    rule = "icons are https: or data: addresses, and png is understood (basic/index)"
    for method in LISTS:
        for item in items(server, method):
            for icon in item.get("icons", []):
                good = re.match("https://|data:image/", icon["src"])
                expect(server, good, "src with https: or data:", rule)


# Long results


@pytest.mark.parametrize("status", [None, "open", "pending", "closed"])
def test_a_long_result_goes_on_where_it_ended(server, status):
    asked = {"status": status} if status else {}
    numbers: list[str] = []
    for _ in range(MANY):
        value = data(server, "list_tickets", **asked)
        numbers += [each["ticket_id"] for each in value["tickets"]]
        if "continue_with" not in value:
            break
        asked["continue_with"] = value["continue_with"]
    rule = "a model asks for more only when the result says how"
    found = value["found"]
    text = f"as many tickets as found says, {found}, each of them once"
    expect(server, len(set(numbers)) == len(numbers) == found, text, rule)


def test_a_result_is_continued_only_as_it_began(server):
    token = data(server, "list_tickets")["continue_with"]
    rule = f"what does not fit is an error that a model can mend ({TOOLS})"
    for bad in ("", "zzz", "2", token[:-1], cursor(server)):
        expect_tool_error(server, "list_tickets", rule, continue_with=bad)
    changed = {"status": "open", "continue_with": token}
    expect_tool_error(server, "list_tickets", rule, **changed)


# Handles


def test_a_draft_grows_by_its_handle(server):
    draft = data(server, "start_draft", ticket_id="2318")["draft_id"]
    other = data(server, "start_draft", ticket_id="2319")["draft_id"]
    expect(server, draft != other, "another draft_id for each draft", HANDLES)
    data(server, "add_to_draft", draft_id=draft, text="Hello,\n")
    data(server, "add_to_draft", draft_id=other, text="Bonjour,\n")
    data(server, "add_to_draft", draft_id=draft, text="we have looked.")
    value = data(server, "read_draft", draft_id=draft)
    rule = f"the call names the draft, and nothing else does ({HANDLES})"
    good = value["text"] == "Hello,\nwe have looked." and value["ticket_id"] == "2318"
    expect(server, good, "both texts, of this draft alone", rule)


def test_a_lost_handle_is_found_again(server):
    draft = data(server, "start_draft", ticket_id="2318")["draft_id"]
    known = [each["draft_id"] for each in data(server, "list_drafts")["drafts"]]
    expect(server, draft in known, "list_drafts with the draft", HANDLES)


def test_the_model_is_told_how_long_a_draft_lasts(server):
    tools = {each["name"]: each for each in items(server, "tools/list")}
    about = tools["start_draft"].get("description", "")
    text = "a description with a number: how long it lasts"
    rule = f"the retention policy stands in the description ({HANDLES})"
    expect(server, re.search("[0-9]", about), text, rule)


HANDLES_NEVER_GIVEN = [
    "",
    "draft_",
    "draft_1",
    "1",
    "2318",
    "draft_" + "0" * 32,
    "' or 1=1 --",
    "\0",
]


def test_a_handle_that_was_never_given_is_a_tool_error(server):
    for handle in HANDLES_NEVER_GIVEN:
        rule = f"an unknown handle is a tool error that says so ({HANDLES})"
        expect_tool_error(server, "read_draft", rule, draft_id=handle)
        expect_tool_error(server, "add_to_draft", rule, draft_id=handle, text="Hello")


def test_a_handle_in_another_spelling_is_unknown(server):
    draft = data(server, "start_draft", ticket_id="2318")["draft_id"]
    rule = f"an unknown handle is a tool error that says so ({HANDLES})"
    for bad in (draft.upper(), draft[:-1], draft + " ", f" {draft}", f"{draft}\n"):
        expect_tool_error(server, "read_draft", rule, draft_id=bad)


def test_a_draft_outlives_its_connection_and_its_process(server):
    draft = data(server, "start_draft", ticket_id="2318")["draft_id"]
    data(server, "add_to_draft", draft_id=draft, text="Hello")
    other = server.another()
    text = "the draft, on another connection of the same person"
    same = data(other, "read_draft", draft_id=draft)["text"] == "Hello"
    expect(other, same, text, HANDLES)
    server.restart()
    same = data(server, "read_draft", draft_id=draft)["text"] == "Hello"
    expect(server, same, "the draft, after a restart", HANDLES)


def test_another_persons_handle_is_as_unknown_as_any(server):
    ana, ben = server.another(user=ANA), server.another(user=BEN)
    draft = data(ana, "start_draft", ticket_id="2318")["draft_id"]
    rule = f"a handle is a name, and no right: checked on every call ({HANDLES})"
    expect_tool_error(ben, "read_draft", rule, draft_id=draft)
    expect_tool_error(ben, "add_to_draft", rule, draft_id=draft, text="Hello")
    known = [each["draft_id"] for each in data(ben, "list_drafts")["drafts"]]
    expect(ben, draft not in known, "list_drafts without the other's draft", rule)
    value = data(ana, "read_draft", draft_id=draft)
    expect(ana, value["text"] == "", "the draft, unchanged", rule)
    foreign, unknown = (
        call(ben, "read_draft", draft_id=each)["content"][0]["text"].replace(each, "")
        for each in (draft, draft[:-8] + "00000000")
    )
    text = "the same words for another's handle and for one that never was"
    expect(ben, foreign == unknown, text, rule)


def test_another_persons_token_continues_nothing(server):
    ana, ben = server.another(user=ANA), server.another(user=BEN)
    token = data(ana, "list_tickets")["continue_with"]
    data(ana, "list_tickets", continue_with=token)
    rule = "what is given to one person is good for that person"
    expect_tool_error(ben, "list_tickets", rule, continue_with=token)
