"""Two searches over the wire: what a server with them does, whatever it is made of.

How well a search ranks is the server's own affair; what it promises is not: the limits
hold, the rows are true, the count is honest, and a call that makes no sense is told so.
Parsed values and `isError` are compared, never the wording of a text.
"""

import json
from itertools import pairwise
from typing import NamedTuple

import pytest
from lessons.wire import META, expect, expect_result

TOOLS = "server/tools"
BASIC = "basic/index"
ARGUMENTS = f'{TOOLS}, "Error Handling": input validation errors'
MODEL = f'{TOOLS}, "Error Handling": actionable feedback for the model'
STRUCTURED = f'{TOOLS}, "Structured Content"'
PROMISED = f"structured results conform to the outputSchema ({TOOLS})"
FIELDS = {"ticket_id", "subject", "status", "customer_id"}
TEXTS = {"uri", "title", "excerpt"}


class Search(NamedTuple):
    """One of the two tools, and what is known of it and of the helpdesk's data."""

    tool: str
    rows: str  # the name of its list in structuredContent
    most: int  # rows that can be asked for
    default: int  # rows where no limit is given
    query: str  # a word that more texts have than rows are given by default
    exact: str  # words of one text …
    identity: tuple[str, str]  # … and how its row is known


TICKET_2318 = ("ticket_id", "2318")
REFUNDS = ("uri", "policy://refunds-and-payments")
TWICE = "Charged twice for October"
TICKETS = Search("search_tickets", "tickets", 50, 10, "class", TWICE, TICKET_2318)
POLICIES = Search("search_policies", "policies", 5, 3, "studio", TWICE, REFUNDS)
SEARCHES = [TICKETS, POLICIES]
BAD_LIMITS = [
    pytest.param(search, limit, id=f"{search.tool}-{json.dumps(limit)}")
    for search in SEARCHES
    for limit in (0, -1, search.most + 1, 1000, True, "3", 2.5, None)
]
HOSTILE = [
    "".join(map(chr, range(32))) + "\x7f\x85\u2028\u202e",
    "x" * 100_000,
    "class " * 20_000,
    "__class__",
    "' OR 1=1 --",
    "%s {0.__class__} ${x} \\",
    '"class',
    "(class AND",
    "class*^~:NEAR",
]
each_search = pytest.mark.parametrize("search", SEARCHES, ids=lambda each: each.tool)


def call(server, search: Search, **arguments) -> dict:
    params = {"name": search.tool, "arguments": arguments}
    return server.request("tools/call", params)


def answer(server, search: Search, **arguments) -> dict:
    """The data of a search that finds something."""
    result = expect_result(server, call(server, search, **arguments), TOOLS)
    expect(server, result.get("isError", False) is False, "no isError", TOOLS)
    data = result.get("structuredContent", {})
    rows = data.get(search.rows)
    good = isinstance(rows, list) and all(isinstance(each, dict) for each in rows)
    text = f"structuredContent with {search.rows}, a list of objects"
    expect(server, good and rows, f"{text}, not empty", PROMISED)
    return data


def found(server, search: Search, **arguments) -> list[dict]:
    """The rows of a search that finds something."""
    return answer(server, search, **arguments)[search.rows]


def expect_tool_error(server, response: dict, rule: str) -> None:
    """The response is a result with isError and a text, and no data."""
    result = expect_result(server, response, rule)
    expect(server, result.get("isError") is True, "isError true", rule)
    texts = [each["text"] for each in result["content"] if each["type"] == "text"]
    good = any(text.strip() for text in texts)
    expect(server, good, "a text that says what would be right", MODEL)
    rule = f"a failed call has no data that fits the outputSchema ({TOOLS})"
    expect(server, "structuredContent" not in result, "no structuredContent", rule)


def expect_still_serving(server) -> None:
    """The server answers the next search as if nothing had happened."""
    found(server, TICKETS, query=TICKETS.exact)


def definition(server, search: Search) -> dict:
    """The tool's definition; the helpdesk's fit on one page."""
    result = expect_result(server, server.request("tools/list"), TOOLS)
    named = [each for each in result["tools"] if each["name"] == search.tool]
    expect(server, len(named) == 1, f"{search.tool} in the list, once", TOOLS)
    return named[0]


@each_search
def test_a_search_is_listed_with_a_query_and_a_bounded_limit(server, search):
    tool = definition(server, search)
    rule = f"what a model knows is name, description and inputSchema ({TOOLS})"
    expect(server, tool.get("description"), "a description for the model", rule)
    schema = tool["inputSchema"]
    query, limit = (schema["properties"][name] for name in ("query", "limit"))
    expect(server, query["type"] == "string", "query, a string", rule)
    expect(server, schema["required"] == ["query"], "only query is required", rule)
    expect(server, limit["type"] == "integer", "limit, an integer", rule)
    bounds = limit.get("minimum"), limit.get("maximum")
    text = f"a limit with minimum 1 and maximum {search.most}"
    expect(server, bounds == (1, search.most), text, rule)


@each_search
def test_a_search_promises_its_rows_in_an_output_schema(server, search):
    schema = definition(server, search).get("outputSchema", {})
    promised = set(schema.get("required", ()))
    wanted = {"tickets", "found"} if search is TICKETS else {"policies"}
    text = f"an outputSchema that requires {', '.join(sorted(wanted))}"
    expect(server, promised >= wanted, text, f'{TOOLS}, "Output Schema"')


@each_search
def test_a_search_finds_the_text_that_has_the_words(server, search):
    name, value = search.identity
    rows = found(server, search, query=search.exact)
    seen = [row.get(name) for row in rows]
    expect(server, value in seen, f"a row with the {name} {value}", PROMISED)


@each_search
def test_the_text_of_a_search_says_the_same_as_its_data(server, search):
    # The SHOULD of the page; hosts differ in which of the two a model is shown.
    response = call(server, search, query=search.exact)
    result = expect_result(server, response, STRUCTURED)
    texts = [each["text"] for each in result["content"] if each["type"] == "text"]
    expected = "a text: the JSON of structuredContent"
    try:
        said = json.loads(texts[0])
    except (IndexError, ValueError):  # no text, or one that is no JSON
        raise server.failure(expected, STRUCTURED) from None
    same = said == result.get("structuredContent")
    expect(server, same, expected, STRUCTURED)


@each_search
def test_a_search_gives_as_many_rows_as_it_is_asked_for_and_no_more(server, search):
    rule = f"maximum is the schema's promise of what a limit does ({TOOLS})"
    rows = found(server, search, query=search.query, limit=search.most)
    enough = len(rows) > search.default
    text = f"more than {search.default} rows for {search.query!r}, as in the story"
    expect(server, enough and len(rows) <= search.most, text, rule)
    for limit in (1, search.default, None):
        given = {} if limit is None else {"limit": limit}
        some = found(server, search, query=search.query, **given)
        count = search.default if limit is None else limit
        text = f"the first {count} of the rows that the limit {search.most} gives"
        expect(server, some == rows[:count], text, rule)


def test_a_count_of_what_fits_does_not_depend_on_the_limit(server):
    counts = []
    for limit in (1, 10, 50):
        data = answer(server, TICKETS, query=TICKETS.query, limit=limit)
        count, rows = data.get("found"), data["tickets"]
        good = type(count) is int and count >= len(rows)
        expect(server, good, "found, an integer, at least the rows given", PROMISED)
        counts.append(count)
    expect(server, len(set(counts)) == 1, f"found {counts[0]} each time", PROMISED)


@each_search
def test_no_row_is_given_twice(server, search):
    name = search.identity[0]
    rows = found(server, search, query=search.query, limit=search.most)
    once = len({row[name] for row in rows}) == len(rows)
    expect(server, once, f"each {name} once", PROMISED)


def test_each_ticket_found_is_what_get_ticket_gives_for_its_number(server):
    for row in found(server, TICKETS, query=TICKETS.query, limit=50):
        expect(server, row.keys() == FIELDS, "four fields, get_ticket's", PROMISED)
        params = {"name": "get_ticket", "arguments": {"ticket_id": row["ticket_id"]}}
        result = expect_result(server, server.request("tools/call", params), TOOLS)
        ticket = result.get("structuredContent", {})
        same = {name: ticket.get(name) for name in FIELDS} == row
        text = f"the row that the search gave: {json.dumps(row, ensure_ascii=False)}"
        expect(server, same, text, "two tools tell the same of one ticket")


def test_each_policy_found_has_an_address_a_title_a_score_and_an_excerpt(server):
    for row in found(server, POLICIES, query=POLICIES.query, limit=5):
        good = all(isinstance(row.get(name), str) and row[name] for name in TEXTS)
        expect(server, good, "uri, title and excerpt, strings", PROMISED)
        expect(server, type(row["score"]) in (int, float), "score, a number", PROMISED)
        address = row["uri"].removeprefix("policy://")
        good = address and address != row["uri"]
        expect(server, good, "a uri policy://…", PROMISED)


@pytest.mark.parametrize("query", [POLICIES.query, POLICIES.exact, "the price"])
def test_the_scores_never_rise_from_row_to_row(server, query):
    rows = found(server, POLICIES, query=query, limit=5)
    falling = all(one["score"] >= other["score"] for one, other in pairwise(rows))
    expect(server, falling, "the best score first", "the order is the tool's promise")


@pytest.mark.parametrize("search, limit", BAD_LIMITS)
def test_a_limit_out_of_bounds_or_of_another_type_is_an_error(server, search, limit):
    # lmstudio-ai/lmstudio-bug-tracker#1626: and the string "3" is not made a number
    response = call(server, search, query=search.query, limit=limit)
    expect_tool_error(server, response, ARGUMENTS)


@each_search
def test_a_limit_of_2_0_is_an_integer(server, search):
    rows = found(server, search, query=search.query, limit=2.0)
    rule = f"2.0 is an integer in JSON Schema, the language of inputSchema ({BASIC})"
    expect(server, len(rows) == 2, "two rows", rule)


@each_search
@pytest.mark.parametrize("query", ["", "   ", "?!", "xyzzy"], ids=json.dumps)
def test_a_query_that_finds_nothing_is_a_tool_error_with_a_text(server, search, query):
    expect_tool_error(server, call(server, search, query=query), MODEL)


@each_search
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"limit": 3},
        {"query": None},
        {"query": 2318},
        {"query": ["class"]},
        {"query": "class", "page": 2},
        {"query": "class", "Limit": 2},
        {"query": "class", "self": 1},
    ],
    ids=json.dumps,
)
def test_arguments_that_break_the_schema_are_a_tool_error(server, search, arguments):
    expect_tool_error(server, call(server, search, **arguments), ARGUMENTS)


@each_search
def test_the_same_search_gives_the_same_answer_whatever_came_between(server, search):
    before = answer(server, search, query=search.query)
    call(server, search, query=search.query, limit=1)
    call(server, search, query="xyzzy")
    call(server, TICKETS, query=POLICIES.exact)
    after = answer(server, search, query=search.query)
    rule = f"requests do not depend on earlier ones ({BASIC})"
    expect(server, after == before, "the same answer as before", rule)


@each_search
def test_a_hostile_query_is_words_and_nothing_more(server, search):
    rule = f"servers MUST validate all tool inputs ({TOOLS})"
    for query in HOSTILE:
        expect_result(server, call(server, search, query=query), rule)
    expect_still_serving(server)


@each_search
@pytest.mark.parametrize("word", ["class", "xyzzy"])
def test_half_of_a_surrogate_pair_does_not_end_the_server(server, search, word):
    # JSON's grammar allows the escape, and no UTF-8 can hold what it stands for. To
    # search for it and to refuse the line are both right; to fall over is not.
    server.unchecked = "a text that quotes the query holds the same escape"
    params = {"name": search.tool, "arguments": {"query": f"{word} \ud83d"}}
    message = {"jsonrpc": "2.0", "id": "half", "method": "tools/call"}
    server.line(json.dumps({**message, "params": {**params, "_meta": META}}))
    response = server.receive()
    rule = f"a request gets one response ({BASIC})"
    expect(server, ("result" in response) ^ ("error" in response), "a response", rule)
    good = response.get("error", {}).get("code") != -32603
    expect(server, good, "no internal error", rule)
    expect_still_serving(server)


@each_search
def test_a_query_of_a_million_bytes_is_answered_and_not_repeated(server, search):
    words = "reimbursement " * 71_429
    response = call(server, search, query=words)
    result = expect_result(server, response, f"a request gets a response ({BASIC})")
    short = len(json.dumps(result)) < 100_000
    expect(server, short, "an answer that does not repeat the whole query", MODEL)
    expect_still_serving(server)
