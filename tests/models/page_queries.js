// What the engine of the page answers to cases of evidence, on the tables that stand in it.
{
  const engine = new Inference(JSON.parse(document.getElementById("model").textContent).variables.map(({ states, parents, table }) => ({ levels: states.length, parents, table })));
  const checks = CASES.map((case_) => {
    const evidence = new Map(case_.map(([i, value]) => [i, value]));
    const { log, posteriors } = engine.query(evidence);
    if (!posteriors) return { conflict: [...engine.conflict(evidence).keys()] };
    return { log, posteriors: posteriors.map((row) => [...row]), best: engine.mostProbable(evidence) };
  });
  document.documentElement.dataset.checks = JSON.stringify(checks);
}
