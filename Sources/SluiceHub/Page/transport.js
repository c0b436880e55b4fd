// What one does with a run: play, pause, step, speed, reset, and scrub in virtual time.
import { move } from "./clock.js";
import { button, calmly, icon, make } from "./dom.js";
import { words } from "./list.js";
import { cut, seconds } from "./value.js";

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 100];

export class Transport {
  #actions; #clock; #parts; #isScrubbing = false; #until = 10; #last = 0;

  /** `actions`: `control(what, value)`, `scrub(until)` resolves when the picture is there, `live()`. */
  constructor(clock, actions) {
    this.#clock = clock;
    this.#actions = actions;
    const play = button({ icon: "play", text: "Play", kind: "main play" }, () => this.#play());
    const step = button({ icon: "step", label: "Step to the next event", kind: "round" },
      () => actions.control("step"));
    const reset = button({ icon: "reset", label: "Reset: forget the run", kind: "round" },
      () => actions.control("reset"));
    const speed = make("select", { "aria-label": "Speed", id: "speed",
      on: { change: () => actions.control("speed", { speed: Number(speed.value) }) } },
      ...speeds.map((value) => make("option", { value, text: `${value} ×` })));
    speed.value = "1";
    const state = make("p", { class: "state", role: "status" }),
      time = make("output", { class: "time", text: "0.0 s" });
    const slider = make("input", { type: "range", min: 0, max: 10, step: 0.05, value: 0, id: "scrub",
      "aria-label": "Scrub: the time that is shown", on: {
      input: () => this.#scrub(Number(slider.value)),
    } });
    const until = make("input", { type: "text", inputMode: "decimal", class: "short",
      "aria-label": "Scrub as far as, in seconds", value: "10", on: {
      change: () => this.#reach(Number(until.value)),
    } });
    const live = button({ text: "Live", kind: "pill", id: "live", "aria-pressed": true }, () => this.live());
    const trouble = make("p", { class: "error", role: "status", hidden: true });
    this.#parts = { play, step, reset, speed, state, time, slider, until, live, trouble };
    const zoom = (factor) => () => { clock.zoom = Math.min(8, Math.max(0.05, clock.zoom * factor)); clock.changed(); };
    this.element = make("div", { class: "transport", role: "group", "aria-label": "The run" },
      make("div", { class: "controls" }, play, step, reset, speed, state),
      make("div", { class: "scrub" }, live, slider, time, make("label", { class: "until soft" }, "of ", until, " s"),
        make("div", { class: "zoom" },
          button({ text: "−", kind: "round", "aria-label": "Draw a second shorter" }, zoom(1 / 1.4)),
          button({ text: "+", kind: "round", "aria-label": "Draw a second longer" }, zoom(1.4)))), trouble);
    this.#picture = calmly(120, () => this.#draw());
    clock.join(this);
  }
  #picture;

  get isScrubbing() { return this.#isScrubbing; }

  close() {
    this.#clock.leave(this);
    this.#picture.stop();
  }

  /** Shows the state of the run. */
  update(run) {
    const { state, speed, error, warning, waiting, lag, skipped } = run;
    const isOver = state === "completed" || state === "failed";
    if (run.run !== this.#run?.run) this.#end = undefined;
    this.#run = run;
    const time = this.#end ?? run.time;
    const { trouble } = this.#parts;
    const late = lag && `Behind by ${seconds(Math.round(lag * 10) / 10)}`;
    const left = skipped && `${skipped} overdue ${skipped === 1 ? "tick" : "ticks"} skipped`;
    trouble.textContent = [error, warning, waiting && `Waiting for ${waiting}`, late, left].filter(Boolean).map((text) => cut(String(text), 500)).join("\n");
    trouble.hidden = !trouble.textContent;
    const { play, speed: select } = this.#parts;
    const goes = state === "running" || state === "restarting";
    play.replaceChildren(icon(goes ? "pause" : "play"),
      make("span", { text: goes ? "Pause" : state === "paused" ? "Resume" : state === "idle" || state === "blocked"
      ? "Play" : "Play again" }));
    play.dataset.does = goes ? "pause" : state === "paused" ? "resume" : "start";
    play.disabled = state === "blocked";
    this.#parts.step.disabled = state === "blocked";
    this.#parts.reset.disabled = state === "idle" || state === "blocked";
    if (document.activeElement !== select && speed) {
      if (!speeds.includes(speed)) select.append(make("option", { value: speed, text: `${speed} ×` }));
      select.value = String(speed);
    }
    this.#name(state, isOver && time !== undefined ? `${words[state]} at ${seconds(time)}` : words[state] ?? state);
    move(this);
  }

  /** The output ended at this time, to the point. */
  ended(time) {
    this.#end = time;
    if (this.#run) this.update(this.#run);
  }
  #end; #run;

  #name(state, text) {
    if (this.#isScrubbing) [state, text] = ["scrub", "a virtual run, of this page only"];
    const { state: element } = this.#parts;
    element.dataset.state = state;
    if (element.textContent !== text) element.textContent = text;
  }

  #play() {
    if (this.#isScrubbing) this.live();
    this.#actions.control(this.#parts.play.dataset.does ?? "start");
  }

  /** The time and the slider follow the run. */
  draw(now) {
    const time = this.#clock.time(now);
    if (Math.abs(time - this.#last) < 0.05 && this.#clock.isMoving(now)) return true;
    this.#last = time;
    this.#parts.time.textContent = `${time.toFixed(time < 100 ? 1 : 0)} s`;
    if (!this.#isScrubbing) {
      const { slider } = this.#parts;
      slider.max = Math.max(10, Math.ceil(time));
      slider.value = time;
      slider.setAttribute("aria-valuetext", seconds(Math.round(time * 10) / 10));
      if (document.activeElement !== this.#parts.until) this.#parts.until.value = slider.max;
    }
    return this.#clock.isMoving(now);
  }

  async #scrub(time) {
    const { slider, live } = this.#parts;
    slider.setAttribute("aria-valuetext", seconds(time));
    if (!this.#isScrubbing) {
      this.#isScrubbing = true;
      this.#until = Number(slider.max);
      live.setAttribute("aria-pressed", false);
      this.#name();
      await this.#draw();
    }
    this.#clock.stand(Number(slider.value));
  }

  async #draw() {
    if (!this.#isScrubbing) return;
    if (!await this.#actions.scrub(this.#until)) return this.live();
    if (this.#isScrubbing) this.#clock.stand(Number(this.#parts.slider.value));
  }

  #reach(until) {
    if (!(until > 0 && until <= 1e6)) return void (this.#parts.until.value = this.#parts.slider.max);
    this.#parts.slider.max = until;
    this.#until = until;
    if (this.#isScrubbing) this.#draw();
    else this.#scrub(Number(this.#parts.slider.value));
  }

  /** The draft has changed: so has its virtual run. */
  edited() { if (this.#isScrubbing) this.#picture(); }

  /** Back to the run that everybody sees. */
  live() {
    if (!this.#isScrubbing) return;
    this.#isScrubbing = false;
    this.#parts.live.setAttribute("aria-pressed", true);
    this.#actions.live();
  }
}
