"""What a list of tools costs the model that is given it. (lesson 04)

    from tools.tool_cost import list_tools, measure
    measure(list_tools(["python", "-m", "handwritten"]).tools).total.tokens

The rule: a figure is an estimate that anybody gets again. It counts o200k_base, the
vocabulary of one vendor, in the JSON that a client sends; what a model is really billed
depends on its own vocabulary and on what its API adds around the tools.
"""

from tools.tool_cost.sizes import (
    SHAPES,
    Report,
    Row,
    Size,
    compact,
    measure,
    shape,
)
from tools.tool_cost.source import Listing, list_tools, read_list
from tools.tool_cost.vocabulary import CostError, count

__all__ = [
    "SHAPES",
    "CostError",
    "Listing",
    "Report",
    "Row",
    "Size",
    "compact",
    "count",
    "list_tools",
    "measure",
    "read_list",
    "shape",
]
