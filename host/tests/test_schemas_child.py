"""The checker's own limits: they hold though nobody waits for it. (lesson 05)"""

import json
import signal
import sys

import pytest
from host.tests.parts import LIMIT, ROOT
from tools.child import Child

resource = pytest.importorskip("resource")  # it comes with Unix
HOSTILE = {"schema": {"pattern": "^(a+)+$"}, "value": "a" * 40 + "!"}
# A second of computing; and a clock that says a hundred more for each question.
HASTY = "checker.TIME = 0"
LATER = "checker.time.process_time = itertools.count(100, 100).__next__"


@pytest.fixture
def start():
    """Start the checker, with a change to it, as nobody's but this test's."""
    made: list[Child] = []

    def one(change: str) -> Child:
        text = "import itertools; from host import schemas_child as checker; "
        made.append(Child(["python", "-c", f"{text}{change}; checker.main()"], ROOT))
        assert made[-1].receive("server", LIMIT)[1] == b'"ready"\n'
        return made[-1]

    yield one
    for each in made:
        each.close(0)


def ask(child: Child, question: dict) -> None:
    child.send(json.dumps(question).encode() + b"\n")


def test_a_checker_that_was_left_alone_does_not_compute_for_ever(start):
    # SCH-06: basic/index, "Composition-Keyword Resource Use"
    child = start(HASTY)
    ask(child, HOSTILE)
    # Nobody reads, ends its input or sends a signal: it is the system that does.
    assert child.process.wait(LIMIT) == -signal.SIGXCPU


@pytest.mark.skipif(sys.platform != "linux", reason="nobody tells the limit there")
def test_each_question_has_its_time_anew_and_memory_has_a_limit(start):
    # SCH-06: basic/index, "Composition-Keyword Resource Use"
    child = start(LATER)
    for spent in (100, 200):
        ask(child, {"schema": {}, "value": 1})
        assert child.receive("server", LIMIT)[1] == b'""\n'
        assert limit(child, resource.RLIMIT_CPU) == spent + 10 + 1
    assert limit(child, resource.RLIMIT_AS) == 512 * 1024**2


def limit(child: Child, kind: int) -> int:
    return resource.prlimit(child.process.pid, kind)[0]
