// A list of a document as cards, the operators or the sinks: add, edit, move, and remove.
import { Adder } from "./adder.js";
import { beginnings } from "./catalog.js";
import { freeID, operatorName, parts } from "./document.js";
import { arrange, make } from "./dom.js";
import { OperatorCard } from "./operator.js";

// A longer list has its parameters behind buttons.
const mostOpen = 12;

export class Cards {
  #draft; #family; #streams; #cards = new Map(); #sections = new Map(); #line;

  /**
   * `family`: `key`, that of the list in the document; `part`, the name of one; `kind(name)` and `kinds()`, the
   * catalog; `placeholder` of the field that adds one; `mayFold`; `words`: `add`, `one(number, name)`, `unknown`. `streams()`: other streams, `{id, name}`.
   */
  constructor(draft, family, streams) {
    this.#draft = draft;
    this.#family = family;
    this.#streams = streams;
    this.#line = make("div", { class: "insertion", hidden: true });
    this.element = make("div", { class: "pipeline" });
    this.adder = new Adder({
      label: family.words.add,
      placeholder: family.placeholder, kinds: family.kinds, choose: (kind) => this.#add(kind),
    });
  }

  /**
   * Shows the list after the elements `first`; `below(index)` returns the elements below a card, and `result(index)` those
   * between its name and its parameters.
   */
  update(below, first = [], result = () => []) {
    const { tree, errors } = this.#draft, list = parts(tree, this.#family.key), keys = this.#keys(list);
    for (const key of this.#cards.keys()) {
      if (keys.includes(key)) continue;
      this.#cards.delete(key);
      this.#sections.delete(key);
    }
    const rows = list.map((part, index) => {
      let card = this.#cards.get(keys[index]);
      if (!card) this.#cards.set(keys[index], card = new OperatorCard(this.#family, this.#actions));
      if (this.#family.mayFold) card.isFoldable = list.length > mostOpen;
      card.update(part, index, errors);
      card.result = result(index);
      return this.section(keys[index], [card.element, ...below(index)]);
    });
    const focus = document.activeElement;
    arrange(this.element, [...first, ...rows, this.#line]);
    // An element that is moved loses the focus.
    if (focus !== document.activeElement && this.element.contains(focus)) focus.focus({ preventScroll: true });
  }

  /** Returns the box with a key, with these elements. */
  section(key, elements) {
    let section = this.#sections.get(key);
    if (!section) this.#sections.set(key, section = make("div", { class: "stage" }));
    arrange(section, elements);
    return section;
  }

  // An operator is known by its id, else by its name and how many of that came before.
  #keys(list) {
    const seen = new Map();
    return list.map((part) => {
      const id = part instanceof Map ? part.get("id") : undefined;
      const base = typeof id === "string" ? `id ${id}` : `name ${operatorName(part)}`;
      const count = (seen.get(base) ?? 0) + 1;
      seen.set(base, count);
      return count > 1 ? `${base} ${count}` : base;
    });
  }

  #list(tree = this.#draft.tree) { return parts(tree, this.#family.key); }

  #actions = {
    streams: () => this.#streams(),
    names: (path) => this.#draft.names(path),
    edit: (index, change, isFinished) => this.#draft.edit((tree) => change(this.#list(tree)[index]), { isFinished }),
    move: (index, to) => this.#move(index, to),
    remove: (index) => {
      this.#draft.edit((tree) => this.#list(tree).splice(index, 1));
      const next = [...this.#cards.values()].find((card) => card.index === Math.min(index, this.#cards.size - 1));
      if (next) next.handle.focus(); else this.adder.focus();
    },
    grip: (event, card) => this.#grip(event, card),
  };

  #add(kind) {
    const { key } = this.#family, stream = this.#streams()[0];
    this.#draft.edit((tree) => {
      const list = this.#list(tree);
      list.push(new Map([["id", freeID(tree, kind.name)], [kind.name, beginnings(kind, stream)]]));
      tree.set(key, list);
    });
    const card = [...this.#cards.values()].find((one) => one.index === this.#list().length - 1);
    card?.focus();
    card?.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  #move(index, to) {
    const count = this.#list().length;
    if (to < 0 || to >= count || to === index) return;
    this.#draft.edit((tree) => {
      const list = this.#list(tree);
      list.splice(to, 0, ...list.splice(index, 1));
    });
  }

  // Dragging by the handle: a line shows where the card will be.
  #grip(event, card) {
    if (event.button !== 0) return;
    const { handle } = card;
    handle.setPointerCapture(event.pointerId);
    const start = event.clientY, from = card.index;
    let to = from;
    const stages = [...this.#cards.values()].sort((one, other) => one.index - other.index)
      .map((one) => one.element.parentElement);
    const moved = (now) => {
      if (Math.abs(now.clientY - start) < 5) return;
      card.element.classList.add("held");
      const middles = stages.map((stage) => { const box = stage.getBoundingClientRect(); return box.top + box.height / 2; });
      const before = middles.filter((middle) => middle < now.clientY).length;
      to = before > from ? before - 1 : before;
      const box = this.element.getBoundingClientRect(),
        place = before < stages.length ? stages[before].getBoundingClientRect().top
        : stages.at(-1).getBoundingClientRect().bottom;
      this.#line.hidden = to === from;
      this.#line.style.transform = `translateY(${place - box.top}px)`;
    };
    const end = (now) => {
      handle.removeEventListener("pointermove", moved);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
      this.#line.hidden = true;
      card.element.classList.remove("held");
      if (now.type === "pointerup") this.#move(from, to);
    };
    handle.addEventListener("pointermove", moved);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  }
}
