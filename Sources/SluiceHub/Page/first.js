// The first page: what a stream as data is, by one drag and an app that follows it.
import { button, make } from "./dom.js";
import { items, itemDelay, itemTimes, isMovable } from "./document.js";
import { Draft } from "./draft.js";
import { Follower, lineParts } from "./follower.js";
import { joinCommand } from "./group.js";
import { hub } from "./hub.js";
import { Items } from "./items.js";
import { read, write } from "./json.js";
import { cut, seconds } from "./value.js";
import { first as texts } from "./texts.js";

const key = "sluice first";
/** The group whose member the follower is; it always exists. */
const group = "all";
/** The stream that is made where the hub has no stream to try. */
const own = { id: "first-steps", name: texts.firstSteps,
  stream: [1, 2, 3, 4].map((value) => ({ value, operators: [{ delay: { seconds: 1 } }] })) };
const mostShown = 60;
const mostItems = 6;
/** The streams that are looked at for one to try. */
const mostTried = 4;

let dismissed = false;

/** True after the person has seen enough of the first page. */
export function isDismissed() {
  try { return dismissed || localStorage.getItem(key) !== null; } catch { return dismissed; }
}

function dismiss() {
  dismissed = true;
  try { localStorage.setItem(key, "dismissed"); } catch { /* a browser that keeps nothing */ }
}

// The follower goes on while one looks at its group.
let follower;

/** Ends the follower of the first page. */
export function endFollower() {
  follower?.stop();
  follower = undefined;
}

addEventListener("pagehide", () => follower?.stop());
addEventListener("pageshow", (event) => { if (event.persisted) follower?.start(); });

export class FirstView {
  #page; #parts; #draft; #items; #dropped; #isClosed = false;

  /** `page`: `heads()`, `note`, `trouble(error)`, `lost()`, `copy(text, what)`. */
  constructor(page) {
    this.#page = page;
    const drag = button({ text: texts.dragBall2, kind: "act", id: "drag" }, () => this.#drag());
    const said = make("p", { class: "said", role: "status" });
    const name = make("a", { dir: "auto" }), slot = make("div", { class: "first-items" });
    const data = make("pre", { class: "code first-data", "aria-label": texts.itsItemsAsData, role: "img", hidden: true });
    const lines = make("div", { class: "lines", role: "log", "aria-label": texts.theLinesOfTheApp, tabIndex: 0 });
    const member = make("p", { class: "soft member-line" });
    const line = joinCommand(location.origin, group).replace(` --group ${group}`, "");
    this.#parts = { drag, said, name, slot, data, lines, member };
    this.element = make("div", { class: "first", "aria-busy": "true" },
      make("header", { class: "first-head" },
        make("h1", { tabIndex: -1, text: texts.streamsAreDataEditOneHere }),
        make("div", { class: "first-do" }, drag, said)),
      make("div", { class: "first-both" },
        make("section", { class: "first-card", "aria-label": texts.aStream },
          make("h2", {}, texts.theStream, name), slot, data),
        make("section", { class: "first-card", "aria-label": texts.anAppThatFollowsIt },
          make("h2", { text: texts.anAppThatFollowsIt }), lines, member)),
      make("section", { class: "first-line", "aria-label": texts.anAppOfYourOwn },
        make("h2", { text: texts.followItFromATerminalOf }),
        make("div", { class: "copy-line" }, make("code", { text: line, tabIndex: 0 }),
          button({ text: texts.copy, "aria-label": texts.copyTheLine, kind: "pill" }, () => page.copy(line, texts.line)))),
      make("footer", { class: "first-foot" },
        button({ text: texts.showTheStreams, id: "dismiss" }, () => { dismiss(); location.hash = "#/"; }),
        make("p", { class: "soft", text: texts.thisPageWontBeShownAgain })));
  }

  get id() { return this.#draft?.id; }
  get draft() { return this.#draft; }

  async open() {
    try {
      await this.#choose();
    } catch (error) {
      this.#page.trouble(error);
    }
    this.element.removeAttribute("aria-busy");
  }

  close() { this.#isClosed = true; }

  // A stream with balls to drag: one that came with the hub, so that it can be reset.
  async #choose() {
    const heads = this.#page.heads();
    const some = [...heads.filter(({ id }) => id === own.id), ...heads.filter(({ isDefault }) => isDefault)];
    for (const { id } of some.slice(0, mostTried)) {
      const { text } = await hub.document(id), list = items(read(text));
      if (list?.length > 2 && list.every(isMovable)) return this.#show(id);
    }
    if (this.#isClosed) return;
    const { drag, slot } = this.#parts;
    drag.hidden = true;
    slot.replaceChildren(button({ text: texts.makeAStreamToTryIt, kind: "main", id: "make-first" }, async () => {
      try {
        await hub.create(JSON.stringify(own));
        drag.hidden = false;
        await this.#show(own.id);
      } catch (error) {
        this.#page.trouble(error);
      }
    }));
  }

  async #show(id) {
    if (this.#isClosed) return;
    const { name, slot } = this.#parts;
    this.#draft = new Draft(id, {
      changed: () => this.#update(), applied: () => {}, away: () => this.#page.lost(), isRunning: () => true,
      isHeldBack: () => false,
    });
    name.href = `#/streams/${encodeURIComponent(id)}`;
    name.textContent = cut(this.#page.heads().find((head) => head.id === id)?.name?.trim() || own.name, 80);
    await this.#draft.load();
    if (this.#isClosed) return;
    this.#items = new Items(this.#draft);
    slot.replaceChildren(this.#items.element);
    if (follower?.stream !== id) endFollower();
    follower ??= new Follower({ group, stream: id });
    follower.listener = { printed: (line) => this.#print(line), changed: () => this.#showMember() };
    this.#parts.lines.replaceChildren(...follower.lines.slice(-mostShown).map((line) => this.#line(line)));
    follower.start();
    this.#showMember();
  }

  #update() {
    if (this.#draft.conflict) return this.#draft.takeTheirs();  // there is nothing to lose here
    this.#items?.update(this.#draft.errors);
    const { data } = this.#parts, list = items(this.#draft.tree);
    data.hidden = !list?.length;
    data.replaceChildren(...(list ?? []).slice(0, mostItems).map((item, index) =>
      make("span", { class: index === 1 ? "second" : "", text: cut(write(item, Infinity), 100) })));
    if (this.#draft.trouble) this.#parts.said.textContent = this.#draft.trouble;
  }

  // MARK: The drag

  async #drag() {
    const list = items(this.#draft?.tree ?? new Map()), index = 1;
    if (!(list?.length > index)) return;
    const { drag, said } = this.#parts, time = itemTimes(list)[index], delay = itemDelay(list[index]);
    drag.disabled = true;
    said.textContent = "";
    const to = Math.round((delay < 1.3 ? time + 0.6 : time - delay + 1) * 100) / 100;
    await this.#items.drag(index, to);
    this.#dropped = { at: performance.now(), text: texts.ball2WentFromTo(seconds(time), seconds(to)) };
    if (!this.#draft.trouble) said.textContent = `${this.#dropped.text}.`;
    drag.disabled = false;
    drag.focus({ preventScroll: true });
  }

  // MARK: The app

  #print(line) {
    const { lines, said } = this.#parts;
    const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 30;
    lines.append(this.#line(line, true));
    while (lines.children.length > mostShown) lines.firstChild.remove();
    if (isAtEnd) lines.scrollTop = lines.scrollHeight;
    if (!line.taken || !this.#dropped) return;
    const took = Math.round(performance.now() - this.#dropped.at);
    said.textContent = texts.andTheAppHasRevisionMs(this.#dropped.text, line.revision, took);
    this.#dropped = undefined;
  }

  #line(line, isNew = false) {
    const [head, tail] = lineParts(line);
    return make("p", { class: [line.taken === undefined ? "" : "taken", isNew ? "new" : ""].join(" ").trim(), dir: "ltr",
      dataset: { revision: line.revision ?? "" } },
      make("span", { text: cut(head, 300) }), make("strong", { text: cut(tail, 300) }));
  }

  #showMember() {
    this.#parts.member.replaceChildren(...follower?.trouble
      ? [texts.itReadsTheGroupTheHub(group, cut(follower.trouble, 200))]
      : [texts.itIsTheMember, make("strong", { text: follower?.name ?? "" }), texts.ofTheGroup,
        make("a", { href: `#/groups/${group}`, text: group }), "."]);
  }

  // MARK: What the page hears from the hub

  run() {}
  value() {}
  reported() {}
  gap() {}
  completed() {}
  failed() {}
  changed(head) { this.#draft.receive(head.revision).catch((error) => this.#page.trouble(error)); }
  removed() { this.#draft.removed(); }
  back() {
    this.#draft?.back();
    follower?.start();
  }
}
