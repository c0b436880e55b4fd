// A tunnel: the values of one stage lie along a real time axis.
//
// Everything of a run lies still on one belt, a value of time t at t × scale (at -t × scale where the newest is at the
// left), and only the belt moves: one transform a frame. The water is the stage's life, from its start to its end.
// Values that come too fast for balls are drawn on a canvas.
import { calm, move } from "./clock.js";
import { Counts, drawDensity } from "./density.js";
import { button, make } from "./dom.js";
import { cut, paint, seconds, whole } from "./value.js";
import { language, tunnel as texts } from "./texts.js";

const mostMarks = 3000;
const mostBalls = 240;
const mostLanes = 4;
/** The marks that are dropped at once. */
const dropped = 500;
/** The number of values of a window of two seconds from which on they are bars. */
const leastDense = 40;
/** The time between two decisions for balls or bars, in milliseconds. */
const rhythm = 200;
const spacings = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

export class Tunnel {
  #clock; #isColored; #scenes; #scene; #water; #flood; #belt;     // a scene holds one run
  #width = 0; #height = 0; #scale = 60; #diameter = 48; #origin = 0;   // pixels; #scale, pixels a second
  #base = 0; #end; #marks = []; #balls = new Map(); #ticks = new Map(); #lanes = []; #observer; #sight; #isSeen = true;
  #counts = new Counts(); #isDense = false; #canvas; #rate; #samples = []; #decided = 0; #label; #isReversed = false;

  /** `isColored`: balls have the colors of their origins; `press(mark)`: a person wants to see a value, or with none all. */
  constructor(clock, label, { isColored = false, press = () => {} } = {}) {
    this.#clock = clock;
    this.#isColored = isColored;
    this.#label = label;
    this.#scenes = make("div", { class: "scenes", dataset: { axis: "" } });
    this.#canvas = make("canvas", { class: "density", hidden: true, "aria-hidden": "true" });
    this.#rate = make("p", { class: "rate", hidden: true });
    this.#peek = button({ text: texts.values, kind: "peek" }, () => press());
    this.element = make("div", { class: "tunnel", role: "group", "aria-label": label }, this.#scenes, this.#canvas,
      make("div", { class: "glass" }), make("div", { class: "gate" }, make("div", { class: "plate" })), this.#rate, this.#peek);
    this.element.classList.toggle("colored", isColored);
    this.#newScene();
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this.element);      // what is within is not laid out while it is out of sight
    // Draw a tunnel only while it is in view.
    this.#sight = new IntersectionObserver(([...entries]) => {
      this.#isSeen = entries.at(-1).isIntersecting;
      if (this.#isSeen) move(this);
    }, { rootMargin: "80px" });
    this.#sight.observe(this.element);
    this.#scenes.addEventListener("click", (event) => {
      const ball = event.target.closest(".ball");
      const mark = [...this.#balls].find(([, element]) => element === ball)?.[0];
      if (mark) press(mark);
    });
    this.#canvas.addEventListener("click", (event) => {
      const x = event.offsetX, near = this.#samples.reduce((best, one) =>
        Math.abs(one.left - x) < Math.abs((best?.left ?? Infinity) - x) ? one : best, undefined);
      press(near?.mark);
    });
    clock.join(this);
  }
  #peek;

  /** The values that are kept, the oldest first. */
  get marks() { return this.#marks; }
  /** True while the values are bars and samples. */
  get isDense() { return this.#isDense; }

  set label(text) {
    this.#label = text;
    this.#name();
  }

  #name() {
    this.element.setAttribute("aria-label", this.#isDense ? `${this.#label}; ${this.#rate.textContent}` : this.#label);
  }
  /** The name of the stage, for the button that shows its values. */
  set stage(name) { this.#peek.setAttribute("aria-label", texts.valuesAsATable(name)); }
  set isColored(value) {
    if (this.#isColored === value) return;
    this.#isColored = value;
    this.element.classList.toggle("colored", value);
    this.#forget();
  }

  close() {
    this.#clock.leave(this);
    this.#observer.disconnect();
    this.#sight.disconnect();
  }

  /** A run begins: the tunnel is empty. `fades`: the values of the run before do not vanish at once. */
  begin(fades = true) {
    this.#leaveScene(fades);
    this.#marks = []; this.#lanes = [];
    this.#counts = new Counts();
    this.#dense(false);
    this.#balls.clear(); this.#ticks.clear();
    this.#end = undefined;
    this.element.style.removeProperty("--lanes");
    this.#newScene();
    move(this);
  }

  /** A value, or with `reported` an error at which a value was left out. */
  add({ time, value, origins, reported }) {
    const mark = { time, value, origins, reported, lane: this.#isDense ? 0 : this.#lane(time) };
    this.#marks.push(mark);
    this.#counts.add(mark);
    if (this.#marks.length > mostMarks) this.#marks.splice(0, dropped);
    move(this);
  }

  /** The stage's end; `mark` is "completed" or "failed". */
  end(time, mark, text) {
    this.#belt.querySelector(".mark")?.remove();
    this.#end = time;
    const label = texts.atOf(text, seconds(time));
    const element = make("div", { class: "mark", dataset: { mark, time }, role: "img", "aria-label": label,
      title: cut(label, 400) });
    this.#belt.append(element);
    this.#place(element, time);
    move(this);
  }

  /** Draws the picture of this moment; false when nothing moves any more. */
  draw(now) {
    // Out of sight nothing moves: the balls are there, for screen readers, and bars are drawn when they are seen.
    if (!this.#isSeen && this.#isDense) return false;
    if (!this.#width) return this.#clock.isMoving(now);
    this.#zoom();
    const time = this.#clock.time(now, true), start = this.#clock.start(now), scale = this.#scale;
    const isReversed = this.#isReversed, near = isReversed ? time : start;
    if (Math.abs(near - this.#base) > 1000) this.#rebase(near);
    this.#belt.style.transform = `translateX(${isReversed ? (time - this.#base) * scale : (this.#base - start) * scale + this.#origin}px)`;
    const isOver = this.#end !== undefined && time >= this.#end;
    this.element.dataset.gate = !isOver && this.#clock.flows ? "open" : "shut";
    const wide = this.#width + this.#diameter;
    const left = !isReversed ? -this.#diameter : isOver ? Math.min((time - this.#end) * scale, this.#width) : -this.#diameter;
    const front = isReversed ? Math.min(time * scale, wide) : Math.max(0, Math.min((Math.min(time, this.#end ?? time) - start) * scale + (time > 0 ? this.#origin : 0), wide));
    this.#water.style.transform = `translateX(${left}px)`;
    this.#flood.style.transform = `translateX(${front - wide - left}px)`;
    const from = isReversed ? time - wide / scale : start - (this.#origin + this.#diameter) / scale;
    const to = isReversed ? time + this.#diameter / 2 / scale : Math.min(time, start + (this.#width - this.#origin + this.#diameter) / scale);
    this.#decide(now, time, from, to);
    if (this.#isDense) this.#drawBars(time, start, from, to);
    else this.#drawBalls(from, to);
    this.#drawTicks(time, start);
    return this.#clock.isMoving(now) && (this.#isSeen || this.#marks.at(-1)?.time > to);
  }

  #measure() {
    this.#width = this.#scenes.clientWidth;
    this.#height = this.#scenes.clientHeight;
    const style = getComputedStyle(this.element);
    this.#diameter = parseFloat(style.getPropertyValue("--ball")) || 48;
    this.#origin = (parseFloat(style.getPropertyValue("--origin")) || 50) - (parseFloat(style.getPropertyValue("--gate")) || 26);
    this.#rail = parseFloat(style.getPropertyValue("--rail-height")) || 30;
    this.#clock.fit(this.#width - this.#origin - this.#diameter / 2, this.#width, this.#diameter);
    this.#scale = 0;
    move(this);
  }
  #rail = 30;

  #zoom() {
    const scale = this.#clock.scale, { isReversed } = this.#clock;
    if (scale === this.#scale && isReversed === this.#isReversed) return;
    this.#scale = scale;
    this.#isReversed = isReversed;
    this.element.classList.toggle("reversed", isReversed);
    this.element.dataset.scale = scale;
    this.#lanes = [];
    this.element.style.removeProperty("--lanes");
    if (!this.#isDense) for (const mark of this.#marks) mark.lane = this.#lane(mark.time);
    this.#forget();
    this.#ticks.forEach((element) => element.remove());
    this.#ticks.clear();
    this.#rebase(isReversed ? this.#clock.time(performance.now(), true) : this.#clock.start(performance.now()));
    this.#decided = 0;
  }

  // Balls where there is room for them, else bars. What is changed back changes later than what is changed.
  #decide(now, time, from, to) {
    if (now - this.#decided < rhythm && this.#decided <= now) return;
    this.#decided = now;
    const room = mostLanes * this.#scale / (this.#diameter * 0.6) * 1.25;       // balls in a second
    const end = Math.min(time, this.#end ?? time, to), rate = this.#counts.rate(end);
    const most = this.#isDense ? Math.max(rate, this.#counts.within(from, to) / Math.max(1, end - Math.max(0, from))) : rate;
    const isCrowded = this.#isDense ? most > room * 0.6 : rate > room && this.#counts.within(from, to) > leastDense;
    if (isCrowded !== this.#isDense) this.#dense(isCrowded);
    if (!this.#isDense) return;
    const shown = this.#clock.flows ? rate : most;
    const words = texts.valuesASecondASampleOf(Math.round(shown < 100 ? shown : Math.round(shown / 10) * 10).toLocaleString(language));
    if (this.#rate.textContent === words) return;
    this.#rate.textContent = words;
    this.#name();
  }

  #dense(isOn) {
    if (this.#isDense === isOn) return;
    this.#isDense = isOn;
    this.#canvas.hidden = this.#rate.hidden = !isOn;
    this.element.classList.toggle("dense", isOn);
    this.#samples = [];
    if (isOn) this.element.style.removeProperty("--lanes");
    else {
      this.#lanes = [];
      for (const mark of this.#marks) mark.lane = this.#lane(mark.time);
    }
    this.#forget();
    this.#name();
  }

  #drawBars(time, start, from, to) {
    const scale = this.#scale, isReversed = this.#isReversed;
    this.#samples = drawDensity(this.#canvas, this.#counts, {
      width: this.#width, height: this.#scenes.clientHeight - this.#rail, from, to, scale, diameter: this.#diameter - 8,
      isColored: this.#isColored, isReversed,
      x: isReversed ? (at) => (time - at) * scale : (at) => (at - start) * scale + this.#origin,
    });
  }

  #newScene() {
    this.#water = make("div", { class: "water" }, this.#flood = make("div", { class: "flood" }));
    this.#belt = make("div", { class: "belt" });
    this.#scenes.append(this.#scene = make("div", { class: "scene" }, this.#water, this.#belt));
  }

  // The picture of the run before fades; it is no longer part of what the tunnel says.
  #leaveScene(fades) {
    const old = this.#scene;
    if (!fades || calm.matches || document.hidden || !this.#marks.length) return old.remove();
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
    element.style.transform = `translate(${(time - this.#base) * (this.#isReversed ? -this.#scale : this.#scale)}px, calc(var(--pitch) * ${-(element.dataset.lane ?? 0)}))`;
  }

  #forget() {
    this.#balls.forEach((element) => element.remove());
    this.#balls.clear();
    move(this);
  }

  // The balls of what the tunnel shows.
  #drawBalls(oldest, newest) {
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
    const all = reported === undefined ? whole(value) : texts.leftOut(reported),
      from = element.dataset.from ? texts.ofOf(element.dataset.from) : "";
    element.setAttribute("aria-label", texts.atOf2(cut(all, 200), seconds(time), from));
    element.title = texts.atOf2(cut(all, 400), seconds(time), from);
    if (lane) element.dataset.lane = lane;
    this.#place(element, time);
    return element;
  }

  // Balls that would hide each other stack.
  #lane(time) {
    const room = this.#diameter * 0.6 / (this.#scale || this.#clock.scale || 60);
    let lane = this.#lanes.findIndex((last) => Math.abs(time - last) >= room);
    if (lane < 0) lane = this.#lanes.length < mostLanes ? this.#lanes.length
      : this.#lanes.indexOf(Math.min(...this.#lanes));
    this.#lanes[lane] = time;
    const lanes = Number(this.element.style.getPropertyValue("--lanes") || 1);
    if (lane + 1 > lanes) this.element.style.setProperty("--lanes", lane + 1);
    return lane;
  }

  #drawTicks(time, start) {
    const space = spacings.find((seconds) => seconds * this.#scale >= 36) ?? 7200;
    const from = this.#isReversed ? time - (this.#width + 30) / this.#scale : start - this.#origin / this.#scale;
    const first = Math.max(0, Math.ceil(from / space));
    const last = !this.#isReversed ? Math.floor((start + (this.#width + 30) / this.#scale) / space)
      : time > 0 || this.#clock.flows ? Math.floor((time + 0.001) / space) : -1;
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
