// Keeps the page of a table up to date and makes playing quicker. Everything also works without this script, because the
// page has forms and refreshes itself. htmx sends the forms and morphs the parts that have changed.

const play = document.getElementById("play");
const log = document.getElementById("log");
const record = document.getElementById("record");
const notice = document.getElementById("notice");
const aloud = document.getElementById("aloud");
const talk = document.getElementById("talk");
const address = `/t/${play.dataset.table}`;
const SILENCE = 12000; // ms after which a silent stream counts as lost; the server sends a beat every 5 s
const POLL = 5000;

const table = () => document.getElementById("table");
const options = (() => {
  try { return JSON.parse(localStorage.getItem("millebornes") || "{}"); } catch { return {}; }
})();
const keep = () => { try { localStorage.setItem("millebornes", JSON.stringify(options)); } catch { /* private window */ } };

// ---------------------------------------------------------------- showing changes

let outbox = [], stuck = false, lost = false;
let shown = Number(table().dataset.version);
let seenVersion = latest();
let queue = Promise.resolve();

function latest() {
  const last = log.lastElementChild;
  return last ? Number(last.dataset.v) : 0;
}

// Show the updates one after another, and drop any update that is older than the page.
function take(html) {
  queue = queue.then(() => show(html)).catch((error) => console.error(error));
  return queue;
}

async function show(html) {
  const made = new DOMParser().parseFromString(html, "text/html");
  const fresh = made.getElementById("table");
  if (!fresh || Number(fresh.dataset.version) < shown) return;
  const before = table(), old = { ...before.dataset };
  const picked = before.querySelector(".hand input:checked")?.id;
  const focused = document.activeElement;
  const position = focusPlace(focused);
  const sure = before.querySelector("[data-sure]")?.value;
  shown = Number(fresh.dataset.version);
  const source = movedFrom(old, fresh.dataset);
  const swap = async () => {
    await htmx.swap({ text: fresh.outerHTML, target: "#table", swap: "outerMorph", sourceElement: table(), transition: false });
    const again = picked && document.getElementById(picked);
    if (again) again.checked = fresh.dataset.asked === "turn" || old.asked === fresh.dataset.asked;
    const button = sure && old.asked === fresh.dataset.asked && table().querySelector(`.btn[value="${CSS.escape(sure)}"]`);
    if (button) askAgain(button); else forget();
  };
  await moved(source, old, fresh.dataset, swap);
  standings(made);
  tell(made);
  celebrate(old, fresh.dataset);
  restoreFocus(focused, position);
  settle(old);
}

function standings(made) {
  const now = document.getElementById("score-pane"), fresh = made.getElementById("score-now");
  if (fresh && now.innerHTML !== fresh.innerHTML) now.innerHTML = fresh.innerHTML;
}

// Add each event to the log only once and never replace the log, so that screen readers announce each event once.
function tell(made) {
  const atEnd = record.scrollHeight - record.scrollTop - record.clientHeight < 60;
  for (const line of made.querySelectorAll("#new-lines > li")) {
    const version = Number(line.dataset.v);
    if (version <= seenVersion) continue;
    log.append(document.importNode(line, true));
    if (line.matches(".k-chat")) unread += 1;
    sound(line.classList[0].slice(2));
  }
  seenVersion = latest();
  if (atEnd) record.scrollTop = record.scrollHeight;
}

// The number of chat messages that arrived while the sheet with the chat was closed.
let unread = 0;
function badge() {
  if (getComputedStyle(talk).position !== "fixed" || talk.matches(":popover-open")) unread = 0;
  const mark = document.getElementById("unread");
  mark.hidden = !unread;
  mark.textContent = unread || "";
}
talk.addEventListener("toggle", () => { badge(); record.scrollTop = record.scrollHeight; });

function focusPlace(element) {
  const inputs = [...document.querySelectorAll(".hand input[type=radio]")];
  return inputs.indexOf(element);
}

// Players who use the keyboard continue from the same place in the hand.
function restoreFocus(focused, place) {
  if (!focused || focused === document.body || focused.isConnected) return;
  const inputs = [...document.querySelectorAll(".hand input[type=radio]")];
  const answer = document.querySelector("#answers button, #next");
  const next = answer || (place >= 0 || focused.closest?.("form.hand") || focused.tagName === "BUTTON"
    ? inputs[Math.min(Math.max(place, 0), inputs.length - 1)] : null);
  next?.focus({ preventScroll: true });
}

function settle(old) {
  const now = table().dataset;
  if (now.asked && old.asked !== now.asked) {
    aloud.textContent = "";
    setTimeout(() => { aloud.textContent = now.asked === "turn" ? play.dataset.sayTurn : document.getElementById("headline").textContent; }, 300);
    sound("turn");
    notify();
  }
  document.title = `${document.getElementById("headline").textContent} · Mille Bornes`;
  again();
  mark();
  badge();
  offers();
  countdown();
  entropy();
}

// Go to another person who looks for an opponent, once.
let going = false;
function again() {
  const form = document.getElementById("look-again");
  if (!form || going) return;
  going = true;
  form.submit();
}

// Show the buttons that work only with a script.
function offers() {
  for (const copy of document.querySelectorAll("[data-copy]")) copy.hidden = false;
  if (navigator.share) for (const share of document.querySelectorAll("[data-share]")) share.hidden = false;
}

// The line above the table: what hasn't been sent, or that the connection is lost, or the latest message.
let said = "", saying = 0;
function say(text, ms = 3500) {
  said = text;
  const mine = ++saying;
  setTimeout(() => { if (mine === saying) { said = ""; note(); } }, ms);
  note();
}

function note() {
  const text = stuck && outbox.length ? play.dataset.sayUnsent.replace("{what}", outbox[0].what) : lost ? play.dataset.sayLost : said;
  if (notice.textContent !== text) notice.textContent = text;
}

// ---------------------------------------------------------------- motion

const still = matchMedia("(prefers-reduced-motion: reduce)");
const pace = () => (still.matches ? 0 : Number(options.speed ?? 1));

// Where a card comes from and where it goes, based on the latest move that all players have seen.
function movedFrom(old, now) {
  if (old.ply === now.ply || !now.move) return null;
  const card = now.move.replace(/^-/, "").replace(/[>=!].*$/, "");
  if (now.mover === now.seat && now.seat !== "") {
    return document.querySelector(".slot:has(:checked) .face") ?? faceOf(document.getElementById("hand"), card);
  }
  return document.querySelector(`[data-pile="hand-${now.mover}"]`);
}

const faceOf = (within, card) => within?.querySelector(`img[src*="/cards/${card}.svg"]`)?.closest(".face");

async function moved(source, old, now, swap) {
  const speed = pace();
  if (!speed || old.ply === now.ply || !document.startViewTransition || document.hidden) return swap();
  document.documentElement.style.setProperty("--pace", speed);
  if (source) source.style.viewTransitionName = "played";
  let target = null, drawn = null;
  const change = document.startViewTransition(async () => {
    if (source) source.style.viewTransitionName = "";
    await swap();
    target = document.querySelector(".latest .face"); // the server marks the pile with the card of the latest move
    if (target) target.style.viewTransitionName = "played";
    drawn = document.querySelector(".slot.new .face");
    if (drawn && drawn !== target) drawn.style.viewTransitionName = "drawn";
  });
  const end = () => { for (const element of [source, target, drawn]) if (element) element.style.viewTransitionName = ""; };
  change.ready.catch(() => {}); // skipped, because the page is hidden or another transition has begun; the page is up to date anyway
  change.finished.then(end, end);
  await change.updateCallbackDone;
}

// Celebrate a coup fourré on the road. An arrival and a match win have their own styles.
function celebrate(old, now) {
  if (old.ply === now.ply || !now.move.includes("!") || !pace()) return;
  table().classList.add("called");
  setTimeout(() => table().classList.remove("called"), 1300);
}

let bar = null;
function countdown() {
  const box = document.getElementById("window");
  const id = box?.dataset.window;
  if (!box) { bar = null; return; }
  if (bar?.id === id && bar.box === box) return;
  const left = Number(box.dataset.left), ms = Number(box.dataset.ms);
  const span = box.querySelector("span");
  const animation = span.animate(
    [{ transform: `scaleX(${left / ms})` }, { transform: "scaleX(0)" }],
    { duration: left, fill: "forwards", easing: still.matches ? "steps(7)" : "linear" });
  bar = { id, box, animation };
}

// Let the clocks run from the times in the latest update.
function clocks() {
  for (const shown of document.querySelectorAll("[data-clock]")) {
    if (shown.dataset.from !== shown.dataset.clock) { shown.dataset.from = shown.dataset.clock; shown.dataset.end = performance.now() + Number(shown.dataset.clock); }
    const left = Math.max(0, Math.ceil((Number(shown.dataset.end) - performance.now()) / 1000));
    shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (!left) for (const choice of shown.closest(".absent")?.querySelectorAll("button") ?? []) choice.disabled = false;
  }
}
setInterval(clocks, 500);

// ---------------------------------------------------------------- one stream for all tabs, and polling when it fails

// Browsers open only six connections to a server over HTTP/1.1, so the tabs share one stream. It belongs to the tab that
// was shown last, which leads. The stream also has news of the other tabs' tables, and these tabs fetch what is new.
let stream = null, heard = performance.now(), polling = 0, tries = 0;
let channel = null, term = 0, highest = 0, leader = 0, opening = 0, also = "";
const me = Math.random(), tabs = new Map(); // the other tabs: their tables, and when they were last heard

function connect() {
  try { channel = new BroadcastChannel("tables"); } catch { return; } // not available, so each tab has its own stream
  channel.onmessage = ({ data }) => hear(data);
}

const send = (data) => channel?.postMessage({ id: me, table: play.dataset.table, ...data });

function hear({ id, table: other, term: theirs, news, bye }) {
  if (bye) tabs.delete(id); else tabs.set(id, { table: other, at: performance.now() });
  if (theirs) {
    highest = Math.max(highest, theirs);
    if (term > theirs) send({ term }); else follow(id);
  } else if (bye && id === leader) {
    setTimeout(() => { if (leader === id) lead(); }, document.hidden ? 300 : 50 * Math.random());
  }
  if (news?.[0] === play.dataset.table && (news[2] || news[1] > shown)) poll();
  if (term && others() !== also) open();
}

// The tables of the other tabs that have been heard lately, as part of an address.
function others() {
  const since = performance.now() - SILENCE, found = new Set([...tabs.values()].map((tab) => tab.at > since && tab.table));
  return [...found].filter((name) => name && name !== play.dataset.table).sort().map((name) => `&also=${name}`).join("");
}

function lead() {
  leader = me;
  term = highest = Math.max(Date.now(), highest + 1) + Math.random();
  send({ term });
  open();
}

function follow(id) {
  close();
  leader = id;
  alive();
  send({});
}

function open() {
  heard = performance.now();
  clearTimeout(opening);
  opening = setTimeout(listen, channel ? 50 : 0); // until the other tabs have answered
}

function close() {
  clearTimeout(opening);
  stream?.close();
  term = 0;
}

function listen() {
  stream?.close();
  also = others();
  stream = new EventSource(`${address}/stream?after=${shown}${also}`);
  stream.addEventListener("beat", alive);
  stream.addEventListener("table", (event) => { alive(); take(event.data); send({ news: [play.dataset.table, event.lastEventId, true] }); });
  stream.addEventListener("news", (event) => { alive(); send({ news: event.data.split(" ") }); });
  stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) heard = -Infinity; };
}

function alive() {
  heard = performance.now();
  tries = 0;
  found();
  if (stuck) flush();
  if (!term) return;
  send({ term });
  if (others() !== also) open();
}

function miss() { lost = true; note(); }
function found() { lost = false; note(); }

async function poll() {
  if (polling) { polling = 2; return; }
  polling = 1;
  try {
    const answer = await fetch(`${address}/part?after=${seenVersion}`, { signal: AbortSignal.timeout(8000) });
    if (answer.ok) { await take(await answer.text()); found(); return; }
    if (answer.status === 404 || answer.status === 403) location.reload();
  } catch {
    miss();
  } finally {
    const more = polling > 1;
    polling = 0;
    if (more) poll(); // there was news in the meantime
  }
}

// Reopen a stream that is silent, and poll until it sends something again. A hidden tab waits longer, and doesn't poll.
let pollAt = 0;
setInterval(() => {
  const now = performance.now();
  if (stuck && now >= sendAt) flush();
  if (now - heard < SILENCE * (document.hidden ? 2 : 1)) return;
  if (now >= pollAt && !document.hidden) { pollAt = now + POLL; poll(); }
  if (now - heard > SILENCE * (1 + Math.min(tries, 1))) { tries += 1; lead(); }
}, 1000);

function wake() { if (!document.hidden) { lead(); poll(); } }
document.addEventListener("visibilitychange", wake);
addEventListener("pageshow", (event) => { if (event.persisted) { connect(); wake(); } });
addEventListener("online", () => { wake(); flush(); });
addEventListener("offline", miss);
addEventListener("pagehide", () => {
  close();
  send({ bye: true });
  channel?.close(); // an open one would keep the page out of the cache of the back button
  channel = null;
});

// ---------------------------------------------------------------- forms

const check = () => setTimeout(() => { if (shown === Number(table().dataset.version)) poll(); }, 700);

// Send each command, with its key, until the server answers, so that no command is lost or counts twice. The commands
// survive a reload, because players without a connection may reload the page.
const BOX = `outbox-${play.dataset.table}`, AGAIN = 2000; // ms before a command is sent again
const RETRIED = [408, 429, 502, 503, 504];
let sending = false, sendAt = 0;
try { outbox = JSON.parse(sessionStorage.getItem(BOX)) ?? []; } catch { /* private window */ }

document.addEventListener("submit", (event) => {
  const button = event.submitter, form = event.target;
  if (!form.matches("[data-send]")) return;
  event.preventDefault();
  const what = button?.dataset.label ?? button?.textContent.trim() ?? "";
  if (options.confirm && button && form.matches(".hand, #answers") && !button.dataset.sure) {
    forget();
    askAgain(button);
    button.focus();
    return;
  }
  forget();
  const fields = new FormData(form), action = form.getAttribute("action");
  if (button?.name) fields.append(button.name, button.value);
  const body = String(new URLSearchParams(fields)), asked = form.matches(".hand, #answers") ? fields.get("version") : null;
  // Each question gets one answer. A command that is still being sent may answer an earlier question.
  if (outbox.some((other) => other.action === action && (other.body === body || asked !== null && other.asked === asked))) return;
  outbox.push({ action, body, what, asked, slot: button?.closest("[data-slot]")?.dataset.slot });
  keepBox();
  flush();
});

function askAgain(button) {
  if (button.dataset.sure) return;
  button.dataset.label = button.textContent.trim();
  button.dataset.sure = "1";
  button.textContent = `${play.dataset.sayConfirm} ${button.dataset.label}`;
}

// After another choice, ask for confirmation again.
function forget() {
  for (const button of document.querySelectorAll("[data-sure]")) {
    button.textContent = button.dataset.label;
    delete button.dataset.sure;
  }
}

function keepBox() { try { sessionStorage.setItem(BOX, JSON.stringify(outbox)); } catch { /* private window */ } }

async function flush() {
  if (sending || !outbox.length) return;
  sending = true;
  const { action, body } = outbox[0], late = setTimeout(() => stick(true), AGAIN);
  let text = "", isDone = false, wait = AGAIN;
  try {
    const answer = await fetch(action, { method: "POST", headers: { "hx-request": "true" }, body: new URLSearchParams(body), signal: AbortSignal.timeout(10000) });
    if (!answer.ok) text = new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent.trim();
    isDone = !RETRIED.includes(answer.status);
    wait = 1000 * Number(answer.headers.get("retry-after")) || AGAIN;
  } catch { lost = true; }
  clearTimeout(late);
  sending = false;
  sendAt = performance.now() + wait;
  if (isDone) { outbox.shift(); keepBox(); say(text, 6000); check(); }
  stick(!isDone);
  if (isDone) flush();
}

function stick(is) { stuck = is; note(); mark(); }

const phrases = document.getElementById("phrases");

// Clear the field when a message is sent, so that the player can write the next one in the meantime. If the message is
// refused or lost, put it back, unless the player has begun another.
const chat = document.querySelector(".chat"), line = document.getElementById("say");
const isPhrase = (request) => request.submitter?.name === "phrase";
chat?.addEventListener("htmx:before:request", () => say(""));
chat?.addEventListener("htmx:config:request", (event) => {
  if (isPhrase(event.detail.ctx.request)) return;
  if (line.value.trim()) line.value = ""; else event.preventDefault();
});
chat?.addEventListener("htmx:finally:request", (event) => {
  const { request, response } = event.detail.ctx;
  check();
  if (!response) miss();
  if (response?.status < 400) shut();
  else if (!isPhrase(request)) line.value ||= request.body.get("text");
});

// Close the menu of phrases after a phrase has been sent, on Escape, and on a press elsewhere.
function shut() {
  if (!phrases?.open) return;
  const within = phrases.contains(document.activeElement);
  phrases.open = false;
  if (within) phrases.querySelector("summary").focus();
}
phrases?.addEventListener("toggle", () => { if (phrases.open) phrases.scrollIntoView({ block: "nearest" }); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") shut(); });
document.addEventListener("pointerdown", (event) => { if (!phrases?.contains(event.target)) shut(); });

document.addEventListener("click", async (event) => {
  const copy = event.target.closest?.("[data-copy]");
  if (copy) {
    const field = document.getElementById(copy.dataset.copy);
    try { await navigator.clipboard.writeText(field.value); } catch { field.select(); document.execCommand("copy"); }
    say(play.dataset.sayCopied);
  }
  const share = event.target.closest?.("[data-share]");
  if (share) navigator.share({ url: document.getElementById(share.dataset.share).value }).catch(() => { /* closed */ });
});

// Send this browser's contribution to the shuffle (see the page "check this deal").
let given = "";
function entropy() {
  const hand = table().dataset.entropy, key = `${hand} ${shown}`;
  if (!hand || given === key) return;
  given = key;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  fetch(`${address}/entropy`, { method: "POST", headers: { "hx-request": "true" }, body: new URLSearchParams({ hand, bytes: hex }) }).catch(() => {});
}

// ---------------------------------------------------------------- choosing a card and its target by taps, drags or keys

const slotOf = (element) => element?.closest?.(".slot");
const chosen = () => slotOf(document.querySelector(".hand input:checked"));
const ways = (slot) => [...document.querySelectorAll(`#actions [data-slot="${slot?.id}"] button`)];
const plays = (slot) => ways(slot).filter((way) => way.dataset.side !== "-1");
const button = (slot, side) => ways(slot).find((way) => way.dataset.side === side);
const press = (found) => { if (found) found.form.requestSubmit(found); };

function mark() {
  for (const old of document.querySelectorAll(".target")) old.classList.remove("target", "aimed");
  for (const slot of document.querySelectorAll(".slot")) slot.classList.toggle("unsent", stuck && slot.id === outbox[0]?.slot);
  for (const way of ways(chosen())) place(way.dataset.side)?.classList.add("target");
}

function place(side) {
  return side === "-1" ? document.getElementById("discard") : document.querySelector(`.board[data-side="${side}"]`);
}

function choose(input, is = true) {
  if (!input) return;
  input.checked = is;
  forget();
  mark();
}

document.addEventListener("change", (event) => {
  if (event.target.matches(".hand input[type=radio]")) choose(event.target);
  const option = event.target.dataset.option;
  if (option) {
    options[option] = event.target.type === "checkbox" ? event.target.checked : event.target.value;
    keep();
    if (option === "sound") { offered.hidden = true; sound("turn"); }
    if (option === "notify" && options.notify) permit(event.target);
  }
});

// Tapping a card again deselects it. With the option for quick play, a card with only one target is played at once.
let before = null;
document.addEventListener("pointerdown", (event) => { before = slotOf(event.target)?.querySelector(":checked") ?? null; }, { capture: true });
document.addEventListener("click", (event) => {
  const slot = slotOf(event.target);
  if (slot && event.detail) {
    const input = slot.querySelector("input");
    if (before === input) setTimeout(() => choose(input, false));
    else if (options.quick && plays(slot).length === 1) setTimeout(() => press(plays(slot)[0]));
    return;
  }
  const target = event.target.closest?.(".target");
  if (!target || event.target.closest("a, button, input, label")) return;
  event.preventDefault(); // otherwise a rival's row would open
  press(button(chosen(), target.dataset.side));
});

let drag = null;
document.addEventListener("pointerdown", (event) => {
  const slot = slotOf(event.target);
  if (!slot || event.button || drag) return;
  drag = { id: event.pointerId, slot, x: event.clientX, y: event.clientY, ghost: null };
});
document.addEventListener("pointermove", (event) => {
  if (drag?.id !== event.pointerId) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 9) return;
    choose(drag.slot.querySelector("input"));
    const face = drag.slot.querySelector(".face"), box = face.getBoundingClientRect();
    drag.ghost = face.cloneNode(true);
    drag.ghost.classList.add("ghost");
    drag.ghost.style.width = `${box.width}px`;
    drag.ghost.style.setProperty("--fw", `${box.width}px`);
    drag.ghost.style.height = `${box.height}px`;
    document.body.append(drag.ghost);
  }
  drag.ghost.style.transform = `translate(${event.clientX - 30}px, ${event.clientY - 50}px)`;
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".target");
  for (const target of document.querySelectorAll(".target")) target.classList.toggle("aimed", target === under);
});
const unclick = (click) => { click.preventDefault(); click.stopPropagation(); }; // a mouse drag ends with a click that must not count
const drop = (event) => {
  if (drag?.id !== event.pointerId) return;
  const { slot, ghost } = drag;
  drag = null;
  if (!ghost) return;
  ghost.remove();
  const under = event.type === "pointerup" && document.elementFromPoint(event.clientX, event.clientY)?.closest(".target");
  if (under) press(button(document.getElementById(slot.id), under.dataset.side)); // an update may have replaced the element
  setTimeout(mark);
  if (event.pointerType !== "mouse") addEventListener("touchstart", retap, { capture: true, once: true });
  else {
    addEventListener("click", unclick, { capture: true, once: true });
    addEventListener("pointerdown", () => removeEventListener("click", unclick, true), { capture: true, once: true });
  }
};

// After a quick drag, browsers ignore the next tap, as if it stopped a scrolling page, so its click is made here.
function retap({ changedTouches: [from] }) {
  addEventListener("touchend", (event) => {
    const [to] = event.changedTouches, tapped = event.target.closest?.("button, a, summary, label, .target");
    if (!tapped || !event.cancelable || Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) > 9) return;
    event.preventDefault();
    tapped.click();
  }, { capture: true, once: true, passive: false });
}

document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);

// What a key means in any layout. A digit or Latin letter counts as typed, even in full width. Otherwise, the keys of the
// digit row count by their place (AZERTY types "&" for 1), and so do letters of other scripts (Cyrillic types "г" for U).
function meaning({ key, code }) {
  const typed = key.normalize("NFKC").toLowerCase(), [, where, at] = /^(Digit|Numpad|Key)(\w)$/.exec(code) ?? [];
  if (/^[0-9a-z]$/.test(typed)) return typed;
  // A key of the number pad can also be an arrow, and an accented letter has a place of its own.
  const byPlace = { Digit: true, Numpad: key.length === 1, Key: /^(?!\p{sc=Latin})[\p{L}\p{M}]/u.test(key) }[where];
  return byPlace ? at.toLowerCase() : typed;
}

// The letters of the terminal game, and numbers for the places in the hand.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  const key = meaning(event), slots = [...document.querySelectorAll(".slot")];
  if (/^[1-9]$/.test(key) && slots[key - 1]) {
    const input = slots[key - 1].querySelector("input");
    input.focus();
    choose(input);
  } else if (key === "u" || (key === "enter" && event.target.matches(".hand input"))) {
    const found = plays(chosen());
    if (found.length === 1) press(found[0]); else (found[0] ?? ways(chosen())[0])?.focus();
  } else if (key === "d") {
    press(button(chosen(), "-1"));
  } else if (key === "y" || key === "n") {
    press(document.querySelector(`#answers [data-answer="${key === "y" ? "yes" : "no"}"]`));
  } else if (key === "escape") {
    if (talk.matches(":popover-open") || phrases?.open) return;
    choose(document.querySelector(".hand input:checked"), false);
  } else if (key === "l") {
    if (getComputedStyle(talk).position === "fixed") talk.showPopover();
    document.getElementById("tab-log").checked = true;
    record.focus();
  } else { return; }
  event.preventDefault();
});

// ---------------------------------------------------------------- card help on hover, focus or a long press

const help = document.getElementById("card-help");
const HOVERED = 800, PRESSED = 550, LEFT = 250; // ms before the help appears or disappears
let helpTimer = 0;

// Places on the boards have a title, which a mouse shows by itself.
const helpedBy = (element) => slotOf(element) ?? element?.closest?.(".mini[title]");

function explain(slot, wait) {
  clearTimeout(helpTimer);
  helpTimer = setTimeout(() => {
    const text = slot.querySelector("input")?.getAttribute("aria-description") ?? slot.title;
    if (!text || !slot.isConnected || drag?.ghost) return;
    help.textContent = text;
    help.showPopover();
    const box = slot.getBoundingClientRect(), own = help.getBoundingClientRect();
    help.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - own.width / 2, innerWidth - own.width - 8))}px`;
    help.style.top = `${Math.max(8, box.top - own.height - 10)}px`;
    if (wait === PRESSED) addEventListener("click", unclick, { capture: true, once: true }); // the long press asked for help, so it isn't a click
  }, wait);
}

function unexplain(wait = 0) {
  clearTimeout(helpTimer);
  helpTimer = setTimeout(() => { if (help.matches(":popover-open")) help.hidePopover(); }, wait);
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  const slot = slotOf(event.target);
  if (slot) explain(slot, HOVERED);
  else if (event.target === help) clearTimeout(helpTimer);
  else unexplain(LEFT);
});
document.addEventListener("pointerdown", (event) => {
  unexplain();
  removeEventListener("click", unclick, true);
  if (event.pointerType !== "mouse" && helpedBy(event.target)) explain(helpedBy(event.target), PRESSED);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(helpTimer));
document.addEventListener("contextmenu", (event) => { if (helpedBy(event.target) && event.pointerType !== "mouse") event.preventDefault(); });
document.addEventListener("focusin", (event) => { if (slotOf(event.target) && event.target.matches(":focus-visible")) explain(slotOf(event.target), HOVERED); });
document.addEventListener("focusout", () => unexplain());
document.addEventListener("keydown", (event) => { if (event.key === "Escape") unexplain(); }, { capture: true });

// ---------------------------------------------------------------- sound, which is off by default

let audio = null;
function sound(kind) {
  if (!options.sound) return;
  const tones = { turn: [660, 880], coup: [523, 659, 784, 1047], moved: [330], drove: [294, 392], hit: [208, 156], discarded: [247], requested: [587, 494], hand_over: [523, 392], match_over: [523, 659, 784], chat: [740] }[kind];
  if (!tones) return;
  try {
    audio ??= new AudioContext();
    tones.forEach((frequency, n) => {
      const tone = audio.createOscillator(), gain = audio.createGain(), at = audio.currentTime + 0.09 * n;
      tone.frequency.value = frequency;
      gain.gain.setValueAtTime(0.0001, at);
      gain.gain.exponentialRampToValueAtTime(0.09, at + 0.015);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.18);
    });
  } catch { /* this browser can't play sounds */ }
}

// ---------------------------------------------------------------- notifying players who look elsewhere

const icon = document.querySelector("link[rel=icon]"), quietIcon = icon?.href;

async function permit(box) {
  const answer = "Notification" in window ? await Notification.requestPermission() : "denied";
  if (answer === "granted") return;
  box.checked = options.notify = false; // the browser refuses, or has no notifications
  keep();
}

function notify() {
  if (!document.hidden) return;
  if (icon) icon.href = play.dataset.iconTurn;
  navigator.setAppBadge?.().catch(() => {});
  if (!options.notify) return;
  navigator.vibrate?.(80);
  try {
    const told = new Notification("Mille Bornes", { body: document.getElementById("headline").textContent, tag: play.dataset.table });
    told.onclick = () => { window.focus(); told.close(); };
  } catch { /* some phones allow notifications only from service workers */ }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (icon) icon.href = quietIcon;
  navigator.clearAppBadge?.().catch(() => {});
});

// ---------------------------------------------------------------- start

document.getElementById("switches").hidden = false;
// Offer sound to players who haven't decided about it yet.
const offered = document.getElementById("offer-sound");
offered.hidden = options.sound !== undefined;
offered.addEventListener("click", (event) => {
  if (!event.target.value) return;
  const box = document.querySelector("[data-option=sound]");
  box.checked = event.target.value === "yes";
  box.dispatchEvent(new Event("change", { bubbles: true }));
});

for (const input of document.querySelectorAll("[data-option]")) {
  const value = options[input.dataset.option];
  if (value === undefined) continue;
  if (input.type === "checkbox") input.checked = value; else input.value = value;
}
record.scrollTop = record.scrollHeight;
offers();
countdown();
entropy();
again();
connect();
if (document.hidden) { send({}); setTimeout(() => { if (!leader) lead(); }, 300); } else lead();
stuck = outbox.length > 0;
flush();
