"use strict";
// The page of a fitted network: cards of variables, evidence, what follows from it, and the details of one variable.
(() => {
  const { variables, arcs, views, votes } = JSON.parse(document.getElementById("model").textContent);
  const engine = new Inference(variables.map(({ states, parents, table }) => ({ levels: states.length, parents, table })));
  const [stage, main, details, guide, aside] = ["#stage", "main", "#details", "#guide", "aside"].map((name) => document.querySelector(name));
  const LONG = 8, ROWS = 400, FOLDED = 24; // levels of a card, the last of them "+ more"; rows of a table, those shown at once
  const HIGH = 30; // units of a curve
  const phone = matchMedia("screen and (max-width: 760px)");
  const evidence = new Map(); // variable -> level, or [from, to] of a range of values
  const order = parentsFirst();
  let [selected, target, mode, least] = [null, null, "", 0]; // mode: what the panel shows where no variable is selected
  let [view, zoom, pinned] = ["", 1, null]; // pinned: evidence to compare with, and what follows from it
  const prior = ask(evidence).posteriors ?? variables.map(({ states }) => states.map(() => 0));
  let now;

  // Texts.
  const label = (i, level) => (variables[i].labels ?? variables[i].states)[level];
  const short = (number) => String(Number(number.toPrecision(4)));
  const spoken = (i, value) => (typeof value === "number" ? label(i, value) : `${short(value[0])} to ${short(value[1])}`);
  const mostOf = (i, shares) => (([level]) => `${label(i, level)} ${percent(shares[level])}`)([shares.indexOf(Math.max(...shares))]);
  const named = ([i, value]) => `${variables[i].name} ${variables[i].labels ? "" : "= "}${spoken(i, value)}`;
  const listed = (items) => (items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${items.at(-1)}` : `${items[0]}`);
  function percent(p) {
    if (p <= 0 || p >= 1) return p <= 0 ? "0%" : "100%";
    if (p < 0.0005 || p > 0.9995) return p < 0.5 ? "<0.1%" : ">99.9%";
    return `${(100 * p).toFixed(1)}%`;
  }
  const chance = (p) => (p >= 0.2 ? percent(p) : `${p < 0.0005 ? p.toExponential(1) : percent(p)}, 1 in ${Number((1 / p).toPrecision(2)).toLocaleString("en")}`);

  /** A share of searches or resamples as counted, a posterior probability as such. */
  function sure(p, brief) {
    if (votes?.of === "draws") return `P ${p > 0.995 ? "> .99" : p < 0.005 ? "< .01" : `= ${p.toFixed(2).slice(1)}`}`;
    const count = p * votes?.graphs, whole = Math.abs(count - Math.round(count)) < 0.01 * votes?.graphs;
    return whole ? `${Math.round(count)} of ${votes.graphs}${brief ? "" : ` ${votes.of}`}` : percent(p);
  }
  const counted = (confidence, direction) => (confidence === undefined ? "" : `; ${sure(confidence)}, directed so ${sure(direction, true)}`);

  function make(tag, attributes = {}, ...children) {
    const svg = ["svg", "path", "g", "title", "rect", "text"].includes(tag);
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
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
    const { settled, confidence } = arc, width = confidence === undefined ? 1.5 : 0.75 + 3.25 * confidence, open = settled ? "" : " open";
    return make("g", {}, make("path", { class: `arc${open}`, "stroke-width": width }, make("title", {}, told(arc))), make("path", { class: `head${open}` }));
  });
  stage.querySelector("#arcs").append(...drawn);

  function told({ from, to, settled, either, required, confidence, direction }) {
    const way = required ? ", required beforehand" : settled ? "" : either ? ", or the other way, which fits as well" : ", with few votes for this direction";
    return `${variables[from].name} to ${variables[to].name}, by a ${variables[to].kind}${way}${counted(confidence, direction)}`;
  }

  function card(i) {
    const { name, states, parents, kind, range } = variables[i], from = parents.length ? `${kind} of ${listed(parents.map((j) => variables[j].name))}` : "";
    const rows = states.map((_, level) => {
      const parts = { bar: make("i"), before: make("u", { style: `left:${100 * prior[i][level]}%` }), number: make("span", { class: "number" }) };
      const root = make("button", { class: "level", tabindex: -1, onclick: () => set(i, level), onkeydown: (event) => move(event, i, level) });
      const before = make("span", { class: "aloud" });
      root.append(make("span", { title: label(i, level) }, label(i, level)), make("span", { class: "track" }, parts.bar, parts.before), parts.number, before);
      return { root, ...parts, aloud: before };
    });
    const average = make("span", { class: "mean" }), most = make("span", { class: "most" }), curve = range && range[1] > range[0] ? strip(i, rows) : null;
    const tail = name.length > 12 ? name.slice(-5) : "", head = make("span", {}, name.slice(0, name.length - tail.length)); // a name too long loses its middle
    const title = make("button", { title: name, onclick: () => select(i), onkeydown: (event) => move(event, i, -1) }, head, tail && make("span", {}, tail));
    const more = states.length > LONG ? make("li", { class: "more" }, make("button", { tabindex: -1, onclick: () => unfold(i) }, `+ ${states.length - LONG + 1} more`)) : null;
    const list = make("ul", { class: states.length > LONG ? "levels long" : "levels" }, ...rows.map(({ root }) => make("li", {}, root)), more);
    const about = { class: "card", "aria-label": `${name}, ${states.length} ${states.length > 1 ? "levels" : "level"}${from && `, ${from}`}` };
    const root = make("article", about, make("h2", {}, title, average, most), make("p", { class: "from" }, from), curve?.root, curve?.axis, list);
    return { root, rows, average, most, curve, name: title };
  }
  const unfold = (i) => cards.get(i).root.classList.add("open");

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
  const written = (known) => new URLSearchParams([...known].map(([i, value]) => [variables[i].name, Array.isArray(value) ? value.map((end) => end.toPrecision(6)).join("..") : variables[i].states[value]]));
  function keep(way) {
    if (location.protocol === "about:") return; // inside another page
    const parts = written(evidence);
    if (selected !== null) parts.append("", variables[selected].name);
    const text = `${parts}${pinned ? `|${written(pinned.evidence)}` : ""}`;
    history[way](null, "", text ? `#${text}` : location.pathname + location.search);
  }
  function read() {
    const [present, other] = location.hash.slice(1).split("|");
    selected = null;
    pin(other === undefined ? null : (take(other), new Map(evidence)));
    take(present);
    update();
  }
  function take(text) {
    evidence.clear();
    for (const [name, value] of new URLSearchParams(text)) {
      const i = variables.findIndex((variable) => variable.name === (name || value)), level = variables[i]?.states.indexOf(value) ?? -1;
      if (i < 0) continue;
      if (!name) selected = i;
      else if (level >= 0) evidence.set(i, level);
      else if (variables[i].range) between(i, ...value.split("..").map(Number));
    }
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
  /** Arrows: from a name (level -1) to the levels of a card, and to other variables. */
  function move(event, i, level) {
    const [across, down] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key] ?? [0, 0], listed = phone.matches;
    if (event.key === "Delete" && evidence.has(i)) set(i, null);
    if (!across && !down) return;
    event.preventDefault();
    const other = view !== "cards" && !listed ? beside(i, across, down) : across ? order[clamp(order.indexOf(i) + across, 0, order.length - 1)] : i;
    const { rows, name } = cards.get(other), next = clamp(other === i ? level + down : level, -1, view === "cards" || listed ? rows.length - 1 : -1);
    if (next >= LONG - 1) unfold(other);
    (rows[next]?.root ?? name).focus();
  }

  // What changes with the evidence.
  let best = null;
  function update() {
    now = ask(given());
    const marks = pinned ? pinned.posteriors : prior;
    const possible = now.posteriors !== null;
    best = mode === "best" && possible && !now.problem ? engine.mostProbable(given()) : null;
    stage.classList.toggle("given", Boolean(marks) && (pinned !== null || evidence.size > 0));
    for (const [i, { root, rows, average, most: likely, curve }] of cards) {
      const shares = now.posteriors?.[i] ?? rows.map(() => 0), most = shares.indexOf(Math.max(...shares)), value = evidence.get(i), { means } = variables[i];
      root.classList.toggle("known", value !== undefined);
      rows.forEach((row, level) => {
        const share = possible ? percent(shares[level]) : "–";
        row.before.style.left = `${100 * (marks?.[i][level] ?? 0)}%`;
        row.aloud.textContent = pinned ? `, under A ${marks ? percent(marks[i][level]) : "impossible"}` : evidence.size ? `, before evidence ${percent(prior[i][level])}` : "";
        row.bar.style.width = `${100 * shares[level]}%`;
        row.number.textContent = share;
        for (const [kind, on] of Object.entries({ set: level === value, top: possible && level === most, likely: best?.levels[i] === level })) row.root.classList.toggle(kind, on);
        row.root.setAttribute("aria-pressed", level === value);
      });
      if (value >= LONG - 1) unfold(i);
      likely.textContent = means || !possible ? "" : mostOf(i, shares);
      average.textContent = Array.isArray(value) ? spoken(i, value) : possible && means ? `mean ${short(mean(i, shares))}` : "";
      curve?.draw(shares, value);
    }
    const chip = ([i, value]) => make("button", { title: "forget", onclick: () => set(i, null) }, `${variables[i].name} `, make("b", {}, spoken(i, value)));
    document.querySelector("#evidence").replaceChildren(...[...evidence].map((piece) => make("li", {}, chip(piece))));
    document.querySelector("#clear").disabled = !evidence.size;
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

{% include "panel.js" %}

{% include "views.js" %}

{% include "picture.js" %}

  document.querySelector("#clear").onclick = () => (evidence.clear(), changed());
  document.querySelector("#best").onclick = () => turn("best");
  document.querySelector("#edges").onclick = () => turn("edges");
  document.querySelector("#compare").onclick = compareCases;
  document.querySelector("#help").onclick = () => (select(null), guide.classList.add("asked"), panel());
  guide.querySelector(".close").onclick = () => select(null);
  const [smaller, all, larger] = tools("size"), [asSvg, asPng] = tools("save");
  [smaller.onclick, all.onclick, larger.onclick] = [() => magnify(1 / 1.25), fit, () => magnify(1.25)];
  [asSvg.onclick, asPng.onclick] = [() => download(svg(), "svg"), async () => download(await png(), "png")];
  tools("views").forEach((button, k) => (button.onclick = () => (show(KINDS[k], Math.max(Math.min(whole(KINDS[k]), 1), SCALES[KINDS[k]][0])), panel())));
  main.addEventListener("wheel", (event) => event.ctrlKey && (event.preventDefault(), magnify(Math.exp(-event.deltaY / 200), [event.clientX, event.clientY])), { passive: false });
  main.addEventListener("pointerdown", drag);
  addEventListener("keydown", ({ key }) => key === "Escape" && select(null));
  for (const kind of ["popstate", "hashchange"]) addEventListener(kind, read);
  addEventListener("beforeprint", () => (stage.style.zoom = Math.min(1, 1020 / views[view].size[0], 620 / views[view].size[1]))); // A4 across
  addEventListener("afterprint", () => show(view, zoom));
  stage.style.setProperty("--letter", variables.length > MANY ? 9 : 12);
  stage.classList.toggle("folded", variables.length >= FEW);
  place(phone.matches || variables.length < FEW ? "cards" : "names");
  read();
  new ResizeObserver(() => (phone.matches ? place("cards") : fitted && fit())).observe(main);
  if (!phone.matches) fit();
  if (selected !== null) select(selected);
})();
