"""Fetch the files of a public data set, from a local folder or from the addresses of the registry."""

import hashlib
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import urlsplit
from urllib.request import getproxies

from cutpoint.base.errors import InputError
from cutpoint.data.registry import Source

PROBE = 2.0  # seconds in which the name of a host is found and it takes a connection


@dataclass(frozen=True)
class Download:
    """Contents of all files of a data set, or the reasons why there are none."""

    files: dict[str, bytes] = field(default_factory=dict)  # in their order; none if any could not be obtained
    reasons: tuple[str, ...] = ()  # a line for each place that did not give a file

    @property
    def checksums(self) -> dict[str, str]:
        """Return the sha256 of each file, in hexadecimal."""
        return {name: _sha256(content) for name, content in self.files.items()}


def fetch(
    entry: Source, *, mirror: Path | None = None, user_file: Path | None = None, timeout: float = 5.0
) -> Download:
    """Return the files of a data set, or of a network, with the right checksums.

    mirror: a folder with the files, flat or in folders of up to two levels; None for the addresses. user_file: the
    user's copy of a set without files, in place of ``entry.file``. timeout: seconds between parts of an answer. An
    InputError is raised for what the user named: a missing file or folder, a mirror with some of the files, or a file
    in it with another checksum.
    """
    if user_file is not None or entry.file is not None:
        if entry.files:
            raise InputError(f"{entry.name}: has files of its own; give copies of them with --config mirror=DIR")
        path = Path(user_file or entry.file or "")
        return Download(files={path.name: _load(path)})
    if not entry.files:
        hint = f"it has no public source; name your own copy with --config 'files={{{entry.name}: PATH}}'"
        return Download(reasons=(f"{entry.name}: {hint}",))
    return _from_addresses(entry, timeout) if mirror is None else _from_mirror(entry, Path(mirror))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _load(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the path") from None


def _from_mirror(entry: Source, mirror: Path) -> Download:
    """Return the copies with the expected checksums; two sets may use the same file name."""
    if not mirror.is_dir():
        raise InputError(f"mirror={mirror}: no such folder; check the path or leave the key out")
    files, absent = {}, []
    for file in entry.files:
        paths = [path for folder in ("", "*/", "*/*/") for path in sorted(mirror.glob(folder + file.name))]
        sums = {_sha256(content): content for content in map(_load, paths)}
        if not paths:
            absent.append(f"{file.name}: not in mirror {mirror}")
        elif file.sha256 not in sums:
            fact = f"wrong checksum: expected sha256 {file.sha256}, got {next(iter(sums))}"
            raise InputError(f"{paths[0]}: {fact}; replace it by an unchanged copy or remove it")
        else:
            files[file.name] = sums[file.sha256]
    if absent and files:
        raise InputError(f"{entry.name}: {absent[0]}, which has other files of this set; add it")
    return Download(files, tuple(absent))


def _answers(address: str) -> bool:
    """Return whether the host of an address takes a connection; of one behind a proxy nothing is known before."""
    parts, connected = urlsplit(address), list[bool]()
    place = parts.hostname or "", parts.port or {"http": 80}.get(parts.scheme, 443)

    def connect() -> None:
        with suppress(OSError), socket.create_connection(place, PROBE):
            connected.append(True)

    thread = Thread(target=connect, daemon=True)  # as the system may look for a name for much longer
    thread.start()
    thread.join(PROBE)
    return bool(connected) or parts.scheme in getproxies()


def _from_addresses(entry: Source, timeout: float) -> Download:
    """Return the files from the first addresses that have them; a host that did not answer is not asked again."""
    import pooch  # a copy of one's own needs no network

    pooch.get_logger().setLevel("WARNING")
    downloader = pooch.HTTPDownloader(timeout=timeout, headers={"User-Agent": "cutpoint"})
    answers, files, reasons = dict[str, bool](), {}, []
    for file in entry.files:
        for address in file.urls:
            content, reason, host = b"", "no answer", urlsplit(address.url).netloc
            answers[host] = answers[host] if host in answers else _answers(address.url)
            try:
                if answers[host]:
                    with TemporaryDirectory() as folder:
                        path = pooch.retrieve(address.url, None, "file", folder, downloader=downloader)
                        content = Path(path).read_bytes().split(b"\n", address.strip_lines)[-1]
                    reason = f"wrong checksum: expected sha256 {file.sha256}, got {_sha256(content)}"
            except (OSError, ValueError) as problem:
                response = getattr(problem, "response", None)
                answers[host] = response is not None
                reason = f"no answer ({type(problem).__name__})" if response is None else f"HTTP {response.status_code}"
            if _sha256(content) == file.sha256:
                files[file.name] = content
                break
            reasons.append(f"{file.name}: {address.url}: {reason}")
        if file.name not in files:
            return Download(reasons=tuple(reasons) or (f"{file.name}: no address is listed",))
    return Download(files, tuple(reasons))
