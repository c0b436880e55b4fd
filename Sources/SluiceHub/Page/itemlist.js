// The items of a crowded axis as a list beside it, in which one of them is picked.
import { make, unique } from "./dom.js";
import { cut, plain, seconds, whole } from "./value.js";
import { itemlist as texts } from "./texts.js";

/** The number of items from which on the list is there. */
const leastItems = 20;
const mostListed = 2000;

export class ItemList {
  #parts; #rows = []; #key; #pick;

  /** `pick(index)`: the person has picked an item. */
  constructor(pick) {
    this.#pick = pick;
    const summary = make("summary", { text: texts.allItems });
    const filter = make("input", { type: "search", placeholder: texts.filterItems, "aria-label": texts.filterTheItems, id: unique("filter"),
      autocomplete: "off", spellcheck: false, on: { input: () => this.#draw() } });
    const list = make("select", { size: 8, "aria-label": texts.itemsInOrder,
      on: { change: () => this.#pick(Number(list.value)) } });
    this.#parts = { summary, filter, list };
    this.element = make("details", { class: "item-list", hidden: true, on: { toggle: () => this.#draw() } }, summary, filter, list);
  }

  /** Shows the items; `times` are those of all of them, `selected` is the number of the one that is open. */
  update(list, times, selected) {
    this.element.hidden = list.length < leastItems;
    this.#parts.summary.textContent = texts.allItems2(list.length);
    this.#rows = list.slice(0, mostListed).map((item, index) => ({ item, time: times[index] }));
    if (this.element.open && !this.element.hidden) this.#draw();
    if (selected !== undefined) this.#parts.list.value = String(selected);
  }

  #draw() {
    if (!this.element.open) return;
    const { filter, list } = this.#parts, wanted = filter.value.trim().toLowerCase();
    const rows = this.#rows.map(({ item, time }, index) => ({ index,
      text: texts.atOf(index + 1, cut(whole(item instanceof Map ? plain(item.get("value") ?? null) : null), 60), seconds(time)) }))
      .filter(({ text }) => !wanted || text.toLowerCase().includes(wanted));
    const key = rows.map(({ text }) => text).join("\n");
    if (key === this.#key) return;
    this.#key = key;
    const chosen = list.value;
    list.replaceChildren(...rows.map(({ index, text }) => make("option", { value: index, text })));
    list.value = chosen;
  }
}
