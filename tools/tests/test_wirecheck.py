"""The checker finds each broken rule, and nothing in good sessions of both eras."""

import copy
import subprocess
import sys

import pytest
from hypothesis import assume, given, settings, strategies

from tools import transcript, wirecheck
from tools.wirecheck import schemas as wire_schemas
from tools.tests.wire_messages import (
    DISCOVER,
    DISCOVERED,
    LEGACY,
    RESULTS,
    TEXT,
    TOOL,
    agrees,
    asks,
    client,
    fails,
    gives,
    initialize,
    lines,
    notifies,
)
from tools.tests.wire_sessions import ADVICE, BAD, GOOD, call
from tools.transcript import Entry, Transcript
from tools.wirecheck import check


def found(*session, level="must"):
    return [each for each in check(lines(*session)) if each.level == level]


@pytest.mark.parametrize("method", RESULTS)
def test_a_good_exchange_gives_nothing(method):
    assert check(lines(asks(method), gives(RESULTS[method]))) == []


@pytest.mark.parametrize("revision", LEGACY)
def test_a_good_legacy_session_gives_nothing_and_a_modern_request_fits_in(revision):
    session = lines(
        initialize(revision),
        agrees(revision),
        notifies("notifications/initialized"),
        client("ping", 1, meta=None),
        gives({}, 1),
        client("tools/list", 2, meta=None),
        gives({"tools": [TOOL]}, 2),
        client("tools/list", 3, meta=None),
        asks("tools/list", 4),
        gives(RESULTS["tools/list"], 4),
        gives({"tools": []}, 3),
        client("tools/call", 5, meta=None, name="get_ticket"),
        gives({"content": [TEXT]}, 5),
        client("server/discover", 6, meta=None),
        fails(-32601, 6),
        client("resources/read", 7, meta=None, uri="a:b"),
        fails(-32002, 7),
        ("server", {"jsonrpc": "2.0", "id": "s1", "method": "ping"}),
        ("client", {"jsonrpc": "2.0", "id": "s1", "result": {}}),
    )
    assert check(session) == []


def test_requests_sent_before_the_handshake_is_answered_are_legacy_too():
    session = (
        initialize("2025-06-18"),
        client("ping", 1, meta=None),
        agrees("2025-06-18"),
        gives({}, 1),
    )
    assert found(*session) == []


@pytest.mark.parametrize("session", GOOD)
def test_a_mistake_with_the_right_answer_gives_nothing(session):
    assert check(lines(*session)) == []


@pytest.mark.parametrize(("rule", "session"), BAD)
def test_a_broken_rule_is_found_under_its_page(rule, session):
    assert rule in [each.rule for each in found(*session)]


@pytest.mark.parametrize(("rule", "session"), ADVICE)
def test_advice_is_given_as_advice(rule, session):
    assert found(*session) == []
    assert [each.rule for each in found(*session, level="should")] == [rule]


def places(value, path=()):
    """The paths of all members, but not of those that anyone may fill freely."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if key == "_meta":
            continue
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


PLACES = [(name, path) for name in RESULTS for path in places(RESULTS[name])]
OTHERS: tuple[object, ...] = (None, True, -1, 1.5, "nothing such", [], {}, [None])


def changed(method, path, change):
    result = copy.deepcopy(RESULTS[method])
    holder = result
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return found(asks(method), gives(result))


@pytest.mark.parametrize(
    ("method", "path"), [each for each in PLACES if isinstance(each[1][-1], str)]
)
def test_a_required_member_that_is_missing_is_found(method, path):
    assert changed(method, path, lambda holder, key: holder.pop(key))


@settings(deadline=None, max_examples=200)
@given(strategies.sampled_from(PLACES), strategies.sampled_from(OTHERS))
def test_a_required_member_of_another_type_is_found(place, other):
    method, path = place
    holder = RESULTS[method]
    for key in path:
        holder = holder[key]
    assume(type(other) is not type(holder))
    assert changed(method, path, lambda holder, key: holder.__setitem__(key, other))


def test_a_finding_says_where_what_and_what_would_be_right():
    [finding] = found(asks("tools/list"), gives(RESULTS["tools/list"] | {"ttlMs": -1}))
    assert (finding.number, finding.dir) == (2, "server")
    assert finding.rule == "server/utilities/caching#time-to-live-ttl-field"
    assert finding.text == (
        "result.ttlMs is -1: an integer of 0 or more is right (milliseconds)"
    )


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        (1, "id 1 was answered before"),
        ("1", "has the type string, the request's integer"),
        (9, "id 9 was never asked for"),
    ],
)
def test_an_answer_to_nothing_says_why_it_is_one(identifier, words):
    session = [DISCOVER, DISCOVERED] if identifier == 1 else [DISCOVER]
    answer = gives(RESULTS["server/discover"], identifier)
    texts = [each.text for each in found(*session, answer)]
    assert any(words in text for text in texts)


def test_an_unknown_content_type_is_told_which_ones_exist():
    [finding] = found(*call(content=[{"type": "video"}]))
    assert "result.content[0]" in finding.text
    assert "'audio', 'image', 'resource', 'resource_link', 'text'" in finding.text


@settings(deadline=None, max_examples=200)
@given(
    strategies.lists(
        strategies.tuples(
            strategies.sampled_from(["client", "server"]),
            strategies.one_of(
                strategies.binary(max_size=30),
                strategies.sampled_from(
                    [line for each in GOOD for line in lines(*each)]
                ).map(lambda entry: entry[1][:200_000]),
            ),
        ),
        max_size=8,
    )
)
def test_no_line_whatsoever_raises(session):
    for finding in check(session):
        assert finding.rule
        assert finding.text.isprintable()


def recording(path, session):
    entries = [Entry(0.0, "log", b"started")]
    entries += [Entry(1.0, way, line) for way, line in lines(*session)]
    header = {
        "transcript": 1,
        "lesson": 1,
        "session": path.stem,
        "command": ["python", "-m", "handwritten"],
        "revision": "2026-07-28",
        "recorder": "tools.record",
        "recorded": "2026-11-30",
        "volatile": [],
    }
    transcript.write(path, Transcript(header, entries, 0))
    return str(path)


def test_the_command_names_file_and_line_and_ends_with_1(tmp_path, capsys):
    path = recording(tmp_path / "bad.jsonl", [DISCOVER, gives({})])
    assert wirecheck.main([path]) == 1
    output = capsys.readouterr().out
    assert f"{path}:4: error: server: result.resultType is missing" in output
    assert "[basic/index#resulttype]" in output


def test_the_command_prints_advice_as_a_note_and_ends_with_0(tmp_path, capsys):
    path = recording(tmp_path / "note.jsonl", call(_meta={}))
    assert wirecheck.main([path]) == 0
    assert f"{path}:4: note: server: result._meta has no" in capsys.readouterr().out


def test_a_file_that_is_no_recording_is_one_sentence(tmp_path, capsys):
    assert wirecheck.main([str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_missing_packages_are_one_sentence_naming_make_setup():
    program = (
        "import sys; sys.modules['mcp_types'] = None; "
        "from tools.wirecheck import main; sys.exit(main(['x.jsonl']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        encoding="utf-8",
        cwd=wire_schemas.__file__.rpartition("tools")[0],
    )
    assert done.returncode == 2
    assert "`make setup`" in done.stderr
    assert done.stderr.count("\n") == 1
