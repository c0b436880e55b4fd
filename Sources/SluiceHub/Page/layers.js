// A layered layout of boxes and wires: from left to right, each box after those that it reads.

/**
 * Returns the place of each node, `{ layer, row }` by its key. `edges`: `[from, to]`; `before`: places of an earlier
 * layout, which nodes keep as long as their layer is the same.
 */
export function layout(keys, edges, before = new Map()) {
  const known = new Set(keys), incoming = new Map(keys.map((key) => [key, []]));
  for (const [from, to] of edges) if (known.has(from) && known.has(to) && from !== to) incoming.get(to).push(from);
  const layers = new Map(), open = new Set();
  const layer = (key) => {
    if (layers.has(key)) return layers.get(key);
    if (open.has(key)) return 0;                               // a cycle ends where it began
    open.add(key);
    const found = Math.max(-1, ...incoming.get(key).map(layer)) + 1;
    open.delete(key);
    layers.set(key, found);
    return found;
  };
  keys.forEach(layer);
  const places = new Map(), taken = new Map();
  const isFree = (layer, row) => !taken.get(layer)?.has(row);
  const put = (key, layer, row) => {
    places.set(key, { layer, row });
    if (!taken.has(layer)) taken.set(layer, new Set());
    taken.get(layer).add(row);
  };
  for (const key of keys) {
    const old = before.get(key);
    if (old && old.layer === layers.get(key) && isFree(old.layer, old.row)) put(key, old.layer, old.row);
  }
  // Others are beside what they read, layer by layer.
  const rest = keys.filter((key) => !places.has(key)).sort((one, other) => layers.get(one) - layers.get(other));
  for (const key of rest) {
    const rows = incoming.get(key).map((from) => places.get(from)?.row).filter((row) => row !== undefined);
    const wanted = rows.length ? Math.round(rows.reduce((sum, row) => sum + row, 0) / rows.length) : 0;
    for (let away = 0; !places.has(key); away++) {
      for (const row of [wanted + away, wanted - away]) {
        if (row >= 0 && isFree(layers.get(key), row)) { put(key, layers.get(key), row); break; }
      }
    }
  }
  return places;
}

/**
 * Returns where a wire crosses the layers between two places: for each of them a row without a box, or the gap between two
 * rows, which is a half. `isTaken(layer, row)`: a box is there.
 */
export function crossings(from, to, isTaken) {
  const steps = to.layer - from.layer;
  return Array.from({ length: Math.max(0, steps - 1) }, (_, index) => {
    const layer = from.layer + index + 1, wanted = from.row + (to.row - from.row) * (index + 1) / steps, near = Math.round(wanted);
    const rows = [near - 1, near, near + 1].filter((row) => row >= 0 && !isTaken(layer, row));
    return { layer, row: [...rows, near - 0.5, near + 0.5].sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0] };
  });
}
