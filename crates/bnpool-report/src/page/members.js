// The members of communities: search, lists, copy and download. All names are
// set as text.
(() => {
  const store = document.getElementById("member-data");
  const lists = document.getElementById("member-lists");
  if (!store || !lists) return;
  const STEP = 500, HITS = 50;

  // Parsed when it is first needed.
  let parsed = null;
  const communities = () => parsed ??= JSON.parse(store.textContent);
  const nameOf = (name) => typeof name === "number" ? `node ${name}` : name;
  const percent = (share) => share === null ? "–" : `${(share / 1e4).toFixed(1)} %`;
  const element = (tag, text, type) => {
    const node = document.createElement(tag);
    node.textContent = text;
    if (type) node.className = type;
    return node;
  };
  const button = (text, act) => {
    const node = element("button", text);
    node.type = "button";
    node.addEventListener("click", () => act(node));
    return node;
  };

  // The columns and digits of labels.csv.
  const field = (name) => {
    const text = String(name);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = (k) => communities()[k].names.map((name, i) => {
    const share = communities()[k].confidence[i];
    return `${field(name)},${k},${share === null ? "" : (share / 1e6).toFixed(6)}\n`;
  });
  const download = (file, which) => {
    const text = ["node,cluster,confidence\n", ...which.map((k) => rows(k).join(""))].join("");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  document.getElementById("download-members").addEventListener("click", () => download("members.csv", communities().map((_, k) => k)));

  // Pages opened from a disk may lack the clipboard of secure pages.
  const copyByField = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "hidden";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { return copyByField(text); }
  };

  // A list grows by steps: thousands of rows at once would make the page slow.
  const fill = (details) => {
    const k = Number(details.dataset.community);
    const { size, names, confidence } = communities()[k];
    const list = document.createElement("ol");
    list.className = "members";
    const rest = element("p", "");
    const more = () => {
      const from = list.childElementCount;
      list.append(...names.slice(from, from + STEP).map((name, i) => {
        const item = element("li", nameOf(name));
        item.append(element("small", percent(confidence[from + i])));
        return item;
      }));
      const shown = list.childElementCount;
      const left = names.length - shown;
      rest.replaceChildren();
      if (left > 0) rest.append(button(`Show ${Math.min(left, STEP)} more of ${left}`, more));
      else if (names.length < size) rest.append(`${size - names.length} more members are in labels.csv.`);
    };
    const tools = element("div", "", "tools");
    tools.append(
      button("Copy names", async (node) => {
        node.textContent = await copy(names.join("\n")) ? "Copied" : "Copying is not allowed here";
        setTimeout(() => { node.textContent = "Copy names"; }, 2000);
      }),
      button("Download csv", () => download(`community-${k}.csv`, [k])),
    );
    details.querySelector(".list").append(tools, list, rest);
    more();
  };
  const open = (details) => {
    if (!details.querySelector(".list").childElementCount) fill(details);
  };
  for (const details of lists.children) details.addEventListener("toggle", () => { if (details.open) open(details); });

  // Search: names that begin with the text come first.
  const found = document.getElementById("found");
  const hits = document.getElementById("hits");
  const search = (text) => {
    const wanted = text.trim().toLowerCase();
    hits.hidden = !wanted;
    found.textContent = "";
    hits.replaceChildren();
    if (!wanted) return;
    const first = [], second = [];
    let total = 0;
    communities().forEach(({ names, confidence }, k) => names.forEach((name, i) => {
      const place = nameOf(name).toLowerCase().indexOf(wanted);
      const exact = String(name).toLowerCase() === wanted;
      if (place < 0 && !exact) return;
      total += 1;
      const hit = [nameOf(name), k, confidence[i]];
      if (exact) first.unshift(hit);
      else if (place === 0 && first.length < HITS) first.push(hit);
      else if (second.length < HITS) second.push(hit);
    }));
    const shown = [...first, ...second].slice(0, HITS);
    const partial = communities().some(({ size, names }) => names.length < size);
    found.textContent = total === 0
      ? `No node of ${partial ? "this page" : "the graph"} has this text in its name.${partial ? " labels.csv has all nodes." : ""}`
      : `${total} ${total === 1 ? "node" : "nodes"}${total > shown.length ? `, the first ${shown.length} are shown` : ""}`;
    hits.append(...shown.map(([name, k, share]) => {
      const item = element("li", name);
      item.append(button(`community ${k}`, () => {
        lists.children[k].open = true;
        lists.children[k].scrollIntoView({ block: "start" });
      }), element("small", percent(share)));
      return item;
    }));
  };
  let waiting = 0;
  document.getElementById("find").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => search(event.target.value), 120);
  });
})();
