// What the page and the hub say to each other: requests, and the live events of a stream.
import { parse } from "./value.js";

/** The hub does not answer. */
export class Away extends Error {}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Away("the hub does not answer");
  }
  if ([502, 503, 504].includes(response.status)) throw new Away(`the hub answers ${response.status}`);
  if (!response.ok) throw new Error(await reason(response));
  return response;
}

async function reason(response) {
  const text = await response.text().catch(() => "");
  try {
    const problem = JSON.parse(text);
    if (problem.detail || problem.title) return String(problem.detail ?? problem.title);
  } catch { /* not a problem document */ }
  return `the hub answers ${response.status}`;
}

const path = (id) => `/streams/${encodeURIComponent(id)}`;

export const hub = {
  streams: async () => parse(await (await ask("/streams")).text()),
  document: async (id) => parse(await (await ask(path(id))).text()),
  start: (id) => ask(`${path(id)}/start`, { method: "POST" }),
};

/**
 * The events of one stream. `listener` has `run`, `value`, `completed` and `failed`, each called
 * with the event's data and the moment it came (on the clock of `performance.now`), and `lost`.
 * Every opening is answered with the run as a whole, so nothing has to be remembered over a loss.
 */
export class Feed {
  #id; #listener; #source;

  constructor(id, listener) {
    this.#id = id;
    this.#listener = listener;
  }

  get isOpen() { return this.#source !== undefined; }

  open() {
    if (this.isOpen) return;
    const source = this.#source = new EventSource(`${path(this.#id)}/events`);
    for (const name of ["run", "value", "completed", "failed"]) {
      source.addEventListener(name, (event) => {
        if (source === this.#source) this.#listener[name](parse(event.data), event.timeStamp);
      });
    }
    source.onerror = () => {
      if (source !== this.#source) return;
      this.close();
      this.#listener.lost();
    };
  }

  close() {
    this.#source?.close();
    this.#source = undefined;
  }
}

/**
 * A browser opens six connections to a host and an open feed holds one, so a page has a few lines
 * only: a feed waits for one, a feed whose run has ended leaves its line to one that waits.
 */
export class Lines {
  #limit = 4; #open = []; #waiting = []; #asleep = false;

  /** Opens the feed as soon as there is a line; `now`: takes the line of the oldest. */
  want(feed, { now = false } = {}) {
    if (this.#open.includes(feed)) return this.#fill();
    this.#waiting = this.#waiting.filter((other) => other !== feed);
    if (now) this.#waiting.unshift(feed); else this.#waiting.push(feed);
    if (now && this.#open.length >= this.#limit) this.#open.shift().close();
    this.#fill();
  }

  /** The feed's run has ended: it keeps its line only while nobody waits. */
  yield(feed) {
    if (this.#waiting.length) this.drop(feed);
  }

  drop(feed) {
    feed.close();
    this.#open = this.#open.filter((other) => other !== feed);
    this.#waiting = this.#waiting.filter((other) => other !== feed);
    this.#fill();
  }

  sleep() {
    this.#asleep = true;
    this.#open.forEach((feed) => feed.close());
  }

  wake() {
    this.#asleep = false;
    this.#fill();
  }

  #fill() {
    if (this.#asleep) return;
    while (this.#waiting.length && this.#open.length < this.#limit) this.#open.push(this.#waiting.shift());
    this.#open.forEach((feed) => feed.open());
  }
}
