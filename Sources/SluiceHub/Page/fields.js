// The parameters of an operator, a source, or a sink as a form, with the errors at the place where they are.
import { Chips } from "./chips.js";
import { Completion } from "./completion.js";
import { button, make, unique } from "./dom.js";
import { hub } from "./hub.js";
import { read, write } from "./json.js";
import { cut, said, typable, typed } from "./value.js";
import { fields as texts } from "./texts.js";

const isSource = (form) => form === "source" || form === "sources";
const isJSON = (form) => ["values", "object", "operators", "items", "json", "stack"].includes(form);

const mostPicked = 500;

// The stacks of the hub, asked for once for all fields that are made or entered within some seconds.
let stacks, askedAt = 0;
function knownStacks() {
  if (!stacks || performance.now() - askedAt > 3000) {
    askedAt = performance.now();
    stacks = hub.stacks();
  }
  return stacks;
}

/** Returns true if an error belongs to the part at `path`. */
export const isAt = (error, path) => error.path === path
  || (error.path?.startsWith(path) && /^[.[]/.test(error.path.slice(path.length)));

/** The errors under a field; the field says that it has some. */
export function showErrors(element, field, errors) {
  element.textContent = errors.map(({ message, hint }) => said({ message, hint })).join("\n");
  element.hidden = !errors.length;
  field.setAttribute("aria-invalid", errors.length > 0);
}

// The names that an expression may use.
function variables(kind) {
  if (["scan", "reduce"].includes(kind)) return "acc, x, i";
  if (/^(zip|combineLatest|withLatestFrom|forkJoin)$/.test(kind)) return "a, b, …";
  if (/^(flatMap|concatMap|switchMap|exhaustMap)$/.test(kind)) return "a, x";
  return ["generate", "mapError"].includes(kind) ? undefined : "x, i";
}

/**
 * One parameter. `change(node, isFinished)` gets what was typed, `undefined` where the field was emptied; `names(path)`
 * promises the fields that an expression at a path may name.
 */
export class Field {
  #input; #error; #form; #fault; #path; #completion;

  constructor(parameter, { label, change, names, streams = [] }) {
    const { name, form, choices = [], isRequired, meaning } = parameter;
    this.name = name;
    this.#form = form;
    const id = unique("field"), errorID = unique("error");
    const common = { id, "aria-describedby": errorID, autocomplete: "off", spellcheck: false,
      dataset: { parameter: name } };
    if (form === "choice") {
      this.#input = make("select", common, ...(isRequired ? [] : [make("option", { value: "", text: texts.default })]),
        ...choices.map((choice) => make("option", { value: choice, text: choice })));
    } else if (form === "bool") {
      this.#input = make("input", { ...common, type: "checkbox" });
    } else if (isSource(form)) {
      this.#chips = new Chips({ isMany: form === "sources", streams, label: label ?? name, id, describedBy: errorID, parameter: name,
        change: (node) => change(node, true) });
      this.#input = this.#chips.input;
    } else if (isJSON(form)) {
      this.#input = make("textarea", { ...common, class: "code", rows: 1 });
    } else {
      this.#input = make("input", {
        ...common, type: "text", class: form === "expression" ? "code wide" : form === "count" || form === "seconds"
          ? "short" : "code",
        inputMode: form === "count" || form === "seconds" ? "decimal" : "text",
      });
    }
    if (form === "stack") this.#pickStack(change);
    if (name === "id" && form === "text" && streams.length) this.#pick(streams, change);
    this.#error = make("p", { class: "error", id: errorID, hidden: true });
    if (form === "expression" && names) this.#completion = new Completion(this.#input, () => names(this.#path));
    const unit = form === "seconds" ? texts.s : "";
    this.element = make("div", { class: `field form-${form}`, title: meaning || undefined },
      make("label", { htmlFor: id, text: (label ?? name) + unit }), this.#chips?.element ?? this.#input, this.#completion?.element,
      this.#picker, this.#error);
    if (this.#chips) return;
    const publish = (isFinished) => {
      const node = this.#node();
      if (!this.#fault) change(node, isFinished);
    };
    this.#input.addEventListener("input", () => { this.#isTyping = true; publish(false); });
    // A field that leaves the page while it has the focus says "change" too: only what was typed is an edit.
    const isPicked = form === "choice" || form === "bool";
    this.#input.addEventListener("change",
      () => { if (this.#isTyping || isPicked) { this.#isTyping = false; publish(true); } });
    this.#input.addEventListener("blur", () => { this.#isTyping = false; });
    this.#input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (!isJSON(form) || event.ctrlKey
        || event.metaKey)) { event.preventDefault(); this.#isTyping = false; publish(true); }
    });
  }
  #picker; #isTyping = false; #chips;

  get input() { return this.#input; }

  // Streams that may be referred to.
  #pick(streams, change) {
    const pick = make("select", { "aria-label": texts.takeAStreamOfTheHub },
      make("option", { value: "", text: texts.aStreamOfTheHub }),
      ...streams.map(({ id, name }) => make("option", { value: id, text: name })));
    pick.addEventListener("change", () => {
      const node = pick.value;
      if (!node) return;
      pick.value = "";
      this.update(node, []);
      change(node, true);
    });
    this.#picker = pick;
  }

  // Stacks of the hub that may be named.
  #pickStack(change) {
    const first = make("option", { value: "", text: texts.aStackOfTheHub });
    const pick = make("select", { "aria-label": texts.takeAStackOfTheHub }, first);
    const fill = () => knownStacks().then((stacks) => {
      pick.replaceChildren(first, ...stacks.slice(0, mostPicked).map(({ id, name }) =>
        make("option", { value: id, text: cut(name ? `${name} (${id})` : id, 80) })));
      pick.hidden = !stacks.length;
    }, () => {});                                             // the field takes an id as text, too
    pick.hidden = true;
    fill();
    this.#input.addEventListener("focus", fill);
    pick.addEventListener("change", () => {
      const id = pick.value;
      if (!id) return;
      pick.value = "";
      this.update(id, []);
      change(id, true);
    });
    this.#picker = pick;
  }

  // The content of the field, as a part of a document.
  #node() {
    const input = this.#input, text = input.value;
    this.#fault = undefined;
    if (this.#form === "bool") return input.checked ? true : undefined;
    if (isJSON(this.#form)) {
      this.#grow();
      if (!text.trim()) return undefined;
      try {
        const node = read(text);
        showErrors(this.#error, input, []);
        return node;
      } catch (fault) {
        this.#fault = fault;
        showErrors(this.#error, input, [{ message: texts.lineColumn(fault.message, fault.line, fault.column) }]);
        return undefined;
      }
    }
    if (this.#form === "choice") return text || undefined;
    if (this.#form === "expression" || this.#form === "text") return text;
    return text.trim() ? typed(text) : undefined;
  }

  update(node, errors, path) {
    const input = this.#input;
    this.#path = path;
    if (this.#chips) {
      this.#chips.update(node);
      return showErrors(this.#error, input, errors);
    }
    if (this.#form === "bool") input.checked = node === true;
    else if (document.activeElement !== input || !this.#fault) {
      const text = node === undefined ? "" : isJSON(this.#form) ? write(node, 64)
        : (this.#form === "expression" || this.#form === "text" || this.#form === "choice") && typeof node === "string"
          ? node : typable(node);
      // The text stays as it is typed.
      const isTyped = document.activeElement === input && this.#isTyping;
      if (!isTyped && input.value !== text) input.value = text;
      if (!isTyped) this.#fault = undefined;
    }
    this.#grow();
    if (!this.#fault) showErrors(this.#error, input, errors);
  }

  #grow() {
    if (isJSON(this.#form)) this.#input.rows = Math.min(12, Math.max(1, this.#input.value.split("\n").length));
  }
}

/**
 * All parameters of a kind. `change(node, isFinished)` gets the whole argument; what the form does not know stays.
 * `names(path)`: see `Field`.
 * Parameters that are left out are behind a button.
 */
export class Form {
  #fields; #value; #bare; #more; #change;

  constructor(kind, { change, streams, names: known }) {
    this.#change = change;
    this.#bare = kind.bare ?? kind.parameters?.find((parameter) => parameter.isRequired)?.name
      ?? kind.parameters?.[0]?.name;
    const names = kind.variables ?? variables(kind.name);
    const label = ({ form, name }) => form === "expression" && names ? texts.ofOf(name, names) : name;
    this.#fields = (kind.parameters ?? []).map((parameter) => new Field(parameter, {
      label: label(parameter), streams, names: known, change: (node, isFinished) => this.#set(parameter.name, node, isFinished),
    }));
    this.#fields.forEach((field, index) => { field.isRequired = kind.parameters[index].isRequired; });
    this.#more = button({ text: texts.more, kind: "quiet", "aria-expanded": false }, () => this.#showAll());
    this.element = make("div", { class: "form" }, ...this.#fields.map((field) => field.element), this.#more);
  }

  get first() { return this.#fields[0]?.input; }

  #showAll() {
    const hidden = this.#fields.filter((field) => field.element.hidden);
    hidden.forEach((field) => { field.element.hidden = false; });
    this.#more.hidden = true;
    hidden[0]?.input.focus();
  }

  #members() { return this.#value instanceof Map ? this.#value : new Map(this.#value === undefined ? [] : [[this.#bare, this.#value]]); }

  #set(name, node, isFinished) {
    const members = new Map(this.#members());
    if (node === undefined) members.delete(name); else members.set(name, node);
    // An argument that had no object keeps its short form.
    const isBare = this.#value !== undefined && !(this.#value instanceof Map) && members.size === 1
      && members.has(this.#bare);
    this.#value = isBare ? members.get(this.#bare) : members;
    this.#change(this.#value, isFinished);
  }

  /** `path` is that of the argument; answers the errors that found no field. */
  update(value, path, errors) {
    this.#value = value;
    const members = this.#members(), isBare = value !== undefined && !(value instanceof Map);
    let rest = errors;
    for (const field of this.#fields) {
      const place = isBare && field.name === this.#bare ? path : `${path}.${field.name}`;
      const own = rest.filter((error) => isAt(error, place));
      rest = rest.filter((error) => !own.includes(error));
      // The hub calls the place of a lone argument by its name too.
      field.update(members.get(field.name), own, `${path}.${field.name}`);
      if (field.isRequired || members.has(field.name) || own.length) field.element.hidden = false;
      else if (!this.#more.hidden && document.activeElement !== field.input) field.element.hidden = true;
    }
    this.#more.hidden ||= this.#fields.every((field) => !field.element.hidden);
    return rest;
  }
}
