// The list of streams, with search and state.
import { arrange, button, make } from "./dom.js";
import { moveTo, ordered } from "./order.js";
import { cut } from "./value.js";

export const words = {
  idle: "waiting", running: "playing", paused: "paused", restarting: "restarting", completed: "completed",
    failed: "failed",
  blocked: "cannot run",
};

const mostShown = 300;
/** The time for which a finger rests on a row before it drags it, in milliseconds. */
const restOfFinger = 400;

export class List {
  #heads = new Map(); #rows = new Map(); #shown; #parts; #text = ""; #timer; #ordered;
  // The readings that are under way, the number of those that were begun, and that of the newest one that was merged.
  #readings = new Set(); #begun = 0; #merged = 0;

  /** `actions`: { create, import, reset }. */
  constructor(actions) {
    const list = make("ul", { class: "rows", "aria-busy": "true" });
    const count = make("p", { class: "visually-hidden", role: "status" });
    const none = make("p", { class: "soft none", hidden: true });
    const search = make("input", {
      type: "search", placeholder: "Search", "aria-label": "Search the streams", autocomplete: "off", spellcheck: false,
        id: "search",
      on: { input: () => { this.#text = search.value; this.#draw(true); } },
    });
    this.#parts = { list, count, none, search };
    this.#listenForMoves(list);
    this.element = make("nav", { class: "list", "aria-label": "Streams" },
      make("div", { class: "find" }, search,
        button({ icon: "plus", text: "New", kind: "main", id: "new" }, actions.create)),
      list, none, count);
  }

  /** All heads, in the order in which they are listed. */
  get heads() { return this.#ordered ??= ordered([...this.#heads.values()]); }
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
    if (row) this.#fill(row, head);
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
    const found = text ? heads.filter((head) =>
      [head.name, head.description, head.id].some((part) => part?.toLowerCase().includes(text))) : heads;
    const rows = found.slice(0, mostShown).map((head) => {
      let row = this.#rows.get(head.id);
      if (!row) this.#rows.set(head.id, row = this.#row(head));
      this.#fill(row, head);
      return row.element;
    });
    for (const id of this.#rows.keys()) if (!this.head(id)) this.#rows.delete(id);
    arrange(this.#parts.list, rows);
    const { none, count } = this.#parts;
    none.hidden = found.length > 0 && found.length <= mostShown;
    none.textContent = found.length > mostShown ? `and ${found.length - mostShown} more: search for them`
      : heads.length ? "No matches in names and descriptions." : "This hub has no streams yet.";
    if (isSearch) count.textContent = `${found.length} ${found.length === 1 ? "stream" : "streams"}`;
  }

  #row(head) {
    const name = make("span", { class: "name", dir: "auto" }), about = make("span", { class: "about", dir: "auto" });
    const state = make("span", { class: "state" });
    const link = make("a", { href: `#/streams/${encodeURIComponent(head.id)}` }, name, about, state);
    link.draggable = false;
    link.setAttribute("aria-keyshortcuts", "Alt+ArrowUp Alt+ArrowDown");
    if (head.id === this.#shown) link.setAttribute("aria-current", "page");
    return { element: make("li", { dataset: { stream: head.id } }, link), link, name, about, state };
  }

  // MARK: The order, by Alt and the arrow keys, by the mouse, or by a finger that has rested on a row

  #move(id, to) {
    if (this.#text.trim()) return;
    const ids = this.heads.map((head) => head.id), focus = document.activeElement;
    if (to < 0 || to >= ids.length || ids[to] === id) return;
    moveTo(ids, id, to);
    this.#ordered = undefined;
    this.#draw();
    focus?.focus();
    this.#parts.count.textContent = `${cut(this.head(id).name?.trim() || id, 80)} is number ${to + 1} of ${ids.length}`;
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
    row.about.textContent = cut(head.description ?? "", 200);
    row.about.hidden = !head.description;
    const { state: its = "idle" } = head;
    const state = its === "idle" && head.errors?.length ? "blocked" : its;
    row.state.dataset.state = state;
    row.state.textContent = words[state] ?? state;
  }
}
