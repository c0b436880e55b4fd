// The tokens of users: who may do what in this hub.
import { button, make } from "./dom.js";
import { hub } from "./hub.js";
import { tokens as texts } from "./texts.js";

const roles = [["read", texts.readLooksAtEverything], ["run", texts.runAlsoStartsAndStopsStreams],
  ["edit", texts.editAlsoChangesStreamsAndGroups], ["admin", texts.adminAlsoCreatesAndRevokesTokens]];

export class TokensView {
  name = texts.tokens;
  #page; #parts;

  constructor(page) {
    this.#page = page;
    const list = make("ul", { class: "assigned", id: "token-list" });
    const made = make("div", { role: "status", id: "new-token" });
    const name = make("input", { type: "text", required: true, maxLength: 100, autocomplete: "off", id: "token-name",
      pattern: "[A-Za-z0-9._+@\\-]+", title: texts.lettersDigitsAnd });
    const role = make("select", { id: "token-role" },
      ...roles.map(([value, text]) => make("option", { value, text })));
    const form = make("form", { class: "token-form", on: { submit: (event) => {
      event.preventDefault();
      this.#create(name.value, role.value).then((isMade) => { if (isMade) name.value = ""; });
    } } },
      make("div", { class: "field" }, make("label", { htmlFor: "token-name", text: texts.name }), name),
      make("div", { class: "field" }, make("label", { htmlFor: "token-role", text: texts.role }), role),
      button({ text: texts.createAToken, kind: "main", type: "submit" }, () => {}));
    this.#parts = { list, made };
    this.element = make("div", { class: "group", "aria-busy": "true" },
      make("header", { class: "stream-head" },
        make("a", { class: "button quiet back", href: "#/", text: texts.allStreams }),
        make("div", { class: "stream-title" }, make("h1", { text: texts.tokens, tabIndex: -1 }),
          make("p", { class: "soft", text: texts.aTokenGivesAPersonOr }))),
      list, make("h2", { text: texts.newToken }), form, made);
  }

  open() { this.load(); }
  close() {}
  members() {}
  back() { this.load(); }

  async load() {
    try {
      const tokens = await hub.tokens();
      this.#parts.list.replaceChildren(...tokens.length ? tokens.map((token) => this.#row(token))
        : [make("li", { class: "soft", text: texts.noTokensYetBesidesTheOne })]);
    } catch (error) {
      this.#page.trouble(error);
    }
    this.element.removeAttribute("aria-busy");
  }

  #row({ name, role, created }) {
    return make("li", { dataset: { token: name } }, make("strong", { dir: "auto", text: name }),
      make("span", { class: "soft", text: texts.sinceOf(role, new Date(created).toLocaleDateString()) }),
      button({ icon: "cross", label: texts.revokeTheTokenOf(name), kind: "quiet" }, async () => {
        try { await hub.revokeToken(name); } catch (error) { this.#page.trouble(error); }
        this.load();
      }));
  }

  async #create(name, role) {
    try {
      const { token } = await hub.createToken(name, role);
      this.#parts.made.replaceChildren(make("p", { text: texts.copyThisTokenNowTheHub }),
        make("code", { text: token }));
      this.load();
      return true;
    } catch (error) {
      this.#page.trouble(error);
      return false;
    }
  }
}
