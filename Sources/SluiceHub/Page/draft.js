// The edited document: the hub's version, the edits, and the effect of applying them.
import { calmly } from "./dom.js";
import { Away, hub, Refusal } from "./hub.js";
import { copy, read, readObject, write } from "./json.js";
import { isOnlyUnknown, losesNothing, problems } from "./plan.js";
import { draft as texts } from "./texts.js";

// The number of streams that a text names.
const mostNamed = 5;

/**
 * An edit makes a draft, and its plan is asked for. If no run loses state the draft is stored at once; else it waits
 * until `apply()`. Edits are stored one after another, each on the revision before it.
 */
export class Draft {
  #stored; #revision; #text; #tree; #anchor; #past = []; #future = []; #line = Promise.resolve(); #ask = 0; #busy = 0;
  /** The plan of the draft, once the hub has sent it. */
  plan;
  /** The errors of the hub's document: unknown parts. */
  storedErrors = [];
  /** The reason why the draft could not be stored. */
  trouble = "";
  /** The streams that would no longer run, where the hub has refused the draft because of them. */
  dependents;
  /** Another author's revision, stored meanwhile: `{ revision, text, plan }`. */
  conflict;
  isDeleted = false;
  /** True while a part of it is being dragged: the plan is shown when the drag ends. */
  isHeld = false;

  /**
   * `listener`: `changed(draft)`, `applied(draft, plan, canUndo)`, `away()`; `isRunning()`, a run has state that an edit may
   * lose; `isHeldBack()`, what is finished now is not to be stored yet.
   */
  constructor(id, listener) {
    this.id = id;
    this.listener = listener;
    this.#look = calmly(220, () => this.#examine(false));
  }
  #look;

  #errors = [];
  get errors() { return this.isEdited ? this.#errors : this.storedErrors; }
  set errors(errors) { this.#errors = errors; }
  get text() { return this.#text; }
  get stored() { return this.#stored; }
  get revision() { return this.#revision; }
  get isEdited() { return this.#text !== this.#stored; }
  get canUndo() { return this.#past.length > 0 || this.#text !== this.#anchor; }
  get canRedo() { return this.#future.length > 0; }
  /** The tree of the text; of the stored one while the text is no JSON. */
  get tree() { return this.#tree; }
  /** True if the document can be stored. */
  get isStorable() { return this.isEdited && !this.fault && (!this.errors.length || isOnlyUnknown(this.errors)); }

  async load() {
    const { text, revision } = await hub.document(this.id);
    if (revision < this.#revision) return;                 // a newer one was received meanwhile
    this.#adopt(text, revision);
  }

  /** Goes on with a draft of before, which was one of this revision. */
  resume({ text, revision }) {
    if (text === this.#stored) return;
    if (revision !== this.#revision) this.conflict = { revision: this.#revision, text: this.#stored };
    this.#past.push(this.#anchor);
    this.#anchor = text;
    this.#put(text);
    if (!this.fault) this.#examine(false);
    this.listener.changed(this);
  }

  /** Promises the fields that the expression at a path may name, such as `x.price`. */
  async names(path) {
    const text = this.#text;
    // An object without schemas has no names to ask for.
    if (this.fault || !text.includes('"item"')) return [];
    if (this.#named.text !== text) this.#named = { text, answer: hub.check(text) };
    const { fields } = await this.#named.answer;
    return fields?.[path] ?? [];
  }
  #named = {};

  // The page shows the document of the hub.
  #adopt(text, revision) {
    this.#stored = this.#anchor = text;
    this.#revision = revision;
    this.#past = []; this.#future = [];
    this.conflict = undefined;
    this.isDeleted = false;
    this.#put(text);
    this.#clear();
    this.listener.changed(this);
  }

  #put(text) {
    this.#text = text;
    this.fault = undefined;
    try {
      this.#tree = readObject(text);
    } catch (fault) {
      this.fault = fault;
      this.#tree ??= new Map();
    }
  }

  #clear() {
    this.#ask++;
    this.#look.stop();
    this.plan = undefined;
    this.errors = [];
    this.trouble = "";
  }

  /** Edits a copy of the tree; what `change` answers is answered. */
  edit(change, { isFinished = true } = {}) {
    const tree = copy(this.#tree);
    const answer = change(tree);
    this.change(write(tree), { isFinished });
    return answer;
  }

  /** Another text. While one types or drags it is only looked at; when that is finished it may be stored. */
  change(text, { isFinished = true } = {}) {
    if (isFinished && text !== this.#anchor) {
      this.#past.push(this.#anchor);
      if (this.#past.length > 200) this.#past.shift();
      this.#future = [];
      this.#anchor = text;
    }
    this.#show(text, isFinished);
  }

  undo() {
    if (this.#text !== this.#anchor) return this.#show(this.#anchor, true);
    if (!this.#past.length) return;
    this.#future.push(this.#anchor);
    this.#show(this.#anchor = this.#past.pop(), true);
  }

  redo() {
    if (!this.#future.length) return;
    this.#past.push(this.#anchor);
    this.#show(this.#anchor = this.#future.pop(), true);
  }

  discard() {
    if (this.#text !== this.#stored) this.change(this.#stored);
  }

  #show(text, isFinished) {
    if (text !== this.#text) this.#put(text);
    this.trouble = "";
    this.dependents = undefined;
    if (!this.isEdited) this.#clear();
    else if (this.fault) { this.#clear(); } else if (isFinished) this.#examine(true); else this.#look();
    this.listener.changed(this);
  }

  // Asks for the plan of a text, one plan at a time: none for a text that is not wanted anymore when its turn comes.
  async #plan(text, isWanted) {
    for (;;) {
      await this.#line;                                    // the plan is one against what is stored by then
      if (!this.#planning) break;
      await this.#planning.catch(() => {});
    }
    if (!isWanted()) return undefined;
    return this.#planning = hub.plan(this.id, text).finally(() => { this.#planning = undefined; });
  }
  #planning;

  // Asks for the plan and the errors; `mayApply`: and stores the draft if nothing is lost by that.
  async #examine(mayApply) {
    this.#look.stop();
    const ask = ++this.#ask, text = this.#text;
    // Text that was typed while this one waited is about to be examined itself.
    const isNewest = () => ask === this.#ask && this.isEdited && (mayApply || text === this.#text);
    try {
      const plan = await this.#plan(text, isNewest);
      if (!plan || ask !== this.#ask) return;
      this.errors = problems(plan);
      this.plan = plan.steps ? plan : undefined;
      if (this.conflict) Object.assign(this.conflict, { plan, errors: problems(plan) });
      if (mayApply && losesNothing(plan, this.listener.isRunning()) && !this.errors.length && !this.conflict
        && !this.isDeleted && !this.listener.isHeldBack()) return void await this.#store(text, plan);
    } catch (error) {
      if (ask !== this.#ask) return;
      this.#fail(error);
    }
    this.listener.changed(this);
  }

  /** Stores the draft, whatever its plan says; `how`: see `hub.replace`. */
  apply(how) { return this.#store(this.#text, this.plan, how); }

  /** Waits until what was applied is stored or refused. */
  async settled() { if (this.#busy) await this.#line.catch(() => {}); }

  /** `true` if the draft has another name than the stored document. */
  get isRenamed() {
    try { return read(this.#stored).get("name") !== this.tree.get("name"); } catch { return false; }
  }

  #store(text, plan, how) {
    this.#busy++;
    return this.#line = this.#line.then(async () => {
      try {
        const head = await hub.replace(this.id, this.#revision, text, how);
        this.#stored = text;
        this.#revision = head.revision;
        this.conflict = this.dependents = undefined;
        if (this.#text === text) this.#clear();
        this.listener.applied(this, plan);
      } catch (error) {
        this.#fail(error, text);
      }
      this.#busy--;
      this.listener.changed(this);
    });
  }

  #fail(error, text) {
    if (error instanceof Away) {
      this.trouble = texts.theHubIsUnavailableYourDraft;
      this.listener.away();
    } else if (error instanceof Refusal && error.status === 412 && error.problem.current) {
      this.conflict = { ...error.problem.current, plan: error.problem.plan };
    } else if (error instanceof Refusal && error.status === 409 && error.problem.dependents) {
      this.dependents = error.problem.dependents;
      const names = this.dependents.slice(0, mostNamed).map(({ id, name }) => name?.trim() || id);
      const more = this.dependents.length > mostNamed ? texts.andMore(this.dependents.length - mostNamed) : "";
      const isTested = this.dependents.every(({ errors = [] }) => errors.some(({ test }) => test !== undefined));
      this.trouble = isTested ? texts.testsOfStreamsThatReferTo(names.join(", "), more)
        : texts.streamsThatReferToThisOne(names.join(", "), more);
    } else if (error instanceof Refusal && error.status === 404) {
      this.isDeleted = true;
    } else if (error instanceof Refusal && error.problem.errors && text === this.#text) {
      this.errors = error.problem.errors;
      this.trouble = error.problem.errors.length ? "" : error.message;
    } else if (error instanceof Refusal) {
      this.trouble = error.message;
    } else {
      throw error;
    }
  }

  /** Handles another revision of the hub: it is shown, or conflicts with the draft. */
  async receive(revision) {
    await this.settled();                                  // it may be the one that is being stored
    if (revision <= this.#revision && !this.isDeleted) return;
    const { text, revision: newest } = await hub.document(this.id);
    if (newest <= this.#revision && !this.isDeleted) return;
    if (!this.isEdited || text === this.#text) return this.#adopt(text, newest);
    this.isDeleted = false;
    this.conflict = { revision: newest, text };
    this.listener.changed(this);
    try {
      const plan = await this.#plan(this.#text, () => this.conflict?.revision === newest);
      if (plan && this.conflict?.revision === newest) Object.assign(this.conflict, { plan, errors: problems(plan) });
    } catch (error) {
      this.#fail(error);
    }
    this.listener.changed(this);
  }

  /** Takes the other author's revision, and drops the draft. */
  takeTheirs() { this.#adopt(this.conflict.text, this.conflict.revision); }

  /** Applies the draft on top of the other author's revision. */
  keepMine() {
    const { text, revision, plan } = this.conflict;
    this.#past = [text];
    this.#stored = text;
    this.#revision = revision;
    this.conflict = undefined;
    this.plan = plan;
    this.#anchor = this.#text;
    return this.apply();
  }

  removed() {
    this.isDeleted = true;
    this.listener.changed(this);
  }

  /** Stores a deleted document again. */
  async restore() {
    const text = this.#text;
    try {
      const { revision } = await hub.restore(this.id, text);
      if (text === this.#text) return this.#adopt(text, revision);
      // Text that was typed meanwhile is an edit of the stored document.
      this.#stored = text;
      this.#revision = revision;
      this.isDeleted = false;
      this.conflict = undefined;
    } catch (error) {
      this.#fail(error, text);
    }
    this.listener.changed(this);
  }

  /** Continues after the hub is available again. */
  async back() {
    this.trouble = "";
    try {
      const { revision } = await hub.document(this.id);
      await this.receive(revision);
    } catch (error) {
      this.#fail(error);
    }
    if (this.isEdited && !this.conflict) await this.#examine(false);
    this.listener.changed(this);
  }

  /** Restores an older revision. */
  async rollback(number) {
    await this.#line;
    await hub.rollback(this.id, this.#revision, number);
    await this.load();
  }
}
