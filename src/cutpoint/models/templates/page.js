"use strict";
// The page of a fitted network: cards of variables, evidence, what follows from it, and the details of one variable.
(() => {
  const { variables, arcs } = JSON.parse(document.getElementById("model").textContent);
  const engine = new Inference(variables.map(({ states, parents, table }) => ({ levels: states.length, parents, table })));
  const [stage, main, details, guide, aside] = ["#stage", "main", "#details", "#guide", "aside"].map((name) => document.querySelector(name));
  const LONG = 14, ROWS = 400, FOLDED = 24; // levels from which a card scrolls; rows of a table, those shown at once
  const HIGH = 30; // units of a curve
  const phone = matchMedia("screen and (max-width: 760px)");
  const evidence = new Map(); // variable -> level, or [from, to] of a range of values
  const order = parentsFirst();
  let [selected, marking, zoom] = [null, false, 1];
  const prior = ask(evidence).posteriors ?? variables.map(({ states }) => states.map(() => 0));
  let now;

  // Texts.
  const label = (i, level) => (variables[i].labels ?? variables[i].states)[level];
  const short = (number) => String(Number(number.toPrecision(4)));
  const spoken = (i, value) => (typeof value === "number" ? label(i, value) : `${short(value[0])} to ${short(value[1])}`);
  const named = ([i, value]) => `${variables[i].name} ${variables[i].labels ? "" : "= "}${spoken(i, value)}`;
  const listed = (items) => (items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${items.at(-1)}` : `${items[0]}`);
  function percent(p) {
    if (p <= 0 || p >= 1) return p <= 0 ? "0%" : "100%";
    if (p < 0.0005 || p > 0.9995) return p < 0.5 ? "<0.1%" : ">99.9%";
    return `${(100 * p).toFixed(1)}%`;
  }
  const chance = (p) => (p >= 0.2 ? percent(p) : `${p < 0.0005 ? p.toExponential(1) : percent(p)}, 1 in ${Number((1 / p).toPrecision(2)).toLocaleString("en")}`);

  function make(tag, attributes = {}, ...children) {
    const svg = ["svg", "path", "g", "title"].includes(tag);
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function parentsFirst() {
    const placed = new Set();
    while (placed.size < variables.length) variables.forEach(({ parents }, i) => parents.every((j) => placed.has(j)) && placed.add(i));
    return [...placed];
  }

  // Values: which level they are in, and what share of a level lies in a range.
  const levelOf = (i, value) => variables[i].thresholds.filter((threshold) => value >= threshold).length;
  function ends(i) {
    const { thresholds, range: [low, high] } = variables[i];
    return [low, ...thresholds.map((cut) => Math.min(Math.max(cut, low), high)), high];
  }
  /** The mass of the density below a value, linear between its points; the same everywhere without one. */
  function below(i, value) {
    const { density = [1, 1], range: [low, high] } = variables[i], last = density.length - 1;
    const at = (Math.min(Math.max((value - low) / (high - low), 0), 1)) * last, k = Math.min(Math.floor(at), last - 1), part = at - k;
    let mass = part * (density[k] + (part * (density[k + 1] - density[k])) / 2);
    for (let j = 0; j < k; j++) mass += (density[j] + density[j + 1]) / 2;
    return mass;
  }
  function likelihoods(i, [from, to]) {
    const edges = ends(i);
    return variables[i].states.map((_, level) => {
      const [a, b] = [edges[level], edges[level + 1]], [low, high] = [Math.max(a, from), Math.min(b, to)];
      if (!(high > low)) return Number(a === b && from <= a && a <= to);
      const [part, whole] = [[low, high], [a, b]].map(([x, y]) => below(i, y) - below(i, x));
      return whole > 0 ? part / whole : (high - low) / (b - a);
    });
  }
  const given = () => new Map([...evidence].map(([i, value]) => [i, typeof value === "number" ? value : likelihoods(i, value)]));
  function ask(known) {
    try {
      return engine.query(known);
    } catch (problem) {
      if (problem instanceof RangeError) return { ...engine.sample(known), problem: problem.message };
      throw problem;
    }
  }

  // Cards.
  const cards = new Map(order.map((i) => [i, card(i)]));
  stage.append(...order.map((i) => cards.get(i).root));
  const drawn = arcs.map((arc) => {
    const { settled, confidence, path, tip: [x, y] } = arc, width = confidence === undefined ? 1.5 : 0.75 + 3.25 * confidence, open = settled ? "" : " open";
    const half = 4 + width / 4, head = make("path", { class: `head${open}`, d: `M${x - half} ${y - 9}L${x} ${y - 1}L${x + half} ${y - 9}Z` });
    return make("g", {}, make("path", { class: `arc${open}`, d: path, "stroke-width": width }, make("title", {}, told(arc))), head);
  });
  stage.querySelector("#arcs").append(...drawn);

  function told({ from, to, settled, either, required, confidence, direction }) {
    const way = required ? ", required beforehand" : settled ? "" : either ? ", or the other way just as well" : ", with few votes for this direction";
    return `${variables[from].name} to ${variables[to].name}, by a ${variables[to].kind}${way}${votes(confidence, direction)}`;
  }
  function votes(confidence, direction) {
    return confidence === undefined ? "" : `; confidence ${percent(confidence)}, of the direction ${percent(direction)}`;
  }

  function card(i) {
    const { name, states, parents, kind, range, box } = variables[i], from = parents.length ? `${kind} of ${listed(parents.map((j) => variables[j].name))}` : "";
    const rows = states.map((_, level) => {
      const parts = { bar: make("i"), before: make("u", { style: `left:${100 * prior[i][level]}%` }), number: make("span", { class: "number" }) };
      const root = make("button", { class: "level", tabindex: level ? -1 : 0, onclick: () => set(i, level), onkeydown: (event) => move(event, i, level) });
      root.append(make("span", { title: label(i, level) }, label(i, level)), make("span", { class: "track" }, parts.bar, parts.before), parts.number);
      return { root, ...parts };
    });
    const average = make("span", { class: "mean" }), curve = range && range[1] > range[0] ? strip(i, rows) : null;
    const heading = make("h2", {}, make("button", { title: name, onclick: () => select(i) }, name), average);
    const list = make("ul", { class: states.length > LONG ? "levels long" : "levels" }, ...rows.map(({ root }) => make("li", {}, root)));
    const about = { class: "card", "aria-label": `${name}, ${states.length} ${states.length > 1 ? "levels" : "level"}${from && `, ${from}`}` };
    const root = make("article", about, heading, make("p", { class: "from" }, from), curve?.root, curve?.axis, list);
    ["left", "top", "width", "height"].forEach((side, k) => root.style.setProperty(`--${side}`, `${box[k]}px`));
    return { root, rows, average, curve };
  }

  /** The density over the range of the data: a click is a known value, a drag a range. */
  function strip(i, rows) {
    const { name, range: [low, high], thresholds, density } = variables[i], edges = ends(i);
    const x = (value) => (100 * (value - low)) / (high - low);
    const paths = Object.fromEntries(["now", "before", "cuts", "here"].map((kind) => [kind, make("path", { class: kind })]));
    paths.cuts.setAttribute("d", thresholds.map((cut) => `M${x(cut).toFixed(2)} 0V${HIGH}`).join(""));
    const root = make("svg", { class: "strip", viewBox: `0 0 100 ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": `density of ${name} from ${short(low)} to ${short(high)}` });
    root.append(...Object.values(paths));
    const middle = make("b"), axis = make("div", { class: "axis", "aria-hidden": true }, make("span", {}, short(low)), middle, make("span", {}, short(high)));
    /** The corners of the curve of a level between two values. */
    function piece(level, a, b) {
      if (!(b > a)) return [];
      if (!density) return [a, b].map((value) => [x(value), prior[i][level] / (edges[level + 1] - edges[level])]);
      const last = density.length - 1, points = density.map((height, k) => [low + (k / last) * (high - low), height]).filter(([value]) => value > a && value < b);
      const height = (value) => {
        const at = (x(value) / 100) * last, k = Math.min(Math.floor(at), last - 1);
        return density[k] + (at - k) * (density[k + 1] - density[k]);
      };
      return [[a, height(a)], ...points, [b, height(b)]].map(([value, h]) => [x(value), h]);
    }
    const whole = rows.map((_, level) => piece(level, edges[level], edges[level + 1]));
    const draw = (shares, value) => {
      const [from, to] = Array.isArray(value) ? value : [low, high], weights = Array.isArray(value) ? likelihoods(i, value) : null;
      const parts = rows.map((_, level) => {
        const expected = prior[i][level] * (weights?.[level] ?? 1), factor = expected > 0 ? shares[level] / expected : 0;
        return piece(level, Math.max(edges[level], from), Math.min(edges[level + 1], to)).map(([at, h]) => [at, h * factor]);
      });
      const most = Math.max(1e-300, ...[...whole, ...parts].flat().map(([, h]) => h));
      const line = (corners) => corners.map(([at, h]) => `${at.toFixed(2)} ${(HIGH - ((HIGH - 1) * h) / most).toFixed(2)}`).join("L");
      paths.now.setAttribute("d", parts.map((part) => (part.length ? `M${part[0][0]} ${HIGH}L${line(part)}V${HIGH}Z` : "")).join(""));
      paths.before.setAttribute("d", `M${line(whole.flat())}`);
    };
    let start = null;
    const pointed = ({ clientX }) => {
      const { left, width } = root.getBoundingClientRect();
      return low + Math.min(Math.max((clientX - left) / width, 0), 1) * (high - low);
    };
    const span = (event) => [start ?? pointed(event), pointed(event)].sort((a, b) => a - b);
    const dragging = ([a, b]) => start !== null && x(b) - x(a) > 2;
    const show = (event) => {
      const [a, b] = event ? span(event) : [];
      middle.textContent = event ? (dragging([a, b]) ? `${short(a)} to ${short(b)}` : short(pointed(event))) : "";
      paths.here.setAttribute("d", event ? `M${x(a).toFixed(2)} 0V${HIGH}H${x(b).toFixed(2)}V0Z` : "");
      rows.forEach((row, level) => row.root.classList.toggle("hover", Boolean(event) && level >= levelOf(i, a) && level <= levelOf(i, b)));
    };
    root.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      start = pointed(event);
      if (event.isTrusted) root.setPointerCapture(event.pointerId);
    });
    root.addEventListener("pointermove", show);
    root.addEventListener("pointerleave", () => show(null));
    root.addEventListener("pointercancel", () => ((start = null), show(null)));
    root.addEventListener("pointerup", (event) => {
      const range = span(event), drag = dragging(range);
      if (start !== null) set(i, drag ? range : levelOf(i, pointed(event)));
      start = null;
      show(null);
    });
    return { root, axis, draw };
  }

  // Evidence, and the address that keeps it.
  function set(i, value) {
    if (evidence.get(i) === value || value === null) evidence.delete(i);
    else evidence.set(i, value);
    changed();
  }
  function changed() {
    keep("pushState");
    update();
  }
  function keep(way) {
    if (location.protocol === "about:") return; // inside another page
    const parts = new URLSearchParams([...evidence].map(([i, value]) => [variables[i].name, Array.isArray(value) ? value.map((end) => end.toPrecision(6)).join("..") : variables[i].states[value]]));
    if (selected !== null) parts.append("", variables[selected].name);
    history[way](null, "", parts.size ? `#${parts}` : location.pathname + location.search);
  }
  function read() {
    evidence.clear();
    selected = null;
    for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
      const i = variables.findIndex((variable) => variable.name === (name || text)), level = variables[i]?.states.indexOf(text) ?? -1;
      if (i < 0) continue;
      if (!name) selected = i;
      else if (level >= 0) evidence.set(i, level);
      else if (variables[i].range) between(i, ...text.split("..").map(Number));
    }
    update();
  }
  /** Take a range of values as evidence, within that of the data; a single value is its level. */
  function between(i, from, to = from) {
    if (!(from <= to)) return false;
    const [low, high] = variables[i].range, inside = [Math.max(from, low), Math.min(to, high)];
    evidence.set(i, inside[0] < inside[1] ? inside : levelOf(i, from));
    return true;
  }
  function select(i) {
    selected = i;
    guide.classList.remove("asked");
    keep("replaceState");
    panel();
    if (i !== null) cards.get(i).root.scrollIntoView({ block: phone.matches ? "start" : "nearest", inline: "nearest" });
  }
  function move(event, i, level) {
    const [across, down] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key] ?? [0, 0];
    if (event.key === "Delete" && evidence.has(i)) set(i, null);
    if (!across && !down) return;
    event.preventDefault();
    const within = (k, list) => list[Math.min(Math.max(k, 0), list.length - 1)], { rows } = cards.get(within(order.indexOf(i) + across, order));
    const chosen = within(level + down, rows);
    rows.forEach(({ root }) => root.setAttribute("tabindex", root === chosen.root ? 0 : -1));
    chosen.root.focus();
  }

  // What changes with the evidence.
  let best = null;
  function update() {
    now = ask(given());
    const possible = now.posteriors !== null;
    best = marking && possible && !now.problem ? engine.mostProbable(given()) : null;
    stage.classList.toggle("given", evidence.size > 0);
    for (const [i, { root, rows, average, curve }] of cards) {
      const shares = now.posteriors?.[i] ?? rows.map(() => 0), most = shares.indexOf(Math.max(...shares)), value = evidence.get(i), { means } = variables[i];
      root.classList.toggle("known", value !== undefined);
      rows.forEach((row, level) => {
        const share = possible ? percent(shares[level]) : "–", before = evidence.size ? `, before evidence ${percent(prior[i][level])}` : "";
        row.bar.style.width = `${100 * shares[level]}%`;
        row.number.textContent = share;
        for (const [kind, on] of Object.entries({ set: level === value, top: possible && level === most, likely: best?.levels[i] === level })) row.root.classList.toggle(kind, on);
        row.root.setAttribute("aria-pressed", level === value);
        row.root.setAttribute("aria-label", `${variables[i].name} ${label(i, level)}: ${share}${before}`);
      });
      average.textContent = Array.isArray(value) ? spoken(i, value) : possible && means ? `mean ${short(mean(i, shares))}` : "";
      curve?.draw(shares, value);
    }
    const chip = ([i, value]) => make("button", { "aria-label": `forget ${named([i, value])}`, onclick: () => set(i, null) }, `${variables[i].name} `, make("b", {}, spoken(i, value)));
    document.querySelector("#evidence").replaceChildren(...[...evidence].map((piece) => make("li", {}, chip(piece))));
    document.querySelector("#clear").disabled = !evidence.size;
    document.querySelector("#best").setAttribute("aria-pressed", marking);
    document.querySelector("#probability").textContent = evidence.size ? `Probability of this evidence: ${possible ? chance(now.probability) : "0"}` : "No evidence yet: the probabilities before anything is known.";
    warn();
    panel();
  }
  const mean = (i, shares) => variables[i].means.reduce((sum, each, level) => sum + each * shares[level], 0);

  function warn() {
    const place = document.querySelector("#conflict");
    place.hidden = now.posteriors !== null && !now.problem;
    if (now.problem) place.replaceChildren(now.posteriors ? `By ${Inference.SAMPLES.toLocaleString("en")} weighted samples, standard error ${percent(now.error)}: ${now.problem}.` : `None of ${Inference.SAMPLES.toLocaleString("en")} samples has this evidence.`);
    else if (!now.posteriors) {
      const pieces = [...engine.conflict(given()).keys()].map((i) => [i, evidence.get(i)]), [i] = pieces.at(-1);
      const forget = make("button", { class: "link", onclick: () => set(i, null) }, `Forget ${named(pieces.at(-1))}`);
      place.replaceChildren(`${listed(pieces.map(named))} ${pieces.length > 1 ? "cannot occur together" : "never occurs"} in this network. `, forget);
    }
  }

  // The panel beside the network.
  function panel() {
    const chosen = selected !== null;
    cards.forEach(({ root }, i) => root.classList.toggle("selected", i === selected));
    stage.classList.toggle("chosen", chosen);
    arcs.forEach(({ from, to }, k) => drawn[k].classList.toggle("near", [from, to].includes(selected)));
    details.hidden = !chosen && !marking;
    guide.hidden = !details.hidden;
    aside.classList.toggle("closed", details.hidden && !guide.classList.contains("asked"));
    details.replaceChildren(...(chosen ? about(selected) : marking ? explanation() : []));
  }
  const heading = (text, close) => make("h2", {}, text, make("button", { class: "close", "aria-label": "close", onclick: close }, "×"));
  const link = (i) => make("button", { class: "link", onclick: () => select(i) }, variables[i].name);

  function about(i) {
    const { name, states, parents, thresholds, range } = variables[i], shares = now.posteriors?.[i];
    const children = order.filter((j) => variables[j].parents.includes(i)), known = evidence.get(i), size = `${states.length} ${states.length > 1 ? "levels" : "level"}`;
    const parts = [heading(name, () => select(null)), make("p", { class: "soft" }, range ? `${short(range[0])} to ${short(range[1])} in the data, ${size}` : size)];
    if (known !== undefined) parts.push(make("p", {}, `Known: ${spoken(i, known)}. `, make("button", { class: "link", onclick: () => set(i, null) }, "Forget")));
    if (range) parts.push(setter(i));
    if (range && shares && !Array.isArray(known)) parts.push(make("p", {}, `Expected value ${short(mean(i, shares))}${evidence.size ? `, before evidence ${short(mean(i, prior[i]))}` : ""}.`));
    for (const [title, others] of [["Parents", parents], ["Children", children]]) {
      const ties = others.map((j) => [j, arcs.find(({ from, to }) => (from === i && to === j) || (from === j && to === i))]);
      const notes = ({ to, settled, either, required, confidence, direction }) => `${[variables[to].kind, required ? "required" : settled ? "" : either ? "may point either way" : "direction open"].filter(Boolean).join(", ")}${votes(confidence, direction)}`;
      if (ties.length) parts.push(make("h3", {}, title), make("ul", {}, ...ties.map(([j, arc]) => make("li", {}, link(j), make("span", { class: "soft" }, ` ${notes(arc)}`)))));
    }
    if (thresholds?.length) parts.push(make("h3", {}, "Thresholds"), make("p", {}, variables[i].labels.slice(1).map((text) => text.replace("≥ ", "").split(" to ")[0]).join(", ")));
    return [...parts, table(i)];
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
      const heads = [...parents.map((j) => variables[j].name), ...states.map((_, level) => label(i, level).replace(/(to|[<≥]) /, "$1\u00a0"))].map((text) => make("th", { scope: "col" }, text));
      const body = make("tbody", {}, ...Array.from({ length: Math.min(count, ROWS) }, (_, k) => row(k)));
      fold.append(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `probabilities of ${variables[i].name}` }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body)));
      fold.append(make("p", { class: "soft" }, count > ROWS ? `In percent; the first ${ROWS} of ${count} rows.` : "In percent."));
    };
    fold.addEventListener("toggle", fill);
    fill();
    return fold;
  }
  function explanation() {
    const title = heading("Most probable explanation", mark);
    if (!best) return [title, make("p", { class: "soft" }, "Nothing agrees with this evidence.")];
    const rows = order.map((i) => make("tr", {}, make("th", { scope: "row" }, link(i)), make("td", { class: evidence.has(i) && "known" }, label(i, best.levels[i]))));
    const text = `The levels of all variables that are most probable together${evidence.size ? " given the evidence" : ""}: ${chance(Math.exp(best.log - now.log))}. A single variable may have another most probable level.`;
    return [title, make("p", { class: "soft" }, text), make("table", { class: "case" }, ...rows)];
  }
  function mark() {
    marking = !marking;
    if (marking) select(null);
    update();
  }

  // Size and place of what is seen.
  function resize(size) {
    const middle = [(main.scrollLeft + main.clientWidth / 2) / zoom, (main.scrollTop + main.clientHeight / 2) / zoom];
    stage.style.zoom = zoom = Math.min(Math.max(size, 0.2), 2);
    main.scrollTo(middle[0] * zoom - main.clientWidth / 2, middle[1] * zoom - main.clientHeight / 2);
  }
  function fit() {
    const [across, down] = [main.clientWidth / parseFloat(stage.style.width), main.clientHeight / parseFloat(stage.style.height)], all = Math.min(across, down);
    resize(Math.min(1, all > 0.6 ? all : Math.max(across, 0.5))); // all where that is readable, otherwise the width
    main.scrollTo((main.scrollWidth - main.clientWidth) / 2, 0);
  }
  function drag(event) {
    if (phone.matches || event.button || event.pointerType === "touch" || event.target.closest(".card")) return;
    const start = [event.clientX + main.scrollLeft, event.clientY + main.scrollTop], pull = (moved) => main.scrollTo(start[0] - moved.clientX, start[1] - moved.clientY);
    addEventListener("pointermove", pull);
    addEventListener("pointerup", () => removeEventListener("pointermove", pull), { once: true });
  }

  document.querySelector("#clear").onclick = () => (evidence.clear(), changed());
  document.querySelector("#best").onclick = mark;
  document.querySelector("#help").onclick = () => (select(null), guide.classList.add("asked"), panel());
  guide.querySelector(".close").onclick = () => select(null);
  const [smaller, whole, larger] = document.querySelectorAll(".zoom button");
  [smaller.onclick, whole.onclick, larger.onclick] = [() => resize(zoom / 1.2), fit, () => resize(zoom * 1.2)];
  main.addEventListener("pointerdown", drag);
  addEventListener("keydown", ({ key }) => key === "Escape" && select(null));
  for (const kind of ["popstate", "hashchange"]) addEventListener(kind, read);
  addEventListener("beforeprint", () => (stage.style.zoom = Math.min(1, 1020 / parseFloat(stage.style.width), 620 / parseFloat(stage.style.height)))); // A4 across
  addEventListener("afterprint", () => resize(zoom));
  read();
  fit();
  if (selected !== null) select(selected);
})();
