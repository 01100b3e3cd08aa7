"""The benchmark: studies as a workflow, from simulated data to tables, figures, claims and the report."""

import signal
import sys

if hasattr(sys.modules["__main__"], "snakemake"):  # a script: until it has begun, Ctrl-C ends it without a traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)
