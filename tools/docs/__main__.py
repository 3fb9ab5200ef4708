"""The documents on the command line: `python -m tools.docs --help`."""

import sys

from tools.docs import main

if __name__ == "__main__":
    sys.exit(main())
