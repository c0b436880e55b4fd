// The effects of an edit before it is applied.
import { button, make } from "./dom.js";
import { isOfSinks, isOnlyUnknown, losesNothing, sentences } from "./plan.js";

const mostShown = 8;

/** The steps of a plan as a list. */
export function planList(plan) {
  const all = sentences(plan);
  return make("ul", { class: "plan" },
    ...all.slice(0, mostShown).map(({ action, text }) => make("li", { dataset: { action }, text })),
    all.length > mostShown ? make("li", { text: `and ${all.length - mostShown} more` }) : undefined);
}

export class DraftBar {
  #draft; #parts;

  constructor(draft) {
    this.#draft = draft;
    const title = make("p", { class: "draft-title" }), plan = make("div"),
      trouble = make("p", { class: "error", role: "alert" });
    const apply = button({ text: "Apply", kind: "main", id: "apply" }, () => draft.apply());
    const discard = button({ text: "Discard", id: "discard" }, () => draft.discard());
    // The refusal of a draft because of the streams that refer to this one.
    const rewrite = button({ text: "Apply, and rewrite their references", kind: "main", id: "rewrite" },
      () => draft.apply("references=rewrite"));
    const keep = button({ text: "Apply, and keep their current runs", id: "keep" },
      () => draft.apply("dependents=keep"));
    this.#parts = { title, plan, trouble, apply, discard, rewrite, keep };
    this.element = make("section", { class: "draft", "aria-label": "Draft", hidden: true },
      make("div", { class: "draft-text", role: "status" }, title, plan, trouble),
        make("div", { class: "draft-do" }, discard, keep, rewrite, apply));
  }

  update() {
    const draft = this.#draft, { title, plan, trouble, apply, rewrite, keep } = this.#parts;
    this.element.hidden = !draft.isEdited || draft.isHeld || Boolean(draft.conflict) || draft.isDeleted;
    if (this.element.hidden) return;
    const errors = draft.errors, unknown = isOnlyUnknown(errors);
    const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
    title.textContent = draft.fault ? "Draft: this is not JSON yet"
      : errors.length ? unknown ? `Draft with ${count}: it can be stored and shared, and does not run here`
        : `Draft with ${count}`
        : draft.plan ? losesNothing(draft.plan, draft.listener.isRunning()) ? "Draft: not applied yet"
          : isOfSinks(draft.plan) ? "Unapplied change of the sinks" : "Unapplied change: this resets part of the running state" : "Draft";
    plan.replaceChildren(...errors.length && !draft.fault
      ? [make("ul", { class: "plan" },
        ...errors.slice(0, mostShown).map(({ path, message }) =>
        make("li", { dataset: { action: "dropped" }, text: path ? `${path}: ${message}` : message })))]
      : draft.plan ? [planList(draft.plan)] : []);
    trouble.textContent = draft.trouble;
    trouble.hidden = !draft.trouble;
    apply.hidden = Boolean(draft.dependents);
    keep.hidden = !draft.dependents;
    rewrite.hidden = !draft.dependents || !draft.isRenamed;
    apply.disabled = !draft.isStorable;
    apply.querySelector("span").textContent = errors.length && unknown ? "Store" : "Apply";
  }
}
