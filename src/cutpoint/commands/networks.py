"""List the networks to simulate from, or fetch larger ones as BIF files."""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.download import fetch
from cutpoint.data.registry import NetworkEntry, load_networks
from cutpoint.networks.network import network, read_network
from cutpoint.networks.shipped import network_folder, network_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument("names", metavar="NAME", nargs="*", help="networks to fetch; none: list all that are known")
    parser.add_argument("--to", type=Path, default=Path("networks"), help="folder for the files, default %(default)s")
    parser.add_argument("--mirror", type=Path, help="folder that has the packed files, in place of their addresses")


def run(options: argparse.Namespace) -> int:
    """Print a line for each network; return 1 where one could not be had.

    Raises:
        InputError: an unknown name, a file with another checksum, or one that is not what the registry says.
    """
    known = load_networks(network_folder() / "fetched.yaml")
    if not options.names:
        print("\n".join(listed(known)))
        return 0
    for name in options.names:
        if name not in known:
            raise InputError(f"unknown network {name!r}{suggest(name, known)}; shipped ones need not be fetched")
    lines = [fetched(known[name], options.to, options.mirror) for name in options.names]
    print("\n".join(lines))
    return int(any(": unavailable: " in line for line in lines))


def listed(known: dict[str, NetworkEntry]) -> list[str]:
    """Return a line for each network, shipped ones first."""
    lines = []
    for name in network_names():
        one = network(name)
        kind = "discrete" if one.equations is None else "Gaussian"
        lines.append(f"{name}: shipped, {kind}, {len(one.variables)} variables, {int(one.dag.sum())} arcs")
    return lines + [f"{e.name}: to be fetched, {e.variables} variables, {e.arcs} arcs" for e in known.values()]


def fetched(entry: NetworkEntry, folder: Path, mirror: Path | None) -> str:
    """Write the BIF file of a network to a folder and return a line on it, or on why there is none.

    Raises:
        InputError: the file is not a network, or another one.
    """
    download = fetch(entry, mirror=mirror)
    if not download.files:
        return f"{entry.name}: unavailable: {'; '.join(download.reasons)}"
    (content,) = download.files.values()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{entry.name}.bif"
    path.write_bytes(gzip.decompress(content))
    counts = read_network(path).counts()
    if (counts["variables"], counts["edges"]) != (entry.variables, entry.arcs):
        said = f"{counts['variables']} variables and {counts['edges']} arcs"
        raise InputError(f"{path}: has {said} where {entry.variables} and {entry.arcs} are expected")
    return f"{entry.name}: {path}, {entry.variables} variables, {entry.arcs} arcs"
