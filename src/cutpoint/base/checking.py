"""YAML files read and checked against pydantic models; errors are one line that names the file and the key."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cutpoint.base.errors import InputError
from cutpoint.base.files import read_text
from cutpoint.base.text import shown, suggest

DEEPEST = 50  # levels of a file, far more than any needs; deeper ones exhaust the stack of whoever prints them
LARGEST = 1_000_000  # values of a file, aliases unfolded
NAME = r"[A-Za-z][A-Za-z0-9_.]*"
LONGEST = 100  # letters, since names become files
Name = Annotated[str, Field(pattern=rf"^{NAME}$", max_length=LONGEST)]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]*$", max_length=LONGEST)]  # of tables, as table_V-1
Model = TypeVar("Model", bound=BaseModel)
UNNAMED = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:null")  # what on:, no: and null: stand for


class Closed(BaseModel):
    """A model that refuses keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """A loader that refuses duplicate keys in a mapping, of which YAML keeps the last, and keys that are no names."""

    # dates stay text: no key of any file takes one
    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, pattern) for tag, pattern in pairs if tag != "tag:yaml.org,2002:timestamp"]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def get_single_node(self) -> yaml.Node | None:
        node = super().get_single_node()
        _weigh(node, {})
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (InputError, yaml.YAMLError):
            raise
        except Exception:  # of a number or a date that is none, or too long
            text = f"{shown(node.value)} is no {node.tag.rpartition(':')[2]}"
            raise InputError(f"line {node.start_mark.line + 1}: {text}") from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen: set[str] = set()
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key.value, str) or key.tag in UNNAMED:
                fact = f"{key.value!r} is no text" if isinstance(key.value, str) else "is a list or a mapping"
                raise InputError(f"line {line}: the key {fact}; a name is expected, in quotes if need be")
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise InputError(f"line {line}: the key {key.value!r} occurs twice")
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _weigh(node: yaml.Node | None, weights: dict[int, tuple[int, int]], depth: int = 0) -> tuple[int, int]:
    """Return how many values a node stands for, its aliases unfolded, and in how many levels; refuse too many."""
    if id(node) not in weights:
        weights[id(node)] = LARGEST, 0  # of an alias of what it stands in
        parts = chain(*node.value) if isinstance(node, yaml.MappingNode) else getattr(node, "value", ())
        is_scalar = isinstance(parts, str)
        inside = [_weigh(part, weights, depth + 1) for part in (() if is_scalar or depth > DEEPEST else parts)]
        levels = max([each for _, each in inside], default=0) + (not is_scalar)
        weights[id(node)] = 1 + sum(values for values, _ in inside), levels
    values, levels = weights[id(node)]
    if depth + levels > DEEPEST:
        raise InputError(f"nested deeper than {DEEPEST} levels")
    if values > LARGEST:
        raise InputError(f"aliases stand for more than {LARGEST:,} values")
    return values, levels


def read_yaml(path: str | Path) -> dict[str, Any]:
    """Return a YAML file as a dict; a file that is missing, no YAML or no mapping, or has a key twice, is refused."""
    text = read_text(path)
    try:
        content = yaml.load(text, _Loader)
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}: not valid YAML{where}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: a mapping of keys to values is expected")
    return content


def check(model: type[Model], content: Mapping[str, Any], source: str, names: Any = None) -> Model:
    """Return content as a model, whose validators may look names up."""
    try:
        return model.model_validate(content, context=names)
    except ValidationError as problem:
        raise InputError(f"{source}: {_line(model, problem.errors())}") from None


def check_options(parameters: Mapping, options: Mapping[str, Any], source: str = "", names: Any = None) -> None:
    """Check options against keyword-only parameters, whose validators may look names up; an error names the source."""
    start = f"{source}: " if source else ""
    for key, value in options.items():
        if key not in parameters:
            raise InputError(f"{start}unknown option {key!r}{suggest(key, parameters)}")
        try:
            TypeAdapter(parameters[key].annotation).validate_python(value, strict=True, context=names)
        except ValidationError as problem:
            raise InputError(f"{start}{key}: {_reason(problem.errors()[0], value)}") from None


def _reason(error: Mapping[str, Any], value: Any) -> str:
    """Return what is wrong with a value, which messages of our own name already."""
    reason, text = error.get("ctx", {}).get("error"), error["msg"].removeprefix("Value error, ")
    return text if isinstance(reason, InputError) else f"{text}, got {shown(value)}"


def _line(model: type[BaseModel], errors: Sequence[Mapping[str, Any]]) -> str:
    """Return pydantic's errors as one line: the first three wrong keys, and what they should be."""
    # An unknown key explains a missing one beside it. Of several types the one meant has the deepest error, or ours.
    kinds = ("extra_forbidden", "value_error")
    left = sorted(errors, key=lambda e: (e["type"] == kinds[0], len(e["loc"]), e["type"] == kinds[1]), reverse=True)
    texts = list[str]()
    while left:
        first, alike = left[0], left[:1]
        key, fields = _place(model, first["loc"])
        beside = [one for one in left if one["type"] == "missing" and one["loc"][:-1] == first["loc"][:-1]]
        if first["type"] == "extra_forbidden":
            alike, text = [first, *beside], f"unknown key{suggest(str(first['loc'][-1]), fields)}"
        elif first["type"] == "missing":
            alike, text = beside, "missing"
            key = ", ".join(_place(model, one["loc"])[0] for one in alike)
        elif first["type"] == "union_tag_not_found":
            key, text = f"{key}.kind", "missing"
        elif first["type"] == "union_tag_invalid":
            tags = ast.literal_eval(f"[{first['ctx']['expected_tags']}]")
            key, text = f"{key}.kind", f"unknown {first['ctx']['tag']!r}{suggest(first['ctx']['tag'], tags)}"
        else:
            text = _reason(first, first["input"])
        texts.append(f"{key}: {text}")
        path = _place(model, first["loc"])[0] + "."
        others = [(one, _place(model, one["loc"])[0] + ".") for one in left if one not in alike]
        left = [one for one, place in others if not path.startswith(place) and not place.startswith(path)]
    return "; also ".join(texts[:3]) + (f" (and {len(texts) - 3} more)" if len(texts) > 3 else "")


def _place(model: type[BaseModel], loc: tuple[str | int, ...]) -> tuple[str, list[str]]:
    """Return the dotted key of an error from its location in pydantic, and the keys that are known there."""
    models, key = [model], []
    for part in loc:
        kinds = ((one, getattr(one.model_fields.get("kind"), "annotation", None)) for one in models)
        if of_kind := [one for one, annotation in kinds if part in get_args(annotation)]:
            models = of_kind  # pydantic's location names the kind; the user's key does not
            continue
        if isinstance(part, str) and ("[" in part or part.startswith("constrained-") or part in ("str", "float")):
            continue  # pydantic's name of a type
        key.append(str(part))
        nested = [f for m in models if part in m.model_fields for f in _models(m.model_fields[str(part)].annotation)]
        models = nested or models
    return ".".join(key) or "keys", list(dict.fromkeys(name for one in models for name in one.model_fields))


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
