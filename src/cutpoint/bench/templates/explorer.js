// The explorer: runs chosen by the reader; means, intervals and ties by the rules of docs/statistics.md.
const FEWEST = 3, LEVEL = 0.95, SAME = 1e-10;
// Student's t, by the continued fraction of the incomplete beta function (Press et al. 2007, section 6.4)
const logGamma = (x) => {
  const c = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.001208650973866179, -0.000005395239384953];
  const t = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  return -t + Math.log((2.5066282746310005 * c.reduce((sum, each, i) => sum + each / (x + 1 + i), 1.000000000190015)) / x);
};
const fraction = (a, b, x) => {
  const tiny = 1e-300, keep = (y) => (Math.abs(y) < tiny ? tiny : y);
  let c = 1, d = 1 / keep(1 - ((a + b) * x) / (a + 1)), h = d;
  for (let m = 1; m < 500; m++) {
    let e = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keep(1 + e * d); c = keep(1 + e / c); h *= d * c;
    e = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keep(1 + e * d); c = keep(1 + e / c); h *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return h;
};
const beta = (a, b, x) => {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(a, b, x)) / a : 1 - (front * fraction(b, a, 1 - x)) / b;
};
const tail = (t, df) => { const p = beta(df / 2, 0.5, df / (df + t * t)) / 2; return t < 0 ? p : 1 - p; }; // P(T < t)
const quantile = (p, df) => {
  let low = 0, high = 1;
  while (tail(high, df) < p) high *= 2;
  for (let k = 0; k < 80; k++) { const middle = (low + high) / 2; if (tail(middle, df) < p) low = middle; else high = middle; }
  return (low + high) / 2;
};
// Rows of a number: in the sample, then without each unit (a replicate of a block); NaN says that it has no such unit.
const estimate = (rows, units) => {
  const value = rows[0], squares = new Map();
  units.forEach((unit, u) => {
    let moved = rows[u + 1] - value;
    if (Number.isNaN(moved)) return;
    if (Math.abs(moved) <= SAME * Math.max(Math.abs(value), 1)) moved = 0;
    const sum = squares.get(unit.block) ?? { count: 0, square: 0 };
    sum.count += 1; sum.square += moved * moved;
    squares.set(unit.block, sum);
  });
  let total = 0, weight = 0, fewest = Infinity;
  for (const { count, square } of squares.values()) {
    fewest = Math.min(fewest, count);
    const variance = count > 1 ? (square * (count - 1)) / count : square === 0 ? 0 : NaN;
    total += variance; weight += variance ** 2 / Math.max(count - 1, 1);
  }
  return { value, error: squares.size ? Math.sqrt(total) : NaN, freedom: total ** 2 / weight, fewest: squares.size ? fewest : 0 };
};
const interval = ({ value, error, freedom }) => {
  const reach = error > 0 ? quantile((1 + LEVEL) / 2, freedom) * error : NaN;
  return [value - reach, value + reach];
};
const above = ({ value, error, freedom, fewest }) => { // p value of "the true value is at or above 0"
  if (error > 0) return tail(value / error, freedom);
  if (error !== 0) return NaN;
  if (Math.abs(value) <= SAME) return 0.5;
  return value < 0 ? 0.5 ** fewest : 1 - 0.5 ** fewest;
};
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
// What the chosen runs say of each method: rows of its number over the chosen cells, relative to a reference or not. Seconds,
// and ratios to a reference, are compared by their logarithms.
const compare = (study, measure, cells, relative) => {
  const [, higher, scale, name] = measure, chosen = new Map(cells.map((cell, i) => [cell, i]));
  const data = study.methods.map(() => cells.map(() => new Map()));
  const { cell, replicate, method } = study.runs, units = new Map(), ran = new Set();
  for (let i = 0; i < cell.length; i++) {
    const c = chosen.get(cell[i]), x = study.runs[name][i];
    if (c === undefined) continue;
    ran.add(method[i]);
    if (x === null) continue;
    data[method[i]][c].set(replicate[i], x / scale);
    const block = study.cells[cell[i]][4];
    units.set(block + " " + replicate[i], { block, replicate: replicate[i] });
  }
  const list = [...units.values()], log = name === "seconds" || (relative && name.startsWith("shd"));
  const without = (runs, unit, block) => {
    const left = unit !== null && unit.block === block;
    if (left && !runs.has(unit.replicate)) return NaN; // no such unit
    const kept = left ? [...runs].filter(([r]) => r !== unit.replicate) : [...runs];
    return kept.length ? mean(kept.map(([, x]) => x)) : NaN;
  };
  const raised = (x, runs) => (log && x === 0 ? 0.5 / scale / Math.max(runs.size, 1) : x); // no logarithm: half a count in one replicate
  const means = [null, ...list].map((unit) => data.map((row) => row.map((runs, c) => raised(without(runs, unit, study.cells[cells[c]][4]), runs))));
  const scaled = means.map((table) => table.map((row) => row.map((x, c) => {
    const y = log ? Math.log(x) : x, base = relative ? table[study.reference][c] : null;
    return relative ? y - (log ? Math.log(base) : base) : y;
  })));
  const there = scaled[0].map((row) => row.map(Number.isFinite));
  const numbers = scaled.map((table) => table.map((row, m) => {
    const kept = row.filter((_, c) => there[m][c]);
    return kept.length ? mean(kept) : NaN;
  }));
  const whole = there.map((row) => row.every(Boolean) && row.length > 0);
  const replicates = Math.min(...cells.map((_, c) => Math.max(...data.map((row) => row[c].size))));
  return { numbers, units: list, there: scaled[0], whole, log, higher, replicates, ran };
};
// Methods that no other one beats: paired differences at 5 % for all comparisons of a method (Bonferroni).
const winners = ({ numbers, units, whole, higher }) => {
  const sign = higher ? -1 : 1, all = whole.map((good, m) => (good ? m : -1)).filter((m) => m >= 0);
  const comparisons = Math.max(all.length - 1, 1);
  return all.filter((m) => !all.some((k) => {
    const apart = above(estimate(numbers.map((row) => sign * (row[m] - row[k])), units));
    return sign * numbers[0][k] < sign * numbers[0][m] && 2 * comparisons * Math.min(apart, 1 - apart) < 1 - LEVEL;
  }));
};
const listed = (names) => { // names with commas of their own are set apart by semicolons
  const comma = names.some((name) => name.includes(",")) ? "; " : ", ";
  return names.length < 2 ? names.join("") : names.slice(0, -1).join(comma) + (comma === "; " ? "; and " : " and ") + names.at(-1);
};
const shortened = (names) => (names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names);
const short = (x) => (Number.isFinite(x) ? (Math.abs(x) >= 100 ? x.toFixed(0) : String(+x.toPrecision(3))) : "");
// Numbers with the decimals that give the largest of them three digits, at most five
const decimals = (x) => Math.min(5, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(x) || 1))));
const fixed = (x, places) => { const text = x.toFixed(places); return Number(text) === 0 ? text.replace("-", "") : text; };
// What a measure can be: shares lie from 0 to 1 and their differences from -1 to 1, SHDs are not below 0, ratios are bounded by nothing here.
const possible = (name, relative, log) => {
  if (log) return [-Infinity, Infinity];
  return name === "loss" || name.startsWith("shd") ? [relative ? -Infinity : 0, Infinity] : [relative ? -1 : 0, 1];
};

// At most about so many round numbers between two others; on an axis of logarithms powers of ten where these are far apart.
const round = (low, high, most, log) => {
  if (log && high / low > 20) {
    const decades = Math.log10(high / low), step = Math.ceil(decades / most), few = decades > most / 2;
    const powers = Array.from({ length: 41 }, (_, k) => k - 20).filter((k) => k % step === 0).map((k) => 10 ** k);
    return powers.flatMap((p) => (few ? [p] : [p, 3 * p])).filter((x) => x >= low && x <= high);
  }
  const rough = (high - low || 1) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= rough * 0.999);
  return Array.from({ length: 4 * most }, (_, k) => (Math.ceil(low / step) + k) * step).filter((x) => x <= high + step / 1e6);
};
// Width of a text in pixels, and the text with as many of its letters as there is room for
const pen = document.createElement("canvas").getContext("2d");
const width = (text, font) => { pen.font = font; return pen.measureText(text).width; };
const fitted = (text, room, font) => {
  let kept = text;
  while (kept && width(kept === text ? text : kept + "…", font) > room) kept = kept.slice(0, -1);
  return kept === text ? text : kept + "…";
};
const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
};

// What is concluded on the rows that are shown, of which the best are beaten by no other one
const concluded = (rows, best, { whole, replicates }, measure, group, unit) => {
  const compared = rows.filter((row) => whole[row.m]), names = compared.filter((row) => best.includes(row.m)).map((row) => row.label);
  if (!rows.length) return `None${group || " of the methods"} has a value.`;
  if (replicates < FEWEST) return `Preview: nothing is concluded from fewer than ${FEWEST} ${unit}.`;
  if (compared.length < 2) return `Fewer than two${group || " methods"} have a value in every setting, so none are compared.`;
  const first = `Best by ${measure}: ${listed(shortened(names))}`;
  return names.length === 1 ? `${first}. Each other one shown is beaten by at least one.` : `${first} (not distinguishable with ${replicates} ${unit}).`;
};
const missing = (names) => (names.length ? ` Not compared, as a value is missing in some setting: ${listed(shortened(names))}.` : "");

const explore = async () => {
  const box = document.getElementById("explorer"), store = document.getElementById("explorer-data");
  if (!box || !store) return;
  const data = await unpacked(store.textContent);
  for (const study of data.studies) {
    for (const key of ["cell", "replicate", "method"]) { let sum = 0; study.runs[key] = study.runs[key].map((step) => (sum += step)); }
  }
  const form = box.querySelector("form"), picture = box.querySelector("svg"), said = box.querySelector("output");
  const start = { study: data.studies[0].name, measure: "shd_standard", network: "all", n: "all", made: "", family: "all", relative: "yes" };
  const state = { ...start };
  const here = () => data.studies.find((study) => study.name === state.study) ?? data.studies[0];
  const named = (cell) => cell[0] + ": " + cell[3];
  const each_of = (values) => { const list = [...new Set(values)]; return [...(list.length > 1 ? [["all", "all"]] : []), ...list.map((one) => [String(one), String(one)])]; };
  const choices = {
    study: () => ["study", data.studies.map((study) => [study.name, study.name])],
    made: () => ["data (grid: noise or mechanism)", [...new Set(here().cells.map(named))].map((each) => [each, each])],
    network: () => ["network", each_of(here().cells.filter((c) => named(c) === state.made).map((c) => c[1]))],
    n: () => ["records", each_of(here().cells.filter((c) => named(c) === state.made).map((c) => c[2]).sort((a, b) => a - b))],
    measure: () => ["measure", data.measures.filter((each) => here().runs[each[3]]).map((each) => [each[3], each[0]])],
    family: () => ["methods", each_of(here().methods.map((each) => each[1]))],
    relative: () => ["shown", here().reference === null ? [["no", "as measured"]] : [["yes", "relative to " + here().methods[here().reference][0]], ["no", "as measured"]]],
  };
  const draw = () => {
    const study = here(), measure = data.measures.find((each) => each[3] === state.measure) ?? data.measures[0];
    const cells = study.cells.map((_, i) => i).filter((i) => {
      const c = study.cells[i];
      return named(c) === state.made && (state.network === "all" || c[1] === state.network) && (state.n === "all" || String(c[2]) === state.n);
    });
    const relative = state.relative === "yes" && study.reference !== null;
    const found = compare(study, measure, cells, relative), back = found.log ? Math.exp : (x) => x;
    const asked = study.methods.map((each, m) => m).filter((m) => found.ran.has(m) && (state.family === "all" || study.methods[m][1] === state.family));
    const shown = asked.filter((m) => Number.isFinite(found.numbers[0][m]));
    found.whole = found.whole.map((good, m) => good && shown.includes(m));
    const best = found.replicates < FEWEST ? [] : winners(found);
    const rows = shown.map((m) => {
      const [least, most] = possible(measure[3], relative, found.log), ends = interval(estimate(found.numbers.map((row) => row[m]), found.units));
      const [low, high] = ends.map((end) => Math.min(Math.max(end, least), most));
      return { m, label: study.methods[m][0], family: study.methods[m][1], value: found.numbers[0][m], low, high, cells: found.there[m].filter(Number.isFinite) };
    }).sort((a, b) => (found.higher ? b.value - a.value : a.value - b.value));
    const empty = measure[3] === "loss" && !relative; // a graph without edges has an SHD of 1 per true edge
    const inside = rows.flatMap((row) => [...row.cells, row.low, row.high, empty ? 1 : NaN]).filter(Number.isFinite);
    const left = Math.min(...inside), right = Math.max(...inside), all = Math.min(box.clientWidth || 790, 860), narrow = all < 600, step = narrow ? 40 : 20;
    const digits = (value) => short(back(value)), names = getComputedStyle(picture).getPropertyValue("--name"), numbers = getComputedStyle(picture).getPropertyValue("--number");
    const widest = Math.max(...rows.map((row) => Math.abs(back(row.value))));
    const said_of = (row) => {
      const places = decimals(measure[3] === "seconds" ? back(row.value) : widest), say = (value) => fixed(back(value), places);
      return say(row.value) + (Number.isFinite(row.low) ? ` [${say(row.low)}, ${say(row.high)}]` : "");
    };
    const beside = rows.map(said_of), room = Math.max(0, ...beside.map((each) => width(each, numbers))) + 16;
    // On a telephone a name and its numbers stand above their row, else at its sides.
    const left_x = narrow ? 20 : Math.min(Math.max(0, ...rows.map((row) => width(row.label, names))) + 18, 0.4 * all);
    const wide = narrow ? all - 40 : all - left_x - room;
    const name_at = narrow ? 'x="0" text-anchor="start"' : `x="${left_x - 12}" text-anchor="end"`;
    const number_at = narrow ? `x="${all}" text-anchor="end"` : `x="${left_x + wide + 12}"`;
    const x = (value) => left_x + ((Math.max(left, Math.min(right, value)) - left) / (right - left || 1)) * wide;
    const ticks = round(back(left), back(right), narrow ? 3 : 6, found.log).map((t) => (found.log ? Math.log(t) : t));
    const text = (content) => content.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    const foot = rows.length * step + 12, above = empty ? 14 : 0;
    picture.setAttribute("width", all); picture.setAttribute("height", foot + above + 40);
    picture.setAttribute("viewBox", `0 ${-above} ${all} ${foot + above + 40}`);
    const line = empty ? `<line class="empty" x1="${x(1)}" x2="${x(1)}" y1="4" y2="${foot}"/><text class="quiet" text-anchor="${x(1) > left_x + wide / 2 ? "end" : "start"}" x="${x(1)}" y="0">empty graph</text>` : "";
    const axis = measure[0] + (relative ? (found.log ? " over that of " : " less that of ") + study.methods[study.reference][0] : found.log ? ", geometric mean" : "");
    picture.innerHTML = ticks.map((t) => `<line class="grid" x1="${x(t)}" x2="${x(t)}" y1="4" y2="${foot}"/><text class="quiet" text-anchor="middle" x="${x(t)}" y="${foot + 15}">${digits(t)}</text>`).join("") + line +
      rows.map((row, i) => {
        const y = (narrow ? 30 : 16) + i * step, beside_y = narrow ? y - 12 : y + 4, name = narrow ? fitted(row.label, all - room, names) : fitted(row.label, left_x - 14, names);
        const span = Number.isFinite(row.low) ? `<line class="span" x1="${x(row.low)}" x2="${x(row.high)}" y1="${y}" y2="${y}"/>` : "";
        const label = `${row.label}: ${said_of(row)}`;
        return `<g class="${row.family}"><text ${name_at} y="${beside_y}"${best.includes(row.m) ? ' class="won"' : ""}>${text(name)}<title>${text(label)}</title></text>` +
          row.cells.slice(0, 80).map((value) => `<circle class="dot" cx="${x(value)}" cy="${y}" r="3"/>`).join("") +
          `${span}<circle cx="${x(row.value)}" cy="${y}" r="5"/><text class="quiet" ${number_at} y="${beside_y}">${text(beside[i])}</text></g>`;
      }).join("") + `<text class="quiet" text-anchor="middle" x="${left_x + wide / 2}" y="${foot + 33}">${text(fitted(axis, narrow ? all : all - left_x, numbers))}</text>`;
    const group = state.family === "all" ? "" : ` of the ${state.family} methods`;
    const where = [state.study, state.made, state.network === "all" ? "all networks" : state.network, state.n === "all" ? "all sizes" : state.n + " records",
      (state.family === "all" ? "all methods" : state.family + " methods") , relative ? "relative to " + study.methods[study.reference][0] : "as measured", "intervals over " + study.unit].join("; ");
    said.textContent = `${where}. ${concluded(rows, best, found, measure[0], group, study.unit)}${missing(asked.filter((m) => !found.whole[m]).map((m) => study.methods[m][0]))}`;
    picture.setAttribute("aria-label", rows.map((row) => `${row.label} ${digits(row.value)}`).join("; "));
    box.dataset.rows = JSON.stringify(rows.map((row) => [row.label, back(row.value), back(row.low), back(row.high), best.includes(row.m)]));
  };
  const build = () => {
    form.replaceChildren();
    for (const [key, make] of Object.entries(choices)) {
      const [title, options] = make();
      if (!options.some(([value]) => value === state[key])) state[key] = options[0][0];
      const label = document.createElement("label"), select = document.createElement("select");
      select.name = key;
      for (const [value, shown] of options) select.add(new Option(shown, value, false, value === state[key]));
      select.addEventListener("change", () => {
        Object.assign(state, key === "study" ? start : {}, { [key]: select.value }); // another study, as at the start
        build(); // which puts right what is no longer there
        history.pushState(null, "", "#explore?" + new URLSearchParams(state));
        form.querySelector(`[name=${key}]`).focus();
      });
      label.append(title + " ", select);
      form.append(label);
    }
    draw();
  };
  const read = () => { // no address: as at the start
    const asked = location.hash.startsWith("#explore?");
    if (!asked && location.hash) return;
    Object.assign(state, start);
    for (const [key, value] of new URLSearchParams(asked ? location.hash.slice(9) : "")) if (key in state) state[key] = value;
    if (asked) box.scrollIntoView();
    build();
  };
  box.hidden = false;
  build();
  if (location.hash) read();
  open(); // what the address names has moved
  addEventListener("hashchange", read);
  addEventListener("resize", draw);
};
explore();
