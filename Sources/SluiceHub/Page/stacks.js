// The filter stacks of the hub: the filters of each as a chain, the streams that name it, and what an edit would do.
import * as dialogs from "./dialogs.js";
import { button, calmly, make } from "./dom.js";
import { Away, Refusal, hub } from "./hub.js";
import { cut } from "./value.js";
import { stacks as texts } from "./texts.js";

const template = `{
  "filters": [
    {"retry": {"maxAttempts": 5, "backoff": {"exponential": {"from": 1, "to": 60}}}},
    {"timeout": {"seconds": 5}}
  ]
}
`;

/** The filters as a chain, outermost first. */
function chain(filters) {
  const names = filters ? filters.split(" → ") : [];
  if (!names.length) return make("span", { class: "soft", text: texts.noFilters });
  return make("ol", { class: "chain", "aria-label": texts.filtersOutermostFirst },
    ...names.map((name) => make("li", { text: name })));
}

const effects = { kept: texts.keepsItsState, reset: texts.startsAfresh, added: texts.isAdded, dropped: texts.isRemoved };

export class StacksView {
  name = texts.stacks;
  #page; #parts; #heads = []; #shown; #ask = 0; #opening = 0; #isSaving = false;

  constructor(page) {
    this.#page = page;
    const list = make("ul", { class: "stacks", id: "stack-list" });
    const id = make("input", { type: "text", id: "stack-id", maxLength: 200, autocomplete: "off", spellcheck: false });
    const text = make("textarea", { class: "code stack-text", id: "stack-text", rows: 12, spellcheck: false,
      autocapitalize: "off", autocomplete: "off", "aria-describedby": "stack-effects" });
    const check = calmly(200, () => this.#check());
    text.addEventListener("input", check);
    const told = make("div", { id: "stack-effects", role: "status" });
    const save = button({ text: texts.save, kind: "main", id: "stack-save" }, () => this.#save());
    const remove = button({ text: texts.delete, kind: "danger", id: "stack-delete" }, () => this.#remove());
    const revisions = make("ol", { class: "revisions" });
    const history = make("details", { on: { toggle: () => this.#showHistory() } }, make("summary", { text: texts.history }),
      revisions);
    const editor = make("section", { class: "stack-editor", hidden: true, "aria-labelledby": "stack-title" },
      make("h2", { id: "stack-title", tabIndex: -1 }),
      make("div", { class: "field" }, make("label", { htmlFor: "stack-id", text: texts.idWhichStreamsName }), id),
      make("div", { class: "field" }, make("label", { htmlFor: "stack-text", text: texts.theStackAsJson }), text), told,
      make("div", { class: "draft-do" }, remove, button({ text: texts.close }, () => this.#leave(() => this.#close())), save), history);
    this.#parts = { list, id, text, told, save, remove, revisions, history, editor, title: editor.firstElementChild };
    this.element = make("div", { class: "group", "aria-busy": "true" },
      make("header", { class: "stream-head" },
        make("a", { class: "button quiet back", href: "#/", text: texts.allStreams }),
        make("div", { class: "stream-title" }, make("h1", { text: texts.filterStacks, tabIndex: -1 }),
          make("p", { class: "soft", text: texts.aStackSaysWhenAttemptsOf
            + texts.theyPassAnEditReachesEvery }))),
      list, button({ icon: "plus", text: texts.newStack, id: "new-stack" },
        () => this.#leave(() => this.#new())), editor);
  }

  open() { this.load(); }
  close() {}
  members() {}
  back() { this.load(); }
  /** A stack was stored or deleted, here or elsewhere. */
  stacks() { this.load(); }

  async load() {
    try {
      this.#heads = await hub.stacks();
      const focused = document.activeElement?.closest?.("[data-stack]")?.dataset.stack;
      this.#parts.list.replaceChildren(...this.#heads.length ? this.#heads.map((head) => this.#row(head))
        : [make("li", { class: "soft", text: texts.noStacksYetSourcesAndSinks })]);
      if (focused) this.#parts.list.querySelector(`[data-stack="${CSS.escape(focused)}"] button`)?.focus();
      this.#note();
    } catch (error) {
      this.#fail(error);
    }
    this.element.removeAttribute("aria-busy");
  }

  #row({ id, name, description, filters, count, streams, errors }) {
    return make("li", { dataset: { stack: id } },
      make("div", { class: "stack-about" },
        button({ text: cut(name ?? id, 80), kind: "quiet stack-name", "aria-label": texts.editOf(cut(name ?? id, 80)) },
          () => this.#leave(() => this.#open(id))),
        name ? make("code", { class: "soft", text: cut(id, 60) }) : undefined,
        description ? make("p", { class: "soft", dir: "auto", text: cut(description, 200) }) : undefined),
      errors ? make("p", { class: "error", text: errors[0].message }) : chain(filters),
      streams.length ? make("p", { class: "stack-users soft" }, texts.usedBy,
        ...streams.slice(0, 8).flatMap((stream, index) => [index ? ", " : "",
          make("a", { href: `#/streams/${encodeURIComponent(stream)}`, text: cut(this.#page.title(stream), 40) })]),
        count > 8 ? texts.andMore(count - 8) : "")
        : make("p", { class: "stack-users soft", text: texts.usedByNoStream }));
  }

  // What was typed and is not saved is lost with consent only.
  #leave(act) {
    const { text } = this.#parts;
    if (!this.#shown || text.value === this.#shown.text) return act();
    dialogs.ask({ title: texts.discardYourEdit, about: texts.theTextInTheEditorIs, action: texts.discard, act });
  }

  #new() {
    this.#opening += 1;
    this.#shown = { text: template };
    this.#edit(texts.newStack, "", template);
    this.#parts.id.focus();
  }

  async #open(id) {
    const opening = ++this.#opening;
    try {
      const { text, revision } = await hub.stack(id);
      if (opening !== this.#opening) return;
      this.#shown = { id, revision, text };
      this.#edit(texts.editOf2(cut(id, 80)), id, text);
      this.#parts.title.focus();
    } catch (error) {
      this.#fail(error);
    }
  }

  #edit(title, id, text) {
    const { editor, title: heading, id: field, text: area, remove, history } = this.#parts;
    editor.hidden = false;
    heading.textContent = title;
    field.value = id;
    field.readOnly = Boolean(id);
    area.value = text;
    remove.hidden = history.hidden = !id;
    history.open = false;
    this.#check();
  }

  #close() {
    const { id } = this.#shown ?? {};
    this.#opening += 1;
    this.#parts.editor.hidden = true;
    this.#shown = undefined;
    const row = id && this.#parts.list.querySelector(`[data-stack="${CSS.escape(id)}"] button`);
    (row || this.element.querySelector("#new-stack")).focus();
  }

  // What the hub says about the text: errors, likely mistakes, and the effects of putting it in place.
  async #check() {
    const ask = ++this.#ask, { text, told, save } = this.#parts, shown = this.#shown;
    if (!shown) return;
    try {
      const answer = shown.id ? await hub.planStack(shown.id, text.value) : await hub.check(text.value);
      if (ask !== this.#ask) return;
      const { errors = [], findings = [], change, dependents = [] } = answer;
      const broken = dependents.filter((one) => one.errors.length);
      text.setAttribute("aria-invalid", errors.length > 0);
      save.disabled = this.#isSaving || errors.length > 0 || broken.length > 0;
      const place = ({ line, column }) => line ? `${line}:${column} ` : "";
      const steps = Object.keys(effects).flatMap((action) => (change?.[action] ?? []).map((name) => [action, name]));
      told.replaceChildren(...[
        list("errors", errors.map((one) => [`${place(one)}${one.path ? `${one.path}: ` : ""}${one.message}`, "error"])),
        list("errors", broken.map((one) => [`${cut(one.name ?? one.id, 60)}: ${one.errors[0].message}`, "error"])),
        list("findings", findings.map((one) => [`${place(one)}${one.message}`, "warning"])),
        text.value === shown.text || !steps.length ? undefined : make("ul", { class: "plan" },
          ...steps.map(([action, name]) => make("li", { dataset: { action }, text: `${name} ${effects[action]}` }))),
      ].filter(Boolean));
    } catch (error) {
      if (ask !== this.#ask) return;
      if (error instanceof Refusal && error.status !== 401) {
        save.disabled = true;
        told.replaceChildren(list("errors", error.problem.errors?.map(({ line, column, message }) =>
          [`${line}:${column} ${message}`, "error"]) ?? [[error.message, "error"]]));
      } else this.#fail(error);
    }
  }

  async #save() {
    const { id, text, save } = this.#parts, shown = this.#shown, sent = text.value;
    const name = id.value.trim();
    if (!shown || this.#isSaving) return;
    if (!name) return id.focus();
    this.#isSaving = save.disabled = true;
    try {
      const head = shown.id ? await hub.replaceStack(shown.id, shown.revision, sent) : await hub.createStack(name, sent);
      this.#page.note(texts.theStackIsSavedAsRevision(cut(head.id, 60), head.revision));
      // What is typed meanwhile, or another stack in the editor, stays.
      const isSame = this.#shown === shown, isTyped = text.value !== sent;
      if (isSame) Object.assign(shown, { id: head.id, revision: head.revision, text: sent });
      this.#isSaving = save.disabled = false;
      await this.load();
      if (isSame && !isTyped && this.#shown === shown && text.value === sent) await this.#open(head.id);
    } catch (error) {
      this.#isSaving = save.disabled = false;
      this.#refused(error, shown);
    }
  }

  // Where somebody else was faster, their text stays until it is looked at.
  #refused(error, { id }) {
    if (!(error instanceof Refusal && error.status === 412)) return this.#fail(error);
    if (this.#shown?.id !== id) return;
    this.#parts.told.replaceChildren(make("p", { class: "error", role: "alert",
      text: texts.thisStackWasEditedElsewhereSince }),
      button({ text: texts.loadTheCurrentText }, () => this.#open(id)));
  }

  #remove() {
    const shown = this.#shown;
    dialogs.ask({ title: texts.deleteOf(cut(shown.id, 60)), about: texts.itsHistoryIsKeptAStack,
      action: texts.delete, act: async () => {
        try {
          await hub.removeStack(shown.id, shown.revision);
        } catch (error) {
          return this.#refused(error, shown);
        }
        this.#page.note(texts.theStackIsDeleted(cut(shown.id, 60)));
        if (this.#shown === shown) this.#close();
        await this.load();
      } });
  }

  // The stack in the editor was edited elsewhere, or has another list of users.
  #note() {
    const shown = this.#shown, head = shown?.id && this.#heads.find(({ id }) => id === shown.id);
    if (!shown?.id) return;
    if (!head) return this.#parts.text.value === shown.text ? this.#close() : undefined;
    if (head.revision !== shown.revision && this.#parts.text.value === shown.text) this.#open(shown.id);
  }

  async #showHistory() {
    const { history, revisions } = this.#parts, { id, revision } = this.#shown ?? {};
    if (!history.open || !id) return;
    try {
      const all = await hub.stackRevisions(id);
      revisions.replaceChildren(...all.slice(0, 50).map((one) => make("li", {},
        make("div", {}, make("strong", { text: String(one.revision) }),
          make("span", { class: "soft", dir: "auto", text: ` ${cut(one.author ?? "", 60)}` })),
        one.revision === revision ? make("span", { class: "soft", text: texts.asItIs })
          : one.isDeleted ? make("span", { class: "soft", text: texts.deleted })
            : button({ text: texts.load, kind: "quiet", "aria-label": texts.loadRevisionIntoTheEditor(one.revision) },
              () => this.#restore(id, one.revision)))));
    } catch (error) {
      this.#fail(error);
    }
  }

  // An older text becomes the draft: it is looked at, with its effects, before it is saved.
  async #restore(id, number) {
    try {
      const { text } = await hub.stackRevision(id, number);
      if (this.#shown?.id !== id) return;
      this.#parts.text.value = text;
      this.#parts.text.focus();
      this.#check();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) { if (error instanceof Away) this.#page.lost(); else this.#page.trouble(error); }
}

function list(kind, lines) {
  return lines.length ? make("ul", { class: kind }, ...lines.slice(0, 20).map(([text, type]) =>
    make("li", { class: type, text }))) : undefined;
}
