"""The bench of calls during an export. (lesson 07)"""

import pytest

from tools import busy


@pytest.mark.parametrize("kind", busy.PAIR)
def test_each_call_is_answered_whatever_else_runs(monkeypatch, kind):
    monkeypatch.setattr(busy, "CALLS", 20)
    assert 0 < busy.measure("handwritten", kind) < 10


def test_a_ratio_over_the_budget_is_found():
    row = {"busy": 4.0, "idle": 1.0, "ratio": 4.0}
    good = {**row, "ratio": busy.BUDGET}
    assert busy.over({"sdk": row, "handwritten": good}) == ["sdk"]
    assert max(map(len, busy.table({"sdk": row}).splitlines())) <= 100
