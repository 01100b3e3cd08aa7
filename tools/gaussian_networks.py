"""Write BIF files of published Gaussian networks from the JSON files of pgmpy's wheel.

uv pip install --no-deps --target /tmp/pgmpy pgmpy==1.1.2
uv run tools/gaussian_networks.py /tmp/pgmpy/pgmpy/utils/example_models data/networks
"""

import json
import sys
from pathlib import Path

from cutpoint.networks.network import PROPERTY

NAMES = ("arth150", "ecoli70", "magic-irri", "magic-niab")


def render(name, content):
    """Return the text of the BIF file of a network, each number as printed in the JSON file."""
    blocks = [f"network {name} {{\n}}\n"]
    for variable in content["nodes"]:
        local = content["cpds"][variable]
        coefficients = [local["coefficients"][parent][0] for parent in local["parents"]]
        numbers = [local["coefficients"]["(Intercept)"][0], local["variance"][0], *coefficients]
        kept = f'property {PROPERTY} = "{" ".join(map(str, numbers))}";'
        blocks.append(f"variable {variable} {{\n  type discrete [ 2 ] {{ low, high }};\n  {kept}\n}}\n")
    for variable in content["nodes"]:
        parents = content["cpds"][variable]["parents"]
        condition = f" | {', '.join(parents)}" if parents else ""
        row = "default" if parents else "table"
        blocks.append(f"probability ( {variable}{condition} ) {{\n  {row} 0.5, 0.5;\n}}\n")
    return "".join(blocks)


def main(source, target):
    """Write the BIF files of all networks of a folder of JSON files to another."""
    for name in NAMES:
        content = json.loads((Path(source) / f"{name}.json").read_text())
        stem = name.replace("-", "_")
        (Path(target) / f"{stem}.bif").write_text(render(stem, content))


if __name__ == "__main__":
    main(*sys.argv[1:])
