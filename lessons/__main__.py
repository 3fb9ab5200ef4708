"""`python -m lessons`: see which Python this is before anything newer is read."""

import sys


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 (this is the place that says so)
        version = ".".join(str(part) for part in sys.version_info[:3])
        text = f"lessons: this is Python {version}: the course needs 3.11 or later."
        print(text, file=sys.stderr)
        return 2
    from lessons.commands import main as commands

    return commands(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
