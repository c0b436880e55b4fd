// A group: its members, which revision each one runs, and the streams that it has.
import { button, make } from "./dom.js";
import { hub } from "./hub.js";
import { memberRow, watchEvery } from "./members.js";
import { quoted } from "./shell.js";
import { cut } from "./value.js";
import { group as texts } from "./texts.js";

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
    const add = make("select", { "aria-label": texts.giveAStreamToTheGroup,
      on: { change: () => this.#change(() => hub.assign(name, add.value)) } });
    this.#parts = { count, members, streams, add };
    this.element = make("div", { class: "group", "aria-busy": "true" },
      make("header", { class: "stream-head" },
        make("a", { class: "button quiet back", href: "#/", text: texts.allStreams }),
        make("div", { class: "stream-title" }, make("h1", { text: texts.groupOf(name), tabIndex: -1, dir: "auto" }), count),
        make("div", { class: "stream-do" },
          name === "all" ? undefined : button({ text: texts.removeTheGroup }, () => this.#remove()))),
      make("h2", { text: texts.members }), members,
      make("h2", { text: texts.streams }), streams, name === "all" ? undefined : make("div", { class: "field" }, add));
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
      ? texts.present(present, members.length) : texts.noMembers;
    list.replaceChildren(...members.length ? members.map((member) => memberRow(member, wanted))
      : [make("li", { class: "soft" }, texts.aProcessBecomesAMemberWith,
        make("code", { text: joinCommand(location.origin, this.name) }))]);
    assigned.replaceChildren(...streams.slice(0, 300).map(({ id, name, revision }) => make("li", {},
      make("a", { href: `#/streams/${encodeURIComponent(id)}`, dir: "auto", text: cut(name?.trim() || id, 100) }),
        make("span", { class: "soft", text: texts.revisionOf(revision) }),
      this.name === "all" ? undefined
        : button({ icon: "cross", label: texts.takeFromTheGroup(cut(name?.trim() || id, 60)), kind: "quiet" },
        () => this.#change(() => hub.unassign(this.name, id))))));
    add.replaceChildren(make("option", { value: "", text: texts.giveAStreamToTheGroup2 }),
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
