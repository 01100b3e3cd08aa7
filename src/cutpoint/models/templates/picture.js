  // The network as it is seen, saved as a picture in the light colours.
  function picture() {
    const { size: [width, height], boxes } = views[view], colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).match(/#\w+/)[0];
    const letter = stage.style.getPropertyValue("--letter"), [ink, grey, accent] = ["ink", "soft", "accent"].map(colour), pen = document.createElement("canvas").getContext("2d");
    const root = make("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": "system-ui, sans-serif" });
    const box = (x, y, wide, high, fill, more = {}) => make("rect", { x, y, width: Math.max(wide, 0), height: high, fill, rx: 2, ...more });
    /** A text whose middle is left out where it is too long. */
    function text(words, x, y, size, room, more = {}) {
      pen.font = `${more["font-weight"] ?? 400} ${size}px system-ui, sans-serif`;
      let kept = words.length;
      const cut = () => (kept < words.length ? `${words.slice(0, Math.ceil(kept / 2))}…${words.slice(words.length - Math.floor(kept / 2))}` : words);
      while (kept > 1 && pen.measureText(cut()).width > room) kept--;
      return make("text", { x, y, "font-size": size, fill: ink, ...more }, cut());
    }
    root.append(box(0, 0, width, height, colour("paper"), { rx: 0 }));
    arcs.forEach((_, k) => {
      if (drawn[k].classList.contains("few")) return;
      const [line, head] = drawn[k].children, open = head.classList.contains("open"), opacity = drawn[k].classList.contains("faded") ? 0.2 : 1;
      root.append(make("path", { d: line.getAttribute("d"), fill: "none", stroke: grey, opacity, "stroke-width": line.getAttribute("stroke-width"), "stroke-dasharray": open && "4 4" }));
      root.append(make("path", { d: head.getAttribute("d"), fill: open ? colour("paper") : grey, stroke: grey, opacity }));
    });
    for (const i of order) {
      const [x, y, wide, high] = boxes[i], { rows, average, most, curve, root: card } = cards.get(i), centre = { "text-anchor": "middle" };
      const group = make("g", { opacity: card.classList.contains("faded") ? 0.25 : 1 }, box(x, y, wide, high, evidence.has(i) ? colour("wash") : colour("card"), { rx: 6, stroke: i === target || i === selected ? accent : colour("line") }));
      root.append(group);
      if (view === "names") group.append(text(variables[i].name, x + wide / 2, y + high / 2 + 4, letter, wide - 8, centre));
      else if (view === "values") group.append(text(variables[i].name, x + wide / 2, y + 18, 12, wide - 10, { ...centre, "font-weight": 600 }), text(average.textContent || most.textContent, x + wide / 2, y + 34, 11, wide - 10, { ...centre, fill: grey }));
      else {
        group.append(text(variables[i].name, x + 10, y + 22, 13, wide - (average.textContent ? 110 : 20), { "font-weight": 600 }), text(average.textContent, x + wide - 10, y + 22, 12, 90, { "text-anchor": "end", fill: grey }));
        if (curve) group.append(make("g", { transform: `translate(${x + 10} ${y + 31}) scale(${(wide - 20) / 100} 1)` }, make("path", { d: curve.root.querySelector(".now").getAttribute("d"), fill: colour("bar") })));
        const top = y + 29 + (curve ? 53 : 0), label_ = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--label")), room = wide - 26 - label_ - 46;
        rows.slice(0, rows.length > LONG ? LONG - 1 : LONG).forEach((row, level) => {
          const at = top + 18 * level, fill = evidence.get(i) === level ? accent : colour("bar"), left = x + 16 + label_;
          group.append(text(label(i, level), x + 10, at + 13, 12, label_), box(left, at + 5, room, 9, colour("track")), box(left, at + 5, (room * parseFloat(row.bar.style.width)) / 100, 9, fill), text(row.number.textContent, x + wide - 10, at + 13, 12, 46, { "text-anchor": "end", fill: grey }));
        });
        if (rows.length > LONG) group.append(text(`+ ${rows.length - LONG + 1} more`, x + 10, top + 18 * (LONG - 1) + 13, 12, wide, { fill: grey }));
      }
    }
    return root;
  }
  function download(blob, ending) {
    const address = URL.createObjectURL(blob);
    make("a", { href: address, download: `${document.title}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
  const svg = () => new Blob([new XMLSerializer().serializeToString(picture())], { type: "image/svg+xml" });
  async function png() {
    const { size: [width, height] } = views[view], scale = Math.min(2, 12000 / Math.max(width, height)), address = URL.createObjectURL(svg());
    const canvas = Object.assign(document.createElement("canvas"), { width: scale * width, height: scale * height }), image = Object.assign(new Image(), { src: address });
    await image.decode();
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }
