"""Partial truth of real data sets: columns that can come about only before others, and why.

An arc from a later tier to an earlier one is wrong whatever the rest of the graph is. Columns that stand in no tier are
free. Several tables follow the knowledge files of github.com/cmu-phil/example-causal-datasets (CC0).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Tier(NamedTuple):
    """Columns of one tier, and why they come before those of the next; of the last, why after the others."""

    columns: Sequence[str]
    why: str


_BORN = "age and sex are nobody's choice and no test changes them"
_EXAMINED = Tier(
    ["cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak", "slope", "ca", "thal"],
    "findings in patients of a given age and sex",
)
_CYTOLOGY = [
    *("clump_thickness", "cell_size_uniformity", "cell_shape_uniformity", "marginal_adhesion"),
    *("single_epithelial_cell_size", "bare_nuclei", "bland_chromatin", "normal_nucleoli", "mitoses"),
]
_SILHOUETTE = [
    *("compactness", "circularity", "distance_circularity", "radius_ratio", "pr_axis_aspect_ratio"),
    *("max_length_aspect_ratio", "scatter_ratio", "elongatedness", "pr_axis_rectangularity"),
    *("max_length_rectangularity", "scaled_variance_major", "scaled_variance_minor", "scaled_radius_of_gyration"),
    *("skewness_about_major", "skewness_about_minor", "kurtosis_about_minor", "kurtosis_about_major", "hollows_ratio"),
]
_GRAIN = [
    *("Area", "Perimeter", "MajorAxisLength", "MinorAxisLength", "AspectRation", "Eccentricity", "ConvexArea"),
    *("EquivDiameter", "Extent", "Solidity", "roundness", "Compactness"),
    *("ShapeFactor1", "ShapeFactor2", "ShapeFactor3", "ShapeFactor4"),
]
_MUST = [
    *("fixed_acidity", "volatile_acidity", "citric_acid", "residual_sugar", "chlorides", "free_sulfur_dioxide"),
    *("total_sulfur_dioxide", "density", "pH", "sulphates", "alcohol"),
]

TIERS: Mapping[str, Sequence[Tier]] = {
    "abalone": [
        Tier(["sex", "rings"], "rings count the years of life, and with the sex they are there before the size"),
        Tier(
            ["length", "diameter", "height", "whole_weight", "shucked_weight", "viscera_weight", "shell_weight"],
            "size and weights are what has grown in these years",
        ),
    ],
    "airfoil": [
        Tier(["Frequency", "Attack", "Chord", "Velocity"], "set by the experimenter"),
        Tier(["Displacement"], "thickness of the boundary layer, which follows from wing and flow"),
        Tier(["Pressure"], "sound pressure, measured last"),
    ],
    "australian": [
        Tier([f"A{i}" for i in range(1, 15)], "entries of the application"),
        Tier(["class"], "the decision on the application"),
    ],
    "beans": [Tier(["Class"], "the variety that was sown"), Tier(_GRAIN, "shape of a grain of that variety")],
    "breast": [
        Tier(["class"], "whether the tumour is malignant"),
        Tier(_CYTOLOGY, "how its cells look, graded from a smear"),
    ],
    "cars1": [
        Tier(["origin", "model_year"], "where and when a car was designed"),
        Tier(["cylinders", "displacement", "weight"], "the engine and body that were built"),
        Tier(["horsepower"], "power follows from the engine"),
        Tier(["acceleration", "mpg"], "how the finished car drove in tests"),
    ],
    "cleve": [Tier(["age", "sex"], _BORN), _EXAMINED._replace(columns=[*_EXAMINED.columns, "class"])],
    "fires": [
        Tier(["Region", "day", "month"], "place and date"),
        Tier(["Temperature", "RH", "Ws", "Rain"], "the weather of the day"),
        Tier(["FFMC", "DMC", "DC"], "moisture codes, computed from the weather"),
        Tier(["ISI", "BUI"], "indices, computed from the codes"),
        Tier(["FWI"], "the fire weather index, computed from both"),
    ],
    "heart": [Tier(["age", "sex"], _BORN), _EXAMINED._replace(columns=[*_EXAMINED.columns, "class"])],
    "housing": [
        Tier(["CHAS"], "the river was there before the town"),
        Tier(
            ["CRIM", "ZN", "INDUS", "NOX", "RM", "AGE", "RAD", "TAX", "PTRATIO", "B", "LSTAT", "MEDV"],
            "what people built, pay and breathe there",
        ),
    ],
    "pima": [
        Tier(["age", "pregnancies", "pedigree"], "years, children and relatives, before the examination"),
        Tier(
            ["glucose", "diastolic_bp", "skin_thickness", "insulin", "bmi"],
            "measured at the examination",
        ),
        Tier(["class"], "diabetes in the five years after the examination"),
    ],
    "pulsars": [
        Tier(["pulsar"], "what the source is"),
        Tier(
            [f"{curve}_{what}" for curve in ("ip", "snr") for what in ("mean", "sd", "kurt", "skew")],
            "statistics of the signal that it sent",
        ),
    ],
    "students": [
        Tier(
            ["sex", "age", "school", "address", "famsize", "Pstatus", "Medu", "Fedu", "Mjob", "Fjob", "nursery"],
            "person, family and school, before the school year",
        ),
        Tier(["G1"], "grade of the first period"),
        Tier(["G2"], "grade of the second period"),
        Tier(["G3"], "final grade"),
    ],
    "vehicle": [
        Tier(["class"], "the vehicle that stood before the camera"),
        Tier(_SILHOUETTE, "its silhouette in the picture"),
    ],
    "wine": [Tier(_MUST, "chemistry of the wine"), Tier(["quality"], "the marks of the tasters")],
    "yacht": [
        Tier(
            ["cent-boy", "prismatic", "len-disp", "beam-draught", "len-beam", "froude"],
            "shape of the hull, and its speed, set by the experimenter",
        ),
        Tier(["res-resist"], "resistance that was measured"),
    ],
}
