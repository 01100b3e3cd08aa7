"""Estimates of methods: what they are called and how they look, in every figure and on every page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FamilyStyle:
    """The look of a family; colours are those of Okabe and Ito, which differ in grey too."""

    title: str  # what its methods do
    light: str  # colour on white
    dark: str  # colour on black
    marker: str  # of Matplotlib


FAMILIES = {
    "prediscretization": FamilyStyle("binning first", "#0072B2", "#56B4E9", "o"),
    "integrated": FamilyStyle("thresholds learned with the graph", "#D55E00", "#FF9D5C", "s"),
    "direct": FamilyStyle("no discretization", "#000000", "#FFFFFF", "^"),
    "reference": FamilyStyle("what no discretization can know", "#CC79A7", "#E8B0D0", "P"),
}
OTHER = FamilyStyle("another program", "#666666", "#8A8A8A", "D")


def family_of(category: str) -> FamilyStyle:
    """Return the family of a category of methods, OTHER for any that is not in FAMILIES."""
    return FAMILIES.get(category, OTHER)
