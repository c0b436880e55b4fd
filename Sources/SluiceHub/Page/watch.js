// Asking the hub again and again for what it sends no event about.

/** The least and the largest interval between two questions, in milliseconds. */
export const leastInterval = 1000, largestInterval = 5000;

/**
 * Calls `ask()` while the page is seen: a second after the last answer while `ask` resolves to true, since something has
 * changed, and more and more rarely while nothing changes. There is never more than one question at a time.
 */
export class Watch {
  #ask; #timer; #interval = leastInterval; #last = -Infinity; #isOn = false; #isAsking = false; #isWanted = false;
  #seen = () => { if (!document.hidden) this.soon(); };

  constructor(ask) { this.#ask = ask; }

  get isOn() { return this.#isOn; }

  start() {
    if (this.#isOn) return;
    this.#isOn = true;
    document.addEventListener("visibilitychange", this.#seen);
    this.soon();
  }

  stop() {
    this.#isOn = false;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#seen);
  }

  /** Asks as soon as the least interval allows; at once with `isNow`, after what a person did. */
  soon(isNow = false) {
    if (!this.#isOn) return;
    this.#interval = leastInterval;
    if (this.#isAsking) { this.#isWanted = true; return; }
    this.#schedule(isNow ? 0 : Math.max(0, this.#last + leastInterval - performance.now()));
  }

  #schedule(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), wait);
  }

  async #tick() {
    if (!this.#isOn || this.#isAsking || document.hidden) return;
    this.#isAsking = true;
    this.#isWanted = false;
    let isChanged = false;
    try { isChanged = await this.#ask(); } finally {
      this.#isAsking = false;
      this.#last = performance.now();
    }
    if (!this.#isOn) return;
    this.#interval = isChanged || this.#isWanted ? leastInterval : Math.min(largestInterval, this.#interval * 1.5);
    this.#schedule(this.#interval);
  }
}
