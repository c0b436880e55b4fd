// The operators, sources, and sinks that the hub has: what they take, and what one begins with.
import { hub } from "./hub.js";
import { tree } from "./json.js";

let entries;

/** Loads the catalog once; without one, forms are text. */
export async function loadCatalog() {
  if (entries) return;
  const { operators = [], sources = [], sinks = [] } = await hub.catalog();
  // The expressions of a sink see the output alone.
  entries = { operators, sources, sinks: sinks.map((sink) => ({ ...sink, variables: "x" })) };
}

export const operatorKinds = () => entries?.operators ?? [];
export const sourceKinds = () => entries?.sources ?? [];
export const sinkKinds = () => entries?.sinks ?? [];

const find = (kinds, name) => kinds.find((kind) => kind.name === name || kind.synonyms?.includes(name));
export const operatorKind = (name) => find(operatorKinds(), name);
export const sourceKind = (name) => find(sourceKinds(), name);
export const sinkKind = (name) => find(sinkKinds(), name);

/** Those that a text names, the best first. */
export function search(kinds, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return kinds;
  const rank = (kind) => {
    const names = [kind.name, ...kind.synonyms ?? []].map((name) => name.toLowerCase());
    if (names.includes(wanted)) return 0;
    if (names.some((name) => name.startsWith(wanted))) return 1;
    if (names.some((name) => name.includes(wanted))) return 2;
    return kind.summary?.toLowerCase().includes(wanted) ? 3 : 9;
  };
  return kinds.map((kind) => [rank(kind), kind]).filter(([place]) => place < 9).sort(([one], [other]) => one - other)
    .map(([, kind]) => kind);
}

const predicates = /While$|Where$|^filter$|^allSatisfy$/;

// Parameters whose first value is not one of their form.
const firsts = {
  webhook: { name: "inbox", auth: "token" }, schedule: { cron: "0 9 * * *" }, subject: { subject: "orders.in" },
  publish: { subject: "orders.out" },
};

function initial(kind, parameter, stream) {
  const first = firsts[kind.name]?.[parameter.name];
  if (first !== undefined) return first;
  switch (parameter.form) {
    case "expression":
      if (parameter.name === "while") return "x < 10";
      if (parameter.name === "next") return "x + 1";
      return predicates.test(kind.name) ? "x != 0" : ["scan", "reduce"].includes(kind.name) ? "acc + x" : "x";
    case "text": return parameter.name === "id" ? stream ?? "" : parameter.name === "text" ? "-1-2-3-|"
      : parameter.name === "message" ? "error" : "";
    case "choice": return parameter.choices?.[0] ?? "";
    case "count": return Math.max(1, parameter.least ?? 0);
    case "seconds": return 1;
    case "bool": return false;
    case "values": return [1, 2, 3];
    case "object": return {};
    case "stack": return { filters: [] };
    case "source": return stream ? { ref: stream } : { interval: { seconds: 1 } };
    case "sources": return stream ? [{ ref: stream }] : [{ interval: { seconds: 1 } }];
    case "operators": return [];
    case "items": return [1, 2, 3].map((value) => ({ value, operators: [{ delay: { seconds: 1 } }] }));
    default: return kind.name === "scan" || kind.name === "reduce" ? 0 : 1;
  }
}

/** Returns the initial arguments of a new operator, source, or sink; `stream` is a stream to refer to. */
export function beginnings(kind, stream) {
  const wanted = (kind.parameters ?? []).filter((parameter) => parameter.isRequired
    || (parameter.name === "initialValue" && ["scan", "reduce"].includes(kind.name))
      || (kind.name === "marbles" && parameter.name === "frame"));
  return tree(Object.fromEntries(wanted.map((parameter) => [parameter.name, initial(kind, parameter, stream)])));
}
