"""The payment provider's page, played in a terminal. (lesson 07)

    python -m handwritten.helpdesk.provider https://pay.example/accounts/…

In the world this is a web page of somebody else: an account number typed here passes
neither the client nor the model nor our server. Whoever opens it has to be the person
who was asked, since an address can be passed on; and only the last four digits stay.
"""

import os
import re
import sys

from handwritten.helpdesk import accounts
from handwritten.world import World, folder

OVER = "there is no such page, or it is over."


def main(arguments: list[str]) -> int:
    """0: kept. 1: this page isn't for you, or that was no account. 2: it can't run."""
    import argparse
    import sqlite3

    parser = argparse.ArgumentParser(
        "python -m handwritten.helpdesk.provider",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("address", help="the page's address, or its last part alone")
    where = "the server's (HELPDESK_DATA, build/helpdesk)"
    parser.add_argument("--data", metavar="DIR", help=where)
    options = parser.parse_args(arguments)
    user = os.environ.get("HELPDESK_USER") or "local"
    try:
        problem = visit(World(folder(options.data), user), options.address)
    except (OSError, sqlite3.Error) as error:
        print(f"provider: {error}", file=sys.stderr)
        return 2
    except (EOFError, KeyboardInterrupt):
        problem = "nothing was entered."
    print(f"provider: {problem or 'the account is saved.'}", file=sys.stderr)
    return 1 if problem else 0


def visit(world: World, address: str) -> str:
    """Show the page to the world's user; "" or why nothing was kept."""
    entry = address.removeprefix(accounts.ADDRESS)
    kept = accounts.find(world.database, entry)
    if kept is None or kept["last4"] or kept["ends"] <= world.now():
        return OVER
    if kept["user"] != world.user:
        return f"this page is for somebody else, and you are {world.user}."
    number = re.sub("[ -]", "", typed(f"Account number of {kept['customer_id']}: "))
    if not re.fullmatch("[0-9A-Za-z]{8,34}", number):
        return "an account number has 8 to 34 letters and digits."
    # A person takes time to type, and the page may be closed meanwhile.
    kept_it = accounts.save(world.database, entry, number[-4:], world.now())
    return "" if kept_it else OVER


def typed(prompt: str) -> str:
    """What a person types, unseen; or a line of what is piped in."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    import getpass

    return getpass.getpass(prompt)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
