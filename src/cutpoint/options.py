"""Types of options with bounds, which the config is checked against."""

from typing import Annotated

from annotated_types import Ge

AtLeast0 = Annotated[int, Ge(0)]
AtLeast1 = Annotated[int, Ge(1)]
