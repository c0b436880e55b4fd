// The operations view: the cost of each stream, the connected people, and the rights of the user.
import * as dialogs from "./dialogs.js";
import { button, make } from "./dom.js";
import { hub, signature } from "./hub.js";
import { words } from "./list.js";
import { rateText } from "./overview.js";
import { cut, seconds } from "./value.js";
import { Workers } from "./workers.js";
import { operations as texts } from "./texts.js";

const mostRows = 300;
const roles = { read: texts.mayRead, run: texts.mayReadAndRunStreams, edit: texts.mayReadRunAndEditStreams, admin: texts.mayDoEverything };

/** Returns a number of bytes in words. */
export function size(bytes) {
  if (bytes === undefined) return "";
  const [unit, by] = bytes >= 1e6 ? ["MB", 1e6] : bytes >= 1e3 ? ["KB", 1e3] : [texts.bytes, 1];
  return `${Math.round(bytes / by * (by > 1 ? 10 : 1)) / (by > 1 ? 10 : 1)} ${unit}`;
}

const columns = [
  [texts.stream, ({ title }) => title.toLowerCase()], [texts.state, ({ state }) => words[state] ?? state], [texts.in, (one) => -(one.inRate ?? 0)], [texts.out, (one) => -(one.rate ?? 0)],
  [texts.lag, (one) => -(one.lag ?? 0)], [texts.stateSize, (one) => -(one.stateSize ?? 0)], [texts.processor, (one) => -(one.share ?? 0)], [texts.sinks, (one) => one.isBlocked ? -Infinity : -(one.waiting ?? 0)],
];

export class OperationsView {
  #page; #parts; #stop; #order = 6; #rows = new Map(); #watch; #workers;

  constructor(page) {
    this.#page = page;
    const about = make("p", { class: "soft", role: "status" }), body = make("tbody"), who = make("ul", { class: "here" }), secrets = make("p", { class: "soft" });
    const heads = columns.map(([text], index) => make("th", { scope: "col", "aria-sort": index === this.#order ? "ascending" : undefined },
      make("button", { type: "button", class: "sort", text, on: { click: () => this.#sort(index) } })));
    const stop = button({ text: texts.stopAll, kind: "danger", id: "stop-all" }, () => this.#askToStop());
    const leave = button({ text: texts.logOut, hidden: true, id: "log-out" }, async () => {
      try { await hub.logOut(); location.reload(); } catch (error) { page.trouble(error); }
    });
    this.#parts = { about, body, who, secrets, heads, stop, leave };
    this.#workers = new Workers(page);
    this.element = make("div", { class: "operations" },
      make("header", { class: "stream-head" }, make("a", { class: "button quiet back", href: "#/", text: texts.allStreams }),
        make("div", { class: "stream-title" }, make("h1", { text: texts.operations, tabIndex: -1 }), about),
        make("div", { class: "stream-do" }, stop, leave)),
      make("div", { class: "table-place", tabIndex: 0, role: "region", "aria-label": texts.streamsAtWork },
        make("table", { class: "values costs", "aria-label": texts.whatEachStreamDoesAndTakes }, make("thead", {}, make("tr", {}, ...heads)), body)),
      this.#workers.element,
      make("section", { "aria-labelledby": "here-title" }, make("h2", { id: "here-title", text: texts.peopleAndPrograms }), who),
      make("section", { "aria-labelledby": "secrets-title" }, make("h2", { id: "secrets-title", text: texts.secrets }), secrets));
  }

  open() {
    this.#stop = this.#page.overview.listen(() => this.#draw());
    this.#members();
    this.#watch = setInterval(() => this.#members(), 10_000);
  }

  close() {
    this.#stop?.();
    this.#workers.close();
    clearInterval(this.#watch);
  }

  /** The members of a group have changed. */
  members() { this.#members(); }

  #sort(index) {
    this.#order = index;
    this.#parts.heads.forEach((head, place) => { if (place === index) head.setAttribute("aria-sort", "ascending"); else head.removeAttribute("aria-sort"); });
    this.#draw();
  }

  #draw() {
    const { overview } = this.#page, { about, body, secrets, leave, stop } = this.#parts;
    const all = overview.all.map((one) => ({ ...one, title: this.#page.title(one.id) })), [, by] = columns[this.#order];
    const running = all.filter(({ state }) => ["running", "restarting"].includes(state));
    const compare = (one, other) => one < other ? -1 : one > other ? 1 : 0;
    all.sort((one, other) => compare(by(one), by(other)) || compare(one.title, other.title));
    about.textContent = texts.ofStreamsPlayTheEventsYou(running.length, all.length, overview.subscribers, overview.subscribers === 1 ? texts.pageOrProgramFollows : texts.pagesAndProgramsFollow, roles[overview.role] ?? texts.mayRead, overview.name ? texts.asOf(overview.name) : "");
    this.#workers.isShown = overview.hasWorkers;
    stop.disabled = !running.length || overview.role === "read";
    leave.hidden = !overview.hasSession;
    secrets.textContent = overview.secrets.length ? texts.documentsMayName(overview.secrets.join(", ")) : texts.thisHubHasNoSecretsSee;
    const shown = all.slice(0, mostRows), ids = new Set(shown.map(({ id }) => id));
    for (const [id, row] of this.#rows) if (!ids.has(id)) { row.element.remove(); this.#rows.delete(id); }
    shown.forEach((one, index) => {
      let row = this.#rows.get(one.id);
      if (!row) this.#rows.set(one.id, row = this.#row(one));
      const { element, cells, link } = row;
      const fields = [undefined, words[one.state] ?? one.state, rateText(one.inRate), rateText(one.rate), one.lag > 0.05 ? seconds(Math.round(one.lag * 10) / 10) : "",
        size(one.stateSize), one.share > 0.0005 ? `${(one.share * 100).toFixed(1)} %` : "", one.isBlocked ? texts.blocked : one.waiting ? texts.waitingOf(one.waiting) : one.sinks.length ? texts.delivered : ""];
      if (link.textContent !== one.title) link.textContent = cut(one.title, 80);
      fields.forEach((text, place) => { if (text !== undefined && cells[place].textContent !== text) cells[place].textContent = text; });
      element.classList.toggle("left-out", Boolean(one.isBlocked) || one.state === "failed");
      if (body.children[index] !== element) body.insertBefore(element, body.children[index] ?? null);
    });
  }

  #row({ id }) {
    const link = make("a", { href: `#/streams/${encodeURIComponent(id)}`, dir: "auto" });
    const cells = columns.map((_, index) => index ? make("td") : make("th", { scope: "row" }, link));
    return { element: make("tr", { dataset: { stream: id } }, ...cells), cells, link };
  }

  async #members() {
    try {
      const groups = await hub.groups(), people = await Promise.all(groups.slice(0, 20).map(({ name }) => hub.group(name)));
      this.#parts.who.replaceChildren(make("li", { text: texts.thisPage(signature()) }),
        ...people.flatMap(({ name, members = [] }) => members.filter(({ isPresent }) => isPresent).slice(0, 100)
          .map((member) => make("li", { dir: "auto", text: texts.inTheGroup(cut(member.name?.trim() || member.id, 80), name) }))));
    } catch (error) {
      if (!error.status) this.#page.lost();
    }
  }

  #askToStop() {
    const running = this.#page.overview.all.filter(({ state }) => ["running", "restarting", "paused"].includes(state));
    dialogs.ask({ title: texts.stop(running.length), about: texts.theirRunsEndEachCanBe, action: texts.stopAll,
      act: async () => {
        const failed = (await Promise.allSettled(running.map(({ id }) => hub.control(id, "stop")))).filter(({ reason }) => reason);
        this.#page.overview.soon();
        if (failed.length) throw failed[0].reason;
      } });
  }
}
