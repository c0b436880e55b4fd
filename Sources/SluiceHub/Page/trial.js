// A trial of a source or a sink, before anything is applied: fetch an item once, or deliver a sample.
import { button, make } from "./dom.js";
import { boxes, readable } from "./gate.js";
import { Refusal } from "./hub.js";
import { write } from "./json.js";
import { cut, typed } from "./value.js";
import { trial as texts } from "./texts.js";

export class Trial {
  #parts; #isBusy = false;

  /**
   * `text`: the words of the button; `label`, with what it is about; `sample`, the text of a first sample, for a field
   * that takes another. `ask(sample)` promises the hub's answer to it, as JSON text.
   */
  constructor({ text, label, sample, ask }) {
    const field = sample === undefined ? undefined
      : make("input", { class: "code", value: sample, "aria-label": texts.aSampleFor(label), dir: "auto",
        on: { keydown: (event) => { if (event.key === "Enter") this.#try(ask); } } });
    const act = button({ text, "aria-label": `${text}: ${label}` }, () => this.#try(ask));
    const result = make("div", { class: "trial-result", role: "status" });
    this.#parts = { field, act, result };
    this.element = make("div", { class: "trial" }, make("div", { class: "trial-do" }, act, field), result);
  }

  async #try(ask) {
    if (this.#isBusy) return;
    const { field, result } = this.#parts;
    this.#isBusy = true;
    result.replaceChildren(make("p", { class: "soft", text: texts.trying }));
    try {
      this.#show(await ask(field && write(typed(field.value), Infinity)));
    } catch (error) {
      const errors = error instanceof Refusal ? error.problem.errors ?? [] : [];
      const text = errors.length ? `${errors[0].path}: ${errors[0].message}` : error.message;
      result.replaceChildren(make("p", { class: "error", text: cut(String(text), 1000) }));
    }
    this.#isBusy = false;
  }

  #show({ value, request, error } = {}) {
    const isDelivered = request !== undefined && error === undefined;
    this.#parts.result.replaceChildren(...[
      error === undefined ? undefined : make("p", { class: "error", text: cut(String(error), 1000) }),
      isDelivered ? make("p", { text: texts.deliveredTheReceiverHasAcknowledgedIt }) : undefined,
      ...boxes([[texts.item, value === undefined ? undefined : readable(value)],
        [texts.request, request === undefined ? undefined : readable(request)]]),
    ].filter(Boolean));
  }
}
