// The page: which view is shown, and what holds all together.
import * as dialogs from "./dialogs.js";
import { button, calmly, make } from "./dom.js";
import { Feed } from "./feed.js";
import { asCopy, download, exportAll, openFiles, resetAll } from "./files.js";
import { endFollower, FirstView, isDismissed } from "./first.js";
import { GroupView } from "./group.js";
import { Away, hub, onLocked } from "./hub.js";
import { copy, read, write } from "./json.js";
import { loadCatalog } from "./catalog.js";
import { List } from "./list.js";
import { Overview } from "./overview.js";
import { announce } from "./announce.js";
import { StreamView } from "./stream.js";
import { cut, json } from "./value.js";
import { language, page as texts } from "./texts.js";

document.documentElement.lang = language;
document.querySelector(".skip").textContent = texts.skipToTheStream;
document.querySelector("meta[name='description']").content = texts.streamsAsDataRunningInA;
const main = document.getElementById("view");
const notice = document.getElementById("notice");
const notes = document.getElementById("notes");
const overview = new Overview(() => lost());
const list = new List({ create }, overview);
overview.listen(() => list.figures());
let view;
/** The id in the address, while the list has no stream with it. */
let missing;

// MARK: What the views ask of the page

const page = {
  announce, lost, note, trouble, overview, reopen: () => feed.wake(true),
  heads: () => list.heads,
  /** The name of a stream. */
  title: (id) => list.head(id)?.name?.trim() || id,
  names,
  groupsChanged: showGroups,
  download,
  copyLink: () => page.copy(location.href, texts.link),
  copy: async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      note(texts.theIsCopied(what));
    } catch {
      dialogs.notify({ title: texts.copyThe(what), about: text });
    }
  },
  rename: (draft) => dialogs.rename({
    name: draft.tree.get("name"), description: draft.tree.get("description"),
    change: (name, description) => draft.edit((tree) => {
      for (const [key, text] of [["name", name], ["description", description]]) if (text) tree.set(key,
        text); else tree.delete(key);
    }),
  }),
  duplicate: async (draft) => {
    const tree = copy(draft.tree);
    asCopy(tree);
    try { await store(write(tree)); } catch (error) { trouble(error); }
  },
  /** Stores a template, and plays it. */
  useTemplate: async (text) => {
    const head = await hub.create(text);
    openStored(head);
    await hub.control(head.id, "start");
  },
  remove: (head, draft) => {
    if (head.isDefault) return dialogs.notify({ title: texts.dontDoThat,
      about: texts.defaultStreamsCannotBeDeletedDuplicate });
    const name = cut(head.name?.trim() || head.id, 80);
    dialogs.ask({
      title: texts.deleteOf(name),
        about: texts.itsRunEndsAlsoInApps, action: texts.delete,
      act: async () => {
        const { text } = await hub.document(head.id);
        const gone = () => { list.remove(head.id); location.hash = "#/"; };
        try {
          await hub.remove(head.id, draft.revision);
        } catch (error) {
          if (error.status !== 409 || !error.problem?.dependents) throw error;
          const names = error.problem.dependents.slice(0, 5).map((other) => other.name?.trim() || other.id).join(", ");
          dialogs.ask({
            title: texts.streamsReferTo(name),
            about: texts.theyCantStartAnymoreCurrentRuns(names),
            action: texts.deleteItAnyway,
            act: async () => { await hub.remove(head.id, draft.revision, "dependents=keep"); gone(); },
          });
          return;
        }
        gone();
        const back = async () => {
          try { openStored(await hub.restore(head.id, text)); } catch (error) { trouble(error); }
        };
        note(texts.isDeleted(name), { text: texts.undo, act: back }, notes);
      },
    });
  },
};

const mostNames = 500;

// The streams that one may refer to: references have the id, which outlives a rename; people see the name.
function names(id) {
  const heads = list.heads, count = new Map();
  for (const { name } of heads) count.set(name, (count.get(name) ?? 0) + 1);
  return heads.filter((head) => head.id !== id).slice(0, mostNames).map((head) => ({
    id: head.id,
    name: !head.name?.trim() ? head.id : count.get(head.name) === 1 ? head.name : `${head.name} (${head.id})`,
  }));
}

async function store(text) { openStored(await hub.create(text)); }

/** Shows a stream that the hub has stored. */
function openStored(head) {
  list.put(head);
  list.reveal(head.id);
  location.hash = `#/streams/${encodeURIComponent(head.id)}`;
}

/** Asks for the stream of a link, which nobody has to trust. */
async function offer(data) {
  history.replaceState(null, "", "#/");
  route();
  try {
    const text = await (await import("./sharing.js")).documentIn(data), document = read(text);
    if (!(document instanceof Map)) throw new Error(texts.theLinkHasNoDocument);
    asCopy(document, true);
    const name = document.get("name");
    dialogs.ask({ title: texts.addTheStreamOfThisLink, about: cut(`${typeof name === "string" ? name : texts.aStreamWithoutAName}\n\n${write(document)}`, 3000),
      action: texts.addIt, isDanger: false, act: () => store(write(document)) });
  } catch (error) {
    note(error.status ? error.message : texts.thisLinkHasNoDocumentThat);
  }
}

async function create() {
  try { await loadCatalog(); } catch (error) { if (error instanceof Away) return lost(); }
  dialogs.newStream({ streams: page.names(), create: store });
}

// MARK: The views

const wide = matchMedia("(min-width: 800px)");

/** Returns the kind of the view that the address names, and the name of what it shows. */
function address() {
  const [, named, id, own] = /^#\/(?:(streams|groups)\/(.+)|(tokens|stacks|first|graph|gallery|operations))$/.exec(location.hash) ?? [];
  let name;
  try { name = id && decodeURIComponent(id); } catch { name = id; }
  return { kind: named ?? own, name };
}

/** The views that are loaded when they are shown first: their titles, and their classes. */
const others = {
  tokens: [texts.tokensSluice, async () => (await import("./tokens.js")).TokensView],
  stacks: [texts.filterStacksSluice, async () => (await import("./stacks.js")).StacksView],
  gallery: [texts.templatesSluice, async () => (await import("./gallery.js")).GalleryView],
  graph: [texts.graphSluice, async () => (await import("./graph.js")).GraphView],
  operations: [texts.operationsSluice, async () => (await import("./operations.js")).OperationsView],
};
/** The key of the view that is being loaded. */
let coming;

async function showOther(kind, key) {
  const [title, load] = others[kind];
  coming = key;
  main.replaceChildren();
  let Other;
  try { Other = await load(); } catch { if (coming === key) note(texts.thisViewCantBeLoaded); }
  if (coming !== key) return;
  coming = undefined;
  if (Other) show(new Other(page), key, title);
}

function route() {
  const [, data] = /^#\/open\/([\w-]+)$/.exec(location.hash) ?? [];
  if (data) return void (list.isRead && offer(data));
  const { kind, name } = address();
  const key = kind && `${kind} ${name}`;
  if (key && key === (coming ?? view?.key)) return;
  if (!kind && list.isRead && !isDismissed()) return location.replace("#/first");
  view?.close();
  view = missing = coming = undefined;
  if (kind !== "first" && kind !== "groups") endFollower();
  document.body.dataset.view = kind ?? "list";
  mark();
  list.mark(kind === "streams" ? name : undefined);
  if (kind === "streams") open(name, key);
  else if (kind === "groups") show(new GroupView(name, page), key, texts.groupSluice(name));
  else if (others[kind]) showOther(kind, key);
  else if (kind === "first") show(new FirstView(page), key, texts.sluiceFirstSteps);
  else {
    feed.show();
    main.replaceChildren();
    document.title = "Sluice";
    // A wide page has room for the first stream.
    if (wide.matches && list.heads.length) location.replace(`#/streams/${encodeURIComponent(list.heads[0].id)}`);
  }
}

// Where the list is alone on the page, it is the main part of it.
function mark() {
  const isAlone = !wide.matches && document.body.dataset.view === "list", brand = document.querySelector(".brand");
  for (const [element, role] of [[side, "main"], [brand, "heading"], [brand.parentElement, "presentation"]]) {
    if (isAlone) element.setAttribute("role", role); else element.removeAttribute("role");
  }
  if (isAlone) brand.setAttribute("aria-level", 1); else brand.removeAttribute("aria-level");
}

function open(id, key) {
  const head = list.head(id);
  if (!head) {
    missing = id;
    feed.show();
    document.title = "Sluice";
    main.replaceChildren(make("div", { class: "empty" },
      make("p", { text: texts.thisHubHasNoSuchStream }),
      make("a", { class: "button", href: "#/", text: texts.allStreams })));
    return;
  }
  document.title = `${cut(head.name?.trim() || id, 80)} · Sluice`;
  feed.show(id);
  show(new StreamView(head, page), key);
}

function show(next, key, title) {
  view = next;
  view.key = key;
  main.replaceChildren(view.element);
  if (!wide.matches || document.activeElement === document.body) view.element.querySelector("h1")?.focus({ preventScroll: true });
  if (!(view instanceof StreamView)) {
    feed.show();
    document.title = title;
  }
  scrollTo(0, 0);
  view.open();
}

wide.addEventListener("change", () => { mark(); if (!location.hash.startsWith("#/s")) route(); });

// MARK: The hub's events

const feed = new Feed({
  // No event says what was stored before the connection; the list does, if it is asked for from now on. The first
  // events wait for it: without a list there is no view that takes them.
  opened: () => {
    view?.fresh?.();
    const read = look(false);
    return list.isRead ? undefined : read;
  },
  lost,
  run: (run, at) => {
    list.ran(run);
    if (run.stream === view?.id) view.run(run, at);
  },
  value: (data) => { if (data.stream === view?.id) view.value(data); },
  reported: (data) => { if (data.stream === view?.id) view.reported(data); },
  gap: (data) => { if (data.stream === view?.id) view.gap(); },
  completed: (data) => { if (data.stream === view?.id) view.completed(data); },
  failed: (data) => { if (data.stream === view?.id) view.failed(data); },
  changed: (head) => {
    if (list.isNewer(head)) return;
    list.put(head);
    changedStacks();
    if (head.id === view?.id) view.changed(head);
    else if (head.id === missing) route();
  },
  removed: ({ id }) => {
    list.remove(id);
    changedStacks();
    if (id === view?.id) vanish();
  },
  stack: () => changedStacks(),
  stackRemoved: () => changedStacks(),
  members: ({ group }) => { if (view instanceof StreamView || view?.key?.startsWith("operations") || view?.name === group) view.members(); showGroups(); },
});

/** A stack was stored or deleted, or its users are others. */
const changedStacks = calmly(300, () => { view?.stacks?.(); });

/** Shows the stream as the list has it now, as an event would have done that was not sent to this page. */
function follow() {
  if (!(view instanceof StreamView)) return;
  const head = list.head(view.id), { head: shown, draft } = view;
  if (!head) return draft.isDeleted ? undefined : vanish();
  const isOther = head.revision !== shown.revision || json(head.errors) !== json(shown.errors);
  if (isOther || draft.isDeleted) view.changed(head);
}

/** Shows that the stream is gone; its document stays in sight if it was loaded. */
function vanish() {
  if (view.draft.stored !== undefined) return view.removed();
  view.close();
  view = undefined;
  route();
}

// MARK: Whether the hub is there. While it is away one question is asked again and again, calmly.

/** The time that the first connection may take before the list is shown without it, in milliseconds. */
const patience = 3000;

let away = false, asking, again;

/** Opens the events, and then reads the list: in this order nothing is lost between them. */
function begin() {
  const { kind, name } = address();
  feed.show(kind === "streams" ? name : undefined);
  setTimeout(() => { if (feed.isConnecting) look(false); }, patience);
}

function lost() {
  if (away) return;
  asking ??= look().finally(() => { asking = undefined; });
}

/**
 * Reads the list; if the hub does not give it, again and again. With `isAnew`, all events are sent again after that,
 * and the list is read once more when they begin.
 */
async function look(isAnew = true, wait = 1) {
  clearTimeout(again);
  try {
    await list.read(hub.streams);
  } catch (error) {
    const isAway = error instanceof Away;
    if (!isAway && wait === 1) trouble(error);
    if (isAway && !away) {
      away = true;
      feed.sleep();
      view?.hold?.();
      document.body.classList.add("away");
      notice.textContent = texts.theHubIsUnavailableRetrying;
    }
    if (!isAway && error.status !== 429 && !(error.status >= 500)) return;
    clearTimeout(again);
    again = setTimeout(look, wait * 1000, true, Math.min(wait * 1.5, 8));
    return;
  }
  clearTimeout(again);
  const wasAway = away;
  away = false;
  document.body.classList.remove("away");
  notice.textContent = "";
  if ((isAnew || wasAway) && !document.hidden) feed.wake(true);
  if (view) follow();
  else if (missing === undefined || list.head(missing)) route();
  if (wasAway) view?.back?.();
  showGroups();
}

onLocked(() => dialogs.logIn(async (token) => {
  await hub.logIn(token);
  lost();
}));

// A page that nobody sees gives its connection back after a while.
let sleep;
document.addEventListener("visibilitychange", () => {
  clearTimeout(sleep);
  if (document.hidden) sleep = setTimeout(rest, 20_000);
  else if (!away && !feed.isOpen) lost();
});
addEventListener("pagehide", () => {
  view?.keep?.();
  rest();
});
addEventListener("pageshow", (event) => { if (event.persisted && !away) lost(); });

function rest() {
  feed.sleep();
  view?.hold?.();
}

// MARK: Notices

/** A note that goes by itself; `action`: { text, act }; `place` where the view that is shown may go before it. */
function note(text, action, place = main.querySelector(".notes") ?? notes) {
  const element = make("div", { class: "note" }, make("span", { text }),
    action ? button({ text: action.text, kind: "pill" }, () => { element.remove(); action.act(); }) : undefined,
    button({ icon: "cross", label: texts.close, kind: "quiet" }, () => element.remove()));
  place.replaceChildren(element);
  const leave = () => { if (!element.matches(":hover, :focus-within")) element.remove(); else setTimeout(leave,
    3000); };
  setTimeout(leave, 9000);
}

function trouble(error) {
  if (error instanceof Away) return lost();
  if (error.status === 401) return;
  note(`${error.message}.`.replace(/\.\.$/, "."));
  if (!error.status) console.error(error);
}

// MARK: The side

let shownGroups;
/** The groups whose streams the list knows. */
const mostGroups = 20;

async function showGroups() {
  try {
    const groups = await hub.groups();
    // The same ones stay as they are: one of them may have the focus.
    const key = json([view?.name ?? null, ...groups.map(({ name, members }) => [name, members])]);
    if (key === shownGroups) return;
    shownGroups = key;
    document.getElementById("groups").replaceChildren(...groups.slice(0, 100).map(({ name, members }) => make("li", {},
      make("a", { href: `#/groups/${encodeURIComponent(name)}`,
        "aria-current": view?.name === name ? "page" : undefined },
        make("span", { dir: "auto", text: cut(name, 60) }),
          make("span", { class: "soft", text: texts.members(members) })))));
    const own = groups.filter(({ name }) => name !== "all").slice(0, mostGroups);
    const streams = await Promise.all(own.map(async ({ name }) => [name, new Set(((await hub.group(name)).streams ?? []).map((one) => one.id ?? one))]));
    list.groups = new Map(streams);
  } catch (error) {
    if (error instanceof Away) lost();
  }
}

const side = document.getElementById("side");
side.append(list.element, make("section", { class: "groups", "aria-label": texts.groups },
  make("div", { class: "groups-head" }, make("h2", { text: texts.groups }),
    button({ icon: "plus", label: texts.newGroup, kind: "quiet" }, () => dialogs.name({
    title: texts.newGroup, label: texts.name, action: texts.create, act: async (name) => {
      await hub.addGroup(name);
      await showGroups();
      location.hash = `#/groups/${encodeURIComponent(name)}`;
    },
  }))), make("ul", { id: "groups" })),
make("nav", { class: "foot", "aria-label": texts.theHub },
  button({ text: texts.openAFile, kind: "quiet", id: "open-file" }, () => openFiles(page, () => look(false))),
  button({ text: texts.saveAll, kind: "quiet" }, () => exportAll(page)),
  make("a", { class: "button quiet", href: "#/first", text: texts.firstSteps }),
  make("a", { class: "button quiet", href: "#/gallery", text: texts.templates }),
  make("a", { class: "button quiet", href: "#/graph", text: texts.graph }),
  make("a", { class: "button quiet", href: "#/operations", text: texts.operations }),
  make("a", { class: "button quiet", href: "#/stacks", text: texts.stacks }),
  make("a", { class: "button quiet", href: "#/tokens", text: texts.tokens }),
  button({ text: texts.resetToDefaults, kind: "quiet", id: "reset-all" }, () => resetAll(page, () => look(false)))));

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();                                    // the fragment says what is shown
  main.focus();
});

/** Logs in with the token of the address, if it has one: it is behind the '#', where no server sees it. */
async function enter() {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (!token) return false;
  history.replaceState(null, "", "#/");                       // not for the next person at this browser
  try { await hub.logIn(token); } catch { /* the page asks for the token */ }
  return true;
}

addEventListener("hashchange", async () => { if (await enter()) lost(); else route(); });
await enter();
begin();
