// A stream's card: name, state, what one can do with it, and its tunnels.
import { Away, Feed, hub } from "./feed.js";
import { Tunnel } from "./tunnel.js";
import { json, seconds, whole } from "./value.js";

let count = 0;
const words = { idle: "waiting", running: "playing", completed: "completed", failed: "failed" };

export class Card {
  #head; #lines; #page; #tunnel; #feed; #parts; #said = 0; #patience = 1; #retry;

  /** `page`: `say(name, text)` for those who listen, `lost()` resolves to whether the hub answers. */
  constructor(head, lines, page) {
    this.#lines = lines;
    this.#page = page;
    this.element = document.getElementById("card").content.firstElementChild.cloneNode(true);
    const find = (selector) => this.element.querySelector(selector);
    this.#parts = {
      name: find("h2"), about: find(".about"), state: find(".state"), play: find(".play"),
      word: find(".play span"), trouble: find(".trouble"), data: find(".data"), text: find("pre"),
    };
    this.#parts.name.id = `stream-${++count}`;
    this.element.setAttribute("aria-labelledby", this.#parts.name.id);
    this.#tunnel = new Tunnel(head.id, "");
    find(".tunnels").append(this.#tunnel.element);
    this.#feed = new Feed(head.id, {
      run: (run, at) => this.#run(run, at),
      value: ({ time, value }) => this.#value(time, value),
      completed: ({ time }) => this.#ended(time, "completed"),
      failed: ({ time, error }) => this.#ended(time, "failed", String(error)),
      lost: () => this.#lost(),
    });
    this.#parts.play.addEventListener("click", () => this.#play());
    this.#parts.data.addEventListener("toggle", () => this.#parts.data.open && this.#showData());
    this.update(head);
    if (!head.error) lines.want(this.#feed);
  }

  /** The head of the stream as the hub's list has it. */
  update(head) {
    const { name, about, play } = this.#parts;
    if (this.#head && head.revision !== this.#head.revision && this.#parts.data.open) this.#showData();
    this.#head = head;
    name.textContent = head.name ?? head.id;
    about.textContent = head.description ?? "";
    about.hidden = !head.description;
    this.#tunnel.element.setAttribute("aria-label", `Values of ${name.textContent} along time, the newest at the left`);
    this.#parts.text.setAttribute("aria-label", `${name.textContent} as JSON`);
    play.disabled = Boolean(head.error);
    if (head.error) {
      this.#state("failed", "cannot run");
      this.#trouble(head.error);
    } else if (!this.#feed.isOpen) {
      this.#state(head.state ?? "idle");
    }
  }

  hold() { this.#tunnel.hold(); }

  remove() {
    clearTimeout(this.#retry);
    this.#lines.drop(this.#feed);
    this.element.remove();
  }

  #run({ elapsed, state }, at) {
    this.#patience = 1;
    this.#said = elapsed - 0.5;                         // what is older is replayed and not said again
    this.#trouble();
    this.#state(state);
    this.#tunnel.begin(elapsed, at, state !== "idle");
  }

  #value(time, value) {
    this.#tunnel.add(time, value);
    if (time >= this.#said) this.#page.say(this.#head.name, whole(value));
  }

  #ended(time, mark, error) {
    this.#tunnel.end(time, mark, error ? `failed: ${error}` : mark);
    this.#state(mark, `${words[mark]} at ${seconds(time)}`);
    if (error) this.#trouble(error);
    if (time >= this.#said) this.#page.say(this.#head.name, `${mark} at ${seconds(time)}${error ? `, ${error}` : ""}`);
    this.#lines.yield(this.#feed);
  }

  async #lost() {
    this.#tunnel.hold();
    if (!await this.#page.lost()) return;               // away: the page opens all lines when it is back
    if (!this.element.isConnected) return;              // the stream is gone
    this.#retry = setTimeout(() => this.#lines.want(this.#feed), this.#patience * 1000);
    this.#patience = Math.min(this.#patience * 2, 15);
  }

  async #play() {
    try {
      await hub.start(this.#head.id);
      this.#lines.want(this.#feed, { now: true });
    } catch (error) {
      if (error instanceof Away) this.#page.lost();
      else this.#trouble(`It does not start: ${error.message}`);
    }
  }

  async #showData() {
    try {
      this.#parts.text.textContent = json(await hub.document(this.#head.id), 76);
    } catch (error) {
      this.#parts.text.textContent = `It cannot be shown: ${error.message}`;
    }
  }

  #state(state, text = words[state] ?? state) {
    this.#parts.state.dataset.state = state;
    this.#parts.state.textContent = text;
    const word = state === "idle" || this.#head?.error ? "Play" : "Play again";
    this.#parts.word.textContent = word;
    this.#parts.play.setAttribute("aria-label", `${word}: ${this.#parts.name.textContent}`);
  }

  #trouble(text = "") {
    this.#parts.trouble.textContent = text;
    this.#parts.trouble.hidden = !text;
  }
}
