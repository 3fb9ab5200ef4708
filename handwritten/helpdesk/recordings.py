"""What customers recorded, and the tool that plays it. (lesson 06)

The one recording is of ticket 2341: the two rising tones with which a turnstile says
that it opens. It is made here, of numbers alone, so it is the same everywhere.
"""

import functools
import io

from handwritten import content
from handwritten.helpdesk.define import COUNT, READS, TEXT, TICKET_ID, record, tool
from handwritten.text import quote
from handwritten.tools import Call, ToolError

RECORDINGS: dict = {
    "2341": {
        "heard": "Two rising tones: the turnstile's sign that it opens.",
        "at": "2026-10-11T22:04:00Z",
        "tones": (660, 880),  # how often a second
    }
}
KIND = "audio/wav"
RATE, SECONDS = 8000, 0.25  # samples a second; how long each tone is
GET_RECORDING: dict = tool(
    "get_recording",
    "Get recording",
    "Fetch a sound recorded by a customer, plus a description.",
    {"ticket_id": TICKET_ID},
    outputSchema=record(
        {"uri": TEXT, "heard": TEXT, "at": TEXT, "mimeType": TEXT, "bytes": COUNT}
    ),
    annotations=READS,
)


def get_recording(call: Call) -> content.Content:
    """The sound, and in words what is on it. Raises ToolError: there is none."""
    about, sound = found(call.arguments["ticket_id"])
    played = content.audio(sound, KIND, audience=["user", "assistant"], priority=0.9)
    return content.Content(played, data=about)


def found(number: str) -> tuple[dict, bytes]:
    """What is known of it, and the sound. Raises ToolError: there is none."""
    if number not in RECORDINGS:
        right = f"There is one for ticket {', '.join(RECORDINGS)}."
        raise ToolError(f"No recording for ticket {quote(number)}. {right}")
    sound, kept = wave_file(number), RECORDINGS[number]
    said = {name: kept[name] for name in ("heard", "at")}
    about = {"uri": f"ticket://{number}/recording", **said, "mimeType": KIND}
    return {**about, "bytes": len(sound)}, sound


@functools.cache
def wave_file(number: str) -> bytes:
    """A WAV file: one channel, 8 bits a sample, where 128 is silence."""
    import wave

    each = int(RATE * SECONDS)
    samples = [
        # A square wave needs no sine, and no rounding that could differ.
        128 + (16 if 2 * tone * position // RATE % 2 else -16)
        for tone in RECORDINGS[number]["tones"]
        for position in range(each)
    ]
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(RATE)
        file.writeframes(bytes(samples))
    return held.getvalue()
