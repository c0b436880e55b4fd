// The members of the groups that have a stream, and the revision that each one runs.
import { make } from "./dom.js";
import { hub } from "./hub.js";
import { cut } from "./value.js";
import { members as texts } from "./texts.js";

/** One member in words; `wanted` is the stored revision by the stream's id. */
export function memberRow(member, wanted, only) {
  const streams = (member.streams ?? []).filter(({ id }) => !only || id === only);
  const runs = streams.map(({ id, name, revision, state, error }) => {
    const { revision: newest = revision, name: called } = wanted.get(id) ?? {};
    const isBehind = revision < newest;
    return make("li", { class: isBehind ? "behind" : "", dataset: { stream: id, revision } },
      only ? undefined : make("a", { href: `#/streams/${encodeURIComponent(id)}`, dir: "auto",
        text: cut((called ?? name)?.trim() || id, 80) }),
      make("span", { class: "soft", text: texts.revisionOf(revision, state ?? texts.idle) }),
      isBehind ? make("strong", { class: "behind-mark", text: texts.behindTheHubHas(newest) }) : undefined,
      error ? make("span", { class: "error", text: cut(String(error), 200) }) : undefined);
  });
  return make("li", { class: `member ${member.isPresent ? "present" : "absent"}`, dataset: { member: member.id } },
    make("div", {}, make("span", { class: "state", dataset: { state: member.isPresent ? "running" : "idle" },
      text: member.isPresent ? texts.present : texts.absent }),
      make("strong", { dir: "auto", text: cut(member.name?.trim() || member.id, 100) })),
    make("ul", {}, ...(runs.length ? runs : [make("li", { class: "soft", text: texts.runsNothing })])));
}

/** The interval at which a group's members are requested while they are shown: silence sends no event. */
export const watchEvery = 10_000;

export class Members {
  #id; #list; #ask = 0; #watch;

  constructor(id) {
    this.#id = id;
    this.#list = make("div");
    this.element = make("div", { class: "members" }, this.#list);
  }

  set isShown(value) {
    clearInterval(this.#watch);
    if (value) this.#watch = setInterval(() => this.load(), watchEvery);
  }

  async load() {
    const ask = ++this.#ask;
    try {
      const groups = (await hub.groups())
        .filter(({ streams, name, members }) => (name === "all" || streams?.includes(this.#id)) && members > 0);
      const all = await Promise.all(groups.map(({ name }) => hub.group(name)));
      if (ask !== this.#ask) return;
      const parts = all.map((group) => {
        const wanted = new Map((group.streams ?? []).map((stream) => [stream.id, stream]));
        const members = (group.members ?? []).filter((member) => member.streams?.some(({ id }) => id === this.#id));
        return members.length ? make("section", {},
          make("h3", {}, make("a", { href: `#/groups/${encodeURIComponent(group.name)}`,
          text: texts.groupOf(group.name) })),
          make("ul", { class: "people" }, ...members.map((member) => memberRow(member, wanted, this.#id)))) : undefined;
      }).filter(Boolean);
      this.#list.replaceChildren(...parts.length ? parts
        : [make("p", { class: "soft", text: texts.noAppFollowsThisStreamYet })]);
    } catch (error) {
      this.#list.replaceChildren(make("p", { class: "error", text: error.message }));
    }
  }
}
