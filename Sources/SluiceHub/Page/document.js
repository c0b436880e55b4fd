// The structure of a document, and its edits. They work on a tree of json.js and touch only the parts that they edit.
import { Numeral, tree } from "./json.js";
import { numeral } from "./value.js";

const besideOperator = new Set(["id", "note", "disabled"]);
const besideSource = new Set(["note", "item"]);
const names = (key, beside) => !beside.has(key) && !key.startsWith("x-");

/** The key that names an operator. */
export function operatorName(operator) {
  return operator instanceof Map ? [...operator.keys()].find((key) => names(key, besideOperator)) : undefined;
}

/** The operators of a document, or with "sinks" its sinks. */
export function parts(document, key) {
  const list = document.get(key);
  return Array.isArray(list) ? list : [];
}

export const operators = (document) => parts(document, "operators");
export const sinks = (document) => parts(document, "sinks");

const ownID = (part) => part instanceof Map && typeof part.get("id") === "string" ? part.get("id") : undefined;

// Ids are unique within a document: operators and sinks share them.
const takenIDs = (document) => new Set([...operators(document), ...sinks(document)].map(ownID));

/** Returns the id of each sink; the hub gives a sink without one an id from its name: `post`, `post-2`. */
export function sinkIDs(document) {
  const taken = takenIDs(document);
  return sinks(document).map((sink) => {
    const given = ownID(sink);
    if (given !== undefined) return given;
    const id = free(operatorName(sink) ?? "", taken);
    taken.add(id);
    return id;
  });
}

function free(name, taken) {
  let id = name;
  for (let number = 2; taken.has(id); number++) id = `${name}-${number}`;
  return id;
}

/**
 * The source of a document: `kind`, its `value`, and the `path` of that. A stream with operators within the source is of
 * the kind "pipeline".
 */
export function source(document) {
  if (document.has("stream")) return { kind: "stream", value: document.get("stream"), path: "stream", isShort: true };
  const value = document.get("source");
  if (!(value instanceof Map)) return { kind: undefined, value, path: "source" };
  if (value.has("source") || (value.has("stream") && value.has("operators"))) return { kind: "pipeline", value,
    path: "source" };
  const kind = [...value.keys()].find((key) => names(key, besideSource));
  return { kind, value: value.get(kind), path: `source.${kind}` };
}

/** Puts another source in its place. */
export function setSource(document, kind, value) {
  const put = kind === "pipeline" ? value : new Map([[kind, value]]);
  const old = document.get("source");
  if (kind !== "pipeline" && old instanceof Map) for (const [key, part] of old) if (!names(key,
    besideSource)) put.set(key, part);
  if (!document.has("stream")) return void document.set("source", put);
  replaceKey(document, "stream", "source", put);
}

// Gives a member another key and value, at its place.
function replaceKey(object, old, key, value) {
  const members = [...object];
  object.clear();
  for (const [name, part] of members) if (name === old) object.set(key, value); else object.set(name, part);
}

/** The items of a document whose source is `stream`; the list itself, so that it can be edited. */
export function items(document) {
  const { kind, value } = source(document);
  if (kind !== "stream") return undefined;
  if (Array.isArray(value)) return value;
  const list = value instanceof Map ? value.get("items") : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** The path of an item, as the hub writes it. */
export function itemPath(document, index) {
  const { value, path } = source(document);
  return `${path}${Array.isArray(value) ? "" : ".items"}[${index}]`;
}

const delays = (item) => (item instanceof Map && Array.isArray(item.get("operators")) ? item.get("operators") : [])
  .filter((operator) => operatorName(operator) === "delay" && operator.get("disabled") !== true)
  .map((operator) => operator.get("delay")).filter((delay) => delay instanceof Map);

const secondsOf = (delay) => {
  const seconds = delay.get("seconds");
  return seconds instanceof Numeral && Number.isFinite(seconds.value) ? seconds.value : undefined;
};

/** Returns the delay of an item after the previous one. */
export const itemDelay = (item) => delays(item).reduce((sum, delay) => sum + (secondsOf(delay) ?? 0), 0);

/** Returns true if the delay of an item can be set: not if it is a parameter of the document. */
export const isMovable = (item) => delays(item).every((delay) => secondsOf(delay) !== undefined);

export function itemTimes(list) {
  let time = 0;
  return list.map((item) => (time = Math.round((time + itemDelay(item)) * 1e6) / 1e6));
}

/** Sets how long an item is held back; of several delays the first gives way. */
export function setDelay(item, seconds) {
  const [first, ...others] = delays(item);
  const rest = others.reduce((sum, delay) => sum + (secondsOf(delay) ?? 0), 0);
  if (first) return void first.set("seconds", numeral(seconds - rest));
  const list = Array.isArray(item.get("operators")) ? item.get("operators") : [];
  list.unshift(tree({ delay: { seconds: numeral(seconds).value } }));
  item.set("operators", list);
}

export const newItem = (value, seconds) => new Map([["value", value], ["operators", [tree({ delay: { seconds } })]]]);

/** Puts a value at a time, so that the others stay at theirs. */
export function insertItem(list, value, time) {
  const times = itemTimes(list);
  let index = times.findIndex((other) => other > time);
  if (index < 0) index = list.length;
  const before = index ? times[index - 1] : 0;
  if (index < list.length && isMovable(list[index])) setDelay(list[index], times[index] - time);
  list.splice(index, 0, newItem(value, numeral(time - before).value));
  return index;
}

/** Takes an item away, so that the others stay at their times. */
export function removeItem(list, index) {
  const times = itemTimes(list);
  list.splice(index, 1);
  if (index < list.length && isMovable(list[index])) setDelay(list[index],
    times[index + 1] - (index ? times[index - 1] : 0));
}

/** Moves an item to a time by its delay; those after it keep theirs, and so move too, or `alone`: stay where they are. */
export function moveItem(list, index, time, alone = false) {
  const times = itemTimes(list);
  const before = index ? times[index - 1] : 0;
  const follows = alone && index + 1 < list.length && isMovable(list[index + 1]);
  const place = Math.max(before, follows ? Math.min(time, times[index + 1]) : time);
  setDelay(list[index], place - before);
  if (follows) setDelay(list[index + 1], times[index + 1] - place);
}

/**
 * Returns an id that no operator and no sink of the document has. Added ones have an id, so that a plan recognizes
 * them.
 */
export const freeID = (document, name) => free(name, takenIDs(document));

/** Returns the index of the operator with a path, such as `operators[1].scan`. */
export function operatorIndex(path) {
  const found = /^operators\[(\d+)\]/.exec(path ?? "");
  return found ? Number(found[1]) : undefined;
}

/** Returns true if a path leads to a sink or into one, such as `sinks[0].post.url`. */
export const isSinkPath = (path) => /^sinks\[\d+\]/.test(path ?? "");
