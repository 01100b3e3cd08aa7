"""The page of a fitted network: its layout, its inference against pyAgrum, and a visit in a browser."""

import json
import math
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from browser import look, needs_browser
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr

import cutpoint as cp
from cutpoint.graphs.frequencies import EdgeFrequencies, edge_frequencies
from cutpoint.graphs.layers import Drawing
from cutpoint.learners.learned import Learned, Uncertainty, worth
from cutpoint.models import page
from cutpoint.models.fitting import Result, fit
from cutpoint.models.inference import Inference, observed

HERE = Path(__file__).parent
QUERIES, SAMPLES, VISIT, LARGE = ((HERE / f"page_{n}.js").read_text() for n in ("queries", "samples", "visit", "large"))
HOSTILE = ["</script><script>alert(1)</script>", '"quo\'te" & <b>', "🚗 emoji %s {{ x }}", "one level"]
CASES = 24


def read(network, folder):
    cp.write_network(network, folder / "network.bif")
    return cp.read_model(folder / "network.bif")


@pytest.fixture(scope="module")
def cars():
    """Numbers and categories, a required arc, a constant column and shares of resamples."""
    rng = np.random.default_rng(3)
    cylinders = rng.choice(["4", "6", "8"], 400)
    weight = 600.0 * cylinders.astype(int) + rng.normal(0, 400, 400)
    frame = pd.DataFrame({"mpg": 60 - weight / 100 + rng.normal(0, 4, 400), "weight": weight, "cylinders": cylinders})
    frame["year"] = rng.normal(76, 3, 400)
    knowledge = cp.Knowledge(required=["cylinders -> weight"], thresholds={"year": []})
    model = cp.fit(frame, "steck3", knowledge=knowledge)
    return replace(model, confidence=cp.edge_confidence(frame, "eqfreq3", samples=4))


def hostile():
    """A model whose names are meant to end an element or to be one, one of them with a single level."""
    x = np.random.default_rng(1).normal(size=(300, 4))
    x[:, 1] += x[:, 0]
    cuts = [np.array([-0.5, 0.5]), np.array([0.0]), np.array([-1.0, 1.0]), np.array([])]
    dag = np.zeros((4, 4), bool)
    dag[[0, 0, 1], [1, 3, 2]] = True
    learned = Learned(dag=dag, thresholds=cp.Thresholds(cuts, HOSTILE), variables=HOSTILE)
    return replace(fit(learned, pd.DataFrame(x, columns=HOSTILE)), note=HOSTILE[0])


@given(st.integers(0, 24), st.floats(0, 0.4), st.integers(0, 2**32), st.sampled_from(["TB", "LR"]))
def test_children_stand_after_parents_boxes_apart_and_arcs_reach_them(n, share, seed, direction):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    dag = np.triu(rng.random((n, n)) < share, 1)[np.ix_(order, order)]
    sizes = [(int(wide), int(high)) for wide, high in rng.integers(20, 200, (n, 2))]
    drawing = Drawing.of(dag, sizes, (10, 30), direction)
    low, high = (drawing.middles + sign * np.reshape(sizes, (n, 2)) / 2 for sign in (-1, 1))
    assert (low > -1).all()
    assert (high < np.array(drawing.size) + 1).all()
    for i, j in combinations(range(n), 2):
        assert (np.maximum(low[i] - high[j], low[j] - high[i]) > 5).any()
    assert sorted(drawing.curves) == [(i, j) for i, j in np.argwhere(dag).tolist()]
    for (i, j), curve in drawing.curves.items():
        assert (drawing.middles[j] - drawing.middles[i])[int(direction == "TB")] > 0
        for node, end in ((i, curve[0]), (j, curve[-1])):
            assert (np.abs(end - drawing.middles[node]) < np.array(sizes[node]) / 2 + 3).all()
    joined = (dag | dag.T).any(axis=0)
    assert not joined.any() or (low[~joined, 0] > high[joined, 0].max()).all()


def peer(model, case):
    """Posteriors and ln P(evidence) of pyAgrum, None where the evidence is impossible."""
    import pyagrum as gum

    engine = gum.LazyPropagation(model.to_pyagrum())
    engine.setEvidence({model.variables[i]: value for i, value in case})
    try:
        engine.makeInference()
    except gum.IncompatibleEvidence:
        return None
    if not (total := engine.evidenceProbability()):
        return None
    sizes = enumerate(model.network.cardinalities)
    return math.log(total), [engine.posterior(i).toarray() if size > 1 else [1.0] for i, size in sizes]


def cases_of(model, rng):
    """Evidence: none, levels of a record, any levels, and likelihoods of levels."""
    sizes = model.network.cardinalities
    open_ = np.flatnonzero(sizes > 1)
    for k, record in enumerate(cp.sample(model.network, n=CASES, seed=5).tolist()):
        chosen = rng.choice(open_, min(len(open_) - 1, k % 9), replace=False).tolist()
        levels = record if k % 3 else rng.integers(sizes).tolist()
        soft = [k % 2 == 1 and bool(rng.integers(2)) for _ in chosen]
        yield [[i, rng.random(sizes[i]).tolist() if s else levels[i]] for i, s in zip(chosen, soft, strict=True)]


@pytest.fixture(params=["asia", "cars", "alarm", "random", "insurance"])
def asked(request, tmp_path):
    """A model, and evidence to ask it with."""
    if request.param == "cars":
        model = request.getfixturevalue("cars")
    else:
        dense = {"nodes": (45, 45), "density": (1.4, 1.4), "arcs": (45, 90), "max_parents": 4}
        model = read(
            cp.random_network(7, **dense) if request.param == "random" else cp.network(request.param), tmp_path
        )
    return model, [*cases_of(model, np.random.default_rng(2))]


def test_python_answers_as_pyagrum_does(asked):
    model, cases = asked
    for case in cases:
        soft = {i: np.array(value) for i, value in case if isinstance(value, list)}
        known = {i: value for i, value in case if i not in soft} | dict.fromkeys(
            range(len(model.variables), len(model.variables) + len(soft)), 0
        )
        engine, codes = Inference(observed(model.network, soft)), np.array([[*known.values()]], int).reshape(1, -1)
        expected = peer(model, case)
        for i in {*range(len(model.variables))} - {*known}:
            if expected is None:
                with pytest.raises(cp.InputError, match="probability 0"):
                    engine.posteriors(i, [*known], codes)
            else:
                np.testing.assert_allclose(engine.posteriors(i, [*known], codes)[0], expected[1][i], rtol=0, atol=1e-9)


@needs_browser
def test_the_page_answers_as_pyagrum_does(asked, tmp_path):
    model, cases = asked
    script = f"<script>{QUERIES.replace('CASES', json.dumps(cases), 1)}</script></body>"
    answers, console = look(tmp_path, page.render(model, "a").replace("</body>", script))
    assert console == []
    for case, answer in zip(cases, answers, strict=True):
        if (expected := peer(model, case)) is None:
            conflict = [piece for piece in case if piece[0] in answer["conflict"]]
            assert peer(model, conflict) is None
            assert all(peer(model, [p for p in conflict if p is not left]) for left in conflict)
            continue
        assert answer["log"] == pytest.approx(expected[0], abs=1e-9)
        for mine, theirs in zip(answer["posteriors"], expected[1], strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-9)
        best, log = answer["best"]["levels"], answer["best"]["log"]
        assert log == pytest.approx(weight(model, dict(case), np.array([best]))[0], abs=1e-9)
        if int(model.network.cardinalities.prod()) < 10_000:
            every = weight(model, dict(case), np.indices(model.network.cardinalities).reshape(len(best), -1).T)
            assert [log, answer["log"]] == pytest.approx([every.max(), np.logaddexp.reduce(every)], abs=1e-9)


def weight(model, evidence, codes):
    """ln P of records of codes [M, n], times the likelihoods of what is known; -inf where they contradict it."""
    total = np.zeros(len(codes))
    with np.errstate(divide="ignore"):
        for i, (table, parents) in enumerate(zip(model.network.tables, model.network.parents, strict=True)):
            total += np.log(table[(*(codes[:, j] for j in parents), codes[:, i])])
            value = evidence.get(i, np.ones(table.shape[-1]))
            total += np.log(codes[:, i] == value if isinstance(value, int) else np.array(value)[codes[:, i]])
    return total


def visited(model, folder, width):
    """What a visit finds: in a window of 1440 pixels, or in a frame of some width; the console says nothing."""
    text = page.render(model, "it").replace("</body>", f"<script>{VISIT}</script></body>")
    if width:
        inner = json.dumps(text).replace("</", "<\\/")
        text = f"""<body><iframe style="width:{width}px;height:844px;border:0"></iframe><script>
        const frame = document.querySelector("iframe"), root = document.documentElement;
        frame.onload = () => (root.dataset.checks = frame.contentDocument.documentElement.dataset.checks);
        frame.srcdoc = {inner};</script>"""
    result, console = look(folder, text, 1440)
    assert console == []
    return result


def close(model, result, shares, evidence, atol=1e-6):
    """Compare the bars of all cards with the posteriors of pyAgrum."""
    expected = peer(model, evidence)[1]
    for name, mine in zip(result["names"], shares, strict=True):
        np.testing.assert_allclose(mine, expected[model.variables.index(name)], atol=atol)


def likelihoods(model, i, low, high):
    """Which share of each level lies between two numbers, by the density at the places of the page."""
    scale, cuts = model.scales[model.variables[i]], model.thresholds[i]
    fine = np.linspace(scale.least, scale.greatest, 200_001)
    places = np.linspace(scale.least, scale.greatest, page.PLACES)
    mass = np.interp(fine, places, np.exp(scale.density.log_density(places)))
    level, inside = np.searchsorted(cuts, fine, side="right"), (fine >= low) & (fine <= high)
    return [float(mass[(level == k) & inside].sum() / mass[level == k].sum()) for k in range(len(cuts) + 1)]


@needs_browser
@pytest.mark.parametrize("width", [None, 390])
@pytest.mark.parametrize("name", ["cars", "hostile"])
def test_a_visit(name, width, request, tmp_path):
    model = request.getfixturevalue("cars") if name == "cars" else hostile()
    result = visited(model, tmp_path, width)
    assert sorted(result["names"]) == sorted(model.variables)
    assert (result["over"], result["unlabelled"]) == (0, 0)
    assert width or result["cut"] == []
    close(model, result, result["before"], [])
    variable, pressed, shares, address = result["hard"]
    curve, scale = model.variables.index(variable), model.scales[variable]
    assert (pressed, result["undone"]) == ("true", ["false", [], ""])
    close(model, result, shares, [(curve, 1)])
    assert width or parse_qsl(address[1:]) == [(variable, model.network.states[curve][1])]
    assert result["keys"] == [True, True, 1, 0, "true"]
    chips, shares, address = result["range"]
    assert len(chips) == 1
    if not width:
        low, high = map(float, parse_qsl(address[1:])[0][1].split(".."))
        assert (high - low) / (scale.greatest - scale.least) == pytest.approx(0.5, abs=0.02)
        close(model, result, shares, [(curve, likelihoods(model, curve, low, high))], 2e-3)
    ends, shares = result["typed"]
    close(model, result, shares, [(curve, likelihoods(model, curve, *ends))], 2e-3)
    assert result["cleared"] == [[], True, result["before"]]
    assert all(count == 1 for count in result["best"][0])
    assert result["best"][1].startswith("Most probable explanation")
    if name == "cars":
        assert {"resamples", "required"} < {*re.findall(r"\w+", result["details"])}
        assert "required: cylinders → weight" in result["guide"]
    else:
        assert HOSTILE[0] in result["guide"]


def bits(model, target, other):
    """Mutual information of two variables without evidence, by pyAgrum."""
    before = peer(model, [])[1]
    total = 0.0
    for level, share in enumerate(before[target]):
        total += share * rel_entr(peer(model, [(target, level)])[1][other], before[other]).sum() / math.log(2)
    return total


@needs_browser
def test_a_large_network_is_found_ranked_filtered_compared_and_saved(tmp_path):
    model = read(cp.network("alarm"), tmp_path)
    rng = np.random.default_rng(1)
    shares = np.where(model.dag, rng.integers(5, 101, model.dag.shape) / 100, 0)
    votes = EdgeFrequencies(shares + shares.T, shares, np.zeros_like(shares), 400, model.variables, "draws")
    text = page.render(replace(model, confidence=votes), "it")
    result, console = look(tmp_path, text.replace("</body>", f"<script>{LARGE}</script></body>"), 1440)
    assert console == []
    assert result["views"] == ["names", "values", "cards", "values", "names"]
    assert result["over"] == {"names": [0, 0]}
    assert result["stops"] == len(model.variables)
    assert result["found"] == ["HRBP", "HRBP", "LVFAILURE"]
    assert result["below"] == "VENTMACH"  # its only child
    names, told = zip(*result["ranking"], strict=True)
    place = model.variables.index
    expected = {name: bits(model, place("CATECHOL"), place(name)) for name in model.variables if name != "CATECHOL"}
    assert [float(each) for each in told] == pytest.approx([expected[name] for name in names], abs=6e-4)
    assert max(expected[name] for name in expected if name not in names) < 6e-4
    blanket = {"CATECHOL", "ARTCO2", "INSUFFANESTH", "SAO2", "TPR", "HR"}
    assert {*model.variables} - {*result["faded"]} == blanket
    edges, kept, drawn = result["edges"]
    assert len(edges) == model.dag.sum()
    assert [p for _, _, p in edges] == sorted((p for _, _, p in edges), reverse=True)
    for source, target, p in edges:
        share = shares[place(source), place(target)]
        assert p == ("P > .99" if share > 0.995 else f"P = {share:.2f}".replace("= 0", "= "))
    assert kept == drawn == int((shares >= 0.5).sum())
    apart, marks, address, again = result["compared"]
    one, two = (peer(model, [(place("HR"), level)])[1] for level in (0, 2))
    assert marks == pytest.approx([100 * p for p in one[place("CO")]], abs=1e-6)
    far = {name: abs(np.subtract(one[i], two[i])).sum() / 2 for i, name in enumerate(model.variables)}
    assert [name for name, *_ in apart][:1] == ["HR"]
    percents = [float(p.strip("<>%")) for *_, p in apart]
    assert percents == pytest.approx([100 * far[name] for name, *_ in apart], abs=0.11)
    assert (address, again) == ("#HR=HIGH|HR=LOW", "HR = LOW")
    assert result["picture"] == [len(model.variables) + 1, model.dag.sum() * 2, len(model.variables), "BP"]
    assert result["png"] > 10_000
    assert result["more"] == []


@needs_browser
def test_levels_beyond_those_of_a_card_are_counted_and_unfold(tmp_path):
    x = np.random.default_rng(0).normal(size=(400, 2))
    cuts = cp.Thresholds([np.linspace(-2, 2, 13), np.zeros(1)], ["x", "y"])
    model = fit(Learned(dag=np.triu(np.ones((2, 2), bool), 1), thresholds=cuts, variables=["x", "y"]), x)
    script = """<script>
    const card = document.querySelector(".card"), more = card.querySelector(".more");
    const shown = () => [...card.querySelectorAll(".level")].filter((each) => each.offsetParent).length;
    const before = [shown(), more.textContent];
    more.firstChild.click();
    document.documentElement.dataset.checks = JSON.stringify([...before, shown()]);
    </script></body>"""
    result, console = look(tmp_path, page.render(model, "it").replace("</body>", script))
    assert (result, console) == ([7, "+ 7 more", 14], [])


@needs_browser
@pytest.mark.parametrize("width", [820, 1150])
def test_the_title_keeps_its_line_beside_the_tools(width, cars, tmp_path):
    height = "document.querySelector('.heading').offsetHeight"
    script = f"<script>document.documentElement.dataset.checks = {height}</script></body>"
    height, _ = look(tmp_path, page.render(cars, "cars").replace("</body>", script), width)
    assert height < 60


@needs_browser
def test_impossible_evidence_is_named_and_a_dense_network_says_so(tmp_path):
    script = """<script>
    const said = () => document.querySelector("#conflict").innerText, all = [...document.querySelectorAll(".card")];
    const click = (name, k) => all.find((c) => c.ariaLabel.startsWith(name)).querySelectorAll(".level")[k].click();
    if (!said()) ["asia,", "lung,", "either,"].forEach((name, k) => click(name, Number(k === 2)));
    document.documentElement.dataset.checks = JSON.stringify([said(), document.querySelectorAll(".number").length]);
    </script></body>"""
    asia = page.render(read(cp.network("asia"), tmp_path), "asia").replace("</body>", script)
    (message, _), console = look(tmp_path, asia)
    assert (message.split(" in this")[0], console) == ("lung = yes and either = no cannot occur together", [])
    dense = cp.random_network(1, nodes=(60, 60), density=(3.0, 3.0), arcs=(180, 180), max_parents=4)
    (message, numbers), console = look(tmp_path, page.render(read(dense, tmp_path), "dense").replace("</body>", script))
    assert re.match(r"By 20,000 weighted samples, standard error [\d.]+%: exact probabilities need", message)
    assert (numbers > 120, console) == (True, [])


@pytest.mark.parametrize(("facts", "heads"), [({}, [True, False]), ({"forbidden": ["c -> b"]}, [True, True])])
def test_an_arrow_with_few_votes_has_no_head_unless_it_is_known(facts, heads):
    """Four of five searches direct a -> c, three direct b -> c."""
    dag, other = np.zeros((2, 3, 3), bool)
    dag[[0, 1], 2] = other[0, 2] = other[2, 1] = True
    votes = edge_frequencies([dag, dag, dag, other, dag | dag.T], [*"abc"], "searches")
    cuts, known = cp.Thresholds([np.zeros(1)] * 3, [*"abc"]), cp.Knowledge(**facts)
    learned = Result(dag, dag, thresholds=cuts, variables=[*"abc"], uncertainty=Uncertainty(votes), knowledge=known)
    assert (~learned.shown().T[:2, 2]).tolist() == heads
    assert learned.to_dot().count("dir=none") == heads.count(False)
    text = page.render(learned.fit(np.random.default_rng(0).normal(size=(50, 3))), "it")
    arcs = json.loads(re.search(r'application/json">(.*)</script>', text)[1])["arcs"]
    told = [[arc[key] for key in ("settled", "either", "confidence", "direction")] for arc in arcs]
    assert told == [[heads[0], False, 1.0, 0.8], [heads[1], False, 1.0, 0.6]]
    assert worth(votes) in text


def test_a_page_is_one_small_file_and_is_not_read_back(cars, tmp_path):
    cars.write(path := tmp_path / "cars.html")
    text = path.read_text()
    assert "default-src 'none'" in text
    assert not re.search(r"""(src|href)=|https?://(?!www\.w3\.org/2000/svg)|@import|url\(""", text)
    with pytest.raises(cp.InputError, match=r"cars\.html: a page is to be looked at and cannot be read"):
        cp.read_model(path)
    cars.write(tmp_path / "cars.json")  # which has confidence and knowledge too
    assert page.render(cp.read_model(tmp_path / "cars.json"), "cars") == text
    forty = cp.random_network(3, nodes=(40, 40), density=(1.5, 1.5), arcs=(60, 60), max_parents=4)
    assert len(page.render(read(forty, tmp_path), "forty")) < page.LARGEST
    names = [f"x{i}" for i in range(28)]
    dag = np.zeros((28, 28), bool)
    dag[:13, 13:] = True
    cuts = cp.Thresholds([np.zeros(1)] * 28, names)
    values = np.random.default_rng(0).normal(size=(50, 28))
    large = fit(Learned(dag=dag, thresholds=cuts, variables=names), pd.DataFrame(values, columns=names))
    with pytest.raises(cp.InputError, match=r"28 variables has at most 600 kB, .* x\d\d \(16384\).*max_parents"):
        large.write(tmp_path / "large.html")


@needs_browser
def test_samples_of_the_page_are_near_its_exact_answers(cars, tmp_path):
    cases = [*cases_of(cars, np.random.default_rng(4))][:12]
    script = f"<script>{SAMPLES.replace('CASES', json.dumps(cases), 1)}</script></body>"
    answers, console = look(tmp_path, page.render(cars, "cars").replace("</body>", script))
    assert console == []
    assert any(sampled["posteriors"] for _, sampled in answers)
    for exact, sampled in answers:
        if not sampled["posteriors"]:  # rarer than one sample
            assert exact["probability"] < 1e-2
            continue
        for one, other in zip(exact["posteriors"], sampled["posteriors"], strict=True):
            np.testing.assert_allclose(one, other, atol=5 * sampled["error"])
