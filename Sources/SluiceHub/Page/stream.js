// One stream: what it is, its run, its stages, and what is beside them.
import { loadCatalog } from "./catalog.js";
import { Conflict } from "./conflict.js";
import { Draft } from "./draft.js";
import { DraftBar } from "./draftbar.js";
import { button, make } from "./dom.js";
import { Away, hub } from "./hub.js";
import { savedDraft, saveDraft } from "./drafts.js";
import { menu } from "./menu.js";
import { Panel } from "./panel.js";
import { Pipeline } from "./pipeline.js";
import { summary } from "./plan.js";
import { Sinks } from "./sinks.js";
import { Transport } from "./transport.js";
import { Tunnels } from "./tunnels.js";
import { cut, whole } from "./value.js";

export class StreamView {
  #page; #head; #draft; #tunnels; #transport; #pipeline; #sinks; #bar; #conflict; #panel; #parts; #run; #isFresh = true; #isOpened = false; #asked = 0;

  /** `page`: `announce(name, text)`, `note(text, action)`, `lost()`, `names(id)`, `rename`, `duplicate`, `download`, `copyLink`, `copy(text, what)`, `remove`, `trouble(error)`. */
  constructor(head, page) {
    this.id = head.id;
    this.#head = head;
    this.#page = page;
    this.#draft = new Draft(head.id, {
      changed: () => this.#changed(),
      applied: (draft, plan) => {
        this.#sinks.soon();
        page.note(`Applied: ${summary(plan)}.`, { text: "Undo", act: () => draft.undo() });
      },
      away: () => page.lost(),
    });
    this.#tunnels = new Tunnels((value) => page.announce(this.#name, typeof value === "string" ? value : whole(value)));
    this.#transport = new Transport(this.#tunnels.clock, {
      control: (what, value) => this.#control(what, value), scrub: (until) => this.#picture(until),
        live: () => this.#live(),
    });
    this.#pipeline = new Pipeline(this.#draft, this.#tunnels, page);
    this.#sinks = new Sinks(this.#draft, page, () => this.#name);
    this.#bar = new DraftBar(this.#draft);
    this.#conflict = new Conflict(this.#draft);
    this.#panel = new Panel(this.#draft, page);
    this.#make();
    this.#showHead();
    this.#highlight();
  }

  get #name() { return this.#head.name?.trim() || this.#head.id; }
  get draft() { return this.#draft; }
  get head() { return this.#head; }

  async open() {
    try {
      await Promise.all([this.#draft.load(),
        loadCatalog().catch((error) => { if (error instanceof Away) throw error; })]);
      this.#draft.storedErrors = this.#head.errors ?? [];
      this.#isOpened = true;
      this.#changed();
      const before = savedDraft(this.id);
      if (before) this.#draft.resume(before);
      this.element.removeAttribute("aria-busy");
      this.#outline();
      // A default stream that has ended plays again for who opens it.
      if (this.#head.isDefault && ["idle", "completed",
        "failed"].includes(this.#head.state)) await this.#control("start");
    } catch (error) {
      this.#page.trouble(error);
    }
  }

  /** Keeps the draft for when the stream is opened again. */
  keep() { if (this.#isOpened && !this.#draft.isDeleted) saveDraft(this.#draft); }

  close() {
    this.keep();
    this.#transport.close();
    this.#tunnels.close();
    this.#panel.close();
    this.#sinks.close();
  }

  #make() {
    const page = this.#page;
    const name = make("h1", { dir: "auto", tabIndex: -1 }), about = make("p", { class: "about soft", dir: "auto" }),
      revision = make("span", { class: "soft revision" });
    const undo = button({ icon: "undo", label: "Undo", kind: "round", id: "undo" }, () => this.#draft.undo());
    const redo = button({ icon: "redo", label: "Redo", kind: "round", id: "redo" }, () => this.#draft.redo());
    const share = menu("Share", "share", [
      ["Copy the link", () => page.copyLink(this.#head)], ["Download the file", () => page.download(this.#draft)],
    ]);
    const more = menu("More", "more", [
      ["Rename and describe", () => page.rename(this.#draft)], ["Duplicate", () => page.duplicate(this.#draft)],
      ["Delete", () => page.remove(this.#head, this.#draft)],
    ]);
    this.#parts = { name, about, revision, undo, redo };
    this.element = make("div", { class: "stream", "aria-busy": "true" },
      make("div", { class: "stream-main" },
        make("header", { class: "stream-head" },
          make("a", { class: "button quiet back", href: "#/", text: "‹ All streams" }),
          make("div", { class: "stream-title" }, name, about, revision),
          make("div", { class: "stream-do" }, undo, redo, share, more)),
        this.#conflict.element, this.#transport.element, this.#pipeline.element, this.#sinks.element,
        make("div", { class: "dock" }, make("div", { class: "notes", role: "status" }), this.#bar.element)),
      this.#panel.element);
    this.element.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z"
        || event.target.matches("input, textarea")) return;
      event.preventDefault();
      if (event.shiftKey) this.#draft.redo(); else this.#draft.undo();
    });
  }

  #showHead() {
    const { name, about } = this.#parts;
    name.textContent = cut(this.#name, 300);
    about.textContent = cut(this.#head.description ?? "", 500);
    about.hidden = !this.#head.description;
    this.#showRevision();
    if (this.#head.errors?.length && !this.#run) this.#transport.update({ state: "blocked" });
    else if (!this.#run) this.#transport.update(this.#head);
  }

  // A revision that cannot run leaves the one before running.
  #showRevision() {
    const { revision, errors } = this.#head, { revision: runs, state } = this.#run ?? {};
    const isLeft = errors?.length && runs < revision && ["running", "paused", "restarting"].includes(state);
    this.#parts.revision.textContent = isLeft ? `revision ${revision} cannot run: revision ${runs} runs on`
      : `revision ${revision}`;
  }

  #changed() {
    if (!this.#isOpened) return;
    const draft = this.#draft;
    this.#pipeline.update();
    this.#sinks.update();
    this.#bar.update();
    this.#conflict.update();
    this.#panel.update();
    this.#transport.edited();
    this.#parts.undo.disabled = !draft.canUndo;
    this.#parts.redo.disabled = !draft.canRedo;
    this.element.classList.toggle("edited", draft.isEdited);
  }

  // MARK: Events of the hub

  /** All events are about to be sent again. */
  fresh() {
    this.#isFresh = true;
    if (this.#isOpened) this.#sinks.open();
  }

  run(run, at) {
    this.#run = run;
    this.#sinks.soon();
    this.#showRevision();
    this.#transport.update(run);
    if (this.#transport.isScrubbing) return;
    const isOther = this.#tunnels.run(run.stages?.length ? run : { ...run, stages: this.#tunnels.stages }, at,
      this.#isFresh);
    this.#isFresh = false;
    if (isOther && this.#isOpened) this.#pipeline.update();
    if (!run.stages?.length) this.#outline();
  }

  // A stream that has no run has stages all the same.
  async #outline() {
    if (!this.#isOpened || this.#run?.stages?.length || this.#transport.isScrubbing) return;
    if (this.#head.errors?.length) return;                     // a document that cannot run has none
    try {
      const { rows } = await hub.picture(this.#draft.stored, 0);
      if (this.#run?.stages?.length || this.#transport.isScrubbing) return;
      const isOther = this.#tunnels.run({ run: this.#run?.run ?? 0, state: "idle", time: 0, stages: rows },
        performance.now(), true);
      if (isOther) this.#pipeline.update();
    } catch (error) {
      if (!error.status) this.#page.trouble(error);            // one that somebody has just broken
    }
  }

  value(data) {
    this.#sinks.soon();
    if (!this.#transport.isScrubbing) this.#tunnels.value(data);
  }
  reported(data) { if (!this.#transport.isScrubbing) this.#tunnels.reported(data); }
  gap() { this.#tunnels.gap(); }
  completed(data) { this.#ended(data, "completed"); }
  failed(data) { this.#ended(data, "failed"); }

  #ended(data, mark) {
    if (this.#transport.isScrubbing) return;
    this.#tunnels.ended(data, mark);
    if (data.stage === this.#tunnels.count - 1) this.#transport.ended(data.time);
  }

  /** The head as it is now: of another revision perhaps. */
  changed(head) {
    this.#head = head;
    this.#showHead();
    this.#draft.storedErrors = head.errors ?? [];
    this.#panel.stored();
    this.#draft.receive(head.revision).then(() => this.#outline(), (error) => this.#page.trouble(error));
    if (this.#isOpened && !this.#draft.isEdited) this.#changed();
  }

  removed() { this.#draft.removed(); }
  members() { this.#panel.members(); }
  back() { this.#draft.back(); }
  hold() { this.#tunnels.clock.hold(); }

  // MARK: What the person does

  async #control(what, value) {
    try {
      await hub.control(this.id, what, value);
    } catch (error) {
      this.#page.trouble(error);
    }
  }

  // From scrubbing back to the run that everybody sees.
  #live() {
    this.#asked++;
    this.#isFresh = true;
    this.#transport.update(this.#run ?? { state: "idle" });
    if (this.#run?.stages?.length) this.#page.reopen(); else this.#outline();
  }

  async #picture(until) {
    const { tree, fault, text, stored } = this.#draft, asked = ++this.#asked;
    if (!tree) return false;
    const [wrong] = fault ? this.#head.errors ?? [] : this.#draft.errors;
    if (wrong) {
      this.#page.note(`It cannot be drawn: ${wrong.message}.`);
      return false;
    }
    try {
      const { rows } = await hub.picture(fault ? stored : text, until);
      if (asked !== this.#asked) return true;              // a later picture was asked for
      this.#tunnels.picture(rows);
      this.#pipeline.update();
      return true;
    } catch (error) {
      if (asked !== this.#asked) return true;
      if (error.problem?.errors) this.#page.note(`It cannot be drawn: ${error.problem.errors[0]?.message ?? error.message}.`);
      else this.#page.trouble(error);
      return false;
    }
  }

  // Pointing at a ball highlights the balls that come from the same values.
  #highlight() {
    const show = (origins) => {
      this.element.classList.toggle("traced", Boolean(origins));
      for (const ball of this.element.querySelectorAll(".ball.traced")) ball.classList.remove("traced");
      if (!origins) return;
      for (const ball of this.element.querySelectorAll(".ball[data-origins]")) {
        if (ball.dataset.origins.split(" ").some((origin) => origins.includes(origin))) ball.classList.add("traced");
      }
    };
    const origins = (event) => event.target.closest?.(".ball[data-origins]")?.dataset.origins.split(" ");
    this.element.addEventListener("pointerover", (event) => show(origins(event)));
    this.element.addEventListener("pointerleave", () => show());
    this.element.addEventListener("focusin", (event) => show(origins(event)));
  }
}
