// Announces values to screen readers. They are gathered, so that one sentence is not cut off by the next.
import { make } from "./dom.js";
import { cut } from "./value.js";
import { announce as texts } from "./texts.js";

/** The least time between two announcements, in milliseconds. */
const rhythm = 1500;
/** The most values of a stream in one announcement. */
const mostValues = 6;
const region = document.getElementById("announcements");
let pending = new Map();
let timer;

/** Announces that stream `name` emitted a value. */
export function announce(name, text) {
  const waiting = pending.get(name) ?? { heard: [], count: 0 };
  waiting.count++;
  waiting.heard.push(cut(text, 100));
  if (waiting.heard.length > mostValues) waiting.heard.shift();
  pending.set(name, waiting);
  timer ??= setTimeout(() => {
    region.append(make("span", { text: Array.from(pending,
      ([stream, { heard, count }]) => texts.heardOf(cut(stream, 100), `${count > heard.length ? texts.valuesTheLast(count) : ""}${heard.join(", ")}`)).join("") }));
    while (region.children.length > 5) region.firstChild.remove();
    pending = new Map();
    timer = undefined;
  }, rhythm);
}
