// A gallery: templates, each with a picture of what it does, and the seed's streams.
import { button, make } from "./dom.js";
import { hub } from "./hub.js";
import { shapes, svg } from "./picture.js";
import { documentOf, templates } from "./templates.js";
import { gallery as texts, seedTexts } from "./texts.js";

/** The time that a picture shows, in seconds. */
const until = 7;

export class GalleryView {
  #page; #isClosed = false;

  constructor(page) {
    this.#page = page;
    const seeds = page.heads().filter(({ id, isDefault }) => isDefault && seedTexts[id]);
    this.element = make("div", { class: "gallery" },
      make("header", { class: "stream-head" }, make("a", { class: "button quiet back", href: "#/", text: texts.allStreams }),
        make("div", { class: "stream-title" }, make("h1", { text: texts.templates, tabIndex: -1 }),
          make("p", { class: "soft", text: texts.eachOpensAsAStreamOf }))),
      make("h2", { class: "visually-hidden", text: texts.withSampleData }), make("ul", { class: "templates" }, ...templates.map((template) => this.#card(template))),
      seeds.length ? make("h2", { text: texts.fromTheSeed }) : undefined,
      seeds.length ? make("ul", { class: "templates seeds" }, ...seeds.map(({ id, name }) => make("li", { class: "template" },
        make("h3", {}, make("a", { href: `#/streams/${encodeURIComponent(id)}`, text: name })), make("p", { class: "soft code", text: seedTexts[id] })))) : undefined);
  }

  open() { this.#draw(); }
  close() { this.#isClosed = true; }
  members() {}

  #card(template) {
    const picture = make("div", { class: "template-picture", "aria-hidden": "true", dataset: { template: template.key } });
    const use = button({ text: texts.useIt, kind: "main", "aria-label": texts.useIt2(template.title) }, async () => {
      use.disabled = true;
      try { await this.#page.useTemplate(JSON.stringify(documentOf(template), null, 2)); } catch (error) { this.#page.trouble(error); }
      use.disabled = false;
    });
    return make("li", { class: "template" }, make("h3", { text: template.title }), make("p", { class: "soft", text: template.about }), picture, use);
  }

  // One after another, so that the hub is asked for one picture at a time.
  async #draw() {
    for (const template of templates) {
      if (this.#isClosed) return;
      try {
        const { rows } = await hub.picture(JSON.stringify(template.document), until);
        const first = rows[0], last = rows.at(-1);
        const drawing = svg(shapes([{ ...first, name: "in" }, { ...last, name: "out" }], { width: 320, until, isSmall: true }));
        this.element.querySelector(`[data-template="${template.key}"]`)
          .replaceChildren(new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement);
      } catch (error) {
        return this.#page.trouble(error);
      }
    }
  }
}
