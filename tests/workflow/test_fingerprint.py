"""Fingerprints: what a function depends on, and nothing else."""

from pathlib import Path

from cutpoint.workflow import fingerprint
from cutpoint.workflow.fingerprint import closure

ROOT = Path(__file__).parents[2]


def names(*entries):
    return {path.relative_to(fingerprint.SOURCE).as_posix() for path in closure(entries) if "src" in path.parts}


def test_imports_are_followed():
    found = names("cutpoint.learners.scores:bdeu")
    assert {"scores.py", "errors.py", "kernels/counting.py"} <= found
    assert not {"kgv.py", "plots/__init__.py", "api.py"} & found


def test_a_method_does_not_depend_on_another():
    steck = names("cutpoint.discretization.rules:steck")
    assert "discretization/rules.py" in steck
    assert not {"discretization/exact.py", "discretization/mgcd.py"} & steck
    assert "kernels/hartemink.py" not in steck


def test_a_job_depends_on_its_script_and_not_on_methods():
    script = ROOT / "scripts" / "learn.py"
    found = closure([script])
    assert script in found
    assert not any(path.name in ("rules.py", "hartemink.py", "figures.py") for path in found)


def test_an_edit_changes_the_fingerprint(tmp_path):
    script = tmp_path / "a.py"
    script.write_text("import cutpoint.learners.scores\n")
    before = fingerprint.fingerprint(script)
    script.write_text("import cutpoint.learners.scores\nx = 1\n")
    assert fingerprint.fingerprint(script) != before


def test_every_registered_function_can_be_found():
    from cutpoint.method import registry

    for table in (registry.DISCRETIZERS, registry.SCORES, registry.LEARNERS, registry.POLICIES):
        for entry in table.values():
            assert closure([entry])
            assert callable(registry.resolve(entry))


def test_a_users_own_module_is_found(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("import cutpoint.learners.scores\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = closure(["mine:f"])
    assert tmp_path / "mine.py" in found
    assert any(path.name == "scores.py" for path in found)
