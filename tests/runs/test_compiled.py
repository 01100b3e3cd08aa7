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
print(sum(double.stats.cache_hits.values()))
"""


def call(folder, text=KERNEL, built="", **environment):
    """Run a file of kernels in a process of its own; return how many were found compiling.

    built: a folder in place of the package's.
    """
    folder.mkdir(exist_ok=True)
    (folder / "kernel.py").write_text(text)
    given = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    program = f"from cutpoint.kernels import compiling; compiling.BUILT = compiling.Path({str(built)!r}); import kernel"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=given | environment, capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_copies_of_a_file_share_what_is_compiled_and_other_text_does_not(tmp_path):
    home = {"XDG_CACHE_HOME": str(tmp_path / "home")}
    assert call(tmp_path / "one", **home) == 0
    assert call(tmp_path / "two", **home) == 1
    assert call(tmp_path / "two", KERNEL + "# more", **home) == 0
    assert not list((tmp_path / "one").rglob("*.nbi"))


@pytest.mark.skipif(not compiling.fits(get_host_cpu_features()), reason="an older processor")
def test_what_the_build_compiled_is_read_where_it_fits(tmp_path):
    built, home = tmp_path / "built", {"XDG_CACHE_HOME": str(tmp_path / "home")}
    assert call(tmp_path / "one", NUMBA_CACHE_DIR=str(built), **PROCESSOR) == 0
    assert call(tmp_path / "two", built=built, **home) == 1
    assert not list((tmp_path / "home").rglob("*.nbi"))
    assert call(tmp_path / "two", KERNEL + "# more", built, **home) == 0
    assert call(tmp_path / "two", built=built, **home, NUMBA_ENABLE_AVX="0") == 0  # a processor without
    assert call(tmp_path / "two", built=built, NUMBA_CACHE_DIR=str(tmp_path / "named")) == 0


def test_a_second_process_waits_until_the_first_has_compiled(tmp_path):
    lock, order = tmp_path / "kernel.lock", []
    alone = compiling._Alone(compiling.__file__)
    alone.path = lock
    other = compiling._Alone(compiling.__file__)
    other.path = lock

    def first(signature):
        thread = threading.Thread(target=other(lambda signature: order.append("second")), args=[None])
        thread.start()
        alone(lambda signature: order.append("a kernel that it calls"))(None)
        thread.join(0.3)
        order.append("first")
        return thread

    alone(first)(None).join()
    assert order == ["a kernel that it calls", "first", "second"]


@pytest.fixture
def place(monkeypatch):
    """What `folder` returns, asked anew."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    compiling.folder.cache_clear()
    yield compiling.folder
    compiling.folder.cache_clear()


def test_a_folder_that_the_user_names_is_taken(place, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert place() == tmp_path


def test_without_a_home_kernels_are_kept_among_temporary_files(place, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    assert place().parent == tmp_path / f"cutpoint-{os.getuid()}"


def test_a_folder_that_belongs_to_another_user_is_not_taken(place, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(compiling.tempfile, "mkdtemp", lambda prefix: str(tmp_path / "mine"))
    mine = os.getuid()
    monkeypatch.setattr(compiling.os, "getuid", lambda: mine + 1)
    assert place() == tmp_path / "mine"
