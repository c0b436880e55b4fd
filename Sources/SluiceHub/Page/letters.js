// Dead letters: deliveries that were given up. List them, look into one, send it again, or drop it.
import { ask } from "./dialogs.js";
import { arrange, button, make } from "./dom.js";
import { boxes, readable } from "./gate.js";
import { hub } from "./hub.js";
import { cut } from "./value.js";
import { letters as texts } from "./texts.js";

// The most letters that the hub sends at a time.
const page = 100;
// It sends fewer if they are large, but never in an answer that is shorter than this: its limit is eight times as much.
const large = 1 << 20;
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function moment(text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? "" : clock.format(time);
}

export class Letters {
  #stream; #sink; #actions; #rows = new Map(); #parts; #ask = 0; #isOpen = false; #isSending = false;
  // The starts of the pages up to the one that is shown: the letter before each, and the number of letters before it.
  #starts = [{ after: 0, seen: 0 }];

  /**
   * Those of one sink, or without one those of the stream. `actions`: `changed()`, `trouble(error)`, and `total()`: the
   * number of letters, if it is known.
   */
  constructor(stream, sink, actions) {
    this.#stream = stream;
    this.#sink = sink;
    this.#actions = actions;
    const about = make("p", { class: "soft", role: "status" }), list = make("ol", { class: "letter-list" });
    const back = button({ text: texts.previous, hidden: true }, () => { this.#starts.pop(); this.load(true); });
    const next = button({ text: texts.next, hidden: true }, () => {
      const after = [...this.#rows.keys()].at(-1);
      if (after !== undefined) this.#starts.push({ after, seen: this.#starts.at(-1).seen + this.#rows.size });
      this.load(true);
    });
    this.#parts = { about, list, back, next };
    const label = sink === undefined ? texts.allDeadLetters : texts.deadLettersOf(cut(sink, 60));
    this.element = make("section", { class: "letters", "aria-label": label, hidden: true, tabIndex: -1 }, about, list,
      make("div", { class: "draft-do" }, back, next));
  }

  get isOpen() { return this.#isOpen; }
  /** True while one that is shown is being sent again: it is about to go, or to come back with another error. */
  get isSending() { return this.#isOpen && this.#isSending; }

  set isOpen(value) {
    this.#isOpen = value;
    this.element.hidden = !value;
    this.#starts = [{ after: 0, seen: 0 }];
    if (value) this.load();
  }

  /** Loads the page of letters that is shown. `isLast`: the next one was just found to be empty. */
  async load(isTurned = false, isLast = false) {
    if (!this.#isOpen) return;
    const request = ++this.#ask;
    try {
      const { letters, length } = await hub.deadLetters(this.#stream, this.#sink, this.#starts.at(-1).after);
      if (request !== this.#ask || !this.#isOpen) return;
      if (!letters.length && this.#starts.length > 1) {
        this.#starts.pop();
        return void await this.load(isTurned, true);
      }
      this.#show(letters, !isLast && this.#mayHaveMore(letters.length, length));
      if (isTurned) { this.#parts.list.scrollTop = 0; this.element.focus(); }
    } catch (error) {
      this.#actions.trouble(error);
    }
  }

  // True if letters may follow the page that is shown, of so many letters in an answer of this length.
  #mayHaveMore(count, length) {
    if (!count || (count < page && length < large)) return false;
    return this.#starts.at(-1).seen + count !== this.#actions.total();
  }

  #show(letters, mayHaveMore) {
    const { about, list, back, next } = this.#parts;
    const rows = new Map(letters.map((letter) => {
      const row = this.#rows.get(letter.number) ?? new Row(letter, this.#sink === undefined, this.#do);
      row.show(letter);
      return [letter.number, row];
    }));
    const lost = [...this.#rows.values()].find((row) => row.element.contains(document.activeElement));
    const places = [...this.#rows.keys()];
    this.#rows = rows;
    this.#isSending = letters.some(({ isResending }) => isResending);
    arrange(list, [...rows.values()].map(({ element }) => element));
    // The focus goes on to the letter after one that is gone.
    if (lost && !rows.has(lost.number)) {
      const after = places.slice(places.indexOf(lost.number)).find((number) => rows.has(number));
      (rows.get(after) ?? [...rows.values()].at(-1))?.focus() ?? this.element.focus();
    }
    const number = this.#starts.length, isOnly = number === 1 && !mayHaveMore;
    const text = !letters.length ? texts.noDeadLettersNoDeliveryWas
      : isOnly ? texts.deadLetters(letters.length) : texts.pageTheOldestFirst(number);
    if (about.textContent !== text) about.textContent = text;
    back.hidden = number === 1;
    next.hidden = !mayHaveMore;
  }

  #do = {
    read: (number) => hub.deadLetter(this.#stream, number),
    resend: (number) => this.#act(() => hub.resendDeadLetter(this.#stream, number)),
    drop: (number) => ask({
      title: texts.dropDeadLetter(number), about: texts.itsDeliveryIsGivenUpFor,
      action: texts.drop, act: async () => {
        await hub.dropDeadLetter(this.#stream, number);
        this.#after();
      },
    }),
    trouble: (error) => { this.#actions.trouble(error); if (error.status === 404) this.load(); },
  };

  async #act(action) {
    try {
      await action();
    } catch (error) {
      this.#actions.trouble(error);
    }
    this.#after();
  }

  #after() {
    this.load();
    this.#actions.changed();
  }
}

// One letter.
class Row {
  #parts; #actions; #isShown = false;

  constructor({ number, sink }, hasSink, actions) {
    this.number = number;
    this.#actions = actions;
    const time = make("time", { class: "soft" }), output = make("span", { class: "soft code" });
    const sending = make("span", { class: "soft", text: texts.isBeingSentAgain, hidden: true });
    const error = make("p", { class: "error" }), detail = make("div", { class: "letter-detail", hidden: true });
    const inspect = button({ text: texts.inspect, kind: "quiet", "aria-expanded": false,
      "aria-label": texts.inspectDeadLetter(number) }, () => this.#inspect());
    const resend = button({ text: texts.resend, kind: "quiet", "aria-label": texts.resendDeadLetter(number) },
      () => actions.resend(number));
    const drop = button({ text: texts.drop, kind: "quiet", "aria-label": texts.dropDeadLetter2(number) },
      () => actions.drop(number));
    this.#parts = { time, output, sending, error, detail, inspect, resend };
    this.element = make("li", { dataset: { letter: number } },
      make("div", { class: "letter-head" }, make("strong", { text: texts.noOf(number) }),
        hasSink ? make("span", { class: "code", dir: "auto", text: cut(String(sink), 60) }) : undefined,
        output, time, sending, make("div", { class: "letter-do" }, inspect, resend, drop)), error, detail);
  }

  focus() { this.#parts.inspect.focus(); return true; }

  show(letter) {
    const { time, output, sending, error, resend, inspect } = this.#parts;
    if (letter.isResending && document.activeElement === resend) inspect.focus();     // a disabled button loses it
    output.textContent = texts.outputOf(cut(String(letter.output), 40));
    time.dateTime = letter.time;
    time.textContent = moment(letter.time);
    sending.hidden = !letter.isResending;
    resend.disabled = letter.isResending === true;
    error.textContent = cut(String(letter.error), 300);
    if (this.#isShown && letter.attempt !== this.#attempt) this.#load();
  }
  #attempt;

  #inspect() {
    const { detail, inspect } = this.#parts;
    this.#isShown = detail.hidden;
    detail.hidden = !this.#isShown;
    inspect.setAttribute("aria-expanded", this.#isShown);
    if (this.#isShown) this.#load(); else detail.replaceChildren();
  }

  async #load() {
    try {
      const { error, key, attempt, request, items } = await this.#actions.read(this.number);
      if (!this.#isShown) return;
      this.#attempt = attempt;
      this.#parts.detail.replaceChildren(
        ...boxes([[texts.error, String(error)], [texts.items, items?.map(readable).join("\n")],
          [texts.request, request === undefined ? undefined : readable(request)], [texts.idempotencyKey, key]]),
        make("p", { class: "soft", text: attempt === 1 ? texts.theFirstRequestOfThisDelivery
          : texts.requestOfThisDelivery(attempt) }));
    } catch (error) {
      this.#actions.trouble(error);
    }
  }
}
