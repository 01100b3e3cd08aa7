"""Files of text, read whole; checks of what stands in them are in `checking`, which takes longer to import."""

import os
from pathlib import Path

from cutpoint.base.errors import InputError


def existing(path: str | os.PathLike) -> Path:
    """Return the path of a file that can be read without waiting, as a pipe cannot; else raise InputError."""
    if not os.path.isfile(path):  # False also of a name that is too long
        raise InputError(f"{path}: {'is no file' if os.path.exists(path) else 'no such file'}")
    return Path(path)


def read_text(path: str | os.PathLike) -> str:
    """Return the text of a file, which may begin with a mark of UTF-8; an InputError says why it cannot be read."""
    file = existing(path)
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not in UTF-8, at byte {problem.start + 1}; save it as UTF-8") from None
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror}") from None
