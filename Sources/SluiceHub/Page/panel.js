// The panel beside a stream: its JSON, its history, and its followers.
import { button, make, unique } from "./dom.js";
import { History } from "./history.js";
import { JSONText } from "./text.js";
import { Members } from "./members.js";

export class Panel {
  #tabs; #open; #parts;

  constructor(draft, page) {
    this.#parts = { json: new JSONText(draft), history: new History(draft, page), members: new Members(draft.id) };
    this.#tabs = [["json", "JSON"], ["history", "History"], ["members", "Members"]].map(([key, text]) => {
      const id = unique("panel"), part = this.#parts[key].element;
      const tab = button({ text, kind: "tab", role: "tab", id: `tab-${key}`, "aria-controls": id,
        "aria-selected": false, tabIndex: -1 }, () => this.#show(key));
      Object.assign(part, { id, hidden: true });
      part.setAttribute("role", "tabpanel");
      part.setAttribute("aria-labelledby", tab.id);
      return { key, tab, part };
    });
    const bar = make("div", { class: "tabs", role: "tablist", "aria-label": "Beside the stream" },
      ...this.#tabs.map(({ tab }) => tab));
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const index = this.#tabs.findIndex(({ tab }) => tab === document.activeElement),
        next = this.#tabs[(index + step + 3) % 3];
      this.#show(next.key);
      next.tab.focus();
    });
    this.element = make("aside", { class: "panel", "aria-label": "The stream as data" }, bar,
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
    if (key !== "json") this.#parts[key].load();
  }

  update() { this.#parts.json.update(); }
  stored() { if (this.#open !== "json") this.#parts[this.#open].load(); }
  members() { if (this.#open === "members") this.#parts.members.load(); }
  close() { this.#parts.members.isShown = false; }
}
