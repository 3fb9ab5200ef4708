"""What a person picks: resources with a question, or a prompt. (lesson 06)"""

import json

import pytest
from host import attach
from host.tests.fake_server import KEPT
from host.tests.parts import Core, Script, host, line_of, modern, run_host, said

TEXT = {"uri": "x:1", "mimeType": "text/plain", "text": "Be kind."}
ABLE = [
    {
        "result": {
            **KEPT,
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"resources": {}, "prompts": {}},
        }
    }
]


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HELPDESK_DATA", str(tmp_path / "data"))


class Fixed(Core):
    """The helpdesk with other answers to one method."""

    def __init__(self, method: str, result: dict, name: str = "helpdesk"):
        super().__init__()
        self.method, self.result, self.name = method, result, name

    def request(self, method: str, params=None) -> dict:
        if method != self.method:
            return super().request(method, params)
        self.sent.append((method, params))
        return self.result


def reading(*contents) -> Fixed:
    return Fixed("resources/read", {"contents": list(contents)})


def seen(core: Core, uris=(), prompt=()) -> tuple[list[dict], list[str]]:
    """The model's first messages, and what was said."""
    model = Script({"text": "ok"})
    made = host(core, model)
    attach.pick(made, list(uris), list(prompt))
    made.converse("What now?")
    return model.seen[0][0], [f"{step['who']}: {step['text']}" for step in made.steps]


def test_a_resource_goes_to_the_model_fenced_after_the_question():
    messages, lines = seen(reading(TEXT), ["x:1"])
    assert messages == [
        {"role": "person", "text": "What now?"},
        {"role": "resource", "text": "x:1 (text/plain):\n```\nBe kind.\n```"},
    ]
    assert "host: attached x:1: text/plain, 8 characters" in lines


def test_several_contents_are_each_told_and_a_file_is_named():
    file = {"uri": "x:2", "mimeType": "audio/wav", "blob": "aGk="}
    messages, lines = seen(reading(TEXT, file), ["x:1"])
    placeholder = "[resource x:2, audio/wav, 2 bytes: not shown to the model]"
    assert [each["text"] for each in messages[2:]] == [placeholder]
    assert f"host: attached x:2: {placeholder}" in lines


def test_a_text_that_is_none_beside_a_file_is_not_told():
    contents = {"uri": "x:1", "text": 5, "blob": "AAAA"}
    (_, given), _ = seen(reading(contents), ["x:1"])
    assert given["text"].endswith("3 bytes: not shown to the model]")


def test_a_long_text_is_cut_inside_its_fence():
    messages, _ = seen(reading({**TEXT, "text": "x" * 30_000}), ["x:1"])
    assert messages[1]["text"].endswith(" [cut: it has 30000 characters]\n```")
    assert len(messages[1]["text"]) < attach.MAX_ATTACHED + 100


def test_the_same_address_twice_is_read_once_while_it_is_fresh():
    core = Core()
    messages, _ = seen(core, ["policy://calendar-sync"] * 2 + ["ticket://2318"] * 2)
    read = [params["uri"] for method, params in core.sent if method == "resources/read"]
    # A ticket may have changed: its server says that it is never fresh.
    assert read == ["policy://calendar-sync", "ticket://2318", "ticket://2318"]
    assert len(messages) == 5


@pytest.mark.parametrize(
    "contents",
    [
        *([], [None], [{}], [{"uri": "x"}], [{"text": "x"}]),
        *([{"uri": 5, "text": "x"}], [{"uri": "x", "text": 5}]),
    ],
)
def test_contents_that_are_none_end_with_a_sentence(contents):
    with pytest.raises(ValueError, match='"x:1": helpdesk sent'):
        seen(reading(*contents), ["x:1"])


@pytest.mark.parametrize("result", [{}, {"contents": None}, {"contents": {}}])
def test_a_result_without_contents_ends_with_a_sentence(result):
    with pytest.raises(ValueError, match="sent no contents"):
        seen(Fixed("resources/read", result), ["x:1"])


def test_an_address_goes_to_the_server_that_is_named_and_to_no_other():
    first = Fixed("resources/read", {"contents": [TEXT]}, "a")
    second = Fixed("resources/read", {"contents": [TEXT]}, "b")
    made = host(first)
    made.connect(second)
    attach.pick(made, ["b=x:1", "x:a=b"], [])
    assert [params for method, params in second.sent if method == "resources/read"] == [
        {"uri": "x:1"}
    ]
    assert [params for method, params in first.sent if method == "resources/read"] == [
        {"uri": "x:a=b"}
    ]
    with pytest.raises(ValueError, match='no server is called "c"'):
        attach.pick(made, ["c=x:1"], [])


def test_a_server_without_resources_is_not_asked_for_one():
    core = Core()
    core.capabilities = {"tools": {}}
    with pytest.raises(ValueError, match="there are no resources to pick from"):
        seen(core, ["ticket://2318"])
    assert [method for method, _ in core.sent] == ["tools/list"]


def test_the_messages_of_a_prompt_take_the_place_of_the_question():
    messages, lines = seen(Core(), prompt=["draft_reply", "ticket_id=2318"])
    assert [each["role"] for each in messages] == ["person"] * 3
    assert messages[0]["text"].startswith("Write a reply to ticket 2318")
    assert messages[1]["text"].startswith(
        "policy://refunds-and-payments (text/markdown)"
    )
    assert messages[2]["text"].startswith("ticket://2318 (text/markdown):\n```\n# 2318")
    # What is sent in the person's name is shown to the person.
    assert sum(line.startswith("server: prompt: ") for line in lines) == 3


BAD: list = [
    None,
    [],
    {},
    [None],
    [{"role": "system", "content": {"type": "text", "text": "obey"}}],
    [{"role": ["user"], "content": {}}],
    [{"content": {"type": "text", "text": "x"}}],
]


@pytest.mark.parametrize("listed", BAD)
def test_messages_that_are_none_end_with_a_sentence(listed):
    core = Fixed("prompts/get", {"messages": listed})
    with pytest.raises(ValueError, match='"greet": helpdesk sent'):
        seen(core, prompt=["greet"])


def test_a_block_of_a_prompt_may_be_anything():
    listed = [
        {"role": "assistant", "content": {"type": "image", "data": "aGk="}},
        {"role": "user", "content": [1]},
        {"role": "user"},
    ]
    messages, _ = seen(Fixed("prompts/get", {"messages": listed}), prompt=["greet"])
    assert [each["role"] for each in messages] == ["model", "person", "person"]
    assert messages[0]["text"].startswith("[image, of no known type, 2 bytes")
    assert messages[1]["text"] == "[a block of type null]"


# --- the command


def test_an_attached_policy_answers_the_question_without_a_call():
    uri = "policy://refunds-and-payments"
    done = run_host("Who is charged twice for the month?", "--attach", uri)
    assert said(done, "host")[1].startswith(f"attached {uri}: text/markdown, ")
    assert said(done, "server") == []
    assert said(done, "model")[0].startswith("Refunds and payments says: If a customer")
    assert done.returncode == 0


def test_a_prompt_is_answered_in_place_of_a_question():
    done = run_host("--prompt", "draft_reply", "ticket_id=2318")
    assert said(done, "person") == ["draft_reply ticket_id=2318"]
    (answer,) = said(done, "model")
    assert answer.startswith('Draft: "Thank you for your message. Our policy Refunds')
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["x", "--attach", "policy://nope"],
            b'host: "policy://nope": helpdesk answered',
        ),
        (["x", "--attach", "no=ticket://2318"], b'no server is called "no"'),
        (["--prompt", "nope"], b'host: "nope": helpdesk answered: Unknown prompt'),
        (["--prompt", "draft_reply"], b'the argument "ticket_id" is missing'),
        (["--prompt", "draft_reply", "2318"], b'"2318" is not like ticket_id=2318'),
    ],
)
def test_what_was_picked_and_is_not_there_ends_with_one_sentence_and_2(
    arguments, words
):
    done = run_host(*arguments)
    assert words in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert said(done, "model") == []
    assert done.returncode == 2


def test_all_that_can_be_attached_is_listed_over_all_pages():
    done = run_host("--resources")
    lines = said(done, "host")
    assert any(
        line.startswith("policy://refunds-and-payments  Refunds and payments, ")
        and line.endswith(" bytes")
        for line in lines
    )
    # 63 tickets, ten policies and a recording: more than a page of 50.
    assert sum(line.startswith("ticket://2") for line in lines) == 64
    assert sum(line.startswith("policy://") for line in lines) == 11
    assert lines[-1].split("  ")[0] in ("ticket://{ticket_id}/recording",)
    assert done.returncode == 0


def test_the_lists_can_be_read_by_a_program():
    found = json.loads(run_host("--resources", "--json").stdout)
    assert len(found["resources"]) == 74
    assert {each["server"] for each in found["resources"]} == {"helpdesk"}
    assert len(found["templates"]) == 3


def test_prompts_are_listed_with_their_arguments():
    done = run_host("--prompts")
    line = "draft_reply  Draft a reply ticket_id=… policy=…"
    assert said(done, "host")[1:] == [line]


def test_entries_that_no_one_could_pick_are_counted_and_left_out():
    listed = [None, {}, {"uri": 5}, {"uri": "x:1", "title": "a\x1b[2J", "size": "big"}]
    plan = {
        "discover": ABLE,
        "resources/list": [{"result": {**KEPT, "resources": listed}}],
        "resources/templates/list": [{"result": {**KEPT, "resourceTemplates": []}}],
    }
    done = run_host("--resources", "--server", line_of(modern(**plan)))
    assert said(done, "host")[1:] == [
        "x:1  a\\x1b[2J",
        "server 1: 3 without uri are left out",
    ]


def test_a_server_that_declares_none_is_said_to():
    done = run_host("--prompts", "--server", line_of(modern()))
    assert said(done, "host")[1:] == ["server 1 declares no prompts"]
    assert done.returncode == 0


def test_help_shows_how_to_attach():
    help = " ".join(run_host("--help").stdout.decode().split())
    assert '--attach ticket://2318 "What does the customer want?"' in help
    assert "--prompt draft_reply ticket_id=2318" in help
