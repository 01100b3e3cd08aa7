"""Families of methods: what they are called and how they look, in every figure and on every page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """The look of a family.

    Attributes:
        title: what its methods do.
        light, dark: its colour on white and on black; those of Okabe and Ito on white differ in grey too.
        marker: of Matplotlib, which tells families apart without colour.
    """

    title: str
    light: str
    dark: str
    marker: str


FAMILIES = {
    "prediscretization": Family("binning first", "#0072B2", "#56B4E9", "o"),
    "integrated": Family("thresholds learned with the graph", "#D55E00", "#FF9D5C", "s"),
    "direct": Family("no discretization", "#000000", "#FFFFFF", "^"),
}
OTHER = Family("another program", "#666666", "#8A8A8A", "D")


def family_of(category: str) -> Family:
    """Return the family of a category of methods, OTHER for any that is not in FAMILIES."""
    return FAMILIES.get(category, OTHER)
