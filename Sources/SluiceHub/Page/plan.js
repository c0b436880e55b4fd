// The effects of an edit on a run, in words.
import { isSinkPath } from "./document.js";
import { cut, json, seconds } from "./value.js";
import { plan as texts } from "./texts.js";

const shown = (value) => value === undefined || value === null ? texts.nothing : cut(json(value), 60);

const mostChanges = 3;

function changes(step) {
  const all = (step.changes ?? [])
    .map((change) => item(change) ?? `${change.parameter} ${shown(change.old)} → ${shown(change.new)}`);
  return [...all.slice(0, mostChanges),
    ...all.length > mostChanges ? [texts.andMore(all.length - mostChanges)] : []].join(", ");
}

// An item of a stream: its value and its delay.
function item({ parameter, old, new: now }) {
  const index = /^\[(\d+)\]$/.exec(parameter)?.[1];
  if (index === undefined) return undefined;
  const name = texts.itemOf(Number(index) + 1);
  if (!old) return texts.isAdded(name, shown(now?.value));
  if (!now) return texts.isRemoved(name, shown(old.value));
  const delay = ({ operators = [] }) => operators.reduce((sum, { delay }) => sum + (Number(delay?.seconds) || 0), 0);
  const parts = [];
  if (json(old.value) !== json(now.value)) parts.push(`${shown(old.value)} → ${shown(now.value)}`);
  if (delay(old) !== delay(now)) parts.push(texts.delayOf(seconds(delay(old)), seconds(delay(now))));
  return `${name} ${parts.join(", ") || texts.isEdited}`;
}

const isSink = ({ newPath, oldPath }) => isSinkPath(newPath ?? oldPath);

/** `scan (sum)`, as a person finds it in the page. */
const name = (step) => step.id && step.id !== step.name ? `${step.name} (${cut(step.id, 40)})` : step.name;

// The place at which a new sink begins, from a reason such as "begins at now".
const beginnings = { "begins at now": texts.withTheNextOutput, "begins at start": texts.withTheOldestOutputThatIs };

// A sink that is kept goes on at its cursor.
function ofSink(step, tail) {
  return {
    kept: texts.keepsItsCursor(name(step), tail),
    added: texts.isAddedAndBegins(name(step), beginnings[step.reason]
      ?? texts.afterOutput(cut((step.reason ?? "").replace("begins at ", ""), 40))),
    dropped: texts.isRemovedWithItsCursorWhat(name(step)),
  }[step.action];
}

/** One step: `{ action, text }`. */
export function sentence(step) {
  const what = changes(step), tail = what ? `: ${what}` : "";
  const text = (isSink(step) ? ofSink(step, tail) : undefined) ?? {
    kept: texts.itsState(name(step), step.isMoved ? texts.movesAndKeeps : texts.keeps, tail),
    reset: texts.startsAfresh(name(step), step.reason ? ` (${step.reason})` : "", tail),
    added: texts.isAddedAndBeginsWithThe(name(step)),
    dropped: texts.isRemovedWithWhatItHolds(name(step)),
  }[step.action] ?? step.text ?? "";
  return { action: step.action, text };
}

// A change of the partitions, where workers run the stream.
function division({ changes: all = [], stages = [] } = {}) {
  if (!all.length) return [];
  const what = all.map(({ parameter, old, new: now }) => `${parameter} ${shown(old)} → ${shown(now)}`).join(", ");
  return [{ action: "kept", text: texts.onWorkersThePartitionsChange(what) }, ...stages.map((stage) => stage.isMoved
    ? { action: "kept", text: texts.eachGroupMoves(name(stage)) }
    : { action: "reset", text: texts.startsAfreshInEachPartition(name(stage), stage.reason ? ` (${stage.reason})` : "") })];
}

/** Returns the steps to show: those with an effect, and one line with the number of unchanged stages. */
export function sentences(plan) {
  const steps = plan?.steps ?? [];
  const quiet = (step) => step.action === "kept" && !step.isMoved && !step.changes?.length;
  const lines = steps.filter((step) => !quiet(step)).map(sentence);
  const rest = steps.filter((step) => quiet(step) && !isSink(step)).length;
  if (rest) lines.push({ action: "kept", isQuiet: true,
    text: texts.stagesKeepOn(rest) });
  const sinks = steps.filter((step) => quiet(step) && isSink(step)).length;
  if (sinks) lines.push({ action: "kept", isQuiet: true,
    text: texts.sinksKeepTheirCursors(sinks) });
  return [...lines, ...division(plan?.division)];
}

/** Returns the changes of a revision in words, from its plan. */
export function changed(plan) {
  const found = (plan.steps ?? []).filter((step) => step.action !== "kept" || step.isMoved || step.changes?.length)
    .map((step) => {
      const what = changes(step), isOfItems = step.changes?.some(({ parameter }) => /^\[\d+\]$/.test(parameter));
      if (step.action === "added") return texts.added(name(step));
      if (step.action === "dropped") return texts.removed(name(step));
      if (!what) return step.isMoved ? texts.isMoved(name(step)) : name(step);
      return isOfItems ? what : `${name(step)}: ${what}`;
    });
  return [...found.slice(0, mostChanges), ...found.length > mostChanges ? [texts.andMore(found.length - mostChanges)] : []].join("; ");
}

/** The plan in one line, for the note after an edit. */
export function summary(plan) {
  const all = sentences(plan);
  const main = all.filter(({ isQuiet }) => !isQuiet);
  if (!main.length) return texts.nothingThatRunsIsTouched;
  return main.length === 1 ? main[0].text : texts.andMore2(main[0].text, main.length - 1);
}

/** Returns true if an edit adds or drops sinks, and every stage keeps its state. */
export const isOfSinks = (plan) => plan.steps.every((step) => step.action === "kept" || isSink(step));

/**
 * Returns true if an edit is stored without a question: no running run loses state by it, and no sink comes or goes, since
 * what is delivered can't be taken back.
 */
export function losesNothing({ steps, division: partitions }, isRunning) {
  // The hub doesn't know which workers run the stream.
  if (partitions?.stages.some(({ isMoved }) => !isMoved)) return false;
  return Boolean(steps?.every((step) => step.action === "kept"
    || !isSink(step) && (!isRunning || step.action === "added")));
}

/** The reasons for which the hub does not store what the plan is of: its errors, and the tests at its gate that fail. */
export const problems = (plan) => [...plan.errors ?? [], ...plan.tests ?? []];

/** Returns true if all errors are unknown parts: the hub stores such a document but does not run it. */
export const isOnlyUnknown = (errors) => errors.length > 0
  && errors.every(({ message }) => /^unknown (operator|source|key|field)/.test(message ?? ""));
