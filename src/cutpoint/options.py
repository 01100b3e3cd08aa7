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
# Between 0 and 1, neither of them.
Probability = Annotated[float, Interval(gt=0, lt=1)]
BelowOne = Annotated[float, Interval(ge=0, lt=1)]
UpToOne = Annotated[float, Interval(ge=0, le=1)]
# The lower end first.
Range = Annotated[Sequence[AboveZero], Len(2, 2)]
# Of an arc, in a prior of structures that never favours more of them.
ArcProbability = Annotated[float, Interval(gt=0, le=0.5)]
# Of a family's distribution: r - 1 or r per configuration of the parents.
Parameters = Literal["free", "full"]
# What is done with records in which a cell is missing.
Missing = Literal["refuse", "drop", "impute"]
# In which a search looks at the variables: as the columns come, or as the data decide.
Order = Literal["columns", "stable"]
