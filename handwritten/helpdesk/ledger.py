"""The ledger: which refunds there are, and which questions are answered. (lesson 07)

A refund and the nonce of the question that allowed it are written in one transaction,
so whenever the process dies there are both or neither. The charge is unique: whatever
is retried, replayed or asked twice, a charge is refunded at most once.
"""

import time

DAY = 24 * 3600  # seconds
ISSUED, DECLINED, CANCELLED = "issued", "declined", "cancelled"
COLUMNS = (
    "refund_id",
    "charge_id",
    "ticket_id",
    "amount_cents",
    "currency",
    "reason",
    "note",
    "notify",
    "user",
    "nonce",
    "at",
)
REFUNDS = (
    "refund_id text primary key, charge_id text not null unique, ticket_id text,"
    " amount_cents integer, currency text, reason text, note text, notify integer,"
    " user text, nonce text not null unique, at text"
)


def opened(database):
    """The database with its tables. It hands back each statement at once, committed."""
    database.execute(f"create table if not exists refunds ({REFUNDS})")
    columns = "nonce text primary key, outcome text, ends real"
    database.execute(f"create table if not exists answered ({columns})")
    return database


def of_charge(database, charge_id: str) -> dict | None:
    """The refund of the charge, if there is one."""
    wanted = f"select {', '.join(COLUMNS)} from refunds where charge_id = ?"
    row = database.execute(wanted, (charge_id,)).fetchone()
    return row and dict(zip(COLUMNS, row, strict=True))


def outcome(database, nonce: str) -> str | None:
    """How the question was answered; None: not yet."""
    wanted = "select outcome from answered where nonce = ?"
    row = database.execute(wanted, (nonce,)).fetchone()
    return row and row[0]


def settle(database, answer: dict, now: float, refund: dict | None = None) -> bool:
    """Write an answer {nonce, outcome, ends}, and the refund that it allows.

    False, and nothing is written: the question is answered, or the charge refunded.
    """
    with database:  # commits at its end, and takes all back where something goes wrong
        database.execute("begin immediate")  # from here on nobody else writes
        if outcome(database, answer["nonce"]) is not None:
            return False
        if refund is not None and of_charge(database, refund["charge_id"]) is not None:
            return False
        # A state that is over is refused anyway, so its nonce can be forgotten; a day
        # later, should somebody set the clock back.
        database.execute("delete from answered where ends <= ?", (now - DAY,))
        row = (answer["nonce"], answer["outcome"], answer["ends"])
        database.execute("insert into answered values (?, ?, ?)", row)
        if refund is not None:
            marks = ", ".join("?" * len(COLUMNS))
            written = {**refund, "nonce": answer["nonce"], "at": moment(now)}
            values = [written[name] for name in COLUMNS]
            database.execute(f"insert into refunds values ({marks})", values)
    return True


def moment(now: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
