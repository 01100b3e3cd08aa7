"""The studies, a folder each. Only `own`, the comparison on a user's own data, is part of the package.

Those of papers stand in workflow/studies of the clone, a user's own in studies/ of the folder where the run starts.
"""

from pathlib import Path

from cutpoint.base.user_code import ROOT

__path__ = [*__path__, str(ROOT / "workflow" / "studies"), str(Path.cwd() / "studies")]
