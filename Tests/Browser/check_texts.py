"""The texts of the page are in one file, and its errors are the sentences of the hub."""

import re

from api import ROOT, items
from browser import Page, expect

MODULES = ROOT / "Sources/SluiceHub/Page"
# The rest of a string, of a regular expression, and of a part of a template.
QUOTED = {sign: re.compile(rf"{sign}(?:\\.|[^{sign}\\\n])*{sign}") for sign in "\"'"}
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
TEMPLATE = re.compile(r"(?:\\.|[^`\\$]|\$(?!\{))*(?:`|\$\{)", re.S)
# Prose: two words, or one that begins like a sentence or a title.
PROSE = re.compile(r"[A-Za-z]{2,}[,.:;]? [a-z]{2,}|^[A-Z][a-z]{2,}|[a-z]{2,}[.…!?]$")
# What is no text of the page: names of classes, of keys, of events, of styles, and of headers.
NAMES = re.compile(r"(\b(class|kind|className|import|from|key|headers?\[|sandbox|rel|viewBox|font|schema)\b[^,;{]*|"
                   r"(add|toggle|remove|contains|querySelector(All)?|closest|matches|matchMedia|Event|EventListener|case|===|!==|"
                   r"setProperty|getItem|setItem|has|get|set|delete|includes|shape|fetch)\s*\(?\s*\(?(\[[^\]]*)?)$")
# The modules with documents, programs, and pictures, whose strings are for programs and not for people.
FOREIGN = {"texts.js", "templates.js", "qr.js", "shell.js", "picture.js", "follower.js", "catalog.js"}
FOREIGN_TEXTS = re.compile(r"^(sluice |begins at|translate\(|curl |import SluiceStreams|-H |-mac|-hmac|-binary| \| od|sign=|key=|body=|If-|Content-|X-|Sluice$|"
                           r"</?[a-z]+|Alt\+|page-|#|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|Enter$|Escape$|Home$|End$|Delete$|Backspace$|Tab$)")


def strings(text):
    """Returns the strings of a module, templates with … for each placeholder: `(offset, string)`."""
    found, depths, at, last = [], [], 0, "("
    while at < len(text):
        sign = text[at]
        if text.startswith(("//", "/*"), at):
            end = "*/" if text[at + 1] == "*" else "\n"
            at = text.index(end, at + 2) + len(end)
            continue
        if sign in "\"'":
            end = QUOTED[sign].match(text, at).end()
            found.append((at, text[at + 1:end - 1]))
            at, last = end, sign
            continue
        if sign == "/" and (last in "(,=:&|!?{};[>+" or text[:at].rstrip().endswith("return")):
            at, last = PATTERN.match(text, at).end(), "/"
            continue
        if sign == "`" or (sign == "}" and depths and depths[-1][0] == 0):
            start, before = depths.pop()[1:] if sign == "}" else (at, "")
            part = TEMPLATE.match(text, at + 1)
            at = part.end()
            if part[0].endswith("${"):
                depths.append([0, start, before + part[0][:-2] + "…"])
                last = "{"
            else:
                found.append((start, before + part[0][:-1]))
                last = "`"
            continue
        if depths and sign in "{}":
            depths[-1][0] += 1 if sign == "{" else -1
        if not sign.isspace():
            last = sign
        at += 1
    return sorted(found)


def literals(text):
    """Returns the strings of a module that read like texts, each with its line."""
    found = []
    for at, words in strings(text):
        before = text[text.rfind("\n", 0, at) + 1:at]
        if PROSE.search(words) and not NAMES.search(before) and not FOREIGN_TEXTS.match(words):
            found.append((text.count("\n", 0, at) + 1, words))
    return found


def no_module_has_a_text_of_its_own(_):
    planted = 'const name = make("p", { class: "soft about", text: "This is a text" }); // not "This is"\nnote(`${count} values are left`);'
    expect([line for line, _ in literals(planted)] == [1, 2], f"the check finds {literals(planted)}")
    found = [f"{path.name}:{line}: {one}" for path in sorted(MODULES.glob("*.js")) if path.name not in FOREIGN
             for line, one in literals(path.read_text())]
    expect(not found, "texts outside of texts.js:\n  " + "\n  ".join(found))
    html = re.sub(r"<noscript>.*?</noscript>|<title>.*?</title>|<p class=\"brand\">.*?</p>", "", (MODULES / "index.html").read_text(), flags=re.S)
    expect(not re.search(r">[^<]*[A-Za-z][^<]*<", html), "index.html has a text")
    css = [path.name for path in MODULES.glob("*.css") if re.search(r'content: "[^"\\]*[A-Za-z]', path.read_text())]
    expect(not css, f"texts in {css}")


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

# Visible texts and labels with letters that are not marked. Words of documents, of the catalog, and of the hub are not the page's.
UNMARKED = """
const foreign = "[dir='auto'], code, .code, pre, textarea, select:not(.texts) option[value]:not([value='']), .brand, .tick, [data-ball], .item, .ball, svg text, noscript, script, style, " + arguments[0];
const isWritten = (text) => /[A-Za-z]{2,}/.test(text.replace(/[\\d.,]+ (ms|MB|KB|s)\\b|\\b(JSON|CSV)\\b/g, ""));
const strip = (text) => { let before; do { before = text; text = text.replace(/⟦[^⟦⟧]*⟧/g, ""); } while (text !== before); return text; };
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
    """With a file of texts in which each one is marked, nothing that the page shows is without a mark."""
    other = Page(page.base)
    try:
        other.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": TRANSLATION})
        marked(other)
    finally:
        other.close()


def translated(page, fragment):
    def show():
        page.show(fragment)
        page.wait(lambda: page.run("return window.isTranslated !== undefined && document.querySelector('.skip').textContent"), "the page")
        return page.run("return window.isTranslated")
    page.wait(show, "the translation to come first")


def marked(page):
    id = page.hub.create(name="Nombre", stream=items(*[(value, 0.2) for value in (1, 2, 3)]),
                         operators=[{"id": "m", "map": {"expression": "x"}}], sinks=[{"id": "hook", "post": {"url": "http://127.0.0.1:9/"}}])
    views = {"stream": f"#/streams/{id}", "graph": "#/graph", "gallery": "#/gallery", "operations": "#/operations", "stacks": "#/stacks",
             "tokens": "#/tokens", "first page": "#/first", "group": "#/groups/all"}
    for name, fragment in views.items():
        translated(page, fragment)
        page.wait(lambda: "⟦" in page.text("main") and not page.find_all("main [aria-busy='true']"), f"the texts of the {name}")
        if name == "stream":
            page.opened()
            page.click(".play")
            page.wait(lambda: page.mark() == "completed", "the end of the run")
            for tab in ("history", "members", "values"):
                page.click(f"#tab-{tab}")
                page.frames()
                found = page.run(UNMARKED, CATALOG)
                expect(not found, f"without a mark beside the stream, under {tab}: {found}")
        page.frames(3)
        page.picture(f"translated-{name.replace(' ', '-')}")
        found = page.run(UNMARKED, CATALOG)
        expect(not found, f"without a mark in the {name}: {found}")


BROKEN = ["", "  ", "{", "[", "[1", "[1,", "[1, 2", "{\"a\"", "{\"a\":", "{\"a\": 1", "{\"a\": 1,", "{\"a\": 1 \"b\": 2}", "[1 2]", "[1,]", "{\"a\": 1,}",
          "{a: 1}", "{'a': 1}", "{\"a\": 'x'}", "{\"a\": tru}", "{\"a\": @}", "{\"a\": é}", "{\"a\": \"x", "{\"a\": \"x\ny\"}", "{\"a\": \"\t\"}", "{\"a\": \"\\q\"}",
          "{\"a\": \"\\u12G4\"}", "{\"a\": \"\\u12", "{\"a\": \"\\", "{\"a\" 1}", "{\"a\": 1} x", "{} {}", "{\"a\": 1, \"a\": 2}", "{\"a\": }", "]", "{1: 2}", "{\"a\": #}",
          "{\n  \"name\": \"x\",\n  \"source\" {}\n}"]


def an_error_is_the_same_sentence_here_and_there(page):
    """Texts that are no JSON: the page says what the hub says, at the same line and column."""
    page.show("")
    differ = []
    for text in BROKEN:
        mine = page.run_async("""
            const [text, done] = arguments;
            import("/page/json.js").then(({ read }) => {
              try { read(text); done(null); } catch ({ message, line, column }) { done([message, line, column]); }
            });""", text)
        status, problem, _ = page.hub.ask("POST", "/streams", text)
        errors = problem.get("errors") if isinstance(problem, dict) else None
        expect(status >= 400 and errors, f"the hub takes {text!r}: {status} {problem}")
        theirs = [errors[0].get("message"), errors[0].get("line"), errors[0].get("column")]
        if mine != theirs:
            differ.append(f"{text!r}: {mine}, the hub: {theirs}")
    expect(not differ, "\n  ".join(["other sentences", *differ]))


CHECKS = [no_module_has_a_text_of_its_own, every_text_can_be_translated, an_error_is_the_same_sentence_here_and_there]
