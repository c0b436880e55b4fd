// A tunnel: the values of one stage travel from the gate at the left along a real time axis.
//
// Everything of a run lies still on one belt, a value of time t at -t × scale, and only the belt moves: one transform a
// frame. The water is the stage's life, from its start to its end.
import { calm, move } from "./clock.js";
import { make } from "./dom.js";
import { cut, paint, seconds, whole } from "./value.js";

const mostMarks = 3000;
const mostBalls = 240;
const mostLanes = 4;
const spacings = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

export class Tunnel {
  #clock; #isColored; #scenes; #scene; #water; #flood; #belt;     // a scene holds one run
  #width = 0; #scale = 60; #diameter = 48;                        // pixels, pixels a second, pixels
  #base = 0; #end; #marks = []; #balls = new Map(); #ticks = new Map(); #lanes = []; #observer;

  /** `isColored`: balls have the colors of their origins. */
  constructor(clock, label, { isColored = false } = {}) {
    this.#clock = clock;
    this.#isColored = isColored;
    this.#scenes = make("div", { class: "scenes", dataset: { axis: "" } });
    this.element = make("div", { class: "tunnel", role: "group", "aria-label": label }, this.#scenes,
      make("div", { class: "glass" }), make("div", { class: "gate" }, make("div", { class: "plate" })));
    this.element.classList.toggle("colored", isColored);
    this.#newScene();
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this.#scenes);
    clock.join(this);
  }

  set label(text) { this.element.setAttribute("aria-label", text); }
  set isColored(value) {
    if (this.#isColored === value) return;
    this.#isColored = value;
    this.element.classList.toggle("colored", value);
    this.#forget();
  }

  close() {
    this.#clock.leave(this);
    this.#observer.disconnect();
  }

  /** A run begins: the tunnel is empty. */
  begin() {
    this.#leaveScene();
    this.#marks = []; this.#lanes = [];
    this.#balls.clear(); this.#ticks.clear();
    this.#end = undefined;
    this.element.style.removeProperty("--lanes");
    this.#newScene();
    move(this);
  }

  /** A value, or with `reported` an error at which a value was left out. */
  add({ time, value, origins, reported }) {
    const mark = { time, value, origins, reported, lane: this.#lane(time) };
    this.#marks.push(mark);
    if (this.#marks.length > mostMarks) this.#marks.shift();
    move(this);
  }

  /** The stage's end; `mark` is "completed" or "failed". */
  end(time, mark, text) {
    this.#belt.querySelector(".mark")?.remove();
    this.#end = time;
    const label = `${text} at ${seconds(time)}`;
    const element = make("div", { class: "mark", dataset: { mark, time }, role: "img", "aria-label": label,
      title: cut(label, 400) });
    this.#belt.append(element);
    this.#place(element, time);
    move(this);
  }

  /** Draws the picture of this moment; false when nothing moves any more. */
  draw(now) {
    if (!this.#width) return this.#clock.isMoving(now);
    this.#zoom();
    const time = this.#clock.time(now, true);
    if (Math.abs(time - this.#base) > 1000) this.#rebase(time);
    this.#belt.style.transform = `translateX(${(time - this.#base) * this.#scale}px)`;
    const isOver = this.#end !== undefined && time >= this.#end;
    this.element.dataset.gate = !isOver && this.#clock.flows ? "open" : "shut";
    const left = isOver ? Math.min((time - this.#end) * this.#scale, this.#width) : -this.#diameter;
    const front = Math.min(time * this.#scale, this.#width + this.#diameter);
    this.#water.style.transform = `translateX(${left}px)`;
    this.#flood.style.transform = `translateX(${front - this.#width - this.#diameter - left}px)`;
    this.#drawBalls(time);
    this.#drawTicks(time);
    return this.#clock.isMoving(now);
  }

  #measure() {
    this.#width = this.#scenes.clientWidth;
    this.#diameter = parseFloat(getComputedStyle(this.element).getPropertyValue("--ball")) || 48;
    this.#scale = 0;
    move(this);
  }

  #zoom() {
    const scale = Math.round(Math.min(104, Math.max(36, this.#width / 9)) * this.#clock.zoom);
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.element.dataset.scale = scale;
    this.#clock.rest = (this.#diameter * 0.5 + 18) / scale;
    this.#lanes = [];
    for (const mark of this.#marks) mark.lane = this.#lane(mark.time);
    this.#forget();
    this.#ticks.forEach((element) => element.remove());
    this.#ticks.clear();
    this.#rebase(this.#clock.time(performance.now(), true));
  }

  #newScene() {
    this.#water = make("div", { class: "water" }, this.#flood = make("div", { class: "flood" }));
    this.#belt = make("div", { class: "belt" });
    this.#scenes.append(this.#scene = make("div", { class: "scene" }, this.#water, this.#belt));
  }

  // The picture of the run before fades; it is no longer part of what the tunnel says.
  #leaveScene() {
    const old = this.#scene;
    if (calm.matches || document.hidden || !this.#marks.length) return old.remove();
    old.classList.add("leaving");
    old.setAttribute("aria-hidden", "true");
    for (const element of this.#belt.children) {
      delete element.dataset.ball; delete element.dataset.tick;
      if (element.dataset.mark) { element.dataset.past = element.dataset.mark; delete element.dataset.mark; }
    }
    setTimeout(() => old.remove(), 450);
  }

  #rebase(time) {
    this.#base = Math.max(0, Math.floor(time));
    for (const element of this.#belt.children) this.#place(element, Number(element.dataset.time));
  }

  #place(element, time) {
    element.style.transform = `translate(${(this.#base - time) * this.#scale}px, calc(var(--pitch) * ${-(element.dataset.lane ?? 0)}))`;
  }

  #forget() {
    this.#balls.forEach((element) => element.remove());
    this.#balls.clear();
    move(this);
  }

  // The balls of what the tunnel shows; they come out from behind the gate.
  #drawBalls(time) {
    const oldest = time - (this.#width + this.#diameter) / this.#scale;
    const newest = time + this.#diameter / 2 / this.#scale;
    const seen = new Set();
    for (let index = this.#marks.length - 1; index >= 0 && seen.size < mostBalls; index--) {
      const mark = this.#marks[index];
      if (mark.time < oldest) break;
      if (mark.time <= newest) seen.add(mark);
    }
    for (const [mark, element] of this.#balls) {
      if (seen.has(mark)) continue;
      element.remove();
      this.#balls.delete(mark);
    }
    for (const mark of [...seen].reverse()) {
      if (this.#balls.has(mark)) continue;
      const element = this.#ball(mark);
      this.#balls.set(mark, element);
      this.#belt.append(element);
    }
  }

  #ball({ time, value, origins, lane, reported }) {
    const element = make("div", { class: "ball", dataset: { ball: "", time }, role: "img" });
    if (reported === undefined) paint(element, value, this.#isColored ? origins : undefined);
    else element.append(make("span", { text: "!" }));
    element.classList.toggle("reported", reported !== undefined);
    const all = reported === undefined ? whole(value) : `left out: ${reported}`,
      from = element.dataset.from ? `, of ${element.dataset.from}` : "";
    element.setAttribute("aria-label", `${cut(all, 200)} at ${seconds(time)}${from}`);
    element.title = `${cut(all, 400)} at ${seconds(time)}${from}`;
    if (lane) element.dataset.lane = lane;
    this.#place(element, time);
    return element;
  }

  // Balls that would hide each other stack.
  #lane(time) {
    const room = this.#diameter * 0.6 / (this.#scale || 60);
    let lane = this.#lanes.findIndex((last) => Math.abs(time - last) >= room);
    if (lane < 0) lane = this.#lanes.length < mostLanes ? this.#lanes.length
      : this.#lanes.indexOf(Math.min(...this.#lanes));
    this.#lanes[lane] = time;
    const lanes = Number(this.element.style.getPropertyValue("--lanes") || 1);
    if (lane + 1 > lanes) this.element.style.setProperty("--lanes", lane + 1);
    return lane;
  }

  #drawTicks(time) {
    const space = spacings.find((seconds) => seconds * this.#scale >= 36) ?? 7200;
    const first = Math.max(0, Math.ceil((time - (this.#width + 30) / this.#scale) / space));
    const last = time > 0 || this.#clock.flows ? Math.floor((time + 0.001) / space) : -1;
    for (const [tick, element] of this.#ticks) {
      if (tick >= first && tick <= last) continue;
      element.remove();
      this.#ticks.delete(tick);
    }
    for (let tick = first; tick <= last; tick++) {
      if (this.#ticks.has(tick)) continue;
      const second = Math.round(tick * space * 1000) / 1000;
      const element = make("div", {
        class: "tick", dataset: { tick: second, time: second }, text: second ? seconds(second) : "0",
          "aria-hidden": "true",
      });
      this.#place(element, second);
      this.#ticks.set(tick, element);
      this.#belt.prepend(element);
    }
  }
}
