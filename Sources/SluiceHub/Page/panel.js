// The panel beside a stream: its JSON, its values, its history, and its followers.
import { button, make, unique } from "./dom.js";
import { History } from "./history.js";
import { Inspector } from "./inspector.js";
import { JSONText } from "./text.js";
import { Members } from "./members.js";
import { panel as texts } from "./texts.js";

export class Panel {
  #tabs; #open; #parts;

  /** `tunnels`: those of the stream; `name()`, its name. */
  constructor(draft, page, tunnels, name) {
    this.#parts = { json: new JSONText(draft), values: new Inspector(tunnels, { name, copy: page.copy }),
      history: new History(draft, page), members: new Members(draft.id) };
    this.#tabs = [["json", "JSON"], ["values", texts.values], ["history", texts.history], ["members", texts.members]].map(([key, text]) => {
      const id = unique("panel"), part = this.#parts[key].element;
      const tab = button({ text, kind: "tab", role: "tab", id: `tab-${key}`, "aria-controls": id,
        "aria-selected": false, tabIndex: -1 }, () => this.#show(key));
      Object.assign(part, { id, hidden: true });
      part.setAttribute("role", "tabpanel");
      part.setAttribute("aria-labelledby", tab.id);
      return { key, tab, part };
    });
    const bar = make("div", { class: "tabs", role: "tablist", "aria-label": texts.besideTheStream },
      ...this.#tabs.map(({ tab }) => tab));
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const index = this.#tabs.findIndex(({ tab }) => tab === document.activeElement),
        next = this.#tabs[(index + step + this.#tabs.length) % this.#tabs.length];
      this.#show(next.key);
      next.tab.focus();
    });
    this.element = make("aside", { class: "panel", "aria-label": texts.theStreamAsData }, bar,
      ...this.#tabs.map(({ part }) => part));
    this.#show("json");
  }

  #show(key) {
    this.#open = key;
    for (const { key: other, tab, part } of this.#tabs) {
      tab.setAttribute("aria-selected", other === key);
      tab.tabIndex = other === key ? 0 : -1;
      part.hidden = other !== key;
    }
    this.#parts.members.isShown = key === "members";
    this.#parts.values.isShown = key === "values";
    if (key !== "json") this.#parts[key].load();
  }

  update() { this.#parts.json.update(); }
  /** Shows a value of a stage, or without one all its values. */
  inspect(stage, mark) {
    this.#show("values");
    this.#parts.values.show(stage, mark);
    const box = this.element.getBoundingClientRect();
    if (box.top > innerHeight * 0.6 || box.bottom < 80) this.element.scrollIntoView({ block: "start" });
    if (!mark) this.#tabs.find(({ key }) => key === "values").tab.focus({ preventScroll: true });
  }

  stored() { if (!["json", "values"].includes(this.#open)) this.#parts[this.#open].load(); }
  members() { if (this.#open === "members") this.#parts.members.load(); }
  close() { this.#parts.members.isShown = this.#parts.values.isShown = false; }
}
