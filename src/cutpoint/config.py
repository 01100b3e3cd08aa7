"""The config files as checked objects; what is wrong is said in one line that names file and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from cutpoint import assembly, registry
from cutpoint.errors import InputError
from cutpoint.networks import network_names

NAME = r"[A-Za-z][A-Za-z0-9_.]*"
Name = Annotated[str, Field(pattern=rf"^{NAME}$")]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


class Closed(BaseModel):
    """A model that refuses keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Settings(Closed):
    """config.yaml: what to run and its limits."""

    studies: list[Name] = Field(min_length=1, description="studies to run, each a file of config/studies")
    study: Name | None = Field(None, description="one study instead of all")
    scale: Name = Field(description="a scale of the studies: published or quick")
    seed: int = Field(ge=0, description="all random numbers derive from it")
    batch: Count = Field(description="data sets per job")
    time_limit: Positive = Field(description="wall seconds per run, above 0")
    memory_limit: Positive = Field(description="resident megabytes per run, above 0")
    mirror: str | None = Field(None, description="folder with the files of the real data sets")
    files: dict[str, str] = Field({}, description="a data set's own file, by its name")

    @property
    def selected(self) -> list[str]:
        """The studies to run."""
        return [self.study] if self.study else self.studies


class Scale(Closed):
    """How large a study is run; `n` and `networks` replace those of the grids."""

    replicates: Count
    n: list[Count] | None = None
    networks: list[str] | None = None


class Gaussian(Closed):
    """Normal noise around integer codes (Fu V.1.1)."""

    kind: Literal["gaussian"]
    sigma: Positive


class Grid(Closed):
    """Data sets crossed with methods: networks x n x noises, or real data sets."""

    networks: list[str] = []
    n: list[Count] = []
    noises: list[Name] = []
    datasets: list[Name] = []
    methods: list[Name] = Field(min_length=1)

    @model_validator(mode="after")
    def _one_kind(self):
        simulated = [bool(self.networks), bool(self.n), bool(self.noises)]
        if bool(self.datasets) == any(simulated) or any(simulated) != all(simulated):
            raise ValueError("give networks, n and noises, or datasets")
        return self


class Study(Closed):
    """studies/NAME.yaml: grids and scales of one paper."""

    title: str
    citation: str
    reference: Name
    scales: dict[Name, Scale]
    noises: dict[Name, Gaussian] = {}
    grids: dict[Name, Grid]
    tables: list[str] = Field([], description="artefacts of the study's package, in the order of the report")
    figures: list[str] = []


class Method(BaseModel):
    """A row of methods.yaml; further keys are options of its parts."""

    model_config = ConfigDict(extra="allow")

    label: str
    category: Literal["prediscretization", "integrated", "direct", "external"]
    job: Name | None = Field(None, description="methods of the same job run in one; its own name")
    rule: Name | None = None
    note: str | None = None
    studies: list[Name] | None = Field(None, description="studies that it joins below the printed rows; all")


Model = TypeVar("Model", bound=BaseModel)


def read_yaml(path: str | Path) -> dict[str, Any]:
    """Return a YAML file as a dict.

    Raises:
        InputError: when it is missing, does not parse or is not a mapping.
    """
    try:
        content = yaml.safe_load(Path(path).read_text())
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}: not valid YAML{where}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: a mapping of keys to values is expected")
    return content


def check(model: type[Model], content: Mapping[str, Any], source: str) -> Model:
    """Return content as a model.

    Raises:
        InputError: one line that names the source, the first wrong key and what it should be.
    """
    try:
        return model.model_validate(content)
    except ValidationError as problem:
        first = problem.errors()[0]
        key = ".".join(map(str, first["loc"])) or "keys"
        text = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            text = f"unknown key{registry.suggest(str(first['loc'][-1]), model.model_fields)}"
        elif first["type"] == "missing":
            text = "missing"
        else:
            text += f", got {first['input']!r}"
        more = f" (and {problem.error_count() - 1} more)" if problem.error_count() > 1 else ""
        raise InputError(f"{source}: {key}: {text}{more}") from None


def load_methods(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a methods file, in order, each checked with its options.

    Raises:
        InputError: naming the file, the row and the key.
    """
    rows = read_yaml(path)
    for name, row in rows.items():
        source = f"{path}: {name}"
        if not re.fullmatch(NAME, str(name)):
            raise InputError(f"{source}: a name starts with a letter and goes on with letters, digits, _ or .")
        if not isinstance(row, dict):
            raise InputError(f"{source}: a mapping of keys to values is expected")
        check(Method, row, source)
        check_row(row, source)
        if row.get("job") in rows.keys() - {name}:
            raise InputError(f"{source}: job: {row['job']!r} is the name of another method; choose another")
    return rows


def check_row(row: Mapping[str, Any], source: str) -> None:
    """Check the parts and options of a method against the registry and the signatures.

    Raises:
        InputError: naming the source and the key.
    """
    try:
        _check_options(row)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None


def _check_options(row: Mapping[str, Any]) -> None:
    parts = assembly.functions_of(row)
    if row["category"] == "external":
        if not row.get("rule"):
            raise InputError("rule: missing; an external method names the rule that runs it")
        if row.get("job"):
            raise InputError("job: an external method has a job of its own; leave the key out")
        return
    _check_values([registry.resolve(path) for key, path in parts.items() if key != "initial"], assembly.options_of(row))
    if row["category"] == "integrated":
        assembly.initial_of(row)


def check_options(functions: Sequence[Callable], options: Mapping[str, Any], source: str) -> None:
    """Check options against the keyword-only parameters of the functions that take them.

    Raises:
        InputError: naming the source and the option.
    """
    try:
        _check_values(functions, options)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None


def _check_values(functions: Sequence[Callable], options: Mapping[str, Any]) -> None:
    reserved = {"initial", "search", "start"}  # what the assembly hands over
    known = {k: p for f in functions for k, p in registry.options_of(f).items() if k not in reserved}
    for key, value in options.items():
        if key not in known:
            raise InputError(f"unknown option {key!r}{registry.suggest(key, known)}")
        try:
            TypeAdapter(known[key].annotation).validate_python(value, strict=isinstance(value, str | bool))
        except ValidationError as problem:
            raise InputError(f"{key}: {problem.errors()[0]['msg']}, got {value!r}") from None


def load_study(folder: Path, name: str, known: Mapping[str, Any], datasets: Mapping[str, Any]) -> Study:
    """Return a study, its methods, data sets and networks looked up.

    Raises:
        InputError: for an unknown study, method, data set, noise, network or scale.
    """
    path = folder / f"{name}.yaml"
    if not path.exists():
        raise InputError(
            f"unknown study {name!r}{registry.suggest(name, sorted(p.stem for p in folder.glob('*.yaml')))}"
        )
    study = check(Study, read_yaml(path), str(path))
    for grid_name, grid in study.grids.items():
        where = f"{path}: grids.{grid_name}"
        for what, names, among in (
            ("methods", grid.methods, known),
            ("datasets", grid.datasets, datasets),
            ("noises", grid.noises, study.noises),
        ):
            for entry in names:
                if entry not in among:
                    raise InputError(f"{where}.{what}: unknown {entry!r}{registry.suggest(entry, among)}")
        _check_networks(grid.networks, where)
    for scale_name, scale in study.scales.items():
        _check_networks(scale.networks or [], f"{path}: scales.{scale_name}")
    return study


def _check_networks(networks: list[str], where: str) -> None:
    for entry in networks:
        if not entry.endswith(".bif") and entry not in network_names():
            near = registry.suggest(entry, network_names())
            raise InputError(f"{where}.networks: unknown {entry!r}{near}; or give a .bif file")
