// What the engine of the page answers to cases of evidence, exactly and by samples.
{
  const { variables } = JSON.parse(document.getElementById("model").textContent);
  const engine = new Inference(variables.map(({ states, parents, table }) => ({ levels: states.length, parents, table })));
  const plain = (answer) => ({ ...answer, posteriors: answer.posteriors && answer.posteriors.map((row) => [...row]) });
  const both = (evidence) => [engine.query(evidence), engine.sample(evidence)].map(plain);
  document.documentElement.dataset.checks = JSON.stringify(CASES.map((pieces) => both(new Map(pieces))));
}
