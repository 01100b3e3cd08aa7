"""A folder of results says what lies in it."""

from pathlib import Path

from cutpoint.bench.report import contents
from cutpoint.bench.report.contents import FILES, write_readme


def test_each_kind_of_file_that_is_there_has_a_line(tmp_path):
    edges = "fu2005/real/b-0-1/learned/direct/edges.parquet"
    for name in ("report.html", "posterior.html", "fu2005/claims.csv", "new2026/claims.csv", edges):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    write_readme(tmp_path, {"Commit": "abc, clean"})
    text = (tmp_path / "README.txt").read_text()
    assert "STUDY is one of: fu2005, new2026." in text
    names = [line.split("  ")[0] for line in text.splitlines() if line.split("  ")[0] in FILES]
    assert names == ["report.html", "STUDY/claims.csv", "STUDY/*/BATCH/learned/JOB/edges.parquet"]
    assert len(FILES) == len(Path(contents.__file__).with_suffix(".csv").read_text().splitlines()) - 1  # no path twice
    write_readme(tmp_path, {}, posterior=True)  # without it that of an earlier run stands there
    assert "posterior.* " in (tmp_path / "README.txt").read_text()
    assert text.endswith("How the files were made\n\nCommit: abc, clean\n")
    assert max(map(len, text.splitlines())) <= 130
