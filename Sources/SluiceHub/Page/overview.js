// The figures of all streams: the hub is asked for them while somebody sees them, and two answers give the rates.
import { hub } from "./hub.js";
import { Watch } from "./watch.js";
import { language, overview as texts } from "./texts.js";

/** The time after which the rates of a stream are those of new answers alone, in seconds. */
const longest = 15;

export class Overview {
  #streams = new Map(); #before; #watch; #listeners = new Set(); #key = "";
  /** The number of streams that the hub left out, and that of subscribers. */
  others = 0;
  subscribers = 0;
  /** The role of this page and the name of its token, and the names of the secrets that documents may use. */
  role; name; hasSession = false; hasWorkers = false; secrets = [];

  /** `lost()`: the hub does not answer. */
  constructor(lost) {
    this.#watch = new Watch(async () => {
      try {
        return this.#take(await hub.overview());
      } catch (error) {
        if (!error.status) lost();
        return false;
      }
    });
  }

  /** Calls `action()` after each answer, until what this returns is called. */
  listen(action) {
    this.#listeners.add(action);
    this.#watch.start();
    this.#watch.soon(true);
    return () => {
      this.#listeners.delete(action);
      if (!this.#listeners.size) this.#watch.stop();
    };
  }

  /** Asks soon, since something has changed. */
  soon() { this.#watch.soon(); }

  /** Returns the figures of a stream, with `rate`, its outputs a second, and `share`, the part of a processor that it takes. */
  figures(id) { return this.#streams.get(id); }
  get all() { return [...this.#streams.values()]; }

  #take({ time, streams, others, subscribers, role, name, hasSession, hasWorkers, secrets = [] }) {
    const before = this.#before, passed = before && time - before.time;
    const isUsable = passed > 0 && passed < longest;
    this.#before = { time, streams: new Map(streams.map((one) => [one.id, one])) };
    this.#streams = new Map(streams.map((one) => {
      const old = isUsable ? before.streams.get(one.id) : undefined;
      const per = (key) => old?.[key] === undefined || one[key] === undefined ? undefined : Math.max(0, (one[key] - old[key]) / passed);
      return [one.id, { ...one, rate: per("out"), inRate: per("in"), share: per("work") }];
    }));
    Object.assign(this, { others, subscribers, role, name, hasSession, hasWorkers, secrets });
    for (const action of this.#listeners) action();
    const key = JSON.stringify(streams);
    const isChanged = key !== this.#key;
    this.#key = key;
    return isChanged;
  }
}

/** Returns a rate in words; empty where it is 0 or unknown. */
export function rateText(rate) {
  if (!(rate > 0.005)) return "";
  return texts.sOf(rate < 10 ? Math.round(rate * 10) / 10 || "<0.1" : Math.round(rate).toLocaleString(language));
}
