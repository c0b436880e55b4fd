// The revisions of a stream: look at one, and put it in place again.
import { difference, even, marked, near } from "./diff.js";
import { button, make, unique } from "./dom.js";
import { planList } from "./draftbar.js";
import { Away, hub, isSigned, sign, signature } from "./hub.js";
import { changed } from "./plan.js";
import { cut, json } from "./value.js";
import { history as texts } from "./texts.js";

const mostShown = 200;
/** The number of revisions whose changes are read at once. */
const mostPlanned = 40;
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export class History {
  #draft; #page; #list; #look; #signature; #said = new Map(); #ask = 0;

  constructor(draft, page) {
    this.#draft = draft;
    this.#page = page;
    this.#list = make("ol", { class: "revisions" });
    this.#look = make("div", { class: "look", hidden: true, tabIndex: -1 });
    this.#signature = make("div", { class: "signature" });
    this.#showSignature();
    this.element = make("div", { class: "history" }, this.#signature, this.#look, this.#list);
  }

  async load() {
    const ask = ++this.#ask;
    try {
      const revisions = await hub.revisions(this.#draft.id);
      if (ask !== this.#ask) return;
      const rows = revisions.slice(0, mostShown).map((revision, index) => this.#row(revision, revisions[index + 1], index));
      this.#list.replaceChildren(...rows.map(({ element }) => element),
        revisions.length > mostShown ? make("li", { class: "soft", text: texts.andOlder(revisions.length - mostShown) }) : "");
      // One after another: the newest are read first.
      for (const { say } of rows.slice(0, mostPlanned)) {
        await say();
        if (ask !== this.#ask) return;
      }
    } catch (error) {
      this.#list.replaceChildren(make("li", { class: "error", text: error.message }));
    }
  }

  #row(revision, before, index) {
    const { revision: number, author, time, isDeleted } = revision;
    const what = make("p", { class: "change", dir: "auto" }), slot = make("div", { class: "row-diff", hidden: true, id: unique("diff") });
    const diff = isDeleted || !before || before.isDeleted ? undefined : button({ text: texts.difference, kind: "quiet",
      "aria-label": texts.differenceOfRevision(number), "aria-expanded": false, "aria-controls": slot.id }, async () => {
      slot.hidden = !slot.hidden;
      diff.setAttribute("aria-expanded", !slot.hidden);
      if (slot.hidden || slot.children.length) return;
      try {
        const [old, now] = await Promise.all([before, revision].map(({ revision }) => hub.revision(this.#draft.id, revision)));
        slot.replaceChildren(marked(near(difference(even(old.text), even(now.text))), ["old", "new"],
          texts.revisionBesideTheOneBefore(number)));
      } catch (error) {
        if (error instanceof Away) this.#page.lost(); else this.#page.trouble(error);
      }
    });
    const element = make("li", { dataset: { revision: number } },
      make("div", {}, make("strong", { text: isDeleted ? texts.deletedOf(number) : String(number) }),
        make("span", { class: "soft", dir: "auto", text: ` ${cut(author ?? "", 60)}` }),
        make("time", { class: "soft", dateTime: time, text: this.#time(time) }), what),
      index || isDeleted ? undefined : make("span", { class: "soft", text: texts.asItIs }), diff,
      isDeleted ? undefined : button({ text: texts.look, kind: "quiet", "aria-label": texts.lookAtRevision(number) },
        () => this.#show(revision)), slot);
    return { element, say: () => this.#say(what, revision, before) };
  }

  // What the revision changed; one that is read once does not change anymore.
  async #say(what, { revision, name, isDeleted }, before) {
    if (isDeleted) return;
    if (!this.#said.has(revision)) {
      let text;
      if (!before || before.isDeleted) text = before ? texts.isThereAgain : texts.theFirstOne;
      else {
        try { text = changed(await hub.revisionPlan(this.#draft.id, revision)); } catch (error) {
          if (error instanceof Away) return;
          text = "";
        }
        if (name !== before.name) text = [texts.nameOf(json(before.name ?? ""), json(name ?? "")), text].filter(Boolean).join("; ");
      }
      this.#said.set(revision, text || texts.nothingThatRuns);
    }
    what.textContent = cut(this.#said.get(revision), 300);
  }

  // The name of the person, asked for once.
  #showSignature(isAsked = !isSigned()) {
    const id = unique("author");
    const field = make("input", { id, maxLength: 60, autocomplete: "name", value: isSigned() ? signature() : "" });
    const save = () => { sign(field.value); this.#showSignature(false); };
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") save(); });
    this.#signature.replaceChildren(...isAsked
      ? [make("label", { htmlFor: id, text: texts.yourNameForTheHistory }), field,
        button({ text: texts.save, kind: "pill", id: "sign" }, save)]
      : [make("p", { class: "soft", dir: "auto", text: texts.yourEditsHaveTheName(cut(signature(), 60)) }),
        button({ text: texts.change, kind: "quiet", "aria-label": texts.changeYourName }, () => {
          this.#showSignature(true);
          this.#signature.querySelector("input").focus();
        })]);
  }

  #time(text) {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? "" : clock.format(time);
  }

  async #show({ revision }) {
    try {
      const { text } = await hub.revision(this.#draft.id, revision);
      const lines = difference(even(text), even(this.#draft.stored));
      const plan = make("div");
      this.#look.replaceChildren(...[
        make("h3", { text: texts.revisionOf(revision) }),
        revision === this.#draft.revision ? undefined
          : make("p", { class: "soft", text: texts.isInThisRevisionIsIn }),
        marked(lines, ["old", "new"], texts.revisionBesideTheOneAsIt(revision)), plan,
        make("div", { class: "draft-do" }, button({ text: texts.close }, () => { this.#look.hidden = true; }),
          revision === this.#draft.revision ? undefined
            : button({ text: texts.rollBackToIt, kind: "main", id: "rollback" }, () => this.#rollBack(revision))),
      ].filter(Boolean));
      this.#look.hidden = false;
      this.#look.focus();
      if (revision === this.#draft.revision) return;
      const answer = await hub.plan(this.#draft.id, text);
      if (answer.steps) plan.replaceChildren(make("h3", { text: texts.effectOfTheRollbackOnThe }),
        planList(answer));
    } catch (error) {
      if (error instanceof Away) this.#page.lost(); else this.#page.trouble(error);
    }
  }

  async #rollBack(revision) {
    try {
      await this.#draft.rollback(revision);
      this.#look.hidden = true;
      this.#page.note(texts.revisionIsInPlaceAgainAs(revision, this.#draft.revision));
      this.load();
    } catch (error) {
      this.#page.trouble(error);
    }
  }
}
