// The workers of the cluster: their partitions, the messages that each is behind, and a way to drain one.
import { button, make } from "./dom.js";
import { hub } from "./hub.js";
import { cut } from "./value.js";
import { Watch } from "./watch.js";
import { language, workers as texts } from "./texts.js";

const mostRows = 100, mostPartitions = 300;
const columns = [texts.worker, texts.group, texts.partitions, texts.notRunning, texts.messagesBehind, texts.toDeliver, texts.takenOver, ""];
const isIdle = ({ state }) => !["running", "completed"].includes(state);
const sum = (partitions, key) => partitions.reduce((all, one) => all + (one[key] ?? 0), 0);

/** Returns the messages that the partition that is furthest behind has still to take: the partitions of a reader wait for the same. */
const behind = (partitions) => Math.max(...partitions.map((one) => one.behind ?? -1), -1);

export class Workers {
  #page; #parts; #watch; #rows = new Map(); #key = "";

  constructor(page) {
    this.#page = page;
    const about = make("p", { class: "soft", role: "status" }), body = make("tbody"), streams = make("ul", { class: "streams-of-workers" });
    this.#parts = { about, body, streams };
    this.element = make("section", { class: "workers", hidden: true, "aria-labelledby": "workers-title" }, make("h2", { id: "workers-title", text: texts.workers }), about,
      make("div", { class: "table-place", tabIndex: 0, role: "region", "aria-label": texts.workersOfTheCluster },
        make("table", { class: "values costs", "aria-label": texts.thePartitionsOfEachWorker },
          make("thead", {}, make("tr", {}, ...columns.map((text) => make("th", { scope: "col" }, text || make("span", { class: "visually-hidden", text: texts.actions }))))), body)),
      streams);
    this.#watch = new Watch(() => this.#ask());
  }

  /** `true`: the hub shares its documents with workers. */
  set isShown(value) {
    this.element.hidden = !value;
    if (value) this.#watch.start(); else this.#watch.stop();
  }

  close() { this.#watch.stop(); }

  async #ask() {
    try {
      const workers = await hub.workers(), key = JSON.stringify(workers);
      this.#draw(workers);
      const isChanged = key !== this.#key;
      this.#key = key;
      return isChanged;
    } catch (error) {
      if (!error.status) this.#page.lost();
      else this.#parts.about.textContent = error.message;
      return false;
    }
  }

  #draw(workers) {
    const { about, body, streams } = this.#parts;
    const draining = workers.filter(({ isDraining }) => isDraining).length, takers = workers.length - draining;
    const all = workers.flatMap(({ partitions }) => partitions);
    about.textContent = !workers.length ? texts.noWorkerRunsTheStreamsOf
      : texts.withOf(texts.workerCount(workers.length), texts.partitionCount(all.length), draining ? texts.draining(draining) : "", takers ? "" : texts.noWorkerTakesPartitionsTheirStreams);
    const shown = workers.slice(0, mostRows), ids = new Set(shown.map(({ id }) => id));
    for (const [id, row] of this.#rows) if (!ids.has(id)) { row.element.remove(); this.#rows.delete(id); }
    shown.forEach((worker, index) => {
      let row = this.#rows.get(worker.id);
      if (!row) this.#rows.set(worker.id, row = this.#row(worker));
      const { element, cells, act } = row, { partitions } = worker, idle = partitions.filter(isIdle), far = behind(partitions);
      const fields = [cut(worker.name || worker.id, 60), worker.group, String(partitions.length), idle.length ? String(idle.length) : "", far < 0 ? "" : far.toLocaleString(language),
        `${sum(partitions, "waiting") || ""}${partitions.some(({ isBlocked }) => isBlocked) ? texts.blocked : ""}`, worker.takeovers === undefined ? "" : String(worker.takeovers)];
      fields.forEach((text, place) => { if (cells[place].textContent !== text) cells[place].textContent = text; });
      element.classList.toggle("left-out", partitions.some(({ state, isBlocked }) => state === "failed" || isBlocked));
      row.isDraining = worker.isDraining;
      const verb = worker.isDraining ? texts.takePartitionsAgain : texts.drain;
      if (act.textContent !== verb) act.textContent = verb;
      act.setAttribute("aria-label", `${verb}: ${worker.name || worker.id}`);
      act.disabled = this.#page.overview.role === "read";
      if (body.children[index] !== element) body.insertBefore(element, body.children[index] ?? null);
    });
    streams.replaceChildren(...this.#streams(workers));
  }

  /** The streams with their partitions: a line for each, and one for each partition that needs attention. */
  #streams(workers) {
    const streams = new Map();
    for (const { name, id, partitions } of workers) {
      for (const one of partitions) {
        if (!streams.has(one.stream)) streams.set(one.stream, []);
        streams.get(one.stream).push({ ...one, worker: name || id });
      }
    }
    return [...streams].sort(([a], [b]) => a < b ? -1 : 1).slice(0, mostPartitions).map(([stream, partitions]) => {
      const far = behind(partitions), idle = partitions.filter(isIdle);
      return make("li", {}, make("a", { href: `#/streams/${encodeURIComponent(stream)}`, dir: "auto", text: cut(this.#page.title(stream), 80) }),
        `: ${texts.partitionCount(partitions.length)}${far < 0 ? "" : texts.behindOf(texts.messageCount(far))}${idle.length ? texts.notRunning2(idle.length) : ""}`,
        idle.length ? make("ul", {}, ...idle.slice(0, 20).map((one) =>
          make("li", { class: "error", text: cut(texts.onOf(one.partition, one.worker, one.state, one.reason ? `: ${one.reason}` : ""), 300) }))) : undefined);
    });
  }

  #row({ id }) {
    const row = {}, act = button({ text: texts.drain, kind: "quiet" }, async () => {
      act.disabled = true;
      try { await hub.drain(id, !row.isDraining); } catch (error) { this.#page.trouble(error); }
      act.disabled = false;
      this.#watch.soon(true);
    });
    const cells = columns.map((_, index) => index ? make("td", {}, index === columns.length - 1 ? act : undefined) : make("th", { scope: "row", dir: "auto" }));
    return Object.assign(row, { element: make("tr", { dataset: { worker: id } }, ...cells), cells, act });
  }
}
