// Announces values to screen readers. They are gathered, so that one sentence is not cut off by the next.
import { make } from "./dom.js";
import { cut } from "./value.js";

const region = document.getElementById("announcements");
let pending = new Map();
let timer;

/** Announces that stream `name` emitted a value. */
export function announce(name, text) {
  pending.set(name, [...(pending.get(name) ?? []), cut(text, 60)].slice(-6));
  timer ??= setTimeout(() => {
    region.append(make("span", { text: Array.from(pending,
      ([stream, texts]) => `${cut(stream, 100)}: ${texts.join(", ")}. `).join("") }));
    while (region.children.length > 5) region.firstChild.remove();
    pending = new Map();
    timer = undefined;
  }, 1500);
}
