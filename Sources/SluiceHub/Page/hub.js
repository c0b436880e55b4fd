// The requests of the page to the hub. Documents go both ways as text, so that nothing in them is lost.
import { parse } from "./value.js";
import { hub as texts } from "./texts.js";

/** The hub does not answer. */
export class Away extends Error {}

/** The hub says no; `problem` is its problem document (RFC 9457). */
export class Refusal extends Error {
  constructor(status, problem) {
    super(String(problem.detail ?? problem.title ?? texts.theHubAnswers(status)));
    this.status = status;
    this.problem = problem;
  }
}

/** Called when the hub wants a token first. */
let locked = () => {};
export function onLocked(action) { locked = action; }

async function ask(method, path, { body, match, type = "application/json", asText = false, signal, isLast = false } = {}) {
  const headers = { "X-Sluice-Author": octets(signature()) };
  if (body !== undefined) headers["Content-Type"] = type;
  if (match !== undefined) headers[match === "*" ? "If-None-Match" : "If-Match"] = match === "*" ? "*" : `"${match}"`;
  let response, text;
  try {
    response = await fetch(path, { method, headers, body, cache: "no-store", signal, keepalive: isLast });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;                          // not wanted anymore
    throw new Away(texts.theHubIsUnavailable);
  }
  if ([502, 503, 504].includes(response.status)) throw new Away(texts.theHubAnswers2(response.status));
  if (!response.ok) {
    let problem = {};
    try { problem = parse(text) ?? {}; } catch { /* not a problem document */ }
    const refusal = new Refusal(response.status, problem);
    if (response.status === 401 && path !== "/session") locked();
    throw refusal;
  }
  if (asText) return { text, revision: Number((response.headers.get("ETag") ?? "").replace(/\D/g, "")) };
  return text ? parse(text) : undefined;
}

/** The author of edits in the history: a name for this browser's tab. */
const author = name();
function name() {
  const make = () => `page-${Math.random().toString(36).slice(2, 6)}`;
  try {
    return sessionStorage.sluiceAuthor ??= make();
  } catch {
    return make();
  }
}

const signatureKey = "sluice author";

/** The name that the history has of this person's edits: one that was given once, or that of the tab. */
export function signature() {
  try { return localStorage.getItem(signatureKey) || author; } catch { return author; }
}

/** Returns true if the person has given a name. */
export const isSigned = () => signature() !== author;

/** Keeps the person's name; the edits of other tabs have it, too. */
export function sign(name) {
  try {
    if (name.trim()) localStorage.setItem(signatureKey, name.trim().slice(0, 60)); else localStorage.removeItem(signatureKey);
  } catch { /* a browser that keeps nothing */ }
}

// A field of HTTP has octets: those of UTF-8, each as a character.
const octets = (text) => String.fromCharCode(...new TextEncoder().encode(text.replace(/[\u0000-\u001f\u007f]/g, " ")));

const at = (id, rest = "") => `/streams/${encodeURIComponent(id)}${rest}`;
const group = (name, rest = "") => `/groups/${encodeURIComponent(name)}${rest}`;
const stack = (id, rest = "") => `/stacks/${encodeURIComponent(id)}${rest}`;
const json = JSON.stringify;

export const hub = {
  author,
  streams: () => ask("GET", "/streams"),
  document: (id) => ask("GET", at(id), { asText: true }),
  create: (body) => ask("POST", "/streams", { body }),
  /** `how`: `references=rewrite`, `dependents=keep`. */
  replace: (id, revision, body, how) => ask("PUT", at(id, how ? `?${how}` : ""), { body, match: revision }),
  restore: (id, body) => ask("PUT", at(id), { body, match: "*" }),
  remove: (id, revision, how) => ask("DELETE", at(id, how ? `?${how}` : ""), { match: revision }),
  revisions: (id) => ask("GET", at(id, "/revisions")),
  revision: (id, number) => ask("GET", at(id, `/revisions/${number}`), { asText: true }),
  revisionPlan: (id, number) => ask("GET", at(id, `/revisions/${number}/plan`)),
  rollback: (id, revision, number) =>
    ask("POST", at(id, "/rollback"), { body: json({ revision: number }), match: revision }),
  check: (body) => ask("POST", "/check", { body }),
  plan: (id, body) => ask("POST", at(id, "/plan"), { body }),
  /** The run of a document in virtual time. `after`: the number of marks to skip, `next` of the picture before. */
  picture: (document, until, { after = 0, signal } = {}) =>
    ask("POST", "/picture", { body: `{"document": ${document}, "until": ${until}, "after": ${after}}`, signal }),
  /** Fetches an item of the source of a document once, or delivers a sample to one of its sinks. */
  try: (document, sink, value) => ask("POST", "/try", { body: sink === undefined ? `{"document": ${document}}`
    : `{"document": ${document}, "sink": ${json(sink)}, "value": ${value}}` }),
  catalog: () => ask("GET", "/catalog"),
  overview: () => ask("GET", "/overview"),
  workers: () => ask("GET", "/workers"),
  /** Has a worker give its partitions to the others, or take some again. */
  drain: (worker, isDraining) => ask(isDraining ? "PUT" : "DELETE", `/workers/${encodeURIComponent(worker)}/drain`),
  exported: () => ask("GET", "/export", { asText: true }),
  import: (body) => ask("POST", "/import", { body }),
  run: (id) => ask("GET", at(id, "/run")),
  /** `what`: start, stop, pause, step, speed or reset. */
  control: (id, what, value) => ask("POST", at(id, `/${what}`), value ? { body: json(value) } : {}),
  sinks: (id) => ask("GET", at(id, "/sinks")),
  /** `verb`: retry or skip. */
  actOnSink: (id, sink, verb) => ask("POST", at(id, `/sinks/${encodeURIComponent(sink)}/${verb}`)),
  /** The dead letters after a number, all of them or those of one sink, and the length of the answer. */
  deadLetters: async (id, sink, after) => {
    const query = sink === undefined ? "" : `&sink=${encodeURIComponent(sink)}`;
    const { text } = await ask("GET", at(id, `/dead-letters?after=${after}${query}`), { asText: true });
    return { letters: parse(text), length: text.length };
  },
  deadLetter: (id, number) => ask("GET", at(id, `/dead-letters/${number}`)),
  resendDeadLetter: (id, number) => ask("POST", at(id, `/dead-letters/${number}/resend`)),
  dropDeadLetter: (id, number) => ask("DELETE", at(id, `/dead-letters/${number}`)),
  groups: () => ask("GET", "/groups"),
  group: (name) => ask("GET", group(name)),
  addGroup: (name) => ask("PUT", group(name)),
  removeGroup: (name) => ask("DELETE", group(name)),
  assign: (name, id) => ask("PUT", group(name, at(id))),
  unassign: (name, id) => ask("DELETE", group(name, at(id))),
  groupEvents: (name) => group(name, "/events"),
  report: (name, member, report) => ask("PUT", group(name, `/members/${encodeURIComponent(member)}`), { body: json(report) }),
  leaveGroup: (name, member) => ask("DELETE", group(name, `/members/${encodeURIComponent(member)}`), { isLast: true }),
  stacks: () => ask("GET", "/stacks"),
  stack: (id) => ask("GET", stack(id), { asText: true }),
  addStack: (body) => ask("POST", "/stacks", { body }),
  createStack: (id, body) => ask("PUT", stack(id), { body, match: "*" }),
  replaceStack: (id, revision, body) => ask("PUT", stack(id), { body, match: revision }),
  removeStack: (id, revision) => ask("DELETE", stack(id), { match: revision }),
  planStack: (id, body) => ask("POST", stack(id, "/plan"), { body }),
  stackRevisions: (id) => ask("GET", stack(id, "/revisions")),
  stackRevision: (id, number) => ask("GET", stack(id, `/revisions/${number}`), { asText: true }),
  tokens: () => ask("GET", "/tokens"),
  createToken: (name, role) => ask("POST", "/tokens", { body: json({ name, role }) }),
  revokeToken: (name) => ask("DELETE", `/tokens/${encodeURIComponent(name)}`),
  logOut: () => ask("DELETE", "/session"),
  logIn: (token) => ask("POST", "/session", { body: json({ token }) }),
};
