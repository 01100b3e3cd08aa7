"""Types of options with bounds, which the config is checked against; infinity and NaN are in none of them."""

import math
from collections.abc import Sequence
from typing import Annotated, Literal

from annotated_types import Ge, Interval, Len

AtLeast0 = Annotated[int, Ge(0)]
AtLeast1 = Annotated[int, Ge(1)]
AtLeast2 = Annotated[int, Ge(2)]
NotNegative = Annotated[float, Interval(ge=0, lt=math.inf)]
AboveZero = Annotated[float, Interval(gt=0, lt=math.inf)]
AboveOne = Annotated[float, Interval(gt=1, lt=math.inf)]
Probability = Annotated[float, Interval(gt=0, lt=1)]  # neither 0 nor 1
BelowOne = Annotated[float, Interval(ge=0, lt=1)]
UpToOne = Annotated[float, Interval(ge=0, le=1)]
Range = Annotated[Sequence[AboveZero], Len(2, 2)]  # the lower end first
ArcProbability = Annotated[float, Interval(gt=0, le=0.5)]  # in a prior of structures that never favours more arcs
Parameters = Literal["free", "full"]  # of a family's distribution: r - 1 or r per configuration of the parents
Missing = Literal["refuse", "drop", "impute"]  # what is done with records in which a cell is missing
Order = Literal["columns", "stable"]  # in which a search looks at the variables: as they come, or as the data decide
