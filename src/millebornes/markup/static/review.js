"use strict";
// Keys and plots of a review. In a file, this also steps through the decisions, all of which are in the page already.

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", n: "worse-on", p: "worse-back" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea, .scroll")) return;
  const step = KEYS[event.key] && document.querySelector(`.steps [data-go="${KEYS[event.key]}"]`);
  if (!step) return;
  event.preventDefault();
  if (!step.href || step.href !== location.href) step.click();
});

// Go to the decision at which a plot was clicked.
let goTo = (at, plot) => {
  const steps = plot.closest("[data-steps]")?.dataset.steps.split(" ");
  if (!steps) return;
  const address = new URL(location.href);
  address.searchParams.set("step", steps[Math.min(at, steps.length - 1)]);
  location.href = address.href;
};
for (const plot of document.querySelectorAll("svg.plot")) {
  plot.addEventListener("click", (event) => {
    const box = plot.getBoundingClientRect();
    goTo(Math.max(0, Math.round(((event.clientX - box.left) / box.width) * Number(plot.dataset.last))), plot);
  });
}

// On a large page the decisions that are no mistakes are packed: their insides, in order, as JSON, deflated.
const unpack = async (packed) => {
  const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const insides = JSON.parse(await new Response(stream).text());
  document.querySelectorAll("article.decision:empty").forEach((article, i) => { article.innerHTML = insides[i]; });
};

const start = () => {
  const root = document.documentElement;
  const body = document.body;
  const byId = (id) => document.getElementById(id);
  const all = Array.from(document.querySelectorAll("article.decision:not(:empty)"));
  if (!all.length) return;
  const place = new Map(all.map((article, i) => [article.id, i]));
  const picked = new Map(); // place of a decision -> the number of the move that was picked
  const plots = Array.from(document.querySelectorAll("svg.plot"));
  let now = -1;
  root.classList.add("js");

  const isMistake = (i) => all[i].classList.contains("x");
  const isAsked = (i) => byId("quiz").checked && !("forced" in all[i].dataset) && !picked.has(i);

  // Whether stepping stops at a decision, by whose it is and whether only mistakes are wanted.
  const isWanted = (i, mistakes) => {
    const who = byId("who").value;
    if (who !== "" && all[i].dataset.seat !== who) return false;
    if (byId("quiz").checked && "forced" in all[i].dataset) return false;
    return !(mistakes || byId("only").checked) || isMistake(i);
  };

  const find = (start, step, mistakes = false) => {
    for (let i = start; i >= 0 && i < all.length; i += step) if (isWanted(i, mistakes)) return i;
    return -1;
  };

  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_whole, name) => values[name]);

  const rowsOf = (article) => Array.from(article.querySelectorAll(".figures tbody tr"));
  const rowOf = (article, number) => rowsOf(article).find((row) => row.dataset.o === number);

  const nameOf = (row) => row.cells[0].firstChild.textContent;

  // While a question stands open, moves are buttons in the order of their texts, which tells nothing.
  const ask = (article, asked) => {
    const rows = rowsOf(article);
    rows.forEach((row, i) => { if (!("r" in row.dataset)) row.dataset.r = i; });
    const key = asked ? "o" : "r";
    rows.sort((a, b) => a.dataset[key] - b.dataset[key]);
    for (const row of rows) {
      row.parentNode.append(row);
      const button = row.querySelector("button");
      if (asked && !button) {
        const made = document.createElement("button");
        made.type = "button";
        made.textContent = nameOf(row);
        row.cells[0].append(made);
      } else if (!asked && button) {
        button.remove();
      }
    }
  };

  const score = () => {
    let best = 0;
    for (const [i, number] of picked) {
      if (rowOf(all[i], number).classList.contains("best")) best += 1;
    }
    return say(body.dataset.score, { best, n: picked.size });
  };

  const refresh = () => {
    const article = all[now];
    const asked = isAsked(now);
    article.classList.toggle("asked", asked);
    root.classList.toggle("asking", asked);
    ask(article, asked);
    let said = "";
    if (!asked && byId("quiz").checked && picked.has(now)) {
      const row = rowOf(article, picked.get(now));
      rowsOf(article).forEach((found) => found.classList.toggle("picked", found === row));
      const isBest = row.classList.contains("best");
      const move = nameOf(row);
      said = say(isBest ? body.dataset.right : body.dataset.picked, { move, loss: row.cells[1].textContent });
      said += " " + score();
    }
    byId("said").textContent = said;
    byId("count").textContent = say(body.dataset.counted, { n: now + 1, all: all.length });
    byId("now").textContent = article.querySelector("h3").firstChild.textContent; // for who cannot see it change
    for (const plot of plots) {
      const x = (100 * now) / Number(plot.dataset.last) + "%";
      const cursor = plot.querySelector(".cursor");
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    for (const link of document.querySelectorAll(".faults a")) {
      if (link.hash === "#" + article.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };

  const show = (i) => {
    if (i < 0 || i >= all.length) return;
    const isFirst = now < 0;
    if (!isFirst) all[now].classList.remove("cur", "asked");
    now = i;
    all[now].classList.add("cur");
    refresh();
    if (isFirst) return; // an address that names a place would make the browser go there while the page loads
    // The address names the decision, so that it can be kept and sent.
    try { history.replaceState(null, "", "#" + all[now].id); } catch { /* not allowed from every address */ }
  };

  const go = {
    first: () => show(find(0, 1)),
    last: () => show(find(all.length - 1, -1)),
    back: () => show(find(now - 1, -1)),
    on: () => show(find(now + 1, 1)),
    "worse-back": () => show(find(now - 1, -1, true)),
    "worse-on": () => show(find(now + 1, 1, true)),
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.go) {
      go[button.dataset.go]();
    } else if (button && isAsked(now) && all[now].contains(button)) {
      picked.set(now, button.closest("tr").dataset.o);
      refresh();
    }
    const link = event.target.closest(".faults a");
    if (link) {
      event.preventDefault();
      show(place.get(link.hash.slice(1)));
      document.querySelector(".explorer").scrollIntoView();
    }
  });

  goTo = (at) => show(Math.min(at, all.length - 1));

  byId("open").addEventListener("change", (event) => root.classList.toggle("open", event.target.checked));
  for (const id of ["quiz", "only", "who"]) {
    byId(id).addEventListener("change", () => {
      if (id === "quiz") picked.clear();
      if (isWanted(now, false)) { refresh(); return; }
      const next = find(now, 1);
      if (next >= 0) show(next);
      else if (find(now, -1) >= 0) show(find(now, -1));
      else refresh();
    });
  }
  window.addEventListener("hashchange", () => {
    const i = place.get(location.hash.slice(1));
    if (i !== undefined && i !== now) show(i);
  });

  const asked = place.get(location.hash.slice(1));
  show(asked === undefined ? 0 : asked);
};

const packed = document.getElementById("packed");
if (packed) unpack(packed).catch(() => {}).then(start); // a browser that cannot unpack them still steps through the mistakes
else start();
