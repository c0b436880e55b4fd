// A list below the field of an expression, of the fields that fit what is typed (a combobox with a list).
import { make, unique } from "./dom.js";
import { completion as texts } from "./texts.js";

const mostShown = 12;
// A name with fields and indexes, at the end of a text.
const ending = /(?:^|[^\w.\])"'])([A-Za-z_]\w*(?:\.\w*|\[\d*\])+)$/;

/**
 * Returns what can be completed at the end of a text: `{ typed, found }`, where `found` are the last parts of the names.
 * An index in a list counts as 0.
 */
export function completions(names, text) {
  const typed = ending.exec(text)?.[1];
  if (!typed?.includes(".")) return { typed: "", found: [] };
  const at = typed.lastIndexOf("."), start = typed.slice(0, at).replace(/\[\d*\]/g, "[0]") + ".";
  const last = typed.slice(at + 1), wanted = last.toLowerCase();
  const found = names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length))
    .filter((name) => /^\w+$/.test(name) && name.toLowerCase().startsWith(wanted) && name !== last);
  return { typed: last, found: found.slice(0, mostShown) };
}

export class Completion {
  #input; #list; #names; #known = []; #found = []; #typed = ""; #active = 0; #ask = 0;

  /** `names()` promises the fields that the expression may name: `x.price`. */
  constructor(input, names) {
    this.#input = input;
    this.#names = names;
    const id = unique("names");
    this.#list = make("ul", { role: "listbox", id, class: "choices below", "aria-label": texts.fields, hidden: true });
    this.element = this.#list;
    for (const [key, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": false,
      "aria-controls": id })) input.setAttribute(key, value);
    // The field keeps the focus when a choice is pressed.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    input.addEventListener("focus", () => this.#load());
    input.addEventListener("input", () => this.#open());
    input.addEventListener("blur", () => this.#close());
    // Before the field takes Enter for the end of the edit.
    input.addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  async #load() {
    const ask = ++this.#ask;
    let known;
    try { known = await this.#names(); } catch { return; /* without names, one types them */ }
    if (ask !== this.#ask) return;
    this.#known = known ?? [];
    if (document.activeElement === this.#input && this.#wasTyped) this.#open();
  }
  #wasTyped = false;

  #open() {
    const input = this.#input, place = input.selectionStart ?? input.value.length;
    this.#wasTyped = true;
    // Within a name, nothing is completed.
    const isInside = /^\w/.test(input.value.slice(place));
    const { typed, found } = isInside ? { typed: "", found: [] } : completions(this.#known, input.value.slice(0, place));
    [this.#typed, this.#found, this.#active] = [typed, found, 0];
    if (!found.length) return this.#close();
    this.#list.replaceChildren(...found.map((name, index) => make("li", {
      role: "option", id: `${this.#list.id}-${index}`, "aria-selected": index === 0, class: "code", text: name,
      on: { click: () => this.#take(name) },
    })));
    this.#list.hidden = false;
    input.setAttribute("aria-expanded", true);
    this.#mark();
  }

  #close() {
    if (document.activeElement !== this.#input) this.#wasTyped = false;
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", false);
    this.#input.removeAttribute("aria-activedescendant");
  }

  #mark() {
    [...this.#list.children].forEach((option, index) => option.setAttribute("aria-selected", index === this.#active));
    const option = this.#list.children[this.#active];
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.#input.setAttribute("aria-activedescendant", option.id);
  }

  #key(event) {
    if (this.#list.hidden) return;
    const count = this.#found.length;
    if (event.key === "Escape") this.#close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.#active = (this.#active + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
      this.#mark();
    } else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) this.#take(this.#found[this.#active]);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #take(name) {
    const input = this.#input, place = input.selectionStart ?? input.value.length;
    input.setRangeText(name, place - this.#typed.length, place, "end");
    this.#close();
    // The field publishes what it has, as if it had been typed.
    input.dispatchEvent(new Event("input", { bubbles: true }));
    this.#close();
  }
}
