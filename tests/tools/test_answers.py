"""Sentences that answer: made from the numbers of small runs, with ties named and nothing said of too little."""

import answers
import pytest
import snapshot
from workflow_tools import ROOT

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


def test_bach_is_taken_where_it_is_unbeaten_and_the_cheapest():
    said = answers.by_records(run("Steck3, Bach and Friedman3", "Bach and Steck3"), "500")
    assert said == (
        "**With 500 records** take Bach (0.040 CPU seconds a run): no method beats it by either SHD, and Steck3 is not "
        "told apart from it."
    )
    assert answers.by_records(run("Bach", "Bach and Steck3"), "500").endswith("no method beats it by either SHD.")


def test_others_are_named_with_what_they_gain_and_cost():
    assert answers.by_records(run("Friedman3, Steck3 and Bach", "Steck3 and Friedman3"), "500") == (
        "**With 500 records** no method beats Friedman3 and Steck3 by either SHD, and they are not told apart. "
        "Friedman3 has 0.90 [0.80, 0.99] of Bach's SHD, every wrong pair counted once, for 0.150 CPU seconds a run "
        "against 0.040."
    )


def test_measures_that_disagree_name_nobody():
    assert answers.by_records(run("Bach", "Steck3"), "500") == (
        "**With 500 records** the two ways to count SHD name different methods."
    )


def test_what_never_paid_is_beaten_by_all_or_by_both_shds():
    assert answers.never(run("Bach", "Steck3", "Bach and Eqfreq2")) == (
        "**What never paid** on noisy codes: Friedman3 and PC are beaten at every number of records by both SHDs and "
        "by F1, Eqfreq2 by both SHDs alone."
    )
    assert answers.never(run("Bach, Steck3, PC, Eqfreq2 and Friedman3", "Bach")) == ""


def test_a_method_that_did_not_run_is_not_said_to_be_beaten():
    numbers = run("Bach", "Steck3", "Bach and Eqfreq2")
    said = answers.never(numbers)
    for table in ("table_V-4", "table_cost"):
        numbers.rows["fu2005", table, "pc_g2", "N = 500"] = row("fu2005", table, "pc_g2", "N = 500", label="PC G2")
    assert answers.never(numbers) == said
    assert answers.by_records(numbers, "500")


@pytest.mark.parametrize(
    ("linear", "how"),
    [
        (("PC", "PC and Bach"), "do not (no method beats PC)"),
        (("Steck3, Friedman3", "Steck3 and Friedman3"), "discretize (no method beats Steck3 and Friedman3)"),
        (("Bach and Steck3", "Steck3 and Bach"), "either will do (no method beats Bach and Steck3)"),
        (("PC", "Bach"), "either will do (the two SHDs name different methods)"),
    ],
)
def test_whether_to_discretize_follows_from_the_unbeaten(linear, how):
    rows = [row("mechanisms", "table_shd", key, "SHD", 1, label=label) for key, label in LABELS.items()]
    for kind in answers.KINDS:
        for k, (title, names) in enumerate(zip(answers.BOTH_SHDS, linear, strict=True)):
            rows += [
                row("mechanisms", "table_firsts", f"shd{k}", f"{kind}, N = {n}", names, label=title) for n in (50, 800)
            ]
    said = answers.by_kind(snapshot.Numbers(rows, ()))
    assert said.startswith("**Discretize or not?** That depends on the data. With 800 records, for linear equations ")
    assert f"for linear equations {how};" in said


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
        "Of 4 claims 1 holds in full (A), 1 holds in part (B), 1 is contradicted (C) and 1 is not comparable (D). Of "
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


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (0, 0, "None of the six integrated methods is surely below Bach, by either count."),
        (
            6,
            0,
            "6 of the six integrated methods are surely below Bach as Fu counts, none when every wrong pair counts "
            "once.",
        ),
        (
            0,
            1,
            "None of the six integrated methods is surely below Bach as Fu counts, 1 when every wrong pair counts "
            "once.",
        ),
    ],
)
def test_integrated_methods_below_bach(one, other, said):
    rows = [
        row("fu2005", "table_V-4", key, f"N = 500{head}", 0.9, 0.8, 0.95 if k < count else 1.05)
        for head, count in (("", one), (", standard", other))
        for k, key in enumerate(answers.INTEGRATED)
    ]
    assert answers.ahead(snapshot.Numbers(rows, ()), "500") == said


def test_studies_that_a_run_lacks_are_named():
    numbers = snapshot.kept(ROOT / "data" / "results")
    there = {study for study, *_ in numbers.claims}
    assert ("field2026" in there) != ("`field2026`" in answers.not_shown(numbers))
    assert "`fu2005`" in answers.not_shown(snapshot.Numbers((), ()))


def test_what_the_answer_rests_on_is_what_the_studies_declare():
    assert "4 networks (Alarm, Child, Hailfinder and Insurance)" in answers.basis()
    assert answers.advice().split(" scale, ")[0] in ("published", "quick")


def test_what_discretizing_gains_is_the_difference_on_networks_left_out():
    words = {"With levels": "modl / bic / tabu", "Without": "MIIC"}
    rows = [row("field2026", "table_discretize", "codes", column, text) for column, text in words.items()]
    rows.append(row("field2026", "table_discretize", "codes", "Difference, all N", -0.1))
    said = answers.discretize(snapshot.Numbers(rows, ()))
    assert said.endswith("| noisy codes | modl / bic / tabu | MIIC | -0.10 |")
    assert "field2026" not in answers.discretize(snapshot.Numbers([], ()))
