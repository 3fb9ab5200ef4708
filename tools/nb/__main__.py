"""The notebooks on the command line: `python -m tools.nb --help`."""

import sys

from tools.nb import main

if __name__ == "__main__":
    sys.exit(main())
