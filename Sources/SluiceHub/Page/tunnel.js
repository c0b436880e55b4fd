// A tunnel: values travel from the gate at the left along a real time axis.
//
// Everything of a run lies still on one belt, a value of time t at -t × scale, and only the belt
// moves: one transform a frame. The water is the run's life, from its start to its end.
import { characters, cut, kind, seconds, short, whole } from "./value.js";

const mostBalls = 240;
const mostLanes = 4;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// One frame loop for all tunnels; it runs only while something moves.
const moving = new Set();
let frame = 0;
function step(now) {
  frame = 0;
  for (const tunnel of moving) if (!tunnel.draw(now)) moving.delete(tunnel);
  if (moving.size) frame = requestAnimationFrame(step);
}
function move(tunnel) {
  moving.add(tunnel);
  frame ||= requestAnimationFrame(step);
}

function make(className, parent) {
  const element = document.createElement("div");
  element.className = className;
  parent?.append(element);
  return element;
}

export class Tunnel {
  #scenes; #scene; #water; #flood; #belt;       // elements; a scene holds one run
  #width = 0; #scale = 60; #diameter = 48;      // pixels, pixels a second, pixels
  #zero; #held; #end; #base = 0; #shown = 0;    // when time 0 was; the time at which the picture stands
  #balls = []; #pending = []; #ticks = new Map(); #lanes = [];

  constructor(id, label) {
    this.element = document.getElementById("tunnel").content.firstElementChild.cloneNode(true);
    this.element.dataset.stream = id;
    this.element.setAttribute("aria-label", label);
    this.#scenes = this.element.querySelector(".scenes");
    this.#newScene();
    new ResizeObserver(() => this.#measure()).observe(this.#scenes);
    calm.addEventListener("change", () => move(this));
  }

  /** A run starts, or is seen from its second `elapsed` on; `flows`: false shows the empty tunnel. */
  begin(elapsed, at, flows = true) {
    this.#leaveScene();
    this.#balls = []; this.#pending = []; this.#lanes = []; this.#ticks.clear();
    this.#end = this.#held = undefined;
    this.#zero = flows ? at - elapsed * 1000 : undefined;
    this.#base = Math.max(0, Math.floor(elapsed));
    this.element.dataset.gate = flows ? "open" : "shut";
    this.#newScene();
    move(this);
  }

  add(time, value) {
    this.#pending.push({ time, value });
    if (this.#pending.length > mostBalls) this.#pending.shift();
    move(this);
  }

  /** The run's end; `mark` is "completed" or "failed". */
  end(time, mark, text) {
    this.#drawPending(this.#time(performance.now()));     // the mark comes after all values
    this.#end = time;
    this.element.dataset.gate = "shut";
    const element = make("mark", this.#belt);
    element.dataset.mark = mark;
    element.dataset.time = time;
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", `${text} at ${seconds(time)}`);
    element.title = cut(`${text} at ${seconds(time)}`, 400);
    this.#place(element, time);
    move(this);
  }

  /** Stands still: nobody knows what happens now. */
  hold() {
    this.#held ??= this.#time(performance.now());
  }

  /** Draws the picture of this moment; false when nothing moves any more. */
  draw(now) {
    if (!this.#width) return false;
    const time = this.#time(now);
    this.#shown = time;
    if (time - this.#base > 1000) this.#rebase(time);
    this.#belt.style.transform = `translateX(${(time - this.#base) * this.#scale}px)`;
    const left = this.#end === undefined ? -this.#diameter : Math.min((time - this.#end) * this.#scale, this.#width);
    const front = Math.min(time * this.#scale, this.#width + this.#diameter);
    this.#water.style.transform = `translateX(${left}px)`;
    this.#flood.style.transform = `translateX(${front - this.#width - this.#diameter - left}px)`;
    this.#sweep(time);
    this.#drawTicks(time);
    this.#drawPending(time);
    return this.#held === undefined && this.#zero !== undefined
      && (this.#end === undefined || time < this.#end + this.#rest);
  }

  // How far, in seconds, the belt runs on after the end: the end mark comes to rest in sight.
  get #rest() { return (this.#diameter * 0.5 + 18) / this.#scale; }

  #time(now) {
    if (this.#held !== undefined) return this.#held;
    if (this.#zero === undefined) return 0;
    let time = Math.max(0, (now - this.#zero) / 1000);
    if (calm.matches) time = Math.floor(time) + this.#rest;          // once a second, and no gliding
    if (this.#end === undefined || time <= this.#end) return time;
    if (calm.matches) return this.#end + this.#rest;
    const after = Math.min(time - this.#end, 2 * this.#rest);        // slows down evenly until it rests
    return this.#end + after - after * after / (4 * this.#rest);
  }

  #measure() {
    this.#width = this.#scenes.clientWidth;
    this.#diameter = parseFloat(getComputedStyle(this.element).getPropertyValue("--ball")) || 48;
    this.#scale = Math.round(Math.min(104, Math.max(36, this.#width / 9)));
    this.element.dataset.scale = this.#scale;
    this.#rebase(this.#shown);
    move(this);
  }

  #newScene() {
    this.#scene = make("scene", this.#scenes);
    this.#water = make("water", this.#scene);
    this.#flood = make("flood", this.#water);
    this.#belt = make("belt", this.#scene);
  }

  // The picture of the run before fades; it is no longer part of what the tunnel says.
  #leaveScene() {
    const old = this.#scene;
    if (calm.matches || document.hidden) return old.remove();
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
    element.style.transform = `translate(${(this.#base - time) * this.#scale}px, ${-(element.dataset.lane ?? 0) * this.#diameter}px)`;
  }

  // Balls that have left the tunnel are removed.
  #sweep(time) {
    const oldest = time - (this.#width + this.#diameter) / this.#scale;
    while (this.#balls.length && (this.#balls[0].time < oldest || this.#balls.length > mostBalls)) this.#balls.shift().element.remove();
  }

  #drawPending(time) {
    const oldest = time - (this.#width + this.#diameter) / this.#scale;
    for (const { time: moment, value } of this.#pending.splice(0)) {
      if (moment < oldest) continue;
      const element = this.#ball(moment, value);
      this.#balls.push({ time: moment, element });
      this.#belt.append(element);
    }
  }

  #ball(time, value) {
    const element = make("ball");
    const text = short(value), all = whole(value);
    element.dataset.ball = "";
    element.dataset.time = time;
    element.dataset.kind = kind(value);
    element.dataset.length = Math.min(5, characters(text).length);
    element.textContent = text;
    element.dir = "auto";
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", `${cut(all, 200)} at ${seconds(time)}`);
    element.title = `${cut(all, 400)} at ${seconds(time)}`;
    const lane = this.#lane(time);
    if (lane) element.dataset.lane = lane;
    this.#place(element, time);
    return element;
  }

  // Balls that would hide each other stack.
  #lane(time) {
    const room = this.#diameter * 0.6 / this.#scale;
    let lane = this.#lanes.findIndex((last) => time - last >= room);
    if (lane < 0) lane = this.#lanes.length < mostLanes ? this.#lanes.length : this.#lanes.indexOf(Math.min(...this.#lanes));
    this.#lanes[lane] = time;
    const lanes = Number(this.element.style.getPropertyValue("--lanes") || 1);
    if (lane + 1 > lanes) this.element.style.setProperty("--lanes", lane + 1);
    return lane;
  }

  #drawTicks(time) {
    const first = Math.max(0, Math.ceil(time - (this.#width + 30) / this.#scale));
    const last = this.#zero === undefined ? -1 : Math.floor(Math.min(time, this.#end ?? Infinity));
    for (const [second, element] of this.#ticks) {
      if (second >= first && second <= last) continue;
      element.remove();
      this.#ticks.delete(second);
    }
    for (let second = first; second <= last; second++) {
      if (this.#ticks.has(second)) continue;
      const element = make("tick");
      element.dataset.tick = element.dataset.time = second;
      element.textContent = second ? seconds(second) : "0";
      element.setAttribute("aria-hidden", "true");
      this.#place(element, second);
      this.#ticks.set(second, element);
      this.#belt.prepend(element);
    }
  }
}
