"""What a lesson says about itself: `lesson.toml`, read once for every tool.

A lesson is a folder `lessons/NN-slug/`. Its manifest holds the title, the puzzle,
the goals, the sessions that are recorded and the quiz. A session is a list of
steps; each step sends one line to a server:

    request = "tools/call"       a request: id 1, 2, 3 … in the session, `_meta` added
    notification = "…"           a message without an id
    line = "not JSON"            these characters, as they are
    base64 = "/w=="              these bytes, as they are

`params`, `id` and `meta` are JSON texts (`meta = "false"` leaves `_meta` out), `end`
is what ends the line (a newline unless said), and `answers` counts the lines that come
back: one for a request, none for a notification; a raw line has to say. In a line,
`{{1.nextCursor}}` is a member of the result that request 1 had (see tools.earlier).

A session's `user` is the person whom its server serves (HELPDESK_USER). A step with
`restart = true` first ends the server and starts a new one on the same data, for
`user` where the step names another person; `kill = true` gives the old one no time to
leave. Such a step may have a line, or not. After the sessions and the host's answer,
the commands under `programs` are run and shown.
"""

import base64
import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from tools import earlier

ROOT = Path(__file__).resolve().parent.parent
REVISION = "2026-07-28"

# What the hand-typing client of the recordings says of itself in every request.
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "terminal", "version": "0.1.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class ManifestError(Exception):
    """A lesson.toml that can't be used; the text names the file and the rule."""


@dataclass(frozen=True)
class Step:
    """One line to the server, with the words around it."""

    data: bytes  # what is sent, its line ending included
    answers: int  # how many lines come back
    note: str  # said before the line
    then: str  # said after the answer
    ask: str  # what `--step` asks before the answer is shown
    restart: str | None = None  # for whom a new server runs from here on
    kill: bool = False  # the old one is given no time


@dataclass(frozen=True)
class Session:
    """One recorded conversation: a command and the lines it is sent."""

    lesson: int
    name: str  # "02-call": also the name of the recording
    title: str
    about: str
    command: tuple[str, ...]  # "python" as first word is this interpreter
    steps: tuple[Step, ...]
    host: str  # a question: then the host of the stage does the talking
    faulty: bool = False  # its server breaks the rules on purpose
    aside: bool = False  # recorded, and not shown when the lesson is run
    user: str = ""  # whom the server serves; "" is its default

    @property
    def transcript(self) -> Path:
        """Where the recording is kept."""
        folder = ROOT / "transcripts" / f"lesson-{self.lesson:02}"
        return folder / f"{self.name}.jsonl"


@dataclass(frozen=True)
class Program:
    """A command whose output belongs to the lesson's run, after the sessions."""

    title: str
    command: tuple[str, ...]  # "python" as first word is that of `.venv`


@dataclass(frozen=True)
class Answer:
    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Question:
    """One quiz question; it is answered when exactly the right answers are named."""

    text: str
    answers: tuple[Answer, ...]
    why: str


@dataclass(frozen=True)
class Lesson:
    number: int
    slug: str
    title: str
    minutes: int
    puzzle: str
    goals: tuple[str, ...]
    question: str  # what the host is asked at the end of a run; "" before lesson 03
    todo: tuple[str, ...]  # what to read and do next
    spec: tuple[str, ...]  # pages of the specification, "server/tools"
    adds: tuple[str, ...]  # files that can't carry a mark and belong to this lesson
    words: tuple[str, ...]  # names the text may mention though no file holds them
    sessions: tuple[Session, ...] = field(repr=False)
    quiz: tuple[Question, ...] = field(repr=False)
    programs: tuple[Program, ...] = ()  # run after that; they may need the packages
    packages: bool = False  # whether its servers and its host need them as well

    @property
    def folder(self) -> Path:
        return ROOT / "lessons" / f"{self.number:02}-{self.slug}"


def lessons(root: Path = ROOT) -> list[Lesson]:
    """All lessons of this checkout, in order."""
    return [_read(path) for path in sorted((root / "lessons").glob("*/lesson.toml"))]


def lesson(number: int | str) -> Lesson:
    """One lesson by its number (3, "3" or "03")."""
    known = {each.number: each for each in lessons()}
    if re.fullmatch("[0-9]{1,2}", str(number)) and int(number) in known:
        return known[int(number)]
    names = ", ".join(f"{each:02}" for each in known)
    raise ManifestError(f"no lesson {str(number)[:40]!r} here: there are {names}")


def _read(path: Path) -> Lesson:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        number = table["number"]
        made = Lesson(
            number=number,
            slug=table["slug"],
            title=table["title"],
            minutes=table["minutes"],
            puzzle=table["puzzle"].strip(),
            goals=tuple(table["goals"]),
            question=table.get("question", ""),
            packages=table.get("packages", False),
            programs=tuple(
                Program(each["title"], tuple(each["command"]))
                for each in table.get("programs", ())
            ),
            todo=tuple(table.get("todo", ())),
            spec=tuple(table["spec"]),
            adds=tuple(table.get("adds", ())),
            words=tuple(table.get("words", ())),
            sessions=tuple(session(number, each) for each in table["sessions"])
            + asides(number, path.parent),
            quiz=tuple(_question(each) for each in table.get("quiz", ())),
        )
    except KeyError as error:
        raise ManifestError(f"{path}: the key {error} is missing") from None
    except (tomllib.TOMLDecodeError, TypeError, ValueError) as error:
        raise ManifestError(f"{path}: {error}") from None
    if path.parent.name != f"{made.number:02}-{made.slug}":
        raise ManifestError(f"{path}: number and slug do not make the folder's name")
    return made


def asides(number: int, folder: Path) -> tuple[Session, ...]:
    """What shows the rows of a lesson's deviations.toml, where there is one."""
    path = folder / "deviations.toml"
    if not path.is_file():
        return ()
    rows = tomllib.loads(path.read_text("utf-8"))["deviations"]
    kept = [row for row in rows if row.get("recorded", not row.get("sometimes"))]
    return tuple(aside(number, row) for row in kept)


def aside(number: int, row: dict) -> Session:
    """The lines of one deviation, for the SDK's server as it comes."""
    played = {
        "name": f"sdk-{row['name']}",
        "title": row["rule"],
        "server": ["python", "-m", "sdk", "--plain"],
        "steps": row["steps"],
        "faulty": row.get("faulty", False),
        "aside": True,
    }
    return session(number, played)


def session(number: int, table: dict) -> Session:
    ids = iter(range(1, 1000))
    user = _user(table, "")
    steps = []
    for each in table.get("steps", ()):
        steps.append(_step(each, ids, user))
        user = steps[-1].restart if steps[-1].restart is not None else user
    return Session(
        lesson=number,
        name=table["name"],
        title=table["title"],
        about=table.get("about", ""),
        command=tuple(table.get("server", ("python", "-m", "handwritten"))),
        steps=tuple(steps),
        host=table.get("host", ""),
        faulty=table.get("faulty", False),
        aside=table.get("aside", False),
        user=_user(table, ""),
    )


def _user(table: dict, usual: str) -> str:
    user = table.get("user", usual)
    if not isinstance(user, str) or not user.isprintable():
        raise ValueError(f"the user {user!r} is no name")
    return user


def _step(table: dict, ids, user: str) -> Step:
    """One step; `user` is the person of the server before it."""
    restart = table.get("restart", False)
    if not restart and ("user" in table or "kill" in table):
        raise ValueError("a step with user or kill needs restart = true")
    if restart and not {"line", "base64", "request", "notification"} & set(table):
        data, answers = b"", table.get("answers", 0)
    else:
        data, answers = _line(table, ids)
        data += table.get("end", "\n").encode("utf-8")
    earlier.check(data)
    return Step(
        data=data,
        answers=answers,
        note=table.get("note", ""),
        then=table.get("then", ""),
        ask=table.get("ask", ""),
        restart=_user(table, user) if restart else None,
        kill=table.get("kill", False),
    )


def _line(table: dict, ids) -> tuple[bytes, int]:
    """What a step sends, without its end, and how many lines come back."""
    if "line" in table:
        data, answers = table["line"].encode("utf-8"), table["answers"]
    elif "base64" in table:
        data, answers = base64.b64decode(table["base64"]), table["answers"]
    else:
        message: dict = {"jsonrpc": "2.0"}
        params = json.loads(table.get("params", "{}"))
        if "request" in table:
            message["id"] = json.loads(table["id"]) if "id" in table else next(ids)
            message["method"] = table["request"]
            meta = json.loads(table.get("meta", json.dumps(META)))
            answers = table.get("answers", 1)
        else:
            message["method"] = table["notification"]
            meta, answers = False, table.get("answers", 0)
        if meta is not False:
            params["_meta"] = meta
        if params:
            message["params"] = params
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        data = text.encode("utf-8")
    return data, answers


def _question(table: dict) -> Question:
    answers = [
        Answer(each["text"], each.get("right", False), each.get("why", ""))
        for each in table["answers"]
    ]
    if not any(answer.right for answer in answers):
        raise ValueError(f"the question {table['text']!r} has no right answer")
    return Question(table["text"], tuple(answers), table["why"])
