// All streams of the hub as boxes and wires, with their sources and sinks, states, rates, and lags.
import { make } from "./dom.js";
import { crossings, layout } from "./layers.js";
import { words } from "./list.js";
import { rateText } from "./overview.js";
import { cut, seconds } from "./value.js";
import { graph as texts } from "./texts.js";

const column = 232, row = 78, wide = 184, high = 56, edge = 16;
/** The distance between wires that cross a layer beside each other, and the most of them. */
const lane = 4, mostLanes = 5;
/** The sources of the outside world, which have a box of their own. */
const outside = new Set(["poll", "request", "events", "webhook", "lines", "schedule", "outside", "subject"]);
const space = "http://www.w3.org/2000/svg";

function shape(name, attributes, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class GraphView {
  #page; #places = new Map(); #boxes = new Map(); #svg; #parts; #stop; #key;

  constructor(page) {
    this.#page = page;
    this.#svg = shape("svg", { class: "graph", role: "group", "aria-label": texts.streamsAndWhatTheyRead });
    const count = make("p", { class: "soft", role: "status" }), alone = make("ul", { class: "alone" });
    const aloneHead = make("h2", { text: texts.withoutConnections, hidden: true });
    const place = make("div", { class: "graph-place", tabIndex: 0, role: "region", "aria-label": texts.theGraph }, this.#svg);
    this.#parts = { count, alone, aloneHead, place };
    this.element = make("div", { class: "graph-view" },
      make("header", { class: "stream-head" }, make("a", { class: "button quiet back", href: "#/", text: texts.allStreams }),
        make("div", { class: "stream-title" }, make("h1", { text: texts.graph, tabIndex: -1 }), count)),
      make("ul", { class: "legend", "aria-label": texts.wires }, make("li", { class: "wire-reference", text: texts.aCopyOfTheDefinition }),
        make("li", { class: "wire-subscription", text: texts.theOutputsOfTheRunningStream }), make("li", { class: "wire-flow", text: texts.fromAndToTheOutsideWorld })),
      place, aloneHead, alone);
  }

  open() { this.#stop = this.#page.overview.listen(() => this.#draw()); }
  close() { this.#stop?.(); }
  members() {}
  fresh() {}

  #draw() {
    const { overview } = this.#page, streams = overview.all, known = new Set(streams.map(({ id }) => id));
    const nodes = new Map(), edges = [];
    const stream = (id) => `stream ${id}`;
    const linked = new Set(streams.flatMap(({ id, references, subscriptions, sinks, source }) =>
      [...references, ...subscriptions].length || sinks.length || outside.has(source) ? [id, ...references, ...subscriptions] : []));
    for (const one of streams) {
      if (!linked.has(one.id)) continue;
      const key = stream(one.id);
      if (outside.has(one.source)) {
        nodes.set(`source ${one.id}`, { kind: "source", title: one.source });
        edges.push([`source ${one.id}`, key, "flow"]);
      }
      nodes.set(key, { kind: "stream", title: this.#page.title(one.id), ...one });
      for (const id of one.references) if (known.has(id)) edges.push([stream(id), key, "reference"]);
      for (const id of one.subscriptions) {
        if (!known.has(id)) nodes.set(stream(id), { kind: "missing", title: id });
        edges.push([stream(id), key, "subscription"]);
      }
      one.sinks.forEach(({ id, name }, index) => {
        nodes.set(`sink ${one.id} ${id ?? index}`, { kind: "sink", title: id && id !== name ? `${name}: ${id}` : name, isBlocked: one.isBlocked, waiting: one.waiting });
        edges.push([key, `sink ${one.id} ${id ?? index}`, "flow"]);
      });
    }
    const keys = [...nodes.keys()], shapeKey = JSON.stringify([keys, edges]);
    if (shapeKey !== this.#key) {
      this.#key = shapeKey;
      this.#places = layout(keys, edges, this.#places);
      this.#arrange(nodes, edges);
    }
    for (const [key, node] of nodes) this.#fill(this.#boxes.get(key), node);
    const { count, alone, aloneHead, place } = this.#parts, single = streams.filter(({ id }) => !linked.has(id));
    count.textContent = `${texts.streams(streams.length)}${overview.others ? texts.andMoreThatAreNotDrawn(overview.others) : ""}`;
    place.hidden = !nodes.size;
    aloneHead.hidden = !single.length;
    alone.replaceChildren(...single.slice(0, 300).map((one) => make("li", {}, make("a", { href: this.#address(one.id), dataset: { stream: one.id } },
      make("span", { class: "state", dir: "auto", dataset: { state: one.state }, text: cut(this.#page.title(one.id), 60) }), make("span", { class: "soft", text: this.#figures(one) })))));
  }

  #address(id) { return `#/streams/${encodeURIComponent(id)}`; }

  #figures({ state, rate, lag, waiting, isBlocked }) {
    return [words[state] ?? state, rateText(rate), lag > 0.05 ? texts.lateOf(seconds(Math.round(lag * 10) / 10)) : "",
      isBlocked ? texts.aSinkIsBlocked : waiting ? texts.waitingOf(waiting) : ""].filter(Boolean).join(" · ");
  }

  #arrange(nodes, edges) {
    const at = (key) => { const { layer, row: line } = this.#places.get(key); return [edge + layer * column, edge + line * row]; };
    const taken = new Set([...nodes.keys()].map((key) => { const { layer, row: line } = this.#places.get(key); return `${layer} ${line}`; }));
    const isTaken = (layer, line) => taken.has(`${layer} ${line}`), lanes = new Map(), turns = this.#turns(edges);
    const wires = edges.filter(([from, to]) => nodes.has(from) && nodes.has(to)).map(([from, to, kind]) => {
      return shape("path", { class: `wire ${kind}`, d: this.#path(this.#places.get(from), this.#places.get(to), isTaken, lanes, (layer) => turns.get(`${layer} ${from}`)),
        "data-from": from, "data-to": to });
    });
    for (const key of [...this.#boxes.keys()]) if (!nodes.has(key)) this.#boxes.delete(key);
    for (const [key, node] of nodes) {
      if (!this.#boxes.has(key)) this.#boxes.set(key, this.#box(key, node));
      const [x, y] = at(key);
      this.#boxes.get(key).element.style.transform = `translate(${x}px, ${y}px)`;
    }
    const places = [...nodes.keys()].map((key) => this.#places.get(key));
    const width = edge + Math.max(0, ...places.map(({ layer }) => layer)) * column + wide + edge;
    const height = edge + Math.max(0, ...places.map(({ row: line }) => line)) * row + high + edge;
    this.#svg.setAttribute("width", width);
    this.#svg.setAttribute("height", height);
    this.#svg.replaceChildren(...wires, ...[...nodes.keys()].map((key) => this.#boxes.get(key).element));
  }

  // The turns of wires after a layer, as parts of the space, by the layer and the box that they leave. Wires of one box turn together.
  #turns(edges) {
    const gaps = new Map(), get = (key) => this.#places.get(key);
    for (const [from, to] of edges) {
      for (let layer = get(from)?.layer; layer < get(to)?.layer; layer++) {
        if (!gaps.has(layer)) gaps.set(layer, new Set());
        gaps.get(layer).add(from);
      }
    }
    return new Map([...gaps].flatMap(([layer, keys]) => [...keys].sort((one, other) => get(one).row - get(other).row)
      .map((key, index) => [`${layer} ${key}`, (index + 1) / (keys.size + 1)])));
  }

  // A wire is level where it crosses a layer, in a row without a box or between two, and wires beside each other keep apart.
  #path(from, to, isTaken, lanes, turn) {
    const middle = (line) => edge + line * row + high / 2, start = edge + from.layer * column + wide;
    let d = `M${start} ${middle(from.row)}`, [x, y] = [start, middle(from.row)], layer = from.layer;
    const bend = (u, v) => {
      const at = x + (u - x) * (turn(layer++) ?? 0.5), tall = v - y, round = Math.min(10, Math.abs(tall) / 2, at - x, u - at), down = Math.sign(tall) * round;
      if (u <= x) d += `C${x + 30} ${y} ${u - 30} ${v} ${u} ${v}`;
      else if (tall) d += `H${at - round}q${round} 0 ${round} ${down}V${v - down}q0 ${down} ${round} ${down}H${u}`;
      else d += `H${u}`;
      [x, y] = [u, v];
    };
    for (const { layer: across, row: line } of crossings(from, to, isTaken)) {
      const key = `${across} ${line}`, count = lanes.get(key) ?? 0, left = edge + across * column;
      lanes.set(key, count + 1);
      bend(left, middle(line) + lane * (count % 2 ? -1 : 1) * Math.ceil((count % mostLanes) / 2));
      d += `H${x = left + wide}`;
    }
    bend(edge + to.layer * column, middle(to.row));
    return d;
  }

  #box(key, { kind, id }) {
    const title = shape("text", { x: 14, y: 23, class: "box-title" }), figures = shape("text", { x: kind === "stream" ? 28 : 14, y: 42, class: "box-figures" });
    const frame = shape("rect", { width: wide, height: high, rx: kind === "stream" ? 12 : 28 });
    const dot = shape("circle", { class: "box-dot", cx: 18.5, cy: 38, r: 4.5 });
    const element = kind === "stream" ? shape("a", { href: this.#address(id), class: `box ${kind}` }) : shape("g", { class: `box ${kind}`, role: "img" });
    element.append(frame, title, figures, ...kind === "stream" ? [dot] : []);
    element.dataset.node = key;
    return { element, title, figures };
  }

  #fill(box, node) {
    const { element, title, figures } = box, isStream = node.kind === "stream";
    const set = (one, text) => { if (one.textContent !== text) one.textContent = text; };
    set(title, cut(node.title, isStream ? 20 : 22));
    const said = isStream ? this.#figures({ ...node, waiting: 0, isBlocked: false })
      : node.kind === "source" ? texts.source : node.kind === "missing" ? texts.isNotThere
      : node.isBlocked ? texts.blocked : node.waiting ? texts.sinkWaiting(node.waiting) : texts.sink;
    set(figures, cut(said, 30));
    element.dataset.state = isStream ? node.state : node.isBlocked ? "failed" : "";
    const reads = isStream ? [...node.references, ...node.subscriptions].map((id) => this.#page.title(id)) : [];
    element.setAttribute("aria-label", `${node.title}: ${said}${reads.length ? texts.readsOf(reads.join(", ")) : ""}`);
  }
}
