"use strict";
// Inference in a discrete Bayesian network: exact, or by weighted samples where that needs too much room. Variables are eliminated by min-fill, and messages go up and down the
// tree of cliques that this leaves (bucket trees, Dechter 1999). Where its tables are large, known levels are cut out of them before.
//
// network: [{levels: r, parents: [index, ..], table: flat, the variable's own level fastest}, ..]
// evidence: Map of variable -> level, or the likelihoods of its levels (Pearl's virtual evidence).
class Inference {
  static MOST_CELLS = 2 ** 24;
  static FEW_CELLS = 2 ** 20; // up to which one tree serves all evidence
  static SAMPLES = 20000;

  constructor(network) {
    this.network = network;
    this.families = network.map(({ parents }, i) => [...parents, i]);
    this.tables = network.map(({ table, levels }) => normalised(table, levels));
    this.trees = new Map(); // the latest, by which levels are known
  }

  /** P(evidence), its natural log, and the posterior of each variable; no posteriors where the evidence is impossible. */
  query(known = new Map()) {
    const evidence = this.#softened(known), tree = this.#tree(evidence), log = this.#up(tree, evidence, (a, b) => a + b);
    if (log === -Infinity) return { probability: 0, log, posteriors: null };
    const posteriors = this.network.map(({ levels }, i) => Float64Array.from({ length: levels }, (_, k) => Number(k === evidence.get(i))));
    for (const { variable, belief, up, levels, parent, inParent } of tree.toReversed()) {
      if (parent) {
        const down = new Float64Array(up.length);
        for (let cell = 0; cell < inParent.length; cell++) down[inParent[cell]] += parent.belief[cell];
        for (let cell = 0, j = 0; j < up.length; j++) {
          const factor = up[j] > 0 ? down[j] / up[j] : 0;
          for (let k = 0; k < levels; k++) belief[cell++] *= factor;
        }
      }
      const posterior = posteriors[variable];
      for (let cell = 0; cell < belief.length; ) for (let k = 0; k < levels; k++) posterior[k] += belief[cell++];
      posteriors[variable] = normalised(posterior, levels);
    }
    return { probability: Math.exp(log), log, posteriors };
  }

  /** What `query` returns, by likelihood weighting (Fung and Chang 1990), and the largest standard error of a posterior. */
  sample(evidence = new Map()) {
    const order = [], placed = new Set(), random = generator(1), n = this.network.length;
    while (order.length < n) this.network.forEach(({ parents }, i) => !placed.has(i) && parents.every((j) => placed.has(j)) && placed.add(order[order.push(i) - 1]));
    const posteriors = this.network.map(({ levels }) => new Float64Array(levels)), codes = new Int32Array(n);
    let [total, squares] = [0, 0];
    for (let k = 0; k < Inference.SAMPLES; k++) {
      let weight = 1;
      for (const i of order) {
        const { levels, parents } = this.network[i], table = this.tables[i], known = evidence.get(i);
        const start = parents.reduce((cell, j) => cell * this.network[j].levels + codes[j], 0) * levels;
        if (typeof known === "number") [codes[i], weight] = [known, weight * table[start + known]];
        else {
          let left = random();
          codes[i] = 0;
          while (codes[i] < levels - 1 && (left -= table[start + codes[i]]) >= 0) codes[i]++;
          if (known) weight *= known[codes[i]];
        }
      }
      total += weight;
      squares += weight * weight;
      if (weight) posteriors.forEach((row, i) => (row[codes[i]] += weight));
    }
    if (!total) return { probability: 0, log: -Infinity, posteriors: null };
    const probability = total / Inference.SAMPLES;
    return { probability, log: Math.log(probability), posteriors: posteriors.map((row) => normalised(row, row.length)), error: 0.5 * Math.sqrt(squares) / total };
  }

  /** The most probable levels of all variables together given the evidence, and ln of their weight; null if impossible. */
  mostProbable(known = new Map()) {
    const evidence = this.#softened(known), tree = this.#tree(evidence), log = this.#up(tree, evidence, Math.max);
    if (log === -Infinity) return null;
    const levels = this.network.map((_, i) => (this.#known(evidence, i) ? evidence.get(i) : 0));
    for (const clique of tree.toReversed()) {
      const start = clique.rest.reduce((cell, i) => cell * this.network[i].levels + levels[i], 0) * clique.levels;
      const row = clique.belief.subarray(start, start + clique.levels);
      levels[clique.variable] = row.indexOf(Math.max(...row));
    }
    return { levels, log };
  }

  /** Pieces of impossible evidence that are impossible together and none of which can be left out. */
  conflict(evidence) {
    const kept = new Map(evidence);
    for (const [i, value] of evidence) {
      kept.delete(i);
      if (this.#up(this.#tree(kept), kept, (a, b) => a + b) > -Infinity) kept.set(i, value);
    }
    return kept;
  }

  /** Evidence for the tree of no evidence: a known level is a likelihood; as it was where that tree is large. */
  #softened(evidence) {
    this.cells ??= this.#eliminated(new Set()).reduce((sum, { size }) => sum + size, 0);
    if (this.cells > Inference.FEW_CELLS) return evidence;
    const likelihoods = ([i, value]) => [i, typeof value === "number" ? Array.from({ length: this.network[i].levels }, (_, k) => Number(k === value)) : value];
    return new Map([...evidence].map(likelihoods));
  }

  #known(evidence, i) {
    return typeof evidence.get(i) === "number";
  }

  /** Multiply tables and messages from the first eliminated variable to the last; returns ln of the total. */
  #up(tree, evidence, combine) {
    const offset = (family) => family.reduce((cell, i) => cell * this.network[i].levels + (this.#known(evidence, i) ? evidence.get(i) : 0), 0);
    let log = tree.constants.reduce((sum, family) => sum + Math.log(this.tables[family.at(-1)][offset(family)]), 0);
    for (const clique of tree) {
      const belief = (clique.belief = new Float64Array(clique.size).fill(1)), { levels } = clique;
      for (const { family, cells } of clique.factors) {
        const table = this.tables[family.at(-1)], first = offset(family);
        for (let cell = 0; cell < belief.length; cell++) belief[cell] *= table[first + cells[cell]];
      }
      for (const { up, inParent } of clique.children) {
        for (let cell = 0; cell < belief.length; cell++) belief[cell] *= up[inParent[cell]];
      }
      const likelihoods = evidence.get(clique.variable);
      if (likelihoods) for (let cell = 0; cell < belief.length; cell++) belief[cell] *= likelihoods[cell % levels];
      const up = (clique.up = new Float64Array(belief.length / levels));
      for (let cell = 0, j = 0; j < up.length; j++) for (let k = 0; k < levels; k++) up[j] = combine(up[j], belief[cell++]);
      const largest = up.reduce((a, b) => Math.max(a, b));
      log += Math.log(largest);
      if (log === -Infinity) break;
      for (let j = 0; j < up.length; j++) up[j] /= largest;
      for (let cell = 0; cell < belief.length; cell++) belief[cell] /= largest;
    }
    return log;
  }

  #tree(evidence) {
    const known = [...evidence.keys()].filter((i) => this.#known(evidence, i)).sort((a, b) => a - b), key = known.join();
    if (!this.trees.has(key)) {
      const tree = this.#compile(new Set(known));
      if (this.trees.size > 7) this.trees.delete(this.trees.keys().next().value);
      this.trees.set(key, tree);
    }
    return this.trees.get(key);
  }

  /** The cliques in the order of elimination. */
  #eliminated(known, free = this.families) {
    const near = new Map(this.network.map((_, i) => [i, new Set()]).filter(([i]) => !known.has(i)));
    for (const family of free) for (const i of family) for (const j of family) if (i !== j) near.get(i).add(j);
    const tree = [];
    while (near.size) {
      const variable = this.#cheapest(near), rest = [...near.get(variable)];
      for (const i of rest) for (const j of rest) if (i !== j) near.get(i).add(j);
      for (const i of rest) near.get(i).delete(variable);
      near.delete(variable);
      const size = this.#cellsOf([...rest, variable]);
      tree.push({ variable, rest, size, levels: this.network[variable].levels, factors: [], children: [] });
    }
    return tree;
  }

  #compile(known) {
    const free = this.families.map((family) => family.filter((i) => !known.has(i))), tree = this.#eliminated(known, free);
    const place = new Map(tree.map(({ variable }, k) => [variable, k])); // the clique in which a variable is eliminated
    const total = tree.reduce((sum, { size }) => sum + size, 0), first = (family) => tree[Math.min(...family.map((i) => place.get(i)))];
    if (total > Inference.MOST_CELLS) throw new RangeError(`exact probabilities need ${total.toPrecision(3)} cells, and this page has room for ${Inference.MOST_CELLS}`);
    for (const clique of tree.filter(({ rest }) => rest.length)) {
      clique.parent = first(clique.rest);
      clique.parent.children.push(clique);
      clique.inParent = this.#cells(clique.parent, clique.rest);
    }
    this.families.forEach((family, f) => {
      const clique = free[f].length && first(free[f]);
      if (clique) clique.factors.push({ family, cells: this.#cells(clique, family) });
    });
    tree.constants = this.families.filter((_, f) => !free[f].length);
    return tree;
  }

  #cellsOf(variables) {
    return variables.reduce((size, i) => size * this.network[i].levels, 1);
  }

  /** The variable whose elimination adds the fewest edges, of these the one with the smallest clique. */
  #cheapest(near) {
    let [best, least, smallest] = [-1, Infinity, Infinity];
    for (const [variable, others] of near) {
      const list = [...others], size = this.#cellsOf([...list, variable]);
      let fill = 0;
      for (let a = 0; a < list.length; a++) for (let b = a + 1; b < list.length; b++) fill += !near.get(list[a]).has(list[b]);
      if (fill < least || (fill === least && size < smallest)) [best, least, smallest] = [variable, fill, size];
    }
    return best;
  }

  /** For each cell of a clique the cell of a table of some of its variables; variables outside it stay at level 0. */
  #cells(clique, variables) {
    const strides = new Map();
    variables.reduceRight((stride, i) => (strides.set(i, stride), stride * this.network[i].levels), 1);
    let cells = Int32Array.of(0);
    for (const i of [...clique.rest, clique.variable]) {
      const { levels } = this.network[i], stride = strides.get(i) ?? 0, narrow = cells;
      cells = Int32Array.from({ length: narrow.length * levels }, (_, cell) => narrow[Math.floor(cell / levels)] + (cell % levels) * stride);
    }
    return cells;
  }
}

function normalised(table, levels) {
  const rows = Float64Array.from(table);
  for (let start = 0; start < rows.length; start += levels) {
    const row = rows.subarray(start, start + levels), total = row.reduce((a, b) => a + b);
    row.forEach((p, k) => (row[k] = p / total));
  }
  return rows;
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
