"""The migration lab on the command line: `python -m tools.migration`. (lesson 05)"""

import sys

from tools.migration import main
from tools.transcript import run

if __name__ == "__main__":
    sys.exit(run(main))
