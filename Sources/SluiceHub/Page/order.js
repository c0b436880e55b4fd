// The order in which this browser lists the streams; where nobody has moved one, it is the hub's.

const key = "sluice order";

function stored() {
  try {
    const ids = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(ids) ? ids : [];
  } catch {
    return [];
  }
}

/** Heads in this browser's order; those that it does not know come last. */
export function ordered(heads) {
  const places = new Map(stored().map((id, index) => [id, index]));
  if (!places.size) return heads;
  return heads.map((head, index) => [places.get(head.id) ?? places.size + index, head])
    .sort(([one], [other]) => one - other).map(([, head]) => head);
}

/** Moves a stream among those with these ids, and keeps the order. */
export function moveTo(ids, id, to) {
  const others = ids.filter((other) => other !== id);
  others.splice(Math.max(0, Math.min(to, others.length)), 0, id);
  try {
    localStorage.setItem(key, JSON.stringify(others));
  } catch { /* a browser that keeps nothing */ }
}
