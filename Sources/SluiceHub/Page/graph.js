// All streams of the hub as boxes and wires, with their sources and sinks, states, rates, and lags.
import { make } from "./dom.js";
import { layout } from "./layers.js";
import { words } from "./list.js";
import { rateText } from "./overview.js";
import { cut, seconds } from "./value.js";

const column = 232, row = 78, wide = 184, high = 56, edge = 16;
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
    this.#svg = shape("svg", { class: "graph", role: "group", "aria-label": "Streams and what they read" });
    const count = make("p", { class: "soft", role: "status" }), alone = make("ul", { class: "alone" });
    const aloneHead = make("h2", { text: "Without connections", hidden: true });
    const place = make("div", { class: "graph-place", tabIndex: 0, role: "region", "aria-label": "The graph" }, this.#svg);
    this.#parts = { count, alone, aloneHead, place };
    this.element = make("div", { class: "graph-view" },
      make("header", { class: "stream-head" }, make("a", { class: "button quiet back", href: "#/", text: "‹ All streams" }),
        make("div", { class: "stream-title" }, make("h1", { text: "Graph", tabIndex: -1 }), count)),
      make("ul", { class: "legend", "aria-label": "Wires" }, make("li", { class: "wire-reference", text: "a copy of the definition" }),
        make("li", { class: "wire-subscription", text: "the outputs of the running stream" }), make("li", { class: "wire-flow", text: "from and to the outside world" })),
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
    count.textContent = `${streams.length} ${streams.length === 1 ? "stream" : "streams"}${overview.others ? `, and ${overview.others} more that are not drawn` : ""}`;
    place.hidden = !nodes.size;
    aloneHead.hidden = !single.length;
    alone.replaceChildren(...single.slice(0, 300).map((one) => make("li", {}, make("a", { href: this.#address(one.id), dataset: { stream: one.id } },
      make("span", { class: "state", dataset: { state: one.state }, text: cut(this.#page.title(one.id), 60) }), make("span", { class: "soft", text: this.#figures(one) })))));
  }

  #address(id) { return `#/streams/${encodeURIComponent(id)}`; }

  #figures({ state, rate, lag, waiting, isBlocked }) {
    return [words[state] ?? state, rateText(rate), lag > 0.05 ? `${seconds(Math.round(lag * 10) / 10)} late` : "",
      isBlocked ? "a sink is blocked" : waiting ? `${waiting} waiting` : ""].filter(Boolean).join(" · ");
  }

  #arrange(nodes, edges) {
    const at = (key) => { const { layer, row: line } = this.#places.get(key); return [edge + layer * column, edge + line * row]; };
    const wires = edges.filter(([from, to]) => nodes.has(from) && nodes.has(to)).map(([from, to, kind]) => {
      const [x, y] = at(from), [u, v] = at(to), start = x + wide, middle = Math.max(30, (u - start) / 2);
      return shape("path", { class: `wire ${kind}`, d: `M${start} ${y + high / 2}C${start + middle} ${y + high / 2} ${u - middle} ${v + high / 2} ${u} ${v + high / 2}` });
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

  #box(key, { kind, id }) {
    const title = shape("text", { x: 14, y: 23, class: "box-title" }), figures = shape("text", { x: 14, y: 42, class: "box-figures" });
    const frame = shape("rect", { width: wide, height: high, rx: kind === "stream" ? 12 : 28 });
    const dot = shape("circle", { class: "box-dot", cx: wide - 14, cy: 17, r: 4.5 });
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
      : node.kind === "source" ? "source" : node.kind === "missing" ? "is not there"
      : node.isBlocked ? "blocked" : node.waiting ? `sink · ${node.waiting} waiting` : "sink";
    set(figures, cut(said, 30));
    element.dataset.state = isStream ? node.state : node.isBlocked ? "failed" : "";
    const reads = isStream ? [...node.references, ...node.subscriptions].map((id) => this.#page.title(id)) : [];
    element.setAttribute("aria-label", `${node.title}: ${said}${reads.length ? `; reads ${reads.join(", ")}` : ""}`);
  }
}
