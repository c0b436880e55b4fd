// What a value looks like: its kind, its color, its short text and its whole text.
import { Numeral, read, write } from "./json.js";
import { value as texts } from "./texts.js";

/** JSON, with integers that a double cannot hold kept exact. */
export function parse(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);                  // no integer is that long: the fast way
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

/** A part of a document as a value. */
export const plain = (node) => parse(write(node, Infinity));

/** Returns typed text as a part of a document: JSON, or else a string. */
export function typed(text) {
  try {
    return read(text.trim());
  } catch {
    return text;
  }
}

/** The reverse: a text is in quotes only where it would be read as something else. */
export function typable(node) {
  if (typeof node === "string") return typeof typed(node) === "string" && typed(node) === node ? node
    : JSON.stringify(node);
  return write(node, Infinity);
}

/** A number of seconds as it is written in a document: no more digits than it needs. */
export const numeral = (seconds) => new Numeral(Math.round(Math.max(0, seconds) * 1000) / 1000);

/** Returns the text of a value in at most `most` characters, or one more with braces; six fit on a ball. */
export function short(value, most = 5) {
  if (kind(value) === "object" || kind(value) === "list") return brief(value, most);
  const letters = characters(whole(value).slice(0, 400).replace(turning, ""));
  return letters.length <= most ? letters.join("") : letters.slice(0, most - 1).join("") + "…";
}

// A list or an object: as it is where it fits, else how many parts it has.
function brief(value, most) {
  const [open, close] = Array.isArray(value) ? "[]" : "{}", count = Object.keys(value).length;
  if (!count) return open + close;
  const parts = Object.values(value);
  if (open === "{" && count === 1 && !["list", "object"].includes(kind(parts[0]))) {
    const text = short(parts[0], most - 1);
    if (!text.endsWith("…")) return `{${text}}`;
  }
  if (open === "[" && parts.every((part) => ["number", "truth"].includes(kind(part)))) {
    const text = `[${parts.join(",")}]`;
    if (text.length <= most) return text;
  }
  const text = `${open}×${count}${close}`;
  return text.length <= most ? text : `${open}…${close}`;
}

/** Two values that belong together, as zip and combineLatest give them. */
const isPair = (value) => kind(value) === "list" && value.length === 2
  && value.every((part) => !["list", "object"].includes(kind(part)));

function characters(text) {
  const head = text.slice(0, 200);
  return Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(head), (part) => part.segment) : [...head];
}

/** Returns a text for display: shortened, and without characters that change the direction of the text around it. */
export function cut(text, length) {
  const straight = text.replace(turning, "");
  return straight.length <= length ? straight : straight.slice(0, length - 1) + "…";
}

/** Signs that turn the direction of a text. */
export const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** 1 → "1 s", 0.25 → "0.25 s" */
export function seconds(time) {
  return texts.sOf(Math.round(time * 1000) / 1000);
}

const colors = 8;

/**
 * Paints a ball. With `origins`, its color shows the source values that it was made from: equal
 * origins have equal colors, two of them share the ball. A pair is two balls in one.
 */
export function paint(ball, value, origins) {
  const parts = isPair(value) ? value : [value];
  const inner = parts.map((part) => short(part, parts.length > 1 ? 3 : 5));
  ball.dataset.kind = kind(value);
  ball.dataset.length = Math.min(6, Math.max(...inner.map((text) => characters(text).length)));
  ball.classList.toggle("pair", parts.length > 1);
  while (ball.children.length > parts.length) ball.lastElementChild.remove();
  parts.forEach((part, index) => {
    const inside = ball.children[index] ?? ball.appendChild(document.createElement("span"));
    if (inside.textContent !== inner[index]) inside.textContent = inner[index];
    inside.dir = "auto";
    if (parts.length > 1) inside.dataset.kind = kind(part);
    else delete inside.dataset.kind;
  });
  delete ball.dataset.color;
  ball.style.removeProperty("--other");
  if (!origins?.length) return;
  const color = (origin) => ((origin % colors) + colors) % colors;
  ball.dataset.color = color(origins[0]);
  ball.dataset.origins = origins.join(" ");
  ball.dataset.from = origins.length > 3 ? `${origins[0] + 1}…${origins.at(-1) + 1}`
    : origins.map((origin) => origin + 1).join("+");
  const other = origins.at(-1);
  if (color(other) !== color(origins[0])) ball.style.setProperty("--other", `var(--c${color(other)})`);
}

/** Returns JSON for reading. Parts that fit are written on one line. */
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

/** An error of the hub in words: where, what, and a short hint. */
export const said = ({ path, message, hint }) => `${path ? `${path}: ` : ""}${message}${hint && hint.length < 160 ? ` (${hint})` : ""}`;
