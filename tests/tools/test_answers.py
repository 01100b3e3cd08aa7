"""Sentences that answer: made from the numbers of small runs, with ties named and nothing said of too little."""

import answers
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import snapshot

from cutpoint.base.checking import read_yaml
from cutpoint.bench.engine.declaration import study_file

LABELS = {"eqfreq2": "Eqfreq2", "friedman3": "Friedman3", "steck3": "Steck3", "bach": "Bach", "pc_fisherz": "PC"}
SECONDS = {"eqfreq2": 0.01, "friedman3": 0.15, "steck3": 0.2, "bach": 0.04, "pc_fisherz": 0.02}


def row(study, table, key, column, reproduced="", low="", high="", label="", published=""):
    numbers = {"reproduced": str(reproduced), "low": str(low), "high": str(high), "published": published}
    return {"study": study, "table": table, "row": key, "column": column, "label": label} | numbers


def run(standard, fu, f1="Bach", claims=()):
    """Return numbers of a run at one size, of whose methods these are unbeaten by the two SHDs and F1."""
    rows = [
        row("fu2005", "table_answer", "500", column, names, label="500")
        for column, names in zip((*answers.SHDS, answers.F1), (standard, fu, f1), strict=True)
    ]
    for key, label in LABELS.items():
        rows.append(row("fu2005", "table_V-4", key, "N = 500, standard", 0.9, 0.8, 0.99, label))
        rows.append(row("fu2005", "table_cost", key, "N = 500", SECONDS[key], label=label))
    return snapshot.Numbers(rows, claims)


ANSWERED = (("Take", "PC"), ("Wrong pairs", 0.4286, 0.3977, 0.4595), ("Seconds", 0.01), ("With levels", ""))
FIRST = "**Noisy codes, 500 records**: in `fu2005`"


def test_the_cost_of_bach_is_said_where_it_is_unbeaten_and_the_cheapest():
    assert answers.by_records(run("Steck3, Bach and Friedman3", "Bach and Steck3"), "500") == (
        f"{FIRST} no method has a surely lower SHD, by either count, than Steck3 and Bach. Bach is the cheapest of "
        "them (0.040 CPU seconds a run)."
    )


def test_others_are_named_with_what_they_gain_and_cost():
    assert answers.by_records(run("Friedman3, Steck3 and Bach", "Steck3 and Friedman3"), "500") == (
        f"{FIRST} no method has a surely lower SHD, by either count, than Friedman3 and Steck3. Friedman3 has 0.900 "
        "[0.800, 0.990] of Bach's SHD, every wrong pair counted once, for 0.150 CPU seconds a run against 0.040; the "
        "interval is its own, and with all comparisons together no method beats Bach by that count."
    )
    assert "together some method beats Bach by" in answers.by_records(run("Steck3", "Steck3 and Friedman3"), "500")


def test_measures_that_disagree_name_nobody():
    assert answers.by_records(run("Bach", "Steck3"), "500") == (
        f"{FIRST} the two ways to count SHD name different methods."
    )


def test_what_never_paid_is_beaten_by_both_shds_and_it_is_said_where_it_is_not():
    numbers = run("Bach", "Steck3", "Bach and Eqfreq2")
    never = (
        "**What never paid on noisy codes** (`fu2005`): Eqfreq2, Friedman3 and PC are beaten at every number of "
        "records by both ways to count SHD."
    )
    but = (
        "Exceptions by these, and in `fu2005` by F1 of the pattern at some N, where no method beats them: Eqfreq2 by "
        "F1 of the pattern"
    )
    assert answers.never(numbers) == f"{never} {but}."
    assert answers.never(run("Bach", "Steck3")) == never
    assert answers.never(run("Bach, Steck3, PC, Eqfreq2 and Friedman3", "Bach")) == ""


def test_a_method_that_did_not_run_is_not_said_to_be_beaten():
    numbers = run("Bach", "Steck3", "Bach and Eqfreq2")
    said = answers.never(numbers)
    for table in ("table_V-4", "table_cost"):
        numbers.rows["fu2005", table, "pc_g2", "N = 500"] = row("fu2005", table, "pc_g2", "N = 500", label="PC G2")
    assert answers.never(numbers) == said
    assert answers.by_records(numbers, "500")


def claim(name, verdict, *parts):
    head = {"study": "s", "claim": name, "part": "", "verdict": verdict, "source": "paper"}
    return [head, *(head | {"part": str(k), "verdict": part} for k, part in enumerate(parts, 1))]


def test_a_verdict_counts_claims_and_inequalities_that_can_be_compared():
    rows = [
        *claim("A", "reproduced", "holds", "holds"),
        *claim("B", "1 of 3", "holds", "contradicted", "open"),
        *claim("C", "contradicted", "contradicted", "no data"),
        *claim("D", "not comparable", "contradicted"),
    ]
    assert answers.verdict(rows, names=True) == (
        "Of 4 claims 1 holds in full (A), 1 has some inequalities that hold (B: 1 holds, 1 is open and 1 is "
        "contradicted; no more hold than are contradicted in B), 1 is contradicted (C) and 1 is not comparable (D). Of "
        "the 7 single inequalities that can be compared 3 hold, 1 is open, 2 are contradicted and 1 has no data."
    )
    assert answers.verdict(claim("B", "open", "open")).startswith("Of 1 claim none holds in full; 1 is open. ")


def gains(low, high):
    """Return numbers of mabrouk2015 in which both gains have this interval."""
    rows = []
    for rival in ("ruichu", "friedman_tabu"):
        rows.append(row("mabrouk2015", "table_gaps", f"tpr_{rival}", "Mean over N", 5, low, high, published="about 10"))
        rows.append(row("mabrouk2015", "table_gaps", f"time_{rival}", "Mean over N", 0.2))
    names = "mgcd", "ruichu", "friedman_tabu"
    rows += [
        row("mabrouk2015", "table_rates", name, "TPR as in the paper, mean over N", 0.5, 0.4, 0.6) for name in names
    ]
    return snapshot.Numbers(rows, ())


@pytest.mark.parametrize(
    ("low", "high", "said"), [(1, 9, "ahead of"), (-9, -1, "behind"), (-1, 9, "not told apart from")]
)
def test_mgcd_is_compared_by_the_interval_of_its_gain(low, high, said):
    text = answers.mabrouk2015(gains(low, high))
    assert f"MGCD is {said} Ruichu: 0.50 [0.40, 0.60] against 0.50 [0.40, 0.60]" in text
    assert text.endswith("(printed: about 10 %), for 5.0 times the CPU time.")


def test_new_networks_are_counted_by_their_intervals():
    rows = [
        row("fu2005", "table_new_networks", key, f"{panel}, standard", 1.2, low, high, key)
        for key, low in (("a", 1.1), ("b", 0.9))
        for panel, high in (("These networks", 1.3), ("Such networks", 1.9))
    ]
    assert answers.new_networks(snapshot.Numbers(rows, ())).endswith(
        "told from Bach: 1 of 2 on these networks and 1 of 2 as a mean over all networks such as these."
    )
    assert answers.new_networks(snapshot.Numbers((), ())) == ""


def below(one, other, *unbeaten):
    """Return numbers in which so many integrated methods are below Bach by each SHD, and Bach is unbeaten by these."""
    rows = [
        row("fu2005", "table_V-4", key, f"N = 500{head}", 0.9, 0.8, 0.95 if k < count else 1.05)
        for head, count in (("", one), (", standard", other))
        for k, key in enumerate(answers.INTEGRATED)
    ]
    rows.append(row("fu2005", "table_V-4", "bach", "N = 500", 1, label="Bach"))
    rows += [
        row("fu2005", "table_answer", "500", shd, "Bach and Steck3" if shd in unbeaten else "Steck3")
        for shd in answers.SHDS
    ]
    return snapshot.Numbers(rows, ())


def test_integrated_methods_below_bach_by_themselves_and_together():
    assert answers.ahead(below(0, 0), "500") == (
        "None of the six integrated methods is surely below Bach, by either count."
    )
    own = "each by its own interval. With intervals that hold for all comparisons of methods together Bach is"
    assert answers.ahead(below(6, 0, answers.SHDS[0]), "500") == (
        "6 of the six integrated methods are surely below Bach as Fu counts, none when every wrong pair counts once, "
        f"{own} beaten as Fu counts."
    )
    assert answers.ahead(below(0, 1, *answers.SHDS), "500") == (
        "None of the six integrated methods is surely below Bach as Fu counts, 1 when every wrong pair counts once, "
        f"{own} beaten by neither count."
    )


def test_studies_that_a_run_lacks_are_named():
    assert "`field2026`" in answers.not_shown(snapshot.Numbers((), ()))
    assert "`fu2005`" in answers.not_shown(snapshot.Numbers((), ()))


def test_what_the_runs_of_the_field_lack_is_named(tmp_path, monkeypatch):
    grids = read_yaml(study_file("field2026"))["grids"]
    whole = {"grid": [], "network": []}
    for grid, about in grids.items():
        whole["grid"] += [grid] * len(about["networks"])
        whole["network"] += about["networks"]
    monkeypatch.setattr(answers, "RUNS", tmp_path / "runs.parquet")
    numbers = snapshot.Numbers([row("field2026", "table_discretize", "codes", "Without")], ())
    pq.write_table(pa.table(whole), answers.RUNS)
    assert "field2026" not in answers.not_shown(numbers)
    kept = pa.table(whole).filter(pc.field("grid") == "panel")
    pq.write_table(kept, answers.RUNS)
    assert "16 of the 24 networks of `field2026`, its grid `factorial`" in answers.not_shown(numbers)


def test_what_the_answer_rests_on_is_what_the_studies_declare():
    assert "4 networks (Alarm, Child, Hailfinder and Insurance)" in answers.basis()
    assert answers.advice().split(" scale, ")[0] in ("published", "quick")


def test_how_often_the_order_of_columns_is_left_out_is_counted(monkeypatch):
    kinds = [{"row": "bach", "as_good": ["bach_stable"]}, {"row": "miic", "as_good": ["bach_stable"]}, {"n": 500}]
    monkeypatch.setattr(answers, "read_advice", lambda: {"kinds": kinds})
    assert answers.stable() == (
        "of the 2 kinds of data of `cp.advise` it takes, or calls as good, `bach_stable` on 2 and `bach` on 1"
    )


def field(kind, low, high, **by_size):
    """Return cells of field2026 for a kind of data, the difference over all N and at single ones."""
    table = "field2026", "table_discretize", kind
    rows = [row(*table, "With levels", "modl / bic / tabu"), row(*table, "Without", "MIIC")]
    rows.append(row(*table, "Difference, all N", (low + high) / 2, low, high))
    return rows + [row(*table, f"Difference, N = {n[1:]}", 0, *ends) for n, ends in by_size.items()]


def test_whether_levels_are_better_is_said_by_the_number_of_records():
    key = "field2026", "table_discretize"
    rows = [
        row(*key, kind, f"Difference, {part} 500", (low + high) / 2, low, high)
        for kind, few, many in (
            ("codes", (-0.1, 0.1), (-0.2, -0.1)),
            ("linear", (0.1, 0.2), (0.1, 0.3)),
            ("mixed", (-1, 1), (-1, 2)),
        )
        for part, (low, high) in (("up to", few), ("above", many))
    ]
    lines = answers.by_kind(snapshot.Numbers(rows, ())).splitlines()
    assert lines[4:] == [
        "| noisy codes | not told apart at N up to 500; better at N above 500 |",
        "| linear equations | worse |",
        "| equations with discrete columns (mixed) | not told apart |",
    ]


def test_what_discretizing_gains_is_the_difference_on_networks_left_out():
    rows = [
        *field("codes", -0.3, -0.1, n500=(-0.2, 0.1), n2000=(-0.3, -0.2), n5000=(-0.3, -0.1)),
        *field("linear", 0.1, 0.3, n500=(0.1, 0.2), n2000=(-0.3, -0.2)),
        *field("mixed", -0.1, 0.1, n500=(-0.1, 0.1)),
    ]
    said = answers.discretize(snapshot.Numbers(rows, ()))
    assert "| noisy codes | modl / bic / tabu | MIIC | -0.20 [-0.30, -0.10] |" in said
    assert "| linear equations | modl / bic / tabu | MIIC | 0.20 [0.10, 0.30] |" in said
    assert said.endswith(
        "| data | N = 500 | N = 2000 | N = 5000 |\n| --- | --- | --- | --- |\n"
        "| noisy codes | 0.00 [-0.20, 0.10] | **0.00 [-0.30, -0.20]** | **0.00 [-0.30, -0.10]** |\n"
        "| linear equations | **0.00 [0.10, 0.20]** | **0.00 [-0.30, -0.20]** |  |\n"
        "| equations with discrete columns (mixed) | 0.00 [-0.10, 0.10] |  |  |"
    )
    assert answers.mixed(snapshot.Numbers(rows, ())) == (
        "the best row with levels has not surely more or fewer wrong pairs than the best one without, both chosen at "
        "each number of records: 0.00 [-0.10, 0.10] for each true edge. Over all of them these are modl / bic / tabu "
        "and MIIC."
    )
    assert "field2026" not in answers.discretize(snapshot.Numbers([], ()))


def test_what_to_take_by_kind_is_the_table_of_the_field():
    rows = [row("field2026", "table_answer", "linear", column, *said) for column, *said in ANSWERED]
    assert answers.kinds(snapshot.Numbers(rows, ())).splitlines() == [
        "| data | Take | Wrong pairs | Seconds | With levels |",
        "| --- | --- | --- | --- | --- |",
        "| linear equations | PC | 0.43 [0.40, 0.46] | 0.010 |  |",
    ]
    assert answers.kinds(snapshot.Numbers((), ())) == ""


def test_few_and_many_records_have_a_line_each_in_what_to_take():
    said = (("Take", "PC"), ("Wrong pairs", 0.4286, 0.3977, 0.4595), ("Seconds", 0.01), ("As good", 11))
    cells = [(f"{head}, {part}", *numbers) for part in ("up to 500", "above 500") for head, *numbers in said]
    rows = [row("field2026", "table_answer", "linear", column, *numbers) for column, *numbers in cells[:-1]]
    assert answers.kinds(snapshot.Numbers(rows, ())).splitlines() == [
        "| data | Take | Wrong pairs | Seconds | As good |",
        "| --- | --- | --- | --- | --- |",
        "| linear equations, N up to 500 | PC | 0.43 [0.40, 0.46] | 0.010 | 11 |",
        "| linear equations, N above 500 | PC | 0.43 [0.40, 0.46] | 0.010 |  |",
    ]


def test_printed_numbers_stand_before_ours():
    key = "steck2007", "table_2"
    rows = [
        row(*key, "5", "exact optimum", 783.9, 780, 790, "five", "783.94"),
        row(*key, "5", "greedy optimum", "", label="five", published="about 9"),
        row(*key, "6", "exact optimum", 700, label="six"),
    ]
    assert answers.printed(snapshot.Numbers(rows, ()), "steck2007").splitlines()[6:] == [
        "| levels | exact optimum: printed, ours | greedy optimum: printed, ours |",
        "| --- | --- | --- |",
        "| five | **783.9**, 783.9 [780.0, 790.0] | **about 9**, not available |",
    ]
    assert answers.printed(snapshot.Numbers([], ()), "steck2007") == ""


def test_claims_that_hold_in_full_are_counted():
    numbers = snapshot.Numbers((), [row | {"study": "s"} for row in claim("A", "reproduced", "holds")])
    assert answers.in_full(numbers, "s") == "1 of 1 holds"
    assert answers.in_full(snapshot.Numbers((), claim("A", "open", "open")), "s") == "none of 1 holds"
