"""Tokens that a client carries and can't change. (lesson 06)"""

import pytest
from handwritten.seal import seal, unseal
from hypothesis import given, settings
from hypothesis import strategies as some

KEY, OTHER = b"k" * 32, b"o" * 32
PURPOSE = ["tools/list", "local"]


@settings(deadline=None)
@given(some.text(some.characters(codec="utf-8")))
def test_what_is_sealed_comes_back(value):
    assert unseal(KEY, PURPOSE, seal(KEY, PURPOSE, value)) == value


@pytest.mark.parametrize(
    ("key", "purpose"),
    [
        (OTHER, PURPOSE),
        (KEY, ["tools/list", "other"]),
        (KEY, ["prompts/list", "local"]),
        (KEY, ["tools/list"]),
        (KEY, ["tools/listlocal", ""]),
    ],
)
def test_another_key_or_purpose_opens_nothing(key, purpose):
    assert unseal(key, purpose, seal(KEY, PURPOSE, "get_ticket")) is None


def test_a_token_with_any_character_changed_left_out_or_added_is_refused():
    token = seal(KEY, PURPOSE, "get_ticket")
    for place in range(len(token)):
        for char in "AQgwz9_-=. \n.é\ud83d":
            if char != token[place]:
                changed = token[:place] + char + token[place + 1 :]
                assert unseal(KEY, PURPOSE, changed) is None
            assert unseal(KEY, PURPOSE, token[:place] + char + token[place:]) is None
        assert unseal(KEY, PURPOSE, token[:place]) is None
        assert unseal(KEY, PURPOSE, token[place + 1 :]) is None


@settings(deadline=None)
@given(some.text())
def test_no_text_but_a_token_of_ours_is_one(text):
    assert unseal(KEY, PURPOSE, text) is None


def test_the_key_does_not_show():
    assert seal(KEY, PURPOSE, "") != seal(OTHER, PURPOSE, "")
    assert "kkk" not in seal(KEY, PURPOSE, "x")
