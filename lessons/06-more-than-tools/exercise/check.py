"""Checks the exercise of lesson 06: `python check.py server.py`.

The file is started anew for each rule and asked over its pipes, as any client would:
some rules start it twice, on the same folder, for another person or a day later. The
first rule that does not hold is told in full; the rules behind it wait.
"""

import io
import itertools
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lessons.wire import Wire, WireFailure, expect, expect_error, expect_result

FILE = "server.py"
PAGES = "server/utilities/pagination"
CACHING = "server/utilities/caching"
TOOLS = "server/tools"
HANDLES = f'{TOOLS}, "Handles"'
INVALID = -32602
SKUS = [
    *("blk-01", "blk-02", "bls-01", "bls-02", "kbl-08", "kbl-16"),
    *("mat-01", "mat-02", "mat-03", "mat-04", "mat-05", "rop-01", "str-01"),
]
DAY = 24 * 3600  # seconds


class Shop:
    """One folder of data, and the servers that were started on it."""

    def __init__(self, file: str, data: str):
        self.command = ["python", file, "--data", data]
        self.servers: list[Wire] = []

    def open(self, user: str = "ana", later: float = 0) -> Wire:
        """A server for this person, whose clock runs so many seconds ahead."""
        options = ["--user", user, "--later", str(later)]
        self.servers.append(Wire([*self.command, *options]))
        return self.servers[-1]

    def restart(self, **options) -> Wire:
        """Another process: whatever the first one kept to itself is lost."""
        self.close()
        return self.open(**options)

    def close(self) -> None:
        while self.servers:
            self.servers.pop().close()


def call(server: Wire, tool: str, **arguments: object) -> dict:
    """The result of a call, good or bad."""
    answer = server.request("tools/call", {"name": tool, "arguments": arguments})
    rule = f"a call that the tool can judge gets a result ({TOOLS})"
    return expect_result(server, answer, rule)


def done(server: Wire, tool: str, **arguments: object) -> dict:
    """The data of a call that has to work."""
    result = call(server, tool, **arguments)
    good = result.get("isError", False) is False
    expect(server, good, f"{tool}: a result without isError", TOOLS)
    data = result.get("structuredContent")
    expect(server, isinstance(data, dict), "structuredContent, an object", TOOLS)
    return result["structuredContent"]


def refused(server: Wire, tool: str, rule: str, **arguments: object) -> str:
    """The text of a tool error."""
    result = call(server, tool, **arguments)
    expect(server, result.get("isError") is True, "isError true", rule)
    texts = [each.get("text") for each in result["content"]]
    expect(server, texts and texts[0], "a text that says what to do", rule)
    return str(texts[0])


def page(server: Wire, **params: object) -> dict:
    result = expect_result(server, server.request("resources/list", params), PAGES)
    rows = result.get("resources")
    good = isinstance(rows, list) and all(isinstance(each, dict) for each in rows)
    expect(server, good, "resources, a list of objects", PAGES)
    expect(server, len(rows) <= 4, "at most PAGE = 4 products on a page", PAGES)
    return result


def walk(server: Wire, between=lambda number: None) -> list[str]:
    """The skus of all pages, each asked for with the cursor of the one before."""
    seen, params = [], {}
    for number in range(20):
        result = page(server, **params)
        seen += [str(each.get("uri")) for each in result["resources"]]
        if "nextCursor" not in result:
            return [uri.removeprefix("product://") for uri in seen]
        params = {"cursor": result["nextCursor"]}
        between(number)
    expect(server, False, "an end of the list: a page without nextCursor", PAGES)
    return []


def cursor(server: Wire) -> str:
    """The first one that the server gives."""
    found = page(server).get("nextCursor")
    text = "nextCursor, a string: there are 13 products, and 4 on a page"
    expect(server, isinstance(found, str), text, PAGES)
    return str(found)


def shows_each_once(shop: Shop) -> None:
    """a walk from page to page shows each product once"""
    server = shop.open()
    cursor(server)
    seen = walk(server)
    server.came = f"in this order: {' '.join(seen)}"
    text = "all 13 products, each once, and no nextCursor on the last page"
    expect(server, sorted(seen) == SKUS, text, PAGES)


def refuses_what_it_never_gave(shop: Shop) -> None:
    """a cursor that it never gave is -32602, and never the first page"""
    server = shop.open()
    cursor(server)
    made_up: list = ["zzz", "", "-1", "1", "2", "4", "99999", "mat-01", "NA==", "NA", 5]
    rule = f"an invalid cursor is -32602 ({PAGES})"
    for bad in made_up:
        answer = server.request("resources/list", {"cursor": bad})
        expect_error(server, answer, INVALID, rule)


def refuses_what_was_changed(shop: Shop) -> None:
    """a cursor that was cut short or changed is -32602"""
    server = shop.open()
    given = cursor(server)
    other = "B" if given[len(given) // 2] == "A" else "A"
    changed = given[: len(given) // 2] + other + given[len(given) // 2 + 1 :]
    rule = f"a cursor is the server's own text, or it is invalid: -32602 ({PAGES})"
    for bad in (given[:-1], given[1:], changed, given + "A"):
        answer = server.request("resources/list", {"cursor": bad})
        expect_error(server, answer, INVALID, rule)


def stays_when_products_come(shop: Shop) -> None:
    """a product that is added meanwhile moves nothing"""
    server = shop.open()

    def grow(number: int) -> None:
        done(server, "add_product", sku=f"aaa-{number}", name="Added before all")

    seen = walk(server, grow)
    known = [sku for sku in seen if not sku.startswith("aaa-")]
    server.came = f"in this order: {' '.join(seen)}"
    text = "each of the 13 products once, though others were added before them"
    rule = f"cursors are stable: they name a place, and not a count ({PAGES})"
    expect(server, sorted(known) == SKUS, text, rule)


def goes_on_after_a_restart(shop: Shop) -> None:
    """a cursor is good in the next process, too"""
    server = shop.open()
    given = cursor(server)
    second = page(server, cursor=given)["resources"]
    server = shop.restart()
    again = page(server, cursor=given)["resources"]
    rule = "no request depends on what a process remembers (basic/index)"
    expect(server, again == second, "the second page, as before", rule)


def continues_a_long_result(shop: Shop) -> None:
    """a search that finds more gives a part, and how to go on"""
    server = shop.open()
    rule = "a model never asks for more by itself: the result says how to go on"
    seen: list[str] = []
    more: dict = {}
    for _ in range(9):
        data = done(server, "search_catalog", query="mat", **more)
        rows = data.get("products", [])
        expect(server, 1 <= len(rows) <= 2, "one or two products, ROWS = 2", rule)
        seen += [each.get("sku") for each in rows]
        if "continue_with" not in data:
            break
        more = {"continue_with": data["continue_with"]}
    text = "mat-01 to mat-05, each once, in three results that lead on by continue_with"
    expect(server, seen == [f"mat-0{number}" for number in range(1, 6)], text, rule)


def continues_no_other(shop: Shop) -> None:
    """continue_with is good for its query alone, and anything else is a tool error"""
    server = shop.open()
    token = str(done(server, "search_catalog", query="mat").get("continue_with"))
    for bad in ("zzz", "2", "", token[:-1]):
        refused(server, "search_catalog", TOOLS, query="mat", continue_with=bad)
    refused(server, "search_catalog", TOOLS, query="yoga", continue_with=token)


def says_how_long(shop: Shop) -> None:
    """the description of start_basket says how long a basket lasts"""
    server = shop.open()
    result = expect_result(server, server.request("tools/list"), TOOLS)
    tools = {each.get("name"): each for each in result["tools"]}
    about = tools.get("start_basket", {}).get("description", "")
    expect(server, re.search(r"\b24\b", about), "the 24 hours, in words", HANDLES)


def keeps_baskets_apart(shop: Shop) -> None:
    """each call names its basket"""
    server = shop.open()
    first, second = (done(server, "start_basket").get("basket_id") for _ in "ab")
    expect(server, first != second, "another basket_id for each basket", HANDLES)
    for handle, sku in ((first, "mat-01"), (second, "rop-01"), (first, "blk-01")):
        done(server, "add_to_basket", basket_id=handle, sku=sku)
    for handle, wanted in ((first, ["mat-01", "blk-01"]), (second, ["rop-01"])):
        data = done(server, "read_basket", basket_id=handle)
        text = f"skus {json.dumps(wanted)}: what was put into this basket"
        rule = f"no call depends on an earlier one of the connection ({HANDLES})"
        expect(server, data.get("skus") == wanted, text, rule)


def keeps_them_after_a_restart(shop: Shop) -> None:
    """a basket outlives the process"""
    server = shop.open()
    handle = done(server, "start_basket").get("basket_id")
    done(server, "add_to_basket", basket_id=handle, sku="mat-01")
    server = shop.restart()
    data = done(server, "read_basket", basket_id=handle)
    rule = f"a handle outlives a connection ({HANDLES})"
    expect(server, data.get("skus") == ["mat-01"], 'skus ["mat-01"]', rule)


def gives_random_handles(shop: Shop) -> None:
    """nobody can guess a handle"""
    server = shop.open()
    handles = [str(done(server, "start_basket").get("basket_id")) for _ in range(3)]
    rule = f"opaque, and with enough randomness, as a UUID has ({HANDLES})"
    long = all(len(handle) >= 16 for handle in handles)
    expect(server, long, "a basket_id of at least 16 characters", rule)
    pairs = itertools.pairwise(handles)
    near = [sum(a != b for a, b in zip(*pair, strict=False)) for pair in pairs]
    text = "handles that differ in many places, and do not count up"
    expect(server, all(count >= 8 for count in near), text, rule)


def refuses_unknown_handles(shop: Shop) -> None:
    """a handle that it never gave is a tool error"""
    server = shop.open()
    handle = str(done(server, "start_basket").get("basket_id"))
    other = handle[:-1] + ("0" if handle[-1] != "0" else "1")
    for bad in (other, handle[:-1], "1", "", "key", "basket_", "' or 1=1 --"):
        refused(server, "read_basket", HANDLES, basket_id=bad)
        refused(server, "add_to_basket", HANDLES, basket_id=bad, sku="mat-01")


def keeps_them_to_their_user(shop: Shop) -> None:
    """another person's basket is as unknown as one that never was"""
    server = shop.open()
    handle = str(done(server, "start_basket").get("basket_id"))
    server = shop.restart(user="ben")
    rule = f"a handle is a name, and no right ({HANDLES})"
    text = refused(server, "add_to_basket", rule, basket_id=handle, sku="mat-01")
    text = refused(server, "read_basket", rule, basket_id=handle)
    other = handle[:-1] + ("0" if handle[-1] != "0" else "1")
    same = refused(server, "read_basket", rule, basket_id=other)
    expected = "the same text as for another person's basket, up to the handle itself"
    alike = text.replace(handle, "…") == same.replace(other, "…")
    expect(server, alike, expected, "what is there is nobody else's business")


def ends_them(shop: Shop) -> None:
    """a basket ends 24 hours after its last change, and not before"""
    server = shop.open()
    handle = done(server, "start_basket").get("basket_id")
    server = shop.restart(later=DAY - 3600)
    done(server, "add_to_basket", basket_id=handle, sku="mat-01")
    server = shop.restart(later=2 * DAY - 2 * 3600)
    done(server, "read_basket", basket_id=handle)
    server = shop.restart(later=2 * DAY)
    rule = f"an expired handle is a tool error that says so ({HANDLES})"
    refused(server, "read_basket", rule, basket_id=handle)
    refused(server, "add_to_basket", rule, basket_id=handle, sku="mat-01")


# In the order of "Your turn" 1 to 4 in the starter.
RULES = (
    shows_each_once,
    refuses_what_it_never_gave,
    refuses_what_was_changed,
    stays_when_products_come,
    goes_on_after_a_restart,
    continues_a_long_result,
    continues_no_other,
    says_how_long,
    keeps_baskets_apart,
    keeps_them_after_a_restart,
    gives_random_handles,
    refuses_unknown_handles,
    keeps_them_to_their_user,
    ends_them,
)


def broken(rule, file: str) -> str:
    """How fresh servers on a fresh folder break the rule; "" where they keep it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
        shop = Shop(file, data)
        try:
            rule(shop)
        except WireFailure as failure:
            return str(failure)
        except (AttributeError, LookupError, TypeError):  # say, a list for an object
            return str(shop.servers[-1].failure("an answer of another shape", TOOLS))
        finally:
            shop.close()
    return ""


def main(arguments: list[str]) -> int:
    """0: all rules hold; 1: one does not; 2: there is no such file."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # the learner's texts, on any system
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("check: say which file to check: python check.py server.py")
        return 2
    for number, rule in enumerate(RULES, 1):
        failure = broken(rule, str(Path(arguments[0]).resolve()))
        if failure:
            print(f"not yet  {rule.__doc__}")
            for line in failure.splitlines():
                print(f"         {line}")
            print(f"{number - 1} of {len(RULES)} rules hold")
            return 1
        print(f"ok       {rule.__doc__}", flush=True)
    print(f"All {len(RULES)} rules hold: pages have an end, and baskets an owner.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
