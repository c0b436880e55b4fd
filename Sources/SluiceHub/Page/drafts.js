// Unapplied drafts, saved in this tab until the stream is opened again.

const key = (id) => `sluice draft ${id}`;

/** Saves a draft; removes one that is equal to the hub's document. */
export function saveDraft(draft) {
  try {
    if (!draft.isEdited || draft.stored === undefined) return sessionStorage.removeItem(key(draft.id));
    sessionStorage.setItem(key(draft.id),
      JSON.stringify({ text: draft.text, revision: draft.conflict?.revision ?? draft.revision }));
  } catch { /* storage is disabled */ }
}

/** Returns the saved draft of a stream: `{ text, revision }`. */
export function savedDraft(id) {
  try {
    const { text, revision } = JSON.parse(sessionStorage.getItem(key(id)) ?? "{}");
    return typeof text === "string" ? { text, revision } : undefined;
  } catch {
    return undefined;
  }
}
