"""The config files as pydantic models: their keys, types and bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from cutpoint.base.checking import Closed, Name
from cutpoint.bench.data.params import OWN
from cutpoint.bench.engine.declaration import Declaration
from cutpoint.options import Missing


def distinct(values: list) -> list:
    """Return a list in which nothing stands twice."""
    if twice := [value for i, value in enumerate(values) if value in values[:i]]:
        raise ValueError(f"{twice[0]} occurs twice")
    return values


CROSS_VALIDATION = "cross_validation"  # the resample whose replicates are folds
EQUATIONS = ("linear_sem", "additive_sem", "nonadditive_sem", "own_sem")  # noises that take no codes of a network
Item = TypeVar("Item")
Unique = Annotated[list[Item], AfterValidator(distinct)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Count = Annotated[int, Field(ge=1, le=10**9, strict=True)]
Share = Annotated[float, Field(gt=0, le=1)]
Options = dict[str, Any]  # of functions, whose signatures say what they may be; see `cutpoint.bench.workflow.names`


def grouped(value: Any) -> Any:
    """Return what shares a batch: nothing, "sizes", all (true) or a list of networks."""
    if isinstance(value, list) and len(value) > 1:
        return distinct(value)
    if value in (False, "sizes", True):
        return value
    raise ValueError("sizes, true or a list of two networks or more is expected")


def spaced(values: Any) -> Any:
    """Return a mapping, unless it is what YAML makes of {x:y}."""
    pairs = values.items() if isinstance(values, dict) else ()
    if joined := [str(key) for key, value in pairs if value is None and ":" in str(key)]:
        raise ValueError(f"put a space after the colon, {joined[0].replace(':', ': ', 1)!r}")
    return values


Spaced = Annotated[dict[str, str], BeforeValidator(spaced)]


def listed(values: Any) -> Any:
    """Return one name as a list of names; names that look like numbers are names too."""
    values = [values] if isinstance(values, str | int | float) else values
    return [str(value) for value in values] if isinstance(values, list) else values


Columns = Annotated[Unique[str], BeforeValidator(listed)]


class Settings(Closed):
    """config.yaml: what to run and its limits."""

    studies: Unique[Name] = Field(min_length=1, description="studies to run, each a folder with a study.yaml")
    study: Name | None = Field(None, description="one study instead of all")
    scale: Name = Field(description="a scale of the studies: published or quick")
    seed: int = Field(ge=0, lt=2**63, strict=True, description="all random numbers derive from it")
    time_limit: Positive = Field(description="CPU seconds per run, above 0")
    memory_limit: Positive = Field(description="resident megabytes per run, above 0")
    extra_methods: Unique[Name] = Field([], description="rows that join every study of the run")
    methods: Columns | None = Field(None, description="the only rows to run, of any study or on your data")
    metrics: dict[Name, MetricRow] = Field({}, description="metrics of your own, which studies name")
    mirror: str | None = Field(None, description="folder with the files of the real data sets")
    files: Spaced = Field({}, description="a data set's own file, by its name")

    data: str | None = Field(None, description="your own data: a file of text, Parquet or Arrow")
    truth: str | None = Field(None, description="the true network of your data: a BIF or CSV file, or a shipped name")
    discrete: Columns = Field([], description="columns of your data that hold states")
    ordered: Columns = Field([], description="columns of your data that hold states in their order")
    continuous: Columns = Field([], description="columns of your data that hold numbers")
    drop: Columns = Field([], description="columns of your data to leave out")
    missing: Missing = Field("refuse", description="what to do with rows of your data that have gaps")
    weights: str | None = Field(None, description="the column that says how often each row of your data counts")
    knowledge: str | None = Field(None, description="what is known of your data: a file of YAML, or of Tetrad")
    posterior: bool = Field(False, description="whether the probabilities of your data's edges are drawn too")
    titles: bool = Field(False, description="whether figures carry their titles and the scale of the run")
    separator: str | None = Field(None, description="what separates cells of your data, such as semicolon or blank")
    decimal: str | None = Field(None, description="the decimal mark of your data: point or comma")
    thousands: str | None = Field(None, description="what groups the digits of your data, such as comma or blank")
    names: Columns = Field([], description="names of the columns of your data, of a file whose first line is a record")
    marks: Columns = Field([], description="further texts that stand for missing cells of your data, such as -999")
    encoding: str | None = Field(None, description="the encoding of your data where it is not UTF-8, such as latin-1")
    resample: Literal["jackknife", "bootstrap"] = Field("bootstrap", description="how edge confidence draws your data")

    @property
    def selected(self) -> list[str]:
        """The studies to run."""
        if self.data is not None:
            return [OWN]
        return [self.study] if self.study else self.studies


class Scale(Closed):
    """How large a study is run; `n` and `networks` replace those of the grids. A mapping has one value per grid."""

    replicates: Count | dict[Name, Count] = 1
    n: Unique[Count] | dict[Name, Unique[Count]] | None = None
    networks: Unique[str] | dict[Name, Unique[str]] | None = None
    without: Unique[Name] = Field([], description="methods of the grids that are left out")
    together: Annotated[Literal[False, "sizes", True] | list[str], BeforeValidator(grouped)] = Field(
        False, description="all sizes of a network, or all data, in a batch; a list: those of its networks too"
    )
    experiments: dict[Name, Options] = Field({}, description="options of experiments that replace the defaults")

    def of(self, key: str, grid: str) -> Any:
        """Return what a key says of a grid, None where it says nothing."""
        value = getattr(self, key)
        return value.get(grid) if isinstance(value, dict) else value


class Grid(Closed):
    """Data sets crossed with methods: networks x n x noises, or real data sets."""

    networks: Unique[str] = Field(
        [], description="shipped names, paths of BIF files or of folders of them, random ones of the study"
    )
    n: Unique[Count] = Field([], description="numbers of records")
    noises: Unique[Name] = Field([], description="how continuous values come about")
    datasets: Unique[Name] = Field([], description="real data sets")
    resamples: Unique[Name] = Field([], description="how replicates are drawn from a real data set")
    methods: Unique[Name] = Field(min_length=1)
    variants: Count = Field(
        1, description="so many noises in a row are variants of one; each replicate has one of them"
    )
    thin: Count = Field(1, description="one data set of so many, in turn over networks, sizes, noises and replicates")
    graphs: bool = Field(False, description="whether tables and figures show what each run learned")
    predict: Unique[Share] = Field([], description="predict the discrete variables from these shares of their blankets")
    held_out: Count | None = Field(
        None, description="so many further records of the same network and noise, of whose density graphs are judged"
    )

    @model_validator(mode="after")
    def _one_kind(self):
        simulated = [bool(self.networks), bool(self.n), bool(self.noises)]
        if bool(self.datasets) == any(simulated) or any(simulated) != all(simulated):
            raise ValueError("give networks, n and noises, or datasets")
        if self.resamples and not self.datasets:
            raise ValueError("resamples are of datasets")
        if self.held_out and self.datasets:
            raise ValueError("held_out is of simulated data; those of datasets are folds")
        if len(self.noises) % self.variants:
            raise ValueError(f"variants: {len(self.noises)} noises are no rows of {self.variants}")
        return self


class Study(Declaration):
    """study.yaml: grids and scales of one paper, and what is shown and claimed of it."""

    title: str
    citation: str
    scales: dict[Name, Scale]
    noises: dict[Name, Options] = Field({}, description="how continuous values come about, by name")
    random_networks: dict[Name, Options] = Field({}, description="families of random networks, by name")
    resamples: dict[Name, Options] = Field({}, description="how replicates are drawn from a real data set, by name")
    grids: dict[Name, Grid] = Field({}, description="data crossed with methods, by name")
    block: Count = Field(20, description="replicates of a batch, the data sets that a job works on")
    joins: bool = Field(True, description="whether rows that are in none of its grids join it")
    experiments: Unique[Name] = Field([], description="computations of the study's package that are no grid")

    def folds_of(self, grid: str) -> bool:
        """Return whether the replicates of a grid are the folds of a cross-validation."""
        return any(self.resamples[name]["kind"] == CROSS_VALIDATION for name in self.grids[grid].resamples)


class MetricRow(Closed):
    """A metric; its function gets the learned and the true pattern, and its options by name."""

    metric: str = Field(description="file.py:function or module:function")
    unit: str = Field(description="of its values, such as edges; empty for a share")
    better: Literal["lower", "higher", "neither"]
    undefined: str = Field(min_length=1, description="where it has no value, such as: for a graph without edges")
    options: dict[str, Any] = Field({}, description="keyword arguments of the function")
