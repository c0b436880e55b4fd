"""The texts of the page are in one file, and its errors are the sentences of the hub."""

import json
import re

from api import ROOT
from browser import expect

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


BROKEN = ["", "  ", "{", "[", "[1", "[1,", "[1, 2", "{\"a\"", "{\"a\":", "{\"a\": 1", "{\"a\": 1,", "{\"a\": 1 \"b\": 2}", "[1 2]", "[1,]", "{\"a\": 1,}",
          "{a: 1}", "{'a': 1}", "{\"a\": 'x'}", "{\"a\": tru}", "{\"a\": @}", "{\"a\": é}", "{\"a\": \"x", "{\"a\": \"x\ny\"}", "{\"a\": \"\t\"}", "{\"a\": \"\\q\"}",
          "{\"a\": \"\\u12G4\"}", "{\"a\": \"\\u12", "{\"a\": \"\\", "{\"a\" 1}", "{\"a\": 1} x", "{} {}", "{\"a\": 1, \"a\": 2}", "{\"a\": }", "]", "{1: 2}", "{\"a\": #}",
          "{\n  \"name\": \"x\",\n  \"source\" {}\n}", "[1]", " 1.5", "\n \"x\"", "null", "true"]


def an_error_is_the_same_sentence_here_and_there(page):
    """Texts that are no JSON, or no object: the page says what the hub says, at the same line and column."""
    page.show("")
    differ = []
    for text in BROKEN:
        mine = page.run_async("""
            const [text, done] = arguments;
            import("/page/json.js").then(({ readObject }) => {
              try { readObject(text); done(null); } catch ({ message, line, column }) { done([message, line, column]); }
            });""", text)
        status, problem, _ = page.hub.ask("POST", "/streams", text)
        errors = problem.get("errors") if isinstance(problem, dict) else None
        expect(status >= 400 and errors, f"the hub takes {text!r}: {status} {problem}")
        theirs = [errors[0].get("message"), errors[0].get("line"), errors[0].get("column")]
        if mine != theirs:
            differ.append(f"{text!r}: {mine}, the hub: {theirs}")
    expect(not differ, "\n  ".join(["other sentences", *differ]))


# Documents with errors, each with a place where the page says it, beside the draft and the text, where all are said.
FAULTY = [
    ({"operators": [{"id": "m", "map": {"expression": "x + y"}}]}, "[data-operator='map'] .error"),
    ({"operators": [{"id": "p", "prefix": {"count": -1}}]}, "[data-operator='prefix'] .error"),
    ({"operators": [{"id": "p", "prefix": {"count": "many"}}]}, "[data-operator='prefix'] .error"),
    ({"operators": [{"id": "f", "filter": {}}]}, "[data-operator='filter'] .error"),
    ({"sinks": [{"id": "hook", "post": {}}]}, "[data-sink='post'] .error"),
    ({"source": {"ref": "nobody"}}, ".source .error"),
    ({"source": {"interval": {"seconds": 0}}}, ".source .error"),
    ({"operators": [{"id": "one", "dropFirst": {"count": 1}}, {"id": "one", "dropFirst": {"count": 1}}]}, ".draft"),
]


def an_error_of_a_document_is_the_hubs_own(page):
    """The field, the draft, and the list of errors show what the API answers."""
    id = page.hub.create(name="Faulty", source={"values": [1]}, operators=[])
    page.open(id)
    for part, place in FAULTY:
        document = {**page.hub.document(id), **part}
        errors = page.hub.ask("POST", "/check", document)[1]["errors"]
        expect(errors, f"the hub takes {part}")
        page.run("""
            const field = document.querySelector("textarea.text"); field.focus(); field.value = arguments[0];
            field.dispatchEvent(new Event("input", { bubbles: true }));""", json.dumps(document))
        for error in errors[:3]:
            hint = error.get("hint")
            words = error["message"] + (f" ({hint})" if hint and len(hint) < 160 else "")
            shown = lambda: [" ".join(page.texts(where)) for where in (place, ".draft", ".panel .error")]
            page.wait(lambda: all(words in one for one in shown()), lambda: f"{words!r} of {part} in {shown()}")
    page.click("#discard")


CHECKS = [no_module_has_a_text_of_its_own, an_error_is_the_same_sentence_here_and_there, an_error_of_a_document_is_the_hubs_own]
