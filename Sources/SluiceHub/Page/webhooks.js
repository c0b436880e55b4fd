// The webhooks that a stream reads: the address of each, and a line for a shell that posts to it.
import { arrange, button, make } from "./dom.js";
import { json } from "./value.js";
import { quoted } from "./shell.js";
import { webhooks as texts } from "./texts.js";

const mostShown = 20;
const example = '{"id": 1}';
// Keys of values and of requests: what looks like a webhook in them is data.
const data = new Set(["values", "value", "items", "arguments", "body", "headers", "initialValue", "item", "tests"]);

// The names that the hub accepts for a webhook and for a field.
const isName = (text) => typeof text === "string" && /^[\w.-]{1,100}$/.test(text) && !/^\.\.?$/.test(text);
const isField = (text) => /^[A-Za-z\d-]{1,100}$/.test(text);

/** Returns the webhooks within a part of a document: `{ name, auth }`, each name once. */
export function webhooks(node) {
  const found = new Map();
  const look = (part) => {
    if (Array.isArray(part)) part.forEach(look);
    if (!(part instanceof Map)) return;
    for (const [key, inner] of part) {
      const name = key === "webhook" && inner instanceof Map ? inner.get("name") : undefined;
      if (isName(name) && !found.has(name)) found.set(name, { name, auth: inner.get("auth") });
      if (!data.has(key)) look(inner);
    }
  };
  look(node);
  return [...found.values()];
}

// A text that is not Unicode can't be a part of an address.
const encoded = (text) => encodeURIComponent(text.toWellFormed?.() ?? text);

/** Returns the address of a webhook. */
export const address = (hub, stream, name) => `${hub}/streams/${encoded(stream)}/webhook/${encoded(name)}`;

/** Returns the line that posts to a webhook, and what it needs: `{ line, hint }`; no line where `auth` has an error. */
export function curl(url, auth) {
  const type = "-H 'Content-Type: application/json'";
  const hmac = auth instanceof Map ? auth.get("hmac") : undefined;
  if (hmac instanceof Map) return signed(url, hmac, type);
  if (auth === "token") {
    return { line: `curl ${type} -H "Authorization: Bearer $SLUICE_TOKEN" -d ${quoted(example)} ${quoted(url)}`,
      hint: texts.sluiceTokenIsATokenOf };
  }
  if (auth !== "none") return { hint: texts.itsAuthHasAnError };
  return { line: `curl ${type} -d ${quoted(example)} ${quoted(url)}`, hint: texts.itRequiresNoTokenAndNo };
}

// The key of a secret in base64, in hexadecimal: without the prefix of Standard Webhooks, with the padding that openssl
// requires.
const decoding = ["key=${SECRET#whsec_}", "key=${key%%=*}",
  'key=$(printf %s "$key===" | head -c $(( (${#key} + 3) / 4 * 4 )) | openssl base64 -d -A'
    + " | od -An -v -tx1 | tr -d ' \\n')"];

// The body is signed by openssl with the secret, which the line takes from the environment.
function signed(url, hmac, type) {
  const text = (key) => typeof hmac.get(key) === "string" ? hmac.get(key) : "";
  const [, secret = ""] = /^\$\{secret:(.*)\}$/s.exec(text("secret")) ?? [];
  const algorithm = text("algorithm") === "sha512" ? "sha512" : "sha256", time = text("timestamp");
  const named = new Map(), words = [];
  for (const [whole, name] of (text("signed") || "{body}").matchAll(/\{([^{}]*)\}|[^{]+/g)) {
    if (name === undefined) words.push(quoted(whole));
    else if (name === "body") words.push('"$body"');
    else if (name === "timestamp") words.push('"$time"');
    else if (/^header:/i.test(name)) {
      const value = /^header:content-type$/i.test(name) ? "application/json" : "1";
      if (value === "1") named.set(name.slice("header:".length), value);
      words.push(value);
    }
  }
  const form = text("encoding") === "base64" ? "-binary | openssl base64 -A" : "-r | cut -d' ' -f1";
  const isDecoded = text("key") === "base64";
  const key = isDecoded ? '-mac HMAC -macopt "hexkey:$key"' : '-hmac "$SECRET"';
  const steps = [`body=${quoted(example)}`, ...time ? ["time=$(date +%s)"] : [], ...isDecoded ? decoding : [],
    `sign=$(printf %s ${words.join("")} | openssl dgst -${algorithm} ${key} ${form})`];
  const header = (name, ...values) => `-H ${quoted(`${name}: ${values[0]}`)}${values.slice(1).join("")}`;
  const prefix = text("prefix"), stamp = text("timestampPrefix");
  if (![text("header"), ...time ? [time] : [], ...named.keys()].every(isField)) return { hint: texts.itsAuthHasAnError };
  const isOne = time.toLowerCase() === text("header").toLowerCase();
  const headers = [type, ...Array.from(named, ([name, value]) => header(name, value)),
    ...time && !isOne ? [header(time, stamp, '"$time"')] : [],
    isOne && time ? header(time, stamp, '"$time"', quoted(`,${prefix}`), '"$sign"')
      : header(text("header"), prefix, '"$sign"')];
  return { line: `${steps.join(" && ")} && curl ${headers.join(" ")} -d "$body" ${quoted(url)}`,
    hint: texts.secretIsTheValueOfThe(json(secret)) };
}

export class Webhooks {
  #stream; #copy; #rows = new Map();
  element = make("div", { class: "webhooks", hidden: true });

  /** `copy(text, what)`: puts a text on the clipboard. */
  constructor(stream, copy) {
    this.#stream = stream;
    this.#copy = copy;
  }

  /** Shows those within parts of the document. */
  update(...nodes) {
    const found = webhooks(nodes).slice(0, mostShown);
    this.element.hidden = !found.length;
    const rows = new Map(found.map((webhook) => {
      const url = address(location.origin, this.#stream, webhook.name), { line, hint } = curl(url, webhook.auth);
      const key = `${url}\n${line}\n${hint}`;
      return [key, this.#rows.get(key) ?? this.#row(webhook.name, url, line, hint)];
    }));
    this.#rows = rows;
    arrange(this.element, [...rows.values()]);
  }

  #row(name, url, line, hint) {
    const part = (label, text, what) => make("div", { class: "copied" },
      make("span", { class: "soft", text: label }), make("code", { class: "box", dir: "ltr", text,
        dataset: { webhook: what } }),
      button({ text: texts.copy, kind: "quiet", "aria-label": texts.copyTheOfTheWebhook(what, name) },
        () => this.#copy(text, what)));
    return make("section", { "aria-label": texts.webhookOf(name) },
      part(texts.address, url, texts.address2), line === undefined ? undefined : part(texts.tryIt, line, texts.curlLine),
      make("p", { class: "soft about",
        text: texts.takesRequests(hint).trim() }));
  }
}
