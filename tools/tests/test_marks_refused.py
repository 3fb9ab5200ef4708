"""Marks that are none, and marks in places where they can't be meant."""

import re

import pytest

from tools.stages.marks import LAST, MarkError, project, read
from tools.stages.contents import CODE, files
from lessons.manifest import ROOT

HEAD = '"""A file. (lesson 01)"""\n\n'


def refused(text: str, row: int, words: str) -> None:
    """`row` counts from the first line below the docstring."""
    with pytest.raises(MarkError) as caught:
        project(HEAD + text, 1, "handwritten/a.py")
    assert re.match(rf"handwritten/a\.py:{row + 2}: .*{words}", str(caught.value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "comment",
    [
        "# Lesson 7",
        "#lesson-07",
        "# lesson-7",
        "# lesson 07",
        "# lesson-07 because it is needed",
        "# lesson-007",
        "#  lesson-07",
        "# LESSON-07",
        "# lesson_07",
        "# lesson-07.",
        "# a reason  # lesson-07",
    ],
)
def test_what_looks_like_a_mark_and_is_none_is_refused(comment):
    refused(f"a = 1\nb = 2  {comment}\n", 2, "is no mark")
    refused(f"{comment}\na = 1\n", 1, "is no mark")


@pytest.mark.parametrize(
    "comment", ["# a lesson", "# see lesson 07", "# lessons learned"]
)
def test_a_comment_may_speak_of_lessons(comment):
    source = f"{HEAD}a = 1  {comment}\n"
    assert project(source, 1, "host/a.py") == source


@pytest.mark.parametrize("digits", ["00", "13", "99"])
def test_a_mark_names_a_lesson(digits):
    refused(f"a = 1  # lesson-{digits}\n", 1, f"no lesson {digits}")
    with pytest.raises(MarkError, match=r"a\.py:1: there is no lesson"):
        project(f'"""A. (lesson {digits})"""\n', 1, "a.py")


@pytest.mark.parametrize(
    "text",
    [
        "a = call(\n    1,\n)  # lesson-02\n",
        "a = 1 + \\\n    2  # lesson-02\n",
        'a = """\n"""  # lesson-02\n',
        "if (a and\n        b):  # lesson-02\n    c()\n",
        "def f(\n    a,\n):  # lesson-02\n    pass\n",
        "a = [\n    1\n    + 2,  # lesson-02\n]\n",
    ],
)
def test_a_mark_below_the_first_line_of_its_statement_is_refused(text):
    row = 1 + text[: text.index("# lesson")].count("\n")
    refused(text, row, "where its statement or item begins")


def test_an_item_that_shares_its_line_with_a_bracket_is_refused():
    refused("a = call(1,\n    2)  # lesson-02\n", 2, "lines for itself")
    refused("a = [\n    1,\n    2]  # lesson-02\n", 3, "lines for itself")
    refused("a = [\n    f(1,\n    2),  # lesson-02\n]\n", 3, "lines for itself")


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("def f():  # lesson-03\n    a()\n    b()  # lesson-03\n", 3),
        ("def f():  # lesson-03\n    a()\n    b()  # lesson-02\n", 3),
        ("# lesson-03\na = 1\nb = 2  # lesson-03\n", 3),
        ("# lesson-03\na = 1\n# lesson-02\nb = 2\n", 3),
        ("a = 1  # lesson-01\n", 1),
    ],
)
def test_a_mark_is_later_than_what_surrounds_it(text, row):
    refused(text, row, "is not later than")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# lesson-02\n\na = 1\n", "heads nothing"),
        ("# lesson-02\n", "heads nothing"),
        ("T = [\n    1,\n    # lesson-02\n]\n", "heads nothing"),
        ("# lesson-02\n# only words\n\na = 1\n", "heads nothing"),
        ("# lesson-02\na = 1  # lesson-03\n", "later lessons"),
        ("# lesson-02\nif a:\n    b()\n\n    c()\n", "part of the statement"),
        ("@a\n# lesson-02\ndef b():\n    pass\n", "part of the statement"),
        ("a = [\n    1\n    # lesson-02\n    + 2,\n]\n", "part of an item"),
        ("if a:\n    b()\n    # lesson-02\nelse:\n    c()\n", "heads nothing"),
        ("if a:\n# lesson-02\n    b()\n", "in the column"),
    ],
)
def test_a_mark_alone_heads_whole_things(text, words):
    row = 1 + text[: text.index("# lesson")].count("\n")
    refused(text, row, words)


@pytest.mark.parametrize(
    "end", ["(Lesson 03)", "(lesson 3)", "(lesson-03)", "(lesson 03)."]
)
def test_a_file_mark_that_looks_right_and_is_not_is_refused(end):
    with pytest.raises(MarkError, match=r"tools/a\.py:1: .* is no mark"):
        project(f'"""A. {end}"""\n', 1, "tools/a.py")


def test_the_docstring_of_a_file_is_not_marked():
    with pytest.raises(MarkError, match="docstring"):
        project('"""A. (lesson 01)"""  # lesson-02\n', 1, "sdk/a.py")


@pytest.mark.parametrize("name", ["handwritten/a.py", "host/tests/a.py", "sdk/x/a.py"])
def test_a_file_that_says_no_lesson_is_refused(name):
    for source in ("", "a = 1\n", '"""A."""\n', 'f"""A (lesson 01)"""\n'):
        with pytest.raises(MarkError, match=f"{name}:1: .* must end in a lesson"):
            project(source, 1, name)


@pytest.mark.parametrize("name", ["tools/a.py", "tools/tests/a.py"])
def test_a_tool_that_says_no_lesson_is_there_from_the_first(name):
    assert project('"""A."""\n', 1, name) == '"""A."""\n'
    assert project('"""A. (lesson 04)"""\n', 3, name) is None


def test_what_is_not_python_is_refused_with_its_line():
    with pytest.raises(MarkError, match=r"host/a\.py:[0-9]+: not Python"):
        project(HEAD + "a = (\n    # lesson-02\n", 1, "host/a.py")
    with pytest.raises(MarkError, match=r"host/a\.py:5: not Python"):
        project(HEAD + "if a:  # lesson-02\n        b\n    c\n", 1, "host/a.py")


def test_every_mark_in_this_repository_is_good():
    for name, path in files(ROOT, CODE).items():
        if name.endswith(".py"):
            marked = read(path.read_bytes().decode("utf-8"), name)
            assert 1 <= max((marked.lesson, *marked.numbers)) <= LAST
