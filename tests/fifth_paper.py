"""The example of docs/add.md as the folder of a fifth paper, lee2020, for a while."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from cutpoint.base.checking import read_yaml
from cutpoint.bench import studies
from cutpoint.bench.engine.declaration import declared

BLOCKS = re.findall(r"(?s)```(\w*)\n(.*?)```", (Path(__file__).parents[1] / "docs" / "add.md").read_text())
EXAMPLE = next(text for _, text in BLOCKS if text.startswith("title: A small comparison"))
PRINTED = next(text for _, text in BLOCKS if text.startswith("method,"))


@contextmanager
def fifth_paper(place: Path) -> Iterator[Path]:
    """Let a folder of a place be that of a study."""
    home, before = place / "lee2020", list(studies.__path__)
    (home / "printed").mkdir(parents=True)
    (home / "__init__.py").write_text('"""Lee, A. (2020)."""\n')
    (home / "study.yaml").write_text(EXAMPLE)
    for name in ("shd", "time"):
        (home / "printed" / f"table_1_{name}.csv").write_text(PRINTED)
    studies.__path__ = [*before, str(place)]
    declared.cache_clear()
    try:
        yield home
    finally:
        studies.__path__ = before
        declared.cache_clear()
        for name in [name for name in sys.modules if name.startswith("cutpoint.bench.studies.lee2020")]:
            del sys.modules[name]


def edit(folder, *keys, value):
    """Write the study with one key changed."""
    content = read_yaml(folder / "study.yaml")
    part = content
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] = value
    (folder / "study.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    declared.cache_clear()
