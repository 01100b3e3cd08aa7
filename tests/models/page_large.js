// What a reader does with the page of a large network whose edges have posterior probabilities; tests/models/test_page.py judges it.
(async () => {
  const all = (name, inside = document) => [...inside.querySelectorAll(name)], one = (name) => document.querySelector(name), checks = { views: [], over: {} };
  const main = one("main"), view = () => ["names", "values", "cards"].find((kind) => one("#stage").classList.contains(kind)), button = (text) => all("button").find((each) => each.textContent === text);
  const card = (name) => all(".card").find((each) => each.ariaLabel.startsWith(`${name},`)), rows = () => all("#details tbody tr").map((row) => all("td", row).map((cell) => cell.textContent));
  const [smaller, fit, larger] = all("#size button"), press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  checks.over[view()] = [main.scrollWidth - main.clientWidth, main.scrollHeight - main.clientHeight];
  checks.views.push(view());
  for (const step of [larger, larger, smaller, smaller]) {
    const before = view();
    for (let k = 0; k < 30 && view() === before; k++) step.click();
    checks.views.push(view());
  }
  fit.click();
  checks.stops = all(".card button, .card [tabindex]").filter((each) => each.tabIndex >= 0).length;
  const find = one("#find");
  find.focus();
  find.value = "hrb";
  find.dispatchEvent(new Event("input"));
  press("Enter");
  checks.found = [one("#details h2").firstChild.textContent, document.activeElement.textContent];
  find.value = "LVFAILURE";
  find.dispatchEvent(new Event("input"));
  checks.found.push(one("#details h2").firstChild.textContent);
  card("CATECHOL").querySelector("h2 button").click();
  button("Take as target").click();
  checks.ranking = rows().map(([name, , told]) => [name, told]);
  checks.faded = all(".card.faded").map((each) => each.ariaLabel.split(",")[0]);
  button("Edges").click();
  const list = rows().map(([from, to, p]) => [from, to, p]), slider = one("#details input");
  slider.value = 0.5;
  slider.dispatchEvent(new Event("input"));
  checks.edges = [list, rows().length, all("#arcs > :not(.few)").length];
  card("HR").querySelector(".level").click();
  button("Compare").click();
  all(".level", card("HR"))[2].click();
  const marks = all(".track u", card("CO")).map((each) => parseFloat(each.style.left));
  checks.compared = [rows(), marks, location.hash];
  button("Swap").click();
  checks.compared.push(all("#details .pair p")[2].textContent);
  button("End").click();
  one("#clear").click();
  button("Edges").click();
  slider.value = 0;
  const again = one("#details input");
  again.value = 0;
  again.dispatchEvent(new Event("input"));
  HTMLAnchorElement.prototype.click = () => {}; // nothing is saved here
  const saved = [], address = URL.createObjectURL, said = new Promise((done) => (URL.createObjectURL = (blob) => (saved.push(blob), saved.length > 2 && done(), address(blob))));
  button("Save SVG").click();
  button("Save PNG").click();
  await said;
  const drawing = new DOMParser().parseFromString(await saved[0].text(), "image/svg+xml");
  const texts = all("text", drawing).map((each) => each.textContent);
  checks.picture = [all("rect", drawing).length, all("path", drawing).length, texts.length, texts.find((each) => each === "BP")];
  checks.png = saved[2].size;
  checks.more = all(".card").filter((each) => all(".level", each).length > 8 && !each.querySelector(".more")).map((each) => each.ariaLabel);
  document.documentElement.dataset.checks = JSON.stringify(checks);
})();
