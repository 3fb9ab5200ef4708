"""The biggest tools as a bar chart: the table is its text twin. (lesson 04)

The rule: matplotlib is loaded here alone, and only to draw; the same result gives the
same file.
"""

import io
import warnings
from pathlib import Path
from typing import Any

from tools import files
from tools.tool_cost.report import Result
from tools.tool_cost.terminal import fit
from tools.tool_cost.vocabulary import CostError

KINDS = (".svg", ".png")
MOST = 30  # bars that one can still read


def check(path: Path) -> None:
    """Raises CostError where no chart can be written to this file."""
    if path.suffix.lower() not in KINDS:
        raise CostError(f"--chart {str(path)!r}: the name must end in .svg or .png")
    if not path.parent.is_dir():
        raise CostError(f"--chart {str(path)!r}: there is no folder {path.parent}")


def draw(result: Result, path: Path) -> None:
    """Write the chart of this result. Raises CostError."""
    check(path)
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise CostError("matplotlib is not installed: run make setup") from None
    rows = [row for _, row in result.rows[:MOST]][::-1]
    figure = Figure(figsize=(8, 1.5 + 0.25 * len(rows)), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh(range(len(rows)), [row.tokens for row in rows], color="#3b6ea5")
    axes.bar_label(bars, fmt="{:,.0f}", padding=3)
    # A dollar sign in a name is no formula.
    names = [fit(row.name, 48).replace("$", r"\$") for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.margins(x=0.12, y=0.01)
    axes.set_xlabel("tokens (o200k_base, an estimate)")
    shown = f", the biggest {MOST}" if len(result.rows) > MOST else ""
    axes.set_title(f"{len(result.rows):,} tools, {result.total.tokens:,} tokens{shown}")
    kind = path.suffix.lower()[1:]
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "tool_cost"}
    about = {"Date": None} if kind == "svg" else {"Software": None}
    drawn = io.BytesIO()
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that the font does not have
        figure.savefig(drawn, format=kind, dpi=120, metadata=about)
    try:
        files.replace(path, drawn.getvalue())
    except OSError as error:
        raise CostError(f"--chart {str(path)!r}: {error.strerror}") from None
