// The run of a draft in virtual time, drawn while one edits it.
import { itemTimes, items, newItem, operatorIndex, operators, setSource, source } from "./document.js";
import { Away, hub } from "./hub.js";
import { copy, tree as node, write } from "./json.js";

/** The sources of the outside world, which virtual time does not have: the last values of the run stand in for them. */
const outside = new Set(["poll", "request", "events", "webhook", "subscribe", "lines", "outside", "subject"]);
const mostSamples = 100;

/** The time at which the items of a document end, in seconds. */
export const lastTime = (document) => itemTimes(items(document) ?? []).at(-1) ?? 0;

export class Preview {
  #listener; #frame; #control; #parts;

  /**
   * `listener`: `shown(picture, isMore)` gets the hub's picture, with `faults` of the draft in it; `troubled(error)`;
   * `sample()` returns the last values of the source, `{ time, value }`.
   */
  constructor(listener) { this.#listener = listener; }

  /** Draws a document in the next frame, as far as `until`; a document before it that is not drawn yet is left out. */
  draw(document, until) {
    this.stop();
    this.#frame = requestAnimationFrame(() => this.#ask(document, until));
  }

  /** Draws what follows a picture that is cut off. */
  async continue(after) {
    const parts = this.#parts;
    if (!parts || this.#control) return;
    const { text, until } = parts;
    await this.#try(async (signal) => {
      const picture = await hub.picture(text, until, { after, signal });
      this.#listener.shown({ ...picture, faults: [] }, true);
    });
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#control?.abort();
    this.#control = undefined;
  }

  #ask(document, until) {
    return this.#try(async (signal) => {
      const { tree, isSample, isEmpty } = this.#drawable(document);
      if (isEmpty) return this.#listener.shown({ faults: [], isOutside: true });
      const text = write(tree);
      let faults = [], picture;
      try {
        picture = await hub.picture(text, until, { signal });
        this.#parts = { text, until };
      } catch (error) {
        if (!error.problem?.errors?.length) throw error;
        faults = error.problem.errors.map((fault) => ({ ...fault, ...spot(text, fault) }));
        picture = await this.#before(faults, tree, until, signal);
      }
      this.#listener.shown({ ...picture, faults, isSample });
    });
  }

  async #try(work) {
    const control = this.#control = new AbortController();
    try {
      await work(control.signal);
    } catch (error) {
      if (!control.signal.aborted) this.#listener.troubled(error);
    }
    if (this.#control === control) this.#control = undefined;
  }

  // The stages before the first error are drawn all the same.
  async #before(faults, tree, until, signal) {
    const first = Math.min(...faults.map(({ path }) => operatorIndex(path) ?? -1));
    if (first < 0) return { rows: undefined };
    const part = copy(tree);
    part.set("operators", operators(part).slice(0, first));
    const text = write(part);
    try {
      const picture = await hub.picture(text, until, { signal });
      this.#parts = { text, until };
      return picture;
    } catch (error) {
      if (error instanceof Away || signal.aborted) throw error;
      return { rows: undefined };
    }
  }

  // Sinks deliver nothing in virtual time, and tests are of the whole.
  #drawable(document) {
    const tree = copy(document), { kind } = source(tree);
    for (const key of ["sinks", "tests", "gate"]) tree.delete(key);
    if (!outside.has(kind)) return { tree };
    const values = this.#listener.sample().slice(-mostSamples);
    if (!values.length) return { isEmpty: true };
    let time = values[0].time;
    const list = values.map((value) => {
      const item = newItem(node(value.value), Math.round((value.time - time) * 1000) / 1000);
      time = value.time;
      return item;
    });
    setSource(tree, "stream", list);
    return { tree, isSample: true };
  }
}

/** Returns the text of JSON in which an error is, with the number of its characters before the error. */
function spot(text, { line, column }) {
  const lines = text.split("\n"), row = lines[line - 1];
  if (row === undefined) return {};
  const at = column - 1;
  for (const { 0: literal, index } of row.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    if (index < at && at < index + literal.length) return { literal: literal.slice(1, -1), offset: at - index - 1 };
  }
  return {};
}

