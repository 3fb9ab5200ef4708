"""Replay: send a recording's client lines to a fresh server, compare what comes.

    python -m tools.replay transcripts/lesson-03/02-call.jsonl

The server is the one of the recording's lesson, as the code was then; or any other,
named with --server. After each client line as many lines are awaited as the recording
has there; what the client carried from an answer is taken from the new answer. Only
that, times, and what the header calls volatile, may differ.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from lessons import manifest

from tools.child import split_command
from tools.play import LIMIT, Move, PlayError, talk
from tools.transcript import (
    Transcript,
    TranscriptError,
    carried,
    compare,
    read,
    run,
)


def moves(transcript: Transcript) -> list[Move]:
    """What a client sends, and the number of answers it waits for each time."""
    made: list[Move] = []
    for each in transcript.entries:
        if each.dir == "client":
            end = b"" if each.partial else b"\n"
            made.append(Move(each.line + end, 0))
        elif each.dir == "restart":
            made.append(Move(b"", 0, each.line.decode("utf-8"), each.killed))
        elif each.dir == "server":
            # A server that speaks first is waited for before anything is sent.
            last = made.pop() if made else Move(b"", 0)
            made.append(replace(last, answers=last.answers + 1))
    return made


def replay(
    transcript: Transcript,
    command: list[str] | tuple[str, ...],
    cwd: Path | str,
    limit: float = LIMIT,
) -> Transcript:
    """The recording's client lines, and what this command says to them now.

    Raises PlayError when an awaited answer takes longer than `limit` seconds.
    """
    header = transcript.header
    name, user = header.get("session", "the recording"), header.get("user", "")
    recorded = [each.line for each in transcript.entries if each.dir == "server"]

    def fill(data: bytes, said: list[bytes]) -> bytes:
        return carried.refreshed(data, recorded, said)

    steps = moves(transcript)
    entries, playing = [], talk(command, cwd, steps, name, limit, user, fill)
    while True:
        try:
            entries.append(next(playing))
        except StopIteration as end:
            return Transcript(dict(header), entries, end.value)


def check(transcript: Transcript, server: list[str] | None = None) -> list[str]:
    """The differences on a fresh server of the recording's lesson, or on `server`.

    Another server may log what it likes. Raises PlayError, and TranscriptError where
    the recording does not say whose server it was.
    """
    if server:
        without = [each for each in transcript.entries if each.dir != "log"]
        expected = Transcript(transcript.header, without, transcript.exit)
        came = replay(transcript, server, Path.cwd())
        came.entries = [each for each in came.entries if each.dir != "log"]
        return compare(expected, came)
    header = transcript.header
    if not header.get("lesson") or not header.get("command"):
        raise TranscriptError("its header names no lesson: say which --server")
    from tools.stages import MarkError, StageError, stage_dir

    try:
        directory = stage_dir(manifest.lesson(header["lesson"]).number)
    except (MarkError, StageError, manifest.ManifestError) as error:
        raise TranscriptError(str(error)) from None
    return compare(transcript, replay(transcript, header["command"], directory))


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.replay",
        description="Replay recordings; exit code 1 when an answer differs.",
        epilog="example: python -m tools.replay transcripts/lesson-03/02-call.jsonl",
    )
    parser.add_argument("file", nargs="+", help="a transcript")
    parser.add_argument("--server", metavar="CMD", help="another server's command")
    options = parser.parse_args(words)
    try:
        server = split_command(options.server) if options.server is not None else None
    except ValueError as error:
        print(f"tools.replay: --server {options.server!r}: {error}", file=sys.stderr)
        return 2
    return max([_report(file, server) for file in options.file])


def _report(file: str, server: list[str] | None) -> int:
    """Replay one file and say what came of it: 0 good, 1 different, 2 can't be."""
    try:
        transcript = read(file)
    except TranscriptError as error:
        print(f"tools.replay: {error}", file=sys.stderr)
        return 2
    try:
        found = check(transcript, server)
    except TranscriptError as error:
        print(f"tools.replay: {file}: {error}", file=sys.stderr)
        return 2
    except PlayError as error:
        found = [str(error)]
    if not found:
        print(f"{file}: as recorded")
        return 0
    print(f"{file}: different from its recording")
    print("\n".join(found))
    return 1


if __name__ == "__main__":
    raise SystemExit(run(main))
