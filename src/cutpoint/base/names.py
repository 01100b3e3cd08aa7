"""Names in config files: how they are written, and the one that stands for a user's own data."""

from typing import Annotated

from pydantic import Field

NAME = r"[A-Za-z][A-Za-z0-9_.]*"
Name = Annotated[str, Field(pattern=rf"^{NAME}$")]
OWN = "own"  # the study of a user's data, and the name of these among the data sets
