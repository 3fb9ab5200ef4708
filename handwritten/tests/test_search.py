"""Searching tickets and policies by words. (lesson 04)"""

import random

import pytest
from handwritten import ranking
from handwritten.helpdesk.policies import policies
from handwritten.helpdesk.tickets import tickets
from handwritten.ranking import rank, words
from handwritten.tests.talk import ask, connect


def call(name: str, **arguments) -> dict:
    params = {"name": name, "arguments": arguments}
    return ask(connect(), "tools/call", params)["result"]


def test_words_are_lower_case_and_names_are_taken_apart():
    assert words("Get_Ticket: Größe №2, ticket's") == [
        "get",
        "ticket",
        "größe",
        "2",
        "ticket",
        "s",
    ]


def test_the_ranking_is_that_of_a_library():
    bm25s = pytest.importorskip("bm25s")
    texts = [f"{each['title']} {each['text']}" for each in policies()]
    library = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    library.index([words(text) for text in texts], show_progress=False)
    chance = random.Random(4)
    known = sorted({word for text in texts for word in words(text)})
    for _ in range(200):
        query = sorted(set(chance.choices(known, k=chance.randint(1, 6))))
        scores = library.get_scores(query)
        found = rank(" ".join(query), texts)
        assert len(found) == sum(score > 0 for score in scores)
        for score, position in found:
            # The library leaves out the constant k1 + 1, which changes no order.
            assert score / 2.5 == pytest.approx(scores[position], rel=1e-4)


def test_texts_without_a_word_of_the_query_are_left_out():
    assert rank("refund", ["a refund", "money back", ""]) == rank(
        "Refund", ["a refund", "money back", ""]
    )
    assert [position for _, position in rank("refund", ["x", "a refund"])] == [1]
    assert rank("", ["a"]) == rank("a", []) == []


def test_a_query_is_taken_apart_once_however_many_texts_there_are(monkeypatch):
    # A peer may send one of 16 MB, and others wait as long as that takes.
    seen = []
    monkeypatch.setattr(ranking, "words", lambda text: seen.append(text) or [text])
    rank("query", ["a", "b", "c"])
    assert seen.count("query") == 1


def test_equals_keep_their_order():
    assert [position for _, position in rank("a", ["a b", "a c", "a d"])] == [0, 1, 2]


@pytest.mark.parametrize(
    ("subject", "uri"),
    [
        ("Charged twice for October", "policy://refunds-and-payments"),
        ("Class schedule not syncing to calendar", "policy://calendar-sync"),
    ],
)
def test_a_subject_finds_its_policy_first(subject, uri):
    best, *others = call("search_policies", query=subject)["structuredContent"][
        "policies"
    ]
    assert best["uri"] == uri
    assert all(other["score"] <= best["score"] for other in others)


def test_policies_keep_the_limit():
    for limit in (1, 2, 5, 2.0):
        found = call("search_policies", query="the a ticket", limit=limit)
        assert len(found["structuredContent"]["policies"]) <= limit
    assert (
        len(call("search_policies", query="the")["structuredContent"]["policies"]) == 3
    )


def test_tickets_keep_the_limit_and_say_how_many_there_are():
    found = call("search_tickets", query="the")["structuredContent"]
    assert len(found["tickets"]) == 10
    assert found["found"] > 10
    found = call("search_tickets", query="the", limit=50)["structuredContent"]
    assert len(found["tickets"]) == min(50, found["found"])


def test_a_ticket_is_found_by_its_subject():
    for number in ("2318", "2319", "2320"):
        query = tickets()[number]["subject"]
        found = call("search_tickets", query=query)["structuredContent"]["tickets"]
        assert found[0]["ticket_id"] == number


@pytest.mark.parametrize("name", ["search_tickets", "search_policies"])
@pytest.mark.parametrize("limit", [0, -1, 51, 10**30, 1.5, "3", True, None])
def test_a_limit_out_of_range_is_a_tool_error_that_names_the_range(name, limit):
    result = call(name, query="the", limit=limit)
    assert result["isError"] is True
    assert '"limit" must be' in result["content"][0]["text"]


@pytest.mark.parametrize("name", ["search_tickets", "search_policies"])
@pytest.mark.parametrize("query", ["xyzzy", "", "!?", "\x1b[2J", "\ud83d"])
def test_a_query_that_finds_nothing_is_a_tool_error_that_says_what_to_try(name, query):
    result = call(name, query=query)
    assert result["isError"] is True
    assert "Try other words, for example" in result["content"][0]["text"]


def test_there_are_ten_policies_with_addresses_of_their_own():
    uris = [policy["uri"] for policy in policies()]
    assert len(set(uris)) == len(uris) == 10
    assert all(uri.startswith("policy://") for uri in uris)
