"""Files of text, read whole; checks of what stands in them are in `checking`, which takes longer to import."""

import gzip
import io
import os
import zlib
from pathlib import Path

from cutpoint.base.errors import InputError


def existing(path: str | os.PathLike) -> Path:
    """Return the path of a file that can be read without waiting, as a pipe cannot; else raise InputError."""
    if not os.path.isfile(path):  # False also of a name that is too long
        raise InputError(f"{path}: {'is no file' if os.path.exists(path) else 'no such file'}")
    return Path(path)


def unpacked(path: Path, source: str, longest: int = -1) -> bytes:
    """Return the bytes of a file, which may be packed by gzip.

    longest: bytes in which there must be the end of a line; other files are not read on. -1 for no limit.
    """
    pieces: list[bytes] = []
    try:
        with open(path, "rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else open(path, "rb") as file:
            while piece := file.read(longest):
                pieces.append(piece)
                if len(piece) == longest and b"\n" not in piece and b"\r" not in piece:
                    line = 1 + sum(each.count(b"\n") for each in pieces)
                    raise InputError(f"{source}, line {line}: has over {longest:,} bytes; write each record on a line")
    except (gzip.BadGzipFile, EOFError, zlib.error) as problem:
        raise InputError(f"{source}: cannot be unpacked: {problem}") from None
    return b"".join(pieces)


def read_text(path: str | os.PathLike) -> str:
    """Return the text of a file, packed or not, perhaps with a mark of UTF-8; an InputError says why it cannot."""
    file = existing(path)
    try:
        return io.StringIO(unpacked(file, str(path)).decode("utf-8-sig"), newline=None).read()
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not in UTF-8, at byte {problem.start + 1}; save it as UTF-8") from None
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror}") from None
