// The last values of a stage as a table, and one of them as a whole.
import { button, make, unique } from "./dom.js";
import { save } from "./files.js";
import { cut, json, seconds, whole } from "./value.js";
import { inspector as texts } from "./texts.js";

/** The number of rows that are shown; the file that is exported has all that are kept. */
const mostRows = 200;
/** The time between two pictures of the table, in milliseconds. */
const rhythm = 250;

/** Returns the text of a value of a stage, or of the error that came in its place. */
const text = (mark) => mark.text ??= mark.reported === undefined ? whole(mark.value) : texts.leftOut(mark.reported);
const origin = ({ origins }) => origins?.length ? origins.map((one) => one + 1).join(" + ") : "";

/** Returns rows as CSV (RFC 4180); a spreadsheet takes no cell for a formula. */
export function csv(marks) {
  const cell = (part) => {
    const safe = /^[=+\-@\t]/.test(part) && !/^-?\d/.test(part) ? `'${part}` : part;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return ["time,value,origin", ...marks.map((mark) => [String(mark.time), text(mark), origin(mark)].map(cell).join(","))]
    .join("\r\n") + "\r\n";
}

/** Returns rows as JSON. */
export const asJSON = (marks) => `[${marks.map(({ time, value, reported, origins }) => `\n  ${json({ time,
  ...reported === undefined ? { value } : { error: reported }, ...origins?.length ? { origins } : {} })}`).join(",")}\n]\n`;

export class Inspector {
  #tunnels; #parts; #stage; #kept; #chosen; #timer; #isShown = false; #drawn = 0; #options; #rows = new Map();

  /** `tunnels`: those of the stream; `name()`, its name; `copy(text, what)`. */
  constructor(tunnels, { name, copy }) {
    this.#tunnels = tunnels;
    const pick = make("select", { id: unique("stage"), "aria-label": texts.theStageWhoseValuesAreShown,
      on: { change: () => this.#choose(Number(pick.value)) } });
    const filter = make("input", { type: "search", placeholder: texts.filterValues, "aria-label": texts.filterTheValues,
      autocomplete: "off", spellcheck: false, on: { input: () => this.#draw() } });
    const pause = button({ text: texts.pause, kind: "pill", "aria-pressed": false, "aria-label": texts.pauseTheTable },
      () => this.#pause(!this.#kept));
    const count = make("p", { class: "soft", role: "status" });
    const body = make("tbody");
    const table = make("table", { class: "values", "aria-label": texts.theLastValues }, make("thead", {}, make("tr", {},
      make("th", { scope: "col", text: texts.time }), make("th", { scope: "col", text: texts.value }),
      make("th", { scope: "col", text: texts.origin, title: texts.theNumberOfTheSourcesValue }))), body);
    const detail = make("div", { class: "whole", hidden: true, tabIndex: -1, role: "group", "aria-label": texts.theWholeValue });
    const file = (kind) => () => {
      const marks = this.#found();
      const stage = this.#tunnels.stages[this.#stage]?.name ?? "values";
      save(kind === "csv" ? csv(marks) : asJSON(marks), `${name()} ${stage}`, kind);
    };
    this.#parts = { pick, filter, pause, count, body, detail, copy };
    this.element = make("div", { class: "inspector" },
      make("div", { class: "inspector-tools" }, pick, filter, pause),
      detail, make("div", { class: "values-place", tabIndex: 0, role: "region", "aria-label": texts.values }, table),
      make("div", { class: "inspector-tools" }, count,
        button({ text: "JSON", kind: "pill", "aria-label": texts.exportTheValuesAsJson }, file("json")),
        button({ text: "CSV", kind: "pill", "aria-label": texts.exportTheValuesAsCsv }, file("csv"))));
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) this.#open(this.#rows.get(row), true);
    });
  }

  /** Called when the tab of the table is opened. */
  load() { this.#draw(); }

  set isShown(value) {
    if (this.#isShown === value) return;
    this.#isShown = value;
    clearInterval(this.#timer);
    if (value) this.#timer = setInterval(() => { if (!document.hidden && this.#drawn !== this.#tunnels.changes) this.#draw(); }, rhythm);
  }

  /** Shows a value of a stage. */
  show(stage, mark) {
    this.#choose(stage);
    this.#parts.filter.value = "";
    if (!mark) return void this.#draw();
    this.#pause(true);
    this.#open(mark);
    [...this.#rows].find(([, one]) => one === mark)?.[0].scrollIntoView({ block: "nearest" });
  }

  #choose(stage) {
    this.#stage = stage;
    this.#close();
    if (this.#kept) this.#pause(true);
    this.#draw();
  }

  #pause(isOn) {
    const { pause } = this.#parts;
    this.#kept = isOn ? [...this.#tunnels.marks(this.#stage ?? this.#tunnels.count - 1)] : undefined;
    pause.setAttribute("aria-pressed", isOn);
    pause.querySelector("span").textContent = isOn ? texts.resume : texts.pause;
    pause.setAttribute("aria-label", isOn ? texts.resumeTheTable : texts.pauseTheTable);
    this.#draw();
  }

  #found() {
    const marks = this.#kept ?? this.#tunnels.marks(this.#stage), wanted = this.#parts.filter.value.trim().toLowerCase();
    return wanted ? marks.filter((mark) => text(mark).toLowerCase().includes(wanted)) : marks;
  }

  #draw() {
    const { pick, count, body } = this.#parts, stages = this.#tunnels.stages;
    this.#drawn = this.#tunnels.changes;
    if (!(this.#stage < stages.length)) this.#stage = Math.max(0, stages.length - 1);
    const key = JSON.stringify(stages.map(({ name }) => name));
    if (key !== this.#options) {
      this.#options = key;
      pick.replaceChildren(...stages.map(({ name, id, expression }, index) => make("option", { value: index,
        text: cut(`${index + 1}. ${name}${id && id !== name ? ` (${id})` : expression ? ` ${expression}` : ""}${index === stages.length - 1 ? ", output" : ""}`, 60) })));
    }
    pick.value = this.#stage;
    const all = this.#kept ?? this.#tunnels.marks(this.#stage), found = this.#found(), shown = found.slice(-mostRows).reverse();
    const old = new Map([...this.#rows].map(([row, mark]) => [mark, row]));
    this.#rows = new Map(shown.map((mark) => [old.get(mark) ?? this.#row(mark), mark]));
    const rows = [...this.#rows.keys()], stays = new Set(rows);
    for (const row of [...body.children]) if (!stays.has(row)) row.remove();
    rows.forEach((row, index) => { if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null); });
    count.textContent = !all.length ? texts.noValuesYet : found.length === all.length ? texts.valuesOf(all.length)
      : texts.ofValues(found.length, all.length);
    if (found.length > mostRows) count.textContent += texts.theLastShown(mostRows);
  }

  #row(mark) {
    const state = [mark.reported !== undefined && "left-out", mark === this.#chosen && "chosen"].filter(Boolean).join(" ");
    return make("tr", { class: state },
      make("td", { class: "time", text: seconds(mark.time) }),
      make("td", {}, make("button", { type: "button", class: "code value", dir: "auto", text: cut(text(mark), 200),
        "aria-label": texts.showTheWholeValueAt(cut(text(mark), 100), seconds(mark.time)) })),
      make("td", { class: "soft", text: origin(mark) }));
  }

  // The whole value, above the table.
  #open(mark, withFocus = false) {
    if (mark === this.#chosen && withFocus) return this.#close();
    this.#chosen = mark;
    const { detail, copy } = this.#parts, isError = mark.reported !== undefined;
    const all = isError || typeof mark.value === "string" ? text(mark) : json(mark.value, 60);
    const from = origin(mark);
    detail.replaceChildren(make("div", { class: "whole-head" },
      make("strong", { text: `${seconds(mark.time)}${from ? texts.ofOf(from) : ""}` }),
      button({ text: texts.copy, kind: "pill", "aria-label": texts.copyTheValue }, () => copy(all, texts.value2)),
      button({ icon: "cross", label: texts.closeTheValue, kind: "quiet" }, () => this.#close())),
      make("pre", { class: "code", dir: "auto", text: cut(all, 200_000), tabIndex: 0, role: "group", "aria-label": texts.theValueAsText }));
    detail.hidden = false;
    this.#select();
    if (withFocus) detail.focus({ preventScroll: true });
    detail.scrollIntoView({ block: "nearest" });
  }

  #close() {
    this.#chosen = undefined;
    this.#parts.detail.hidden = true;
    this.#select();
  }

  #select() {
    for (const [row, mark] of this.#rows) row.classList.toggle("chosen", mark === this.#chosen);
  }
}
