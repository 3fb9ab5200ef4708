"""A form at the terminal: who asks, what for, and what will be sent. (lesson 07)"""

import pytest
from host import forms, pages
from host.tests.parts import Typist

REASON = {
    "type": "string",
    "title": "Why",
    "description": "For the books",
    "oneOf": [
        {"const": "duplicate", "title": "Charged twice"},
        {"const": "goodwill", "title": "Goodwill"},
    ],
}
REFUND = {
    "message": "Refund 49.00 USD? It can't be undone.",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "reason": REASON,
            "note": {"type": "string", "maxLength": 5},
            "notify": {"type": "boolean", "default": True},
        },
        "required": ["reason"],
    },
}


def fill(*typed, **properties) -> tuple[dict, str]:
    """The answer, and all that was shown; the refund's form if no other is given."""
    person, params = Typist(*typed), REFUND
    if properties:
        schema = {"type": "object", "properties": properties}
        params = {"message": "?", "requestedSchema": schema}
    return forms.ask_form(params, "desk", person), "\n".join(person.told)


def test_it_says_who_asks_and_shows_each_field_with_its_choices_and_default():
    _, shown = fill()
    assert shown.startswith("\n--- desk asks:\n    Refund 49.00 USD?")
    assert "\nWhy: For the books\n    1) Charged twice (duplicate)\n" in shown
    assert shown.endswith("Why (1-2):")
    _, shown = fill("1", "", "", "s")
    assert "note (optional):" in shown
    assert "notify (y/n, optional) [y]:" in shown


def test_an_empty_line_takes_the_default_or_leaves_an_optional_out():
    answer, _ = fill("1", "", "", "s")
    content = {"reason": "duplicate", "notify": True}
    assert answer == {"action": "accept", "content": content}


def test_skip_leaves_out_what_has_a_default_and_nothing_that_is_required():
    answer, shown = fill("/skip", "", "2", "", "/skip", "s")
    assert answer["content"] == {"reason": "goodwill"}
    assert shown.count("can't be left out") == 2


def test_what_does_not_fit_is_asked_again_with_a_sentence():
    answer, shown = fill("3", "1", "too long", "ok", "maybe", "n", "s")
    content = {"reason": "duplicate", "note": "ok", "notify": False}
    assert answer["content"] == content
    for words in ("a number from 1 to 2", "at most 5 characters", "answer y or n"):
        assert words in shown


def test_nothing_is_sent_before_the_person_has_seen_it_all():
    answer, shown = fill("1", "hé", "n", "", "x", "s")
    review = shown[shown.index("This will be sent to desk:") :]
    assert '"reason": "duplicate"  (Charged twice)' in review
    assert '"note": "hé"' in review
    assert '"notify": false' in review
    assert review.count(forms.REVIEW) == 3  # only s, e, d or c is an answer
    assert answer["action"] == "accept"


def test_edit_asks_all_again_with_what_was_typed_as_default():
    answer, shown = fill("1", "hi", "", "e", "2", "", "n", "s")
    content = {"reason": "goodwill", "note": "hi", "notify": False}
    assert answer["content"] == content
    assert "Why (1-2) [1]:" in shown
    assert "note (optional) [hi]:" in shown
    assert shown.count("This will be sent") == 2


def test_what_was_left_out_stays_out_when_it_is_edited():
    answer, _ = fill("1", "", "/skip", "e", "", "", "", "s")
    assert answer["content"] == {"reason": "duplicate"}


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        (["1", "", "", "d"], "decline"),
        (["1", "", "", "decline"], "decline"),
        (["1", "", "", "c"], "cancel"),
        (["1", "", ""], "cancel"),
        (["/decline"], "decline"),
        (["1", "/cancel"], "cancel"),
        (["1"], "cancel"),
        ([], "cancel"),
    ],
)
def test_one_can_decline_or_cancel_at_any_moment(typed, action):
    assert fill(*typed)[0] == {"action": action}


@pytest.mark.parametrize("typed", ["", " ", "y", "yes", "send it", "1"])
def test_only_send_sends(typed):
    assert fill("1", "", "", typed)[0] == {"action": "cancel"}


def test_a_form_without_fields_asks_for_agreement():
    person = Typist("s")
    params = {
        "message": "Sure?",
        "requestedSchema": {"type": "object", "properties": {}},
    }
    answer = forms.ask_form(params, "desk", person)
    assert answer == {"action": "accept", "content": {}}
    assert "    that you agree, and nothing else" in person.told


def test_a_form_that_is_not_understood_is_told_and_cancelled():
    answer, shown = fill("1", x={"type": "object"})
    assert answer == {"action": "cancel"}
    assert 'can\'t be shown: its field "x" has the type "object"' in shown


def test_several_choices_are_typed_with_commas():
    items = {"type": "string", "enum": ["a", "b", "c"]}
    some = {"type": "array", "items": items, "default": ["a", "c"]}
    answer, shown = fill("", "e", "3, 2", "s", x=some)
    assert answer["content"] == {"x": ["c", "b"]}
    assert "x (numbers, with commas, optional) [1,3]:" in shown
    assert '\n    "x": 2 chosen\n      "c"\n      "b"\n' in shown


def test_of_several_choices_each_is_shown_with_its_title_before_it_is_sent():
    options = [{"const": "a" * 499 + str(n), "title": f"The {n}."} for n in range(9)]
    some = {"type": "array", "items": {"anyOf": options}}
    answer, shown = fill("9,1,2,3,4,5,6,7,8", "s", x=some)
    reviewed = shown.split("This will be sent")[1].split("\n")
    assert len(answer["content"]["x"]) == 9
    for option in options:
        assert f'      "{option["const"]}"  ({option["title"]})' in reviewed


@pytest.mark.parametrize(
    "name",
    ["password", "apiKey", "api_key", "accessToken", "card-number", "CVV", "PIN"],
)
def test_a_form_that_asks_for_a_secret_is_shown_with_a_warning(name):
    _, shown = fill(**{name: {"type": "string"}})
    assert f'Careful: it asks for "{name}"' in shown
    _, shown = fill(x={"type": "string", "title": f"Your {name}"})
    assert "Careful" in shown


@pytest.mark.parametrize("name", ["keyboard", "name", "reason", "spinach", "cardinal"])
def test_other_names_bring_no_warning(name):
    assert "Careful" not in fill(**{name: {"type": "string"}})[1]


# --- pages

URL = "https://pay.example/accounts/0f"


def visit(url: object, *typed) -> tuple[dict, str]:
    person = Typist(*typed)
    params = {"mode": "url", "message": "Enter it there.", "url": url}
    return pages.ask_page(params, "desk", person), "\n".join(person.told)


def test_a_page_is_shown_whole_with_its_host_and_not_opened():
    answer, shown = visit(URL, "y")
    assert answer == {"action": "accept"}
    assert f"\n    {URL}\n" in shown
    assert "host:  pay.example\n" in shown
    assert "Careful" not in shown
    assert shown.endswith("done? [y/n/c]")


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        (["yes"], "accept"),
        (["n"], "decline"),
        ([""], "cancel"),
        (["", "maybe", "no"], "decline"),
        (["ok", "y"], "accept"),
        (["c"], "cancel"),
        ([], "cancel"),
    ],
)
def test_only_a_plain_word_answers_a_page(typed, action):
    assert visit(URL, *typed)[0] == {"action": action}


@pytest.mark.parametrize(
    ("url", "words", "host"),
    [
        ("http://pay.example/", "not https", "pay.example"),
        ("https://xn--py-zka.example/", "xn--", "xn--py-zka.example"),
        ("https://a.XN--p1ai/", "xn--", "a.xn--p1ai"),
        ("https://bank.example@evil.example/", "before the @", "evil.example"),
        ("https://bank.example:443@evil.example/", "before the @", "evil.example"),
    ],
)
def test_what_may_deceive_is_named_and_the_host_is_the_true_one(url, words, host):
    _, shown = visit(url)
    assert f"host:  {host}\n" in shown
    assert f"Careful: {words}" in shown or words in shown.split("Careful: ")[1]


@pytest.mark.parametrize(
    "url",
    [
        None,
        5,
        "",
        "pay.example/x",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https:///x",
        "https://",
        "https://[::1",
        "https://a:99999/",
        "https://a.example/ x",
        "https://a.example/\x1b[2J",
        "https://p\u0430y.example/",
        "https://a.example\\@b.example/",
        "https://evil%2eexample/",
        "https://good.example;evil/",
        "https://a.example/" + "x" * 2000,
    ],
)
def test_other_addresses_are_not_even_shown(url):
    answer, shown = visit(url, "y")
    assert answer == {"action": "cancel"}
    assert "can't be shown" in shown
    assert "done?" not in shown


def test_a_default_that_can_not_be_seen_whole_is_not_offered():
    answer, shown = fill("short", "s", text={"type": "string", "default": "x" * 600})
    assert answer["content"] == {"text": "short"}
    assert "xxx" not in shown


def test_a_choice_that_can_not_be_seen_whole_is_not_understood():
    answer, shown = fill(text={"type": "string", "enum": ["a", "x" * 600]})
    assert answer == {"action": "cancel"}
    assert "over 500 characters" in shown


def test_a_name_that_would_push_its_value_out_of_sight_is_not_understood():
    answer, shown = fill("", "s", **{"n" * 81: {"type": "string", "default": "x"}})
    assert answer == {"action": "cancel"}
    assert "a name of 81 characters, over 80" in shown
    assert fill("", "s", **{"n" * 80: {"type": "string"}})[0]["action"] == "accept"
