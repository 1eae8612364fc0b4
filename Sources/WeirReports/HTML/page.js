"use strict";
// The page works without this script; it adds the time range, search, folding and details. It reads the records at the
// end of each capture and never writes markup: texts from the wire become text nodes only.

/**
 * @typedef {{capture: string, session: string, pane: string, event: string, from: number | null, to: number | null,
 *   q: string}} State
 * @typedef {Record<string, any>} Fields
 */

/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement | null} */
const one = (selector, root = document) => root.querySelector(selector);
/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement[]} */
const all = (selector, root = document) => [...root.querySelectorAll(/** @type {"div"} */ (selector))];
/** @param {string} id @returns {HTMLElement} */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {State} */
const state = { capture: "c1", session: "", pane: "", event: "", from: null, to: null, q: "" };
const languages = [document.documentElement.lang, document.body.dataset.other ?? "en"];
let language = languages[0];

/**
 * Characters that are invisible or reorder a line, as the other reports escape them.
 */
const unprintable = new RegExp(
  "[\\0-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e" +
    "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}" +
    "\\u{e0000}-\\u{e0fff}]",
  "gu",
);

/** @param {unknown} value @returns {string} */
function clean(value) {
  return String(value).replace(unprintable, (mark) => {
    const code = (mark.codePointAt(0) ?? 0).toString(16);
    return "\\x" + code.padStart(2, "0");
  });
}

/**
 * @param {string} name @param {string} [look] @param {(Node | string)[]} content
 * @returns {HTMLElement}
 */
function make(name, look = "", ...content) {
  const element = document.createElement(name);
  if (look) element.className = look;
  for (const part of content) element.append(typeof part === "string" ? clean(part) : part);
  return element;
}

/** @param {string} key @returns {string} */
function label(key) {
  const source = /** @type {HTMLTemplateElement} */ (byId("labels")).content;
  return source.getElementById("t-" + key)?.textContent ?? key;
}

// Records

/** The records of one capture, parsed when needed. */
class Records {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    /** @type {Map<string, string>} */
    this.events = new Map();
    /** @type {Map<string, Fields[]> | null} */
    this.found = null;
    /** @type {Map<string, string>} */
    this.values = new Map();
    const text = one("script.records", section)?.textContent ?? "";
    /** @type {string[]} */
    this.lines = text.split("\n");
    for (const line of this.lines) {
      const match = /^\{"record":"event","id":(\d+)/.exec(line);
      if (match) this.events.set(match[1], line);
    }
  }

  /** @param {string} id @returns {Fields | null} */
  event(id) {
    const line = this.events.get(id);
    return line ? JSON.parse(line) : null;
  }

  /**
   * The values of an event in lower case, without the names of its fields.
   * @param {string} id @returns {string}
   */
  text(id) {
    let text = this.values.get(id);
    if (text === undefined) {
      text = (this.events.get(id) ?? "").replace(/"\w+":/g, " ").toLowerCase();
      this.values.set(id, text);
    }
    return text;
  }

  /** @param {string} id @returns {Fields[]} */
  findings(id) {
    if (!this.found) {
      this.found = new Map();
      for (const line of this.lines) {
        if (!line.startsWith('{"record":"finding"')) continue;
        const finding = JSON.parse(line);
        const key = String(finding.event ?? "");
        this.found.set(key, [...(this.found.get(key) ?? []), finding]);
      }
    }
    return this.found.get(id) ?? [];
  }
}

/** @type {Map<string, Records>} */
const records = new Map();

/** @param {HTMLElement} section @returns {Records} */
function recordsOf(section) {
  let known = records.get(section.id);
  if (!known) {
    known = new Records(section);
    records.set(section.id, known);
  }
  return known;
}

/** @param {Element | null} element @returns {HTMLElement} */
function captureOf(element) {
  return element?.closest(".capture") ?? document.getElementById(state.capture) ?? all(".capture")[0];
}

// The fragment: capture, session, pane, event, range and search

function writeFragment() {
  const parts = new URLSearchParams();
  if (all(".capture").length > 1) parts.set("capture", state.capture);
  if (state.session) parts.set("session", state.session);
  if (state.pane) parts.set("pane", state.pane);
  if (state.event) parts.set("event", state.event);
  if (state.from !== null && state.to !== null) {
    parts.set("from", seconds(state.from));
    parts.set("to", seconds(state.to));
  }
  if (state.q) parts.set("q", state.q);
  const text = parts.toString();
  history.replaceState(null, "", "#" + text);
}

function readFragment() {
  const text = location.hash.slice(1);
  const place = /^(c\d+)([esm])(\d+)$/.exec(text);
  if (place) {
    enter(place[1]);
    if (place[2] === "e") return select(byId(text), true);
    return reveal(byId(text));
  }
  const parts = new URLSearchParams(text);
  if (!/[=]/.test(text)) return;
  enter(all(".capture").some((section) => section.id === parts.get("capture")) ? parts.get("capture") ?? "c1" : "c1");
  state.session = parts.get("session") ?? "";
  state.pane = parts.get("pane") ?? "";
  const [from, to] = [parts.get("from"), parts.get("to")].map((word) => (word === null ? NaN : Number(word) * 1000));
  setRange(captureOf(null), from < to ? from : null, to);
  const query = parts.get("q") ?? "";
  /** @type {HTMLInputElement} */ (byId("q")).value = query;
  if (query || state.q) search(query);
  const event = parts.get("event");
  const row = event ? document.getElementById(`${state.capture}e${event}`) : null;
  if (row) return select(row, true);
  const session = state.session ? document.getElementById(`${state.capture}s${state.session}`) : null;
  const pane = state.pane ? document.getElementById(`${state.capture}s${state.session}-${state.pane}`) : null;
  if (session) reveal(pane ?? session);
}

/** @param {HTMLElement | null} element */
function reveal(element) {
  if (!element) return;
  for (let above = element; above; above = /** @type {HTMLElement} */ (above.parentElement)) {
    if (above instanceof HTMLDetailsElement) above.open = true;
    if (above.id === "main") break;
  }
  const scroll = () => element.scrollIntoView({ block: element.matches("li") ? "center" : "start" });
  scroll();
  // Rows that become visible have other heights than estimated.
  requestAnimationFrame(() => requestAnimationFrame(scroll));
}

/** @param {number} milliseconds @returns {string} */
function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(6).replace(/\.?0+$/, "");
}

// The time range

/** @param {HTMLElement} section @returns {[number, number]} */
function view(section) {
  const whole = Number(section.dataset.ms);
  if (state.capture !== section.id || state.from === null || state.to === null) return [0, whole];
  return [state.from, state.to];
}

/**
 * Makes a capture the current one: a range applies to one capture.
 * @param {string} id
 */
function enter(id) {
  if (state.capture !== id && state.from !== null) setRange(captureOf(null), null, null);
  state.capture = id;
}

/** @param {HTMLElement} section @param {number | null} from @param {number | null} to */
function setRange(section, from, to) {
  const whole = Number(section.dataset.ms);
  enter(section.id);
  state.from = state.to = null;
  // A range is the part that lies in the capture, and has at least a microsecond.
  const [least, most] = [Math.max(0, from ?? 0), Math.min(whole, to ?? whole)];
  if (from !== null && least < most && most - least < whole) {
    const length = Math.max(0.001, most - least);
    state.from = Math.min(least, whole - length);
    state.to = state.from + length;
  }
  drawRange(section);
  filterRows(section);
  if (state.q) search(state.q);
  const button = byId("range");
  button.hidden = state.from === null;
  if (state.from !== null) button.textContent = `${seconds(state.from)}–${seconds(state.to ?? 0)} s ×`;
  button.setAttribute("aria-label", `${label("range")} ${button.textContent}`);
  // The print says that it is an excerpt.
  const head = /** @type {HTMLElement | null} */ (one("header.facts", section));
  if (head) head.dataset.range = button.hidden ? "" : `${label("range")} ${button.textContent?.slice(0, -2)}`;
  writeFragment();
}

/**
 * The labels of a time axis, in seconds: at most six, at 1, 2 or 5 times a power of ten.
 * @param {number} from
 * @param {number} to
 */
function ticks(from, to) {
  const least = Math.max(1e-6, (to - from) / 6);
  const unit = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const step = unit * ([1, 2, 5].find((factor) => factor * unit >= least * 0.999999) ?? 10);
  const places = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const marks = [];
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to; index++) {
    const part = (index * step - from) / (to - from);
    const place = `${(part * 100).toFixed(2)}%`;
    const anchor = part < 0.04 ? "start" : part > 0.96 ? "end" : "middle";
    const text = drawn("text", { x: place, y: "15", "text-anchor": anchor });
    text.textContent = (index * step).toFixed(places) + " s";
    marks.push(drawn("line", { x1: place, x2: place, y2: "4" }), text);
  }
  return marks;
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 */
function drawn(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** @param {HTMLElement} section */
function drawRange(section) {
  const [from, to] = view(section);
  for (const svg of section.querySelectorAll(".plot:not(.strip) > svg")) {
    const height = svg.getAttribute("viewBox")?.split(" ")[3] ?? "100";
    // Positions are relative to the start of the graph, so that they are exact in long captures.
    svg.setAttribute("viewBox", `${from - Number(/** @type {SVGElement} */ (svg).dataset.x ?? 0)} 0 ${to - from} ${height}`);
  }
  for (const axis of all(".axis", section)) {
    if (axis.closest(".timeline")) continue;
    axis.firstElementChild?.replaceChildren(...ticks(from / 1000, to / 1000));
  }
  const strip = one(".strip", section);
  one(".selection", section)?.remove();
  if (!strip || state.from === null) return;
  const whole = Number(section.dataset.ms);
  const mark = make("div", "selection");
  mark.style.left = `${(from / whole) * 100}%`;
  mark.style.width = `${((to - from) / whole) * 100}%`;
  strip.append(mark);
}

/** @param {HTMLElement} section */
function filterRows(section) {
  const [from, to] = view(section);
  const isWhole = state.from === null || state.capture !== section.id;
  for (const row of all(".rows li[data-o]", section)) {
    if (row.classList.contains("fold")) continue;
    const offset = Number(row.dataset.o || NaN) * 1000;
    row.hidden = !isWhole && !(offset >= from && offset <= to);
  }
  for (const fold of all(".rows li.fold", section)) fold.hidden = !one("li:not([hidden])", fold);
  for (const phase of all(".phase", section)) phase.hidden = !one(".rows > li:not([hidden])", phase);
}

/**
 * The time under the pointer.
 * @param {HTMLElement} plot @param {number} x @returns {number}
 */
function timeAt(plot, x) {
  const section = captureOf(plot);
  const [from, to] = plot.classList.contains("strip") ? [0, Number(section.dataset.ms)] : view(section);
  const box = plot.getBoundingClientRect();
  return from + Math.min(1, Math.max(0, (x - box.left) / box.width)) * (to - from);
}

/** @param {HTMLElement} section @param {number | null} time */
function drawCross(section, time) {
  for (const mark of all(".cross", section)) mark.remove();
  if (time === null) return;
  const range = view(section);
  for (const plot of all(".plot", section)) {
    const [from, to] = plot.classList.contains("strip") ? [0, Number(section.dataset.ms)] : range;
    if (time < from || time > to) continue;
    const mark = make("div", "cross");
    mark.style.left = `${((time - from) / (to - from)) * 100}%`;
    if (plot.classList.contains("strip")) mark.dataset.time = (time / 1000).toFixed(3) + " s";
    plot.append(mark);
  }
}

function watchPlots() {
  /** @type {{plot: HTMLElement, from: number, x: number} | null} */
  let drag = null;
  let last = { time: -Infinity, x: 0, y: 0, section: captureOf(null) };
  const drop = () => {
    drag = null;
    one(".selection.drag")?.remove();
  };
  document.addEventListener("pointercancel", drop);
  document.addEventListener("pointerdown", (event) => {
    drop();
    if (event.button !== 0) return;
    // The first of two clicks selects a message, which moves the page: the second is at the same place of the window.
    if (event.timeStamp - last.time < 400 && Math.hypot(event.clientX - last.x, event.clientY - last.y) < 6) {
      last.time = -Infinity;
      event.preventDefault();
      return setRange(last.section, null, null);
    }
    const plot = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".plot"));
    if (!plot) return;
    drag = { plot, from: timeAt(plot, event.clientX), x: event.clientX };
    plot.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    const target = /** @type {Element} */ (event.target);
    const plot = drag?.plot ?? /** @type {HTMLElement | null} */ (target.closest?.(".plot"));
    const row = /** @type {HTMLElement | null} */ (target.closest?.(".rows li[data-o]"));
    if (plot) drawCross(captureOf(plot), timeAt(plot, event.clientX));
    else if (row) drawCross(captureOf(row), Number(row.dataset.o) * 1000);
    if (!drag || !plot) return;
    one(".selection.drag")?.remove();
    const box = plot.getBoundingClientRect();
    const mark = make("div", "selection drag");
    mark.style.left = `${Math.min(drag.x, event.clientX) - box.left}px`;
    mark.style.width = `${Math.abs(event.clientX - drag.x)}px`;
    plot.append(mark);
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { plot, from, x } = drag;
    drop();
    const to = timeAt(plot, event.clientX);
    if (Math.abs(event.clientX - x) < 4) {
      last = { time: event.timeStamp, x: event.clientX, y: event.clientY, section: captureOf(plot) };
      return selectNear(plot, to);
    }
    state.pane = plot.classList.contains("strip") ? state.pane : "graphs";
    setRange(captureOf(plot), Math.min(from, to), Math.max(from, to));
  });
}

/**
 * Selects the message nearest to a time, of the session that the graph belongs to.
 * @param {HTMLElement} plot @param {number} time
 */
function selectNear(plot, time) {
  let best = null;
  let least = Infinity;
  for (const row of all("li.s[data-o]", plot.closest(".session") ?? captureOf(plot))) {
    const distance = Math.abs(Number(row.dataset.o) * 1000 - time);
    if (!row.hidden && distance < least) [best, least] = [row, distance];
  }
  if (best) select(best, true);
}

// Rows and details

/** The rows that can be reached by keyboard: visible, and not inside a closed fold or session. */
function reachable() {
  return all("li.s").filter((row) => !row.hidden && !row.closest("details:not([open])") && !row.closest("[hidden]"));
}

/** @param {HTMLElement | null} row @param {boolean} [moves] */
function select(row, moves = false) {
  if (!row) return;
  const section = captureOf(row);
  one("li.selected")?.classList.remove("selected");
  one('.go[aria-current="true"]')?.removeAttribute("aria-current");
  row.classList.add("selected");
  const link = one(".go", row);
  link?.setAttribute("aria-current", "true");
  enter(section.id);
  state.event = row.id.slice(section.id.length + 1);
  state.session = /** @type {HTMLElement | null} */ (row.closest(".session"))?.dataset.session ?? "";
  state.pane = "ladder";
  if (row.hidden) setRange(section, null, null);
  showDetails(section, state.event);
  if (moves) reveal(row);
  link?.focus({ preventScroll: true });
  drawCross(section, Number(row.dataset.o) * 1000);
  writeFragment();
}

/** @param {number} step */
function move(step) {
  const rows = reachable();
  const now = one("li.selected");
  const index = now ? rows.indexOf(now) : -1;
  const next = index < 0 ? (step > 0 ? firstInView(rows) : rows.length - 1) : index + step;
  if (rows[next]) select(rows[next], true);
}

/** @param {HTMLElement[]} rows @returns {number} */
function firstInView(rows) {
  return Math.max(0, rows.findIndex((row) => row.getBoundingClientRect().top > 120));
}

/** @param {string} selector @param {number} step */
function moveAmong(selector, step) {
  const places = all(selector).filter((place) => !place.hidden && !place.closest(".phase[hidden]"));
  if (places.length === 0) return;
  const now = one("li.selected") ?? one(selector + ".here");
  let index = now ? places.findIndex((place) => place === now || place.contains(now)) : -1;
  if (now && index < 0) {
    const next = places.findIndex((place) => now.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING);
    index = next < 0 ? places.length - (step > 0 ? 1 : 0) : next - (step > 0 ? 1 : 0);
  }
  const place = places[(index + step + places.length) % places.length];
  for (const other of all(".here")) other.classList.remove("here");
  place.classList.add("here");
  if (place.matches("li.s")) return select(place, true);
  reveal(place);
  const first = one("summary", place) ?? one("a", place);
  first?.focus({ preventScroll: true });
}

/** @param {HTMLElement} section @param {string} id */
function showDetails(section, id) {
  const record = recordsOf(section).event(id);
  const panel = byId("details");
  if (!record) return closeDetails();
  const isOther = language !== languages[0];
  /** @param {Fields} source @param {string} key */
  const text = (source, key) => (isOther && source.other?.[key]) || source[key];
  panel.replaceChildren();
  const close = make("button", "", "✕");
  close.id = "close";
  close.setAttribute("aria-label", label("close"));
  close.addEventListener("click", closeDetails);
  const steps = [["↑", -1, "previous"], ["↓", 1, "next"]].map(([sign, step, key]) => {
    const button = make("button", "", String(sign));
    button.setAttribute("aria-label", label(String(key)));
    button.addEventListener("click", () => move(Number(step)));
    return button;
  });
  panel.append(make("header", "", make("h2", "", `${label("frame")} ${record.frame}`), ...steps, close));
  panel.append(make("p", "what", make("b", "", record.protocol.toUpperCase()), text(record, "summary")));
  if (record.note) panel.append(make("p", "", text(record, "note")));
  panel.append(facts(section, record));
  const findings = recordsOf(section).findings(id);
  if (findings.length > 0) panel.append(make("h3", "", label("findings")));
  for (const finding of findings) panel.append(card(finding, text));
  const remarks = text(record, "remarks");
  if (remarks) {
    panel.append(make("h3", "", label("remarks")));
    for (const remark of remarks) panel.append(make("p", "", remark));
  }
  if (record.fields) panel.append(make("h3", "", label("fields")), tree(record.fields));
  panel.hidden = false;
  panel.scrollTop = 0;
  document.body.classList.add("split");
}

/** @param {HTMLElement} section @param {Fields} record @returns {HTMLElement} */
function facts(section, record) {
  const list = make("dl");
  /** @param {string} key @param {(Node | string)[]} content */
  const add = (key, ...content) => list.append(make("div", "", make("dt", "", label(key)), make("dd", "", ...content)));
  add("time", `${record.offset} s`, make("br"), make("span", "dim", record.time));
  if (record.firstFrame) add("frames", `${record.firstFrame}–${record.frame}`);
  add("from", endpoint(record.source));
  add("to", endpoint(record.destination));
  add("flow", String(record.flow) + (record.stream ? `, ${label("stream")} ${record.stream}` : ""));
  const request = record.fields?.requestEvent ?? record.fields?.replyTo;
  if (record.fields?.latencyMs !== undefined) add("latency", `${record.fields.latencyMs} ms`);
  if (request) {
    const row = document.getElementById(`${section.id}e${request}`);
    const name = row ? one(".m > span", row)?.textContent ?? "" : `${label("record")} ${request}, ${label("dropped")}`;
    if (row) {
      const link = /** @type {HTMLAnchorElement} */ (make("a", "", name));
      link.href = "#" + row.id;
      add("answers", link);
    } else {
      add("answers", name);
    }
  }
  return list;
}

/** @param {Fields} finding @param {(source: Fields, key: string) => string} text @returns {HTMLElement} */
function card(finding, text) {
  const look = finding.verdict === "fail" && !finding.waivedBy ? finding.severity : "";
  const box = make("div", `card ${look}`, make("p", "rule", finding.rule), make("p", "", text(finding, "message")));
  const list = make("dl");
  for (const [key, value] of [
    ["expected", text(finding, "expected")],
    ["actual", text(finding, "actual")],
    ["clause", finding.reference],
    ["fix", text(finding, "mend")],
    ["quirk", finding.quirk],
    ["waived", finding.waivedBy],
  ]) {
    if (value) list.append(make("div", "", make("dt", "", label(key)), make("dd", "", value)));
  }
  box.append(list);
  return box;
}

/** @param {Fields} end @returns {string} */
function endpoint(end) {
  if (!end) return "";
  const address = String(end.address).includes(":") ? `[${end.address}]` : end.address;
  return end.port === undefined ? address : `${address}:${end.port}`;
}

/** The number of members and elements of a level that are shown at first. */
const mostShown = 60;

/** @param {any} value @returns {HTMLElement} */
function tree(value) {
  const box = make("div", "tree");
  /** @type {[string, any][]} */
  const entries = Array.isArray(value) ? value.map((item, index) => pairOf(item, index)) : Object.entries(value);
  /** @param {[string, any][]} some */
  const add = (some) => {
    for (const [key, item] of some) {
      const isEnd = item && typeof item === "object" && Object.keys(item).join() === "address,port";
      if (item === null || typeof item !== "object" || isEnd) {
        const look = `v-${item === null ? "null" : typeof item}`;
        box.append(make("div", "", make("span", "k", `${key}: `), make("span", look, isEnd ? endpoint(item) : String(item))));
      } else if (Object.keys(item).length === 0) {
        box.append(make("div", "", make("span", "k", `${key}: `), Array.isArray(item) ? "[]" : "{}"));
      } else {
        const branch = /** @type {HTMLDetailsElement} */ (make("details", "", make("summary", "k", key), tree(item)));
        branch.open = true;
        box.append(branch);
      }
    }
  };
  add(entries.slice(0, mostShown));
  if (entries.length > mostShown) {
    const more = make("button", "", `${entries.length - mostShown} ${label("more")}`);
    more.addEventListener("click", () => {
      more.remove();
      add(entries.slice(mostShown));
    });
    box.append(more);
  }
  return box;
}

/**
 * A header is a pair of name and value.
 * @param {any} item @param {number} index @returns {[string, any]}
 */
function pairOf(item, index) {
  const isPair = Array.isArray(item) && item.length === 2 && item.every((part) => typeof part === "string");
  return isPair ? [item[0], item[1]] : [String(index), item];
}

function closeDetails() {
  byId("details").hidden = true;
  document.body.classList.remove("split");
  const row = one("li.selected");
  row?.classList.remove("selected");
  const link = one('.go[aria-current="true"]');
  link?.removeAttribute("aria-current");
  link?.focus({ preventScroll: true });
  state.event = "";
  for (const section of all(".capture")) drawCross(section, null);
  writeFragment();
}

// Search

/** @param {string} query */
function search(query) {
  state.q = query.trim();
  const words = state.q.toLowerCase();
  let hits = 0;
  for (const section of all(".capture")) {
    const known = words ? recordsOf(section) : null;
    for (const row of all("li.s, li.lone", section)) {
      let isHit = false;
      if (words) {
        const id = row.id.slice(section.id.length + 1);
        isHit = (row.textContent ?? "").toLowerCase().includes(words) ||
          (known?.text(id) ?? "").includes(words);
      }
      row.classList.toggle("hit", isHit);
      if (isHit && !row.hidden) hits += 1;
    }
    for (const row of all("table.findings tbody tr", section)) {
      row.hidden = words !== "" && !(row.textContent ?? "").toLowerCase().includes(words);
    }
  }
  byId("hits").textContent = words ? (hits ? `${hits} ${label("hits")}` : label("noHits")) : "";
  writeFragment();
}

// Language and theme

function switchLanguage() {
  /** @param {ParentNode} root */
  const swap = (root) => {
    for (const element of all("[data-t]", root)) {
      const text = element.textContent ?? "";
      element.textContent = element.dataset.t ?? "";
      element.dataset.t = text;
    }
  };
  swap(document);
  swap(/** @type {HTMLTemplateElement} */ (byId("labels")).content);
  language = languages[language === languages[0] ? 1 : 0];
  document.documentElement.lang = language;
  byId("lang").textContent = language === "zh" ? "English" : "中文";
  if (state.event) showDetails(captureOf(null), state.event);
  if (state.q) search(state.q);
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

// Keyboard

/** @param {number} factor */
function zoom(factor) {
  const section = captureOf(null);
  const [from, to] = view(section);
  const row = one("li.selected", section);
  const at = row ? Number(row.dataset.o) * 1000 : (from + to) / 2;
  const middle = Math.min(Math.max(at, from), to);
  setRange(section, middle - (middle - from) * factor, middle + (to - middle) * factor);
}

/** @param {boolean} isStart */
function cut(isStart) {
  const row = one("li.selected");
  if (!row) return;
  const section = captureOf(row);
  const [from, to] = view(section);
  const time = Number(row.dataset.o) * 1000;
  if (time < from || time > to || (isStart ? time === to : time === from)) return;
  setRange(section, isStart ? time : from, isStart ? to : time);
}

function unfold() {
  const fold = one("li.selected")?.closest(".fold") ?? null;
  const folds = /** @type {HTMLDetailsElement[]} */ (all(".fold > details", fold ? /** @type {HTMLElement} */ (fold.parentElement) : document));
  const isOpen = folds.some((one) => one.open);
  for (const one of folds) one.open = !isOpen;
}

/** @type {Record<string, () => void>} */
const keys = {
  j: () => move(1),
  ArrowDown: () => move(1),
  k: () => move(-1),
  ArrowUp: () => move(-1),
  f: () => moveAmong("li.s:has(> .found), li.lone", 1),
  F: () => moveAmong("li.s:has(> .found), li.lone", -1),
  s: () => moveAmong(".session", 1),
  S: () => moveAmong(".session", -1),
  n: () => moveAmong("li.hit", 1),
  N: () => moveAmong("li.hit", -1),
  e: unfold,
  "[": () => cut(true),
  "]": () => cut(false),
  "+": () => zoom(0.5),
  "-": () => zoom(2),
  0: () => setRange(captureOf(null), null, null),
  l: switchLanguage,
  t: switchTheme,
  "/": () => byId("q").focus(),
  "?": () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal(),
  Escape: goBack,
};

function goBack() {
  const field = /** @type {HTMLInputElement} */ (byId("q"));
  if (document.activeElement === field) return field.blur();
  if (!byId("details").hidden) return closeDetails();
  if (state.q) {
    field.value = "";
    return search("");
  }
  setRange(captureOf(null), null, null);
}

function watchKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches("input");
    if (isTyping && event.key === "Enter") {
      event.preventDefault();
      target.blur();
      return moveAmong("li.hit", 1);
    }
    if (isTyping && event.key !== "Escape") return;
    // Arrows scroll until a message is selected.
    if (event.key.startsWith("Arrow") && !one("li.selected")) return;
    const action = keys[event.key];
    if (!action || !one(".capture")) return;
    event.preventDefault();
    action();
  });
}

/**
 * The row of a frame, or of the next frame with one in the same session.
 * @param {number} frame @param {Element} link @returns {HTMLElement | null}
 */
function rowOf(frame, link) {
  const exact = one(`li[data-f="${frame}"]`, captureOf(link));
  const later = () => all("li[data-f]", link.closest(".session") ?? captureOf(link)).find((row) => Number(row.dataset.f) > frame);
  return exact ?? later() ?? null;
}

// The start

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const frame = /** @type {HTMLElement} */ (link).dataset.frame;
  const place = frame
    ? rowOf(Number(frame), link)
    : document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  if (!place) return;
  event.preventDefault();
  if (place.matches("li.s")) return select(place, !link.matches(".go"));
  enter(captureOf(place).id);
  state.session = /** @type {HTMLElement | null} */ (place.closest(".session"))?.dataset.session ?? "";
  state.pane = "";
  reveal(place);
  writeFragment();
});

addEventListener("beforeprint", () => {
  for (const session of all("details.session")) /** @type {HTMLDetailsElement} */ (session).open = true;
});

/** @type {HTMLElement} */ (one(".controls")).hidden = false;
byId("lang").addEventListener("click", switchLanguage);
byId("theme").addEventListener("click", switchTheme);
byId("help").addEventListener("click", () => keys["?"]());
byId("range").addEventListener("click", () => setRange(captureOf(null), null, null));
one(".controls")?.addEventListener("submit", (event) => event.preventDefault());
let pending = 0;
byId("q").addEventListener("input", (event) => {
  clearTimeout(pending);
  pending = setTimeout(() => search(/** @type {HTMLInputElement} */ (event.target).value), 120);
});
addEventListener("hashchange", readFragment);
globalThis.requestIdleCallback?.(() => all(".capture").forEach(recordsOf));
watchPlots();
watchKeys();
readFragment();
