"""Which methods need an environment of their own, for the rules that make and use it."""

from collections.abc import Iterable
from typing import Any

from cutpoint.base import user_code
from cutpoint.base.errors import InputError, at
from cutpoint.base.text import suggest
from cutpoint.bench.runs.environments import name_of
from cutpoint.bench.workflow.lookups import Plan
from cutpoint.bench.workflow.lookups_runs import Wildcards
from cutpoint.bench.workflow.plan import Batch


class Environments:
    """The environments of outside programs, each in a folder of its own name; empty until the rules are read."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._files: dict[str, str] = {}  # of requirements, by the name of the environment
        self._of_method: dict[str, str] = {}  # the name of the environment of a method that needs one

    def read(self, rules: Iterable[Any]) -> None:
        """Read the `requirements` of all rules of the workflow, where a rule leaves them open those of its rows."""
        plan, of_job = self._plan, {}
        for rule in rules:  # a prefix of its name, as in a module, is not one of its job
            params, job = dict(rule.params.items()), rule.wildcard_constraints.get("job")
            if job and "requirements" in params:
                of_job[job] = params["requirements"]
        selected = {name for study in plan.checked.studies for name in plan.studies.rows(study)}
        for method in plan.methods.external:
            row = plan.checked.methods[method]
            if row["rule"] in of_job and (requirements := of_job[row["rule"]] or row.get("requirements")):
                try:
                    self._add(method, str(requirements))
                except InputError as problem:
                    if method in selected:
                        raise InputError(f"{plan.checked.where[method]}: requirements: {problem}") from None

    def _add(self, method: str, requirements: str) -> None:
        with at(requirements):
            file = self._plan.checked.places.shipped(user_code.find(requirements))
        name = name_of(requirements)
        if (other := self._files.setdefault(name, file)) != file:
            raise InputError(f"{file} and {other} would share the environment {name!r}; rename one of them")
        self._of_method[method] = name

    def file_of(self, wildcards: Wildcards) -> str:
        """Return the file of requirements of an environment."""
        name = wildcards.program
        if name not in self._files:
            raise InputError(f"results/environments/{name}: no such environment{suggest(name, self._files)}")
        return self._files[name]

    def of_job(self, _: str, batch: Batch, job: str) -> list[str]:
        """Return the folders of the environments of the methods of a job, see `Batches`."""
        return self._folders(self._plan.methods.jobs.methods(batch.methods, job))

    def selected(self, wildcards: Wildcards) -> list[str]:
        """Return the folders of the environments of all selected studies."""
        studies = self._plan.studies
        return self._folders(name for study in studies.studies for name in studies.rows(study))

    def _folders(self, methods: Iterable[str]) -> list[str]:
        names = {self._of_method[name] for name in methods if name in self._of_method}
        return [f"results/environments/{name}" for name in sorted(names)]
