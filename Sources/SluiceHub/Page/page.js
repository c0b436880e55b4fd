// The page: which view is shown, and what holds all together.
import * as dialogs from "./dialogs.js";
import { button, make } from "./dom.js";
import { Feed } from "./feed.js";
import { asCopy, download, exportAll, openFiles, resetAll } from "./files.js";
import { GroupView } from "./group.js";
import { Away, hub, onLocked } from "./hub.js";
import { copy, write } from "./json.js";
import { loadCatalog } from "./catalog.js";
import { List } from "./list.js";
import { announce } from "./announce.js";
import { StreamView } from "./stream.js";
import { TokensView } from "./tokens.js";
import { cut } from "./value.js";

const main = document.getElementById("view");
const notice = document.getElementById("notice");
const notes = document.getElementById("notes");
const list = new List({ create });
let view;

// MARK: What the views ask of the page

const page = {
  announce, lost, note, trouble, reopen: () => feed.wake(true),
  heads: () => list.heads,
  names,
  groupsChanged: showGroups,
  download,
  copyLink: () => page.copy(location.href, "link"),
  copy: async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      note(`The ${what} is copied.`);
    } catch {
      dialogs.notify({ title: `Copy the ${what}`, about: text });
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
  remove: (head, draft) => {
    if (head.isDefault) return dialogs.notify({ title: "Don't do that",
      about: "Default streams cannot be deleted. Duplicate it and change the copy, or reset it." });
    const name = cut(head.name?.trim() || head.id, 80);
    dialogs.ask({
      title: `Delete “${name}”?`,
        about: "Its run ends, also in apps that follow it. Its history is kept.", action: "Delete",
      act: async () => {
        const { text } = await hub.document(head.id);
        const gone = () => { list.remove(head.id); location.hash = "#/"; };
        try {
          await hub.remove(head.id, draft.revision);
        } catch (error) {
          if (error.status !== 409 || !error.problem?.dependents) throw error;
          const names = error.problem.dependents.slice(0, 5).map((other) => other.name?.trim() || other.id).join(", ");
          dialogs.ask({
            title: `Streams refer to “${name}”`,
            about: `They can't start anymore: ${names}. Current runs continue.`,
            action: "Delete it anyway",
            act: async () => { await hub.remove(head.id, draft.revision, "dependents=keep"); gone(); },
          });
          return;
        }
        gone();
        const back = async () => {
          try { openStored(await hub.restore(head.id, text)); } catch (error) { trouble(error); }
        };
        note(`“${name}” is deleted.`, { text: "Undo", act: back }, notes);
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
  location.hash = `#/streams/${encodeURIComponent(head.id)}`;
}

async function create() {
  try { await loadCatalog(); } catch (error) { if (error instanceof Away) return lost(); }
  dialogs.newStream({ streams: page.names(), create: store });
}

// MARK: The views

const wide = matchMedia("(min-width: 800px)");

function route() {
  const [, named, id, own] = /^#\/(?:(streams|groups)\/(.+)|(tokens))$/.exec(location.hash) ?? [];
  const kind = named ?? own;
  const key = kind && `${kind} ${id}`;
  if (key && key === view?.key) return;
  view?.close();
  view = undefined;
  let name;
  try { name = id && decodeURIComponent(id); } catch { name = id; }
  document.body.dataset.view = kind ?? "list";
  list.mark(kind === "streams" ? name : undefined);
  if (kind === "streams") open(name, key);
  else if (kind === "groups") show(new GroupView(name, page), key);
  else if (kind === "tokens") show(new TokensView(page), key);
  else {
    feed.show();
    main.replaceChildren();
    document.title = "Sluice";
    // A wide page has room for the first stream.
    if (wide.matches && list.heads.length) location.replace(`#/streams/${encodeURIComponent(list.heads[0].id)}`);
  }
}

function open(id, key) {
  const head = list.head(id);
  if (!head) {
    feed.show();
    document.title = "Sluice";
    main.replaceChildren(make("div", { class: "empty" },
      make("p", { text: "This hub has no such stream. It may have been deleted." }),
      make("a", { class: "button", href: "#/", text: "All streams" })));
    return;
  }
  document.title = `${cut(head.name?.trim() || id, 80)} · Sluice`;
  feed.show(id);
  show(new StreamView(head, page), key);
}

function show(next, key) {
  view = next;
  view.key = key;
  main.replaceChildren(view.element);
  if (!wide.matches || document.activeElement === document.body) view.element.querySelector("h1")?.focus({ preventScroll: true });
  if (view instanceof GroupView) { feed.show(); document.title = `Group ${view.name} · Sluice`; }
  if (view instanceof TokensView) { feed.show(); document.title = "Tokens · Sluice"; }
  scrollTo(0, 0);
  view.open();
}

wide.addEventListener("change", () => { if (!location.hash.startsWith("#/s")) route(); });

// MARK: The hub's events

const feed = new Feed({
  opened: () => view?.fresh?.(),
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
    list.put(head);
    if (head.id === view?.id) view.changed(head);
  },
  removed: ({ id }) => {
    list.remove(id);
    if (id === view?.id) view.removed();
  },
  members: ({ group }) => { if (view instanceof StreamView || view?.name === group) view.members(); showGroups(); },
});

// MARK: Whether the hub is there. While it is away one question is asked again and again, calmly.

let away = false, asking;

function lost() {
  if (away) return;
  asking ??= look().finally(() => { asking = undefined; });
}

async function look(wait = 1) {
  try {
    const heads = await hub.streams();
    list.heads = heads;
    for (const head of heads) if (head.id === view?.id && head.revision !== view.head?.revision) view.changed(head);
  } catch (error) {
    if (!(error instanceof Away)) return void (error.status === 401 || trouble(error));
    if (!away) {
      away = true;
      feed.sleep();
      view?.hold?.();
      document.body.classList.add("away");
      notice.textContent = "The hub is unavailable; retrying";
    }
    setTimeout(look, wait * 1000, Math.min(wait * 1.5, 8));
    return;
  }
  const wasAway = away;
  away = false;
  document.body.classList.remove("away");
  notice.textContent = "";
  if (!view) route();
  if (!document.hidden) feed.wake(true);
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
    button({ icon: "cross", label: "Close", kind: "quiet" }, () => element.remove()));
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

async function showGroups() {
  try {
    const groups = await hub.groups();
    document.getElementById("groups").replaceChildren(...groups.slice(0, 100).map(({ name, members }) => make("li", {},
      make("a", { href: `#/groups/${encodeURIComponent(name)}`,
        "aria-current": view?.name === name ? "page" : undefined },
        make("span", { dir: "auto", text: cut(name, 60) }),
          make("span", { class: "soft", text: members === 1 ? "1 member" : `${members} members` })))));
  } catch (error) {
    if (error instanceof Away) lost();
  }
}

const side = document.getElementById("side");
side.append(list.element, make("section", { class: "groups", "aria-label": "Groups" },
  make("div", { class: "groups-head" }, make("h2", { text: "Groups" }),
    button({ icon: "plus", label: "New group", kind: "quiet" }, () => dialogs.name({
    title: "New group", label: "Name", action: "Create", act: async (name) => {
      await hub.addGroup(name);
      await showGroups();
      location.hash = `#/groups/${encodeURIComponent(name)}`;
    },
  }))), make("ul", { id: "groups" })),
make("div", { class: "foot" },
  button({ text: "Open a file", kind: "quiet", id: "open-file" }, () => openFiles(page, () => lost())),
  button({ text: "Save all", kind: "quiet" }, () => exportAll(page)),
  make("a", { class: "button quiet", href: "#/tokens", text: "Tokens" }),
  button({ text: "Reset to defaults", kind: "quiet", id: "reset-all" }, () => resetAll(page, () => lost()))));

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();                                    // the fragment says what is shown
  main.focus();
});

/** Shows what the address names; a link to log in has the token behind its '#', where no server sees it. */
async function enter() {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (!token) return false;
  history.replaceState(null, "", "#/");                       // not for the next person at this browser
  try { await hub.logIn(token); } catch { /* the page asks for the token */ }
  lost();
  return true;
}

addEventListener("hashchange", async () => { if (!await enter()) route(); });
if (!await enter()) lost();
