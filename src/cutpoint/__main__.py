"""`python -m cutpoint`, the command `cutpoint` where it is not installed."""

import sys

from cutpoint.cli import main

sys.exit(main())
