// A stream from its source to its output: what each stage is, and under it the tunnel of what it passes on.
import { operatorKind, operatorKinds } from "./catalog.js";
import { Cards } from "./cards.js";
import { isSinkPath, operatorIndex, operators } from "./document.js";
import { make } from "./dom.js";
import { isAt, showErrors } from "./fields.js";
import { SourceCard } from "./source.js";
import { cut } from "./value.js";
import { pipeline as texts } from "./texts.js";

export class Pipeline {
  #draft; #tunnels; #source; #cards; #error; #broken = new Map();
  /** The errors for which a part of the draft is not drawn: see `Preview`. */
  faults = [];

  /** `tunnels`: the stream's tunnels; `page`: `names(id)`, other streams, `{id, name}`; `copy(text, what)`. */
  constructor(draft, tunnels, page) {
    this.#draft = draft;
    this.#tunnels = tunnels;
    const streams = () => page.names(draft.id);
    this.#source = new SourceCard(draft, { streams, copy: page.copy, clock: tunnels.clock });
    this.#error = make("p", { class: "error page-error", role: "alert", hidden: true });
    this.#cards = new Cards(draft, {
      key: "operators", part: "operator", kind: operatorKind, kinds: operatorKinds,
      placeholder: texts.addAnOperatorFilterMapScan,
      words: { add: texts.addAnOperator, one: (number, name) => texts.operatorOf(number, name), unknown: texts.unknownOperatorItIsKeptUnchanged },
    }, streams);
    this.element = make("div", {}, make("h2", { class: "visually-hidden", text: texts.stages }), this.#error, this.#cards.element, this.#cards.adder.element);
  }

  update() {
    const { tree, errors } = this.#draft, list = operators(tree);
    const places = this.#tunnels.places(list, this.#draft.plan);
    this.#source.isColored = this.#tunnels.isColored;
    this.#source.update(errors);
    const isRunning = this.#tunnels.count > 0 && this.#draft.isEdited;
    const faulty = new Map(this.faults.map((fault) => [operatorIndex(fault.path) ?? -1, fault]));
    const first = Math.min(...faulty.keys());
    for (const index of this.#broken.keys()) if (!faulty.has(index)) this.#broken.delete(index);
    const tunnels = (wanted) => places.filter(({ index }) => index === wanted).map(({ element }) => element);
    const below = (index) => {
      const found = tunnels(index), isOn = !(list[index] instanceof Map && list[index].get("disabled") === true);
      if (faulty.has(index)) return [this.#fault(index, faulty.get(index))];
      if (index > first && isOn) return [make("p", { class: "soft dry", text: texts.nothingComesHereAStageBefore })];
      return found.length || !isOn || !isRunning ? found
        : [make("p", { class: "soft dry", text: texts.notDrawnYet })];
    };
    this.#cards.update(below, [this.#cards.section("source", [this.#source.element,
      ...first === -1 ? [this.#fault(-1, faulty.get(-1))] : tunnels(undefined)])]);
    showErrors(this.#error, this.element,
      errors.filter(({ path }) => !["source", "stream"].some((part) => isAt({ path }, part))
      && operatorIndex(path) === undefined && !isSinkPath(path)));
  }

  // A tunnel that can't be drawn says where and why.
  #fault(index, { path, message, hint, literal, offset }) {
    const key = JSON.stringify([path, message, literal, offset]);
    if (this.#broken.get(index)?.key === key) return this.#broken.get(index).element;
    const element = make("div", { class: "tunnel-row" }, make("div", { class: "broken", role: "status" },
      make("strong", { text: cut(message ?? "", 300) }),
      literal === undefined ? make("code", { text: cut(path ?? "", 200) })
        : make("code", { class: "spot", dir: "ltr" }, literal.slice(Math.max(0, offset - 60), offset),
          make("mark", { text: literal.slice(offset, offset + 1) || " " }), literal.slice(offset + 1, offset + 80)),
      hint ? make("span", { class: "soft", text: cut(hint, 200) }) : undefined));
    this.#broken.set(index, { key, element });
    return element;
  }
}
