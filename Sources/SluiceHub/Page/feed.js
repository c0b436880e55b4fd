// The live events of the hub: one connection for the whole page.
import { parse } from "./value.js";

const names = ["run", "value", "reported", "completed", "failed", "gap", "changed", "removed", "stack",
  "stackRemoved", "members", "slow"];

/**
 * Calls `listener[name](data, at)` for each event, `at` on the clock of `performance.now`; `listener.opened()` when
 * all events are about to be sent again, and `listener.lost()` when the connection breaks. If `opened` returns a
 * promise, the events wait until it is settled.
 *
 * Values are sent for one stream. Each new connection begins with the whole run, so nothing is kept from the previous one.
 */
export class Feed {
  #listener; #source; #shown; #asleep = false; #losses = 0; #retry;

  constructor(listener) { this.#listener = listener; }

  get isOpen() { return this.#source !== undefined; }
  get isConnecting() { return this.#source?.readyState === EventSource.CONNECTING; }

  /** Subscribes to the values of this stream; to none without an id. */
  show(id) {
    if (id === this.#shown && this.isOpen) return;
    this.#shown = id;
    if (!this.#asleep) this.#open();
  }

  /** `isAnew`: starts with all events. */
  wake(isAnew = false) {
    this.#asleep = false;
    if (!isAnew && this.isOpen) return;
    // The first reconnection is immediate; a hub with too many subscribers is asked less often.
    const wait = this.#losses > 1 ? Math.min(15, this.#losses ** 2 / 4) : 0;
    clearTimeout(this.#retry);
    if (wait) this.#retry = setTimeout(() => { if (!this.#asleep) this.#open(); }, wait * 1000);
    else this.#open();
  }

  sleep() {
    this.#asleep = true;
    this.#close();
  }

  #open() {
    this.#close();
    const source = this.#source = new EventSource(`/events?values=${encodeURIComponent(this.#shown ?? "")}`);
    const tell = (name, data, at) => { if (source === this.#source) this.#listener[name]?.(data, at); };
    let waiting;
    source.onopen = () => {
      if (source !== this.#source) return;
      this.#losses = 0;
      const ready = this.#listener.opened();
      if (!ready) return;
      waiting = [];
      ready.finally(() => {
        const events = waiting;
        waiting = undefined;
        for (const event of events) tell(...event);
      });
    };
    for (const name of names) {
      source.addEventListener(name, (event) => {
        if (source !== this.#source) return;
        if (name === "slow") return this.#lose();
        const one = [name, parse(event.data), event.timeStamp];
        if (waiting) waiting.push(one); else tell(...one);
      });
    }
    source.onerror = () => { if (source === this.#source) this.#lose(); };
  }

  #lose() {
    this.#losses++;
    this.#close();
    this.#listener.lost();
  }

  #close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
  }
}
