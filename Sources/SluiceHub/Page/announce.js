// Announces values to screen readers. They are gathered, so that one sentence is not cut off by the next.
import { make } from "./dom.js";
import { cut } from "./value.js";

/** The least time between two announcements, in milliseconds. */
const rhythm = 1500;
/** The most values of a stream in one announcement. */
const mostValues = 6;
const region = document.getElementById("announcements");
let pending = new Map();
let timer;

/** Announces that stream `name` emitted a value. */
export function announce(name, text) {
  const waiting = pending.get(name) ?? { texts: [], count: 0 };
  waiting.count++;
  waiting.texts.push(cut(text, 100));
  if (waiting.texts.length > mostValues) waiting.texts.shift();
  pending.set(name, waiting);
  timer ??= setTimeout(() => {
    region.append(make("span", { text: Array.from(pending,
      ([stream, { texts, count }]) => `${cut(stream, 100)}: ${count > texts.length ? `${count} values, the last ` : ""}${texts.join(", ")}. `).join("") }));
    while (region.children.length > 5) region.firstChild.remove();
    pending = new Map();
    timer = undefined;
  }, rhythm);
}
