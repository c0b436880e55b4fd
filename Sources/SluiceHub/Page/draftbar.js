// The effects of an edit before it is applied.
import { button, make } from "./dom.js";
import { isOfSinks, isOnlyUnknown, losesNothing, sentences } from "./plan.js";
import { said } from "./value.js";
import { draftbar as texts } from "./texts.js";

const mostShown = 8;

/** The steps of a plan as a list. */
export function planList(plan) {
  const all = sentences(plan);
  return make("ul", { class: "plan" },
    ...all.slice(0, mostShown).map(({ action, text }) => make("li", { dataset: { action }, text })),
    all.length > mostShown ? make("li", { text: texts.andMore(all.length - mostShown) }) : undefined);
}

export class DraftBar {
  #draft; #parts;

  constructor(draft) {
    this.#draft = draft;
    const title = make("p", { class: "draft-title" }), plan = make("div"),
      trouble = make("p", { class: "error", role: "alert" });
    const apply = button({ text: texts.apply, kind: "main", id: "apply" }, () => draft.apply());
    const discard = button({ text: texts.discard, id: "discard" }, () => draft.discard());
    // The refusal of a draft because of the streams that refer to this one.
    const rewrite = button({ text: texts.applyAndRewriteTheirReferences, kind: "main", id: "rewrite" },
      () => draft.apply("references=rewrite"));
    const keep = button({ text: texts.applyAndKeepTheirCurrentRuns, id: "keep" },
      () => draft.apply("dependents=keep"));
    this.#parts = { title, plan, trouble, apply, discard, rewrite, keep };
    this.element = make("section", { class: "draft", "aria-label": texts.draft, hidden: true },
      make("div", { class: "draft-text", role: "status" }, title, plan, trouble),
        make("div", { class: "draft-do" }, discard, keep, rewrite, apply));
  }

  update() {
    const draft = this.#draft, { title, plan, trouble, apply, rewrite, keep } = this.#parts;
    this.element.hidden = !draft.isEdited || draft.isHeld || Boolean(draft.conflict) || draft.isDeleted;
    if (this.element.hidden) return;
    const errors = draft.errors, unknown = isOnlyUnknown(errors);
    const count = texts.errors(errors.length);
    title.textContent = draft.fault ? texts.draftThisIsNotJsonYet
      : errors.length ? unknown ? texts.draftWithItCanBeStored(count)
        : texts.draftWith(count)
        : draft.plan ? losesNothing(draft.plan, draft.listener.isRunning()) ? texts.draftNotAppliedYet
          : isOfSinks(draft.plan) ? texts.unappliedChangeOfTheSinks : texts.unappliedChangeThisResetsPartOf : texts.draft;
    plan.replaceChildren(...errors.length && !draft.fault
      ? [make("ul", { class: "plan" },
        ...errors.slice(0, mostShown).map((error) => make("li", { dataset: { action: "dropped" }, text: said(error) })))]
      : draft.plan ? [planList(draft.plan)] : []);
    trouble.textContent = draft.trouble;
    trouble.hidden = !draft.trouble;
    apply.hidden = Boolean(draft.dependents);
    keep.hidden = !draft.dependents;
    rewrite.hidden = !draft.dependents || !draft.isRenamed;
    apply.disabled = !draft.isStorable;
    apply.querySelector("span").textContent = errors.length && unknown ? texts.store : texts.apply;
  }
}
