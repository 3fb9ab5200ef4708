"""Checks the exercise of lesson 07: `python check.py server.py`.

The file runs in one process, with a clock, a person and a key that the check hands in.
Each rule is an attack on the state of a question, or a use of it that must stay
possible. After each, the orders are counted. The first that does not hold is told.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lessons.manifest import META
from tools.child import Child
from tools.transcript.lines import printable

FILE = "server.py"
LIMIT = 10.0  # seconds for one request
RUNNER = Path(__file__).with_name("runner.py")
PRINTED = 5  # lines of the learner's own output
NOON = 1_900_000_000  # seconds since 1970
LIFE = 10 * 60
KEY, OTHER_KEY = "11" * 32, "22" * 32
LEAST = 16  # bytes of a MAC, or letters that stand for it
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ABLE = {**META, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}


class NotYet(Exception):
    """given, came, expected, why: a sentence each, for the learner."""

    def __init__(self, given: str, came: object, expected: str, why: str):
        parts = {"given": given, "came": came, "expected": expected, "why": why}
        rows = [f"{key + ':':<10}{short(part)}" for key, part in parts.items()]
        super().__init__("\n".join(rows))


class Shop:
    """The learner's server in its process."""

    def __init__(self, path: Path):
        self.child = Child(["python", str(RUNNER), str(path)])
        self.orders = 0  # as of the last request
        self.compared: list[int] = []
        self.number = 0

    def call(self, given: str = "", *, user="ana", now=0, key=KEY, **how) -> dict:
        """The answer to one call. `given` names it where it can't be answered."""
        self.number += 1
        params = {"name": how.pop("tool", "place_order")}
        params["arguments"] = how.pop("arguments", {"basket_id": "basket_1"})
        for name in ("requestState", "inputResponses"):
            if name in how:
                params[name] = how.pop(name)
        # A client may choose a new token for each request.
        params["_meta"] = {**ABLE, "progressToken": self.number}
        message = {"jsonrpc": "2.0", "id": self.number, "method": "tools/call"}
        line = json.dumps({**message, "params": params})
        step = {"shop": "one", "user": user, "now": NOON + now, "key": key, **how}
        outcome = self._run({**step, "line": line})
        if "raised" in outcome:
            where = f" (line {outcome['line']})" if outcome.get("line") else ""
            text = f"{outcome['raised']}: {outcome['text']}{where}"
            why = "whatever a client sends, an answer has to come"
            if not outcome.get("loaded", True):
                given, why = "the file", "it has to run, with Shop and answer in it"
            raise NotYet(given or "a call", text, "an answer", why)
        self.orders, self.compared = outcome["orders"], outcome["compared"]
        answer = outcome["answer"]
        return answer if isinstance(answer, dict) else {}

    def _run(self, step: dict) -> dict:
        try:
            self.child.send(json.dumps(step).encode() + b"\n")
            item = self.child.receive("server", LIMIT)
        except TimeoutError:
            return {"raised": "nothing", "text": f"no answer within {LIMIT:g} seconds"}
        except (BrokenPipeError, OSError):
            item = None
        if item is None:
            return {"raised": "nothing", "text": "the process ended"}
        return json.loads(item[1])

    def ask(self, **how) -> str:
        """The state of a question that has just been asked."""
        answer = self.call("a call without a state", **how)
        result = answer.get("result") or {}
        state = result.get("requestState")
        if result.get("resultType") != "input_required" or not isinstance(state, str):
            expected = "input_required, with a requestState, a string"
            why = "the starter did this: seal() must return a string"
            raise NotYet("a call without a state", answer, expected, why)
        return state

    def reply(self, state: object, action="accept", given="", **how) -> dict:
        """The answer to the retry with this state and this answer of the person."""
        content = {"content": {"note": ""}} if action == "accept" else {}
        responses = {"confirm": {"action": action, **content}}
        return self.call(given, requestState=state, inputResponses=responses, **how)

    def accepted(self, state: str, given: str, why: str, **how) -> None:
        """The retry is served, and one more order stands in the book."""
        before = self.orders
        answer = self.reply(state, given=given, **how)
        if "result" not in answer or self.orders != before + 1:
            came = f"{self.orders - before} orders, and {short(answer)}"
            raise NotYet(given, came, "one order and a result", why)

    def refused(self, state: object, given: str, why: str, **how) -> None:
        """The retry gets -32602, and no order is written."""
        before = self.orders
        answer = self.reply(state, given=given, **how)
        error = answer.get("error") or {}
        if self.orders != before:
            came = "an order was written"
        elif error.get("code") != -32602:
            came = short(answer)
        else:
            return
        raise NotYet(given, came, "the error -32602, and no order", why)

    def close(self) -> list[str]:
        """End it; the last lines that it printed."""
        self.child.end_input()
        lines = []
        with contextlib.suppress(TimeoutError):
            while item := self.child.receive("log", LIMIT):
                text = item[1].decode("utf-8", "replace").rstrip()
                if not text.startswith("catalog: state refused"):
                    lines.append(short(text))
        self.child.close()
        return lines[-PRINTED:]


def accepts_once(shop: Shop) -> None:
    """yes to a question makes one order"""
    given = "the same call again, with its state and the answer accept"
    why = "what the state is bound to is the same in a retry: tool, arguments, person"
    shop.accepted(shop.ask(), given, why)


def refuses_each_changed_byte(shop: Shop) -> None:
    """a state that was changed anywhere is refused"""
    state = shop.ask()
    why = "only who holds the key can make a state: HMAC over all of it, before use"
    # From the middle on, where the nonce is likely to be: there it hurts most.
    for at in sorted(range(len(state)), key=lambda at: abs(at - len(state) // 2)):
        letter = state[at]
        place = ALPHABET.find(letter)
        other = ALPHABET[place ^ 1] if place >= 0 else "A"
        changed = state[:at] + other + state[at + 1 :]
        given = f"a state with letter {at} of {len(state)}, {letter!r}, made {other!r}"
        shop.refused(changed, given, why)
    why = "one spelling is right: check the MAC over the letters that came"
    for extra in ("A", "=", "!", ".", " ", "\n"):
        shop.refused(state + extra, f"a state with {extra!r} at its end", why)
        shop.refused(extra + state, f"a state with {extra!r} at its front", why)
        middle = state[:5] + extra + state[5:]
        shop.refused(middle, f"a state with {extra!r} put in after 5 letters", why)
    shop.refused(state[:-1], "a state without its last letter", why)
    shop.accepted(state, "the state as it came, after all that", "it is still good")


def refuses_another_key(shop: Shop) -> None:
    """a state that was made with another key is refused"""
    state = shop.ask(shop="two", key=OTHER_KEY)
    shop.orders = 0
    why = "a hash without a key is one that anybody can compute: use HMAC with shop.key"
    shop.refused(state, "a state from a server with another key", why, shop="three")


def refuses_another_person(shop: Shop) -> None:
    """ana's question is not for ben to answer"""
    state = shop.ask()
    why = "the person is part of what is sealed, and compared with who asks now"
    shop.refused(state, "ana's state, sent by ben", why, user="ben")
    shop.accepted(state, "the same state, sent by ana", "it is hers")


def refuses_other_arguments(shop: Shop) -> None:
    """yes to one basket is no yes to another"""
    state = shop.ask()
    why = "the arguments are part of what is sealed: ana said yes to these, not those"
    other = {"basket_id": "basket_2"}
    shop.refused(state, "basket_1's state, for basket_2", why, arguments=other)


def refuses_another_tool(shop: Shop) -> None:
    """yes to holding a basket is no yes to buying it"""
    state = shop.ask(tool="hold_basket")
    why = "arguments alone do not say what is done with them: seal the tool's name, too"
    shop.refused(state, "hold_basket's state, for place_order", why)


def refuses_what_has_expired(shop: Shop) -> None:
    """after ten minutes the question is over"""
    state = shop.ask()
    why = "the end is sealed, and compared with shop.now() in each retry"
    shop.refused(state, "a state one second after its end", why, now=LIFE + 1)
    shop.refused(state, "a state a year after its end", why, now=31_536_000)
    why = "a person has ten minutes; times are in seconds, from shop.now()"
    shop.accepted(state, "a state one second before its end", why, now=LIFE - 1)


def spends_it_on_a_no(shop: Shop) -> None:
    """no is an answer as well: it can't become a yes"""
    for action in ("decline", "cancel"):
        state, before = shop.ask(), shop.orders
        answer = shop.reply(state, action)
        if "result" not in answer or shop.orders != before:
            expected = "a result, and no order"
            raise NotYet(f"the answer {action}", answer, expected, "a no is no error")
        why = "an answered question is over, whatever the answer was"
        shop.refused(state, f"{action}, and then accept with the same state", why)


def refuses_a_replay(shop: Shop) -> None:
    """a state is good for one answer"""
    state = shop.ask()
    shop.accepted(state, "the first answer", "it is the first")
    again(shop, state, "accept with the same state a second time")


def refuses_a_replay_after_a_restart(shop: Shop) -> None:
    """a state is good for one answer, also for the server's next process"""
    state = shop.ask()
    shop.accepted(state, "the first answer", "it is the first")
    given = "the same state a second time, after the server was restarted"
    again(shop, state, given, anew=True)


def again(shop: Shop, state: str, given: str, **how: object) -> None:
    """No second order, whether the replay is refused or answered as before."""
    before = shop.orders
    answer = shop.reply(state, given=given, **how)
    if shop.orders != before:
        came = f"a second order, and {short(answer)}"
        why = "a seal says who made it, not how often it came: keep the used nonces"
        raise NotYet(given, came, "no second order", f"{why} where they last")


def survives_a_restart(shop: Shop) -> None:
    """a restart between question and answer changes nothing"""
    why = "whatever is needed stands in the state: the server holds nothing open"
    given = "a state from before the server was restarted"
    shop.accepted(shop.ask(), given, why, anew=True)


def tells_questions_apart(shop: Shop) -> None:
    """a second question is a new one, even for the same basket"""
    one, two = shop.ask(), shop.ask()
    why = "each question gets a nonce of its own, by chance and not from its content"
    shop.accepted(two, "the answer to the second of two questions", why)
    shop.accepted(one, "the answer to the first of two questions", why)


def survives_anything(shop: Shop) -> None:
    """what was never a state is refused, and the server lives on"""
    why = "a state comes from the client, so it may be anything"
    texts = ["", ".", "..", "{}", "null", "A", "AAAA.AAAA", "é", "é.é", "\ud83d\ude00"]
    texts += ["\ud800", "\0", "W10=", "W10", "MQ.MQ", "bnVsbA.", "=.=", "a" * 1_000_000]
    for value in (*texts, None, True, 7, 1.5, [], ["x"], {}, {"nonce": "1"}):
        shop.refused(value, f"the state {short(value, 30)}", why)
    good = shop.ask()
    for value in (good[:3] + "é" + good[4:], good[:-1] + "é", good * 2):
        shop.refused(value, f"the state {short(value, 30)}", why)
    shop.accepted(good, "a good state after all that", "the server lives on")


def compares_in_constant_time(shop: Shop) -> None:
    """the MAC is compared in constant time, and enough of it"""
    state = shop.ask()
    shop.accepted(state, "a good state", "it is good")
    why = "how long == takes tells how much was right, so a MAC can be found bit by bit"
    if not shop.compared:
        came = "the MAC was compared without hmac.compare_digest"
        raise NotYet("a good state", came, "hmac.compare_digest", why)
    if max(shop.compared) < LEAST:
        came = f"hmac.compare_digest compared {max(shop.compared)} bytes or letters"
        why = "what is short can be guessed"
        raise NotYet("a good state", came, f"{LEAST} or more", why)


# In the order of "Your turn" 1 to 3 in the starter.
RULES = (
    accepts_once,
    refuses_each_changed_byte,
    refuses_another_key,
    refuses_another_person,
    refuses_other_arguments,
    refuses_another_tool,
    refuses_what_has_expired,
    spends_it_on_a_no,
    refuses_a_replay,
    refuses_a_replay_after_a_restart,
    survives_a_restart,
    tells_questions_apart,
    survives_anything,
    compares_in_constant_time,
)


def short(value: object, limit: int = 200) -> str:
    """On one line, and with an end: text as it is, all else as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = printable(text)
    return text if len(text) <= limit else f"{text[: limit - 2]} …"


def broken(rule, path: Path) -> list[str]:
    """How the file breaks the rule, line by line; nothing where it keeps it."""
    shop, problem = Shop(path), ""
    try:
        rule(shop)
    except NotYet as error:
        problem = str(error)
    except (AttributeError, LookupError, TypeError):  # say, a list for an object
        problem = "came:     an answer of another shape than the starter's"
    printed = shop.close()
    if not problem:
        return []
    return [*problem.splitlines(), *(f"printed:  {line}" for line in printed)]


def main(arguments: list[str]) -> int:
    """0: all rules hold; 1: one does not; 2: there is no such file."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # the learner's texts, on any system
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print(f"check: say which file to check: python check.py {FILE}")
        return 2
    for number, rule in enumerate(RULES, 1):
        if lines := broken(rule, Path(arguments[0]).resolve()):
            print(f"not yet  {rule.__doc__}")
            for line in lines:
                print(f"         {line}")
            print(f"{number - 1} of {len(RULES)} rules hold")
            return 1
        print(f"ok       {rule.__doc__}", flush=True)
    print(f"All {len(RULES)} rules hold: a yes is good once, for what was asked.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
