"""Any marked program: a stage parses, and the next one only adds to it."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.stages.marks import project

HEAD = '"""A file. (lesson 01)"""\n\n'


@st.composite
def blocks(draw, depth: int = 0, above: int = 1) -> list[str]:
    """Lines of a program whose marks are good, in one column."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        lines += [""] * draw(st.integers(0, 2))
        number = draw(st.integers(above, 6))
        mark = f"  # lesson-{number:02}" if number > above else ""
        if draw(st.booleans()):
            lines.append(f"# words {draw(st.integers(0, 3))}")
        kind = draw(st.sampled_from(["line", "def", "if", "try", "table", "group"]))
        if depth > 2 or kind == "line":
            lines.append(f"a{draw(st.integers(0, 3))} = 1{mark}")
        elif kind == "def":
            lines += ["@deco"] * draw(st.integers(0, 2))
            lines += [f"def f():{mark}", *draw(body(depth, number))]
        elif kind == "if":
            lines += ["if a:", *draw(body(depth, above))]
            lines += [f"elif b:{mark}", *draw(body(depth, number))]
        elif kind == "try":
            lines += [f"try:{mark}", *draw(body(depth, number))]
            lines += ["finally:", *draw(body(depth, number))]
        elif kind == "table":
            items = [f"    [{i}, (2,)],{mark if i else ''}" for i in range(3)]
            lines += ["T = [", *items, "]"]
        elif number > above:
            lines += ["", f"# lesson-{number:02}", "b = 1", "c = f'{b}'", ""]
    return lines


@st.composite
def body(draw, depth: int, above: int) -> list[str]:
    """An indented block that is never empty, at any stage that has it."""
    lines = ['"""Words."""', *draw(blocks(depth + 1, above))]
    return ["    " + line if line else "" for line in lines]


@given(blocks())
@settings(max_examples=150, deadline=None)
def test_every_stage_parses_and_is_a_subsequence_of_the_next(lines):
    source = HEAD + "\n".join(lines) + "\n"
    before: list[str] = []
    for number in range(1, 7):
        made = project(source, number, "host/a.py")
        compile(made, "a", "exec")
        after = made.splitlines()
        rest = iter(after)
        assert all(line in rest for line in before)
        for row, line in enumerate(after):
            found = re.search("# lesson-(..)", line)
            assert not found or int(found[1]) <= number, row
        before = after
    assert project(source, 6, "host/a.py") == source


@given(blocks())
@settings(max_examples=50, deadline=None)
def test_a_stage_of_a_stage_is_the_earlier_stage(lines):
    source = HEAD + "\n".join(lines) + "\n"
    for number in range(1, 6):
        through = project(project(source, number + 1, "host/a.py"), number, "host/a.py")
        direct = project(source, number, "host/a.py")
        # A blank line may count for an inner block here and for an outer one there.
        assert [x for x in through.splitlines() if x] == [
            x for x in direct.splitlines() if x
        ]
