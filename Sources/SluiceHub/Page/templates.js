// Streams to begin with. Each plays sample data; `real` has the source and the sinks that take its place.
import { seedTexts, templates as texts } from "./texts.js";

/** Items that come at these times: `[time, value]`. */
function samples(...list) {
  let before = 0;
  return list.map(([time, value]) => {
    const seconds = Math.round((time - before) * 1000) / 1000;
    before = time;
    return { value, operators: [{ delay: { seconds } }] };
  });
}

/** The key of a document under which its real source and sinks are kept. */
export const realKey = "x-real";

export const templates = [
  { key: "search", title: texts.search.title, about: texts.search.about,
    document: { name: "Search box", stream: samples([0.3, "s"], [0.5, "sl"], [0.7, "slu"], [1.6, "sluic"], [1.8, "sluice"], [4, "sluice"], [4.3, "sluice j"], [4.5, "sluice js"]),
      operators: [{ id: "pause", debounce: { seconds: 0.4 } }, { id: "long", filter: { expression: "x.size() >= 3" } }, { id: "changed", removeDuplicates: {} }] },
    real: { source: { webhook: { name: "typed", auth: "token" } } } },
  { key: "average", title: texts.average.title, about: texts.average.about,
    document: { name: "Moving average", stream: samples(...[12, 15, 11, 18, 22, 14, 19, 25].map((value, index) => [(index + 1) * 0.7, value])),
      operators: [{ id: "last", collect: { count: 4, every: 1 } }, { id: "whole", filter: { expression: "x.size() == 4" } },
        { id: "average", map: { expression: "(x[0] + x[1] + x[2] + x[3]) / 4.0" } }] },
    real: { source: { poll: { url: "https://api.example.com/load", seconds: 5 } } } },
  { key: "alert", title: texts.alert.title, about: texts.alert.about,
    document: { name: "Threshold alert", stream: samples([0.5, 61], [1.2, 74], [1.9, 88], [2.6, 93], [3.3, 79], [4, 70], [4.7, 91]),
      operators: [{ id: "high", map: { expression: "x > 80" } }, { id: "turns", removeDuplicates: {} },
        { id: "words", map: { expression: "x ? 'too high' : 'fine'" } }] },
    real: { source: { poll: { url: "https://api.example.com/temperature", seconds: 10 } }, sinks: [{ id: "hook", post: { url: "https://hooks.example.com/alerts" } }] } },
  { key: "price", title: texts.price.title, about: texts.price.about,
    document: { name: "Price", stream: samples([0.5, { price: 20.5 }], [1.5, { price: 20.9 }], [2.5, { price: 23.1 }], [3.5, { price: 23 }], [4.5, { price: 19.2 }]),
      operators: [{ id: "price", map: { expression: "x.price" } }, { id: "jump", pairwise: {} },
        { id: "big", filter: { expression: "math.abs(double(x[1]) - double(x[0])) > 1.0" } }, { id: "new", map: { expression: "x[1]" } }] },
    real: { source: { poll: { url: "https://api.example.com/price", seconds: 5 } } } },
  { key: "join", title: texts.join.title, about: texts.join.about,
    document: { name: "Two feeds", source: { combineLatest: { sources: [
      { stream: samples([0.5, 18], [2, 19], [3.5, 21]) }, { stream: samples([1, "calm"], [3, "windy"]) }], expression: "[a, b]" } },
      operators: [{ id: "words", map: { expression: "string(x[0]) + ' °C, ' + x[1]" } }] },
    real: { source: { combineLatest: { sources: [{ poll: { url: "https://api.example.com/temperature", seconds: 60 } },
      { events: { url: "https://api.example.com/wind" } }], expression: "[a, b]" } } } },
  { key: "errors", title: texts.errors.title, about: texts.errors.about,
    document: { name: "Errors per service", stream: samples([0.4, { service: "api", level: "error" }], [0.9, { service: "web", level: "info" }],
      [1.4, { service: "web", level: "error" }], [2.1, { service: "api", level: "error" }], [2.8, { service: "api", level: "warning" }], [3.4, { service: "web", level: "error" }]),
      operators: [{ id: "errors", filter: { expression: "x.level == 'error'" } },
        { id: "services", groupBy: { key: "x.service", operators: [{ id: "count", scan: { initialValue: 0, expression: "acc + 1" } }] } },
        { id: "words", map: { expression: "x[0] + ': ' + string(x[1])" } }] },
    real: { source: { lines: { path: "log.jsonl", format: "json", follow: true } } } },
  { key: "webhook", title: texts.webhook.title, about: texts.webhook.about,
    document: { name: "Webhook to webhook", stream: samples([0.5, { action: "opened", title: "Crash at start" }], [1.5, { action: "labeled", title: "Crash at start" }],
      [2.5, { action: "opened", title: "Typo in the guide" }], [3.5, { action: "closed", title: "Crash at start" }]),
      operators: [{ id: "opened", filter: { expression: "x.action == 'opened'" } }, { id: "message", map: { expression: "{'text': 'New: ' + x.title}" } }] },
    real: { source: { webhook: { name: "issues", auth: "token" } }, sinks: [{ id: "chat", post: { url: "https://hooks.example.com/chat" } }] } },
];

/** Returns what is said of a stream in lists. */
export const about = ({ id, isDefault, description }) => (isDefault && seedTexts[id]) || description || "";

/** Returns the document of a template. */
export const documentOf = ({ document, about: description, real }) => ({ ...document, description, [realKey]: real });
