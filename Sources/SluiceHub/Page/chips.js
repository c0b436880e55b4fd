// The streams and sources that an operator or a source combines, as chips: a name is shown, and an id is stored.
import { beginnings, sourceKind, sourceKinds } from "./catalog.js";
import { operatorName } from "./document.js";
import { arrange, button, make } from "./dom.js";
import { Form } from "./fields.js";
import { cut, whole, plain } from "./value.js";
import { chips as texts } from "./texts.js";

/** Returns the id of a reference; `undefined` for another source. */
function reference(node) {
  const ref = node instanceof Map && node.size === 1 ? node.get("ref") : undefined;
  return typeof ref === "string" ? ref : ref instanceof Map && ref.size === 1 && typeof ref.get("id") === "string" ? ref.get("id") : undefined;
}

export class Chips {
  #many; #streams; #change; #nodes = []; #open; #form; #row; #detail; #pick; #held;

  /** `isMany`: a list of sources, else one; `streams`: `{ id, name }`; `change(node)` gets what the person has made. */
  constructor({ isMany, streams, label, id, describedBy, parameter, change }) {
    this.#many = isMany;
    this.#streams = streams;
    this.#change = change;
    const pick = make("select", { id, "aria-describedby": describedBy, dataset: { parameter },
      "aria-label": isMany ? texts.addAStreamOrASource(label) : texts.takeAnotherStreamOrSource(label) });
    pick.append(make("option", { value: "", text: isMany ? texts.add : texts.take }),
      make("optgroup", { label: texts.streamsOfTheHub }, ...streams.map(({ id: stream, name }) => make("option", { value: stream, text: name }))),
      make("optgroup", { label: texts.otherSources }, ...sourceKinds().filter(({ name }) => name !== "ref").map(({ name }) => make("option", { value: `source ${name}`, text: name }))));
    pick.addEventListener("change", () => this.#add(pick));
    this.#pick = pick;
    this.#row = make("ul", { class: "references" });
    this.#detail = make("div", { class: "reference-detail", hidden: true });
    this.element = make("div", { class: "references-place" }, this.#row, pick, this.#detail);
  }

  get input() { return this.#pick; }

  /** Shows a node of the document. */
  update(node) {
    this.#nodes = node === undefined ? [] : this.#many ? (Array.isArray(node) ? node : [node]) : [node];
    this.#draw();
  }

  #publish() {
    this.#draw();
    this.#change(this.#many ? [...this.#nodes] : this.#nodes[0]);
  }

  #add(pick) {
    const { value } = pick;
    pick.value = "";
    if (!value) return;
    const kind = value.startsWith("source ") && !this.#streams.some(({ id }) => id === value) ? sourceKind(value.slice(7)) : undefined;
    const node = kind ? new Map([[kind.name, beginnings(kind, this.#streams[0]?.id)]]) : new Map([["ref", value]]);
    this.#nodes = this.#many ? [...this.#nodes, node] : [node];
    this.#open = kind ? this.#nodes.length - 1 : undefined;
    this.#form = undefined;
    this.#publish();
  }

  #name(node) {
    const id = reference(node);
    if (id !== undefined) return this.#streams.find((one) => one.id === id)?.name ?? id;
    const kind = operatorName(node);
    if (!kind) return cut(whole(plain(node)), 40);
    const value = node.get(kind);
    const text = value === undefined || (value instanceof Map && !value.size) ? "" : cut(whole(plain(value)), 30);
    return kind === "source" || kind === "operators" ? texts.aStreamWithin : `${kind}${text ? ` ${text}` : ""}`;
  }

  #draw() {
    const count = this.#nodes.length;
    if (!(this.#open < count)) this.#open = undefined;
    const focus = this.#row.contains(document.activeElement) ? [document.activeElement.dataset.at, document.activeElement.dataset.part] : undefined;
    arrange(this.#row, this.#nodes.map((node, index) => this.#chip(node, index)));
    if (focus) this.#row.querySelector(`[data-at="${focus[0]}"][data-part="${focus[1]}"]`)?.focus();
    this.#drawDetail();
  }

  #chip(node, index) {
    const id = reference(node), name = this.#name(node), isKnown = id === undefined || this.#streams.some((one) => one.id === id);
    const label = make("button", { type: "button", class: "reference-name", dir: "auto", text: cut(name, 48), dataset: { at: index, part: "name" },
      title: id === undefined ? undefined : `id ${id}`,
      "aria-label": `${name}${this.#many ? texts.numberArrowKeysMoveIt(index + 1) : ""}${id === undefined ? texts.enterEditsIt : texts.enterOpensIt}`,
      on: { click: () => {
        if (id !== undefined) location.hash = `#/streams/${encodeURIComponent(id)}`;
        else { this.#open = this.#open === index ? undefined : index; this.#form = undefined; this.#drawDetail(); }
      } } });
    label.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); return this.#remove(index); }
      if (!step || !this.#many) return;
      event.preventDefault();
      this.#move(index, index + step);
      this.#row.querySelector(`[data-at="${index + step}"][data-part="name"]`)?.focus();
    });
    const chip = make("li", { class: `reference${isKnown ? "" : " unknown"}`, dataset: { place: index, reference: id } }, label,
      this.#many ? button({ icon: "cross", label: texts.removeOf(name), kind: "quiet", "data-at": index, "data-part": "cross" }, () => this.#remove(index)) : undefined);
    if (this.#many) this.#drag(chip, index);
    return chip;
  }

  #remove(index) {
    if (!this.#many) return;
    this.#nodes = this.#nodes.filter((_, place) => place !== index);
    this.#open = undefined;
    this.#publish();
    (this.#row.querySelector(`[data-at="${Math.min(index, this.#nodes.length - 1)}"]`) ?? this.#pick).focus();
  }

  #move(index, to) {
    if (to < 0 || to >= this.#nodes.length || to === index) return;
    const nodes = [...this.#nodes];
    nodes.splice(to, 0, ...nodes.splice(index, 1));
    this.#nodes = nodes;
    this.#open = undefined;
    this.#publish();
  }

  // A chip that is dragged over another takes its place when it is let go.
  #drag(chip, index) {
    chip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest(".quiet")) return;
      this.#held = { index, x: event.clientX, y: event.clientY };
      const over = (now) => document.elementFromPoint(now.clientX, now.clientY)?.closest?.(".reference");
      const moved = (now) => {
        if (Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < 6) return;
        chip.classList.add("held");
        this.#held.isMoved = true;
        for (const one of this.#row.children) one.classList.toggle("wanted", one === over(now) && one !== chip);
      };
      const end = (now) => {
        removeEventListener("pointermove", moved);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
        chip.classList.remove("held");
        const target = now.type === "pointerup" && this.#held?.isMoved && over(now);
        if (this.#held?.isMoved) chip.addEventListener("click", (click) => { click.stopPropagation(); click.preventDefault(); }, { capture: true, once: true });
        this.#held = undefined;
        for (const one of this.#row.children) one.classList.remove("wanted");
        if (target && this.#row.contains(target)) setTimeout(() => this.#move(index, Number(target.dataset.place)));
      };
      addEventListener("pointermove", moved);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
    });
  }

  // A source that is not a reference has its own form.
  #drawDetail() {
    const node = this.#nodes[this.#open], name = node && operatorName(node), kind = name && sourceKind(name);
    this.#detail.hidden = !node || !kind;
    if (this.#detail.hidden) { this.#form = undefined; return this.#detail.replaceChildren(); }
    if (!this.#form || this.#form.name !== name) {
      const form = new Form(kind, { streams: this.#streams, change: (value) => {
        const changed = new Map(this.#nodes[this.#open]);
        changed.set(name, value);
        this.#nodes = this.#nodes.map((one, index) => index === this.#open ? changed : one);
        this.#change(this.#many ? [...this.#nodes] : changed);
      } });
      this.#form = { name, form };
      this.#detail.replaceChildren(make("strong", { text: name }), form.element);
    }
    this.#form.form.update(node.get(name), name, []);
  }
}
