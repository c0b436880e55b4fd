// A stream that plays sample data, and the real source and sinks that take its place.
import { setSource } from "./document.js";
import { button, make } from "./dom.js";
import { realKey } from "./templates.js";
import { sampling as texts } from "./texts.js";

export class Sample {
  #draft; #text; #use;

  constructor(draft) {
    this.#draft = draft;
    this.#text = make("p");
    this.#use = button({ text: texts.useTheRealSource, kind: "pill", id: "real" }, () => this.#replace());
    this.element = make("div", { class: "sample", hidden: true }, this.#text, this.#use);
  }

  get #real() {
    const real = this.#draft.fault ? undefined : this.#draft.tree.get(realKey), source = real instanceof Map ? real.get("source") : undefined;
    return source instanceof Map && source.size ? real : undefined;
  }

  update() {
    const real = this.#real;
    this.element.hidden = !real;
    if (!real) return;
    const sinks = real.get("sinks"), names = [[...real.get("source").keys()][0], ...Array.isArray(sinks) && sinks.length ? [texts.aSink] : []];
    this.#text.textContent = texts.thisPlaysSampleDataTheReal(names.join(texts.and));
  }

  #replace() {
    this.#draft.edit((tree) => {
      const real = tree.get(realKey), [[kind, value]] = real.get("source"), sinks = real.get("sinks");
      setSource(tree, kind, value);
      if (Array.isArray(sinks)) tree.set("sinks", sinks);
      tree.delete(realKey);
    });
  }
}
