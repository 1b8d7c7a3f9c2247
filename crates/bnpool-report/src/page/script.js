"use strict";
(() => {
  const root = document.documentElement;
  const tip = document.getElementById("tip");
  const data = JSON.parse(document.getElementById("data").textContent);

  // Theme: that of the reader's system until chosen; #light or #dark choose too.
  const store = (value) => { try { localStorage.setItem("bnpool-theme", value); } catch { /* private mode */ } };
  const stored = () => { try { return localStorage.getItem("bnpool-theme"); } catch { return null; } };
  const isTheme = (value) => value === "light" || value === "dark";
  const wanted = [location.hash.slice(1), stored()].find(isTheme);
  if (wanted) root.dataset.theme = wanted;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    store(root.dataset.theme);
  });

  // Numbers for people: four digits, no needless zeros.
  const show = (x) => {
    if (x === null || !Number.isFinite(x)) return "–";
    const size = Math.abs(x);
    const text = size !== 0 && (size < 1e-3 || size >= 1e6) ? x.toExponential(2) : String(Number(x.toPrecision(3)));
    return text.replace(/-/g, "−");
  };

  // The tip: a bold first line and others, always as plain text.
  const showTip = (event, lines) => {
    const parts = lines.filter(Boolean).map((line, i) => {
      const part = document.createElement(i ? "span" : "b");
      part.textContent = line;
      return part;
    });
    tip.replaceChildren(...parts);
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 14 : event.clientX + 14;
    const top = event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18;
    tip.style.transform = `translate(${Math.max(4, left)}px,${Math.max(4, top)}px)`;
  };

  // A mark in the chart that follows the pointer.
  const NS = "http://www.w3.org/2000/svg";
  const mark = (svg, name, attributes) => {
    let node = svg.querySelector(".hover");
    if (!node) {
      node = document.createElementNS(NS, name);
      node.setAttribute("class", "hover");
      svg.append(node);
    }
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.style.display = "";
  };

  const inside = (plot, x, y) => x >= plot.x && x < plot.x + plot.w && y >= plot.y && y < plot.y + plot.h;

  const kinds = {
    heat(svg, chart) {
      const bytes = atob(chart.levels);
      const { plot, rows, columns } = chart;
      return (x, y) => {
        if (!inside(plot, x, y)) return null;
        const column = Math.min(columns.length - 1, Math.floor((x - plot.x) / plot.w * columns.length));
        const row = Math.min(rows.length - 1, Math.floor((y - plot.y) / plot.h * rows.length));
        let share = bytes.charCodeAt(row * columns.length + column) / 255;
        if (chart.root) share *= share;
        const width = plot.w / columns.length, height = plot.h / rows.length;
        mark(svg, "rect", { x: plot.x + column * width, y: plot.y + row * height, width, height });
        const value = `${chart.value}: ${show(chart.low + share * (chart.high - chart.low))}`;
        return [chart.texts ? chart.texts[row * columns.length + column] : value, rows[row], columns[column]];
      };
    },
    lines(svg, chart) {
      const { plot, range, x: places } = chart;
      return (x, y) => {
        if (!places.length || !inside(plot, x, y)) return null;
        const value = range[0] + (x - plot.x) / plot.w * (range[1] - range[0]);
        let nearest = 0;
        places.forEach((place, i) => { if (Math.abs(place - value) < Math.abs(places[nearest] - value)) nearest = i; });
        const at = plot.x + (places[nearest] - range[0]) / (range[1] - range[0]) * plot.w;
        mark(svg, "path", { d: `M${at} ${plot.y}V${plot.y + plot.h}` });
        return [`${chart.name} ${show(places[nearest])}`, ...chart.series.map(([name, , values]) => `${name}: ${show(values[nearest])}`)];
      };
    },
    bars(svg, chart) {
      const { plot, texts } = chart;
      return (x, y) => {
        if (!texts.length || !inside(plot, x, y)) return null;
        const bar = Math.min(texts.length - 1, Math.floor((x - plot.x) / plot.w * texts.length));
        const width = plot.w / texts.length;
        mark(svg, "rect", { x: plot.x + bar * width, y: plot.y, width, height: plot.h });
        return [texts[bar]];
      };
    },
    points(svg, chart) {
      const { plot, range, sets } = chart;
      const side = range[1] - range[0];
      return (x, y) => {
        let found = null, least = 400;
        for (const [name, points] of sets) {
          for (const point of points) {
            const px = plot.x + (point[0] - range[0]) / side * plot.w;
            const py = plot.y + plot.h - (point[1] - range[0]) / side * plot.h;
            const away = (px - x) ** 2 + (py - y) ** 2;
            if (away < least) { least = away; found = [name, point, px, py]; }
          }
        }
        if (!found) return null;
        const [name, point, cx, cy] = found;
        mark(svg, "circle", { cx, cy, r: 6 });
        return [name, ...chart.names.map((axis, i) => `${axis}: ${show(point[i])}`)];
      };
    },
    dots(svg, chart) {
      return (x, y) => {
        let nearest = -1, least = 20;
        for (let i = 0; i < chart.x.length; i++) {
          // From the edge of the dot: large ones reach further.
          const away = Math.hypot(chart.x[i] / 10 - x, chart.y[i] / 10 - y) - chart.r[i] / 10;
          if (away < least) { least = away; nearest = i; }
        }
        if (nearest < 0) return null;
        mark(svg, "circle", { cx: chart.x[nearest] / 10, cy: chart.y[nearest] / 10, r: chart.r[nearest] / 10 + 2 });
        return chart.texts[nearest];
      };
    },
    network(svg, chart) {
      return (x, y) => {
        let nearest = -1, least = 400;
        for (let i = 0; i < chart.x.length; i++) {
          const dx = chart.x[i] / 10 - x, dy = chart.y[i] / 10 - y;
          if (dx * dx + dy * dy < least) { least = dx * dx + dy * dy; nearest = i; }
        }
        if (nearest < 0) return null;
        mark(svg, "circle", { cx: chart.x[nearest] / 10, cy: chart.y[nearest] / 10, r: 7 });
        const name = chart.classes[chart.class[nearest]];
        return [chart.names[nearest], `community ${chart.group[nearest]}`, `confidence ${chart.confidence[nearest]} %`, name && `class ${name}`];
      };
    },
  };

  const hide = (svg) => {
    tip.hidden = true;
    const node = svg.querySelector(".hover");
    if (node) node.style.display = "none";
  };
  for (const [id, chart] of Object.entries(data)) {
    const svg = document.getElementById(id);
    if (!svg || !kinds[chart.kind]) continue;
    const find = kinds[chart.kind](svg, chart);
    const move = (event) => {
      const matrix = svg.getScreenCTM();
      if (!matrix) return;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const lines = find(point.x, point.y);
      if (lines) showTip(event, lines); else hide(svg);
    };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerdown", move);
    svg.addEventListener("pointerleave", () => hide(svg));
  }

  // A click on a name of the legend brings its group forward.
  for (const legend of document.querySelectorAll(".legend[data-for]")) {
    const svg = document.getElementById(legend.dataset.for);
    legend.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button || !svg) return;
      const on = button.getAttribute("aria-pressed") !== "true";
      for (const other of legend.querySelectorAll("button")) other.setAttribute("aria-pressed", String(on && other === button));
      svg.classList.toggle("pick", on);
      for (const part of svg.querySelectorAll("[data-group]")) part.classList.toggle("picked", on && part.dataset.group === button.dataset.group);
    });
  }

  // A click on a heading sorts the table, a second one the other way round.
  for (const table of document.querySelectorAll("table[data-sort]")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
      };
      const compare = (a, b) => {
        const [x, y] = [key(a), key(b)];
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true });
        return down ? -order : order;
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
    }));
  }
})();
