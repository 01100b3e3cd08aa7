"""Compiled kernels: one cache for each user, by the text of the source."""

import os
import subprocess
import sys
import threading

import pytest
from numba.core.codegen import get_host_cpu_features

from cutpoint.kernels import compiling

# As in hatch_build.py.
PROCESSOR = {"NUMBA_CPU_NAME": compiling.LEVEL, "NUMBA_CPU_FEATURES": ""}

KERNEL = """
from cutpoint.kernels.compiled import jit

@jit
def double(x):
    return 2 * x

assert double(2.0) == 4.0
print(sum(double.call.stats.cache_hits.values()))
"""
TWO_KERNELS = KERNEL.replace("assert", "@jit\ndef triple(x):\n    return 3 * x\n\nassert triple(2.0) == 6.0\nassert")


def call(folder, text=KERNEL, built="", setup="", **environment):
    """Run a file of kernels in a process of its own; return how many were found compiled, and the warnings if any.

    built: a folder in place of the package's; setup: what the process does first.
    """
    folder.mkdir(exist_ok=True)
    (folder / "kernel.py").write_text(text)
    # Python keeps half of a module's bytecode where files may not grow, and cannot read it then
    variables = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    first = f"from cutpoint.kernels import compiling; compiling.BUILT = compiling.Path({str(built)!r})"
    command = [sys.executable, "-c", f"{setup}\n{first}; import kernel"]
    done = subprocess.run(command, cwd=folder, env=variables | environment, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("compiling kernels")]
    return (int(done.stdout), *lines)


def home(tmp_path):
    """Return the variables of a user whose cache and temporary files stand in a folder."""
    (tmp_path / "tmp").mkdir(exist_ok=True)
    return {"XDG_CACHE_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "tmp")}


def kernels(folder):
    return [path for path in folder.rglob("*-*/*") if path.is_file()]


def test_copies_of_a_file_share_what_is_compiled_and_other_text_does_not(tmp_path):
    mine = home(tmp_path)
    assert call(tmp_path / "one", **mine) == (0,)
    assert call(tmp_path / "two", **mine) == (1,)
    assert call(tmp_path / "two", KERNEL + "# more", **mine) == (0,)
    assert len(kernels(tmp_path / "home")) == 2
    assert not kernels(tmp_path / "one")


def test_machine_code_is_loaded_without_what_it_was_made_from(tmp_path):
    """Numba imports the module of each function that a kernel calls: 0.3 s in every process."""
    text = KERNEL.replace("    return 2 * x", "    return 2 * np.full(3, x).max()").replace(
        "from", "import sys, numpy as np\nfrom", 1
    )
    text += "assert not double.call.stats.cache_hits or not {'numba.np.arraymath', 'scipy.linalg'} & {*sys.modules}\n"
    assert [call(tmp_path, text, **home(tmp_path)) for _ in range(2)] == [(0,), (1,)]


@pytest.mark.skipif(not compiling.fits(get_host_cpu_features()), reason="an older processor")
def test_what_the_build_compiled_is_read_where_it_fits(tmp_path):
    built, mine = tmp_path / "built", home(tmp_path)
    assert call(tmp_path / "one", NUMBA_CACHE_DIR=str(built), **PROCESSOR) == (0,)
    assert call(tmp_path / "two", built=built, **mine) == (1,)
    assert not kernels(tmp_path / "home")
    assert call(tmp_path / "two", KERNEL + "# more", built, **mine) == (0,)
    assert call(tmp_path / "two", built=built, **mine, NUMBA_ENABLE_AVX="0") == (0,)  # a processor without
    assert call(tmp_path / "two", built=built, NUMBA_CACHE_DIR=str(tmp_path / "named")) == (0,)


@pytest.mark.parametrize("damage", [b"", b"nothing of ours", None])
def test_a_damaged_file_is_compiled_and_written_anew(tmp_path, damage):
    mine = home(tmp_path)
    call(tmp_path / "one", **mine)
    (path,) = kernels(tmp_path / "home")
    content = path.read_bytes()
    changed = content[:-99] + bytes([content[-99] ^ 1]) + content[-98:]  # one bit of the machine code
    path.write_bytes(changed if damage is None else damage)
    assert call(tmp_path / "one", **mine) == (0,)
    assert call(tmp_path / "one", **mine) == (1,)


FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))"  # as a full disk or a quota
NO_FOLDER = "open('../home', 'w').close()"


@pytest.mark.parametrize(("setup", "places"), [(FULL, 2), (NO_FOLDER, 1)])
def test_kernels_that_cannot_be_kept_cost_one_line_for_each_place(tmp_path, setup, places):
    count, *lines = call(tmp_path / "one", TWO_KERNELS, setup=setup, **home(tmp_path))
    assert (count, len(lines)) == (0, places)
    assert lines[0].startswith(f"{tmp_path}/home/cutpoint: no compiled kernels are kept there (")
    result = call(tmp_path / "one", TWO_KERNELS, setup=NO_FOLDER if places == 1 else "", **home(tmp_path))
    assert result[0] == (1 if places == 1 else 0)  # among temporary files


@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_a_folder_that_others_may_write_is_not_read(tmp_path, mode):
    mine = home(tmp_path)
    call(tmp_path / "one", **mine)
    (tmp_path / "home" / "cutpoint").chmod(mode)
    count, line = call(tmp_path / "one", **mine)
    assert count == 0
    assert line.startswith(f"{tmp_path}/home/cutpoint: no compiled kernels are read from there, as others may write")


def test_kernels_of_optimized_python_are_apart(tmp_path):
    text = KERNEL.replace("assert double(2.0) == 4.0", "double(2.0)")
    for hits in (0,), (1,):
        for level in "012":
            assert call(tmp_path / "one", text, PYTHONOPTIMIZE=level, **home(tmp_path)) == hits


def test_a_second_process_waits_until_the_first_has_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "folders", lambda: [tmp_path])
    order = []

    def first(signature):
        second = compiling._alone(lambda signature: order.append("second"), compiling.__file__)
        thread = threading.Thread(target=second, args=[None])
        thread.start()
        thread.join(0.3)
        order.append("first")
        return thread

    compiling._alone(first, compiling.__file__)(None).join()
    assert order == ["first", "second"]


NESTED = """
import numpy as np
from numba import njit
from cutpoint.kernels.compiled import jit

@jit
def ones(n):
    if n == 3:
        raise ValueError("three", 3.5)
    return np.zeros(n) + 1

@jit
def total(n):
    return ones(n).sum()

@njit
def own(n):
    return np.zeros(n).sum()

def problem(function, n):
    try:
        return function(n)
    except Exception as raised:
        return repr(raised)

assert total(4) == 4
assert [problem(each, 3) for each in (total, ones)] == ["ValueError('three', 3.5)"] * 2
assert {problem(each, -1) for each in (total, ones, own)} == {"ValueError('negative dimensions not allowed')"}
assert list(ones(2)) == [1, 1]
print(sum(hits for each in (total, ones) for hits in each.call.stats.cache_hits.values()))
"""


def test_a_kernel_within_another_is_a_part_of_it_and_can_be_called_itself(tmp_path):
    mine = home(tmp_path)
    assert call(tmp_path / "one", NESTED, **mine) == (0,)
    assert {path.name[:5] for path in kernels(tmp_path / "home")} == {"ones-", "total"}
    assert call(tmp_path / "one", NESTED, **mine) == (2,)
    swapped = NESTED.replace("assert total(4) == 4", "assert own(4) == 0 and list(ones(1)) == [1]")
    assert call(tmp_path / "two", swapped, **mine) == (0,)


def test_a_folder_that_belongs_to_another_user_is_not_taken(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "named"))
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    mine = os.getuid()
    places = [tmp_path / "named", tmp_path / f"cutpoint-{mine}"]
    assert compiling.folders.__wrapped__() == places
    monkeypatch.setattr(compiling.os, "getuid", lambda: mine + 1)
    assert compiling.folders.__wrapped__() == []
    assert f"{places[0]}: no compiled kernels are read from there" in caplog.text


LEARN = """
import logging, sys
import numpy as np
logging.basicConfig(format="%(message)s", level=logging.WARNING)
if "gone" in sys.argv:
    import numba.core.runtime.nrt
    del numba.core.runtime.nrt.rtsys  # a name of its inside
import cutpoint as cp
values = np.random.default_rng(1).standard_normal((100, 4)).cumsum(1)
print(cp.learn(values, "gaussian_bic").dag.tolist())
"""


def test_kernels_are_compiled_by_an_unknown_numba_in_its_own_way(tmp_path):
    def learn(*words, **variables):
        command = [sys.executable, "-c", LEARN, *words]
        return subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=True)

    plain = learn("gone", NUMBA_CACHE_DIR=str(tmp_path))
    assert plain.stdout == learn().stdout
    (line,) = plain.stderr.splitlines()
    assert line.startswith("this version of Numba is not known (cannot import name 'rtsys'")
    assert line.endswith("): kernels compile slowly")
    assert list(tmp_path.rglob("*.nbc"))
