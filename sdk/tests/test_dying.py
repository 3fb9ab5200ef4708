"""Whenever the server dies, a refund is there whole or not at all. (lesson 07)"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from sdk.database import Database
from sdk.tests.test_asking import ask, call, reply, rows

ROOT = Path(__file__).resolve().parents[2]
# Statements of SQLite: before all, in the transaction from its begin to its commit,
# after it, and never.
STEPS = (0, 5, 8, 9, 10, 11, 99)
LIMIT = 120  # seconds; only a hang takes that long


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_it_may_die_at_any_statement_and_nothing_is_half_done(tmp_path):
    desks = [Database(tmp_path / str(step)) for step in STEPS]
    states = [ask(data) for data in desks]
    given = [f"{step}={state}" for step, state in zip(STEPS, states, strict=True)]
    done = subprocess.run(
        [sys.executable, "-m", "sdk.tests.dies", str(tmp_path), *given],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
    )
    assert done.stdout.split() == ["died"] * 6 + ["answered"], done.stderr
    found = [len(rows(data, "refunds")) for data in desks]
    assert found == sorted(found) and 0 in found[1:] and 1 in found[:-1]
    for data, state in zip(desks, states, strict=True):
        refunds, answered = rows(data, "refunds"), rows(data, "answered")
        assert len(refunds) == len(answered) <= 1
        refund = reply(data, state).structured_content
        assert refund["status"] == "issued"
        assert call(data).structured_content == refund
        assert len(rows(data, "refunds")) == len(rows(data, "answered")) == 1
        if refunds:
            assert refund["refund_id"] in refunds[0]
