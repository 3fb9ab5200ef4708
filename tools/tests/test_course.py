"""The course as it stands: texts, recordings, notebooks and code are one."""

import pytest
from lessons import manifest
from tools import docs, nb, record, replay, transcript, wirecheck
from tools.stages import growth, stage_dir

SESSIONS = [session for lesson in manifest.lessons() for session in lesson.sessions]
every_session = pytest.mark.parametrize(
    "session", SESSIONS, ids=lambda session: f"{session.lesson:02}-{session.name}"
)


@every_session
def test_a_session_played_again_is_its_recording(session):
    kept = transcript.read(session.transcript)
    played = record.record(session, stage_dir(session.lesson))
    assert transcript.compare(kept, played) == []


@every_session
def test_a_recording_replays_against_its_own_stage(session):
    assert replay.check(transcript.read(session.transcript)) == []


@every_session
def test_a_recording_keeps_the_rules_of_the_protocol(session):
    _, findings = wirecheck.check_file(str(session.transcript))
    broken = [found.text for _, found in findings if found.level == "must"]
    assert bool(broken) == session.faulty, broken


def test_there_is_no_recording_without_a_session():
    wanted = {session.transcript for session in SESSIONS}
    assert set((manifest.ROOT / "transcripts").rglob("*.*")) == wanted


def test_every_lesson_has_its_parts():
    for lesson in manifest.lessons():
        name = f"lesson-{lesson.number:02}"
        assert lesson.quiz, f"{name} has no quiz"
        for part in ("README.md", "test_wire.py", "exercise/check.py"):
            assert (lesson.folder / part).exists(), f"{name} has no {part}"
        assert (manifest.ROOT / "notebooks" / f"{name}.ipynb").exists(), name


def test_the_documents_show_what_the_code_does(capsys):
    assert docs.main([]) == 0, capsys.readouterr().out


def test_the_notebooks_are_in_their_normal_form(capsys):
    assert nb.main(["--check"]) == 0, capsys.readouterr()


def test_each_lesson_only_adds():
    faults, _ = growth.check()
    assert faults == []
