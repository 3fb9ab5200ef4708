"""The course as it stands: texts, recordings, notebooks and code are one."""

import contextlib  # lesson-05
import dataclasses  # lesson-05
import functools  # lesson-05
import os  # lesson-05
import tempfile  # lesson-05

import pytest
from lessons import manifest
from lessons.warmed import sdk_words  # lesson-05
from tools import docs, nb, record, replay, transcript, wirecheck
from tools.stages import growth, stage_dir

SESSIONS = [session for lesson in manifest.lessons() for session in lesson.sessions]


def session_id(session) -> str:
    return f"{session.lesson:02}-{session.name}"


every_session = pytest.mark.parametrize("session", SESSIONS, ids=session_id)


@pytest.fixture(scope="module")
def warm_sdk():  # lesson-05
    """What gives the words that start the SDK's server of a lesson, many times."""
    with contextlib.ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="course-")
        folder = stack.enter_context(made)

        @functools.cache
        def of(lesson: int) -> list[str]:
            warm = sdk_words(os.path.join(folder, f"{lesson}"), stage_dir(lesson))
            return stack.enter_context(warm)

        yield of


@every_session
def test_a_session_played_again_is_its_recording(session, request):
    kept = transcript.read(session.transcript)
    if session.command[:3] == ("python", "-m", "sdk"):  # lesson-05
        words = request.getfixturevalue("warm_sdk")(session.lesson)
        command = (*words, *session.command[3:])
        session = dataclasses.replace(session, command=command)
    played = record.record(session, stage_dir(session.lesson))
    assert transcript.compare(kept, played) == []


# Replaying costs as much as recording again, and says the same of what is played aside.
@pytest.mark.parametrize(
    "session", [each for each in SESSIONS if not each.aside], ids=session_id
)
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
