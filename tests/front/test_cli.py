"""The command line: what goes wrong is one line, and what is no bad input keeps its traceback."""

import errno

import pytest

from cutpoint import cli


def raising(problem):
    def run(arguments):
        raise problem

    return run


def test_a_file_that_cannot_be_written_is_one_line(monkeypatch, capsys):
    problem = IsADirectoryError(errno.EISDIR, "Is a directory", "f")
    monkeypatch.setattr("cutpoint.bench.commands.new_method.run", raising(problem))
    assert cli.main(["new-method", "--kind", "score", "mine"]) == 1
    message = capsys.readouterr().err
    assert message == "cutpoint: f: Is a directory\n"


def test_a_pipe_that_nobody_reads_is_no_bad_input(monkeypatch):
    monkeypatch.setattr("cutpoint.bench.commands.new_method.run", raising(BrokenPipeError(errno.EPIPE, "Broken pipe")))
    with pytest.raises(BrokenPipeError):
        cli.main(["new-method", "--kind", "score", "mine"])
