"use strict";
// Tables sort by a click on a heading and filter by text; figures enlarge. Without scripts all is shown as it is.
const key = (row, column) => {
  const cell = row.cells[column];
  const text = (cell.dataset.sort ?? cell.firstChild?.textContent ?? "").trim();
  const number = /^[-+−]?[\d.]/.test(text) ? parseFloat(text.replace("−", "-").replace(/(\d),(?=\d{3})/g, "$1")) : NaN;
  return { text, number };
};
const compare = (a, b) => {
  if (!Number.isNaN(a.number) && !Number.isNaN(b.number)) return a.number - b.number;
  if (Number.isNaN(a.number) !== Number.isNaN(b.number)) return Number.isNaN(a.number) ? 1 : -1;
  return a.text.localeCompare(b.text);
};
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], headings = [...table.tHead.rows[0].cells];
  if (!body || body.rows.length < 3) continue;
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = column ? -1 : 0; // one stop for each table; arrows lead to its other headings
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      headings[column + step]?.querySelector("button").focus();
    });
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => ({ row, key: key(row, column) }));
      const missing = (each) => /^($|not available|does not apply)/.test(each.key.text);
      rows.sort((a, b) => missing(a) - missing(b) || (down ? -1 : 1) * compare(a.key, b.key));
      body.append(...rows.map((each) => each.row));
      body.querySelectorAll("tr.first").forEach((row) => row.classList.remove("first"));
    });
  });
  const group = table.closest(".panels"), bodies = group ? [...group.querySelectorAll("tbody")] : [body];
  if (body.rows.length < 10 || bodies[0] !== body) continue; // one box for all panels of a table
  const box = document.createElement("input");
  box.type = "search";
  box.className = "filter";
  box.placeholder = "show rows with …";
  box.setAttribute("aria-label", "show rows with this text");
  box.addEventListener("input", () => {
    const wanted = box.value.toLowerCase();
    for (const row of bodies.flatMap((each) => [...each.rows])) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  (group ?? table).before(box);
}
// A box can be reached by the keyboard where it scrolls.
// It says so, and fades at the side to which there is more.
const boxes = [...document.querySelectorAll(".scroll")];
const ended = (box) => box.classList.toggle("end", box.scrollLeft + box.clientWidth >= box.scrollWidth - 2);
const reach = () => {
  const wide = boxes.map((box) => box.scrollWidth > box.clientWidth + 1);
  boxes.forEach((box, i) => {
    box.tabIndex = wide[i] || box.scrollHeight > box.clientHeight + 1 ? 0 : -1;
    box.classList.toggle("wide", wide[i]);
    ended(box);
  });
};
for (const box of boxes) box.addEventListener("scroll", () => ended(box), { passive: true });
document.addEventListener("toggle", reach, true);
addEventListener("resize", reach);
addEventListener("load", reach); // pictures have their sizes
reach();
const dialog = document.querySelector("dialog");
for (const image of document.querySelectorAll("figure img")) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", "enlarge " + image.alt);
  const shown = image.closest("picture") ?? image;
  shown.before(button);
  button.append(shown);
  button.addEventListener("click", () => {
    const large = dialog.querySelector("img");
    large.src = image.currentSrc;
    large.alt = image.alt;
    dialog.showModal();
  });
}
// A list of figures or tables is one stop of the Tab key, besides boxes that scroll; the arrows up and down lead from one of its controls to the next.
for (const list of document.querySelectorAll(".artefacts")) {
  const controls = () => [...list.querySelectorAll("a[href], button, input, .scroll.wide")].filter((each) => each.checkVisibility());
  const choose = (one) => { for (const each of list.querySelectorAll("a[href], button, input")) each.tabIndex = each === one ? 0 : -1; };
  choose(list.querySelector("a[href], button, input"));
  list.addEventListener("focusin", (event) => choose(event.target));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], all = controls();
    const next = step && all[all.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
dialog.addEventListener("click", (event) => { if (event.target.localName !== "button") dialog.close(); });
// What a link leads to is opened, and so are the claims before printing.
const open = () => {
  const target = location.hash.startsWith("#explore?") ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let each = target; each; each = each.parentElement) if (each.localName === "details") each.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", open);
open();
addEventListener("beforeprint", () => { for (const each of document.querySelectorAll("details.claims")) each.open = true; });
const menu = document.getElementById("menu");
if (menu) menu.open = matchMedia("(min-width: 90rem)").matches;
