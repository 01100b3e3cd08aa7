"""Hill climbing of PyBNesian for semiparametric networks (Atienza et al. 2022), with Intel's OpenCL for processors."""

import os
import time
from importlib import metadata

import numpy as np

from cutpoint import InputError, Learned

RUNTIME = "intel-opencl-rt"


def load():
    """Import PyBNesian, once before the first run; OpenCL starts threads, which would not survive the start of one."""
    import pybnesian  # noqa: F401


def learn(values, discrete, *, patience=0, seed=1):
    """Return the DAG of a network whose nodes are Gaussian or kernel densities; columns with one value have no edges.

    Args:
        values: float64 [N, n].
        discrete: bool [n], the columns that hold codes; beside them PyBNesian fits Gaussian nodes alone.
        patience: steps without a gain in the records that are left out before the search ends.
        seed: of the folds of the score.

    Returns:
        The DAG; `learn_seconds` are CPU seconds without the compilation of its OpenCL kernels.
    """
    import pybnesian

    used = np.flatnonzero((values != values[:1]).any(axis=0))
    dag = np.zeros((values.shape[1],) * 2, bool)
    if used.size < 2:
        return Learned(dag=dag)
    table = table_of(values[:, used], discrete[used])
    start_opencl(pybnesian)
    start = time.process_time()
    network = pybnesian.hc(table, bn_type=pybnesian.SemiparametricBNType(), patience=patience, seed=seed)
    for source, target in network.arcs():
        dag[used[int(source[1:])], used[int(target[1:])]] = True
    return Learned(dag=dag, learn_seconds=time.process_time() - start)


def table_of(values, discrete):
    """Return a record batch of numbers and of dictionaries of codes."""
    import pyarrow as pa

    columns = []
    for column, coded in zip(values.T, discrete, strict=True):
        levels = pa.array([str(code) for code in range(int(column.max()) + 1)] if coded else [])
        codes = pa.array(column.astype(np.int8)) if coded else None
        columns.append(pa.DictionaryArray.from_arrays(codes, levels) if coded else pa.array(column))
    return pa.RecordBatch.from_arrays(columns, [f"v{i}" for i in range(len(columns))])


def start_opencl(pybnesian):
    """Have OpenCL run on one processor, and its kernels compiled.

    Raises:
        InputError: there is no OpenCL.
    """
    library = next(file for file in metadata.files(RUNTIME) or () if file.name == "libintelocl.so").locate()
    os.environ["OCL_ICD_FILENAMES"] = str(library)
    os.environ["CL_CONFIG_CPU_TBB_NUM_WORKERS"] = "1"
    little = table_of(np.linspace(0.0, 1.0, 20).reshape(10, 2) ** 2, np.zeros(2, bool))
    density = pybnesian.KDE(["v0"])
    try:
        density.fit(little)
        density.logl(little)
    except RuntimeError as error:
        raise InputError(f"no OpenCL for PyBNesian: {error}") from error
