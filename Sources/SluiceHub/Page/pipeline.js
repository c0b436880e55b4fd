// A stream from its source to its output: what each stage is, and under it the tunnel of what it passes on.
import { Adder } from "./adder.js";
import { beginnings, operatorKinds } from "./catalog.js";
import { freeID, operatorIndex, operatorName, operators } from "./document.js";
import { arrange, make } from "./dom.js";
import { isAt, showErrors } from "./fields.js";
import { OperatorCard } from "./operator.js";
import { SourceCard } from "./source.js";

export class Pipeline {
  #draft; #tunnels; #source; #cards = new Map(); #adder; #sections = new Map(); #list; #streams; #error; #line;

  /** `tunnels`: the stream's tunnels; `streams()`: other streams, `{id, name}`. */
  constructor(draft, tunnels, streams) {
    this.#draft = draft;
    this.#tunnels = tunnels;
    this.#streams = streams;
    this.#source = new SourceCard(draft, { streams });
    this.#error = make("p", { class: "error page-error", role: "alert", hidden: true });
    this.#adder = new Adder({
      label: "Add an operator", placeholder: "Add an operator: filter, map, scan, delay…", kinds: operatorKinds,
        choose: (kind) => this.#add(kind),
    });
    this.#line = make("div", { class: "insertion", hidden: true });
    this.#list = make("div", { class: "pipeline" });
    this.element = make("div", {}, this.#error, this.#list, this.#adder.element);
  }

  update() {
    const { tree, errors } = this.#draft, list = operators(tree);
    const places = this.#tunnels.places(list, this.#draft.plan);
    this.#source.isColored = this.#tunnels.isColored;
    this.#source.update(errors);
    const rows = [this.#section("source", this.#source.element, places.filter(({ index }) => index === undefined),
      false)];
    const keys = this.#keys(list);
    for (const [key, card] of this.#cards) if (!keys.includes(key)) { this.#cards.delete(key); this.#sections.delete(key); }
    const isRunning = this.#tunnels.count > 0 && this.#draft.isEdited;
    list.forEach((operator, index) => {
      let card = this.#cards.get(keys[index]);
      if (!card) this.#cards.set(keys[index], card = new OperatorCard(this.#actions));
      card.update(operator, index, errors);
      const isOn = !(operator instanceof Map && operator.get("disabled") === true);
      rows.push(this.#section(keys[index], card.element, places.filter((place) => place.index === index),
        isOn && isRunning));
    });
    const focus = document.activeElement;
    arrange(this.#list, [...rows, this.#line]);
    if (focus !== document.activeElement && this.#list.contains(focus)) focus.focus({ preventScroll: true });   // what is moved loses it
    showErrors(this.#error, this.element,
      errors.filter((error) => !["source", "stream"].some((path) => isAt(error, path))
      && operatorIndex(error.path) === undefined));
  }

  // An operator is known by its id, else by its name and how many of that came before.
  #keys(list) {
    const seen = new Map();
    return list.map((operator) => {
      const id = operator instanceof Map ? operator.get("id") : undefined;
      const base = typeof id === "string" ? `id ${id}` : `name ${operatorName(operator)}`;
      const count = (seen.get(base) ?? 0) + 1;
      seen.set(base, count);
      return count > 1 ? `${base} ${count}` : base;
    });
  }

  #section(key, head, places, isLive) {
    let section = this.#sections.get(key);
    if (!section) this.#sections.set(key,
      section = { element: make("div", { class: "stage" }),
      note: make("p", { class: "soft dry", text: "Preview: not applied yet" }) });
    const tunnels = places.map(({ element }) => element);
    arrange(section.element, [head, ...(tunnels.length || !isLive ? tunnels : [section.note])]);
    return section.element;
  }

  #actions = {
    streams: () => this.#streams(),
    edit: (index, change, isFinished) => this.#draft.edit((tree) => change(operators(tree)[index]), { isFinished }),
    move: (index, to) => this.#move(index, to),
    remove: (index) => {
      this.#draft.edit((tree) => operators(tree).splice(index, 1));
      const next = [...this.#cards.values()].find((card) => card.index === Math.min(index, this.#cards.size - 1));
      if (next) next.handle.focus(); else this.#adder.focus();
    },
    grip: (event, card) => this.#grip(event, card),
  };

  #add(kind) {
    const stream = this.#streams()[0];
    this.#draft.edit((tree) => {
      const list = operators(tree);
      list.push(new Map([["id", freeID(tree, kind.name)], [kind.name, beginnings(kind, stream)]]));
      tree.set("operators", list);
    });
    const card = [...this.#cards.values()].find((one) => one.index === operators(this.#draft.tree).length - 1);
    card?.focus();
    card?.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  #move(index, to) {
    const count = operators(this.#draft.tree).length;
    if (to < 0 || to >= count || to === index) return;
    this.#draft.edit((tree) => {
      const list = operators(tree);
      list.splice(to, 0, ...list.splice(index, 1));
    });
  }

  // Dragging by the handle: a line shows where the operator will stand.
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
      const box = this.#list.getBoundingClientRect(),
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
