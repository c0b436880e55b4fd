// Streams as files: download, open, and all of them.
import * as dialogs from "./dialogs.js";
import { make } from "./dom.js";
import { hub } from "./hub.js";
import { read, write } from "./json.js";
import { cut } from "./value.js";
import { files as texts } from "./texts.js";

const types = { json: "application/json", csv: "text/csv", svg: "image/svg+xml", png: "image/png" };

/** Gives the person a file: a text, or a Blob; `kind` is the ending of its name. */
export function save(content, name, kind = "json") {
  const url = URL.createObjectURL(new Blob([content], { type: types[kind] }));
  make("a", { href: url, download: fileName(name, kind) }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const fileName = (text, kind) => `${cut(text.replace(/[^\p{L}\p{N} _-]+/gu, "").trim(), 60) || "stream"}.${kind}`;

/** The document of a stream as a file. */
export function download(draft) {
  const name = draft.tree.get("name");
  save(draft.text, typeof name === "string" ? name : draft.id);
}

/** Makes a document one of its own, beside the one that it was: others find that by its name. */
export function asCopy(document, keepsName = false) {
  if (!keepsName) document.set("name", texts.copyOf(document.get("name") || document.get("id")));
  for (const key of ["id", "revision", "isDefault"]) document.delete(key);
}

/** All documents of the hub as a file. */
export async function exportAll(page) {
  try {
    save((await hub.exported()).text, "streams");
  } catch (error) {
    page.trouble(error);
  }
}

/** Opens a file: a document, or several; all are added or none. */
export function openFiles(page, added) {
  const input = make("input", { type: "file", accept: ".json,application/json", "aria-label": texts.fileWithStreams,
    hidden: true, id: "file" });
  document.getElementById("file")?.remove();
  document.body.append(input);                     // so that it can be found by what drives the page
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.remove();
    if (file) await open(file, page, added);
  });
  input.click();
}

const isStack = (one) => one instanceof Map && one.has("filters") && !one.has("source") && !one.has("stream");

async function open(file, page, added) {
  try {
    const tree = read(await file.text());
    const stacks = new Set((await hub.stacks()).map(({ id }) => id));
    // A stack of this hub stays as it is.
    const documents = (Array.isArray(tree) ? tree : [tree]).filter((one) => !(isStack(one) && stacks.has(one.get("id"))));
    const known = new Set(page.heads().map(({ id }) => id));
    // What came from this hub comes as a copy beside it.
    for (const document of documents) if (document instanceof Map && known.has(document.get("id"))) asCopy(document);
    if (documents.length === 1 && isStack(documents[0])) {
      await hub.addStack(write(documents[0]));
      location.hash = "#/stacks";
    } else if (documents.length === 1) {
      const head = await hub.create(write(documents[0]));
      added();
      location.hash = `#/streams/${encodeURIComponent(head.id)}`;
    } else if (documents.length) {
      await hub.import(write(documents));
      added();
    }
    const count = documents.filter((one) => !isStack(one)).length;
    page.note(count === 1 && documents.length === 1 ? texts.theStreamIsAdded
      : count === documents.length ? texts.streamsAreAdded(count) : texts.documentsAreAdded(documents.length));
  } catch (error) {
    const errors = error.problem?.errors?.map(({ path, line, column, message }) =>
      `${line ? `${line}:${column} ` : ""}${path ? `${path}: ` : ""}${message}`);
    const place = error.line ? texts.lineColumn(error.line, error.column) : "";
    dialogs.notify({ title: texts.cannotBeOpened(file.name),
      about: errors?.length ? errors.join("\n") : place + error.message });
  }
}

/** Puts the default streams in place again as the hub came with them. */
export function resetAll(page, done) {
  dialogs.ask({
    title: texts.resetToDefaults, about: texts.theHubsDefaultStreamsAreRestored, action: texts.reset,
    act: async () => {
      for (const { id, isDefault, revision } of page.heads()) if (isDefault && revision > 1) await hub.rollback(id,
        revision, 1);
      done();
      page.note(texts.defaultStreamsRestored);
    },
  });
}
