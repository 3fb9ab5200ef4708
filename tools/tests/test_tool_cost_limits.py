"""The cost of tools: what can not be counted, and what is never touched. (lesson 04)"""

import os
import subprocess
import sys

import pytest

from tools import stages
from tools.tests.tool_lists import ROOT, TOOL, refused, saved
from tools.tool_cost import CostError, bench, count, vocabulary

pytest.importorskip("tiktoken")
RUN = vocabulary.MAX_RUN
KINDS = {" ": "white spaces", "\u00a0": "white spaces", "a": "letters", "漢": "letters"}
KINDS |= {"=": "signs", "_": "signs", "😀": "signs"}


@pytest.mark.parametrize(("each", "kind"), KINDS.items())
@pytest.mark.parametrize("before", [0, 1, RUN - 1])
def test_a_run_of_one_kind_is_refused_before_it_is_counted(each, kind, before):
    for length in (RUN, 10 * RUN):
        with pytest.raises(CostError, match=f"100,000 {kind} in a row"):
            count("1" * before + each * length + "1")


def test_a_run_that_is_just_short_enough_is_counted_and_one_of_digits_is_none():
    for each in KINDS:
        assert count("1" + each * (RUN - 1) + "1") > 700
    assert count("7" * 3_000_000) == 1_000_000


def test_a_million_spaces_in_a_description_are_a_sentence(capsys, tmp_path):
    tools = [{**TOOL, "description": " " * 1_000_000}]
    said = refused(capsys, "--list", saved(tmp_path, tools))
    assert "the text to count has 100,000 white spaces in a row" in said


@pytest.mark.parametrize("text", ["x" * (16 * 1024 * 1024 + 1), "é" * 8_388_609])
def test_a_text_over_the_limit_is_refused(text):
    with pytest.raises(CostError, match="more than 16,777,216 bytes"):
        count(text)


def test_with_a_byte_of_the_vocabulary_damaged_the_command_says_so(tmp_path):
    copy = tmp_path / "course"
    stages.write(4, copy)
    file = copy / "tools" / "tool_cost" / vocabulary.FILE.name
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    command = [sys.executable, "-m", "tools.tool_cost", "--list"]
    done = subprocess.run(
        [*command, saved(tmp_path, [TOOL])], cwd=copy, capture_output=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"is not the vocabulary that was shipped" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert file.read_bytes() == data


@pytest.mark.parametrize("change", ["flip", "cut", "crlf"])
def test_a_damaged_vocabulary_is_refused_and_left_alone(
    change, tmp_path, monkeypatch, capsys
):
    data = vocabulary.FILE.read_bytes()
    damaged = {
        "flip": data[:1000] + bytes([data[1000] ^ 1]) + data[1001:],
        "cut": data[:-1],
        "crlf": data.replace(b"\n", b"\r\n"),
    }[change]
    copy = tmp_path / "o200k_base.tiktoken"
    copy.write_bytes(damaged)
    monkeypatch.setattr(vocabulary, "FILE", copy)
    vocabulary.encoding.cache_clear()
    assert "is not the vocabulary that was shipped" in refused(
        capsys, "--list", saved(tmp_path, [TOOL])
    )
    assert copy.read_bytes() == damaged
    vocabulary.encoding.cache_clear()


def test_a_missing_vocabulary_is_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(vocabulary, "FILE", tmp_path / "none")
    vocabulary.encoding.cache_clear()
    said = refused(capsys, "--list", saved(tmp_path, [TOOL]))
    assert "the vocabulary can't be read" in said
    vocabulary.encoding.cache_clear()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("not json", "not JSON"),
        ("", "not JSON"),
        ('{"tools": 1}', "there is no list of tools"),
        ("[1]", "tool 1 of the list is no object"),
        ("[" * 100_000, "not JSON"),
        ("\ufeff[NaN]", "not JSON"),
    ],
)
def test_a_saved_list_that_is_none_is_a_sentence(capsys, tmp_path, text, sentence):
    file = tmp_path / "saved.json"
    file.write_text(text, "utf-8")
    assert sentence in refused(capsys, "--list", file)


LATER = pytest.mark.soak  # what says little more than the command beside it
NEIGHBOUR = "lessons/04-tool-cost/neighbour_server.py"
BLOCKED = """
import sys

def no_sockets(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(f"blocked: {event}")

sys.addaudithook(no_sockets)
"""


def offline(folder, *words: str) -> subprocess.CompletedProcess:
    """A command of Python that can open no socket, nor can its children."""
    (folder / "sitecustomize.py").write_text(BLOCKED, "utf-8")
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_a_socket_is_really_blocked(tmp_path):
    done = offline(tmp_path, "-c", "import socket; socket.socket()")
    assert "blocked: socket.__new__" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "tools.tool_cost -- python -m handwritten",
        "tools.tool_cost --chart CHART --list NEIGHBOURS/files.json",
        "tools.techniques --allow get_ticket",
        "tools.selection",
        "tools.cost_live --show",
        *(
            pytest.param(words, marks=LATER)
            for words in (
                f"tools.tool_cost -- python {NEIGHBOUR} notes",
                "tools.techniques --list NEIGHBOURS/files.json NEIGHBOURS/notes.json",
                "tools.selection --sizes 1,5",
            )
        ),
    ],
)
def test_without_a_network_every_command_of_the_lesson_works(tmp_path, words):
    command = words.replace("CHART", str(tmp_path / "a.svg"))
    command = command.replace("NEIGHBOURS", "lessons/04-tool-cost/neighbours")
    done = offline(tmp_path, "-m", *command.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.soak
@pytest.mark.skipif(os.name != "posix", reason="nobody tells the memory there")
def test_ten_thousand_tools_take_less_than_500_megabytes(tmp_path):
    start = "import resource, sys; from tools.tool_cost.command import main; main(); "
    start += "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; "
    # In bytes on macOS, else in KiB.
    start += "sys.exit(peak // (1024 if sys.platform == 'darwin' else 1) > 500_000)"
    command = [
        sys.executable,
        "-c",
        start,
        "--list",
        saved(tmp_path, bench.many_tools()),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"all in one array: 10,000 tools" in done.stdout
