// The streams that this browser keeps at the top.
const key = "sluice stars";

function stored() {
  try {
    const ids = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(Array.isArray(ids) ? ids : []);
  } catch {
    return new Set();
  }
}

let stars = stored();

export const isStarred = (id) => stars.has(id);

/** Stars a stream, or takes its star; returns true if it has one now. */
export function toggleStar(id) {
  stars = stored();
  if (!stars.delete(id)) stars.add(id);
  try { localStorage.setItem(key, JSON.stringify([...stars])); } catch { /* a browser that keeps nothing */ }
  return stars.has(id);
}
