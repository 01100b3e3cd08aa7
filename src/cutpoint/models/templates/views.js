  // What is seen of the variables: names, names with a value, or cards, each with places of its own; and how large.
  const KINDS = ["names", "values", "cards"], SCALES = { names: [0, 1.5], values: [0.8, 1.5], cards: [0.6, 2] }; // the least and the greatest zoom
  const FEW = 30, MANY = 80; // variables from which names are seen first, and beyond which they have narrow boxes
  const TINY = 0.75; // zoom below which a narrow box has room for the end of a name
  let fitted = false;
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const tools = (name) => [...document.querySelectorAll(`#${name} button`)];

  function place(kind) {
    const { size: [width, height], boxes, curves } = views[(view = kind)];
    KINDS.forEach((each, k) => (stage.classList.toggle(each, each === kind), tools("views")[k].setAttribute("aria-pressed", each === kind)));
    Object.assign(stage.style, { width: `${width}px`, height: `${height}px` });
    boxes.forEach((box, i) => ["left", "top", "width", "height"].forEach((side, k) => cards.get(i).root.style.setProperty(`--${side}`, `${box[k]}px`)));
    drawn.forEach(({ firstChild, lastChild }, k) => {
      const [points, tip] = [curves[k].slice(0, -1), curves[k].at(-1)], [x, y] = points.at(-1), half = 0.4 + 0.06 * firstChild.getAttribute("stroke-width");
      const [across, down] = [half * (tip[1] - y), half * (x - tip[0])];
      firstChild.setAttribute("d", `M${points[0]}C${points.slice(1).join(" ")}`);
      lastChild.setAttribute("d", `M${x - across} ${y - down}L${tip}L${x + across} ${y + down}Z`);
    });
  }
  const middle = (element) => (({ left, top, width, height }) => [left + width / 2, top + height / 2])(element.getBoundingClientRect());
  /** Show a view at a zoom; the variable that is nearest to a point of the window stays where it is. */
  function show(kind, size, at = middle(main)) {
    const far = (i) => Math.hypot(...middle(cards.get(i).root).map((place, k) => place - at[k]));
    const kept = cards.get(order.reduce((best, i) => (far(i) < far(best) ? i : best), order[0]))?.root, before = kept && middle(kept);
    if (kind !== view) place(kind);
    zoom = size;
    fitted = false;
    stage.classList.toggle("tiny", kind === "names" && zoom < TINY && variables.length > MANY);
    stage.style.setProperty("--zoom", (stage.style.zoom = zoom));
    if (kept) main.scrollBy(...middle(kept).map((place, k) => place - before[k]));
  }
  function magnify(factor, at) {
    const size = zoom * factor, [least, most] = SCALES[view], other = KINDS[KINDS.indexOf(view) + (size > most) - (size < least)];
    if (!other || other === view) return show(view, clamp(size, Math.min(zoom, whole("names") / 2), most), at);
    const [low, high] = SCALES[other], ratio = Math.sqrt((views[view].size[0] * views[view].size[1]) / (views[other].size[0] * views[other].size[1]));
    show(other, clamp(size * ratio, 1.05 * low, 0.95 * high), at);
  }
  const whole = (kind) => Math.min(main.clientWidth / views[kind].size[0], main.clientHeight / views[kind].size[1]);
  /** Show all variables, with as much of each as can be read. */
  function fit() {
    const kind = (variables.length < FEW && ["cards", "values"].find((each) => whole(each) >= SCALES[each][0])) || "names";
    show(kind, Math.min(whole(kind), kind === "cards" ? 1 : 1.2));
    fitted = true;
  }
  function drag(event) {
    if (phone.matches || event.button || event.pointerType === "touch" || event.target.closest(".card")) return;
    const start = [event.clientX + main.scrollLeft, event.clientY + main.scrollTop], pull = (moved) => main.scrollTo(start[0] - moved.clientX, start[1] - moved.clientY);
    addEventListener("pointermove", pull);
    addEventListener("pointerup", () => removeEventListener("pointermove", pull), { once: true });
  }
  /** The variable that is nearest in a direction, little to its sides. */
  function beside(i, across, down) {
    const centre = ([left, top, width, height]) => [left + width / 2, top + height / 2], [x, y] = centre(views[view].boxes[i]);
    const far = views[view].boxes.map(centre).map(([a, b]) => [across * (a - x) + down * (b - y), Math.abs(down * (a - x) - across * (b - y))]);
    return order.filter((j) => far[j][0] > 1).sort((j, k) => far[j][0] + 2 * far[j][1] - far[k][0] - 2 * far[k][1])[0] ?? i;
  }

  // Search: by the whole name at once, by a part of it with Enter; on a telephone the list shows what has this part.
  const find = document.querySelector("#find");
  document.querySelector("#known-names").append(...variables.map(({ name }) => make("option", { value: name })));
  function sought() {
    const part = find.value.trim().toLowerCase(), ranks = variables.map(({ name }) => (name.toLowerCase() === part ? 0 : name.toLowerCase().indexOf(part) + 1 || Infinity));
    return { part, found: order.filter((i) => ranks[i] < Infinity), best: part ? ranks.indexOf(Math.min(...ranks, 1e9)) : -1, exact: ranks.includes(0) };
  }
  function search(enter) {
    const { part, found, best, exact } = sought();
    cards.forEach(({ root }, i) => root.classList.toggle("missed", Boolean(part) && !found.includes(i)));
    if (best < 0 || !(enter || exact)) return;
    select(best);
    if (!phone.matches) cards.get(best).root.scrollIntoView({ block: "center", inline: "center" });
    if (enter) cards.get(best).name.focus({ preventScroll: true });
  }
  find.oninput = () => search(false);
  find.addEventListener("keydown", ({ key }) => key === "Enter" && search(true));
