"""List the networks to simulate from, or fetch larger ones as BIF files."""

import gzip
from pathlib import Path
from types import SimpleNamespace

import click

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.commands.settings import among
from cutpoint.data.download import fetch
from cutpoint.data.registry import NetworkEntry, load_registry
from cutpoint.networks.network import network, network_folder, network_names, read_network

FOLDER = click.Path(file_okay=False, path_type=Path)
MIRROR = "folder that has the packed files, in place of their addresses"
FETCHED = among(lambda context: load_registry(network_folder() / "fetched.yaml", NetworkEntry))
PARAMETERS = [
    click.Argument(["names"], metavar="[NAME]...", nargs=-1, shell_complete=FETCHED, help="to fetch; none: list all"),
    click.Option(["--to"], type=FOLDER, default=Path("networks"), show_default=True, help="folder for the files"),
    click.Option(["--mirror"], type=FOLDER, help=MIRROR),
]


def run(options: SimpleNamespace) -> int:
    """Print a line for each network; return 1 where one is unavailable."""
    entries = load_registry(network_folder() / "fetched.yaml", NetworkEntry)
    if not options.names:
        print("\n".join(listed(entries)))
        return 0
    for name in options.names:
        if name not in entries:
            raise InputError(f"unknown network {name!r}{suggest(name, entries)}; shipped ones need not be fetched")
    lines = [fetch_network(entries[name], options.to, options.mirror) for name in options.names]
    print("\n".join(lines))
    return int(any(": unavailable: " in line for line in lines))


def listed(entries: dict[str, NetworkEntry]) -> list[str]:
    """Return a line for each network, shipped ones first."""
    lines = []
    for name in network_names():
        one = network(name)
        kind = "discrete" if one.equations is None else "Gaussian"
        lines.append(f"{name}: shipped, {kind}, {len(one.variables)} variables, {int(one.dag.sum())} arcs")
    return lines + [f"{e.name}: to be fetched, {e.variables} variables, {e.arcs} arcs" for e in entries.values()]


def fetch_network(entry: NetworkEntry, folder: Path, mirror: Path | None) -> str:
    """Write the BIF file of a network to a folder and return a line on it, or on why there is none."""
    download = fetch(entry, mirror=mirror)
    if not download.files:
        return f"{entry.name}: unavailable: {'; '.join(download.reasons)}"
    (content,) = download.files.values()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{entry.name}.bif"
    path.write_bytes(gzip.decompress(content))
    counts = read_network(path).counts()
    if (counts["variables"], counts["edges"]) != (entry.variables, entry.arcs):
        actual = f"{counts['variables']} variables and {counts['edges']} arcs"
        raise InputError(f"{path}: has {actual} where {entry.variables} and {entry.arcs} are expected")
    return f"{entry.name}: {path}, {entry.variables} variables, {entry.arcs} arcs"
