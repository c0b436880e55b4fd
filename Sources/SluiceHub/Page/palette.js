// The palette: values that are dragged or sent into the stream. A drag is one of pointers, so that fingers can do it.
import { make } from "./dom.js";
import { paint, plain, typed } from "./value.js";
import { palette as texts } from "./texts.js";

const values = [..."12345678"].map(Number).concat([..."ABCDEFGH"]);

export class Palette {
  #target;

  /** `target`: `over(x, y)` answers whether a ball may fall there and shows where, `drop(node, x, y)`, `leave()`, `append(node)`. */
  constructor(target) {
    this.#target = target;
    const own = make("input", { type: "text", class: "code", placeholder: texts.ownValue,
      "aria-label": texts.ownValueJsonOrText, autocomplete: "off", spellcheck: false });
    const ball = this.#chip(() => typed(own.value), "own");
    const show = () => {
      paint(ball, plain(typed(own.value)));
      ball.disabled = own.value === "";
      ball.setAttribute("aria-label", texts.addOf(own.value));
    };
    own.addEventListener("input", show);
    own.addEventListener("keydown",
      (event) => { if (event.key === "Enter" && own.value !== "") this.#target.append(typed(own.value)); });
    show();
    const chips = make("div", { class: "chips" }, ...values.map((value) => {
      const chip = this.#chip(() => typed(JSON.stringify(value)), String(value));
      paint(chip, value);
      chip.setAttribute("aria-label", texts.addOf(value));
      return chip;
    }));
    this.element = make("div", { class: "palette", role: "group", "aria-label": texts.valuesToDropIntoTheStream },
      chips, make("div", { class: "own" }, own, ball));
  }

  #chip(node, name) {
    const chip = make("button", { type: "button", class: "ball chip", dataset: { chip: name } });
    let ghost, from;
    const end = () => {
      ghost?.remove();
      ghost = from = undefined;
      this.#target.leave();
    };
    chip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || chip.disabled) return;
      from = { x: event.clientX, y: event.clientY };
      chip.setPointerCapture(event.pointerId);
    });
    chip.addEventListener("pointermove", (event) => {
      if (!from || (!ghost && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 5)) return;
      if (!ghost) {
        ghost = chip.cloneNode(true);
        ghost.classList.add("ghost");
        ghost.setAttribute("aria-hidden", "true");
        document.body.append(ghost);
      }
      ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
      ghost.classList.toggle("ready", this.#target.over(event.clientX, event.clientY));
    });
    chip.addEventListener("pointerup", (event) => {
      const wasDragged = ghost !== undefined;
      end();
      if (wasDragged) {
        this.#target.drop(node(), event.clientX, event.clientY);
        chip.dataset.dragged = "";                      // the click that ends a drag is ignored
        setTimeout(() => delete chip.dataset.dragged);
      }
    });
    chip.addEventListener("pointercancel", end);
    chip.addEventListener("click", () => { if (chip.dataset.dragged === undefined) this.#target.append(node()); });
    return chip;
  }
}
