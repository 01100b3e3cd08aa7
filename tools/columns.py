"""Make docs/columns.md from what the package says of its columns: `uv run tools/columns.py`."""

from pathlib import Path

from cutpoint.bench.data.meanings import to_markdown

if __name__ == "__main__":
    (Path(__file__).parents[1] / "docs" / "columns.md").write_text(to_markdown(), encoding="utf-8")
