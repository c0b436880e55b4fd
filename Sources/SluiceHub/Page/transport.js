// What one does with a run: play, pause, step, speed, reset, and scrub in virtual time.
import { move } from "./clock.js";
import { button, icon, make } from "./dom.js";
import { words } from "./list.js";
import { cut, seconds } from "./value.js";
import { transport as texts } from "./texts.js";

/** The time that a virtual run has at least, in seconds. */
const leastReach = 10;

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 100];

export class Transport {
  #actions; #clock; #parts; #mode = "live"; #until = leastReach; #isReachSet = false; #last = 0; #label = "";

  /**
   * `actions`: `control(what, value)`; `draw()`, a virtual run is wanted, or another part of it; `more()`, what follows
   * where it is cut off; `live()`, the person goes back to the run of the hub.
   */
  constructor(clock, actions) {
    this.#clock = clock;
    this.#actions = actions;
    const play = button({ icon: "play", text: texts.play, kind: "main play" }, () => this.#play());
    const step = button({ icon: "step", label: texts.stepToTheNextEvent, kind: "round" },
      () => actions.control("step"));
    const reset = button({ icon: "reset", label: texts.resetForgetTheRun, kind: "round" },
      () => actions.control("reset"));
    const speed = make("select", { "aria-label": texts.speed, id: "speed",
      on: { change: () => actions.control("speed", { speed: Number(speed.value) }) } },
      ...speeds.map((value) => make("option", { value, text: `${value} ×` })));
    speed.value = "1";
    const state = make("p", { class: "state", role: "status" }),
      time = make("output", { class: "time", text: texts.n00S });
    const slider = make("input", { type: "range", min: 0, max: 10, step: 0.05, value: 0, id: "scrub",
      "aria-label": texts.scrubTheTimeThatIsShown, on: {
      input: () => this.#scrub(Number(slider.value)),
    } });
    const until = make("input", { type: "text", inputMode: "decimal", class: "short",
      "aria-label": texts.scrubAsFarAsInSeconds, value: "10", on: {
      change: () => this.#reach(Number(until.value)),
    } });
    const live = button({ text: texts.live, kind: "pill", id: "live", "aria-pressed": true }, () => this.live());
    const trouble = make("p", { class: "error", role: "status", hidden: true });
    const cutText = make("span"), end = make("p", { class: "cut soft", role: "status", hidden: true }, cutText,
      button({ text: texts.continue, kind: "pill", id: "continue" }, () => actions.more()));
    this.#parts = { play, step, reset, speed, state, time, slider, until, live, trouble, end, cutText };
    const zoom = (factor) => () => { clock.zoom *= factor; };
    const direction = button({ text: "⇄", kind: "round", id: "direction", "aria-label": texts.theNewestValuesAtTheLeft, title: texts.theNewestValuesAtTheLeft,
      "aria-pressed": clock.isReversed }, () => {
      clock.isReversed = !clock.isReversed;
      direction.setAttribute("aria-pressed", clock.isReversed);
    });
    const along = make("input", { type: "range", min: 0, step: 0.01, value: 0, class: "along", hidden: true, "aria-label": texts.scrollAlongTheTime,
      on: { input: () => clock.scroll(Number(along.value)) } });
    this.#parts.along = along;
    // Where there is little room the transport is one row at the bottom, and this button shows the rest.
    const rest = button({ icon: "more", label: texts.moreOfTheRun, kind: "round rest", "aria-expanded": false }, () => {
      rest.setAttribute("aria-expanded", this.element.classList.toggle("unfolded"));
    });
    this.element = make("div", { class: "transport", role: "group", "aria-label": texts.theRun },
      make("div", { class: "controls" }, play, make("div", { class: "controls-rest" }, step, reset, speed), state),
      make("div", { class: "scrub" }, live, slider, time,
        make("div", { class: "scrub-rest" }, make("label", { class: "until soft" }, texts.of, until, texts.s),
          make("div", { class: "zoom" },
            button({ text: "−", kind: "round", "aria-label": texts.drawASecondShorter }, zoom(1 / 1.4)),
            button({ text: "+", kind: "round", "aria-label": texts.drawASecondLonger }, zoom(1.4))), direction), rest), along, end, trouble);
    clock.join(this);
  }

  /** True while the person looks at moments of a virtual run. */
  get isScrubbing() { return this.#mode === "scrub"; }

  close() { this.#clock.leave(this); }

  /** Returns the time up to which a virtual run is drawn; `last` is the time of the last item. */
  reach(last) {
    if (this.#mode !== "scrub" && !this.#isReachSet) this.#until = Math.max(leastReach, Math.ceil(last * 1.1 + 1));
    return this.#until;
  }

  /**
   * A virtual run is in the tunnels. `end`: the time at which it has ended, if it has; `cutAt`: the time at which it is cut
   * off; `label`: which run it is.
   */
  drew({ end = this.#until, cutAt, label }) {
    const { slider, end: line, cutText } = this.#parts;
    this.#label = label;
    slider.max = this.#until;
    if (this.#mode !== "scrub") {
      this.#mode = "draft";
      slider.value = Math.min(end, cutAt ?? end, this.#until);
    }
    line.hidden = cutAt === undefined;
    cutText.textContent = cutAt === undefined ? "" : texts.theVirtualRunIsCutOff(seconds(cutAt));
    this.#parts.live.setAttribute("aria-pressed", false);
    this.#name();
    const time = Number(slider.value);
    this.#clock.stand(this.#mode === "draft" && time === end ? time + this.#clock.rest : time);
  }

  /** The words for the virtual run that is in the tunnels. */
  set label(text) {
    this.#label = text;
    if (this.#mode !== "live") this.#name();
  }

  /** The run of the hub is in the tunnels again. */
  left() {
    this.#mode = "live";
    this.#parts.end.hidden = true;
    this.#parts.live.setAttribute("aria-pressed", true);
    if (this.#run) this.update(this.#run);
  }

  /** Shows the state of the run. */
  update(run) {
    const { state, speed, error, warning, waiting, lag, skipped } = run;
    const isOver = state === "completed" || state === "failed";
    if (run.run !== this.#run?.run) this.#end = undefined;
    this.#run = run;
    const time = this.#end ?? run.time;
    const { trouble } = this.#parts;
    const late = lag && texts.behindBy(seconds(Math.round(lag * 10) / 10));
    const left = skipped && texts.ticksSkipped(skipped);
    trouble.textContent = [error, warning, waiting && texts.waitingFor(waiting), late, left].filter(Boolean).map((text) => cut(String(text), 500)).join("\n");
    trouble.hidden = !trouble.textContent;
    const { play, speed: select } = this.#parts;
    const goes = state === "running" || state === "restarting";
    play.replaceChildren(icon(goes ? "pause" : "play"),
      make("span", { text: goes ? texts.pause : state === "paused" ? texts.resume : state === "idle" || state === "blocked"
      ? texts.play : texts.playAgain }));
    play.dataset.does = goes ? "pause" : state === "paused" ? "resume" : "start";
    play.disabled = state === "blocked";
    this.#parts.step.disabled = state === "blocked";
    this.#parts.reset.disabled = state === "idle" || state === "blocked";
    if (document.activeElement !== select && speed) {
      if (!speeds.includes(speed)) select.append(make("option", { value: speed, text: `${speed} ×` }));
      select.value = String(speed);
    }
    this.#name(state, isOver && time !== undefined ? texts.atOf(words[state], seconds(time)) : words[state] ?? state);
    move(this);
  }

  /** The output ended at this time, to the point. */
  ended(time) {
    this.#end = time;
    if (this.#run) this.update(this.#run);
  }
  #end; #run;

  #name(state, text) {
    if (this.#mode !== "live") [state, text] = ["scrub", this.#label];
    const { state: element } = this.#parts;
    element.dataset.state = state;
    if (element.textContent !== text) element.textContent = text;
  }

  #play() {
    this.live();
    this.#actions.control(this.#parts.play.dataset.does ?? "start");
  }

  /** The time and the slider follow the run. */
  draw(now) {
    const time = this.#clock.time(now);
    this.#drawAlong(now);
    if (Math.abs(time - this.#last) < 0.05 && this.#clock.isMoving(now)) return true;
    this.#last = time;
    this.#parts.time.textContent = texts.sOf(time.toFixed(time < 100 ? 1 : 0));
    if (this.#mode === "live") {
      const { slider } = this.#parts;
      slider.max = Math.max(leastReach, Math.ceil(time));
      slider.value = time;
      slider.setAttribute("aria-valuetext", seconds(Math.round(time * 10) / 10));
      if (document.activeElement !== this.#parts.until) this.#parts.until.value = slider.max;
    }
    return this.#clock.isMoving(now);
  }

  // Shows the scroll bar if a part of the axis is out of view.
  #drawAlong(now) {
    const { along } = this.#parts, clock = this.#clock, most = Math.max(clock.last, clock.time(now)) - clock.seen * 0.5;
    const isWhole = clock.isReversed || (clock.last <= clock.seen * 1.02 && clock.start(now) === 0);
    along.hidden = false;
    along.classList.toggle("unneeded", isWhole);
    along.disabled = isWhole;
    if (isWhole || document.activeElement === along && along.matches(":active")) return;
    along.max = Math.max(0.1, most);
    along.value = clock.start(now);
    along.setAttribute("aria-valuetext", texts.fromOn(seconds(Math.round(clock.start(now) * 10) / 10)));
  }

  #scrub(time) {
    const { slider } = this.#parts, was = this.#mode;
    slider.setAttribute("aria-valuetext", seconds(time));
    this.#mode = "scrub";
    if (was === "live") {
      this.#until = Number(slider.max);
      this.#label = texts.aVirtualRunOfThisPage;
      this.#parts.live.setAttribute("aria-pressed", false);
      this.#name();
      this.#actions.draw();
    } else {
      this.#clock.stand(time);
    }
  }

  #reach(until) {
    if (!(until > 0 && until <= 1e6)) return void (this.#parts.until.value = this.#parts.slider.max);
    const was = this.#mode;
    this.#parts.slider.max = this.#until = until;
    this.#isReachSet = true;
    this.#mode = "scrub";
    if (was === "live") this.#label = texts.aVirtualRunOfThisPage;
    this.#actions.draw();
  }

  /** Back to the run that everybody sees. */
  live() {
    if (this.#mode === "live") return;
    this.left();
    this.#actions.live();
  }
}
