// The sinks of a stream: a gate for each at the end of the tunnel, and the dead letters beside it.
import { sinkKind, sinkKinds } from "./catalog.js";
import { Cards } from "./cards.js";
import { sinkIDs, sinks } from "./document.js";
import { button, make } from "./dom.js";
import { Gate } from "./gate.js";
import { Away, hub } from "./hub.js";
import { Letters } from "./letters.js";
import { Trial } from "./trial.js";
import { cut } from "./value.js";
import { Watch } from "./watch.js";
import { sinks as texts } from "./texts.js";

export class Sinks {
  #draft; #page; #cards; #gates = new Map(); #trials = new Map(); #statuses = []; #parts; #all; #blocked; #watch; #name;

  /** `name()`: the name of the stream, for announcements. `page`: `announce`, `trouble`, `names`, `lost`. */
  constructor(draft, page, name) {
    this.#draft = draft;
    this.#page = page;
    this.#name = name;
    this.#cards = new Cards(draft, {
      key: "sinks", part: "sink", kind: sinkKind, kinds: sinkKinds, mayFold: true,
      placeholder: texts.addASinkPostLinesOutside,
      words: { add: texts.addASink, one: (number, name) => texts.sinkOf(number, name), unknown: texts.unknownSinkItIsKeptUnchanged },
    }, () => page.names(draft.id));
    this.#watch = new Watch(() => this.#load());
    const about = make("p", { class: "soft", id: "sinks-about" });
    const stuck = button({ text: texts.showBlocked, kind: "pill", hidden: true }, () => this.#showBlocked());
    const open = button({ text: texts.allDeadLetters, kind: "quiet", id: "all-letters", "aria-expanded": false }, () => {
      this.#all.isOpen = !this.#all.isOpen;
      open.setAttribute("aria-expanded", this.#all.isOpen);
    });
    this.#all = this.#letters(undefined);
    this.#parts = { about, stuck };
    this.element = make("section", { class: "sinks", "aria-label": texts.sinks },
      make("div", { class: "sinks-head" }, make("h2", { text: texts.sinks }), about, stuck, open),
      this.#all.element, this.#cards.element, this.#cards.adder.element);
  }

  open() {
    this.#watch.start();
    this.#watch.soon();
  }

  close() { this.#watch.stop(); }

  #isLoaded = false;

  /** The run has put something out, or has changed: its sinks have something to do. */
  soon() { if (this.#isWatched) this.#watch.soon(); }

  /** Shows the draft. */
  update() {
    const ids = sinkIDs(this.#draft.tree);
    this.element.classList.toggle("many", ids.length > 12);
    for (const parts of [this.#gates, this.#trials]) {
      for (const id of parts.keys()) if (!ids.includes(id)) parts.delete(id);
    }
    this.#cards.update((index) => [this.#trial(ids[index]).element], [], (index) => this.#gate(ids[index]));
    this.#sum();
    if (ids.length || this.#statuses.length) this.#watch.start();
  }

  get #isWatched() {
    const { tree } = this.#draft;                             // the document may still be loading
    return this.#statuses.length > 0 || (tree !== undefined && sinks(tree).length > 0);
  }

  // A sink of the hub has a gate; one of the draft has none yet.
  #gate(id) {
    const status = this.#statuses.find((one) => one.id === id);
    if (!status) return this.#isLoaded && this.#draft.isEdited
      ? [make("p", { class: "soft dry", text: texts.previewNotAppliedYet })] : [];
    let gate = this.#gates.get(id);
    if (!gate) {
      const letters = this.#letters(id);
      gate = { letters, part: new Gate(id, {
        act: (verb) => this.#act(id, verb),
        letters: (isOpen) => {
          for (const one of this.#gates.values()) one.part.isOpen = one.letters.isOpen = isOpen && one.letters === letters;
        },
      }) };
      this.#gates.set(id, gate);
    }
    gate.part.show(status);
    return [gate.part.element, gate.letters.element];
  }

  #trial(id) {
    let trial = this.#trials.get(id);
    if (!trial) {
      trial = new Trial({ text: texts.deliverASample, label: cut(id, 60), sample: "1",
        ask: (sample) => hub.try(this.#draft.text, id, sample) });
      this.#trials.set(id, trial);
    }
    return trial;
  }

  get #isSending() { return this.#all.isSending || [...this.#gates.values()].some(({ letters }) => letters.isSending); }

  #letters(sink) {
    return new Letters(this.#draft.id, sink, {
      changed: () => this.#watch.soon(true), trouble: (error) => this.#page.trouble(error),
      // All letters of the stream are more than those of its sinks: there are those of sinks that were removed.
      total: () => this.#statuses.find(({ id }) => id === sink)?.deadLetters,
    });
  }

  async #act(id, verb) {
    try {
      this.#show(await hub.actOnSink(this.#draft.id, id, verb));
    } catch (error) {
      this.#page.trouble(error);
    }
    this.#watch.soon(true);
  }

  // Asks the hub for the sinks; answers true if something has changed or is about to.
  async #load() {
    if (!this.#isWatched) {
      this.#watch.stop();
      return false;
    }
    try {
      const isChanged = this.#show(await hub.sinks(this.#draft.id));
      return isChanged || this.#isSending || this.#statuses.some(({ state }) => ["delivering", "waiting"].includes(state));
    } catch (error) {
      this.#watch.stop();
      if (error instanceof Away) this.#page.lost();
      else if (error.status !== 404 && error.status !== 401) this.#page.trouble(error);
      return false;
    }
  }

  // Shows other states; answers true if one has changed.
  #show(statuses) {
    const before = new Map(this.#statuses.map((status) => [status.id, status]));
    // The first answer tells sinks of the draft from those of the hub, also where the hub has none.
    const isOther = !this.#isLoaded || statuses.length !== before.size || statuses.some(({ id }) => !before.has(id));
    this.#statuses = statuses;
    this.#isLoaded = true;
    this.#announce(statuses);
    let isChanged = isOther;
    if (isOther) this.update();
    for (const status of statuses) {
      const gate = this.#gates.get(status.id);
      if (!gate) continue;
      if (gate.part.show(status)) isChanged = true;
      const isMore = before.get(status.id)?.deadLetters !== status.deadLetters;
      if (gate.letters.isOpen && (isMore || gate.letters.isSending)) gate.letters.load();
    }
    if (this.#all.isOpen && (isChanged || this.#all.isSending)) this.#all.load();
    this.#sum();
    return isChanged;
  }

  // Only what a person has to act on is read out.
  #announce(statuses) {
    const blocked = new Set(statuses.filter(({ state }) => state === "blocked").map(({ id }) => id));
    for (const id of blocked) {
      if (this.#blocked && !this.#blocked.has(id)) this.#page.announce(this.#name(), texts.sinkIsBlocked(cut(id, 40)));
    }
    this.#blocked = blocked;
  }

  #sum() {
    const { about, stuck } = this.#parts, count = sinks(this.#draft.tree).length;
    const blocked = this.#statuses.filter(({ id, state }) => state === "blocked" && this.#gates.has(id)).length;
    const text = !count ? texts.theOutputsAreNotDelivered : `${count}${blocked ? texts.blockedOf(blocked) : ""}`;
    if (about.textContent !== text) about.textContent = text;
    stuck.hidden = !blocked || count < 2;
  }

  #showBlocked() {
    const blocked = this.#statuses.filter(({ id, state }) => state === "blocked" && this.#gates.has(id));
    const seen = blocked.findIndex(({ id }) => this.#gates.get(id).part.element === document.activeElement);
    const next = blocked[(seen + 1) % blocked.length];
    if (!next) return;
    const { element } = this.#gates.get(next.id).part;
    element.tabIndex = -1;
    element.scrollIntoView({ block: "center" });
    element.focus({ preventScroll: true });
  }
}
