// The page: the hub's streams as cards, and what holds them together.
import { Card } from "./card.js";
import { Away, hub, Lines } from "./feed.js";
import { cut } from "./value.js";

const streams = document.getElementById("streams");
const empty = document.getElementById("empty");
const notice = document.getElementById("notice");
const said = document.getElementById("said");
const lines = new Lines();
const cards = new Map();

function show(heads) {
  const gone = new Set(cards.keys());
  for (const head of heads) {
    gone.delete(head.id);
    const card = cards.get(head.id);
    if (card) card.update(head); else cards.set(head.id, new Card(head, lines, { say, lost }));
  }
  for (const id of gone) {
    cards.get(id).remove();
    cards.delete(id);
  }
  // In the hub's order, and only what is not yet in its place is moved.
  heads.forEach((head, index) => {
    const { element } = cards.get(head.id);
    if (streams.children[index] !== element) streams.insertBefore(element, streams.children[index] ?? null);
  });
  empty.hidden = heads.length > 0;
  streams.removeAttribute("aria-busy");
}

// Whether the hub is there. While it is away one question is asked again and again, calmly.
let away = false;
let asking;

/** Something was lost: resolves to true if the hub answers all the same. */
function lost() {
  if (away) return Promise.resolve(false);
  asking ??= look().finally(() => { asking = undefined; });
  return asking;
}

async function look(wait = 1) {
  try {
    show(await hub.streams());
  } catch (error) {
    if (!(error instanceof Away)) console.error(error);
    if (!away) {
      away = true;
      lines.sleep();
      cards.forEach((card) => card.hold());
      document.body.classList.add("away");
      notice.textContent = "The hub is away; trying again";
    }
    setTimeout(look, wait * 1000, Math.min(wait * 1.5, 8));
    return false;
  }
  if (away) {
    away = false;
    document.body.classList.remove("away");
    notice.textContent = "";
    if (!document.hidden) lines.wake();
  }
  return true;
}

// A page that nobody sees gives its connections back after a while.
let sleep;
document.addEventListener("visibilitychange", () => {
  clearTimeout(sleep);
  if (document.hidden) sleep = setTimeout(rest, 20_000);
  else if (!away) lines.wake();
});
addEventListener("pagehide", rest);
addEventListener("pageshow", (event) => { if (event.persisted && !away) lines.wake(); });

function rest() {
  lines.sleep();
  cards.forEach((card) => card.hold());
}

// For those who listen: what came, gathered, so that one sentence is not cut off by the next.
let news = new Map();
let telling;
function say(name, text) {
  news.set(name, [...(news.get(name) ?? []), cut(text, 60)].slice(-6));
  telling ??= setTimeout(() => {
    const line = document.createElement("span");
    line.textContent = Array.from(news, ([who, what]) => `${who}: ${what.join(", ")}. `).join("");
    said.append(line);
    while (said.children.length > 5) said.firstChild.remove();
    news = new Map();
    telling = undefined;
  }, 1500);
}

look();
