// Somebody else stored another revision while one edited: both, and what becomes of the run.
import { difference, even, marked } from "./diff.js";
import { button, make } from "./dom.js";
import { planList } from "./draftbar.js";
import { conflict as texts } from "./texts.js";

export class Conflict {
  #draft; #parts; #shown;

  constructor(draft) {
    this.#draft = draft;
    const title = make("h2"), about = make("p"), both = make("div", { class: "both" }), plan = make("div");
    const mine = button({ text: texts.keepMine, kind: "main", id: "keep-mine" },
      () => draft.isDeleted ? draft.restore() : draft.keepMine());
    const theirs = button({ text: texts.takeTheirs, id: "take-theirs" }, () => draft.takeTheirs());
    this.#parts = { title, about, both, plan, mine, theirs };
    this.element = make("section", { class: "conflict", role: "alert", hidden: true }, title, about, both, plan,
      make("div", { class: "draft-do" }, theirs, mine));
  }

  update() {
    const { conflict, isDeleted } = this.#draft, { title, about, both, plan, mine, theirs } = this.#parts;
    this.element.hidden = !conflict && !isDeleted;
    if (this.element.hidden) { this.#shown = undefined; return; }
    theirs.hidden = isDeleted;
    mine.querySelector("span").textContent = isDeleted ? texts.storeItAgain : texts.keepMine;
    if (isDeleted) {
      title.textContent = texts.thisStreamWasDeleted;
      about.textContent = texts.anotherAuthorDeletedItItsDocument;
      both.replaceChildren();
      plan.replaceChildren();
      return;
    }
    title.textContent = texts.anotherAuthorEditedThisStreamToo;
    about.textContent = texts.revisionWasStoredWhileYouEdited(conflict.revision);
    const key = `${conflict.revision} ${this.#draft.text}`;
    if (key !== this.#shown) {
      this.#shown = key;
      const lines = difference(even(conflict.text), even(this.#draft.text));
      both.replaceChildren(
        make("div", {}, make("h3", { text: texts.theirsRevision(conflict.revision) }),
          marked(lines, ["old"], texts.theirs)),
        make("div", {}, make("h3", { text: texts.yours }), marked(lines, ["new"], texts.yours)));
    }
    plan.replaceChildren(...conflict.plan?.steps
      ? [make("h3", { text: texts.effectOfYourVersionOnThe }), planList(conflict.plan)] : []);
    mine.disabled = Boolean(conflict.errors?.length);
  }
}
