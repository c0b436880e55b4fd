// All tunnels of one stream: a tunnel a stage, and one clock.
import { Clock } from "./clock.js";
import { operatorIndex, operatorName } from "./document.js";
import { make } from "./dom.js";
import { Tunnel } from "./tunnel.js";
import { cut, seconds } from "./value.js";

export class Tunnels {
  #stages = []; #announce; #run;
  clock = new Clock();

  /** `announce(text)`: for screen readers. */
  constructor(announce) { this.#announce = announce; }

  get count() { return this.#stages.length; }
  get stages() { return this.#stages.map(({ stage }) => stage); }
  /** True if color shows the origins of values: there are several stages. */
  get isColored() { return this.#stages.length > 1; }

  /** Shows a run, or its changes. `isNew`: all events are sent again. Returns true if the stages have changed. */
  run(run, at, isNew) {
    const isOther = isNew || run.run !== this.#run?.run;
    const isMade = this.#make(run.stages ?? [], isOther);
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
  gap() { this.#first ??= 0; }

  value({ stage, time, value, origins }) {
    this.#stages[stage]?.tunnel.add({ time, value, origins: this.#counted(origins) });
    if (stage === this.#stages.length - 1 && time >= this.#quiet) this.#announce(value);
  }

  /** An error at which a value was left out. */
  reported({ stage, time, error }) {
    this.#stages[stage]?.tunnel.add({ time, reported: String(error) });
    if (stage === this.#stages.length - 1 && time >= this.#quiet) this.#announce(`left out: ${error}`);
  }

  // The origins of a run count from 0, as its items do.
  #counted(origins) {
    if (!origins?.length) return origins;
    this.#first ??= Math.min(...origins);
    return origins.map((origin) => origin - this.#first);
  }
  #first;

  ended({ stage, time, error }, mark) {
    this.#stages[stage]?.tunnel.end(time, mark, error === undefined ? mark : `failed: ${error}`);
    if (stage !== this.#stages.length - 1) return;
    this.#end = time;
    if (this.clock.end !== undefined) this.clock.finish(time);
    if (time >= this.#quiet) this.#announce(`${mark} at ${seconds(time)}${error === undefined ? "" : `, ${error}`}`);
  }

  /** Shows the rows of a picture, a run in virtual time. */
  picture(rows) {
    this.#run = this.#first = undefined;
    this.#make(rows.map(({ name, expression, path }, index) => this.#stages[index]?.stage.name === name
      ? { ...this.#stages[index].stage, expression } : { name, expression, path }), true);
    rows.forEach(({ marks = [] }, index) => {
      const { tunnel } = this.#stages[index];
      tunnel.begin();
      for (const mark of marks) {
        if (mark.completed) tunnel.end(mark.time, "completed", "completed");
        else if (mark.error !== undefined) tunnel.end(mark.time, "failed", `failed: ${mark.error}`);
        else tunnel.add({ ...mark, origins: this.#counted(mark.origins) });
      }
    });
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
    const tunnel = new Tunnel(this.clock, "");
    const caption = make("p", { class: "caption" }, make("span", { class: "caption-name" }),
      make("span", { class: "code caption-what" }), make("span", { class: "caption-end" }));
    return { tunnel, caption, element: make("div", { class: "tunnel-row" }, caption, tunnel.element) };
  }

  #name(entry, index, stages) {
    const { expression } = entry.stage, name = cut(entry.stage.name, 100), [first, what, end] = entry.caption.children;
    const isAfter = entry.stage.inputs === undefined ? index > 0 : entry.stage.inputs.length > 0;
    first.textContent = isAfter ? `after ${name}` : name;
    what.textContent = expression ? cut(expression, 120) : "";
    end.textContent = index === stages.length - 1 && index ? "output" : "";
    // The text of the card above is not repeated.
    const isOwn = index ? /^operators\[\d+\]\.[^.[]+$/.test(entry.stage.path ?? "")
      : stages.filter(({ path }) => operatorIndex(path) === undefined).length === 1;
    first.hidden = what.hidden = isOwn;
    entry.caption.hidden = isOwn && !end.textContent;
    entry.tunnel.label = `Values ${isAfter ? "after" : "of"} ${name}${expression ? ` ${cut(expression, 120)}` : ""} along time, the newest at the left`;
    entry.tunnel.element.dataset.stage = index;
  }

  /** Returns the operators of the edited document with their tunnels: `{ index, element }`; the source has no index. */
  places(list, plan) {
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
