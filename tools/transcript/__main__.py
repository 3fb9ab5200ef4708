"""Recordings on the command line: `python -m tools.transcript --help`."""

from tools.transcript import main, run

if __name__ == "__main__":
    raise SystemExit(run(main))
