"""Tags: the same commits in every clone, and nothing of a learner's is touched."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tools import stages
from tools.stages import tags
from tools.tests.test_stages import TREE, names

AUTHOR = ("-c", "user.name=A Learner", "-c", "user.email=learner@localhost")
NO_SYSTEM = "GIT_CONFIG_NOSYSTEM"
NAMES = ["lesson-01", "lesson-02", "lesson-03"]


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """No configuration of the person who runs the tests."""
    for name in [each for each in os.environ if each.startswith("GIT_")]:
        monkeypatch.delenv(name)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(NO_SYSTEM, "1")


def git(root: Path, *words: str) -> str:
    """What git says, whatever the environment of the test is."""
    env = {k: v for k, v in os.environ.items() if k == NO_SYSTEM or k[:4] != "GIT_"}
    done = subprocess.run(
        ["git", *AUTHOR, *words], cwd=root, env=env, capture_output=True, check=True
    )
    return done.stdout.decode("utf-8").strip()


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "Change")


def ids(root: Path) -> list[str]:
    return [git(root, "rev-parse", name) for name in NAMES]


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A small course with two commits, a program and a name to quote."""
    root = tmp_path / "origin"
    more = {
        'tools/a "b" \\ é.txt': b"quoted\n",
        ".gitattributes": b"* text=auto eol=lf\n",
        ".gitignore": b"/build/\n",
        "tools/data.bin": b"\xff\x00\r\n",
    }
    for name, data in ({n: t.encode() for n, t in TREE.items()} | more).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (root / "run").write_bytes(b"#!/bin/sh\n")
    (root / "run").chmod(0o755)
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root)
    (root / "Makefile").write_bytes(b"all: more\n")
    commit(root)
    return root


def state(root: Path) -> tuple:
    """HEAD, the index and every file, to the byte."""
    kept = {
        n: (root / n).read_bytes() for n in names(root) if not n.startswith(".git/")
    }
    inner = [root / ".git" / name for name in ("HEAD", "index", "config")]
    return git(root, "rev-parse", "HEAD"), [path.read_bytes() for path in inner], kept


def clone(origin: Path, name: str, *options: str) -> Path:
    root = origin.parent / name
    git(origin.parent, "clone", "--quiet", *options, origin.as_uri(), str(root))
    return root


def test_tags_are_a_chain_whose_trees_are_the_stages(origin, tmp_path):
    assert tags.make_tags(origin) == 3
    assert git(origin, "log", "--format=%s", "lesson-03").splitlines() == [
        "Lesson 03: Title 3",
        "Lesson 02: Title 2",
        "Lesson 01: Title 1",
    ]
    for number, name in enumerate(NAMES, 1):
        assert git(origin, "cat-file", "-t", name) == "commit"
        out = tmp_path / name
        git(origin, "worktree", "add", "--quiet", "--detach", str(out), name)
        stages.write(number, tmp_path / f"written-{number}", origin)
        assert names(out) - {".git"} == names(tmp_path / f"written-{number}")
        for each in names(tmp_path / f"written-{number}"):
            written = tmp_path / f"written-{number}" / each
            assert (out / each).read_bytes() == written.read_bytes()
            assert (out / each).stat().st_mode & 0o111 == written.stat().st_mode & 0o111
    assert git(origin, "rev-parse", "lesson-03^{tree}") == git(
        origin, "rev-parse", "HEAD^{tree}"
    )


def test_between_tags_lines_are_only_added(origin):
    tags.make_tags(origin)
    for before, after in ((1, 2), (2, 3)):
        said = git(
            origin, "diff", "--numstat", *(NAMES[n - 1] for n in (before, after))
        )
        assert said and all(line.split("\t")[1] == "0" for line in said.splitlines())


ODD_ENVIRONMENT = {
    "LC_ALL": "tr_TR.ISO-8859-9",
    "TZ": "Pacific/Chatham",
    "GIT_DIR": "nowhere",
    "GIT_INDEX_FILE": "nowhere",
    "GIT_OBJECT_DIRECTORY": "nowhere",
    "GIT_AUTHOR_DATE": "2001-01-01T00:00:00",
    "GIT_COMMITTER_NAME": "Somebody Else",
}


def odd(root: Path) -> None:
    """A clone with all that could have a say, and changed files."""
    for name, value in {
        "core.autocrlf": "true",
        "core.quotePath": "true",
        "core.ignoreCase": "true",
        "commit.gpgSign": "true",
        "tag.gpgSign": "true",
        "log.showSignature": "true",
        "grep.patternType": "fixed",
        "i18n.commitEncoding": "ISO-8859-1",
        "i18n.logOutputEncoding": "UTF-16",
        "fastimport.unpackLimit": "1",
        "user.name": "Somebody Else",
    }.items():
        git(root, "config", name, value)
    first = git(root, "rev-parse", "HEAD:README.md")
    git(root, "replace", first, git(root, "rev-parse", "HEAD:Makefile"))
    (root / "handwritten" / "core.py").write_text("not Python (", "utf-8")
    (root / "handwritten" / "new.py").write_text("a = 1\n", "utf-8")
    (root / "README.md").unlink()
    (root / "Makefile").write_text("staged\n", "utf-8")
    git(root, "-c", "core.autocrlf=false", "add", "Makefile")
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("reference-transaction", "post-update", "pre-commit", "update"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n", "utf-8")
        (hooks / name).chmod(0o755)


def test_every_clone_makes_the_same_commits_and_nothing_else(origin, monkeypatch):
    clones = [
        clone(origin, "plain"),
        clone(origin, "shallow", "--depth", "1"),
        clone(origin, "odd é ' clone", "--config", "core.autocrlf=true"),
    ]
    odd(clones[2])
    made = []
    for root in clones:
        before = state(root)
        with monkeypatch.context() as changed:
            if root is clones[2]:
                for name, value in ODD_ENVIRONMENT.items():
                    changed.setenv(name, value)
            assert tags.make_tags(root) == 3
        assert state(root) == before
        made.append(ids(root))
    assert made[0] == made[1] == made[2]
    assert git(clones[0], "for-each-ref", "--format=%(refname)").splitlines() == [
        "refs/heads/main",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
        *(f"refs/tags/{name}" for name in NAMES),
    ]


def test_a_second_run_changes_nothing_and_says_so(origin, capsys):
    assert stages.main(["tags"], origin) == 0
    assert capsys.readouterr().out == "made 3 tags: lesson-01 to lesson-03\n"
    before = ids(origin)
    assert stages.main(["tags"], origin) == 0
    assert capsys.readouterr().out.startswith("nothing to do")
    assert ids(origin) == before


@pytest.mark.parametrize("kind", [("tag",), ("tag", "-a", "-m", "Stage-Of: mine")])
def test_a_tag_of_the_learner_is_never_changed(origin, capsys, kind):
    git(origin, *kind, "lesson-02")
    mine = git(origin, "rev-parse", "lesson-02")
    assert stages.main(["tags"], origin) == 1
    said = capsys.readouterr().err
    assert "lesson-02 was not made by this command" in said and said.count("\n") == 1
    assert git(origin, "tag").splitlines() == ["lesson-02"]
    assert git(origin, "rev-parse", "lesson-02") == mine


def test_a_missing_tag_is_made_again(origin):
    tags.make_tags(origin)
    before = ids(origin)
    git(origin, "tag", "-d", "lesson-02")
    assert tags.make_tags(origin) == 3
    assert ids(origin) == before


def test_tags_of_an_older_commit_are_known_and_replaced(origin, capsys):
    assert not tags.tags_are_old(origin)
    tags.make_tags(origin)
    assert not tags.tags_are_old(origin)
    before = ids(origin)
    (origin / "tools" / "a.py").write_text('"""Newer."""\n', "utf-8")
    assert not tags.tags_are_old(origin), "only what is committed counts"
    commit(origin)
    assert tags.tags_are_old(origin)
    assert stages.main(["check"], origin) == 0
    assert "make tags" in capsys.readouterr().out
    assert tags.make_tags(origin) == 3
    assert not tags.tags_are_old(origin)
    assert not set(ids(origin)) & set(before)


def test_own_tags_of_another_lesson_are_left_alone(origin):
    tags.make_tags(origin)
    git(origin, "tag", "lesson-09", "lesson-01")
    (origin / "Makefile").write_bytes(b"again:\n")
    commit(origin)
    mine = git(origin, "rev-parse", "lesson-09")
    tags.make_tags(origin)
    assert git(origin, "rev-parse", "lesson-09") == mine


def test_at_a_stage_no_tags_are_made(origin, capsys):
    tags.make_tags(origin)
    before = ids(origin)
    git(origin, "checkout", "--quiet", "lesson-02")
    assert stages.latest(origin) == 2
    assert not tags.tags_are_old(origin)
    for _ in range(2):
        assert stages.main(["tags"], origin) == 1
        assert "this checkout is stage 02" in capsys.readouterr().err
        assert ids(origin) == before
        (origin / "mine.txt").write_text("an exercise\n", "utf-8")
        if git(origin, "status", "--porcelain"):
            commit(origin)  # work on top of a stage is no course either
    git(origin, "checkout", "--quiet", "main")
    assert stages.main(["tags"], origin) == 0


def test_a_wrong_mark_in_the_commit_changes_no_tag(origin, capsys):
    tags.make_tags(origin)
    before = ids(origin)
    (origin / "tools" / "a.py").write_text('"""A."""\na = 1  # Lesson 2\n', "utf-8")
    commit(origin)
    assert stages.main(["tags"], origin) == 1
    assert capsys.readouterr().err.startswith("tools/a.py:2: ")
    assert ids(origin) == before


def test_a_download_without_git_has_no_tags_and_everything_else(
    origin, tmp_path, capsys
):
    stages.write(3, tmp_path / "zip", origin)
    assert stages.main(["tags"], tmp_path / "zip") == 2
    assert "is not a git repository" in capsys.readouterr().err
    assert stages.main(["check"], tmp_path / "zip") == 0
    assert not tags.tags_are_old(tmp_path / "zip")


def test_a_download_inside_another_repository_is_not_that_repository(origin, capsys):
    inner = origin / "my" / "zip"
    stages.write(3, inner, origin)
    assert stages.main(["tags"], inner) == 2
    assert git(origin, "tag") == ""


def test_without_a_commit_or_without_git_it_is_said(
    tmp_path, origin, monkeypatch, capsys
):
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "--quiet")
    assert stages.main(["tags"], empty) == 2
    assert "no commit" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(empty))
    assert stages.main(["tags"], origin) == 2
    said = capsys.readouterr().err
    assert "git could not be started" in said and said.count("\n") == 1


def test_the_names_of_commits_hold_on_every_machine(origin):
    """A fixed tree gives fixed ids: what one class sees, every class sees."""
    tags.make_tags(origin)
    said = git(origin, "cat-file", "commit", "lesson-01")
    who = "The lessons <lessons@localhost> 1785200400 +0000"
    tree = git(origin, "rev-parse", "HEAD^{tree}")
    assert said.splitlines()[1:] == [
        f"author {who}",
        f"committer {who}",
        "",
        "Lesson 01: Title 1",
        "",
        "The repository as of this lesson, made by `make tags`.",
        "",
        f"Stage-Of: {tree}",
    ]
    assert re.fullmatch("[0-9a-f]{40}", tree)
