"""What the readers and writers of several formats share: numbers as text, tables of the right shape, XML."""

from math import prod
from xml.etree import ElementTree as ET

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.networks.bif import SUM_TOLERANCE, BifContent, normalized


def joined(numbers: np.ndarray) -> str:
    """Return numbers with all their digits, separated by blanks, in the order of C."""
    return " ".join(map(repr, np.asarray(numbers, float).ravel().tolist()))


def reshaped(content: BifContent, name: str, text: str, source: str) -> np.ndarray:
    """Return the table of a variable, one axis per parent and then its own, from numbers in the order of C."""
    axes = [*content.parents[name], name]
    if unknown := [one for one in axes if one not in content.states]:
        raise InputError(f"{source}: the table of {name!r} names {unknown[0]!r}, which is no variable")
    shape = [len(content.states[one]) for one in axes]
    try:
        numbers = np.array(text.split(), float)
    except ValueError as problem:
        raise InputError(f"{source}: the table of {name!r}: {problem}") from None
    if len(numbers) != prod(shape):
        raise InputError(f"{source}: the table of {name!r} has {len(numbers)} entries, not {prod(shape)}")
    table = numbers.reshape(shape)
    if not ((table >= 0).all() and (np.abs(table.sum(axis=-1) - 1) <= SUM_TOLERANCE).all()):
        raise InputError(f"{source}: the table of {name!r} has a row that is no distribution")
    return normalized(table)


def text_of(root: ET.Element) -> str:
    """Return an XML document with its declaration, indented."""
    ET.indent(root, "\t")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def xml_root(text: str, tag: str, source: str) -> ET.Element:
    """Return the root of an XML document."""
    try:
        root = ET.fromstring(text.encode())
    except ET.ParseError as problem:
        raise InputError(f"{source}: {problem}") from None
    if root.tag != tag:
        raise InputError(f"{source}: the root is {root.tag}, not {tag}")
    return root
