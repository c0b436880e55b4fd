// A stream from its source to its output: what each stage is, and under it the tunnel of what it passes on.
import { operatorKind, operatorKinds } from "./catalog.js";
import { Cards } from "./cards.js";
import { isSinkPath, operatorIndex, operators } from "./document.js";
import { make } from "./dom.js";
import { isAt, showErrors } from "./fields.js";
import { SourceCard } from "./source.js";

export class Pipeline {
  #draft; #tunnels; #source; #cards; #error;

  /** `tunnels`: the stream's tunnels; `page`: `names(id)`, other streams, `{id, name}`; `copy(text, what)`. */
  constructor(draft, tunnels, page) {
    this.#draft = draft;
    this.#tunnels = tunnels;
    const streams = () => page.names(draft.id);
    this.#source = new SourceCard(draft, { streams, copy: page.copy });
    this.#error = make("p", { class: "error page-error", role: "alert", hidden: true });
    this.#cards = new Cards(draft, {
      key: "operators", noun: "Operator", kind: operatorKind, kinds: operatorKinds,
      placeholder: "Add an operator: filter, map, scan, delay…",
    }, streams);
    this.element = make("div", {}, this.#error, this.#cards.element, this.#cards.adder.element);
  }

  update() {
    const { tree, errors } = this.#draft, list = operators(tree);
    const places = this.#tunnels.places(list, this.#draft.plan);
    this.#source.isColored = this.#tunnels.isColored;
    this.#source.update(errors);
    const isRunning = this.#tunnels.count > 0 && this.#draft.isEdited;
    const tunnels = (wanted) => places.filter(({ index }) => index === wanted).map(({ element }) => element);
    const below = (index) => {
      const found = tunnels(index), isOn = !(list[index] instanceof Map && list[index].get("disabled") === true);
      return found.length || !isOn || !isRunning ? found
        : [make("p", { class: "soft dry", text: "Preview: not applied yet" })];
    };
    this.#cards.update(below, [this.#cards.section("source", [this.#source.element, ...tunnels(undefined)])]);
    showErrors(this.#error, this.element,
      errors.filter(({ path }) => !["source", "stream"].some((part) => isAt({ path }, part))
      && operatorIndex(path) === undefined && !isSinkPath(path)));
  }
}
