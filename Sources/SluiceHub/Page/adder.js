// A field that finds an operator by its name or what it does (a combobox with a list).
import { search } from "./catalog.js";
import { make, unique } from "./dom.js";
import { adder as texts } from "./texts.js";

const mostShown = 60;

export class Adder {
  #input; #list; #found = []; #active = 0; #kinds; #choose;

  /** `kinds()`: what may be chosen; `choose(kind)`. */
  constructor({ label, placeholder, kinds, choose }) {
    this.#kinds = kinds;
    this.#choose = choose;
    const listID = unique("choices");
    this.#input = make("input", {
      type: "text", role: "combobox", placeholder, "aria-label": label, "aria-expanded": false, "aria-controls": listID,
      "aria-autocomplete": "list", autocomplete: "off", spellcheck: false, class: "adder",
      on: {
        input: () => this.#open(), focus: () => this.#open(), click: () => this.#open(),
          keydown: (event) => this.#key(event),
        blur: () => setTimeout(() => this.#close(), 120),
      },
    });
    this.#list = make("ul", { role: "listbox", id: listID, class: "choices", "aria-label": label, hidden: true });
    // The field keeps the focus when a choice is pressed.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.element = make("div", { class: "add" }, this.#input, this.#list);
  }

  focus() { this.#input.focus(); }

  #open() {
    this.#found = search(this.#kinds(), this.#input.value).slice(0, mostShown);
    this.#active = 0;
    this.#list.replaceChildren(...this.#found.map((kind, index) => make("li", {
      role: "option", id: `${this.#list.id}-${index}`, "aria-selected": index === 0, dataset: { name: kind.name },
      on: { click: () => this.#take(kind) },
    }, make("span", { class: "choice-name", text: kind.name }),
      make("span", { class: "code soft",
        text: (kind.parameters ?? []).filter((parameter) => parameter.isRequired).map((parameter) => parameter.name)
        .join(", ") }),
      make("span", { class: "soft summary", text: kind.summary ?? "" }))));
    if (!this.#found.length) this.#list.replaceChildren(make("li",
      { class: "soft", text: texts.noMatches }));
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", true);
    this.#mark();
  }

  #close() {
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", false);
    this.#input.removeAttribute("aria-activedescendant");
  }

  #mark() {
    [...this.#list.children].forEach((option, index) => option.setAttribute("aria-selected", index === this.#active));
    const option = this.#list.children[this.#active];
    option?.scrollIntoView({ block: "nearest" });
    if (this.#found.length) this.#input.setAttribute("aria-activedescendant", option.id);
  }

  #key(event) {
    if (event.key === "Escape") return this.#close();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.#list.hidden) return this.#open();
      const count = this.#found.length || 1;
      this.#active = (this.#active + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
      this.#mark();
    } else if (event.key === "Enter" && !this.#list.hidden && this.#found.length) {
      event.preventDefault();
      this.#take(this.#found[this.#active]);
    }
  }

  #take(kind) {
    this.#input.value = "";
    this.#close();
    this.#choose(kind);
  }
}
