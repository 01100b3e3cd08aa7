"""Fetch the files of a public data set, from a local folder or from the addresses of the registry."""

from __future__ import annotations

import hashlib
import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from cutpoint.base.errors import InputError
from cutpoint.data.registry import Address, Source, SourceFile

MAX_BYTES = 50_000_000  # no file of the registry is larger than a megabyte


@dataclass(frozen=True)
class Download:
    """Contents of all files of a data set, or the reasons why there are none.

    Attributes:
        files: content by file name in the order of the entry; empty if any file could not be obtained.
        reasons: one line for each place that did not give a file.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    @property
    def checksums(self) -> dict[str, str]:
        """Return the sha256 of each file, in hexadecimal."""
        return {name: _sha256(content) for name, content in self.files.items()}


def fetch(
    entry: Source,
    *,
    mirror: Path | None = None,
    user_file: Path | None = None,
    timeout: float = 5.0,
    limit: float = 30.0,
) -> Download:
    """Return the files of a data set, or of a network, with the right checksums.

    A mirror takes the place of all addresses. It may hold the files flat or in folders of up to two levels.

    Args:
        entry: what to fetch.
        mirror: a folder with the files, or None for the addresses.
        user_file: the user's copy of a set without files; takes the place of ``entry.file``.
        timeout: seconds for one address, name look-up and reading included.
        limit: seconds for all addresses of the data set.

    Raises:
        InputError: a folder or file that the user named is missing or unreadable, a mirror that holds
            some of the files and not the others, or a file in it with another checksum.
    """
    if user_file is not None or entry.file is not None:
        return _from_user(entry, Path(user_file or entry.file or ""))
    if not entry.files:
        hint = f"no public files are known; name your own copy with --config 'files={{{entry.name}: PATH}}'"
        return Download(reasons=(f"{entry.name}: {hint}",))
    if mirror is not None:
        return _from_mirror(entry, Path(mirror))
    return _from_addresses(entry, timeout, limit)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _from_user(entry: Source, path: Path) -> Download:
    if entry.files:
        raise InputError(f"{entry.name}: has files of its own; give copies of them with --config mirror=DIR")
    return Download(files={path.name: _load(path)})


def _load(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the path") from None


def _from_mirror(entry: Source, mirror: Path) -> Download:
    if not mirror.is_dir():
        raise InputError(f"mirror={mirror}: no such folder; check the path or leave the key out")
    copies = {file.name: _copies(mirror, file.name) for file in entry.files}
    absent = tuple(f"{name}: not in mirror {mirror}" for name, paths in copies.items() if not paths)
    if len(absent) == len(entry.files):
        return Download(reasons=absent)
    if absent:
        raise InputError(f"{entry.name}: {absent[0]}, which has other files of this set; add it")
    return Download(files={file.name: _matching(copies[file.name], file.sha256) for file in entry.files})


def _copies(mirror: Path, name: str) -> list[Path]:
    patterns = (name, f"*/{name}", f"*/*/{name}")
    return [path for pattern in patterns for path in sorted(mirror.glob(pattern))]


def _matching(paths: list[Path], expected: str) -> bytes:
    """Return the first copy with the expected checksum: two sets may use the same file name."""
    for path in paths:
        content = _load(path)
        if _sha256(content) == expected:
            return content
    got = _sha256(_load(paths[0]))
    advice = "replace it by an unchanged copy or remove it"
    raise InputError(f"{paths[0]}: wrong checksum: expected sha256 {expected}, got {got}; {advice}")


def _from_addresses(entry: Source, timeout: float, limit: float) -> Download:
    addresses = _Addresses(timeout, time.monotonic() + limit)
    files: dict[str, bytes] = {}
    for file in entry.files:
        content = addresses.first_content(file)
        if content is None:
            return Download(reasons=tuple(addresses.reasons))
        files[file.name] = content
    return Download(files=files, reasons=tuple(addresses.reasons))


class _Addresses:
    """The addresses of one data set: the time left, the hosts that did not answer, the reasons so far."""

    def __init__(self, timeout: float, deadline: float) -> None:
        self.timeout, self.deadline = timeout, deadline
        self.silent: set[str] = set()
        self.reasons: list[str] = []

    def first_content(self, file: SourceFile) -> bytes | None:
        """Return the content of the first address that has the file, None if no address has it."""
        for address in file.urls:
            content = self._content(address, file.sha256)
            if isinstance(content, bytes):
                return content
            self.reasons.append(f"{file.name}: {address.url}: {content}")
        if not file.urls:
            self.reasons.append(f"{file.name}: no address is listed")
        return None

    def _content(self, address: Address, expected: str) -> bytes | str:
        """Return the content at an address, or the reason why there is none."""
        host, seconds = urlsplit(address.url).netloc, min(self.timeout, self.deadline - time.monotonic())
        if host in self.silent:
            return "not tried: the host did not answer before"
        if seconds <= 0:
            return "not tried: the time for this data set is over"
        content = _within(seconds, lambda: _download(address.url, seconds))
        if isinstance(content, _Silence):
            self.silent.add(host)
        if isinstance(content, str):
            return content
        for _ in range(address.strip_lines):
            content = content.partition(b"\n")[2]
        sha256 = _sha256(content)
        return content if sha256 == expected else f"wrong checksum: expected sha256 {expected}, got {sha256}"


class _Silence(str):
    """The reason why a host gave no content: it did not answer at all."""


def _within(seconds: float, download: Callable[[], bytes | str]) -> bytes | str:
    """Return what the download returns, or a `_Silence` after so many seconds.

    The timeout of a socket bounds neither the look-up of a name nor a body that arrives byte by byte; waiting for a
    thread does. The thread is left behind.
    """
    result: list[bytes | str] = []
    thread = threading.Thread(target=lambda: result.append(download()), daemon=True)
    thread.start()
    thread.join(seconds)
    return result[0] if result else _Silence(f"no answer within {seconds:.2g} s")


def _download(url: str, seconds: float) -> bytes | str:
    request = urllib.request.Request(url, headers={"User-Agent": "cutpoint"})
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:
            return response.read(MAX_BYTES)
    except urllib.error.HTTPError as error:
        return f"HTTP status {error.code}"
    except TimeoutError:
        return _Silence(f"no answer within {seconds:.2g} s")
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        return _Silence(" ".join(f"no usable answer ({reason})".split()))
