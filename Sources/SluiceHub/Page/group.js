// A group: its members, which revision each one runs, and the streams that it has.
import { button, make } from "./dom.js";
import { hub } from "./hub.js";
import { memberRow, watchEvery } from "./members.js";
import { quoted } from "./shell.js";
import { cut } from "./value.js";

/** The shell line that makes a process a member. Anybody may name a group, so the name is quoted. */
export function joinCommand(hub, group) {
  return `sluice follow ${hub} --group${group.startsWith("-") ? "=" : " "}${quoted(group)}`;
}

export class GroupView {
  #page; #parts; #watch; #ask = 0;

  constructor(name, page) {
    this.name = name;
    this.#page = page;
    const count = make("p", { class: "soft", role: "status" }), members = make("ul", { class: "people" }),
      streams = make("ul", { class: "assigned" });
    const add = make("select", { "aria-label": "Give a stream to the group",
      on: { change: () => this.#change(() => hub.assign(name, add.value)) } });
    this.#parts = { count, members, streams, add };
    this.element = make("div", { class: "group", "aria-busy": "true" },
      make("header", { class: "stream-head" },
        make("a", { class: "button quiet back", href: "#/", text: "‹ All streams" }),
        make("div", { class: "stream-title" }, make("h1", { text: `Group ${name}`, tabIndex: -1, dir: "auto" }), count),
        make("div", { class: "stream-do" },
          name === "all" ? undefined : button({ text: "Remove the group" }, () => this.#remove()))),
      make("h2", { text: "Members" }), members,
      make("h2", { text: "Streams" }), streams, name === "all" ? undefined : make("div", { class: "field" }, add));
  }

  open() {
    this.#watch = setInterval(() => this.load(), watchEvery);
    return this.load();
  }

  close() { clearInterval(this.#watch); }
  members() { this.load(); }
  back() { this.load(); }

  async load() {
    const ask = ++this.#ask;
    try {
      const group = await hub.group(this.name);
      if (ask !== this.#ask) return;
      this.#show(group);
    } catch (error) {
      this.#page.trouble(error);
    }
  }

  #show({ streams = [], members = [] }) {
    const { count, members: list, streams: assigned, add } = this.#parts;
    const wanted = new Map(streams.map((stream) => [stream.id, stream]));
    const present = members.filter(({ isPresent }) => isPresent).length;
    count.textContent = members.length
      ? `${present} of ${members.length} ${members.length === 1 ? "member" : "members"} present` : "no members";
    list.replaceChildren(...members.length ? members.map((member) => memberRow(member, wanted))
      : [make("li", { class: "soft" }, "A process becomes a member with ",
        make("code", { text: joinCommand(location.origin, this.name) }))]);
    assigned.replaceChildren(...streams.slice(0, 300).map(({ id, name, revision }) => make("li", {},
      make("a", { href: `#/streams/${encodeURIComponent(id)}`, dir: "auto", text: cut(name?.trim() || id, 100) }),
        make("span", { class: "soft", text: ` revision ${revision}` }),
      this.name === "all" ? undefined
        : button({ icon: "cross", label: `Take ${cut(name?.trim() || id, 60)} from the group`, kind: "quiet" },
        () => this.#change(() => hub.unassign(this.name, id))))));
    add.replaceChildren(make("option", { value: "", text: "give a stream to the group…" }),
      ...this.#page.heads().filter(({ id }) => !wanted.has(id))
        .map(({ id, name }) => make("option", { value: id, text: cut(name?.trim() || id, 100) })));
    this.element.removeAttribute("aria-busy");
  }

  async #change(action) {
    try {
      await action();
      await this.load();
    } catch (error) {
      this.#page.trouble(error);
    }
  }

  async #remove() {
    try {
      await hub.removeGroup(this.name);
      location.hash = "#/";
      this.#page.groupsChanged();
    } catch (error) {
      this.#page.trouble(error);
    }
  }
}
