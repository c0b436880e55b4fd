// JSON that keeps what it reads: numbers as they are written, keys in their order, unknown parts whole.
//
// An object is a Map, a number a Numeral; all else is what JavaScript has.

/** A number as it is written: 1.50 stays 1.50, and an integer of 30 digits whole. */
export class Numeral {
  constructor(text) { this.text = String(text); }
  get value() { return Number(this.text); }
}

/** A text that is not JSON, with the place. */
export class JSONFault extends Error {
  constructor(message, text, offset) {
    super(message);
    const before = text.slice(0, offset).split("\n");
    this.line = before.length;
    this.column = [...before.at(-1)].length + 1;
    this.offset = offset;
  }
}

const mostDepth = 200;

/** The tree of a text. Throws a JSONFault. */
export function read(text) {
  const reader = new Reader(text);
  reader.space();
  const value = reader.value(0);
  reader.space();
  if (reader.at < text.length) reader.fail("the text goes on after its end");
  return value;
}

class Reader {
  constructor(text) { this.text = text; this.at = 0; }

  fail(message, at = this.at) { throw new JSONFault(message, this.text, at); }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at = pattern.lastIndex;
    return found[0];
  }

  space() { this.match(/[ \t\r\n]*/y); }

  value(depth) {
    if (depth > mostDepth) this.fail("values stand too deep within each other");
    const letter = this.text[this.at];
    if (letter === "{") return this.object(depth);
    if (letter === "[") return this.array(depth);
    if (letter === '"') return this.string();
    const word = this.match(/true|false|null/y);
    if (word) return { true: true, false: false, null: null }[word];
    const number = this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return new Numeral(number);
    return this.fail(letter === undefined ? "the text ends too early" : `a value is wanted here, not ${letter}`);
  }

  string() {
    const start = this.at;
    // eslint-disable-next-line no-control-regex
    const text = this.match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (text === undefined) this.fail("the string does not end, or has an escape that there is not", start);
    return JSON.parse(text);
  }

  array(depth) {
    const list = [];
    this.at++;
    this.space();
    if (this.match(/]/y)) return list;
    for (;;) {
      list.push(this.value(depth + 1));
      this.space();
      if (this.match(/]/y)) return list;
      if (!this.match(/,/y)) this.fail("a comma or ] is missing");
      this.space();
    }
  }

  object(depth) {
    const members = new Map();
    this.at++;
    this.space();
    if (this.match(/}/y)) return members;
    for (;;) {
      const start = this.at;
      if (this.text[start] !== '"') this.fail("expected a key in quotes");
      const key = this.string();
      if (members.has(key)) this.fail(`duplicate key "${key}"`, start);
      this.space();
      if (!this.match(/:/y)) this.fail("expected a colon");
      this.space();
      members.set(key, this.value(depth + 1));
      this.space();
      if (this.match(/}/y)) return members;
      if (!this.match(/,/y)) this.fail("a comma or } is missing");
      this.space();
    }
  }
}

// A lone surrogate is an escape, and so is a sign that would turn the direction of the text around it.
const quoted = (text) => JSON.stringify(text)
  .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);

/** Returns the text of a tree. Parts that fit are written on one line. */
export function write(node, width = 72, indent = "", lead = 0) {
  if (node instanceof Numeral) return node.text;
  if (typeof node === "string") return quoted(node);
  if (node === null || typeof node !== "object") return JSON.stringify(node) ?? "null";
  const list = Array.isArray(node);
  const [open, close] = list ? "[]" : "{}";
  const line = oneLine(node, width - indent.length - lead);
  if (line !== undefined) return line;
  const inner = indent + "  ";
  const parts = list
    ? node.map((item) => write(item, width, inner))
    : Array.from(node, ([key, item]) => {
      const name = `${quoted(key)}: `;
      return name + write(item, width, inner, name.length);
    });
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

// The text in one line, if it is not longer than `room`.
function oneLine(node, room) {
  if (room < 2) return undefined;
  if (node instanceof Numeral) return node.text;
  if (node === null || typeof node !== "object") {
    if (typeof node === "string") return node.length > room ? undefined : quoted(node);
    return JSON.stringify(node) ?? "null";
  }
  const list = Array.isArray(node);
  let text = "";
  for (const part of list ? node : node.entries()) {
    if (text) text += ", ";
    const item = list ? oneLine(part, room - text.length) : oneLine(part[1], room - text.length);
    if (item === undefined) return undefined;
    text += list ? item : `${quoted(part[0])}: ${item}`;
    if (text.length > room) return undefined;
  }
  text = list ? `[${text}]` : `{${text}}`;
  return text.length <= room ? text : undefined;
}

/** A copy that shares nothing with the tree. */
export function copy(node) {
  if (Array.isArray(node)) return node.map(copy);
  if (node instanceof Map) return new Map(Array.from(node, ([key, value]) => [key, copy(value)]));
  return node;
}

/** Returns true if two trees have the same text. */
export const same = (one, other) => write(one, Infinity) === write(other, Infinity);

/** The tree of values of JavaScript. */
export function tree(value) {
  if (typeof value === "number" || typeof value === "bigint") return new Numeral(value);
  if (Array.isArray(value)) return value.map(tree);
  if (value !== null && typeof value === "object") return new Map(Object.entries(value)
    .map(([key, item]) => [key, tree(item)]));
  return value ?? null;
}
