"""Everything that a study shows: its tables, figures, and claims by name, and all of them in a folder."""

from collections.abc import Callable
from pathlib import Path

from cutpoint.bench.artefacts import table as tables
from cutpoint.bench.artefacts.claims import to_csv
from cutpoint.bench.artefacts.drawings import large
from cutpoint.bench.artefacts.html import to_html
from cutpoint.bench.artefacts.latex import to_float, to_latex
from cutpoint.bench.engine.inequalities import judge
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.tables import make_figure, make_table
from cutpoint.bench.plots.style import caption_of, described, save, with_titles

PREVIEWS = ("quick", "tiny")
WRITERS: dict[str, Callable[[tables.ArtefactTable], str]] = {  # of every table, by the ending of the file
    "csv": tables.to_csv,
    "md": tables.to_markdown,
    "tex": to_latex,
    "float.tex": to_float,
    "json": tables.to_json,
    "html": to_html,
}


def show(inputs: Inputs, folder: Path, *, titles: bool = False) -> None:
    """Write tables, figures, which may carry their titles and the scale of the run, and the verdicts on claims.

    The folder, made where it is missing, gets ``tables/NAME.{csv,md,tex,float.tex,json,html}``, ``claims.csv``, and
    ``figures/NAME.{svg,pdf,png}`` as `images` says, with title and alternative text in ``NAME.txt``.
    """
    for kind in ("tables", "figures"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for name in inputs.study.tables:
        table = make_table(inputs, name)
        for ending, write in WRITERS.items():
            (folder / "tables" / f"{name}.{ending}").write_text(write(table), encoding="utf-8")
    for name in inputs.study.figures:
        with with_titles(titles):
            figure = make_figure(inputs, name)  # one at a time: figures hold much memory
        for ending in images(inputs.scale.name):
            save(figure, folder / "figures" / f"{name}.{ending}")
        if large((folder / "figures" / f"{name}.svg").read_text("utf-8")):
            save(figure, folder / "figures" / f"{name}.png")  # what the report shows of it
        words = (caption_of(figure), described(figure))
        (folder / "figures" / f"{name}.txt").write_text("".join(f"{' '.join(w.split())}\n" for w in words), "utf-8")
    (folder / "claims.csv").write_text(verdicts(inputs), encoding="utf-8")


def images(scale: str) -> tuple[str, ...]:
    """Return the formats of figures: SVG for the report, and where it is no preview also what a paper takes."""
    return ("svg",) if scale in PREVIEWS else ("svg", "pdf", "png")


def verdicts(inputs: Inputs) -> str:
    """Return the verdicts on the claims of a study as CSV."""
    judged = [judge(inputs, name) for name in inputs.study.claims]
    return to_csv(inputs.study.name, judged, inputs.scale)
