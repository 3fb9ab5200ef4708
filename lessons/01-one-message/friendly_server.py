"""The server of the puzzle: it says one friendly line when it starts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from handwritten.__main__ import main

# On Windows too the line ends in LF alone, so that the recording holds there.
sys.stdout.reconfigure(newline="\n")  # type: ignore[union-attr]
print("Helpdesk server ready. Have a nice day!", flush=True)
sys.exit(main([]))
