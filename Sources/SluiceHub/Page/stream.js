// One stream: what it is, its run, its stages, and what is beside them.
import { loadCatalog } from "./catalog.js";
import { Conflict } from "./conflict.js";
import { Draft } from "./draft.js";
import { DraftBar } from "./draftbar.js";
import { button, make } from "./dom.js";
import { Away, hub } from "./hub.js";
import { savedDraft, saveDraft } from "./drafts.js";
import { read } from "./json.js";
import { menu } from "./menu.js";
import { Panel } from "./panel.js";
import { Pipeline } from "./pipeline.js";
import { summary } from "./plan.js";
import { lastTime, Preview } from "./preview.js";
import { Sample } from "./sampling.js";
import { Sinks } from "./sinks.js";
import { Transport } from "./transport.js";
import { Tunnels } from "./tunnels.js";
import { cut, whole } from "./value.js";
import { stream as texts } from "./texts.js";

export class StreamView {
  #page; #head; #draft; #tunnels; #transport; #pipeline; #sinks; #bar; #conflict; #panel; #parts; #run;
  #preview; #next; #sample; #isFresh = true; #isOpened = false; #isPreviewed = false; #isLiveWanted = false; #text; #drawn;

  /** `page`: `announce(name, text)`, `note(text, action)`, `lost()`, `names(id)`, `rename`, `duplicate`, `download`, `copyLink`, `copy(text, what)`, `remove`, `trouble(error)`. */
  constructor(head, page) {
    this.id = head.id;
    this.#head = head;
    this.#page = page;
    this.#draft = new Draft(head.id, {
      changed: () => this.#changed(),
      applied: (draft, plan) => {
        this.#sinks.soon();
        page.note(texts.appliedOf(summary(plan)), { text: texts.undo, act: () => draft.undo() });
      },
      away: () => page.lost(),
      isRunning: () => this.#isRunning,
      // The slider shows moments of a draft: to move there publishes nothing.
      isHeldBack: () => this.#transport.element.querySelector(".scrub").contains(document.activeElement),
    });
    this.#tunnels = new Tunnels((value) => page.announce(this.#name, typeof value === "string" ? value : whole(value)),
      (stage, mark) => this.#panel.inspect(stage, mark));
    this.#transport = new Transport(this.#tunnels.clock, {
      control: (what, value) => this.#control(what, value), draw: () => this.#draw(),
      more: () => this.#preview.continue(this.#next),
      live: () => { this.#isLiveWanted = true; this.#draw(); },
    });
    this.#preview = new Preview({
      shown: (picture, isMore) => this.#picture(picture, isMore), troubled: (error) => page.trouble(error),
      sample: () => this.#tunnels.sample,
    });
    this.#pipeline = new Pipeline(this.#draft, this.#tunnels, page);
    this.#sinks = new Sinks(this.#draft, page, () => this.#name);
    this.#bar = new DraftBar(this.#draft);
    this.#conflict = new Conflict(this.#draft);
    this.#sample = new Sample(this.#draft);
    this.#panel = new Panel(this.#draft, page, this.#tunnels, () => this.#name);
    this.#make();
    this.element.addEventListener("wheel", (event) => {
      const by = event.deltaX || (event.shiftKey ? event.deltaY : 0), { clock } = this.#tunnels;
      if (!by || clock.isReversed || !event.target.closest?.(".tunnel, .axis")) return;
      event.preventDefault();
      clock.scroll(clock.start(performance.now()) + by / clock.scale);
    }, { passive: false });
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
    this.#preview.stop();
    this.#transport.close();
    this.#tunnels.close();
    this.#panel.close();
    this.#sinks.close();
  }

  #make() {
    const page = this.#page;
    const name = make("h1", { dir: "auto", tabIndex: -1 }), about = make("p", { class: "about soft", dir: "auto" }),
      revision = make("span", { class: "soft revision" });
    const undo = button({ icon: "undo", label: texts.undo, kind: "round", id: "undo" }, () => this.#draft.undo());
    const redo = button({ icon: "redo", label: texts.redo, kind: "round", id: "redo" }, () => this.#draft.redo());
    const shared = (act) => async () => {
      try { await act(await import("./sharing.js")); } catch (error) { page.trouble(error); }
    };
    const share = menu(texts.share, "share", [
      [texts.copyTheLink, () => page.copyLink(this.#head)], [texts.downloadTheFile, () => page.download(this.#draft)],
      [texts.copyALinkWithTheDocument, shared(async ({ linkOf }) => page.copy(await linkOf(this.#draft.text), texts.linkWithTheDocument))],
      [texts.showAQrCode, shared(({ showCode }) => showCode(location.href, this.#name))],
      [texts.saveAPictureSvg, shared(({ savePicture }) => savePicture(this.#draft, this.#name, "svg"))],
      [texts.saveAPicturePng, shared(({ savePicture }) => savePicture(this.#draft, this.#name, "png"))],
      [texts.copyAPictureForAWeb, shared(async ({ embeddable }) => page.copy(await embeddable(this.#draft, this.#name), texts.picture))],
      [texts.copyTheLineToFollowIt, shared(({ followLine }) => page.copy(followLine(), texts.line))],
      [texts.copyAsSwift, shared(({ swift }) => page.copy(swift(this.#draft.text), texts.swift))],
    ]);
    const more = menu(texts.more, "more", [
      [texts.renameAndDescribe, () => page.rename(this.#draft)], [texts.duplicate, () => page.duplicate(this.#draft)],
      [texts.delete, () => page.remove(this.#head, this.#draft)],
    ]);
    this.#parts = { name, about, revision, undo, redo };
    this.element = make("div", { class: "stream", "aria-busy": "true" },
      make("div", { class: "stream-main" },
        make("header", { class: "stream-head" },
          make("a", { class: "button quiet back", href: "#/", text: texts.allStreams }),
          make("div", { class: "stream-title" }, name, about, revision),
          make("div", { class: "stream-do" }, undo, redo, share, more)),
        this.#conflict.element, this.#sample.element, this.#transport.element, this.#pipeline.element, this.#sinks.element,
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
    this.#parts.revision.textContent = isLeft ? texts.revisionCannotRunRevisionRunsOn(revision, runs)
      : texts.revisionOf(revision);
  }

  #changed() {
    if (!this.#isOpened) return;
    const draft = this.#draft;
    this.#pipeline.update();
    this.#sinks.update();
    this.#bar.update();
    this.#conflict.update();
    this.#sample.update();
    this.#panel.update();
    this.#draw();
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
    const before = this.#run;
    this.#run = run;
    this.#sinks.soon();
    this.#showRevision();
    this.#transport.update(run);
    // Whoever plays the stream wants to see the run.
    if (run.run !== before?.run && this.#isRunning) this.#isPreviewed = false;
    const isOther = this.#tunnels.run(run, at, this.#isFresh);
    this.#isFresh = false;
    this.#draw();
    if (isOther && this.#isOpened) this.#pipeline.update();
    if (!run.stages?.length) this.#outline();
  }

  // A stream that has no run has stages all the same.
  async #outline() {
    if (!this.#isOpened || this.#run?.stages?.length) return;
    if (this.#head.errors?.length) return;                     // a document that cannot run has none
    try {
      const { rows } = await hub.picture(this.#draft.stored, 0);
      if (this.#run?.stages?.length) return;
      const isOther = this.#tunnels.run({ run: this.#run?.run ?? 0, state: "idle", time: 0, stages: rows },
        performance.now(), true);
      if (isOther) this.#pipeline.update();
    } catch (error) {
      if (!error.status) this.#page.trouble(error);            // one that somebody has just broken
    }
  }

  value(data) {
    this.#sinks.soon();
    this.#tunnels.value(data);
  }
  reported(data) { this.#tunnels.reported(data); }
  gap() { this.#tunnels.gap(); }
  completed(data) { this.#ended(data, "completed"); }
  failed(data) { this.#ended(data, "failed"); }

  #ended(data, mark) {
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
      // Play right after Apply plays the edited stream.
      await this.#draft.settled();
      await hub.control(this.id, what, value);
    } catch (error) {
      this.#page.trouble(error);
    }
  }

  // MARK: Virtual runs: of the draft while one edits, and of the moments that the slider shows

  get #isRunning() { return ["running", "paused", "restarting"].includes(this.#run?.state ?? this.#head.state); }

  // A draft is drawn at once. Once it is stored, it stays in sight unless the hub's run shows its effect.
  get #isVirtualWanted() {
    if (this.#transport.isScrubbing) return true;
    return !this.#isLiveWanted && (this.#draft.isEdited || this.#isPreviewed && !this.#isRunning);
  }

  #draw() {
    if (!this.#isOpened) return;
    const draft = this.#draft;
    if (draft.text !== this.#text) {
      if (this.#text !== undefined && draft.isEdited) {
        this.#isPreviewed = true;
        this.#isLiveWanted = false;
      }
      this.#text = draft.text;
    }
    if (!this.#isVirtualWanted) return this.#showLive();
    // The hub is not asked to draw what it has called wrong.
    const [wrong] = draft.isEdited && !draft.fault ? [] : this.#head.errors ?? [];
    if (wrong) {
      if (this.#transport.isScrubbing) this.#page.note(texts.itCannotBeDrawn(wrong.message));
      return this.#showLive();
    }
    if (draft.fault && this.#drawn) return;                    // what is no JSON yet leaves the picture before it
    const tree = draft.fault ? read(draft.stored) : draft.tree, until = this.#transport.reach(lastTime(tree));
    const key = `${until} ${draft.fault ? draft.stored : draft.text}`;
    if (key === this.#drawn) return void (this.#transport.label = this.#label);
    this.#drawn = key;
    this.#preview.draw(tree, until);
  }

  #showLive() {
    this.#preview.stop();
    this.#drawn = undefined;
    this.#pipeline.faults = [];
    this.#transport.left();
    if (!this.#tunnels.isVirtual) return;
    this.#tunnels.live();
    this.#pipeline.update();
    this.#outline();
  }

  get #label() { return `${this.#draft.isEdited ? texts.theDraft : texts.theStream}${this.#drawnWith}`; }
  #drawnWith = texts.inVirtualTime;

  #picture({ rows, faults, next, isCut, isSample, isOutside }, isMore) {
    if (!this.#isVirtualWanted) return;
    this.#pipeline.faults = faults;
    if (rows) this.#tunnels.picture(rows, { isMore, isPart: faults.length > 0 });
    this.#pipeline.update();
    this.#next = next;
    const marks = rows?.map((row) => row.marks?.at(-1)).filter(Boolean) ?? [];
    const last = rows?.at(-1)?.marks?.at(-1);
    const cutAt = isCut ? Math.max(0, ...marks.map(({ time }) => time)) : undefined;
    const end = last?.completed || last?.error !== undefined ? last.time : undefined;
    this.#drawnWith = isOutside ? texts.hasNoValuesYetToDraw
      : texts.inVirtualTime2(isSample ? texts.withTheLastValues : "");
    this.#transport.drew({ end, cutAt, label: this.#label });
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
