// The source of a stream: its items as balls, or its parameters as a form.
import { beginnings, sourceKind, sourceKinds } from "./catalog.js";
import { items, setSource, source } from "./document.js";
import { arrange, make } from "./dom.js";
import { Field, Form, isAt, showErrors } from "./fields.js";
import { hub } from "./hub.js";
import { Items } from "./items.js";
import { Trial } from "./trial.js";
import { Webhooks } from "./webhooks.js";
import { source as texts } from "./texts.js";

// The sources that can be fetched once.
const fetched = new Set(["poll", "request", "events", "lines"]);

export class SourceCard {
  #draft; #actions; #kind; #form; #items; #parts; #known = 0; #webhooks; #trial;

  /** `actions`: `streams()`, the streams that may be referred to: `{id, name}`; `copy(text, what)`; `clock`, that of the tunnels. */
  constructor(draft, actions) {
    this.#draft = draft;
    this.#actions = actions;
    const pick = make("select", { "aria-label": texts.theKindOfTheSource,
      on: { change: () => this.#pick(pick.value) } });
    const about = make("p", { class: "soft about" }), slot = make("div"),
      error = make("p", { class: "error", hidden: true });
    this.#parts = { pick, about, slot, error };
    this.#webhooks = new Webhooks(draft.id, actions.copy);
    this.#trial = new Trial({ text: texts.fetchOnce, label: texts.theSource, ask: () => hub.try(draft.text) });
    this.element = make("section", { class: "operator source", "aria-label": texts.source },
      make("div", { class: "operator-head" },
        make("div", { class: "operator-name" }, make("h3", { text: texts.source }), pick)), about, slot, error,
      this.#trial.element, this.#webhooks.element);
  }

  set isColored(value) { if (this.#items) this.#items.isColored = value; }

  update(errors) {
    const tree = this.#draft.tree, { kind, value, path } = source(tree);
    const kinds = sourceKinds();
    if (kind !== this.#kind || kinds.length !== this.#known
      || (kind === "stream" && Boolean(items(tree)) !== Boolean(this.#items))) this.#make(kind, items(tree));
    const mine = errors.filter((error) => isAt(error, "source") || isAt(error, "stream"));
    let rest = mine;
    if (this.#items) {
      this.#items.update(mine);
      rest = [];
    } else if (this.#form) {
      rest = this.#form.update(value, path, mine);
    }
    showErrors(this.#parts.error, this.element, rest);
    this.#trial.element.hidden = !fetched.has(kind);
    this.#webhooks.update(kind === "stream" ? undefined : tree.get("source"), tree.get("operators"));
    this.element.classList.toggle("wrong", mine.length > 0);
  }

  #make(kind, list) {
    this.#kind = kind;
    const known = sourceKind(kind), kinds = sourceKinds();
    this.#known = kinds.length;
    const names = [...new Set([...kinds.map((one) => one.name), ...(kind ? [kind] : [])])];
    arrange(this.#parts.pick, names.map((name) => make("option", { value: name, text: name })));
    this.#parts.pick.value = kind ?? "";
    this.#parts.about.textContent = list
      ? texts.dragABallToChangeIts
      : known?.summary?.replaceAll("`", "") ?? "";
    this.#items?.close();
    this.#items = this.#form = undefined;
    if (this.#actions.clock && !list) this.#actions.clock.itemsEnd = undefined;
    if (list) {
      this.#items = new Items(this.#draft, this.#actions.clock);
      this.#parts.slot.replaceChildren(this.#items.element);
      return;
    }
    const edit = (value, isFinished) => this.#draft.edit((tree) => {
      if (tree.has("stream")) tree.set("stream", value);
      else if (kind && kind !== "pipeline") tree.get("source").set(kind, value);
      else tree.set("source", value);
    }, { isFinished });
    if (known) this.#form = new Form(known, { change: edit, streams: this.#actions.streams(),
      names: (path) => this.#draft.names(path) });
    else {
      const field = new Field({ name: kind ?? "source", form: "json" },
        { change: (node, isFinished) => { if (node !== undefined) edit(node, isFinished); } });
      this.#form = { element: make("div", { class: "form" }, field.element),
        update: (value, path, errors) => { field.update(value, errors); return []; } };
    }
    this.#parts.slot.replaceChildren(this.#form.element);
  }

  #pick(name) {
    const kind = sourceKind(name);
    if (!kind || name === this.#kind) return;
    const other = this.#actions.streams()[0]?.id;
    const start = beginnings(kind, other);
    // A single argument is written without its key.
    const bare = kind.bare ?? (kind.parameters?.length === 1 ? kind.parameters[0].name : undefined);
    const value = name === "stream" ? start.get("items")
      : bare && start.size === 1 && ["ref", "values", "fail", "merge", "append", "zip", "combineLatest", "race",
      "forkJoin", "withLatestFrom"].includes(name) ? start.get(bare) ?? start : start;
    this.#draft.edit((tree) => setSource(tree, name, value));
  }
}
