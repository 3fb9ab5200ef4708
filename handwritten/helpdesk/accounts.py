"""Accounts for payouts, and the pages on which they are entered. (lesson 07)

A page has an address of its own, is for one person, and is over after a while. It is
written down before anyone is sent there: our server and the provider's page are two
programs.
"""

from handwritten.helpdesk.ledger import moment

ADDRESS = "https://pay.example/accounts/"
COLUMNS = ("entry", "customer_id", "user", "last4", "at", "ends")


def opened(database):
    """The database with the table of accounts; `last4` is empty until it is done."""
    columns = "entry text primary key, customer_id text, user text"
    rest = "last4 text, at text, ends real"
    database.execute(f"create table if not exists accounts ({columns}, {rest})")
    return database


def begin(database, entry: str, customer_id: str, user: str, ends: float, now: float):
    """Make a page for this user, if it isn't there, and drop those that are over."""
    opened(database)
    database.execute("delete from accounts where last4 = '' and ends <= ?", (now,))
    row = (entry, customer_id, user, "", "", ends)
    database.execute("insert or ignore into accounts values (?, ?, ?, ?, ?, ?)", row)


def find(database, entry: str) -> dict | None:
    wanted = f"select {', '.join(COLUMNS)} from accounts where entry = ?"
    row = opened(database).execute(wanted, (entry,)).fetchone()
    return row and dict(zip(COLUMNS, row, strict=True))


def save(database, entry: str, last4: str, now: float) -> bool:
    """Fill in the page. False: it is closed, filled in or over meanwhile."""
    change = "update accounts set last4 = ?, at = ? where entry = ? and last4 = ''"
    values = (last4, moment(now), entry, now)
    return database.execute(f"{change} and ends > ?", values).rowcount == 1


def close(database, entry: str) -> None:
    """Take the page away, unless somebody filled it in before."""
    opened(database).execute(
        "delete from accounts where entry = ? and last4 = ''", (entry,)
    )


def of_customer(database, customer_id: str) -> str:
    """The last four digits of the customer's latest account; "" where none is."""
    wanted = "select last4 from accounts where customer_id = ? and last4 != ''"
    wanted += " order by at, rowid"
    found = opened(database).execute(wanted, (customer_id,)).fetchall()
    return found[-1][0] if found else ""
