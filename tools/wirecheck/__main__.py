"""The wire check on the command line: `python -m tools.wirecheck --help`."""

import sys

from tools.wirecheck import main

if __name__ == "__main__":
    sys.exit(main())
