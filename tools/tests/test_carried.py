"""What a client carries from an answer into a later line counts by its place only."""

import json

import pytest

from tools import transcript
from tools.transcript import Entry, Transcript, compare
from tools.transcript.carried import labelled, refreshed, tokens

ONE, TWO = "Xy7" + "a" * 40 + "==", "Zz9" + "b" * 50  # as two servers would make them
UNUSED = "Qq5" + "c" * 30


def server(**result) -> Entry:
    message = {"jsonrpc": "2.0", "id": 1, "result": result}
    return Entry(0.0, "server", json.dumps(message).encode())


def client(*params) -> Entry:
    return Entry(0.0, "client", json.dumps(params).encode())


def made(*entries: Entry) -> Transcript:
    return Transcript({"transcript": 1, "recorded": "2026-11-30"}, list(entries), 0)


def walk(cursor: str, unused: str = UNUSED) -> Transcript:
    """A client that uses one of two tokens, which the server then logs."""
    log = Entry(0.0, "log", f"page {cursor}".encode())
    given = server(nextCursor=cursor, other=unused)
    return made(client("list"), given, client("list", cursor), log, server(at=cursor))


def test_another_value_of_what_was_carried_is_no_difference():
    assert compare(walk(ONE), walk(TWO)) == []


def test_a_token_that_was_never_sent_back_differs():
    found = compare(walk(ONE), walk(ONE, UNUSED + "d"))
    assert len(found) == 1 and "(/result/other)" in found[0]


def test_another_token_in_its_place_differs():
    """The client must carry the same one of two."""
    one = made(server(a=ONE, b=TWO), client(ONE))
    other = made(server(a=ONE, b=TWO), client(TWO))
    (found,) = compare(one, other)
    assert "(/result/a)" in found


def test_the_same_token_twice_is_not_two_tokens():
    one = made(server(a=ONE), client(ONE), server(b=ONE), client(ONE))
    other = made(server(a=ONE), client(ONE), server(b=TWO), client(TWO))
    assert compare(one, other) != []


def test_a_token_of_the_client_that_no_server_gave_differs():
    assert compare(made(client(ONE)), made(client(TWO))) != []
    # Given only afterwards, it was not carried.
    assert (
        compare(made(client(ONE), server(a=ONE)), made(client(TWO), server(a=TWO)))
        != []
    )


def test_inside_a_longer_text_and_from_json_in_a_text_it_is_carried_too():
    def changed(token):
        content = [{"type": "text", "text": json.dumps({"handle": token})}]
        return made(server(content=content), client(f"{token}x"))

    assert compare(changed(ONE), changed(TWO)) == []
    assert compare(changed(ONE), made(*changed(ONE).entries[:1], client(ONE))) != []


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (ONE, True),
        ("0123456789abcdef" * 2, True),
        ("Short" * 3, False),
        ("search_resolved_tickets", False),
        ("ticket://2318/recording/of/A", False),
        ("Two words that are long enough", False),
    ],
)
def test_what_looks_like_a_token(text, is_one):
    assert bool(list(tokens(server(x=text).line))) is is_one


def test_labels_count_by_the_clients_first_use_and_the_longest_comes_first():
    longer = ONE + "A"
    entries = [server(a=ONE, b=longer), client(longer), client(ONE)]
    lines = [each.line for each in labelled(entries)]
    assert json.loads(lines[1]) == ["<carried 1>"]
    assert json.loads(lines[2]) == ["<carried 2>"]
    assert json.loads(lines[0])["result"] == {"a": "<carried 2>", "b": "<carried 1>"}


def test_a_file_stays_when_only_carried_values_change(tmp_path):
    path = tmp_path / "a.jsonl"
    assert transcript.write(path, walk(ONE)) is True
    before = path.read_bytes()
    assert transcript.write(path, walk(TWO)) is False
    assert path.read_bytes() == before
    assert transcript.write(path, walk(TWO, UNUSED + "d")) is True


def test_a_replayed_line_gets_the_fresh_value_of_the_same_place():
    old = [server(a=ONE, b=["x", UNUSED]).line]
    new = [server(a=TWO, b=["x", "8"]).line]
    assert refreshed(client(f"{ONE}x", UNUSED).line, old, new) == (
        client(f"{TWO}x", "8").line
    )


def test_a_replayed_line_keeps_what_the_fresh_server_did_not_give():
    line = client(ONE, "\udc80").line
    for new in ([], [b"not JSON"], [server(b=TWO).line], [server(a=3).line]):
        assert refreshed(line, [server(a=ONE).line], new) == line
    assert refreshed(b"\xff\x00", [server(a=ONE).line], [b"{}"]) == b"\xff\x00"


def test_an_answer_as_deep_as_it_likes_is_looked_through_so_far():
    deep = b'{"a":' + b"[" * 900 + b'"' + ONE.encode() + b'"' + b"]" * 900 + b"}"
    entries = [Entry(0, "server", deep), client(ONE)]
    assert labelled(entries) == entries
