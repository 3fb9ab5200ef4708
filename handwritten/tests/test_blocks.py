"""Content blocks: five kinds, and each is what it says. (lesson 06)"""

import base64
import io
import itertools
import json
import struct
import wave
import zlib

import pytest
from handwritten.helpdesk import TOOLS, chart, icons
from handwritten.helpdesk.png import png
from handwritten.helpdesk.tickets import tickets
from handwritten.tests.talk import ask, connect

ICON = """
................ ................ ................ .##############.
.#............#. .#............#. .#..########..#. ##............##
#.............#. ##............## .#..######....#. .#............#.
.##############. ................ ................ ................
"""


def call(name: str, **arguments) -> dict:
    params = {"name": name, "arguments": arguments}
    result = ask(connect(), "tools/call", params)["result"]
    assert result["isError"] is False, result
    return result


def blocks(result: dict, kind: str) -> list[dict]:
    return [block for block in result["content"] if block["type"] == kind]


def pixels(data: bytes) -> list[list[int]]:
    """The picture of a PNG with 2 bits a pixel, every checksum checked."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, parts = 8, {}
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place : place + 8])
        held = data[place + 8 : place + 8 + size]
        (check,) = struct.unpack(">I", data[place + 8 + size : place + 12 + size])
        assert zlib.crc32(kind + held) == check
        parts[kind] = held
        place += 12 + size
    assert list(parts) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert form == [2, 3, 0, 0, 0]
    raw = zlib.decompress(parts[b"IDAT"])
    step = width // 4 + 1
    assert len(raw) == height * step
    rows = [raw[start : start + step] for start in range(0, len(raw), step)]
    assert all(row[0] == 0 for row in rows)
    return [
        [byte >> shift & 3 for byte in row[1:] for shift in (6, 4, 2, 0)]
        for row in rows
    ]


def test_the_chart_has_a_block_for_each_ticket_in_the_color_of_its_status():
    result = call("chart_tickets")
    (image,) = blocks(result, "image")
    assert image["mimeType"] == "image/png"
    drawn = pixels(base64.b64decode(image["data"], validate=True))
    days = result["structuredContent"]["days"]
    assert len(drawn[0]) == 8 * len(days)
    for place, day in enumerate(days):
        column = [row[8 * place] for row in drawn]
        for color, status in enumerate(chart.STATUSES, 1):
            height = chart.HEIGHT - chart.GAP
            assert column.count(color) == height * day[status]
        assert [row[8 * place + 5] for row in drawn] == column
        assert not any(row[8 * place + 6] or row[8 * place + 7] for row in drawn)


def test_the_counts_are_those_of_all_tickets_and_no_day_is_left_out():
    days = call("chart_tickets")["structuredContent"]["days"]
    names = [day["day"] for day in days]
    assert (names[0], names[-1], len(names)) == ("2026-10-03", "2026-11-04", 33)
    assert names == sorted(set(names))
    counted = sum(day[status] for day in days for status in chart.STATUSES)
    assert counted == len(tickets())


@pytest.mark.parametrize("size", [1, 1000, 65_535, 65_536, 200_000])
def test_a_picture_of_any_size_can_be_read(size):
    row = bytes(number % 251 for number in range(size))
    (found,) = pixels(png([row], chart.PALETTE))
    assert len(found) == 4 * size
    last = found[-4:]
    assert last[0] << 6 | last[1] << 4 | last[2] << 2 | last[3] == row[-1]


def test_the_icon_is_this_drawing():
    rows = []
    for line in ICON.split():
        bits = "".join("11" if mark == "#" else "00" for mark in line)
        rows.append(int(bits, 2).to_bytes(4, "big"))
    data = base64.b64encode(png(rows, chart.PALETTE)).decode()
    assert icons.ICONS[0]["src"] == f"data:image/png;base64,{data}"


def test_the_recording_is_two_rising_tones():
    result = call("get_recording", ticket_id="2341")
    (audio,) = blocks(result, "audio")
    assert audio["mimeType"] == "audio/wav"
    data = base64.b64decode(audio["data"], validate=True)
    assert len(data) == result["structuredContent"]["bytes"]
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 1)
        rate, samples = file.getframerate(), file.readframes(file.getnframes())
    halves = samples[: len(samples) // 2], samples[len(samples) // 2 :]
    for half, tone in zip(halves, (660, 880), strict=True):
        rises = sum(a < b for a, b in itertools.pairwise(half))
        assert rises * rate / len(half) == pytest.approx(tone, rel=0.02)


def test_the_data_of_a_picture_or_a_sound_stands_once_and_not_in_the_text():
    # google-gemini/gemini-cli#17923: base64 as text is paid for by the token
    for result in (call("chart_tickets"), call("get_recording", ticket_id="2341")):
        (binary,) = blocks(result, "image") + blocks(result, "audio")
        rest = json.dumps([result["structuredContent"], blocks(result, "text")])
        assert binary["data"][:100] not in rest


def test_an_address_that_leads_to_no_text_is_a_tool_error_that_says_where_to_go():
    params = {"name": "read_address", "arguments": {"uri": "ticket://2341/recording"}}
    result = ask(connect(), "tools/call", params)["result"]
    assert result["isError"] is True
    assert "get_recording" in result["content"][0]["text"]


@pytest.mark.parametrize("uri", ["policy://calendar-sync", "ticket://2318"])
def test_what_is_embedded_is_what_would_be_read(uri):
    result = call("read_address", uri=uri)
    (block,) = result["content"]
    read = ask(connect(), "resources/read", {"uri": uri})["result"]["contents"]
    assert [block["resource"]] == read
    assert block["annotations"] == {"audience": ["assistant"]}
    assert "structuredContent" not in result


def test_the_links_of_a_draft_lead_somewhere():
    result = call("start_draft", ticket_id="2319")
    links = [block["uri"] for block in blocks(result, "resource_link")]
    assert links[0] == "ticket://2319"
    assert links[1:] == result["structuredContent"]["policies"]
    assert links[1] == "policy://calendar-sync"
    for uri in links:
        assert "result" in ask(connect(), "resources/read", {"uri": uri})


def test_data_stands_as_text_too():
    for name in ("chart_tickets", "list_tickets", "list_drafts"):
        result = call(name)
        (block,) = blocks(result, "text")
        assert json.loads(block["text"]) == result["structuredContent"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_address", {"uri": "policy://nope"}),
        ("read_address", {"uri": "policy://..%2Fx"}),
        ("read_address", {"uri": "\ud83d"}),
        ("get_recording", {"ticket_id": "2318"}),
        ("get_recording", {"ticket_id": "#2341"}),
        ("start_draft", {"ticket_id": "#2318"}),
    ],
)
def test_what_is_not_there_is_a_tool_error_that_says_what_would_be_right(
    name, arguments
):
    params = {"name": name, "arguments": arguments}
    result = ask(connect(), "tools/call", params)["result"]
    assert result["isError"] is True
    text = result["content"][0]["text"]
    assert "policy://" in text or "2341" in text or "for example" in text


def test_each_result_keeps_the_promise_of_its_schema():
    jsonschema = pytest.importorskip("jsonschema")
    given = {
        "chart_tickets": {},
        "list_tickets": {"status": "open"},
        "get_recording": {"ticket_id": "2341"},
        "start_draft": {"ticket_id": "2318"},
        "list_drafts": {},
    }
    for name, arguments in given.items():
        schema = TOOLS[name][0]["outputSchema"]
        jsonschema.validate(call(name, **arguments)["structuredContent"], schema)
