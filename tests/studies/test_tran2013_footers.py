"""What rests on no replicates names none."""

import pytest

from cutpoint.report.artefacts import Scale
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.tran2013.figures import FIGURES
from cutpoint.studies.tran2013.tables import TABLES

COUNTED = Inputs("tran2013", {}, {}, {}, {}, [], Scale("published", 1, 7))


@pytest.mark.parametrize("name", ["table_2.1", "table_classes", "table_coarse", "table_misprints"])
def test_tables_without_replicates(name):
    assert str(TABLES[name](COUNTED).scale) == "Published scale; seed 1."


@pytest.mark.parametrize("name", ["figure_1.1", "figure_1.2", "figure_2.1", "table_2.2", "figure_2.2", "figure_4.1"])
def test_figures_without_replicates(name):
    texts = [t.get_text() for t in FIGURES[name](COUNTED).findobj(lambda a: hasattr(a, "get_text"))]
    assert any("Published scale; seed 1." in text for text in texts)
