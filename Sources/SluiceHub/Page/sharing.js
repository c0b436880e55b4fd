// The sharing dialog: a picture, a link, a QR code, a terminal command, and a Swift snippet.
import * as dialogs from "./dialogs.js";
import { button, make } from "./dom.js";
import { save } from "./files.js";
import { hub } from "./hub.js";
import { shapes, svg, png } from "./picture.js";
import { lastTime } from "./preview.js";
import { code } from "./qr.js";
import { cut } from "./value.js";
import { sharing as texts } from "./texts.js";

/** The longest document that a link carries, in bytes of its text. */
const longestDocument = 100_000;

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Promises a link that carries a document behind its `#`, where no server sees it. */
export async function linkOf(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return `${location.origin}${location.pathname}#/open/${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Promises the document that a link carries. */
export async function documentIn(data) {
  const letters = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
  const reader = new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  // A short link may be a long text: it is read piece by piece.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > longestDocument) {
      await reader.cancel();
      throw new Error(texts.theDocumentOfThisLinkIs);
    }
  }
}

async function drawing(draft, name) {
  const until = Math.max(4, Math.min(30, Math.ceil(lastTime(draft.tree) * 1.1 + 1)));
  const { rows } = await hub.picture(draft.fault ? draft.stored : draft.text, until);
  return shapes(rows, { title: name, until });
}

export const savePicture = async (draft, name, kind) => {
  const picture = await drawing(draft, name);
  save(kind === "svg" ? svg(picture) : await png(picture), name, kind);
};

export const embeddable = async (draft, name) => svg(await drawing(draft, name));

/** Returns a program that runs the stream. */
export function swift(text) {
  const fence = "#".repeat(Math.max(1, ...[...text.matchAll(/"(#+)/g)].map(([, signs]) => signs.length + 1)));
  return `import SluiceStreams\n\nlet document = try StreamDocument(parsing: ${fence}"""\n${text.trim().split("\n").map((line) => `    ${line}`).join("\n")}\n    """${fence})\nfor try await value in try document.values() {\n    print(value)\n}\n`;
}

/** Returns the line by which another process runs what the hub has. */
export const followLine = () => `sluice follow ${location.origin}`;

/** Shows the QR code of a link. */
export function showCode(link, name) {
  const modules = code(link);
  if (!modules) return dialogs.notify({ title: texts.theLinkIsTooLongFor, about: cut(link, 300) });
  const margin = 4, size = modules.length + 2 * margin;
  const path = modules.flatMap((row, y) => row.flatMap((isDark, x) => isDark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])).join("");
  const space = "http://www.w3.org/2000/svg", picture = document.createElementNS(space, "svg");
  for (const [key, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": texts.qrCodeOf(link) })) picture.setAttribute(key, value);
  const ground = document.createElementNS(space, "rect"), dark = document.createElementNS(space, "path");
  for (const [key, value] of Object.entries({ width: size, height: size, fill: "#fff" })) ground.setAttribute(key, value);
  for (const [key, value] of Object.entries({ d: path, fill: "#000", "shape-rendering": "crispEdges" })) dark.setAttribute(key, value);
  picture.append(ground, dark);
  dialogs.show({ title: name, content: [picture, make("p", { class: "code soft link", text: cut(link, 300) }),
    button({ text: texts.saveTheCode }, () => save(`<svg xmlns="${space}" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`, texts.codeOf(name), "svg"))] });
}
