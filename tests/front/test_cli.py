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


@pytest.mark.parametrize(
    ("problem", "code"), [(BrokenPipeError(errno.EPIPE, "Broken pipe"), 1), (KeyboardInterrupt(), 130)]
)
def test_a_pipe_that_nobody_reads_and_an_interrupt_end_without_words(monkeypatch, capsys, problem, code):
    monkeypatch.setattr("cutpoint.bench.commands.new_method.run", raising(problem))
    try:
        ended = cli.main(["new-method", "--kind", "score", "mine"])
    except SystemExit as exit_:
        ended = exit_.code
    assert ended == code
    assert not capsys.readouterr().err.strip()


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("lea", ["learn"]),
        ("learn ", ["file"]),
        ("learn --miss", ["--missing"]),
        ("learn --missing i", ["impute"]),
        ("learn my.csv -o ", ["file"]),
        ("learn my.csv --method boss_g", ["boss_gaussian"]),
        ("learn my.csv --drop id --discrete ", ["id", "a b"]),
        ("learn none.csv --drop ", []),
        ("learn --drop ", []),
        ("methods integ", ["integrated"]),
        ("networks wa", ["water"]),
        ("report my.csv --truth ", ["file"]),
    ],
)
def test_a_shell_completes_files_methods_and_columns(tmp_path, monkeypatch, capsys, words, completed):
    (tmp_path / "my.csv").write_text("id,a b\n1,2\n3,5\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMP_WORDS", f"cutpoint {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" "))))
    monkeypatch.setenv("_CUTPOINT_COMPLETE", "bash_complete")
    with pytest.raises(SystemExit):
        cli.main([])
    found = [line.strip(",").removeprefix("plain,") for line in capsys.readouterr().out.split("\n") if line]
    assert found == completed
