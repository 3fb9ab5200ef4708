"""Values of earlier answers in a line: which are found, and what is refused."""

import json

import pytest

from lessons import manifest
from tools import earlier

RESULT = {
    "nextCursor": 'a"b\\ü',
    "structuredContent": {"draft_id": "d1", "parts": [{"n": 7}, {"n": None}]},
    "total": 63,
    "more": True,
}
SAID = [
    json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"nextCursor": "older"}}).encode(),
    json.dumps({"jsonrpc": "2.0", "id": 1, "result": RESULT}).encode(),
    b'{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":""}}',
    b'{"jsonrpc":"2.0","id":true,"result":{"a":1}}',
    b"not JSON",
]


def filled(text: str) -> str:
    return earlier.fill(text.encode(), SAID).decode()


def test_a_value_comes_from_the_newest_answer_with_that_id_and_fits_into_json():
    assert json.loads(filled('"{{1.nextCursor}}"')) == RESULT["nextCursor"]


def test_dots_and_numbers_go_deeper_and_what_is_around_stays():
    path = "{{1.structuredContent.draft_id}}x {{1.structuredContent.parts.0.n}}"
    assert filled(path) == "d1x 7"
    assert filled('{"n":{{1.total}},"m":{{1.more}}}') == '{"n":63,"m":true}'


def test_a_line_without_a_place_is_left_as_it_is():
    line = b'\xff{"a":{"b":{}}} {{'
    assert earlier.fill(line, SAID) == line


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("{{3.x}}", "{{3.x}}: the answer to request 3 did not come"),
        ("{{2.x}}", "{{2.x}}: the answer to request 2 has no result"),
        ("{{1.cursor}}", "{{1.cursor}}: there is no 'cursor' in that answer"),
        ("{{1.structuredContent.parts.2.n}}", "there is no '2' in that answer"),
        ("{{1.structuredContent}}", "that is no text and no number"),
        ("{{1.structuredContent.parts.1.n}}", "that is no text and no number"),
        ("{{1}}", "a value of an earlier answer is"),
        ("{{x.y}}", "a value of an earlier answer is"),
    ],
)
def test_what_is_not_there_is_a_sentence(place, says):
    with pytest.raises(ValueError) as caught:
        filled(place)
    assert says in str(caught.value)


def made(*steps, **more):
    return manifest.session(7, {"name": "a", "title": "A", "steps": steps, **more})


def test_a_manifest_is_refused_where_a_place_names_no_answer():
    params = '{"cursor":"{{nextCursor}}"}'
    with pytest.raises(ValueError, match=r"\{\{nextCursor\}\}: a value"):
        made({"request": "tools/list", "params": params})


def test_ids_go_on_counting_over_a_restart_and_a_person_stays():
    steps = made(
        {"request": "a"},
        {"request": "b", "restart": True, "user": "ben"},
        {"restart": True, "kill": True},
        {"request": "c"},
        {"restart": True, "user": ""},
        user="ana",
    ).steps
    assert [each.restart for each in steps] == [None, "ben", "ben", None, ""]
    assert [each.kill for each in steps] == [False, False, True, False, False]
    assert [each.data for each in steps][2::2] == [b"", b""]
    assert [json.loads(each.data)["id"] for each in steps if each.data] == [1, 2, 3]


@pytest.mark.parametrize(
    "step",
    [
        {"request": "a", "user": "ben"},
        {"request": "a", "kill": True},
        {"restart": True, "user": 3},
        {"restart": True, "user": "a\n"},
    ],
)
def test_a_restart_that_is_none_is_refused(step):
    with pytest.raises(ValueError, match=r"restart = true|is no name"):
        made(step)
