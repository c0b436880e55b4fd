// Drafts that were not applied, kept in this tab until the stream is opened again.

const key = (id) => `sluice draft ${id}`;

/** Keeps what stands in a draft; one that is as the hub has it is forgotten. */
export function keep(draft) {
  try {
    if (!draft.isEdited || draft.stored === undefined) return sessionStorage.removeItem(key(draft.id));
    sessionStorage.setItem(key(draft.id),
      JSON.stringify({ text: draft.text, revision: draft.conflict?.revision ?? draft.revision }));
  } catch { /* a browser that keeps nothing */ }
}

/** What was kept: `{ text, revision }`. */
export function kept(id) {
  try {
    const { text, revision } = JSON.parse(sessionStorage.getItem(key(id)) ?? "{}");
    return typeof text === "string" ? { text, revision } : undefined;
  } catch {
    return undefined;
  }
}
