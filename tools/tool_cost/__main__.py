"""The cost of tools: `python -m tools.tool_cost --help`. (lesson 04)"""

import gc
import sys

from tools.tool_cost.command import main
from tools.transcript import run

if __name__ == "__main__":
    gc.disable()  # the lists are held to the end: there is nothing to collect
    sys.exit(run(main))
