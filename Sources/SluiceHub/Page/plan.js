// What an edit does to a run, in words.
import { cut, json, seconds } from "./value.js";

const shown = (value) => value === undefined || value === null ? "nothing" : cut(json(value), 60);

const mostChanges = 3;

function changes(step) {
  const all = (step.changes ?? [])
    .map((change) => item(change) ?? `${change.parameter} ${shown(change.old)} → ${shown(change.new)}`);
  return [...all.slice(0, mostChanges),
    ...all.length > mostChanges ? [`and ${all.length - mostChanges} more`] : []].join(", ");
}

// An item of a stream: its value and its delay.
function item({ parameter, old, new: now }) {
  const index = /^\[(\d+)\]$/.exec(parameter)?.[1];
  if (index === undefined) return undefined;
  const name = `item ${Number(index) + 1}`;
  if (!old) return `${name}, ${shown(now?.value)}, is added`;
  if (!now) return `${name}, ${shown(old.value)}, is removed`;
  const delay = ({ operators = [] }) => operators.reduce((sum, { delay }) => sum + (Number(delay?.seconds) || 0), 0);
  const parts = [];
  if (json(old.value) !== json(now.value)) parts.push(`${shown(old.value)} → ${shown(now.value)}`);
  if (delay(old) !== delay(now)) parts.push(`delay ${seconds(delay(old))} → ${seconds(delay(now))}`);
  return `${name} ${parts.join(", ") || "is edited"}`;
}

/** `scan (sum)`, as a person finds it in the page. */
const name = (step) => step.id && step.id !== step.name ? `${step.name} (${cut(step.id, 40)})` : step.name;

/** One step: `{ action, text }`. */
export function sentence(step) {
  const what = changes(step), tail = what ? `: ${what}` : "";
  const text = {
    kept: `${name(step)} ${step.isMoved ? "moves and keeps" : "keeps"} its state${tail}`,
    reset: `${name(step)} starts afresh${step.reason ? ` (${step.reason})` : ""}${tail}`,
    added: `${name(step)} is added and begins with the next value`,
    dropped: `${name(step)} is removed with what it holds`,
  }[step.action] ?? step.text ?? "";
  return { action: step.action, text };
}

/** Returns the steps to show: those with an effect, and one line with the number of unchanged stages. */
export function sentences(plan) {
  const steps = plan?.steps ?? [];
  const quiet = (step) => step.action === "kept" && !step.isMoved && !step.changes?.length;
  const lines = steps.filter((step) => !quiet(step)).map(sentence);
  const rest = steps.filter(quiet).length;
  if (rest) lines.push({ action: "kept",
    text: `${rest === 1 ? "1 stage keeps" : `${rest} stages keep`} on as ${rest === 1 ? "it is" : "they are"}` });
  return lines;
}

/** The plan in one line, for the note after an edit. */
export function summary(plan) {
  const all = sentences(plan);
  const main = all.filter(({ text }) => !text.includes(" on as "));
  if (!main.length) return "nothing that runs is touched";
  return main.length === 1 ? main[0].text : `${main[0].text}, and ${main.length - 1} more`;
}

/** Returns true if all errors are unknown parts: the hub stores such a document but does not run it. */
export const isOnlyUnknown = (errors) => errors.length > 0
  && errors.every(({ message }) => /^unknown (operator|source|key|field)/.test(message ?? ""));
