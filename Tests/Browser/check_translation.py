"""Every text that the page shows is in its file of texts: with one in which each is marked, nothing is without a mark."""

from selenium.webdriver.common.keys import Keys

from api import OwnHub, items
from browser import expect
from receiver import Receiver

TOKEN = "secret-of-the-texts"

# Marks each text of the page, as a translation would replace it: before any other module is evaluated, since all of them wait
# for the last one. `isTranslated` tells whether that came true.
TRANSLATION = """
if (location.protocol.startsWith("http")) import(`${location.origin}/page/texts.js`).then((groups) => {
  const mark = (text) => `⟦${text}⟧`;
  const translate = (group) => {
    for (const [key, text] of Object.entries(group)) {
      if (typeof text === "string") group[key] = mark(text);
      else if (typeof text === "function") group[key] = (...values) => mark(text(...values));
      else translate(text);
    }
  };
  for (const group of Object.values(groups)) if (typeof group === "object") translate(group);
  window.isTranslated = !document.querySelector(".skip")?.textContent;
});
"""

# Visible texts and labels with letters that are not marked, and are no sentence of the hub. Words of documents, of the catalog, and of the hub are not the page's.
UNMARKED = """
const foreign = "[dir='auto'], code, .code, pre, textarea, select:not(.texts) option[value]:not([value='']), .brand, .tick, [data-ball], .item, .ball, svg text, noscript, script, style, " + arguments[0], [, said] = arguments;
const isWritten = (text) => /[A-Za-z]{2,}/.test(text.replace(/[\\d.,]+ (ms|MB|KB|s)\\b|\\b(JSON|CSV|Nombre)\\b/g, ""));
const strip = (text) => { for (const one of said) text = text.replace(one, ""); let before; do { before = text; text = text.replace(/⟦[^⟦⟧]*⟧/g, ""); } while (text !== before); return text; };
const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  const one = node.parentElement;
  if (!node.textContent.trim() || one.closest(foreign) || one.offsetParent === null) continue;
  const text = node.textContent;
  if (isWritten(strip(text))) found.add(`${one.className || one.tagName}: ${text.trim().slice(0, 80)}`);
}
for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]")) {
  if (one.offsetParent === null || one.closest(foreign)) continue;
  for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"]) {
    const text = one.getAttribute(name);
    if (text && isWritten(text) && !text.includes("⟦")) found.add(`${name} of ${one.className || one.tagName}: ${text.slice(0, 80)}`);
  }
}
return [...found];
"""
# The catalog's names, parameters, and sentences; names of streams, of groups, and of members.
CATALOG = ("h3, .about, .error, time, .form .field, .form label, .field label, .choices li, .reference-name, [data-parameter], .template h3, .first h2 a, .name, "
           ".letter-head, .lines, .member-line strong, .member-line a, .groups a, .box title, .version")


def every_text_can_be_translated(page):
    receiver = Receiver()
    receiver.fails(400, "no")
    own = OwnHub("--token", TOKEN, "--allow", "127.0.0.1")
    script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": TRANSLATION})["identifier"]
    try:
        with page.at(own, TOKEN):
            log_in(page)
            id = a_stream(page, receiver)
            the_stream(page, id)
            its_dialogs(page)
            its_sinks(page, id)
            its_drafts(page, id)
            the_other_views(page)
            the_dialogs_of_the_list(page, id)
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        own.close()
        receiver.close()


def translated(page, fragment):
    """Opens a view with the translation; it may come too late, then once more."""
    def show():
        page.show(fragment)
        page.wait(lambda: page.run("return window.isTranslated !== undefined && document.querySelector('.skip').textContent"), "the page")
        return page.run("return window.isTranslated")
    page.wait(show, "the translation to come first")


def look(page, name, said=()):
    """`said`: what the hub says of a document; the page shows it as it is."""
    page.frames(3)
    page.picture(f"translated-{name.replace(' ', '-')}")
    found = page.run(UNMARKED, CATALOG, sorted(said, key=len, reverse=True))
    expect(not found, f"without a mark in {name}: {found}")


def texts(json):
    """All texts of an answer of the hub."""
    if isinstance(json, str):
        return [json]
    return [text for one in (json.values() if isinstance(json, dict) else json if isinstance(json, list) else ()) for text in texts(one)]


def refusal(page, id, expression):
    """Returns the sentences of the hub about the stream with another expression."""
    document = page.hub.document(id)
    document["operators"][0]["map"]["expression"] = expression
    status, problem, _ = page.hub.ask("POST", "/check", document)
    expect(texts(problem), f"the hub answers {status} {problem}")
    return texts(problem)


def close(page):
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    page.wait(lambda: not page.find_all("dialog"), "the end of the dialog")


def log_in(page):
    translated(page, "")
    page.wait(lambda: page.find_all("dialog[open] input"), "the login")
    look(page, "the login")
    page.fill("#token", "wrong").send_keys(Keys.ENTER)
    page.wait(lambda: page.text("dialog .error"), "that it is not the token")
    expect("⟦" in page.text("dialog .error"), f"without a mark in the login: {page.text('dialog .error')}")
    page.fill("#token", TOKEN).send_keys(Keys.ENTER)
    page.wait(lambda: page.texts(".rows .name"), "the list")


def a_stream(page, receiver):
    return page.hub.create(name="Nombre", stream=items(*[(value, 0.1) for value in range(20)]),
        operators=[{"id": "m", "map": {"expression": "x"}}, {"id": "s", "scan": {"initialValue": 0, "expression": "acc + x"}}],
        sinks=[{"id": "hook", "post": {"url": receiver.url(), "onFailure": "skip"}},
               {"id": "stuck", "post": {"url": receiver.url()}}])


def the_stream(page, id):
    translated(page, f"#/streams/{id}")
    page.opened()
    page.click(".play")
    page.wait(lambda: page.mark() == "completed", "the end of the run")
    for tab in ("history", "members", "values", "json"):
        page.click(f"#tab-{tab}")
        look(page, f"the tab {tab}")
    page.uncovered(page.find("[data-stage='1'] .ball")).click()
    page.wait(lambda: page.is_shown(".whole"), "the whole value")
    page.item(0).click()
    page.find(".item-list summary").click()
    look(page, "the stream")
    page.click("#tab-history")
    page.wait(lambda: page.find_all(".revisions .button"), "the revisions")
    page.find(".revisions .button").click()
    look(page, "a revision")


def its_dialogs(page):
    for menu in (0, 1):
        page.find_all(".stream-do .menu-place > .button")[menu].click()
        look(page, f"the menu {menu}")
        page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    more, share = page.find_all(".stream-do .menu-place")[1], page.find_all(".stream-do .menu-place")[0]
    for place, number, name in ((more, 0, "the name"), (more, 2, "the question"), (share, 3, "the code")):
        page.run("arguments[0].querySelectorAll('[role=menuitem]')[arguments[1]].click()", place, number)
        page.wait(lambda: page.find_all("dialog[open]"), name)
        look(page, name)
        close(page)


def its_sinks(page, id):
    page.wait(lambda: page.run("return document.querySelector(\".sink-gate[data-sink='hook'] [data-count='failed']\")?.textContent") == "20", "the dead letters")
    page.wait(lambda: page.is_shown(".sink-gate[data-sink='stuck'] .sent"), "the blocked sink")
    page.click(".sink-gate[data-sink='stuck'] summary")
    page.click(".sink-gate[data-sink='hook'] .letters-open")
    page.wait(lambda: page.find_all(".letters [data-letter]"), "the letters")
    page.find(".letters [data-letter] button").click()
    page.wait(lambda: page.text(".letter-detail"), "a letter")
    look(page, "a dead letter")
    page.find_all(".letters [data-letter] .letter-do button")[-1].click()
    page.wait(lambda: page.find_all("dialog[open]"), "the question")
    look(page, "a letter to be dropped")
    close(page)


def its_drafts(page, id):
    page.fill("[data-operator='map'] [data-parameter='expression']", "x + y")
    page.wait(lambda: page.find_all(".broken"), "the error")
    look(page, "a draft with an error", refusal(page, id, "x + y"))
    page.fill("[data-operator='map'] [data-parameter='expression']", "1 / (x - 8)")
    page.wait(lambda: page.find_all(".fault:not([hidden])"), "the failure")
    look(page, "a draft that fails")
    page.click("#discard")
    page.fill("[data-operator='scan'] [data-parameter='initialValue']", "5")
    page.wait(lambda: page.find_all(".draft .plan li, .draft li"), "the plan")
    look(page, "a draft with its plan")
    page.hub.put(id, {**page.hub.document(id), "description": "Otro"})
    page.wait(lambda: page.is_shown(".conflict"), "the conflict")
    look(page, "a conflict")
    page.find(".conflict .button").click()


# The names of a stack and of its filters.
STACK = ("patient", "retry", "timeout", "hedge")


def the_other_views(page):
    page.hub.ask("PUT", "/stacks/patient", '{"filters": [{"retry": {}}, {"timeout": {"seconds": 1}}]}', If_None_Match="*")
    for name in ("graph", "gallery", "operations", "stacks", "tokens", "first", "groups/all", "streams/nobody"):
        page.go(f"#/{name}")
        page.wait(lambda: "⟦" in page.text("main") and not page.find_all("main [aria-busy='true']"), f"the texts of {name}")
        look(page, name.replace("/", " "), STACK if name == "stacks" else ())
        if name == "stacks":
            page.wait(lambda: page.find_all("[data-stack='patient'] .button"), "the stack")
            page.find("[data-stack='patient'] .button").click()
            page.wait(lambda: page.is_shown("#stack-text"), "its editor")
            page.fill("#stack-text", '{"filters": [{"timeout": {"seconds": 2}}, {"hedge": {}}]}')
            page.wait(lambda: page.texts("#stack-effects li"), "the effects")
            look(page, "a stack", STACK)


def the_dialogs_of_the_list(page, id):
    page.go("#/gallery")
    for button, name in (("#new", "a new stream"), (".groups-head .button", "a new group"), (".foot .button:last-child", "the question to reset")):
        page.click(button)
        page.wait(lambda: page.find_all("dialog[open]"), name)
        look(page, name)
        close(page)
    page.fill(".side input[type='search'], #search", "nothing has this name")
    page.wait(lambda: not page.find_all(".rows .name"), "no row")
    look(page, "a search that finds nothing")
    page.go("#/open/AAAA")
    page.wait(lambda: page.text(".note"), "the note")
    look(page, "a link without a document")


CHECKS = [every_text_can_be_translated]
