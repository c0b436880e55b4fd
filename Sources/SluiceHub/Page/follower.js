// An app that follows a stream, within the page: a member of a group, as `sluice follow` is one.
//
// It reads the events of the group and reports to the hub like any member, and has a run of its own. The hub computes what
// a revision emits; the time at which the values come is this page's.
import { hub } from "./hub.js";
import { json, parse } from "./value.js";

/** The interval of reports, in milliseconds. */
const reportEvery = 10_000;
/** The wait before the group is subscribed to again where the hub has refused it, in milliseconds. */
const patience = 3000;
/** The number of lines that are kept. */
const mostLines = 200;
/** The time up to which a run is computed at first, in seconds. */
const firstReach = 30;

export class Follower {
  #listener; #source; #timer; #reports; #retry; #known; #run; #number = 0; #ask = 0;
  /** The lines that were printed: objects as `sluice follow` prints them. */
  lines = [];
  /** The reason why the hub does not know this member, if it doesn't. */
  trouble = "";

  /** `stream`: the id of the stream of the group that it runs. `listener`: `printed(line)`, `changed()`. */
  constructor({ group, stream, listener }) {
    Object.assign(this, { group, stream, name: hub.author });
    this.#listener = listener;
  }

  set listener(value) { this.#listener = value; }
  get isStarted() { return this.#source !== undefined; }
  get revision() { return this.#known?.revision; }

  start() {
    if (this.isStarted) return;
    const source = this.#source = new EventSource(hub.groupEvents(this.group));
    const hear = (name, act) => source.addEventListener(name, (event) => { if (source === this.#source) act(parse(event.data)); });
    hear("set", ({ documents }) => {
      const mine = documents.find(({ id, isReference }) => id === this.stream && !isReference);
      if (mine) this.#take(mine); else this.#drop();
    });
    hear("put", (document) => { if (document.id === this.stream && !document.isReference) this.#take(document); });
    hear("remove", ({ id }) => { if (id === this.stream) this.#drop(); });
    // A connection that breaks is opened again by the browser, with the number of the last event.
    source.onerror = () => {
      if (source !== this.#source || source.readyState !== EventSource.CLOSED) return;
      this.#close();
      this.#retry = setTimeout(() => this.start(), patience);
    };
    this.#reports = setInterval(() => this.#report(), reportEvery);
    if (this.#run) this.#wait();
  }

  /** Leaves the group. */
  stop() {
    clearTimeout(this.#retry);
    if (!this.isStarted) return;
    this.#close();
    clearTimeout(this.#timer);
    hub.leaveGroup(this.group, this.name).catch(() => {});
  }

  #close() {
    this.#source?.close();
    this.#source = undefined;
    clearInterval(this.#reports);
  }

  // MARK: Documents

  #take(document) {
    const { revision, text } = document, before = this.#known;
    if (before && before.text === text && before.revision === revision) return;
    this.#known = document;
    return this.#begin(before !== undefined && this.#run !== undefined && !this.#run.end);
  }

  #drop() {
    if (!this.#known) return;
    this.#known = this.#run = undefined;
    this.#ask++;
    clearTimeout(this.#timer);
    this.#print({ removed: true }, false);
    this.#report();
  }

  // MARK: The run

  /** A new run begins with the document, or the one that goes on takes it, between two items. */
  async #begin(isEdit) {
    const ask = ++this.#ask, { text, revision, name } = this.#known;
    let marks;
    try {
      marks = await this.#marks(text, isEdit ? this.#run.reach : firstReach);
    } catch (error) {
      if (ask !== this.#ask) return;
      this.#print({ taken: false, errors: (error.problem?.errors ?? [error]).map(({ message }) => message) });
      return this.#report();
    }
    if (ask !== this.#ask) return;
    if (isEdit && this.#run && !this.#run.end) {
      this.#edit(marks);
      this.#print({ taken: "edited" });
    } else {
      this.#number++;
      this.#run = { number: this.#number, start: performance.now(), marks, next: 0, shift: 0, last: 0, reach: firstReach };
      this.#print({ taken: "started", name: name || undefined });
    }
    this.#run.revision = revision;
    this.#report();
    this.#wait();
  }

  // An armed timer moves to the later of now and the time at which it was armed, and the new delay.
  #edit(marks) {
    const run = this.#run, { next, last } = run;
    run.marks = marks;
    if (next >= marks.length) return;
    const delay = marks[next].time - (next ? marks[next - 1].time : 0);
    run.shift = Math.max(this.#time, last + delay) - marks[next].time;
  }

  async #marks(text, until) {
    const { rows } = await hub.picture(text, until);
    return rows.at(-1)?.marks ?? [];
  }

  get #time() { return (performance.now() - this.#run.start) / 1000; }

  #wait() {
    clearTimeout(this.#timer);
    const run = this.#run;
    if (!run || run.end || !this.isStarted) return;
    const mark = run.marks[run.next];
    const due = mark ? mark.time + run.shift : run.reach;
    this.#timer = setTimeout(() => { if (mark) this.#emit(); else this.#extend(); }, Math.max(0, (due - this.#time) * 1000));
  }

  #emit() {
    const run = this.#run;
    for (let mark; (mark = run.marks[run.next]) && mark.time + run.shift <= this.#time + 0.002;) {
      const time = Math.round((mark.time + run.shift) * 1e6) / 1e6;
      run.next++;
      run.last = time;
      const what = mark.completed ? { completed: true } : mark.error !== undefined ? { error: mark.error }
        : mark.reported !== undefined ? { reported: mark.reported } : { value: mark.value };
      if (mark.completed || mark.error !== undefined) run.end = mark.completed ? "completed" : "failed";
      this.#print({ run: run.number, sequence: mark.error === undefined ? run.next : undefined, time, ...what });
    }
    if (run.end) this.#report();
    this.#wait();
  }

  async #extend() {
    const run = this.#run, ask = this.#ask;
    run.reach *= 2;
    try {
      const marks = await this.#marks(this.#known.text, run.reach);
      if (ask === this.#ask && run === this.#run) run.marks = marks;
    } catch { /* the next attempt may work */ }
    this.#wait();
  }

  // MARK: What others see

  #print(what, hasRevision = true) {
    const line = { stream: this.stream, ...hasRevision ? { revision: this.#known.revision } : {}, ...what };
    for (const key of Object.keys(line)) if (line[key] === undefined) delete line[key];
    this.lines.push(line);
    if (this.lines.length > mostLines) this.lines.shift();
    this.#listener.printed(line);
  }

  async #report() {
    if (!this.isStarted) return;
    const run = this.#run, streams = run ? [{ id: this.stream, revision: run.revision, state: run.end ?? "running",
      time: run.end ? run.last : this.#time }] : [];
    let trouble = "";
    try {
      await hub.report(this.group, this.name, { name: this.name, streams });
    } catch (error) {
      trouble = error.message;
    }
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.#listener.changed();
  }
}

/** A line as it is printed, and the part of it that matters. */
export function lineParts(line) {
  const text = `{${Object.entries(line).map(([key, value]) => `"${key}": ${json(value)}`).join(", ")}}`;
  const at = Math.max(...["value", "completed", "error", "reported", "taken", "removed"]
    .filter((key) => key in line).map((key) => text.indexOf(`"${key}": `)), 0);
  return [text.slice(0, at), text.slice(at)];
}
