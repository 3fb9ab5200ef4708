"""Recordings: the sessions of a lesson, played on that lesson's code and kept.

    python -m tools.record 03           all sessions of a lesson
    python -m tools.record 03 02-call   this one
    python -m tools.record --all        all there are
    python -m tools.record --all --check    compare, and write nothing

A session sends a line, waits for its answers, sends the next. So the order on the wire
is the same each time, and a recording changes only when the code does. What a header
calls volatile is kept when a session is recorded again, as are the values that the
client carried from an answer into a later line.
"""

import argparse
import sys
from datetime import date
from pathlib import Path

from lessons import manifest
from lessons.manifest import Session

from tools.play import LIMIT, PlayError, play
from tools import setup  # lesson-05
from tools.transcript import Transcript, TranscriptError, compare, read, run, write

__all__ = ["PlayError", "play", "record"]


def record(session: Session, directory: Path | str, limit: float = LIMIT) -> Transcript:
    """The session as a transcript, played now. Raises PlayError."""
    entries, playing = [], play(session, directory, limit)
    while True:
        try:
            entries.append(next(playing))
        except StopIteration as end:
            return Transcript(header(session), entries, end.value)


def header(session: Session) -> dict:
    """What a recording says about itself; volatile places are a person's to name."""
    try:
        volatile = read(session.transcript).header.get("volatile", [])
    except TranscriptError:
        volatile = []
    made = {
        "transcript": 1,
        "lesson": session.lesson,
        "session": session.name,
        "command": list(session.command),
    }
    made |= {"host": session.host} if session.host else {}
    made |= {"user": session.user} if session.user else {}
    made |= {"revision": manifest.REVISION, "recorder": "tools.record"}
    return made | {"recorded": date.today().isoformat(), "volatile": volatile}


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.record",
        description="Record the sessions of a lesson from that lesson's code.",
        epilog="example: python -m tools.record 03 02-call",
    )
    parser.add_argument("lesson", nargs="?", help="its number, such as 03")
    parser.add_argument("session", nargs="*", help="such as 02-call; all unless said")
    parser.add_argument("--all", action="store_true", help="every lesson's sessions")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    from tools.stages import MarkError, StageError

    options = parser.parse_args(words)
    if options.all == bool(options.lesson):
        parser.error("either a lesson or --all")
    try:
        sessions = _chosen(options)
        stray = _stray(sessions) if options.all else []
    except manifest.ManifestError as error:
        print(f"tools.record: {error}", file=sys.stderr)
        return 2
    try:  # lesson-05
        code = _elsewhere(sessions, sys.argv[1:] if words is None else words)
    except setup.SetupError as error:
        print(f"tools.record: {error}", file=sys.stderr)
        return 2
    if code is not None:  # lesson-05
        return code
    try:
        good = [_keep(session, options.check) for session in sessions]
    except (MarkError, StageError) as error:
        print(f"tools.record: {error}", file=sys.stderr)
        return 2
    for path in stray:
        print(f"{_shown(path)}: no lesson has this session; remove the file")
    return 0 if all(good) and not stray else 1


def _elsewhere(sessions: list[Session], words: list[str]) -> int | None:  # lesson-05
    """Where these sessions need packages that are missing, record in `.venv`."""
    lessons = map(manifest.lesson, {each.lesson for each in sessions})
    if not any(each.packages for each in lessons):
        return None
    return setup.elsewhere("tools.record", words, "mcp")


def _chosen(options) -> list[Session]:
    if options.all:
        return [each for lesson in manifest.lessons() for each in lesson.sessions]
    lesson = manifest.lesson(options.lesson)
    known = {each.name: each for each in lesson.sessions}
    for name in options.session:
        if name not in known:
            names = ", ".join(known)
            text = f"lesson {lesson.number:02} has no session {name[:40]!r}: there are "
            raise manifest.ManifestError(text + names)
    return [known[name] for name in options.session or known]


def _stray(sessions: list[Session]) -> list[Path]:
    """Recordings of lessons that no manifest asks for."""
    kept = (manifest.ROOT / "transcripts").glob("lesson-*/*.jsonl")
    return sorted(set(kept) - {each.transcript for each in sessions})


def _keep(session: Session, check: bool) -> bool:
    """Record one session, or compare it with its recording; False: not good."""
    from tools.stages import stage_dir

    shown = _shown(session.transcript)
    try:
        played = record(session, stage_dir(session.lesson))
        found = compare(read(session.transcript), played) if check else []
    except (PlayError, TranscriptError) as error:
        print(f"tools.record: {error}", file=sys.stderr)
        return False
    if check:
        print(
            f"{shown}: " + ("\n".join(["it differs", *found]) if found else "same"),
            flush=True,
        )
    else:
        changed = write(session.transcript, played)
        print(f"{shown}: {'written' if changed else 'unchanged'}", flush=True)
    return not found


def _shown(path: Path) -> str:
    inside = path.is_relative_to(manifest.ROOT)
    return (path.relative_to(manifest.ROOT) if inside else path).as_posix()


if __name__ == "__main__":
    raise SystemExit(run(main))
