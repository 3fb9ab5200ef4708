"""The pages say what their sources say, and nothing else is touched."""

import json
import re
from collections import Counter

import pytest

from lessons.manifest import lessons
from tools import docs
from tools.docs import excerpt, links as page_links, pretty, runs, spec_pages
from tools.docs import page as pages
from tools.docs.course import Course

SERVER = '''\
"""The server. (lesson 01)"""

# What it can do.
METHODS = {
    "server/discover": "discover",
    "tools/list": "tools",  # lesson-02
}


def answer(request):
    name = request["method"]
    if name == "ping":  # lesson-02
        return {}  # lesson-02
    return METHODS[name]


class Connection:
    """One peer."""

    # Called for every line.
    @staticmethod
    def receive(line):
        return [line]
'''
MAIN = '''\
"""Start it. (lesson 01)"""

import sys

print("héllo", *sys.argv[1:])
print("tools")  # lesson-02
for line in sys.stdin:
    print(line.strip().upper())
'''
TOOLS = '''\
"""Tools. (lesson 02)"""


def call(name):
    return name
'''
QUIZ = """
[[quiz]]
text = "Who speaks first?"
why = "The client always does."
answers = [
  { text = "the client", right = true },
  { text = "the server", why = "It only answers." },
]
"""
MESSAGES = [
    ("client", '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}'),
    ("log", "first line"),
    ("server", '{"jsonrpc":"2.0","id":1,"result":{"name":"é","list":[1,2.50]}}'),
    ("client", "hello"),
]


def toml(number: int, slug: str, more: str = "") -> str:
    return (
        f'number = {number}\nslug = "{slug}"\ntitle = "Title {number}"\n'
        f'minutes = 20\npuzzle = """\nWhy | {number}?\n"""\ngoals = []\n'
        f'spec = ["server/tools"]\ntodo = ["make lesson-0{number}, then go on."]\n'
        f"sessions = []\n{more}{QUIZ}"
    )


def project(source: str, number: int, name: str) -> str | None:
    """As tools.stages does it, for one-line marks."""
    born = re.search(r"\(lesson ([0-9]{2})\)", source)
    if born and int(born[1]) > number:
        return None
    lines = source.split("\n")
    marks = (re.search(r"# lesson-([0-9]{2})$", line) for line in lines)
    pairs = zip(lines, marks, strict=True)
    return "\n".join(line for line, mark in pairs if not mark or int(mark[1]) <= number)


class Desk:
    """A course of two lessons in an empty folder, and its pages."""

    def __init__(self, root):
        self.root = root
        self.put("lessons/01-one/lesson.toml", toml(1, "one"))
        self.put(
            "lessons/02-two/lesson.toml",
            toml(2, "two", 'words = ["nowhere_else"]\nadds = ["server/data.json"]\n'),
        )
        self.put("server/__init__.py", "")
        self.put("server/core.py", SERVER)
        self.put("server/__main__.py", MAIN)
        self.put("server/tools.py", TOOLS)
        self.put("server/data.json", '{"ticket_id":"2318"}\n')
        self.put("Makefile", "test: ; python -m x\nlesson-%: ; python -m x $*\n")
        self.record("lesson-01/01-discover", MESSAGES)
        self.record("lesson-02/01-list", MESSAGES[:1])
        for name in ("README.md", "lessons/README.md"):
            self.put(name, "# Title\n")
        self.put("lessons/01-one/README.md", "# One\n")
        self.put("lessons/02-two/README.md", "# Two\n")
        self.tally: Counter = Counter()

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))

    def record(self, name, messages):
        rows = "".join(json.dumps(each) + "\n" for each in messages)
        self.put(f"transcripts/{name}.jsonl", rows)

    def text(self, name):
        return (self.root / name).read_bytes().decode("utf-8")

    def course(self):
        def recording(path):
            rows = map(json.loads, path.read_text("utf-8").splitlines())
            return [(kind, line.encode()) for kind, line in rows if kind != "log"]

        return Course(
            self.root,
            tuple(lessons(self.root)),
            ("server", "tools"),
            project,
            self.stage_dir,
            recording,
        )

    def stage_dir(self, number):
        stage = self.root / "build" / f"{number:02}"
        for path in sorted((self.root / "server").glob("*.py")):
            source = project(path.read_text("utf-8"), number, path.name)
            if source is not None:
                (stage / "server").mkdir(parents=True, exist_ok=True)
                (stage / "server" / path.name).write_text(source, "utf-8")
        return stage

    def check(self, update=False):
        self.tally = Counter()
        faults, self.notes = docs.check(self.course(), update, self.tally)
        return [str(fault) for fault in faults]

    def page(self, text, name="lessons/01-one/README.md"):
        """Writes one page and checks it: the faults."""
        self.put(name, text)
        return self.check()

    def filled(self, directive, name="lessons/01-one/README.md", more=""):
        """The block that `--update` writes below a directive."""
        self.put(name, f"{directive}\n{more}")
        assert self.check(update=True) == []
        return self.text(name).removeprefix(f"{directive}\n").removesuffix(more)


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


ONE = "lessons/01-one/README.md"
TWO = "lessons/02-two/README.md"


# Messages


def test_a_message_is_shown_exactly_as_it_was_sent_and_log_lines_do_not_count(desk):
    sent = MESSAGES[2][1]
    assert desk.filled("<!-- message 01-discover 2 -->") == f"```json\n{sent}\n```\n"


def test_a_line_that_is_not_json_is_shown_as_text(desk):
    assert desk.filled("<!-- message 01-discover 3 -->") == "```text\nhello\n```\n"


def test_several_messages_say_their_direction(desk):
    block = desk.filled("<!-- message 01-discover 1-2 3 -->").split("\n")
    assert block[1] == "-> " + MESSAGES[0][1]
    assert block[2] == "<- " + MESSAGES[2][1]
    assert block[3] == "-> hello"


def test_pretty_changes_only_white_space(desk):
    long = (
        '{"b":1.50,"a":["' + "x" * 90 + '",{}],"b":"\\u00e9 , : é","n":[1,{"c":null}]}'
    )
    shown = pretty.pretty(long)
    assert "\n" in shown and '{"c": null}' in shown
    assert re.sub(r"\n *", "", shown).replace(": ", ":").replace(", ", ",") == (
        long.replace(" , : ", " ,:")
    )
    assert json.loads(shown) == json.loads(long)


def test_pretty_keeps_short_objects_on_one_line_and_no_short_line_over_88_columns():
    text = json.dumps({"first": {"k": 1}, "second": [{"name": "x" * 30}] * 5})
    lines = pretty.pretty(text).split("\n")
    assert lines[1] == '  "first": {"k": 1},'
    assert max(map(len, lines)) <= 88
    exact = json.dumps({"key": "x" * (88 - len('{"key": ""}'))})
    assert pretty.pretty(exact) == exact
    assert "\n" in pretty.pretty(exact.replace("x", "xx", 1))


def test_pretty_works_in_a_page(desk):
    block = desk.filled("<!-- message 01-discover 2 pretty -->")
    assert '"list": [1, 2.50]' in block


def test_a_lesson_may_show_a_message_of_an_earlier_lesson(desk):
    block = desk.filled("<!-- message lesson-01/01-discover 3 -->", TWO)
    assert block == "```text\nhello\n```\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("lesson-02/01-list 1", "later than this page's 01"),
        ("09-nothing 1", "there are 01-discover"),
        ("01-discover 4", "has 3 messages, none is 4"),
        ("01-discover", "names no message"),
        ("01-discover two", "is no message number"),
        ("01-discover 0", "is no message number"),
        ("01-discover 2-1", "no range"),
        ("01-discover 3 pretty", "is not JSON: leave out pretty"),
        ("../../README 1", "names no message"),
        ("'01-discover 1", "can't be read"),
    ],
)
def test_a_message_that_can_not_be_shown_is_said_in_one_sentence(desk, words, says):
    faults = desk.page(f"# One\n\n<!-- message {words} -->\n")
    assert len(faults) == 1
    assert faults[0].startswith(f"{ONE}:3: ") and says in faults[0]


# Code


def test_a_definition_is_shown_as_of_the_lesson_without_marks(desk):
    block = desk.filled("<!-- code server/core.py METHODS -->")
    assert block == (
        "```python\n# What it can do.\nMETHODS = {\n"
        '    "server/discover": "discover",\n}\n```\n'
    )
    later = desk.filled("<!-- code server/core.py METHODS -->", TWO)
    assert '"tools/list": "tools",\n' in later and "lesson-02" not in later


def test_a_method_comes_with_its_decorators_and_the_comment_above(desk):
    block = desk.filled("<!-- code server/core.py Connection.receive -->")
    assert block == (
        "```python\n# Called for every line.\n@staticmethod\ndef receive(line):\n"
        "    return [line]\n```\n"
    )


def test_several_names_and_whole_files(desk):
    block = desk.filled("<!-- code server/core.py answer Connection -->")
    assert block.index("def answer") < block.index("\n\nclass Connection")
    whole = desk.filled("<!-- code server/data.json -->", TWO)
    assert whole == '```json\n{"ticket_id":"2318"}\n```\n'
    assert "Start it." in desk.filled("<!-- code server/__main__.py -->")


def test_new_shows_only_what_the_lesson_added(desk):
    block = desk.filled("<!-- code server/core.py METHODS answer new -->", TWO)
    assert block == (
        '```python\n"tools/list": "tools",\n\nif name == "ping":\n    return {}\n```\n'
    )
    whole = desk.filled("<!-- code server/tools.py call new -->", TWO)
    assert whole == "```python\ndef call(name):\n    return name\n```\n"


def test_between_runs_of_new_lines_stands_an_ellipsis():
    before = ["def f():", "    a()", "    return 1"]
    after = [
        "def f():",
        "    x = 1",
        "",
        "    a()",
        "    if x:",
        "        b()",
        before[2],
    ]
    assert excerpt.additions(before, after) == [
        "x = 1",
        "…",
        "if x:",
        "    b()",
    ]
    with pytest.raises(excerpt.ExcerptError, match="adds no line"):
        excerpt.additions(before, before)


def test_lines_of_the_earlier_stage_are_never_shown_as_new():
    before = list("cbbb")
    after = list("acababb")  # where difflib alone misses one
    shown = [each for each in excerpt.additions(before, after) if each != "…"]
    assert sorted(shown + before) == sorted(after)


def test_a_pinned_excerpt_shows_the_earlier_stage(desk):
    block = desk.filled("<!-- code lesson-01 server/core.py METHODS -->", TWO)
    assert "tools/list" not in block


def test_a_mark_inside_a_string_stays():
    source = 'TEXT = """  # lesson-02\nx = 1  # lesson-02\n"""\ny = 2  # lesson-03\n'
    assert excerpt.definition(source, "TEXT") == source.split("\n")[:3]
    assert excerpt.definition(source, "y") == ["y = 2"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("server/tools.py call", "belongs to a later lesson than 01"),
        ("server/data.json", "belongs to a later lesson than 01"),
        ("server/core.py Nobody", "no 'Nobody'; there are METHODS, answer, Connection"),
        ("server/core.py Connection.send", "has no 'Connection.send'"),
        ("server/nothing.py", "no file 'server/nothing.py'"),
        ("server/../../secret.py", "no file 'server/../../secret.py'"),
        ("lesson-01", "no file ''"),
        ("lesson-02 server/core.py", "later than this page's 01"),
        ("Makefile test", "is not Python"),
    ],
)
def test_code_that_can_not_be_shown_is_said_in_one_sentence(desk, words, says):
    faults = desk.page(f"<!-- code {words} -->\n")
    assert len(faults) == 1
    assert faults[0].startswith(f"{ONE}:1: ") and says in faults[0]


# Commands


def test_a_command_is_run_in_the_stage_of_the_page(desk):
    directive = '<!-- run python -m server "two words" -->'
    shown = '```text\n$ python -m server "two words"\nhéllo two words\n'
    assert desk.filled(directive) == shown + "```\n"
    assert desk.filled(directive, TWO) == shown + "tools\n```\n"
    pinned = desk.filled(directive.replace("run", "run lesson-01"), TWO)
    assert pinned == shown + "```\n"


def test_the_output_is_the_same_on_a_machine_that_is_set_up_otherwise(
    desk, monkeypatch
):
    for name, value in {
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "latin-1",
        "PYTHONPATH": str(desk.root / "elsewhere"),
        "FORCE_COLOR": "1",
    }.items():
        monkeypatch.setenv(name, value)
    assert "\nhéllo\n" in desk.filled("<!-- run python -m server -->")
    shown = "import os; print(*(os.environ.get(n) for n in ('NO_COLOR', 'COLUMNS')))"
    assert runs.run(f'python -c "{shown}"', desk.root)[1] == "1 100"


def test_a_command_gets_the_input_written_beside_it(desk):
    block = desk.filled(r"<!-- run input='a\nb 100%%\n' python -m server -->")
    assert block == (
        "```text\n$ printf 'a\\nb 100%%\\n' | python -m server\nhéllo\nA\nB 100%\n```\n"
    )
    assert runs.printed(r"\\n") == b"\\n"
    with pytest.raises(runs.RunError, match="knows"):
        runs.printed(r"\x41")


KEEPS = """
import os, sys
path = os.path.join(os.environ["HELPDESK_DATA"], "kept")
print("before:", open(path).read() if os.path.exists(path) else "nothing")
open(path, "w").write(sys.argv[1])
"""


def test_the_commands_of_a_page_share_a_folder_that_begins_empty(desk, monkeypatch):
    monkeypatch.setenv("HELPDESK_USER", "me")
    desk.put("server/keeps.py", KEEPS)
    text = "".join(f"<!-- run python -m server.keeps {each} -->\n" for each in "ab")
    for _ in range(2):
        desk.put(ONE, text)
        assert desk.check(update=True) == []
        shown = desk.text(ONE).split("\n")
        assert [each for each in shown if each.startswith("before")] == [
            "before: nothing",
            "before: a",
        ]
        assert desk.check() == []
    assert (
        runs.run(
            "python -c \"import os; print(os.environ.get('HELPDESK_USER'))\"", desk.root
        )[1]
        == "None"
    )


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("python -m server.nothing", "ended with 1: "),
        ("ls", "begins with python"),
        ('python -c "import sys; sys.exit(2)"', "ended with 2"),
        ('python -c "', "can't be read"),
    ],
)
def test_a_command_that_fails_is_a_fault(desk, command, says):
    desk.put("server/nothing.py", "raise OSError\n")
    faults = desk.page(f"<!-- run {command} -->\n")
    assert len(faults) == 1 and says in faults[0]


def test_a_command_that_hangs_is_stopped(desk, monkeypatch):
    monkeypatch.setattr(runs, "LIMIT", 0.5)
    with pytest.raises(runs.RunError, match="still ran"):
        runs.run('python -c "import time; time.sleep(60)"', desk.root)


def test_output_with_fences_gets_a_longer_fence(desk):
    block = desk.filled("<!-- run python -c \"print('`'*3)\" -->")
    assert block.startswith("````text\n") and block.endswith("\n```\n````\n")


# Tables and lists


def test_the_table_of_what_a_lesson_added(desk):
    block = desk.filled("<!-- added -->", TWO, "<!-- end -->\n")
    assert "| `server/core.py` | grows | 3 |\n" in block
    assert "| `server/tools.py` | new | 2 |\n" in block
    assert "| `server/data.json` | new | (data) |\n" in block
    assert "| together | | 6 |\n" in block


def test_the_lesson_table_links_from_either_page(desk):
    row = "| 01 | [Title 1]({}01-one/README.md) | 20 | Why \\| 1? |\n"
    block = desk.filled("<!-- lessons -->", "README.md", "<!-- end -->\n")
    assert row.format("lessons/") in block
    block = desk.filled("<!-- lessons -->", "lessons/README.md", "<!-- end -->\n")
    assert row.format("") in block


def test_the_quiz_hides_its_answers(desk):
    block = desk.filled("<!-- quiz -->", more="<!-- end -->\n")
    assert "**1. Who speaks first?**\n\n- **a** the client\n" in block
    hidden = block[block.index("<details>") : block.index("</details>")]
    assert "Right: **a**. The client always does." in hidden
    assert "- **b**: It only answers." in hidden


def test_the_specification_pages_of_a_lesson(desk):
    block = desk.filled("<!-- spec -->", more="<!-- end -->\n")
    url = "https://modelcontextprotocol.io/specification/2026-07-28/server/tools"
    assert block == f"\n- [server/tools]({url})\n\n"


# Drift, update


@pytest.mark.parametrize(
    ("directive", "more", "source", "old", "new"),
    [
        (
            "message 01-discover 2",
            "",
            "transcripts/lesson-01/01-discover.jsonl",
            "2.50",
            "3",
        ),
        ("code server/core.py answer", "", "server/core.py", "[name]", "[name + '']"),
        ("run python -m server", "", "server/__main__.py", "héllo", "hi"),
        ("added", "<!-- end -->\n", "server/core.py", "name = ", "x = 1\n    name = "),
        ("quiz", "<!-- end -->\n", "lessons/01-one/lesson.toml", "only", "just"),
        (
            "spec",
            "<!-- end -->\n",
            "lessons/01-one/lesson.toml",
            "r/tools",
            "r/prompts",
        ),
    ],
)
def test_a_changed_source_is_found_and_update_mends_it(
    desk, directive, more, source, old, new
):
    desk.filled(f"<!-- {directive} -->", more=more)
    assert desk.check() == []
    assert old in desk.text(source)
    desk.put(source, desk.text(source).replace(old, new))
    faults = desk.check()
    assert len(faults) == 1
    place, line, text = faults[0].split(":", 2)
    assert place == ONE
    assert f"the block of '{directive}' has drifted: here stands" in text
    stands = re.search(r"here stands ['\"]…?(.*?)…?['\"], from", text)
    assert stands and stands[1] in desk.text(ONE).split("\n")[int(line) - 1]
    assert desk.check(update=True) == []
    assert desk.check() == []


def test_a_changed_line_in_a_page_is_named_by_its_own_number(desk):
    desk.filled("<!-- code server/core.py answer -->")
    desk.put(ONE, desk.text(ONE).replace('request["method"]', 'request["metod"]'))
    (fault,) = desk.check()
    assert fault.startswith(f"{ONE}:4: ")
    assert "metod" in fault and "method" in fault


def test_update_leaves_every_other_byte_alone_and_a_second_one_everything(desk):
    before = "# One \t\n\n\n\n  text\u00a0  \n```console\n$ make test\n```\n"
    after = "\n  * list\n\n~~~\n<!-- quiz -->\n~~~\nno newline at the end"
    block = "<!-- message 01-discover 3 -->\n"
    desk.put(ONE, before + block + "```\nold\n```\n" + after)
    assert desk.check(update=True) == []
    assert desk.text(ONE) == before + block + "```text\nhello\n```\n" + after
    stamp = (desk.root / ONE).stat().st_mtime_ns
    assert desk.check(update=True) == []
    assert (desk.root / ONE).stat().st_mtime_ns == stamp
    assert list(desk.root.rglob("*.new")) == []


def test_update_keeps_the_line_endings_of_the_hand_written_text(desk):
    desk.put(ONE, "# One\r\n\r\n<!-- message 01-discover 3 -->\r\ntext\r\n")
    assert desk.check(update=True) == []
    assert desk.text(ONE) == (
        "# One\r\n\r\n<!-- message 01-discover 3 -->\r\n```text\nhello\n```\ntext\r\n"
    )


def test_update_does_not_touch_a_damaged_page(desk):
    text = "<!-- message 01-discover 3 -->\n```text\nold\n\ntext\n<!-- spec -->\n"
    desk.put(ONE, text)
    faults = desk.check(update=True)
    assert desk.text(ONE) == text
    assert any("not closed" in fault for fault in faults)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("<!-- mesage 01-discover 1 -->\n", 1, "is no directive"),
        ("<!-- message 01-discover 1 --\n", 1, "is no directive"),
        ("# One\ntext <!-- spec -->\n", 2, "stands alone on its line"),
        ("<!-- spec -->\n\ntext\n", 1, "before the end of the page"),
        ("<!-- spec -->\n<!-- quiz -->\n<!-- end -->\n", 1, "before line 2"),
        ("text\n<!-- end -->\n", 2, "no region is open"),
        ("a\n```json sketch\n{\n", 2, "not closed"),
        ("<!-- quiz please -->\n<!-- end -->\n", 1, "takes no words"),
        ("<!-- lessons -->\n<!-- end -->\n", 1, "page of the whole course"),
        (
            "<!-- message 01-discover 3 -->\n```text\nhello\n\n"
            "<!-- message 01-discover 3 -->\n```text\nhello\n```\n",
            2,
            "not closed before line 5",
        ),
    ],
)
def test_a_damaged_directive_is_said_with_its_line(desk, text, line, says):
    faults = desk.page(text)
    assert any(each.startswith(f"{ONE}:{line}: ") and says in each for each in faults)


def test_a_directive_between_backticks_or_in_a_fence_is_text(desk):
    page = "Write `<!-- quiz -->`, `[a](no.md)`:\n\n```text\n<!-- quiz -->\n```\n"
    assert desk.page(page, "lessons/README.md") == []


# Pages of the whole course, and tags


def test_the_root_page_names_the_lesson_in_full(desk):
    (fault,) = desk.page("<!-- message 01-discover 1 -->\n", "README.md")
    assert "says no lesson" in fault
    assert "hello" in desk.filled(
        "<!-- message lesson-01/01-discover 3 -->", "README.md"
    )
    (fault,) = desk.page("<!-- quiz -->\n<!-- end -->\n", "README.md")
    assert "page of a lesson" in fault


def test_in_a_tags_checkout_later_lessons_are_left_as_they_are(desk):
    root = (
        "<!-- lessons -->\n<!-- end -->\n\n<!-- run lesson-02 python -m server -->\n\n"
        "`python -m server.extra` and [it](server/extra.py)\n"
    )
    desk.put("server/extra.py", '"""More. (lesson 02)"""\n')
    desk.put("README.md", root)
    assert desk.check(update=True) == []
    text = desk.text("README.md")
    for path in sorted((desk.root / "lessons" / "02-two").iterdir()):
        path.unlink()
    (desk.root / "lessons" / "02-two").rmdir()
    (desk.root / "server/extra.py").unlink()
    assert "2 lessons, 40 minutes to read.\n" in text
    assert desk.check(update=True) == []
    assert desk.text("README.md") == text
    assert desk.tally["left"] == 4  # a run, a module and two links
    desk.put(
        "README.md", text.replace("| 02 | [", "| 02 | (").replace("2 less", "1 less")
    )
    assert len(desk.check()) == 3  # the table, the link and the module


# Further checks


def test_json_typed_by_hand_is_refused_in_a_lesson(desk):
    (fault,) = desk.page('# One\n```json\n{"id":1}\n```\n')
    assert fault.startswith(f"{ONE}:2: JSON written by hand")
    assert desk.page('```json sketch\n{"id":…}\n```\n\n```mermaid\nx\n```\n') == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("`make lesson-01` and `make lesson-NN`", ""),
        ("`make test STEP=1`", ""),
        ('`make test SERVER="node my-server.js"`', ""),
        ("`make tests`", "no target 'tests'"),
        ("```console\n$ make nothing  # no\n```", "no target 'nothing'"),
        ("```console\n$ cd x && make lesson-1\n```", "no target 'lesson-1'"),
        ("`python -m server`", ""),
        ("`python -m json.tool`", ""),
        ("`python -m serve`", "no module 'serve'"),
        ("`python -m server.tools`", "later lesson than 01"),
        ("```sh\npython -m server.nothing --help\n```", "no module 'server.nothing'"),
    ],
)
def test_commands_in_a_page_exist(desk, text, says):
    faults = desk.page(f"# One\n\n{text}\n")
    assert [says in fault for fault in faults] == ([True] if says else [])


def test_commands_in_the_output_of_a_program_were_not_typed(desk):
    desk.filled("<!-- run python -c \"print('make nothing')\" -->")
    assert desk.check() == []


def test_commands_in_the_list_of_what_to_do_exist(desk):
    name = "lessons/01-one/lesson.toml"
    desk.put(name, desk.text(name).replace("make lesson-01", "make lessons-01"))
    (fault,) = desk.check()
    assert fault.startswith(f"{name}:10: todo: the Makefile has no target 'lessons-01'")


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("[a](../../README.md)", ""),
        ("[a](../../README.md#title)", ""),
        ("[a](#one)", ""),
        ("[a](https://example.org/x)", ""),
        ("[`answer`](../../server/core.py)", ""),
        ("[a](nothing.md)", "no such file"),
        ("[a](#two)", "no heading #two; there are one"),
        ("[a](../../README.md#nothing)", "no heading #nothing"),
        ("[a](../02-two/README.md)", "later lesson than 01"),
        ("[a](../../transcripts/lesson-02/01-list.jsonl)", "later lesson than 01"),
        ("[a](../../server/tools.py)", "later lesson than 01"),
        ("[a](../../../x)", "leaves the repository"),
        ("[a](/README.md)", "relative to this page"),
        ("[a]: nothing.md", "no such file"),
        ("![](../../README.md)", "has no alt text"),
        ('<img src="../../README.md">', "has no alt text"),
        (f"[a]({spec_pages.SITE}2026-07-28/server/tools#x)", ""),
        (f"[a]({spec_pages.SITE}2026-07-28/basic)", ""),
        (f"[a]({spec_pages.SITE}2026-07-28/server/tool)", "no page 'server/tool'"),
        (f"[a]({spec_pages.SITE}draft/server/tools)", "no revision 'draft'"),
    ],
)
def test_links_lead_somewhere(desk, link, says):
    faults = desk.page(f"# One\n\ntext\n{link}\n")
    assert [says in fault for fault in faults] == ([True] if says else [])
    assert all(fault.startswith(f"{ONE}:4: ") for fault in faults)


def test_anchors_are_made_the_way_github_makes_them():
    text = "# A `code()`, *b* & [c](d)!\n## Twice\n## Twice\n### Größe — x_y\n"
    page = pages.parse("x.md", text + '<a id="own"></a>\n```\n# no\n```\n')
    assert page_links.anchors(page) == [
        "a-code-b--c",
        "twice",
        "twice-1",
        "größe--x_y",
        "own",
    ]


def test_the_manifest_names_known_pages_of_the_specification(desk):
    name = "lessons/01-one/lesson.toml"
    desk.put(name, desk.text(name).replace("server/tools", "server/tool"))
    (fault,) = desk.check()
    assert fault.startswith(f"{name}:9: spec: the specification has no page")


@pytest.mark.parametrize(
    ("span", "found"),
    [
        ("answer", True),
        ("answer()", True),
        ("Connection.receive", True),
        ("server/core.py", True),
        ("core.py", True),
        ("server/discover", True),
        ("2.50", True),
        ("lesson.toml", True),
        ("lesson-01", True),
        ("lesson-NN", True),
        ("my/01/", True),
        ("answe", False),
        ("Connection.send", False),
        ("server/tools.py", False),
        ("tools/list", False),
        ("ticket_id", False),
        ("lesson-02", False),
        ("-32602", False),
        ("nowhere_else", False),
        ("io.modelcontextprotocol/nothing", False),
    ],
)
def test_names_between_backticks_are_somebodys(desk, span, found):
    faults = desk.page(f"# One\n\nThis is `{span}`.\n")
    assert (faults == []) is found
    assert all(f"{ONE}:3: `{span}` occurs in no file of" in fault for fault in faults)


def test_words_of_the_manifest_and_files_of_the_own_lesson_count(desk):
    spans = ("nowhere_else", "tools/list", "server/tools.py", "ticket_id", "call()")
    assert desk.page(" ".join(f"`{each}`" for each in spans) + "\n", TWO) == []


def test_a_quiz_does_not_vouch_for_its_own_names(desk):
    name = "lessons/01-one/lesson.toml"
    desk.put(name, desk.text(name).replace("the client", "`ghost_name`"))
    assert any("ghost_name" in each for each in desk.page("`ghost_name`\n"))


def test_what_was_not_looked_up_is_counted_and_the_length_is_only_a_note(desk):
    assert desk.page("# One two\n\nwords here `a b` [x](https://e.org)\n") == []
    assert desk.notes[0].startswith(f"note: {ONE} has 6 words (a lesson should have")
    summary = docs.summary(desk.tally)
    assert "1 links to other sites" in summary and "1 pieces of code" in summary
    assert "4 pages" in summary


def test_a_missing_page_and_one_that_is_not_utf_8_are_faults(desk):
    (desk.root / TWO).unlink()
    (desk.root / ONE).write_bytes(b"# \xff\n")
    assert desk.check() == [
        f"{ONE}:1: not UTF-8 at byte 2",
        f"{TWO}:1: this page is missing",
    ]


def test_the_program_exits_1_for_faults_and_0_without(desk, monkeypatch, capsys):
    monkeypatch.setattr(docs, "here", desk.course)
    assert docs.main([]) == 0
    desk.put(ONE, "<!-- message 01-discover 3 -->\n")
    assert docs.main([]) == 1
    assert f"{ONE}:1: the block" in capsys.readouterr().out
    assert docs.main(["--update"]) == 0
    assert "1 blocks rewritten" in capsys.readouterr().out
    desk.put("lessons/01-one/lesson.toml", "number = 1\n")
    assert docs.main([]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "the key 'slug' is missing" in err and err.count("\n") == 1


def test_help_has_an_example(capsys):
    with pytest.raises(SystemExit) as stop:
        docs.main(["--help"])
    assert stop.value.code == 0
    assert "python -m tools.docs --update" in capsys.readouterr().out
