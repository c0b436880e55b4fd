// All tunnels of one stream: a tunnel a stage, and one clock.
import { Clock } from "./clock.js";
import { operatorIndex, operatorName } from "./document.js";
import { make } from "./dom.js";
import { Tunnel } from "./tunnel.js";
import { cut, json, seconds, whole } from "./value.js";
import { tunnels as texts } from "./texts.js";

/** The number of events of a run that are kept while a virtual one is shown. */
const mostKept = 20_000;

/** The ends of a stage in words. */
const ends = { completed: texts.completed, failed: (error) => texts.failedOf(error) };

/** Returns where and why a stage of a picture fails, in words. */
function fault(rows, index) {
  const { marks, expression, inputs = [] } = rows[index], { time, error } = marks.find((mark) => mark.error !== undefined);
  const before = inputs.flatMap((input) => rows[input]?.marks ?? [])
    .findLast((mark) => mark.time <= time && mark.value !== undefined);
  const reason = String(error).replace(/^[\w.[\]]+: /, "");
  return { reason: texts.failsAt(seconds(time), reason), where: expression,
    at: before && texts.xIs(cut(whole(before.value), 80)) };
}

function showFault({ failure }, what) {
  failure.hidden = !what;
  if (!what) return;
  const { reason, where, at } = what;
  failure.replaceChildren(make("strong", { text: cut(reason, 300) }),
    where ? make("code", { text: cut(where, 200) }) : "", at ? make("span", { text: at }) : "");
}

export class Tunnels {
  #stages = []; #announce; #run; #isVirtual = false; #isPart = false;
  // The run of the hub: `run`, `at`, its `stages`, and its `events`, each with the name of the method that shows it.
  #live = { events: [] };
  clock = new Clock();

  /** `announce(text)`: for screen readers; `press(stage, mark)`: a person wants to see a value of a stage, or all. */
  constructor(announce, press = () => {}) {
    this.#announce = announce;
    this.#press = press;
  }
  #press;

  /** A number that grows with each change of the values. */
  changes = 0;
  /** The last values of a stage. */
  marks(stage) { return this.#stages[stage]?.tunnel.marks ?? []; }

  get count() { return this.#stages.length; }
  get stages() { return this.#stages.map(({ stage }) => stage); }
  /** True while a virtual run is shown. */
  get isVirtual() { return this.#isVirtual; }
  /** The last values of the source: `{ time, value }`. */
  get sample() {
    return this.#live.events.filter(([name, { stage }]) => name === "value" && stage === 0).map(([, data]) => data);
  }
  /** True if color shows the origins of values: there are several stages. */
  get isColored() { return this.#stages.length > 1; }

  /** Shows a run, or its changes. `isNew`: all events are sent again. Returns true if the stages have changed. */
  run(run, at, isNew) {
    const live = this.#live;
    if (isNew || run.run !== live.run?.run) live.events = [];
    if (run.stages?.length) live.stages = run.stages;
    live.run = { ...run, stages: live.stages };
    live.at = at;
    return !this.#isVirtual && this.#showRun(live.run, at, isNew);
  }

  #showRun(run, at, isNew) {
    const isOther = isNew || run.run !== this.#run?.run;
    const isMade = this.#make(run.stages ?? [], isOther);
    this.changes++;
    if (isOther) this.clock.pictureEnd = 0;
    if (isOther) this.#stages.forEach(({ tunnel }) => tunnel.begin());
    if (isOther) this.#end = this.#first = undefined;
    this.#run = run;
    // The output's end has the exact time; the run's status has the time at which the hub noticed it.
    this.clock.set(this.#end !== undefined && ["completed", "failed"].includes(run.state) ? { ...run, time: this.#end }
      : run, at);
    this.#quiet = isOther ? run.time - 0.5 : this.#quiet;        // older values are replayed, and not announced again
    return isMade;
  }
  #quiet = 0; #end;

  /** Older values of the run are missing. */
  gap() { this.#hear("gap", {}); }
  value(data) { this.#hear("value", data); }
  /** An error at which a value was left out. */
  reported(data) { this.#hear("reported", data); }
  ended(data, mark) { this.#hear("ended", data, mark); }

  #hear(...event) {
    const { events } = this.#live;
    events.push(event);
    if (events.length > mostKept) events.splice(0, mostKept / 2, ["gap", {}]);
    if (!this.#isVirtual) this.#show(...event);
  }

  #show(name, data, mark) {
    this.changes++;
    if (name === "gap") this.#first ??= 0;
    else if (name === "value") this.#showValue(data);
    else if (name === "reported") this.#showReported(data);
    else this.#showEnd(data, mark);
  }

  #showValue({ stage, time, value, origins }) {
    this.#stages[stage]?.tunnel.add({ time, value, origins: this.#counted(origins) });
    if (stage === this.#stages.length - 1 && time >= this.#quiet) this.#announce(texts.atOf(cut(whole(value), 60), seconds(time), this.#said(origins)));
  }

  #showReported({ stage, time, error }) {
    this.#stages[stage]?.tunnel.add({ time, reported: String(error) });
    if (stage === this.#stages.length - 1 && time >= this.#quiet) this.#announce(texts.leftOut(error));
  }

  // Returns the origins of a value in words.
  #said(origins) {
    const counted = this.isColored ? this.#counted(origins) ?? [] : [];
    return counted.length ? texts.ofOf(counted.length > 3 ? texts.toOf(counted[0] + 1, counted.at(-1) + 1) : counted.map((origin) => origin + 1).join(texts.and)) : "";
  }

  // The origins of a run count from 0, as its items do.
  #counted(origins) {
    if (!origins?.length) return origins;
    this.#first ??= Math.min(...origins);
    return origins.map((origin) => origin - this.#first);
  }
  #first;

  #showEnd({ stage, time, error }, mark) {
    const end = error === undefined ? ends.completed : ends.failed(error);
    this.#stages[stage]?.tunnel.end(time, mark, end);
    if (stage !== this.#stages.length - 1) return;
    this.#end = time;
    if (this.clock.end !== undefined) this.clock.finish(time);
    if (time >= this.#quiet) this.#announce(texts.atOf2(end, seconds(time)));
  }

  /** Shows the rows of a picture, a run in virtual time; `isMore`: after those that are shown; `isPart`: the last row is not the output. */
  picture(rows, { isMore = false, isPart = false } = {}) {
    this.changes++;
    const isFirst = !this.#isVirtual;
    this.#isVirtual = true;
    this.#run = undefined;
    this.#first = 0;
    this.#isPart = isPart;
    if (!isMore) {
      this.#make(rows.map(({ name, expression, path, id }, index) => this.#stages[index]?.stage.name === name
        ? { ...this.#stages[index].stage, expression, path } : { name, expression, path, id }), true);
    }
    const failed = rows.findIndex(({ marks = [] }) => marks.some(({ error }) => error !== undefined));
    rows.forEach(({ marks = [] }, index) => {
      const entry = this.#stages[index], key = json(marks);
      if (!isMore) showFault(entry, index === failed ? fault(rows, index) : undefined);
      // A stage that passes on the same values is not drawn again.
      if (!isMore && !isFirst && entry.drawn === key) return;
      entry.drawn = key;
      if (!isMore) entry.tunnel.begin(false);
      for (const mark of marks) {
        if (mark.completed) entry.tunnel.end(mark.time, "completed", ends.completed);
        else if (mark.error !== undefined) entry.tunnel.end(mark.time, "failed", ends.failed(mark.error));
        else entry.tunnel.add({ ...mark, origins: this.#counted(mark.origins) });
      }
    });
    this.clock.pictureEnd = Math.max(isMore ? this.clock.pictureEnd : 0, ...rows.map(({ marks }) => marks?.at(-1)?.time ?? 0));
  }

  /** Shows the run of the hub again. Returns true if the stages have changed. */
  live() {
    this.#isVirtual = this.#isPart = false;
    for (const entry of this.#stages) {
      entry.drawn = undefined;
      showFault(entry);
    }
    const { run, at, events } = this.#live;
    if (!run) return false;
    const isMade = this.#showRun(run, at, true);
    this.#quiet = Infinity;                                    // what was missed is not announced
    for (const event of events) this.#show(...event);
    this.#quiet = run.time - 0.5;
    return isMade;
  }

  close() { this.#stages.forEach(({ tunnel }) => tunnel.close()); }

  // Stages that were there keep their tunnels.
  #make(stages, isNew) {
    const old = [...this.#stages];
    const key = ({ id, name, path }) => id === undefined ? `${name} ${isNew ? "" : path}` : `id ${id}`;
    const isSame = old.length === stages.length
      && old.every(({ stage }, index) => key(stage) === key(stages[index]) && stage.path === stages[index].path);
    this.#stages = stages.map((stage, index) => {
      const place = old.findIndex((one) => key(one.stage) === key(stage));
      const found = place < 0 ? undefined : old.splice(place, 1)[0];
      const entry = found ?? this.#entry();
      entry.stage = stage;
      this.#name(entry, index, stages);
      return entry;
    });
    old.forEach(({ tunnel }) => tunnel.close());
    this.#stages.forEach(({ tunnel }) => { tunnel.isColored = stages.length > 1; });
    return !isSame;
  }

  #entry() {
    const tunnel = new Tunnel(this.clock, "", { press: (mark) => this.#press(this.#stages.findIndex((one) => one.tunnel === tunnel), mark) });
    const caption = make("p", { class: "caption" }, make("span", { class: "caption-name" }),
      make("span", { class: "code caption-what" }), make("span", { class: "caption-end" }));
    const failure = make("p", { class: "fault", hidden: true });
    return { tunnel, caption, failure, element: make("div", { class: "tunnel-row" }, caption, tunnel.element, failure) };
  }

  #name(entry, index, stages) {
    const { expression } = entry.stage, name = cut(entry.stage.name, 100), [first, what, end] = entry.caption.children;
    const isAfter = entry.stage.inputs === undefined ? index > 0 : entry.stage.inputs.length > 0;
    first.textContent = isAfter ? texts.afterOf(name) : name;
    what.textContent = expression ? cut(expression, 120) : "";
    end.textContent = index === stages.length - 1 && index && !this.#isPart ? texts.output : "";
    // The text of the card above is not repeated.
    const isOwn = index ? /^operators\[\d+\]\.[^.[]+$/.test(entry.stage.path ?? "")
      : stages.filter(({ path }) => operatorIndex(path) === undefined).length === 1;
    first.hidden = what.hidden = isOwn;
    entry.caption.hidden = isOwn && !end.textContent;
    entry.tunnel.label = texts.valuesAlongTime(isAfter ? texts.after : texts.of, name, expression ? ` ${cut(expression, 120)}` : "");
    entry.tunnel.stage = `${isAfter ? texts.after2 : ""}${name}`;
    entry.tunnel.element.dataset.stage = index;
  }

  /** Returns the operators of the edited document with their tunnels: `{ index, element }`; the source has no index. */
  places(list, plan) {
    if (this.#isVirtual) {
      return this.#stages.map(({ stage, element }) => ({ index: operatorIndex(stage.path), element }))
        .filter(({ index }) => index === undefined || index < list.length);
    }
    const moves = new Map((plan?.steps ?? []).map((step) => [step.oldPath, step]));
    return this.#stages.flatMap(({ stage, element }) => {
      const old = operatorIndex(stage.path);
      if (old === undefined) return [{ element }];
      const top = /^operators\[\d+\]\.[^.[]+/.exec(stage.path)?.[0];
      const step = moves.get(top);
      if (step?.action === "dropped") return [];
      let index = step?.newPath ? operatorIndex(step.newPath) : undefined;
      if (index === undefined && stage.id !== undefined) index = list.findIndex((operator) => operator instanceof Map
        && operator.get("id") === stage.id);
      if (index === undefined) index = operatorName(list[old]) === stage.name || stage.path !== top ? old : -1;
      return index >= 0 && index < list.length ? [{ index, element }] : [];
    });
  }
}
