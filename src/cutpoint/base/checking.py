"""YAML files as checked objects; what is wrong is said in one line that names file and key."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest

Model = TypeVar("Model", bound=BaseModel)


class _Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """A loader that refuses a key that stands twice in a mapping, of which YAML would keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise InputError(f"line {key.start_mark.line + 1}: the key {key.value!r} stands twice")
            seen.add(key.value if isinstance(key.value, str) else repr(key.value))
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> dict[str, Any]:
    """Return a YAML file as a dict.

    Raises:
        InputError: when it is missing, does not parse, has a key twice or is not a mapping.
    """
    try:
        content = yaml.load(Path(path).read_text(), _Loader)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from None
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
        # an unknown key explains a missing one; of a key that may have several types, the error that goes deepest
        # is that of the type which was meant
        first = max(problem.errors(), key=lambda error: (error["type"] == "extra_forbidden", len(error["loc"])))
        others = problem.error_count() - 1
        key, known = _place(model, first["loc"])
        text = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            text = f"unknown key{suggest(str(first['loc'][-1]), known)}"
        elif first["type"] == "missing":
            gone = [e["loc"] for e in problem.errors() if e["type"] == "missing" and e["loc"][:-1] == first["loc"][:-1]]
            key, text = ", ".join(_place(model, place)[0] for place in gone), "missing"
            others -= len(gone) - 1
        elif first["type"] == "union_tag_not_found":
            key, text = f"{key}.kind", "missing"
        elif first["type"] == "union_tag_invalid":
            tags = ast.literal_eval(f"[{first['ctx']['expected_tags']}]")
            key, text = f"{key}.kind", f"unknown {first['ctx']['tag']!r}{suggest(first['ctx']['tag'], tags)}"
        else:
            text += f", got {first['input']!r}"
        more = f" (and {others} more)" if others else ""
        raise InputError(f"{source}: {key}: {text}{more}") from None


def _place(model: type[BaseModel], loc: tuple[str | int, ...]) -> tuple[str, list[str]]:
    """Return the key that pydantic's place of an error stands for, and the keys that are known there."""
    models, key = [model], []
    for part in loc:
        if any(part in get_args(found.model_fields["kind"].annotation) for found in models if _has_kind(found)):
            models = [found for found in models if part in get_args(found.model_fields["kind"].annotation)]
            continue
        if isinstance(part, str) and ("[" in part or part.startswith("constrained-")):
            continue  # pydantic's name of a type
        key.append(str(part))
        nested = [f for m in models if part in m.model_fields for f in _models(m.model_fields[str(part)].annotation)]
        models = nested or models
    return ".".join(key) or "keys", list(dict.fromkeys(name for found in models for name in found.model_fields))


def _has_kind(model: type[BaseModel]) -> bool:
    return "kind" in model.model_fields


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models that an annotation is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
