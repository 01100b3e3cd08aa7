  // The panel beside the network: a variable, or one of `modes`, or the guide.
  const modes = { best: explanation, edges: edgeList, compare: comparison, target: ranking };
  function panel() {
    const chosen = selected !== null, blanket = target === null ? null : blanketOf(target), held = document.activeElement.dataset.key;
    cards.forEach(({ root }, i) => {
      root.classList.toggle("selected", i === selected);
      root.classList.toggle("target", i === target);
      root.classList.toggle("faded", Boolean(blanket && !blanket.has(i)));
    });
    stage.classList.toggle("chosen", chosen);
    arcs.forEach(({ from, to, confidence }, k) => {
      const { classList } = drawn[k];
      classList.toggle("near", [from, to].includes(selected));
      classList.toggle("faded", Boolean(blanket && !(blanket.has(from) && blanket.has(to))));
      classList.toggle("few", confidence < least);
    });
    details.hidden = !chosen && !mode;
    guide.hidden = !details.hidden;
    aside.classList.toggle("closed", details.hidden && !guide.classList.contains("asked"));
    document.body.classList.toggle("wide", !chosen && ["edges", "compare", "target"].includes(mode));
    for (const each of ["best", "edges", "compare"]) document.querySelector(`#${each}`).setAttribute("aria-pressed", mode === each);
    details.replaceChildren(...(chosen ? about(selected) : mode ? modes[mode]() : []));
    if (held) details.querySelector(`[data-key="${held}"]`)?.focus();
  }
  const heading = (text, close) => make("h2", {}, text, make("button", { class: "close", "aria-label": "close", onclick: close }, "×"));
  const link = (i) => make("button", { class: "link", onclick: () => select(i) }, variables[i].name);
  const soft = (...texts) => make("p", { class: "soft" }, ...texts);
  const bar = (share) => make("span", { class: "track" }, make("i", { style: `width:${100 * share}%` }));
  /** A table of rows of cells, in a region that scrolls. */
  function grid(title, heads, rows, kind = "list") {
    const head = make("thead", {}, make("tr", {}, ...heads)), body = make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells)));
    return make("div", { class: `scroll ${kind}`, tabindex: 0, role: "region", "aria-label": title }, make("table", {}, head, body));
  }
  const column = (text) => make("th", { scope: "col" }, text);
  function turn(name) {
    mode = mode === name ? "" : name;
    if (mode !== "target") target = null;
    select(null);
    update();
  }

  function about(i) {
    const { name, states, parents, thresholds, range } = variables[i], shares = now.posteriors?.[i];
    const children = order.filter((j) => variables[j].parents.includes(i)), known = evidence.get(i), size = `${states.length} ${states.length > 1 ? "levels" : "level"}`;
    const parts = [heading(name, () => select(null)), soft(range ? `${short(range[0])} to ${short(range[1])} in the data, ${size}` : size)];
    if (mode) parts.push(make("p", {}, make("button", { class: "link", onclick: () => select(null) }, "Back")));
    if (known !== undefined) parts.push(make("p", {}, `Known: ${spoken(i, known)}. `, make("button", { class: "link", onclick: () => set(i, null) }, "Forget")));
    if ((phone.matches ? variables.length >= FEW : view !== "cards") && shares) parts.push(make("ul", { class: "levels" }, ...states.map((_, level) => make("li", {}, choice(i, level, shares)))));
    if (range) parts.push(setter(i));
    if (range && shares && !Array.isArray(known)) parts.push(make("p", {}, `Expected value ${short(mean(i, shares))}${evidence.size ? `, before evidence ${short(mean(i, prior[i]))}` : ""}.`));
    parts.push(make("p", {}, make("button", { class: "button", "aria-pressed": i === target, onclick: () => aim(i) }, i === target ? "No target" : "Take as target")));
    for (const [title, others] of [["Parents", parents], ["Children", children]]) {
      const ties = others.map((j) => [j, arcs.find(({ from, to }) => (from === i && to === j) || (from === j && to === i))]);
      const notes = ({ to, settled, either, required, confidence, direction }) => `${[variables[to].kind, required ? "required" : settled ? "" : either ? "may point either way" : "direction open"].filter(Boolean).join(", ")}${counted(confidence, direction)}`;
      if (ties.length) parts.push(make("h3", {}, title), make("ul", {}, ...ties.map(([j, arc]) => make("li", {}, link(j), make("span", { class: "soft" }, ` ${notes(arc)}`)))));
    }
    if (thresholds?.length) parts.push(make("h3", {}, "Thresholds"), cuts(i));
    return [...parts, table(i)];
  }
  /** The thresholds of a variable, beside intervals that draws have. */
  function cuts(i) {
    const { labels, intervals } = variables[i], texts = labels.slice(1).map((text) => text.replace("≥ ", "").split(" to ")[0]);
    const half = (low, high) => `50 % of the draws ${low} to ${high}, 90 %`;
    const share = ([least, low, high, most]) => (low === least && high === most ? "50 and 90 % of the draws" : half(low, high));
    const item = (ends, k) => make("li", {}, texts[k], make("span", { class: "soft" }, `: ${share(ends)} ${ends[0]} to ${ends[3]}`));
    return intervals ? make("ul", {}, ...intervals.map(item)) : make("p", {}, texts.join(", "));
  }
  function choice(i, level, shares) {
    const button = make("button", { class: `level${evidence.get(i) === level ? " set" : ""}`, "data-key": `level ${level}`, "aria-pressed": evidence.get(i) === level, onclick: () => set(i, level) });
    button.append(make("span", {}, label(i, level)), bar(shares[level]), make("span", { class: "number" }, percent(shares[level])));
    return button;
  }
  function setter(i) {
    const [from, to] = ["value or from", "to"].map((text) => make("input", { type: "number", step: "any", placeholder: text, "aria-label": `${variables[i].name}: ${text}` }));
    const submit = (event) => {
      event.preventDefault();
      const [low, high] = [from, to].map(({ value, valueAsNumber }) => (value === "" ? undefined : valueAsNumber));
      if (between(i, low ?? (high === undefined ? NaN : variables[i].range[0]), high)) changed();
    };
    return make("form", { class: "value", onsubmit: submit }, from, to, make("button", {}, "Set"));
  }
  function table(i) {
    const { parents, states, table } = variables[i], count = table.length / states.length, filled = variables[i].kind === "table" || !parents.length ? "" : `, filled from a ${variables[i].kind}`, given = parents.length ? ` given ${listed(parents.map((j) => variables[j].name))}` : "";
    const fold = make("details", { open: count <= FOLDED }, make("summary", {}, `Probabilities${given}${filled}${count > 1 ? ` (${count.toLocaleString("en")} rows)` : ""}`));
    const row = (k) => {
      const levels = parents.map((_, p) => Math.floor(k / parents.slice(p + 1).reduce((size, j) => size * variables[j].states.length, 1)) % variables[parents[p]].states.length);
      const excluded = parents.some((j, p) => typeof evidence.get(j) === "number" && evidence.get(j) !== levels[p]), cells = table.slice(k * states.length, (k + 1) * states.length);
      return make("tr", { class: excluded && "excluded" }, ...levels.map((level, p) => make("th", { scope: "row" }, label(parents[p], level))), ...cells.map((p) => make("td", { style: `--p:${p.toFixed(3)}` }, percent(p).slice(0, -1))));
    };
    const fill = () => {
      if (!fold.open || fold.children.length > 1) return;
      const heads = [...parents.map((j) => variables[j].name), ...states.map((_, level) => label(i, level).replace(/(to|[<≥]) /, "$1\u00a0"))];
      const region = grid(`probabilities of ${variables[i].name}`, heads.map(column), [], "");
      region.querySelector("tbody").append(...Array.from({ length: Math.min(count, ROWS) }, (_, k) => row(k)));
      fold.append(region, soft(count > ROWS ? `In percent; the first ${ROWS} of ${count} rows.` : "In percent."));
    };
    fold.addEventListener("toggle", fill);
    fill();
    return fold;
  }

  function explanation() {
    const title = heading("Most probable explanation", () => turn("best"));
    if (!best) return [title, soft("Nothing agrees with this evidence.")];
    const rows = order.map((i) => make("tr", {}, make("th", { scope: "row" }, link(i)), make("td", { class: evidence.has(i) && "known" }, label(i, best.levels[i]))));
    const text = `The levels of all variables that are most probable together${evidence.size ? " given the evidence" : ""}: ${chance(Math.exp(best.log - now.log))}. A single variable may have another most probable level.`;
    return [title, soft(text), make("table", { class: "case" }, ...rows)];
  }

  // Edges: a list that sorts, and the confidence from which an edge is drawn.
  let [sorting, falling] = ["Confidence", true];
  function edgeList() {
    const way = ({ settled, either, required }) => (required ? "required" : settled ? "settled" : either ? "either way" : "open");
    const values = { From: (arc) => variables[arc.from].name, To: (arc) => variables[arc.to].name, Confidence: (arc) => arc.confidence, Direction: (arc) => arc.direction, Arrow: way, Kind: (arc) => variables[arc.to].kind };
    const heads = Object.keys(values).filter((head) => votes || !["Confidence", "Direction"].includes(head)), sort = heads.includes(sorting) ? sorting : "From";
    const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }));
    const rows = arcs.filter(({ confidence }) => !(confidence < least)).sort((a, b) => (falling ? -1 : 1) * compare(values[sort](a), values[sort](b)));
    const by = (head) => () => (([sorting, falling] = [head, head === sort ? !falling : ["Confidence", "Direction"].includes(head)]), panel());
    const head = (text) => make("th", { scope: "col", "aria-sort": text === sort && (falling ? "descending" : "ascending") }, make("button", { "data-key": text, onclick: by(text) }, text));
    const cell = (arc) => (text) => make("td", {}, ["From", "To"].includes(text) ? link(arc[text.toLowerCase()]) : typeof values[text](arc) === "number" ? sure(values[text](arc), true) : values[text](arc));
    const parts = [heading("Edges", () => turn("edges")), soft(`${rows.length} of ${arcs.length}${votes ? `, with what ${votes.graphs} ${votes.of} say of the pair and of its direction` : ""}.`)];
    const slide = ({ target: { value } }) => ((least = Number(value)), panel());
    const slider = make("input", { type: "range", min: 0, max: 1, step: votes?.graphs <= 20 ? 1 / votes.graphs : 0.05, value: least, "data-key": "least", oninput: slide });
    if (votes) parts.push(make("label", { class: "least" }, "Confidence at least ", slider, make("output", {}, sure(least))));
    return [...parts, grid("edges", heads.map(head), rows.map((arc) => heads.map(cell(arc))))];
  }

  // A target: its Markov blanket, and what each variable tells about it.
  function aim(i) {
    target = i === target ? null : i;
    mode = target === null ? "" : "target";
    select(null);
  }
  const childrenOf = (i) => order.filter((j) => variables[j].parents.includes(i));
  const blanketOf = (i) => new Set([i, ...variables[i].parents, ...childrenOf(i), ...childrenOf(i).flatMap((j) => variables[j].parents)]);
  function ancestors(i, found = new Set()) {
    variables[i].parents.filter((j) => !found.has(j)).forEach((j) => ancestors(j, found.add(j)));
    return found;
  }
  /** Mutual information of each variable and the target given the evidence, and the entropy of the target, bits. */
  function information(i) {
    const known = given();
    known.delete(i);
    const before = ask(known), bits = variables.map(() => 0), gain = (p, q) => (p > 0 ? p * Math.log2(p / q) : 0);
    if (!before.posteriors) return null;
    before.posteriors[i].forEach((share, level) => {
      const after = share > 0 ? ask(new Map([...known, [i, level]])).posteriors : null;
      after?.forEach((row, j) => row.forEach((p, k) => (bits[j] += share * gain(p, before.posteriors[j][k]))));
    });
    return { bits, entropy: bits[i], problem: before.problem };
  }
  function ranking() {
    const { name, parents } = variables[target], parts = [heading(`What tells about ${name}`, () => aim(target))], found = information(target);
    if (!found) return [...parts, soft("This evidence is impossible.")];
    const blanket = blanketOf(target), above = ancestors(target), { bits, entropy } = found;
    const role = (j) => (parents.includes(j) ? "parent" : variables[j].parents.includes(target) ? "child" : blanket.has(j) ? "parent of a child" : above.has(j) ? "ancestor" : ancestors(j).has(target) ? "descendant" : "");
    const ranks = order.filter((j) => j !== target && bits[j] >= 5e-4).sort((j, k) => bits[k] - bits[j]), rest = variables.length - 1 - ranks.length;
    const row = (j) => [make("td", {}, link(j)), make("td", { class: "soft" }, evidence.has(j) ? "known" : role(j)), make("td", {}, bar(bits[j] / bits[ranks[0]]), bits[j].toFixed(3))];
    parts.push(soft(`Mutual information in bits${evidence.size ? " given the evidence" : ""}${found.problem ? ", by samples" : ""}; all about ${name} would be ${entropy.toFixed(3)}. Faded is what is outside its Markov blanket.`));
    return [...parts, grid("what tells about the target", ["Variable", "Is its", "Bits"].map(column), ranks.map(row)), soft(rest ? `${rest} more tell less than 0.0005 bits.` : "")];
  }

  // Two sets of evidence: A is kept, B is what is changed.
  function compareCases() {
    if (!pinned) pin(new Map(evidence));
    turn("compare");
    if (mode === "compare") keep("replaceState");
  }
  function pin(known) {
    pinned = known && { evidence: known, ...ask(given(known)) };
    if (!pinned && mode === "compare") mode = "";
  }
  function swap() {
    const [first, second] = [new Map(evidence), [...pinned.evidence]];
    evidence.clear();
    second.forEach(([i, value]) => evidence.set(i, value));
    pin(first);
    changed();
  }
  function comparison() {
    const sets = [pinned, { evidence, ...now }], end = () => (pin(null), changed());
    const summary = (i, { posteriors, evidence: known }) => (known.has(i) ? spoken(i, known.get(i)) : !posteriors ? "–" : variables[i].means ? short(mean(i, posteriors[i])) : mostOf(i, posteriors[i]));
    const apart = (i) => (sets.every(({ posteriors }) => posteriors) ? sets[0].posteriors[i].reduce((sum, p, k) => sum + Math.abs(p - sets[1].posteriors[i][k]) / 2, 0) : 0);
    const ranks = order.map((i) => [i, apart(i)]).sort((a, b) => b[1] - a[1]), cell = (i) => (one) => make("td", { class: one.evidence.has(i) && "known" }, summary(i, one));
    const lists = sets.map((one, k) => make("div", {}, make("h3", {}, "AB"[k]), make("p", {}, one.evidence.size ? [...one.evidence].map(named).join("; ") : "no evidence"), soft(`probability ${one.posteriors ? chance(one.probability) : "0"}`)));
    const buttons = make("p", {}, make("button", { class: "button", onclick: swap }, "Swap"), " ", make("button", { class: "button", onclick: end }, "End"));
    const rows = ranks.map(([i, far]) => [make("td", {}, link(i)), ...sets.map(cell(i)), make("td", {}, percent(far < 1e-9 ? 0 : far))]);
    const text = "A is kept. What you click now is B; the marks on the bars are A. Means, or the most probable level; sorted by how far the probabilities are apart.";
    return [heading("Two sets of evidence", () => turn("compare")), soft(text), make("div", { class: "pair" }, ...lists), buttons, grid("comparison of A and B", ["Variable", "A", "B", "Apart"].map(column), rows)];
  }
