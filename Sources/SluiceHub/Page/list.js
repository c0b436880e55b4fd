// The list of streams, with search and state.
import { arrange, button, make, unique } from "./dom.js";
import { moveTo, ordered } from "./order.js";
import { rateText } from "./overview.js";
import { isStarred, toggleStar } from "./stars.js";
import { about } from "./templates.js";
import { cut, seconds } from "./value.js";
import { list as texts } from "./texts.js";

export const words = {
  idle: texts.waiting, running: texts.playing, paused: texts.paused, restarting: texts.restarting, completed: texts.completed,
    failed: texts.failed,
  blocked: texts.cannotRun,
};

const mostShown = 300;
/** The sections, in their order. */
const sections = [["starred", texts.starred], ["own", texts.streams], ["joined", texts.inGroups], ["seed", texts.fromTheSeed]];
/** The time for which a finger rests on a row before it drags it, in milliseconds. */
const restOfFinger = 400;

export class List {
  #heads = new Map(); #rows = new Map(); #shown; #parts; #text = ""; #timer; #ordered;
  // The readings that are under way, the number of those that were begun, and that of the newest one that was merged.
  #readings = new Set(); #begun = 0; #merged = 0;
  #overview; #sections = new Map(); #groups = new Map(); #wanted = { state: "", group: "" }; #revealed;

  /** `actions`: { create, import, reset }; `overview`: the figures of all streams. */
  constructor(actions, overview) {
    this.#overview = overview;
    const list = make("div", { class: "rows", "aria-busy": "true" });
    for (const [key, title] of sections) {
      const id = unique("section"), rows = make("ul", { "aria-labelledby": id, dataset: { section: key } });
      this.#sections.set(key, { rows, element: make("section", { class: "section", hidden: true }, make("h2", { id, text: title }), rows) });
    }
    list.append(...[...this.#sections.values()].map(({ element }) => element));
    const filter = (key, label, all) => make("select", { "aria-label": label, on: { change: (event) => {
      this.#wanted[key] = event.target.value;
      this.#draw(true);
    } } }, make("option", { value: "", text: all }));
    const state = filter("state", texts.onlyStreamsInAState, texts.anyState), group = filter("group", texts.onlyStreamsOfAGroup, texts.anyGroup);
    state.append(...Object.entries(words).map(([value, text]) => make("option", { value, text })));
    group.hidden = true;
    const count = make("p", { class: "visually-hidden", role: "status" });
    const none = make("p", { class: "soft none", hidden: true });
    const search = make("input", {
      type: "search", placeholder: texts.search, "aria-label": texts.searchTheStreams, autocomplete: "off", spellcheck: false,
        id: "search",
      on: { input: () => { this.#text = search.value; this.#draw(true); } },
    });
    this.#parts = { list, count, none, search, group };
    this.#listenForMoves(list);
    this.element = make("nav", { class: "list", "aria-label": texts.streams },
      make("div", { class: "find" }, search,
        button({ icon: "plus", text: texts.new, kind: "main", id: "new" }, actions.create)),
      make("div", { class: "find filters" }, state, group),
      list, none, count);
  }

  /** All heads, in the order in which they are listed. */
  get heads() {
    if (this.#ordered) return this.#ordered;
    const places = new Map(sections.map(([key], index) => [key, index]));
    return this.#ordered = ordered([...this.#heads.values()]).map((head) => [places.get(this.#section(head)), head])
      .sort(([one], [other]) => one - other).map(([, head]) => head);
  }

  #section(head) {
    return isStarred(head.id) ? "starred" : head.isDefault ? "seed"
      : [...this.#groups.values()].some((streams) => streams.has(head.id)) ? "joined" : "own";
  }

  /** Takes the groups besides that of all streams: the ids of their streams by name. */
  set groups(groups) {
    this.#groups = groups;
    const { group } = this.#parts, names = [...groups.keys()];
    group.hidden = !names.length;
    const chosen = names.includes(group.value) ? group.value : "";
    group.replaceChildren(make("option", { value: "", text: texts.anyGroup }), ...names.map((name) => make("option", { value: name, text: cut(name, 40) })));
    group.value = this.#wanted.group = chosen;
    this.#ordered = undefined;
    this.#draw();
  }

  /** Shows the figures of all streams. */
  figures() {
    for (const [id, row] of this.#rows) this.#fillFigures(row, id);
  }

  /** Brings the row of a stream into sight once it is there. */
  reveal(id) {
    const row = this.#rows.get(id)?.element;
    if (!row?.isConnected) return void (this.#revealed = id);
    this.#revealed = undefined;
    row.scrollIntoView({ block: "nearest" });
  }
  head(id) { return this.#heads.get(id); }

  /** True once all heads have been read. */
  get isRead() { return this.#merged > 0; }

  /** True if the list is newer than the head that an event brings. */
  isNewer({ id, revision }) { return this.#readings.size === 0 && revision < this.head(id)?.revision; }

  /** Reads all heads. Those that are put or removed meanwhile stay so: the answer of `ask()` may be older. */
  async read(ask) {
    const reading = { number: ++this.#begun, told: new Set(), runs: new Map() };
    this.#readings.add(reading);
    let heads;
    try { heads = await ask(); } finally { this.#readings.delete(reading); }
    this.#merge(heads, reading);
  }

  #merge(answer, { number, told, runs }) {
    if (number < this.#merged) return;                         // a later answer came first
    this.#merged = number;
    const heads = new Map(answer.map((head) => [head.id, head]));
    for (const id of told) {
      const head = this.head(id);
      if (head) heads.set(id, head); else heads.delete(id);
    }
    this.#heads = heads;
    this.#ordered = undefined;
    for (const run of runs.values()) this.ran(run);
    this.#parts.list.removeAttribute("aria-busy");
    this.#draw();
  }

  /** One head, new or changed. */
  put(head) {
    for (const { told } of this.#readings) told.add(head.id);
    this.#heads.set(head.id, { ...head });
    this.#ordered = undefined;
    this.#drawSoon();
  }

  remove(id) {
    for (const { told } of this.#readings) told.add(id);
    this.#heads.delete(id);
    this.#ordered = undefined;
    this.#drawSoon();
  }

  // Many that come at once are drawn once.
  #drawSoon() { this.#timer ??= setTimeout(() => this.#draw(), 30); }

  /** Updates the state of a run. */
  ran(run) {
    const { stream, state, time, speed, revision } = run;
    for (const { runs } of this.#readings) runs.set(stream, run);
    const head = this.head(stream);
    if (!head || (head.state === state && head.runs === revision)) return;
    Object.assign(head, { state, time, speed, runs: revision });
    const row = this.#rows.get(stream);
    if (this.#wanted.state) this.#drawSoon();
    else if (row) this.#fill(row, head);
    this.#overview.soon();
  }

  /** Marks the stream that is shown. */
  mark(id) {
    this.#shown = id;
    for (const [key, row] of this.#rows) {
      if (key === id) row.link.setAttribute("aria-current", "page"); else row.link.removeAttribute("aria-current");
    }
  }

  #draw(isSearch = false) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text.trim().toLowerCase(), heads = this.heads;
    const { state, group } = this.#wanted, isFiltered = Boolean(text || state || group);
    const found = isFiltered ? heads.filter((head) =>
      [head.name, head.description, about(head), head.id].some((part) => part?.toLowerCase().includes(text))
      && (!state || shownState(head) === state) && (!group || this.#groups.get(group)?.has(head.id))) : heads;
    const rows = new Map(sections.map(([key]) => [key, []]));
    for (const head of found.slice(0, mostShown)) {
      let row = this.#rows.get(head.id);
      if (!row) this.#rows.set(head.id, row = this.#row(head));
      this.#fill(row, head);
      rows.get(this.#section(head)).push(row.element);
    }
    for (const id of this.#rows.keys()) if (!this.head(id)) this.#rows.delete(id);
    for (const [key, { rows: place, element }] of this.#sections) {
      arrange(place, rows.get(key));
      element.hidden = !rows.get(key).length;
    }
    if (this.#revealed) this.reveal(this.#revealed);
    const { none, count } = this.#parts;
    none.hidden = found.length > 0 && found.length <= mostShown;
    none.textContent = found.length > mostShown ? texts.andMoreSearchForThem(found.length - mostShown)
      : !heads.length ? texts.thisHubHasNoStreamsYet : state || group ? texts.noStreamMatches : texts.noMatchesInNamesAndDescriptions;
    if (isSearch) count.textContent = texts.found(found.length);
  }

  #row(head) {
    const name = make("span", { class: "name", dir: "auto" }), about = make("span", { class: "about", dir: "auto" });
    const state = make("span", { class: "state" }), figures = make("span", { class: "figures code", dir: "auto" }), rate = make("span", { class: "rate-text" });
    const link = make("a", { href: `#/streams/${encodeURIComponent(head.id)}` }, name, about,
      make("span", { class: "row-last" }, state, rate, figures));
    const star = button({ icon: "star", label: texts.star, kind: "quiet star", "aria-pressed": false }, () => {
      toggleStar(head.id);
      this.#ordered = undefined;
      this.#draw();
      star.focus();
    });
    link.draggable = false;
    link.setAttribute("aria-keyshortcuts", "Alt+ArrowUp Alt+ArrowDown");
    if (head.id === this.#shown) link.setAttribute("aria-current", "page");
    return { element: make("li", { dataset: { stream: head.id } }, link, star), link, name, about, state, figures, rate, star };
  }

  // MARK: The order, by Alt and the arrow keys, by the mouse, or by a finger that has rested on a row

  #move(id, to) {
    if (this.#text.trim() || this.#wanted.state || this.#wanted.group) return;
    const ids = this.heads.map((head) => head.id), focus = document.activeElement;
    if (to < 0 || to >= ids.length || ids[to] === id) return;
    moveTo(ids, id, to);
    this.#ordered = undefined;
    this.#draw();
    focus?.focus();
    this.#parts.count.textContent = texts.isNumberOf(cut(this.head(id).name?.trim() || id, 80), to + 1, ids.length);
  }

  #listenForMoves(list) {
    const row = (event) => event.target.closest?.("[data-stream]");
    const place = (id) => this.heads.findIndex((head) => head.id === id);
    list.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!event.altKey || !step || !row(event)) return;
      event.preventDefault();
      const { stream } = row(event).dataset;
      this.#move(stream, place(stream) + step);
    });
    // A mouse takes a row when it has gone a little way; a finger when it has rested on it, since at once it scrolls.
    let held;
    const take = (row) => {
      row.isTaken = true;
      list.setPointerCapture(row.pointer);
      this.#rows.get(row.id)?.element.classList.add("taken");
    };
    const end = () => {
      clearTimeout(held?.timer);
      for (const { element } of this.#rows.values()) element.classList.remove("taken");
    };
    const drop = () => {
      end();
      held = undefined;
    };
    list.addEventListener("pointerdown", (event) => {
      drop();
      if (!event.isPrimary || event.button !== 0 || !row(event)) return;
      const mine = held = { id: row(event).dataset.stream, pointer: event.pointerId, y: event.clientY,
        isFinger: event.pointerType === "touch" };
      if (mine.isFinger) mine.timer = setTimeout(() => take(mine), restOfFinger);
    });
    list.addEventListener("pointermove", (event) => {
      if (!held || (event.buttons & 1) === 0) return void drop();
      if (!held.isTaken) {
        if (Math.abs(event.clientY - held.y) < 8) return;
        if (held.isFinger) return void drop();
        take(held);
      }
      const over = document.elementFromPoint(event.clientX, event.clientY)?.closest(".rows [data-stream]");
      if (over && over.dataset.stream !== held.id) this.#move(held.id, place(over.dataset.stream));
    });
    for (const name of ["pointerup", "pointercancel"]) list.addEventListener(name, end);
    list.addEventListener("touchmove", (event) => { if (held?.isTaken) event.preventDefault(); }, { passive: false });
    list.addEventListener("contextmenu", (event) => { if (held?.isFinger) event.preventDefault(); });
    list.addEventListener("click", (event) => {
      if (held?.isTaken) event.preventDefault();                     // the end of a drag is no press
      held = undefined;
    }, true);
  }

  #fill(row, head) {
    row.name.textContent = cut(head.name?.trim() || head.id, 200);
    row.about.textContent = cut(about(head), 200);
    row.about.hidden = !row.about.textContent;
    const state = shownState(head);
    const isOn = isStarred(head.id);
    row.star.setAttribute("aria-pressed", isOn);
    row.star.setAttribute("aria-label", texts.starOf(cut(head.name?.trim() || head.id, 60)));
    row.star.title = isOn ? texts.takeTheStar : texts.keepItAtTheTop;
    row.state.dataset.state = state;
    row.state.textContent = words[state] ?? state;
    this.#fillFigures(row, head.id);
  }

  // The last output and the rate of a stream.
  #fillFigures(row, id) {
    const { last, rate } = this.#overview.figures(id) ?? {};
    const value = last ? cut(last.value.replace(/\s+/g, " "), 40) : "", words = row.state.dataset.state === "running" ? rateText(rate) : "";
    if (row.figures.textContent !== value) row.figures.textContent = value;
    if (row.rate.textContent !== words) row.rate.textContent = words;
    row.figures.title = last ? texts.theLastOutputAt(seconds(last.time), last.value) : "";
  }
}

const shownState = ({ state = "idle", errors }) => state === "idle" && errors?.length ? "blocked" : state;
