// A sink as the gate at the end of the tunnel: what went through it, what waits before it, and what it is blocked by.
import { button, make } from "./dom.js";
import { cut, json } from "./value.js";
import { gate as texts } from "./texts.js";

// The most characters that the page shows of an error, a request, or an item.
const mostShown = 20_000;

const count = new Intl.NumberFormat();

/** The numbers of a sink, and their names. */
const names = { delivered: texts.delivered, waiting: texts.waiting, failed: texts.failed };

/** The state of a sink in words. */
function words({ state, output, retryIn }) {
  const at = output ? texts.atOutput(cut(String(output), 40)) : "";
  switch (state) {
    case "idle": return texts.nothingToDeliver;
    case "delivering": return texts.delivering;
    case "waiting": return texts.triesAgain(Math.max(1, Math.ceil(retryIn ?? 0)), at);
    case "blocked": return texts.blocked(at);
    case "disabled": return texts.off;
    default: return cut(String(state ?? ""), 40);
  }
}

/** Texts that can be long, each under its label and in a box that keys can scroll: `[[label, text], …]`. */
export function boxes(parts) {
  return parts.filter(([, text]) => text !== undefined).flatMap(([label, text]) => [make("h4", { text: label }),
    make("pre", { class: "code box", tabIndex: 0, role: "group", "aria-label": label, dir: "auto",
      text: cut(text, mostShown) })]);
}

/** A value as text for reading: a text as it is, all else as JSON. */
export const readable = (value) => typeof value === "string" ? value : json(value, 76);

export class Gate {
  #parts; #shown; #status; #isActing = false;

  /** `actions`: `act(verb)`, `retry` or `skip`; `letters(isOpen)`: shows or hides the dead letters. */
  constructor(id, actions) {
    const state = make("p", { class: "state" });
    const counts = Object.entries(names).map(([name, text]) => {
      const value = make("dd", { dataset: { count: name }, text: "0" });
      return { name, value, element: make("div", {}, make("dt", { class: "soft", text }), value) };
    });
    const error = make("p", { class: "error", dataset: { error: "" }, hidden: true });
    const sent = make("div");
    const request = make("details", { class: "sent", hidden: true, on: { toggle: () => this.#showRequest() } },
      make("summary", { text: texts.requestAndAnswer }), sent);
    const name = cut(id, 60);
    const retry = button({ text: texts.retryNow, "aria-label": texts.retryNow2(name), hidden: true },
      () => this.#act(actions, "retry"));
    const skip = button({ text: texts.skip, "aria-label": texts.skipOf(name), hidden: true,
      title: texts.movesTheDeliveryToTheDead }, () => this.#act(actions, "skip"));
    const letters = button({ text: texts.deadLetters, kind: "quiet letters-open", "aria-expanded": false }, () => {
      const isOpen = letters.getAttribute("aria-expanded") !== "true";
      letters.setAttribute("aria-expanded", isOpen);
      actions.letters(isOpen);
    });
    this.#parts = { state, counts, error, request, sent, retry, skip, letters };
    this.element = make("div", { class: "sink-gate", role: "group", "aria-label": texts.deliveriesOf(name),
      dataset: { sink: id } },
      make("div", { class: "channel", "aria-hidden": "true" }, make("div", { class: "plate" })),
      make("div", { class: "gate-about" },
        make("div", { class: "gate-line" }, state, make("dl", { class: "counts" }, ...counts.map(({ element }) => element))),
        error, make("div", { class: "gate-do" }, retry, skip, letters), request));
  }

  /** Shows a state of the hub; returns true if it is another one. */
  show(status) {
    const { state, counts, error, request, retry, skip, letters } = this.#parts;
    const key = json(status);
    if (key === this.#shown) return false;
    this.#shown = key;
    this.element.dataset.state = status.state;
    state.dataset.state = status.state;
    state.textContent = words(status);
    for (const { name, value } of counts) value.textContent = count.format(status[name] ?? 0);
    const text = status.error === undefined ? "" : cut(String(status.error), 400);
    if (error.textContent !== text) error.textContent = text;
    error.hidden = !text;
    this.#status = status;
    request.hidden = !text;
    this.#showRequest();
    const isStuck = status.state === "blocked" || status.state === "waiting";
    const hadFocus = [retry, skip].includes(document.activeElement);
    retry.hidden = skip.hidden = !isStuck;
    if (hadFocus && !isStuck) letters.focus();                  // a hidden button loses it
    const dead = status.deadLetters ?? 0;
    letters.firstElementChild.textContent = dead ? texts.deadLetters2(count.format(dead)) : texts.deadLetters;
    return true;
  }

  async #act(actions, verb) {
    if (this.#isActing) return;
    this.#isActing = true;
    await actions.act(verb);
    this.#isActing = false;
  }

  /** The dead letters beside it are shown. */
  set isOpen(value) { this.#parts.letters.setAttribute("aria-expanded", value); }

  // A request is written only where it is seen: there can be many, and long ones.
  #showRequest() {
    const { request, sent } = this.#parts;
    const { error, key, request: content } = this.#status ?? {};
    const parts = request.open && !request.hidden ? [[texts.answer, String(error)],
      [texts.request, content === undefined ? undefined : readable(content)], [texts.idempotencyKey, key]] : [];
    const shown = json(parts);
    if (shown === this.#sent) return;
    this.#sent = shown;
    sent.replaceChildren(...boxes(parts));
  }
  #sent;
}
