// What the engine of the page answers to cases of evidence, on the tables that stand in it.
{
  const engine = new Inference(JSON.parse(document.getElementById("model").textContent).variables.map(({ states, parents, table }) => ({ levels: states.length, parents, table })));
  const found = CASES.map((case_) => {
    const known = new Map(case_.map(([i, value]) => [i, value]));
    const { log, posteriors } = engine.query(known);
    if (!posteriors) return { conflict: [...engine.conflict(known).keys()] };
    return { log, posteriors: posteriors.map((row) => [...row]), best: engine.mostProbable(known) };
  });
  document.documentElement.dataset.checks = JSON.stringify(found);
}
