"""`make cost-live` on the command line. (lesson 04)"""

import sys

from tools.cost_live import main
from tools.transcript import run

if __name__ == "__main__":
    sys.exit(run(main))
