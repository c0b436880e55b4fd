// The document as text, with its errors at line and column.
import { button, make, nextFrame } from "./dom.js";
import { read, write } from "./json.js";
import { said, turning } from "./value.js";
import { text as texts } from "./texts.js";

const mostMarked = 100_000;

export class JSONText {
  #draft; #input; #marks; #error; #shown; #isTyping = false;

  constructor(draft) {
    this.#draft = draft;
    this.#input = make("textarea", { class: "code text", spellcheck: false, "aria-label": texts.theStreamAsJson,
      autocapitalize: "off", autocomplete: "off" });
    this.#marks = make("pre", { class: "code marks", "aria-hidden": "true" });
    this.#error = make("ul", { class: "errors" });
    const edit = nextFrame(() => this.#edit(false));
    this.#input.addEventListener("input", () => { this.#isTyping = true; this.#paint(); edit(); });
    this.#input.addEventListener("change", () => { edit.stop(); this.#edit(true); });
    this.#input.addEventListener("scroll",
      () => { this.#marks.style.transform = `translateY(${-this.#input.scrollTop}px)`; });
    this.#input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { edit.stop(); this.#edit(true); }
    });
    this.element = make("div", { class: "json" },
      make("div", { class: "paper" }, this.#marks, this.#input), make("div", { role: "status" }, this.#error),
      make("p", { class: "soft" }, texts.theDocumentIsCheckedWhileYou,
        button({ text: texts.tidy, kind: "quiet" }, () => this.#tidy())));
  }

  #edit(isFinished) {
    const { value } = this.#input;
    this.#isTyping = false;
    this.#shown = value;
    // An edit back to the hub's document restores the hub's formatting.
    this.#draft.change(value === this.#pretty(this.#draft.stored) ? this.#draft.stored : value, { isFinished });
  }

  #tidy() { this.#draft.edit(() => {}, { isFinished: false }); }

  // A text in one line is shown in lines, and one with signs that turn its direction with escapes for them.
  #pretty(text) {
    if (text === undefined || (text.trim().includes("\n") && text.search(turning) < 0)) return text;
    try { return write(read(text)); } catch { return text; }
  }

  update() {
    const draft = this.#draft;
    // What one types stays as it is typed, and is the draft in a moment.
    if (this.#isTyping) return;
    const isTyped = draft.text === this.#shown && this.#input.value === this.#shown;
    const text = isTyped ? draft.text : this.#pretty(draft.text);
    if (this.#input.value !== text) {
      const { selectionStart, selectionEnd, scrollTop } = this.#input;
      this.#input.value = text;
      if (document.activeElement === this.#input) this.#input.setSelectionRange(selectionStart, selectionEnd);
      this.#input.scrollTop = scrollTop;
    }
    this.#shown = text;
    // The hub's places are those of the text that it was given.
    const isSame = this.#input.value === draft.text;
    const faults = draft.fault ? [{ line: draft.fault.line, column: draft.fault.column, message: draft.fault.message }]
      : draft.errors;
    this.#error.replaceChildren(...faults.slice(0, 20)
      .map(({ path, line, column, message, hint }) => make("li", { class: "error" },
      line && (isSame || draft.fault)
        ? button({ text: `${line}:${column}`, kind: "quiet code",
        "aria-label": texts.goToLineColumn(line, column) }, () => this.#go(line, column)) : undefined,
      ` ${said({ path: draft.fault ? "" : path, message, hint })}`)));
    this.#wrong = new Set(isSame || draft.fault ? faults.map(({ line }) => line) : []);
    this.#input.setAttribute("aria-invalid", faults.length > 0);
    this.#paint();
  }
  #wrong = new Set();

  // The lines with errors are marked behind the text.
  #paint() {
    const { value } = this.#input;
    if (!this.#wrong.size || value.length > mostMarked) return this.#marks.replaceChildren();
    this.#marks.replaceChildren(...value.split("\n")
      .map((line, index) => make("span",
      { class: this.#wrong.has(index + 1) ? "wrong" : undefined, text: `${line || " "}\n` })));
  }

  #go(line, column) {
    const lines = this.#input.value.split("\n");
    const at = lines.slice(0, line - 1)
      .reduce((sum, one) => sum + one.length + 1, 0) + [...lines[line - 1] ?? ""].slice(0, column - 1).join("").length;
    this.#input.focus();
    this.#input.setSelectionRange(at, at);
  }
}
