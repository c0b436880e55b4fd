// The time of a run, shared by its tunnels, and the frames in which they are drawn.

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

// One frame loop for all that moves; it runs only while something does.
const moving = new Set();
let frame = 0;
function step(now) {
  frame = 0;
  for (const part of moving) if (!part.draw(now)) moving.delete(part);
  if (moving.size) frame = requestAnimationFrame(step);
}

/** Draws `part` in the next frame, and in those after it as long as its `draw(now)` says so. */
export function move(part) {
  moving.add(part);
  frame ||= requestAnimationFrame(step);
}

/** The time of a run: it advances at the run's speed, is paused, or has ended. */
export class Clock {
  #time = 0; #at = 0; #speed = 1; #flows = false; #end; #readers = new Set();
  /** The seconds for which the picture moves on after the end, so that the end mark comes to rest in sight. */
  rest = 0.4;
  /** The factor by which a second is drawn longer than usual. */
  zoom = 1;

  get speed() { return this.#speed; }
  get end() { return this.#end; }
  get flows() { return this.#flows && this.#end === undefined; }

  /** `draw(now)` of a reader is called while time flows, and when it has been set. */
  join(reader) { this.#readers.add(reader); move(reader); }
  leave(reader) { this.#readers.delete(reader); }

  /** The run was at `time` at the moment `at` of `performance.now`. */
  set({ time, speed = 1, state }, at) {
    this.#flows = ["running", "completed", "failed"].includes(state);
    this.#end = state === "completed" || state === "failed" ? time : undefined;
    this.#time = time;
    this.#at = at;
    this.#speed = speed;
    this.changed();
  }

  /** The run that has come to its end did so at this time. */
  finish(time) {
    this.#time = this.#end = time;
    this.changed();
  }

  /** Stops at a time. */
  stand(time) {
    this.#flows = false;
    this.#end = undefined;
    this.#time = time;
    this.changed();
  }

  /** Stops because the state of the run is unknown. */
  hold() {
    if (this.#flows && this.#end === undefined) this.stand(this.time(performance.now()));
  }

  changed() { this.#readers.forEach(move); }

  /** The time in seconds; `isDrawn`: as the picture shows it, which runs on after the end a little. */
  time(now, isDrawn = false) {
    if (!this.#flows) return this.#time;
    const after = Math.max(0, (now - this.#at) / 1000 * this.#speed);
    if (this.#end === undefined) {
      const time = this.#time + after;
      return isDrawn && calm.matches ? Math.floor(time) + this.rest : time;      // once a second, and no gliding
    }
    if (!isDrawn) return this.#end;
    if (calm.matches) return this.#end + this.rest;
    const glide = Math.min((now - this.#at) / 1000, 2 * this.rest);               // slows down evenly until it rests
    return this.#end + glide - glide * glide / (4 * this.rest);
  }

  isMoving(now) {
    if (!this.#flows) return false;
    return this.#end === undefined || (now - this.#at) / 1000 < 2 * this.rest;
  }
}
