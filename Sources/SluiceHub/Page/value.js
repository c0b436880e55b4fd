// What a value looks like: its kind (which gives its color), its short text and its whole text.

/** JSON, with integers that a double cannot hold kept exact. */
export function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context.source) : value);
}

export function kind(value) {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "list";
  return { number: "number", bigint: "number", string: "text", boolean: "truth" }[typeof value] ?? "object";
}

/** The whole value: a string as it is, all else as JSON. */
export function whole(value) {
  return typeof value === "string" ? value : json(value);
}

/** At most five characters, as many as a ball can bear. */
export function short(value) {
  if (kind(value) === "object") return "{…}";
  if (kind(value) === "list") return value.length ? "[…]" : "[]";
  const letters = characters(whole(value));
  return letters.length <= 5 ? letters.join("") : letters.slice(0, 4).join("") + "…";
}

export function characters(text) {
  const head = text.slice(0, 200);
  return Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(head), (part) => part.segment) : [...head];
}

export function cut(text, length) {
  return text.length <= length ? text : text.slice(0, length - 1) + "…";
}

/** 1 → "1 s", 0.25 → "0.25 s" */
export function seconds(time) {
  return `${Math.round(time * 1000) / 1000} s`;
}

/** JSON for reading: what fits stands in one line. */
export function json(value, width = Infinity, indent = "") {
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const list = Array.isArray(value);
  const [open, close] = list ? "[]" : "{}";
  const parts = (room, inner) => list
    ? value.map((item) => json(item, room, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${json(item, room, inner)}`);
  const line = parts(Infinity, "").join(", ");
  if (!line) return open + close;
  if (indent.length + line.length + 4 <= width) return list ? `[${line}]` : `{ ${line} }`;
  const inner = indent + "  ";
  return `${open}\n${parts(width, inner).map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
