// The revisions of a stream: look at one, and put it in place again.
import { difference, even, marked } from "./diff.js";
import { button, make } from "./dom.js";
import { planList } from "./draftbar.js";
import { Away, hub } from "./hub.js";
import { cut } from "./value.js";

const mostShown = 200;
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export class History {
  #draft; #page; #list; #look; #ask = 0;

  constructor(draft, page) {
    this.#draft = draft;
    this.#page = page;
    this.#list = make("ol", { class: "revisions" });
    this.#look = make("div", { class: "look", hidden: true, tabIndex: -1 });
    this.element = make("div", { class: "history" }, this.#look, this.#list);
  }

  async load() {
    const ask = ++this.#ask;
    try {
      const revisions = await hub.revisions(this.#draft.id);
      if (ask !== this.#ask) return;
      this.#list.replaceChildren(...revisions.slice(0, mostShown)
        .map((revision, index) => make("li", { dataset: { revision: revision.revision } },
        make("div", {}, make("strong", { text: revision.isDeleted ? `${revision.revision}, deleted`
          : String(revision.revision) }),
          make("span", { class: "soft", dir: "auto", text: ` ${cut(revision.author ?? "", 60)}` }),
          make("time", { class: "soft", dateTime: revision.time, text: this.#time(revision.time) })),
        index || revision.isDeleted ? undefined : make("span", { class: "soft", text: "as it is" }),
        revision.isDeleted ? undefined : button({ text: "Look", kind: "quiet",
          "aria-label": `Look at revision ${revision.revision}` }, () => this.#show(revision)))),
      revisions.length > mostShown ? make("li", { class: "soft", text: `and ${revisions.length - mostShown} older` })
        : "");
    } catch (error) {
      this.#list.replaceChildren(make("li", { class: "error", text: error.message }));
    }
  }

  #time(text) {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? "" : clock.format(time);
  }

  async #show({ revision }) {
    try {
      const { text } = await hub.revision(this.#draft.id, revision);
      const lines = difference(even(text), even(this.#draft.stored));
      const plan = make("div");
      this.#look.replaceChildren(...[
        make("h3", { text: `Revision ${revision}` }),
        revision === this.#draft.revision ? undefined
          : make("p", { class: "soft", text: "− is in this revision, + is in the one as it is." }),
        marked(lines, ["old", "new"], `Revision ${revision} beside the one as it is`), plan,
        make("div", { class: "draft-do" }, button({ text: "Close" }, () => { this.#look.hidden = true; }),
          revision === this.#draft.revision ? undefined
            : button({ text: "Roll back to it", kind: "main", id: "rollback" }, () => this.#rollBack(revision))),
      ].filter(Boolean));
      this.#look.hidden = false;
      this.#look.focus();
      if (revision === this.#draft.revision) return;
      const answer = await hub.plan(this.#draft.id, text);
      if (answer.steps) plan.replaceChildren(make("h3", { text: "Effect of the rollback on the run" }),
        planList(answer));
    } catch (error) {
      if (error instanceof Away) this.#page.lost(); else this.#page.trouble(error);
    }
  }

  async #rollBack(revision) {
    try {
      await this.#draft.rollback(revision);
      this.#look.hidden = true;
      this.#page.note(`Revision ${revision} is in place again, as revision ${this.#draft.revision}.`);
      this.load();
    } catch (error) {
      this.#page.trouble(error);
    }
  }
}
