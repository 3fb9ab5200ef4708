"""A file is written whole, or it stays as it was."""

import contextlib
import os
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Write beside, then rename; missing folders are made. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        os.replace(beside, path)
    finally:
        with contextlib.suppress(FileNotFoundError):  # it was renamed
            beside.unlink()
