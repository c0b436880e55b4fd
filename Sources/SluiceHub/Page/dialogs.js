// Dialogs: a new stream, a name, a question, the token.
import { beginnings, sourceKinds } from "./catalog.js";
import { button, make, unique } from "./dom.js";
import { write } from "./json.js";
import { said } from "./value.js";
import { dialogs as texts } from "./texts.js";

/** Shows a dialog with a form; `submit()` resolves to false, or throws, while it has to stay. */
function dialog({ title, about, fields = [], action, isDanger = false, canClose = true, submit }) {
  const id = unique("title"), error = make("p", { class: "error", role: "alert", hidden: true });
  const go = button({ text: action, kind: isDanger ? "danger" : "main", type: "submit" }, () => {});
  const form = make("form", { method: "dialog" }, make("h2", { id, text: title }),
    about ? make("p", { class: "soft", text: about }) : undefined, ...fields, error,
    make("div", { class: "draft-do" }, canClose ? button({ text: texts.cancel }, () => element.close()) : undefined, go));
  const element = make("dialog", { "aria-labelledby": id }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    try {
      if (await submit() !== false) element.close();
    } catch (fault) {
      error.textContent = fault.problem?.errors?.map(said).join("\n") || fault.message;
      error.hidden = false;
    }
    go.disabled = false;
  });
  if (!canClose) element.addEventListener("cancel", (event) => event.preventDefault());
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

function labeled(text, input) {
  input.id ||= unique("input");
  return make("div", { class: "field" }, make("label", { htmlFor: input.id, text }), input);
}

const starts = [
  ["stream", texts.ballsOnATimeAxis], ["interval", texts.aValueAtARegularInterval],
    ["ref", texts.anotherStreamAndOperatorsAfterIt],
  ["merge", texts.mergeValuesOfSeveralStreamsAs], ["append", texts.appendStreamsOneAfterAnother],
    ["zip", texts.zipStreamsPairByPair],
  ["combineLatest", texts.combineLatestTheLatestOfEach], ["other", texts.anotherSource],
];

/** Asks for a new stream; `create(text)` stores it. `streams`: what may be referred to. */
export function newStream({ streams, create }) {
  const name = make("input", { type: "text", required: true, maxLength: 200, autocomplete: "off" });
  const about = make("input", { type: "text", maxLength: 2000, autocomplete: "off" });
  const from = make("select", {}, ...starts.map(([value, text]) => make("option", { value, text })));
  const kind = make("select", {}, ...sourceKinds().map((one) => make("option", { value: one.name, text: one.name })));
  const pick = make("select", { multiple: true, size: Math.min(6, Math.max(2, streams.length)) },
    ...streams.map(({ id, name }) => make("option", { value: id, text: name })));
  const kindField = labeled(texts.source, kind), pickField = labeled(texts.streams, pick);
  const show = () => {
    kindField.hidden = from.value !== "other";
    pickField.hidden = !["ref", "merge", "append", "zip", "combineLatest"].includes(from.value);
  };
  from.addEventListener("change", show);
  show();
  dialog({
    title: texts.newStream, action: texts.create,
      fields: [labeled(texts.name, name), labeled(texts.description, about), labeled(texts.source, from), kindField,
      pickField],
    submit: () => {
      const document = new Map([["name", name.value.trim()]]);
      if (about.value.trim()) document.set("description", about.value.trim());
      const chosen = [...pick.selectedOptions].map(({ value }) => new Map([["ref", value]]));
      const word = from.value === "other" ? kind.value : from.value;
      if (word === "stream") document.set("stream", []);
      else if (!pickField.hidden) {
        if (!chosen.length) throw new Error(texts.chooseTheStreamsToCombine);
        document.set("source", word === "ref" ? chosen[0] : new Map([[word, chosen]]));
      } else {
        const kind = sourceKinds().find((one) => one.name === word) ?? { name: word, parameters: [] };
        document.set("source", new Map([[word, beginnings(kind, streams[0]?.id)]]));
      }
      document.set("operators", []);
      return create(write(document));
    },
  });
}

/** Asks for another name and description. */
export function rename({ name, description, change }) {
  const first = make("input", { type: "text", value: name ?? "", maxLength: 200, autocomplete: "off" });
  const second = make("textarea", { value: description ?? "", rows: 3 });
  dialog({ title: texts.renameAndDescribe, action: texts.save,
    fields: [labeled(texts.name, first), labeled(texts.description, second)],
    submit: () => change(first.value.trim(), second.value.trim()) });
}

/** Asks whether that is meant. */
export const ask = ({ title, about, action, act, isDanger = true }) =>
  dialog({ title, about, action, isDanger, submit: act });

/** Says something that is to be read. */
export const notify = ({ title, about }) => dialog({ title, about, action: texts.ok, canClose: false, submit: () => true });

/** Shows something that is to be looked at. */
export const show = ({ title, content }) => dialog({ title, fields: content, action: texts.close, canClose: false, submit: () => true });

/** A name for something. */
export function name({ title, label, action, act }) {
  const input = make("input", { type: "text", required: true, maxLength: 100, autocomplete: "off" });
  dialog({ title, action, fields: [labeled(label, input)], submit: () => act(input.value.trim()) });
}

let login;
/** Asks for the token of the hub, once at a time. */
export function logIn(act) {
  if (login?.isConnected) return;
  const token = make("input", { type: "password", required: true, autocomplete: "current-password", id: "token" });
  login = dialog({
    title: texts.thisHubRequiresAToken, about: texts.itWasSetWithTokenOr, action: texts.logIn,
      canClose: false,
    fields: [labeled(texts.token, token)],
    submit: async () => {
      try {
        await act(token.value);
      } catch (error) {
        token.select();
        throw error.status === 401 || error.status === 403 ? new Error(texts.thisIsNotTheHubsToken) : error;
      }
    },
  });
}
