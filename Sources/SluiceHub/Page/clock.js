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

const directionKey = "sluice direction";
function isStoredReversed() { try { return localStorage.getItem(directionKey) === "reversed"; } catch { return false; } }

/** The seconds that the axis has at least, and those that it has at most for the sake of what is drawn of a run. */
const shortestFit = 6, longestFit = 30;

/** The time of a run: it advances at the run's speed, is paused, or has ended. */
export class Clock {
  #time = 0; #at = 0; #speed = 1; #flows = false; #end; #readers = new Set();
  #zoom = 1; #room = 900; #wide = 900; #diameter = 44; #itemsEnd; #pictureEnd = 0; #scrolled; #pinned; #isReversed = isStoredReversed();
  /** The seconds for which the picture moves on after the end, so that the end mark comes to rest in sight. */
  get rest() { return (this.#diameter / 2 + 18) / this.scale; }

  // MARK: The axis that the items and all tunnels of a stream share

  /** The factor by which a second is drawn longer than usual. */
  get zoom() { return this.#zoom; }
  set zoom(value) {
    // Zoom around the middle of the view.
    const middle = this.start(performance.now()) + this.seen / 2;
    const { usual, fitting } = this;
    this.#zoom = Math.min(usual * 8 / fitting, Math.max(Math.min(1, usual * 0.05 / fitting), value));
    if (this.#scrolled !== undefined || !this.#flows) this.#scrolled = Math.max(0, Math.min(middle, this.last) - this.seen / 2);
    this.changed();
  }

  /** True where the newest value is at the left, as in the seed. */
  get isReversed() { return this.#isReversed; }
  set isReversed(value) {
    this.#isReversed = value;
    try { if (value) localStorage.setItem(directionKey, "reversed"); else localStorage.removeItem(directionKey); } catch { /* a browser that keeps nothing */ }
    this.changed();
  }

  /** The tunnels have so much room from time 0 to their right edge, in pixels, are so wide, and have balls of this size. */
  fit(room, wide, diameter) {
    if (room <= 0 || (room === this.#room && wide === this.#wide && diameter === this.#diameter)) return;
    [this.#room, this.#wide, this.#diameter] = [room, wide, diameter];
    this.changed();
  }

  /** The time at which the items of the source end; `undefined` for a source without items. */
  get itemsEnd() { return this.#itemsEnd; }
  set itemsEnd(value) {
    if (value === this.#itemsEnd || this.#pinned !== undefined) return;
    this.#itemsEnd = value;
    this.changed();
  }

  /** The time at which what is drawn of a virtual run ends. */
  get pictureEnd() { return this.#pictureEnd; }
  set pictureEnd(value) {
    if (value === this.#pictureEnd) return;
    this.#pictureEnd = value;
    this.changed();
  }

  /** The pixels of a second. */
  get scale() {
    if (this.#pinned) return this.#pinned.scale;
    return this.fitting * this.#zoom;
  }

  /** The pixels of a second where there are no items. */
  get usual() { return Math.round(Math.min(104, Math.max(36, this.#wide / 9))); }

  /** The pixels of a second without a zoom: all items are in sight, and what is drawn of a run if it is not too long. */
  get fitting() {
    if (this.#isReversed || this.#itemsEnd === undefined) return this.usual;
    const drawn = Math.min(longestFit, Math.ceil(this.#pictureEnd * 1.1 + 0.5));
    return this.#room / Math.max(shortestFit, Math.ceil(this.#itemsEnd * 1.12 + 1), drawn);
  }

  /** The seconds that are in sight. */
  get seen() { return this.#room / this.scale; }
  /** The last time that there is something to see of. */
  get last() { return Math.max(this.#itemsEnd ?? 0, this.#pictureEnd, this.#time); }

  /** The time at the left edge. */
  start(now) {
    if (this.#isReversed) return 0;
    if (this.#pinned) return this.#pinned.start;
    if (this.#scrolled !== undefined) return this.#scrolled;
    const time = this.time(now, true);
    // A moment after all that happens leaves that in sight.
    const shown = this.#flows ? time : Math.min(time, Math.max(this.#itemsEnd ?? 0, this.#pictureEnd) + this.rest);
    return Math.max(0, shown - this.seen * 0.92);
  }

  /** Shows times from here on; where the run is in sight again, it is followed again. */
  scroll(start) {
    if (this.#isReversed) return;
    const time = this.time(performance.now(), true);
    this.#scrolled = Math.max(0, Math.min(start, Math.max(this.last, time) - this.seen * 0.5));
    if (this.#flows && this.#scrolled >= time - this.seen * 0.92) this.#scrolled = undefined;
    this.changed();
  }

  /** Keeps the axis where it is while a person drags something on it. */
  set isPinned(value) {
    if (value === (this.#pinned !== undefined)) return;
    this.#pinned = value ? { scale: this.scale, start: this.start(performance.now()) } : undefined;
    if (!value) this.changed();
  }

  get speed() { return this.#speed; }
  get end() { return this.#end; }
  get flows() { return this.#flows && this.#end === undefined; }

  /** `draw(now)` of a reader is called while time flows, and when it has been set. */
  join(reader) { this.#readers.add(reader); move(reader); }
  leave(reader) { this.#readers.delete(reader); }

  /** The run was at `time` at the moment `at` of `performance.now`. */
  set({ time, speed = 1, state }, at) {
    const flowed = this.flows;
    this.#flows = ["running", "completed", "failed"].includes(state);
    if (this.#flows && !flowed && state === "running") this.#scrolled = undefined;
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
