"""Stages of the code on the command line: `python -m tools.stages --help`."""

import sys

from tools.stages import main

if __name__ == "__main__":
    sys.exit(main())
