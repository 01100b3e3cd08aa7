"""Programs as learners: what they are given, what they may leave, and how each failure ends."""

import shutil

import networkx as nx
import numpy as np
import pytest

from cutpoint.base.errors import InputError
from cutpoint.bench.runs import programs, supervise
from cutpoint.bench.runs.runner import About

NAMES = ["a b", "c,d", 'e"f', "g"]
TREE = "awk -f scripts/methods/chow_liu.awk --"
RSCRIPT = shutil.which("Rscript")


@pytest.fixture
def values():
    rng = np.random.default_rng(3)
    values = rng.standard_normal((200, 4))
    values[:, 1] += values[:, 0]
    values[:, 3] = (values[:, 1] + values[:, 3]) > 0
    return values


def learn(values, tmp_path, command, policy=None, **options):
    about = About({"method": "m", "cell": "c", "replicate": 3}, NAMES, NAMES, {})
    discrete = np.arange(4) == 3
    return programs.learn(
        values, discrete, policy, about=about, command=command, options=options, folder=str(tmp_path / "data")
    )


def shell(text):
    return ["sh", "-c", text]


def edges(*lines):
    text = "\\n".join(["source,target,directed", *lines])
    return shell(f"printf '%b\\n' '{text}' > edges.csv")


def test_a_program_gets_the_data_and_the_options(values, tmp_path, capfd):
    command = shell('echo "$@"; echo oh >&2; echo source,target,directed > edges.csv')
    learned = learn(values, tmp_path, [*command, "name"], alpha=0.5, fast=True, label="x y", none=None, sizes=[1, 2])
    assert learned.dag.shape == (4, 4)
    assert learned.learn_seconds is None
    assert capfd.readouterr() == ("--alpha 0.5 --fast true --label x y --sizes [1, 2]\n", "oh\n")
    lines = (tmp_path / "data" / "data.csv").read_text().splitlines()
    assert lines[0] == '"a b"'.strip('"') + ',"c,d","e""f",g'
    read = np.array([line.split(",") for line in lines[1:]], float)
    np.testing.assert_array_equal(read, values)
    assert (tmp_path / "data" / "columns.csv").read_text().splitlines()[1:] == [
        *("a b,false,", '"c,d",false,', '"e""f",false,', "g,true,2")
    ]


def test_codes_after_a_discretization(values, tmp_path):
    policy = [np.array([0.0]), np.array([-1.0, 1.0]), np.array([]), np.array([0.5])]
    learned = learn(values, tmp_path, edges("g,a b,true"), policy)
    assert [cuts.tolist() for cuts in learned.thresholds] == [cuts.tolist() for cuts in policy]
    lines = (tmp_path / "data" / "data.csv").read_text().splitlines()
    assert {line.split(",")[1] for line in lines[1:]} == {"0", "1", "2"}
    levels = [line.split(",")[-2:] for line in (tmp_path / "data" / "columns.csv").read_text().splitlines()[1:]]
    assert levels == [["true", "2"], ["true", "3"], ["true", "1"], ["true", "2"]]


def test_what_a_program_may_leave(values, tmp_path):
    text = (
        "printf 'source,target,directed\\na b,g,TRUE\\ng,\"c,d\",0\\n' > edges.csv;"
        "printf 'variable,threshold\\na b,-1\\na b,1.5\\n' > thresholds.csv;"
        "printf 'name,value\\nlearn_seconds,0.5\\nscore_calls,7\\nscore,\\n' > costs.csv"
    )
    learned = learn(values, tmp_path, shell(text))
    assert learned.kind == "pdag"
    assert np.argwhere(learned.cpdag).tolist() == [[0, 3], [1, 3], [3, 1]]
    assert [cuts.tolist() for cuts in learned.thresholds] == [[-1, 1.5], [], [], []]
    assert (learned.learn_seconds, learned.score_calls, learned.score) == (0.5, 7, None)


def test_thresholds_beside_a_discretizer_are_refused(values, tmp_path):
    command = shell("echo source,target,directed > edges.csv; echo variable,threshold > thresholds.csv")
    with pytest.raises(InputError, match="the program was given codes"):
        learn(values, tmp_path, command, [np.array([])] * 4)


def test_a_killed_program_is_no_error_of_its_own(values, tmp_path):
    with pytest.raises(supervise.Killed, match="the program was killed"):
        learn(values, tmp_path, shell("kill -KILL $$"))


def information(x, y):
    """Return the mutual information of two columns of codes, cell by cell."""
    total = 0.0
    for a in set(x):
        for b in set(y):
            both = np.mean((x == a) & (y == b))
            if both:
                total += both * np.log(both / (np.mean(x == a) * np.mean(y == b)))
    return total


@pytest.mark.parametrize("seed", range(3))
def test_chow_liu_is_a_maximum_spanning_tree(seed, tmp_path):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((120, 4)) @ rng.uniform(-1, 1, (4, 4))
    values[:, 3] = values[:, 3] > 0
    policy = [np.quantile(column, [0.3, 0.7]) for column in values.T[:3]] + [np.array([0.5])]
    learned = learn(values, tmp_path, TREE, policy)
    codes = [np.searchsorted(cuts, column, side="right") for cuts, column in zip(policy, values.T, strict=True)]
    full = nx.Graph()
    for i in range(4):
        for j in range(i):
            full.add_edge(i, j, weight=information(codes[i], codes[j]))
    tree = nx.maximum_spanning_tree(full)
    assert learned.kind == "pdag"
    assert {frozenset(pair) for pair in np.argwhere(learned.cpdag).tolist()} == set(map(frozenset, tree.edges))
    assert learned.score == pytest.approx(tree.size("weight"))
    assert learned.score_calls == 6


@pytest.mark.skipif(not RSCRIPT, reason="Rscript is not installed")
@pytest.mark.parametrize("script", ["deal", "bnlearn"])
def test_r_reads_its_scripts(script, tmp_path):
    code = "invisible(parse(commandArgs(TRUE)))"
    with pytest.raises(InputError, match="left no edges"):
        learn(np.zeros((2, 4)), tmp_path, [RSCRIPT, "-e", code, f"scripts/methods/{script}.R"])
