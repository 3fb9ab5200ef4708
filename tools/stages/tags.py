"""Tags: the stages as local git tags lesson-01, lesson-02 … in a chain of commits.

The rule: the same commits in every clone. They are made from the committed tree of HEAD
alone, with git's plumbing, a fixed identity and fixed dates; no configuration, hook,
time zone or changed file has a say. The work tree, the index and HEAD are not touched,
and a tag that was not made here is never changed: the trailer tells which are ours.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

from lessons.manifest import ROOT
from tools.stages.marks import MarkError
from tools.stages.contents import (
    StageError,
    added,
    belongs,
    changes,
    content,
    highest,
    manifests,
)

WHO = b"The lessons <lessons@localhost>"
FIRST = 1785196800  # 2026-07-28, the day of the revision; each lesson an hour later
HOUR = 3600  # seconds
TRAILER = re.compile(rb"^Stage-Of: ([0-9a-f]{40,64})$", re.MULTILINE)
TITLE = re.compile(rb"^Lesson ([0-9]{2}): ", re.MULTILINE)

# What a clone may have configured and these commands must not heed.
SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.ignoreCase=false",
    "core.quotePath=false",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
)
FIXED = {"LC_ALL": "C", "TZ": "UTC", "GIT_NO_REPLACE_OBJECTS": "1"}
HEEDED = ("GIT_EXEC_PATH", "GIT_CONFIG")  # where git is, and whom it trusts


class Refused(Exception):
    """Tags that must not be made, as one sentence."""


class Entry(NamedTuple):
    """One file of a git tree."""

    mode: bytes
    id: bytes


def _git(root: Path, *words: str, data: bytes = b"") -> bytes:
    """What git answers. Raises StageError where it can't."""
    settings = [word for each in SETTINGS for word in ("-c", each)]
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(HEEDED)
    }
    try:
        done = subprocess.run(
            ["git", *settings, *words],
            cwd=root,
            env=kept | FIXED,
            input=data,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise StageError(f"git could not be started: {error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise StageError(f"git {words[0]} failed: {said[:200]}")
    return done.stdout


def _tree(root: Path) -> str:
    """The tree id of HEAD. Raises StageError where there is none."""
    if not (root / ".git").exists():
        raise StageError(f"{root} is not a git repository, so it can't have tags")
    try:
        return _git(root, "rev-parse", "--verify", "HEAD^{tree}").decode().strip()
    except StageError as error:
        raise StageError(f"there is no commit to make tags from ({error})") from None


def _objects(root: Path, names: list[str]) -> list[tuple[bytes, bytes, bytes] | None]:
    """(id, type, content) of each object; None where there is none."""
    output = _git(root, "cat-file", "--batch", data="\n".join([*names, ""]).encode())
    found: list[tuple[bytes, bytes, bytes] | None] = []
    at = 0
    for _ in names:
        end = output.index(b"\n", at)
        words = output[at:end].split(b" ")
        at = end + 1
        if words[-1] == b"missing":
            found.append(None)
        else:
            size = int(words[2])
            found.append((words[0], words[1], output[at : at + size]))
            at += size + 1
    return found


def _entries(root: Path) -> dict[str, Entry]:
    entries = {}
    for line in _git(root, "ls-tree", "-r", "-z", "--full-tree", "HEAD").split(b"\0"):
        if line:
            about, _, name = line.partition(b"\t")
            mode, _, id = about.split(b" ")
            entries[name.decode("utf-8", "surrogateescape")] = Entry(mode, id)
    return entries


def _ours(object: tuple[bytes, bytes, bytes] | None) -> bytes | None:
    """The tree that one of our stages was made from."""
    if object and object[1] == b"commit" and b"\ncommitter " + WHO in object[2]:
        found = TRAILER.search(object[2])
        return found[1] if found else None
    return None


def _stage_below(root: Path) -> str:
    """The stage that this checkout stands on; "" on any other branch."""
    which = ("--fixed-strings", "--grep=Stage-Of: ", "--author=lessons@localhost")
    said = _git(root, "rev-list", "-1", "--format=%B", *which, "HEAD")
    found = TITLE.search(said)
    return found[1].decode() if found else ""


def make_tags(root: Path = ROOT) -> int:
    """Make the tags of all lessons: how many, 0 where they are right already.

    Raises Refused before anything was changed, MarkError, StageError.
    """
    tree = _tree(root)
    if below := _stage_below(root):
        raise Refused(
            f"this checkout is stage {below}; run it from the branch you came from"
        )
    entries = _entries(root)
    names = [f"lesson-{number:02}" for number in range(1, highest(entries) + 1)]
    tags = _objects(root, [f"refs/tags/{name}" for name in names])
    for name, tag in zip(names, tags, strict=True):
        if tag and not _ours(tag):
            raise Refused(
                f"the tag {name} was not made by this command; keep it under another "
                f"name (git tag my-{name} {name}), delete it (git tag -d {name}), and "
                "run this again"
            )
    if not names:
        raise StageError("the commit of HEAD holds no lesson to make a tag of")
    if all(_ours(tag) == tree.encode() for tag in tags):
        return 0
    _git(
        root,
        "fast-import",
        "--quiet",
        "--force",
        "--done",
        "--date-format=raw",
        data=_stream(root, tree, entries, names),
    )
    return len(names)


def _stream(
    root: Path, tree: str, entries: dict[str, Entry], names: list[str]
) -> bytes:
    """What fast-import reads: one commit for each lesson."""
    needed = [name for name in entries if changes(name)] + manifests(entries)
    found = _objects(root, [entries[name].id.decode() for name in needed])
    contents = {name: each[2] for name, each in zip(needed, found, strict=True) if each}
    adds = added({name: contents[name] for name in manifests(contents)})
    lines = []
    for number, tag in enumerate(names, 1):
        message = _message(number, tree, contents)
        ref = b"refs/tags/%s\n" % tag.encode()
        lines += [b"reset ", ref, b"\n", b"commit ", ref, b"mark :%d\n" % number]
        lines.append(b"committer %s %d +0000\n" % (WHO, FIRST + HOUR * number))
        lines.append(b"data %d\n%s\n" % (len(message), message))
        if number > 1:
            lines.append(b"from :%d\n" % (number - 1))
        lines.append(b"deleteall\n")
        for name, entry in entries.items():
            if belongs(name, number, adds):
                lines.append(_modify(name, entry, contents.get(name), number))
    return b"".join([*lines, b"done\n"])


def _modify(name: str, entry: Entry, data: bytes | None, number: int) -> bytes:
    path = name.encode("utf-8", "surrogateescape")
    for letter, written in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        path = path.replace(letter, written)
    if data is None or (made := content(name, data, number)) == data:
        return b'M %s %s "%s"\n' % (entry.mode, entry.id, path)  # HEAD's own object
    if made is None:
        return b""
    size = len(made)
    return b'M %s inline "%s"\ndata %d\n%s\n' % (entry.mode, path, size, made)


def _message(number: int, tree: str, contents: dict[str, bytes]) -> bytes:
    name = next(n for n in contents if n.startswith(f"lessons/{number:02}-"))
    title = tomllib.loads(contents[name].decode("utf-8"))["title"]
    return (
        f"Lesson {number:02}: {title}\n\n"
        "The repository as of this lesson, made by `make tags`.\n\n"
        f"Stage-Of: {tree}\n"
    ).encode()


def tags_are_old(root: Path = ROOT) -> bool:
    """Whether tags of ours were made from another commit than this checkout's."""
    try:
        tree = _tree(root)
        if _stage_below(root):
            return False
        names = _git(root, "tag", "--list", "lesson-[0-9][0-9]").decode().split()
        tags = _objects(root, [f"refs/tags/{name}" for name in names])
    except StageError:
        return False
    return any(_ours(tag) not in (None, tree.encode()) for tag in tags)


def main(root: Path = ROOT) -> int:
    """Make the tags and say what was done."""
    try:
        count = make_tags(root)
    except (Refused, MarkError) as error:
        print(error, file=sys.stderr)
        return 1
    if count:
        print(f"made {count} tags: lesson-01 to lesson-{count:02}")
    else:
        print("nothing to do: the tags are those of this checkout")
    return 0
