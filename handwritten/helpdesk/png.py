"""Pictures as PNG, with zlib for its checksums and struct for its numbers. (lesson 06)

A PNG is a signature and a row of chunks: size, kind, data, checksum. Ours has three
before its end: the header, a palette of four colors, and the pixels, four to a byte.

The pixels are stored and not compressed: what a compressor makes differs between
versions of zlib, and a recording must be the same to the byte everywhere.
"""

import struct
import zlib


def png(rows: list[bytes], palette: list[tuple[int, int, int]]) -> bytes:
    """A picture of rows of equal length; each byte has four pixels, 2 bits each."""
    header = struct.pack(">IIBBBBB", 4 * len(rows[0]), len(rows), 2, 3, 0, 0, 0)
    pixels = b"".join(b"\0" + row for row in rows)  # 0: the row as it is
    chunks = (
        chunk(b"IHDR", header),
        chunk(b"PLTE", bytes(part for color in palette for part in color)),
        chunk(b"IDAT", stored(pixels)),
        chunk(b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def stored(data: bytes) -> bytes:
    """A zlib stream that holds the data as it is (RFC 1950, and 1951 3.2.4)."""
    stream = b"\x78\x01"
    for start in range(0, len(data), 0xFFFF):
        part = data[start : start + 0xFFFF]
        last = start + len(part) == len(data)
        stream += struct.pack("<BHH", last, len(part), len(part) ^ 0xFFFF) + part
    return stream + struct.pack(">I", zlib.adler32(data))
