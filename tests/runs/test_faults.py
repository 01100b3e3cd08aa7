"""Files that a disk has damaged, disks that are full, and folders of others: one line, and no wrong result."""

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pytest
from fault_tools import DAMAGES, processes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError, line_of
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.jobs import Spent

RUNS = [{"method": f"m{i % 3}", "cell": "c", "replicate": i, "status": "ok", "wall_seconds": i / 7} for i in range(50)]


def write_data(path):
    rng = np.random.default_rng(1)
    blocks = [(r, np.column_stack([rng.standard_normal(200), rng.integers(0, 3, 200)])) for r in (0, 1)]
    parquet.write_data(path, ["x", "k"], blocks, discrete=["k"], cell="c")


def write_runs(path):
    parquet.write_records(path, RUNS, schemas.RUNS)


def read_data(path):
    return [data.values.tolist() for _, data in parquet.open_data(path)]


def read_runs(path):
    return parquet.read_records(path, schemas.RUNS)[0]


def test_a_file_that_too_few_threads_cannot_read_is_not_called_damaged():
    said = "Unknown error: Failed to launch worker thread: Resource temporarily unavailable"
    with pytest.raises(InputError) as raised, parquet._reading("f"):
        raise pa.ArrowException(said)
    assert str(raised.value) == f"f: cannot be read ({said}); allow more processes (ulimit -u)"


def write_merged(path):
    write_runs(path.with_name("part"))
    parquet.merge([path.with_name("part")], path, schemas.RUNS, ["method", "replicate"])


FILES = {"data": (write_data, read_data), "runs": (write_runs, read_runs), "merged": (write_merged, read_runs)}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", FILES)
def test_a_damaged_file_is_named(tmp_path, kind, damage):
    write, read = FILES[kind]
    path = tmp_path / "file.parquet"
    write(path)
    change, message = DAMAGES[damage]
    change(path)
    with pytest.raises(InputError) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}: {message}")
    assert str(raised.value).endswith("; delete it and run again")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("kind", FILES)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255))
def test_no_changed_byte_of_the_content_goes_unnoticed(tmp_path, kind, place, bits):
    write, read = FILES[kind]
    path, broken = tmp_path / "file.parquet", tmp_path / "broken.parquet"
    if not path.exists():
        write(path)
    content = bytearray(path.read_bytes())
    end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")  # where the metadata begin
    content[4 + int(place * (end - 4))] ^= bits
    broken.write_bytes(content)
    try:
        values = read(broken)
    except InputError as problem:
        assert str(problem).startswith(f"{broken}: not a readable Parquet file (")  # noqa: PT017
    else:
        assert values == read(path)


def test_what_a_killed_job_left_goes_with_the_next_write(tmp_path, monkeypatch):
    (tmp_path / ".runs.12345").write_bytes(b"half")
    (tmp_path / ".runs2.12345").write_bytes(b"of another file")
    synced = []
    monkeypatch.setattr("os.fsync", lambda file: synced.append([path.name for path in tmp_path.iterdir()]))
    write_runs(tmp_path / "runs")
    assert "runs" not in synced[0]  # its content is kept before it gets its name
    assert sorted(path.name for path in tmp_path.iterdir()) == [".runs2.12345", "runs"]


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (InputError("a: b"), "a: b"),
        (OSError(errno.ENOSPC, "x", "f"), "f: No space left on device; make room and run the same command again"),
        (PermissionError(errno.EACCES, "x", "f"), "f: Permission denied; make it writable for you, or run in another"),
        (OSError(errno.ENOSPC, "x"), f"{os.getcwd()} or /"),
        (ValueError("x"), None),
    ],
)
def test_what_the_user_can_put_right_is_one_line(problem, line):
    message = line_of(problem)
    assert message == line if line is None else message.startswith(line)


def to_a_full_disk():
    with open("/dev/full", "w") as file:
        file.write("x")


def test_a_full_disk_under_a_method_is_no_result_of_it():
    with pytest.raises(OSError, match="No space left on device") as raised:
        supervise.call(to_a_full_disk, seconds=5.0, mb=500.0)
    assert raised.value.errno == errno.ENOSPC


def test_a_method_needs_no_disk_for_its_answer(monkeypatch):
    monkeypatch.setenv("TMPDIR", "/dev/full")
    monkeypatch.setattr("tempfile.tempdir", None)
    assert supervise.call(lambda: 3, seconds=5.0, mb=500.0).value == 3


def script(text, log):
    """Return the text of a script that works within a job."""
    return f"import sys, time\nfrom cutpoint.bench.runs.jobs import job\nwith job({str(log)!r}):\n    {text}"


def run(text, log):
    return subprocess.run([sys.executable, "-c", script(text, log)], capture_output=True, text=True)


def test_a_full_disk_under_a_log_takes_no_job_down():
    done = run("print('done')", "/dev/full")
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_a_job_that_finds_a_full_disk_ends_in_one_line(tmp_path):
    done = run("open('/dev/full', 'w').write('x' * 100_000)", tmp_path / "log")
    assert done.returncode == 1
    assert done.stderr.startswith("cutpoint: ")
    assert done.stderr.endswith(": No space left on device; make room and run the same command again\n")
    assert done.stderr.count("\n") == 1
    assert done.stderr.split(": ", 1)[1].strip() in (tmp_path / "log").read_text()


def test_a_log_ends_with_what_the_job_and_its_children_took(tmp_path):
    work = "end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\nx = b'1' * 2**28"
    text = f"import subprocess; subprocess.run([sys.executable, '-c', 'import time\\n' + {work!r}]); x = b'1' * 2**27"
    assert run(text, tmp_path / "log").returncode == 0
    spent = Spent.read(tmp_path / "log")
    assert min(spent.cpu, spent.wall) > 0.3
    assert 256 + 128 < spent.mb < 256 + 128 + 200


def test_ctrl_c_while_a_script_imports_is_no_traceback():
    text = "snakemake = 1\nimport time, cutpoint.bench\nprint('imports', flush=True)\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == (b"", b"")
    assert process.returncode == -signal.SIGINT


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_job_says_so_in_its_log(tmp_path, number):
    text = script("print('works', flush=True); time.sleep(60)", tmp_path / "log")
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + number, b"")
    assert f"stopped by {number.name}; run the same command again\n" in (tmp_path / "log").read_text()


def test_a_job_ends_with_its_parent(tmp_path):
    """A master that is killed hard can tell its jobs nothing."""
    text = script("print('works', flush=True); time.sleep(60)", "log")
    master = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {text!r}])\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", master], stdout=subprocess.PIPE, cwd=tmp_path) as process:
        process.stdout.readline()
        assert len(processes(tmp_path)) == 2
        process.kill()
    end = time.monotonic() + 60
    while processes(tmp_path):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "stopped by SIGTERM" in (tmp_path / "log").read_text()
