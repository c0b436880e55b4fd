// The last values of a stage as a table, and one of them as a whole.
import { button, make, unique } from "./dom.js";
import { save } from "./files.js";
import { cut, json, seconds, whole } from "./value.js";

/** The number of rows that are shown; the file that is exported has all that are kept. */
const mostRows = 200;
/** The time between two pictures of the table, in milliseconds. */
const rhythm = 250;

/** Returns the text of a value of a stage, or of the error that came in its place. */
const text = (mark) => mark.text ??= mark.reported === undefined ? whole(mark.value) : `left out: ${mark.reported}`;
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
    const pick = make("select", { id: unique("stage"), "aria-label": "The stage whose values are shown",
      on: { change: () => this.#choose(Number(pick.value)) } });
    const filter = make("input", { type: "search", placeholder: "Filter values", "aria-label": "Filter the values",
      autocomplete: "off", spellcheck: false, on: { input: () => this.#draw() } });
    const pause = button({ text: "Pause", kind: "pill", "aria-pressed": false, "aria-label": "Pause the table" },
      () => this.#pause(!this.#kept));
    const count = make("p", { class: "soft", role: "status" });
    const body = make("tbody");
    const table = make("table", { class: "values", "aria-label": "The last values" }, make("thead", {}, make("tr", {},
      make("th", { scope: "col", text: "Time" }), make("th", { scope: "col", text: "Value" }),
      make("th", { scope: "col", text: "Origin", title: "The number of the source's value that it was made from" }))), body);
    const detail = make("div", { class: "whole", hidden: true, tabIndex: -1, role: "group", "aria-label": "The whole value" });
    const file = (kind) => () => {
      const marks = this.#found();
      const stage = this.#tunnels.stages[this.#stage]?.name ?? "values";
      save(kind === "csv" ? csv(marks) : asJSON(marks), `${name()} ${stage}`, kind);
    };
    this.#parts = { pick, filter, pause, count, body, detail, copy };
    this.element = make("div", { class: "inspector" },
      make("div", { class: "inspector-tools" }, pick, filter, pause),
      detail, make("div", { class: "values-place", tabIndex: 0, role: "region", "aria-label": "Values" }, table),
      make("div", { class: "inspector-tools" }, count,
        button({ text: "JSON", kind: "pill", "aria-label": "Export the values as JSON" }, file("json")),
        button({ text: "CSV", kind: "pill", "aria-label": "Export the values as CSV" }, file("csv"))));
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
    pause.querySelector("span").textContent = isOn ? "Resume" : "Pause";
    pause.setAttribute("aria-label", isOn ? "Resume the table" : "Pause the table");
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
    count.textContent = !all.length ? "No values yet." : found.length === all.length ? `${all.length} values`
      : `${found.length} of ${all.length} values`;
    if (found.length > mostRows) count.textContent += `, the last ${mostRows} shown`;
  }

  #row(mark) {
    const state = [mark.reported !== undefined && "left-out", mark === this.#chosen && "chosen"].filter(Boolean).join(" ");
    return make("tr", { class: state },
      make("td", { class: "time", text: seconds(mark.time) }),
      make("td", {}, make("button", { type: "button", class: "code value", dir: "auto", text: cut(text(mark), 200),
        "aria-label": `Show the whole value: ${cut(text(mark), 100)} at ${seconds(mark.time)}` })),
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
      make("strong", { text: `${seconds(mark.time)}${from ? `, of ${from}` : ""}` }),
      button({ text: "Copy", kind: "pill", "aria-label": "Copy the value" }, () => copy(all, "value")),
      button({ icon: "cross", label: "Close the value", kind: "quiet" }, () => this.#close())),
      make("pre", { class: "code", dir: "auto", text: cut(all, 200_000), tabIndex: 0, role: "group", "aria-label": "The value as text" }));
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
