// What a reader can do with a page: switch relations, step through an execution, choose an execution, filter.
"use strict";
(() => {
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const one = (what, within = document) => within.querySelector(what);
  const sheets = all("article"), rows = all(".browser tbody tr"), switches = all(".switches input[data-relation]");
  const tip = one(".tip"), where = one(".where"), fold = one("input[data-fold]");
  let execution = "0", step = 0, sheet = sheets[0];

  // Boxes of the sheet that is shown, in the order of its steps.
  const boxes = () => all(".box[data-step]", sheet).sort((a, b) => a.dataset.step - b.dataset.step);
  const lines = (box) => box && box.dataset.line
    ? all(`.line[data-file="${CSS.escape(box.dataset.file)}"][data-line="${box.dataset.line}"]`) : [];

  function applySwitches() {
    for (const input of switches)
      for (const part of all(`[data-relation="${CSS.escape(input.dataset.relation)}"]`, sheet))
        part.classList.toggle("off", !input.checked);
  }

  function show(which) {
    execution = which;
    const folded = fold && fold.checked ? "folded" : "full";
    const own = sheets.filter((s) => s.dataset.execution === execution);
    sheet = own.find((s) => s.dataset.variant === folded) || own[0];
    for (const other of sheets) other.hidden = other !== sheet;
    for (const row of rows) row.setAttribute("aria-selected", String(row.dataset.execution === execution));
    applySwitches();
    markSource();
    go(boxes().length);
  }

  function markSource() {
    for (const line of all(".line")) { line.classList.remove("used", "failing"); one(".who", line).textContent = ""; }
    for (const box of all(".box[data-line]", sheet))
      for (const line of lines(box)) {
        line.classList.add("used");
        if (box.classList.contains("fail")) line.classList.add("failing");
        const who = one(".who", line), names = new Set(who.textContent.split(" ").filter(Boolean));
        who.textContent = [...names.add(box.dataset.thread)].join(" ");
      }
  }

  // Steps are counted from 0; behind the last one the whole execution is shown.
  function go(to) {
    const order = boxes();
    step = Math.max(0, Math.min(order.length, to));
    const isLater = new Map(order.map((box, n) => [box.dataset.node, n > step]));
    for (const box of order) {
      box.classList.toggle("later", isLater.get(box.dataset.node));
      box.classList.toggle("now", order[step] === box);
    }
    for (const part of all("[data-from]", sheet))
      part.classList.toggle("later", isLater.get(part.dataset.from) || isLater.get(part.dataset.to) || false);
    for (const line of all(".line.now")) line.classList.remove("now");
    const box = order[step];
    for (const line of lines(box)) { line.classList.add("now"); line.scrollIntoView({ block: "nearest" }); }
    if (box) box.scrollIntoView({ block: "nearest", inline: "nearest" });
    where.textContent = box
      ? `${step + 1}/${order.length} ${box.dataset.thread}: ${box.getAttribute("aria-label")}`
      : `all ${order.length} steps`;
    for (const button of all("button[data-go]")) {
      const back = ["first", "back"].includes(button.dataset.go);
      button.disabled = back ? step === 0 : step === order.length;
    }
  }
  const moves = { first: () => go(0), back: () => go(step - 1), on: () => go(step + 1), last: () => go(1e9) };

  function light(box, isOn) {
    box.classList.toggle("hot", isOn);
    const node = box.dataset.node;
    for (const part of all(`[data-from="${node}"], [data-to="${node}"]`, sheet)) part.classList.toggle("hot", isOn);
    for (const line of lines(box)) line.classList.toggle("hot", isOn);
  }

  function tell(box) {
    const list = document.createElement("dl");
    for (const pair of JSON.parse(box.dataset.tip || "[]"))
      pair.forEach((text, n) => {
        const part = document.createElement(n ? "dd" : "dt");
        part.textContent = text;
        list.append(part);
      });
    tip.replaceChildren(list);
    tip.hidden = !list.children.length;
    const at = box.getBoundingClientRect(), size = tip.getBoundingClientRect();
    const below = at.bottom + 8 + size.height < innerHeight;
    tip.style.left = `${Math.max(6, Math.min(at.left, innerWidth - size.width - 8))}px`;
    tip.style.top = `${below ? at.bottom + 8 : Math.max(6, at.top - size.height - 8)}px`;
  }

  for (const box of all(".box")) {
    const enter = () => { light(box, true); tell(box); };
    const leave = () => { light(box, false); tip.hidden = true; };
    for (const name of ["pointerenter", "focus"]) box.addEventListener(name, enter);
    for (const name of ["pointerleave", "blur"]) box.addEventListener(name, leave);
    if (box.dataset.step) box.addEventListener("click", () => go(Number(box.dataset.step)));
  }
  for (const line of all(".line")) {
    const own = () => all(`.box[data-line="${line.dataset.line}"]`, sheet)
      .filter((box) => box.dataset.file === line.dataset.file);
    line.addEventListener("pointerenter", () => own().forEach((box) => box.classList.add("hot")));
    line.addEventListener("pointerleave", () => own().forEach((box) => box.classList.remove("hot")));
    line.addEventListener("click", () => {
      const first = own()[0];
      if (first) first.scrollIntoView({ block: "center", inline: "center" });
    });
  }
  for (const input of switches) input.addEventListener("change", applySwitches);
  if (fold) fold.addEventListener("change", () => show(execution));
  for (const button of all("button[data-go]")) button.addEventListener("click", moves[button.dataset.go]);

  // Filters: values of one name are alternatives, and all names must match.
  const filters = all("button[aria-pressed]");
  function filter() {
    const wanted = new Map();
    for (const button of filters)
      if (button.getAttribute("aria-pressed") === "true") {
        const { facet, value } = button.dataset;
        wanted.set(facet, (wanted.get(facet) || new Set()).add(value));
      }
    for (const row of rows) {
      const values = JSON.parse(row.dataset.values);
      row.hidden = ![...wanted].every(([facet, those]) => those.has(values[facet]));
    }
    const left = rows.filter((row) => !row.hidden);
    const count = one(".count output");
    if (count) count.textContent = `${left.length} of ${rows.length} executions`;
    if (left.length && !left.some((row) => row.dataset.execution === execution)) show(left[0].dataset.execution);
  }
  for (const button of filters)
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  // Only up and down: a row may be wider than the window.
  function scrollTo(row) {
    const list = row.closest(".browser"), left = list.scrollLeft;
    row.scrollIntoView({ block: "nearest" });
    list.scrollLeft = left;
  }
  function browse(by) {
    const left = rows.filter((row) => !row.hidden);
    const at = left.findIndex((row) => row.dataset.execution === execution);
    const next = left[Math.max(0, Math.min(left.length - 1, at + by))];
    if (next) { show(next.dataset.execution); scrollTo(next); }
  }
  for (const row of rows) row.addEventListener("click", () => show(row.dataset.execution));
  for (const button of all("button[data-browse]"))
    button.addEventListener("click", () => browse(Number(button.dataset.browse)));

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { ArrowRight: moves.on, ArrowLeft: moves.back, Home: moves.first, End: moves.last,
      n: () => browse(1), p: () => browse(-1) };
    const digit = Number(event.key);
    if (digit >= 1 && digit <= 9) { if (switches[digit - 1]) switches[digit - 1].click(); }
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });
  show("0");
  filter();
})();
