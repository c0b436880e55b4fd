// Streams to begin with. Each plays sample data; `real` has the source and the sinks that take its place.

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
  { key: "search", title: "Debounce a search box", about: "Waits until typing pauses, and searches for the last text only.",
    document: { name: "Search box", stream: samples([0.3, "s"], [0.5, "sl"], [0.7, "slu"], [1.6, "sluic"], [1.8, "sluice"], [4, "sluice"], [4.3, "sluice j"], [4.5, "sluice js"]),
      operators: [{ id: "pause", debounce: { seconds: 0.4 } }, { id: "long", filter: { expression: "x.size() >= 3" } }, { id: "changed", removeDuplicates: {} }] },
    real: { source: { webhook: { name: "typed", auth: "token" } } } },
  { key: "average", title: "Moving average", about: "Smooths a series of numbers by the average of the last four.",
    document: { name: "Moving average", stream: samples(...[12, 15, 11, 18, 22, 14, 19, 25].map((value, index) => [(index + 1) * 0.7, value])),
      operators: [{ id: "last", collect: { count: 4, every: 1 } }, { id: "whole", filter: { expression: "x.size() == 4" } },
        { id: "average", map: { expression: "(x[0] + x[1] + x[2] + x[3]) / 4.0" } }] },
    real: { source: { poll: { url: "https://api.example.com/load", seconds: 5 } } } },
  { key: "alert", title: "Alert on a threshold", about: "Says once that a value is too high, and once that it is not anymore.",
    document: { name: "Threshold alert", stream: samples([0.5, 61], [1.2, 74], [1.9, 88], [2.6, 93], [3.3, 79], [4, 70], [4.7, 91]),
      operators: [{ id: "high", map: { expression: "x > 80" } }, { id: "turns", removeDuplicates: {} },
        { id: "words", map: { expression: "x ? 'too high' : 'fine'" } }] },
    real: { source: { poll: { url: "https://api.example.com/temperature", seconds: 10 } }, sinks: [{ id: "hook", post: { url: "https://hooks.example.com/alerts" } }] } },
  { key: "price", title: "Poll a price", about: "Takes the price out of each answer, and keeps changes of more than one.",
    document: { name: "Price", stream: samples([0.5, { price: 20.5 }], [1.5, { price: 20.9 }], [2.5, { price: 23.1 }], [3.5, { price: 23 }], [4.5, { price: 19.2 }]),
      operators: [{ id: "price", map: { expression: "x.price" } }, { id: "jump", pairwise: {} },
        { id: "big", filter: { expression: "math.abs(double(x[1]) - double(x[0])) > 1.0" } }, { id: "new", map: { expression: "x[1]" } }] },
    real: { source: { poll: { url: "https://api.example.com/price", seconds: 5 } } } },
  { key: "join", title: "Join two feeds", about: "Shows the latest temperature beside the latest wind, whichever is new.",
    document: { name: "Two feeds", source: { combineLatest: { sources: [
      { stream: samples([0.5, 18], [2, 19], [3.5, 21]) }, { stream: samples([1, "calm"], [3, "windy"]) }], expression: "[a, b]" } },
      operators: [{ id: "words", map: { expression: "string(x[0]) + ' °C, ' + x[1]" } }] },
    real: { source: { combineLatest: { sources: [{ poll: { url: "https://api.example.com/temperature", seconds: 60 } },
      { events: { url: "https://api.example.com/wind" } }], expression: "[a, b]" } } } },
  { key: "errors", title: "Count errors per service", about: "Counts the lines of a log that report an error, for each service.",
    document: { name: "Errors per service", stream: samples([0.4, { service: "api", level: "error" }], [0.9, { service: "web", level: "info" }],
      [1.4, { service: "web", level: "error" }], [2.1, { service: "api", level: "error" }], [2.8, { service: "api", level: "warning" }], [3.4, { service: "web", level: "error" }]),
      operators: [{ id: "errors", filter: { expression: "x.level == 'error'" } },
        { id: "services", groupBy: { key: "x.service", operators: [{ id: "count", scan: { initialValue: 0, expression: "acc + 1" } }] } },
        { id: "words", map: { expression: "x[0] + ': ' + string(x[1])" } }] },
    real: { source: { lines: { path: "log.jsonl", format: "json", follow: true } } } },
  { key: "webhook", title: "Webhook to webhook", about: "Takes requests of one service, and posts what matters to another.",
    document: { name: "Webhook to webhook", stream: samples([0.5, { action: "opened", title: "Crash at start" }], [1.5, { action: "labeled", title: "Crash at start" }],
      [2.5, { action: "opened", title: "Typo in the guide" }], [3.5, { action: "closed", title: "Crash at start" }]),
      operators: [{ id: "opened", filter: { expression: "x.action == 'opened'" } }, { id: "message", map: { expression: "{'text': 'New: ' + x.title}" } }] },
    real: { source: { webhook: { name: "issues", auth: "token" } }, sinks: [{ id: "chat", post: { url: "https://hooks.example.com/chat" } }] } },
];

/** The seed's streams in CEL; their documents call them by the Swift of the seed. */
export const seedTexts = {
  "serial-stream-a": "1 to 4, one a second", "serial-stream-b": "A to D, one in two seconds",
  "filter-stream": "filter: x != 3", "drop-stream": "dropFirst: 2", "map-stream": "map: x * 2", "scan-stream": "scan from 0: acc + x",
  "map-then-scan": "map: x * 2, then scan from 0: acc + x", "merge-stream": "merge: A and B as they come", "flatmap-stream": "flatMap: B for each of A",
  "append-stream": "append: A, then B", "zip-stream": "zip: A and B, pair by pair", "combinelatest-stream": "combineLatest: the latest of A and of B",
};

/** Returns what is said of a stream in lists. */
export const about = ({ id, isDefault, description }) => (isDefault && seedTexts[id]) || description || "";

/** Returns the document of a template. */
export const documentOf = ({ document, about: description, real }) => ({ ...document, description, [realKey]: real });
