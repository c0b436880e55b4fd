// Somebody else stored another revision while one edited: both, and what becomes of the run.
import { difference, even, marked } from "./diff.js";
import { button, make } from "./dom.js";
import { planList } from "./draftbar.js";

export class Conflict {
  #draft; #parts; #shown;

  constructor(draft) {
    this.#draft = draft;
    const title = make("h2"), about = make("p"), both = make("div", { class: "both" }), plan = make("div");
    const mine = button({ text: "Keep mine", kind: "main", id: "keep-mine" },
      () => draft.isDeleted ? draft.restore() : draft.keepMine());
    const theirs = button({ text: "Take theirs", id: "take-theirs" }, () => draft.takeTheirs());
    this.#parts = { title, about, both, plan, mine, theirs };
    this.element = make("section", { class: "conflict", role: "alert", hidden: true }, title, about, both, plan,
      make("div", { class: "draft-do" }, theirs, mine));
  }

  update() {
    const { conflict, isDeleted } = this.#draft, { title, about, both, plan, mine, theirs } = this.#parts;
    this.element.hidden = !conflict && !isDeleted;
    if (this.element.hidden) { this.#shown = undefined; return; }
    theirs.hidden = isDeleted;
    mine.querySelector("span").textContent = isDeleted ? "Store it again" : "Keep mine";
    if (isDeleted) {
      title.textContent = "This stream was deleted";
      about.textContent = "Another author deleted it. Its document is still here.";
      both.replaceChildren();
      plan.replaceChildren();
      return;
    }
    title.textContent = "Another author edited this stream too";
    about.textContent = `Revision ${conflict.revision} was stored while you edited. Yours can be put on top of it, and theirs stays in the history.`;
    const key = `${conflict.revision} ${this.#draft.text}`;
    if (key !== this.#shown) {
      this.#shown = key;
      const lines = difference(even(conflict.text), even(this.#draft.text));
      both.replaceChildren(
        make("div", {}, make("h3", { text: `Theirs, revision ${conflict.revision}` }),
          marked(lines, ["old"], "Theirs")),
        make("div", {}, make("h3", { text: "Yours" }), marked(lines, ["new"], "Yours")));
    }
    plan.replaceChildren(...conflict.plan?.steps
      ? [make("h3", { text: "Effect of your version on the run" }), planList(conflict.plan)] : []);
    mine.disabled = Boolean(conflict.errors?.length);
  }
}
