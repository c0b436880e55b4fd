// The items of a stream as balls on a time axis: drag one to change its delay.
import { calm } from "./clock.js";
import { arrange, button, make } from "./dom.js";
import * as edits from "./document.js";
import { Field, isAt, showErrors } from "./fields.js";
import { copy, write } from "./json.js";
import { ItemList } from "./itemlist.js";
import { Palette } from "./palette.js";
import { cut, numeral, paint, plain, seconds, whole } from "./value.js";
import { items as texts } from "./texts.js";

const mostBalls = 300;
const spacings = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 36000, 86400];
const snap = 0.05;
/** The time that a drag without a hand takes, in milliseconds. */
const dragTime = 700;

export class Items {
  #draft; #track; #balls = []; #range = 6; #drag; #detail; #fields; #selected; #label; #rest; #error; #isColored = false; #width = 0;

  /** `clock`: that of the tunnels, with whose axis this one is aligned. */
  constructor(draft, clock) {
    this.#draft = draft;
    this.#clock = clock;
    clock?.join(this);
    this.#label = make("div", { class: "drop", hidden: true });
    this.#track = make("div", { class: "axis-balls" });
    this.#ticks = make("div", { class: "axis-ticks", "aria-hidden": "true" });
    this.axis = make("div", { class: "axis", role: "group", dataset: { empty: texts.dropValuesHere },
      "aria-label": texts.itemsAlongTimeArrowKeysMove },
      this.#ticks, this.#label, this.#track);
    this.#rest = make("p", { class: "soft", hidden: true });
    this.#error = make("p", { class: "error", hidden: true });
    this.#makeDetail();
    this.#all = new ItemList((index) => this.#select(index));
    const palette = new Palette({
      over: (x, y) => this.#over(x, y) !== undefined,
      drop: (node, x, y) => this.#drop(node, x, y),
      leave: () => this.#leave(),
      append: (node) => this.#append(node),
    });
    this.element = make("div", { class: "items" }, this.axis, this.#error, this.#rest, this.#all.element, this.#detail,
      make("div", { class: "tools" }, palette.element,
        button({ text: texts.clear, kind: "quiet", id: "clear", "aria-label": texts.removeAllItems }, () => this.#clear())));
    new ResizeObserver(() => {
      this.#width = this.#track.clientWidth;
      this.#fit();
      this.update(this.#errors);
    }).observe(this.axis);
  }
  #ticks; #errors = []; #clock; #axisKey; #all;

  close() { this.#clock?.leave(this); }

  // The tunnels come later, and have the same room.
  #fit() {
    const wide = this.element.closest(".stage")?.clientWidth;
    if (!wide || !this.#clock) return;
    const style = getComputedStyle(document.documentElement), size = (name) => parseFloat(style.getPropertyValue(name));
    this.#clock.fit(wide - size("--origin") - size("--ball") / 2, wide - size("--gate"), size("--ball"));
  }

  // Aligned with the tunnels, unless those have the seed's direction.
  get #isShared() { return this.#clock && !this.#clock.isReversed; }

  /** The axis follows that of the tunnels. */
  draw(now) {
    if (!this.#isShared) { if (this.#axisKey) { this.#axisKey = undefined; this.update(this.#errors); } return false; }
    const key = `${this.#clock.scale} ${this.#clock.start(now)}`;
    if (key !== this.#axisKey && this.#width) {
      this.#axisKey = key;
      this.update(this.#errors);
    }
    return this.#clock.isMoving(now);
  }

  get #list() { return edits.items(this.#draft.tree) ?? []; }
  set isColored(value) { this.#isColored = value; }

  // MARK: The picture

  update(errors) {
    this.#errors = errors;
    const list = this.#list, all = edits.itemTimes(list), times = all.slice(0, mostBalls);
    if (this.#clock) this.#clock.itemsEnd = times.at(-1) ?? 0;
    this.#all.update(list, all, this.#selected);
    this.#now = performance.now();
    if (!this.#drag) this.#range = Math.max(6, Math.ceil((times.at(-1) ?? 0) * 1.12 + 1));
    this.#drawTicks();
    while (this.#balls.length > times.length) this.#balls.pop();
    while (this.#balls.length < times.length) this.#balls.push(this.#ball(this.#balls.length));
    const lanes = [], diameter = parseFloat(getComputedStyle(this.element).getPropertyValue("--ball")) || 40;
    times.forEach((time, index) => {
      const ball = this.#balls[index], item = list[index], left = this.#left(time);
      let lane = lanes.findIndex((last) => left - last >= diameter * 0.62);
      if (lane < 0) lane = Math.min(lanes.length, 4);
      lanes[lane] = left;
      const value = item instanceof Map ? plain(item.get("value") ?? null) : undefined;
      paint(ball, value, this.#isColored ? [index] : undefined);
      ball.dataset.time = time;
      ball.style.transform = `translate(${left}px, ${-lane * diameter * 0.7}px)`;
      const own = errors.filter((error) => isAt(error, edits.itemPath(this.#draft.tree, index)));
      ball.classList.toggle("wrong", own.length > 0);
      ball.setAttribute("aria-label",
        texts.atAfterTheOneBefore(cut(whole(value), 100), seconds(time), seconds(edits.itemDelay(item))));
      ball.setAttribute("aria-expanded", index === this.#selected);
      ball.title = texts.atOf(cut(whole(value), 300), seconds(time));
      ball.classList.toggle("fixed", !edits.isMovable(item));
    });
    this.axis.style.setProperty("--lanes", Math.max(1, lanes.length));
    arrange(this.#track, this.#balls);
    this.#rest.hidden = list.length <= mostBalls;
    this.#rest.textContent = texts.andMoreItemsTheyAreIn(list.length - mostBalls);
    this.axis.classList.toggle("empty", !list.length);
    if (this.#selected >= list.length) this.#select(undefined);
    this.#updateDetail();
  }

  #now = 0;
  #left(time) {
    return this.#isShared ? (time - this.#clock.start(this.#now)) * this.#clock.scale : time / this.#range * this.#width;
  }
  #time(x) {
    const along = x - this.#track.getBoundingClientRect().left;
    const time = this.#isShared ? along / this.#clock.scale + this.#clock.start(performance.now()) : along / (this.#width || 1) * this.#range;
    return Math.round(Math.max(0, time) / snap) * snap;
  }

  #drawTicks() {
    const shared = this.#isShared ? this.#clock : undefined, start = shared?.start(this.#now) ?? 0;
    const scale = shared?.scale ?? this.#width / this.#range, end = start + (this.#width + 30) / scale;
    const space = spacings.find((one) => one * scale >= 44) ?? 864000, first = Math.max(0, Math.ceil((start - 50 / scale) / space));
    const key = `${scale} ${start} ${this.#width} ${this.#range}`;
    if (this.#ticks.dataset.key === key) return;
    this.#ticks.dataset.key = key;
    const ticks = [];
    for (let tick = first; tick * space <= (shared ? end : this.#range); tick++) {
      // A label that the edge would cut off is left out, and its line stays.
      const left = this.#left(tick * space), element = make("span", { text: left > this.#width + 8 ? "" : tick ? seconds(tick * space) : "0" });
      element.style.transform = `translateX(${left}px)`;
      ticks.push(element);
    }
    this.#ticks.replaceChildren(...ticks);
  }

  // MARK: Dragging

  #ball(index) {
    const ball = make("button", { type: "button", class: "ball item", dataset: { item: index } });
    ball.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      ball.setPointerCapture(event.pointerId);
      const tree = copy(this.#draft.tree);
      this.#drag = { index, tree, x: event.clientX,
        offset: event.clientX - this.#track.getBoundingClientRect().left - this.#left(Number(ball.dataset.time)),
        isMoved: false };
    });
    ball.addEventListener("pointermove", (event) => this.#dragged(event, ball));
    ball.addEventListener("pointerup", (event) => {
      const drag = this.#drag;
      if (!drag) return;
      this.#dragged(event, ball);
      const isMoved = drag.isMoved;
      this.#endDrag(ball);
      if (isMoved) {
        ball.dataset.dragged = "";
        setTimeout(() => delete ball.dataset.dragged);
        this.#draft.change(this.#draft.text);                  // the drop: stored at once
      }
    });
    ball.addEventListener("pointercancel", () => this.#cancel(ball));
    ball.addEventListener("click", () => { if (ball.dataset.dragged === undefined) this.#select(this.#selected === index
      ? undefined : index, true); });
    ball.addEventListener("keydown", (event) => this.#key(event, index, ball));
    ball.addEventListener("keyup", (event) => {
      if (ball.dataset.moved !== undefined && event.key.startsWith("Arrow")) this.#settle(ball);
    });
    ball.addEventListener("blur", () => { if (ball.dataset.moved !== undefined) this.#settle(ball); });
    return ball;
  }

  #dragged(event, ball) {
    const drag = this.#drag;
    if (!drag || (!drag.isMoved && Math.abs(event.clientX - drag.x) < 4)) return;
    if (!drag.isMoved) ball.classList.add("held");
    drag.isMoved = this.#draft.isHeld = true;
    if (this.#clock) this.#clock.isPinned = true;
    const time = this.#time(event.clientX - drag.offset);
    const tree = copy(drag.tree), list = edits.items(tree);
    edits.moveItem(list, drag.index, time, event.shiftKey);
    this.#draft.change(write(tree), { isFinished: false });
    this.#showLabel(edits.itemTimes(list)[drag.index],
      texts.delayOf(seconds(edits.itemTimes(list)[drag.index]), seconds(edits.itemDelay(list[drag.index]))));
  }

  /** Drags a ball to a time as a hand does, and lets it go there. */
  async drag(index, time) {
    const ball = this.#balls[index], tree = copy(this.#draft.tree), from = edits.itemTimes(edits.items(tree))[index];
    if (this.#drag) return;
    this.#drag = { index, tree, isMoved: true };
    this.#draft.isHeld = true;
    if (this.#clock) this.#clock.isPinned = true;
    ball.classList.add("held");
    for (let start = performance.now(), part = 0; part < 1;) {
      const now = await new Promise((drawn) => { if (document.hidden) drawn(Infinity); else requestAnimationFrame(drawn); });
      part = calm.matches ? 1 : Math.min(1, (now - start) / dragTime);
      const moved = copy(tree), list = edits.items(moved);
      edits.moveItem(list, index, Math.round((from + (time - from) * part * part * (3 - 2 * part)) * 100) / 100);
      this.#draft.change(write(moved), { isFinished: false });
      this.#showLabel(edits.itemTimes(list)[index], texts.delayOf2(seconds(edits.itemTimes(list)[index]), seconds(edits.itemDelay(list[index]))));
    }
    this.#endDrag(ball);
    this.#draft.change(this.#draft.text);
  }

  #endDrag(ball) {
    this.#drag = undefined;
    this.#draft.isHeld = false;
    if (this.#clock) this.#clock.isPinned = false;
    ball.classList.remove("held");
    this.#label.hidden = true;
  }

  #cancel(ball) {
    const drag = this.#drag;
    if (!drag) return;
    this.#endDrag(ball);
    if (drag.isMoved) this.#draft.change(write(drag.tree), { isFinished: false });
  }

  #showLabel(time, text) {
    this.#label.hidden = false;
    this.#label.textContent = text;
    this.#label.style.transform = `translateX(${this.#left(time)}px)`;
    this.#label.classList.toggle("late", time > this.#range * 0.7);
  }

  // MARK: Keys

  #key(event, index, ball) {
    const list = this.#list;
    if (event.key === "Escape" && this.#drag) return this.#cancel(ball);
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      return this.#remove(index);
    }
    if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      return this.#balls.at(event.key === "Home" ? 0 : -1)?.focus();
    }
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      return this.#balls[index + (event.key === "ArrowUp" ? -1 : 1)]?.focus();
    }
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    this.#draft.isHeld = true;
    const by = (event.key === "ArrowLeft" ? -1 : 1) * (event.ctrlKey ? 1 : 0.1);
    const time = Math.round((edits.itemTimes(list)[index] + by) * 100) / 100;
    this.#draft.edit((tree) => edits.moveItem(edits.items(tree), index, time, event.shiftKey), { isFinished: false });
    ball.dataset.moved = "";
  }

  // The keys are up: what they moved is stored.
  #settle(ball) {
    delete ball.dataset.moved;
    this.#draft.isHeld = false;
    this.#draft.change(this.#draft.text);
  }

  // MARK: Adding and removing

  // The axis takes a value at its time; the tunnel takes it as the last.
  #over(x, y) {
    const isIn = (box) => box && x >= box.left - 20 && x <= box.right + 20 && y >= box.top && y <= box.bottom;
    const isOn = isIn(this.axis.getBoundingClientRect());
    const isIntoTunnel = !isOn && isIn(this.#tunnel?.getBoundingClientRect());
    this.#label.hidden = !isOn;
    if (isOn) this.#showLabel(Math.min(this.#time(x), this.#range), seconds(this.#time(x)));
    this.#tunnel?.classList.toggle("wanted", isIntoTunnel);
    return isOn ? "axis" : isIntoTunnel ? "tunnel" : undefined;
  }

  get #tunnel() { return this.element.closest(".stage")?.querySelector(".tunnel"); }

  #leave() {
    this.#label.hidden = true;
    this.#tunnel?.classList.remove("wanted");
  }

  #drop(node, x, y) {
    const place = this.#over(x, y);
    this.#leave();
    if (place === "tunnel") return this.#append(node);
    if (place !== "axis") return;
    const time = this.#time(x);
    const index = this.#draft.edit((tree) => edits.insertItem(edits.items(tree), node, time));
    this.#balls[index]?.focus({ preventScroll: true });
  }

  #append(node) {
    this.#draft.edit((tree) => {
      const list = edits.items(tree), last = list.at(-1);
      list.push(edits.newItem(node, last ? numeral(edits.itemDelay(last)).value : 1));
    });
  }

  #remove(index) {
    this.#select(undefined);
    this.#draft.edit((tree) => edits.removeItem(edits.items(tree), index));
    (this.#balls[Math.min(index, this.#balls.length - 1)] ?? this.axis.parentElement.querySelector(".chip"))?.focus();
  }

  #clear() {
    this.#select(undefined);
    this.#draft.edit((tree) => edits.items(tree).splice(0));
  }

  // MARK: One item

  #makeDetail() {
    const set = (key) => (node, isFinished) => this.#draft.edit((tree) => {
      const item = edits.items(tree)[this.#selected];
      if (key === "delay") { if (node?.value >= 0) edits.setDelay(item, node.value); }
      else if (node === undefined && key === "operators") item.delete(key);
      else item.set(key, node ?? "");
    }, { isFinished });
    this.#fields = {
      value: new Field({ name: "value", form: "value" }, { change: set("value") }),
      delay: new Field({ name: "delay", form: "seconds" }, { change: set("delay") }),
      operators: new Field({ name: "operators", form: "operators" },
        { label: texts.allOperatorsOfTheItem, change: set("operators") }),
    };
    this.#detail = make("div", { class: "form detail", role: "group", "aria-label": texts.theItem, hidden: true },
      ...Object.values(this.#fields).map((field) => field.element),
      button({ text: texts.remove, kind: "quiet" }, () => this.#remove(this.#selected)),
      button({ icon: "cross", label: texts.closeTheItem, kind: "quiet" }, () => this.#select(undefined, true)));
    this.#detail.addEventListener("keydown", (event) => { if (event.key === "Escape") this.#select(undefined, true); });
  }

  #select(index, withFocus = false) {
    const before = this.#selected;
    this.#selected = index;
    this.#detail.hidden = index === undefined;
    this.#balls.forEach((ball, place) => ball.setAttribute("aria-expanded", place === index));
    this.#updateDetail();
    if (!withFocus) return;
    if (index === undefined) this.#balls[before]?.focus();
    else { this.#fields.value.input.focus(); this.#fields.value.input.select(); }
  }

  #updateDetail() {
    const mine = this.#errors.filter((error) => this.#selected === undefined
      || !isAt(error, edits.itemPath(this.#draft.tree, this.#selected)));
    showErrors(this.#error, this.axis, mine);
    const item = this.#selected === undefined ? undefined : this.#list[this.#selected];
    if (!(item instanceof Map)) return;
    const path = edits.itemPath(this.#draft.tree, this.#selected);
    const own = this.#errors.filter((error) => isAt(error, path));
    this.#fields.value.update(item.get("value"), own.filter((error) => isAt(error, `${path}.value`)));
    this.#fields.delay.update(numeral(edits.itemDelay(item)),
      own.filter((error) => error.path?.endsWith("delay.seconds")));
    this.#fields.operators.update(item.get("operators"),
      own.filter((error) => !isAt(error, `${path}.value`) && !error.path?.endsWith("delay.seconds")));
  }
}
