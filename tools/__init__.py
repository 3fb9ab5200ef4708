"""What the course is made with: recordings, checks, stages, documents."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 (this is the place that says so)
    # Before anything is imported that an older Python lacks.
    version = ".".join(str(part) for part in sys.version_info[:3])
    print(f"this is Python {version}: the course needs 3.11 or later", file=sys.stderr)
    sys.exit(2)
