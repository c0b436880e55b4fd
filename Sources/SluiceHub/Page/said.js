// For those who listen: what came, gathered, so that one sentence is not cut off by the next.
import { make } from "./dom.js";
import { cut } from "./value.js";

const said = document.getElementById("said");
let news = new Map();
let telling;

/** Says that `name` gave something. */
export function say(name, text) {
  news.set(name, [...(news.get(name) ?? []), cut(text, 60)].slice(-6));
  telling ??= setTimeout(() => {
    said.append(make("span", { text: Array.from(news, ([who, what]) => `${cut(who, 100)}: ${what.join(", ")}. `)
      .join("") }));
    while (said.children.length > 5) said.firstChild.remove();
    news = new Map();
    telling = undefined;
  }, 1500);
}
