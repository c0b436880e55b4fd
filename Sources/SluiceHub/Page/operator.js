// An operator or a sink of a stream: its name, its parameters, and what one does with it.
import { operatorName } from "./document.js";
import { arrange, button, make, unique } from "./dom.js";
import { Field, Form, isAt, showErrors } from "./fields.js";
import { cut } from "./value.js";
import { operator as texts } from "./texts.js";

export class OperatorCard {
  #name; #form; #parts; #actions; #index; #kindLoaded; #family; #isFolded = true;

  /**
   * `family`: `key`, that of the list in the document; `part`; `words`; `kind(name)`, its description in the catalog.
   * `actions`: `edit(index, change, isFinished)`, `move(index, to)`, `remove(index)`, `grip(event, card)`, `streams()`,
   * `names(path)`, the fields that an expression may name.
   */
  constructor(family, actions) {
    this.#family = family;
    this.#actions = actions;
    const title = make("h3"), id = make("span", { class: "soft code" }), about = make("p", { class: "soft about" });
    const handle = button({ icon: "grip", label: texts.move, kind: "quiet grip" }, () => {});
    handle.addEventListener("pointerdown", (event) => actions.grip(event, this));
    handle.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      actions.move(this.#index, this.#index + (event.key === "ArrowUp" ? -1 : 1));
      this.#parts.handle.focus();
    });
    const off = make("input", { type: "checkbox", role: "switch", on: {
      change: () => actions.edit(this.#index,
        (operator) => { if (off.checked) operator.delete("disabled"); else operator.set("disabled", true); }, true),
    } });
    const remove = button({ icon: "cross", label: texts.remove, kind: "quiet" }, () => actions.remove(this.#index));
    const error = make("p", { class: "error", hidden: true }), slot = make("div", { id: unique("parameters") });
    const fold = button({ text: texts.edit, kind: "quiet", "aria-controls": slot.id, hidden: true },
      () => { this.#isFolded = !this.#isFolded; this.isFoldable = true; });
    const result = make("div", { class: "operator-result" });
    this.#parts = { title, id, about, handle, off, remove, error, slot, fold, result };
    this.element = make("section", { class: "operator" },
      make("div", { class: "operator-head" }, handle, make("div", { class: "operator-name" }, title, id), fold,
        make("label", { class: "switch" }, off, make("span", { text: texts.on })), remove),
      result, about, slot, error);
  }

  /** The elements between the name and the parameters: the gate of a sink. */
  set result(elements) { arrange(this.#parts.result, elements); }

  get index() { return this.#index; }
  get handle() { return this.#parts.handle; }
  focus() {
    if (!this.#parts.fold.hidden) { this.#isFolded = false; this.isFoldable = true; }
    (this.#form?.first ?? this.#parts.handle).focus();
  }

  /** Puts the parameters behind a button, which a long list needs. */
  set isFoldable(value) {
    const { fold, slot, about } = this.#parts, isShut = value && this.#isFolded;
    fold.hidden = !value;
    fold.setAttribute("aria-expanded", !isShut);
    slot.hidden = about.hidden = isShut;
  }

  update(operator, index, errors) {
    this.#index = index;
    const name = operatorName(operator) ?? "";
    const { key, part, words } = this.#family, kind = this.#family.kind(name);
    if (name !== this.#name || (kind && !this.#kindLoaded)) this.#makeForm(name, kind);
    const { title, id, off, remove, handle, error, fold } = this.#parts;
    const shown = cut(name, 80) || texts.withoutAName;
    title.textContent = shown;
    const own = operator instanceof Map ? operator.get("id") : undefined;
    id.textContent = typeof own === "string" && own !== name ? cut(own, 60) : "";
    off.checked = !(operator instanceof Map && operator.get("disabled") === true);
    off.setAttribute("aria-label", texts.isOn(shown));
    this.element.classList.toggle("off", !off.checked);
    handle.setAttribute("aria-label", texts.moveArrowKeys(shown));
    remove.setAttribute("aria-label", texts.removeOf(shown));
    fold.setAttribute("aria-label", texts.editOf(shown));
    const path = `${key}[${index}]`;
    this.element.setAttribute("aria-label", words.one(index + 1, shown));
    this.element.dataset.path = path;
    this.element.dataset[part] = name;
    const mine = errors.filter((one) => isAt(one, path));
    const rest = this.#form && operator instanceof Map ? this.#form.update(operator.get(name), `${path}.${name}`, mine)
      : mine;
    showErrors(error, this.element, rest);
    this.element.classList.toggle("wrong", mine.length > 0);
    // An error is shown at its field.
    if (mine.length && this.#isFolded && !fold.hidden) { this.#isFolded = false; this.isFoldable = true; }
  }

  #makeForm(name, kind) {
    this.#name = name;
    this.#kindLoaded = Boolean(kind);
    const edit = (value, isFinished) =>
      this.#actions.edit(this.#index, (operator) => { if (operator.has(name)) operator.set(name, value); }, isFinished);
    if (kind) this.#form = new Form(kind, { change: edit, streams: this.#actions.streams(),
      names: this.#actions.names });
    else {
      // An operator that the page does not know is edited as text.
      const field = new Field({ name: "parameters", form: "json" },
        { change: (node, isFinished) => { if (node !== undefined) edit(node, isFinished); } });
      this.#form = {
        element: make("div", { class: "form" }, field.element), first: field.input,
        update: (value, path, errors) => { field.update(value,
          errors.filter((error) => error.path !== path)); return errors.filter((error) => error.path === path); },
      };
    }
    this.#parts.about.textContent = kind?.summary ? kind.summary.replaceAll("`", "") : name
      ? this.#family.words.unknown : "";
    this.#parts.about.title = this.#parts.about.textContent;
    this.#parts.slot.replaceChildren(this.#form.element);
  }
}
