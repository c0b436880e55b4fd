// JSON that keeps what it reads: numbers as they are written, keys in their order, unknown parts whole.
//
// An object is a Map, a number a Numeral; all else is what JavaScript has.
import { json as texts } from "./texts.js";

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
  if (reader.at < text.length) reader.fail(texts.endExpected(reader.found()));
  return value;
}

/** The tree of a text with an object. Throws a JSONFault. */
export function readObject(text) {
  const tree = read(text);
  if (tree instanceof Map) return tree;
  throw new JSONFault(texts.objectExpected(kind(tree)), text, text.search(/\S/));
}

const kind = (tree) => Array.isArray(tree) ? texts.anArray : tree instanceof Numeral ? texts.aNumber
  : typeof tree === "string" ? texts.aString : tree === null ? texts.null : texts.trueOrFalse;

class Reader {
  constructor(text) { this.text = text; this.at = 0; }

  fail(message, at = this.at) { throw new JSONFault(message, this.text, at); }

  /** The character at a place, for a message. */
  found(at = this.at) {
    const code = this.text.codePointAt(at);
    if (code === undefined) return texts.theEnd;
    if (code === 0x22) return texts.aString;
    if (code <= 0x20 || code === 0x7f) return texts.byte(code.toString(16).toUpperCase().padStart(2, "0"));
    return texts.aCharacter(String.fromCodePoint(code));
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at = pattern.lastIndex;
    return found[0];
  }

  get isAtEnd() { return this.at >= this.text.length; }

  space() { this.match(/[ \t\r\n]*/y); }

  value(depth) {
    if (depth > mostDepth) this.fail(texts.tooDeep(mostDepth));
    const letter = this.text[this.at];
    if (letter === "{") return this.object(depth);
    if (letter === "[") return this.array(depth);
    if (letter === '"') return this.string();
    const word = this.match(/true|false|null/y);
    if (word) return { true: true, false: false, null: null }[word];
    const number = this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return new Numeral(number);
    if (letter === undefined) return this.fail(this.text.trim() ? texts.valueEnds : texts.textIsEmpty);
    if (letter === "'") return this.fail(texts.singleQuote);
    return this.fail("]},".includes(letter) ? texts.valueMissing(this.found()) : texts.valueExpected(this.found()));
  }

  string() {
    const start = this.at;
    // eslint-disable-next-line no-control-regex
    const text = this.match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (text === undefined) this.failInString(start + 1);
    return JSON.parse(text);
  }

  // Says what is wrong with the string that begins before this place.
  failInString(from) {
    // eslint-disable-next-line no-control-regex
    const good = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
    good.lastIndex = from;
    good.exec(this.text);
    const at = good.lastIndex, letter = this.text[at], next = this.text[at + 1];
    if (letter === undefined || (letter === "\\" && next === undefined)) this.fail(texts.stringEnds, this.text.length);
    if (letter !== "\\") this.fail(texts.inString("\r\n".includes(letter) ? texts.lineBreak : this.found(at)), at);
    if (next !== "u") this.fail(texts.unknownEscape(this.found(at + 1)), at);
    const isCut = /^[0-9a-fA-F]{0,3}$/.test(this.text.slice(at + 2));
    this.fail(isCut ? texts.stringEnds : texts.hexadecimal, isCut ? this.text.length : at);
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
      if (!this.match(/,/y)) this.fail(this.isAtEnd ? texts.listEnds("]") : texts.separatorInList(this.found()));
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
      if (this.text[start] !== '"') this.fail(this.isAtEnd ? texts.keyEnds : texts.keyMissing(this.found()));
      const key = this.string();
      if (members.has(key)) this.fail(texts.duplicateKey(JSON.stringify(key)), start);
      this.space();
      if (!this.match(/:/y)) this.fail(texts.colonExpected(this.found()));
      this.space();
      members.set(key, this.value(depth + 1));
      this.space();
      if (this.match(/}/y)) return members;
      if (!this.match(/,/y)) this.fail(this.isAtEnd ? texts.listEnds("}") : texts.separatorInObject(this.found()));
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
