"""Names in config files: how they are written, and the one that stands for a user's own data."""

from typing import Annotated

from pydantic import Field

NAME = r"[A-Za-z][A-Za-z0-9_.]*"
LONGEST = 100  # letters, since names become files
Name = Annotated[str, Field(pattern=rf"^{NAME}$", max_length=LONGEST)]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]*$", max_length=LONGEST)]  # of tables, as table_V-1
OWN = "own"  # the study of a user's data, and the name of these among the data sets
