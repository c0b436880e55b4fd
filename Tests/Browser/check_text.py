"""The document as text beside the picture: edits both ways, errors at line and column, files."""

import json
import re
import tempfile
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect, until


def put(page, text):
    page.run("""
        const field = document.querySelector("textarea.text"); field.focus(); field.value = arguments[0];
        field.dispatchEvent(new Event("input", { bubbles: true }));""", text)


def text(page):
    return page.run("return document.querySelector('textarea.text').value")


def the_text_is_the_document(page):
    page.document = page.hub.create(name="As text", stream=items((1, 1), (2, 1)))
    page.open(page.document)
    expect(json.loads(text(page)) == page.hub.document(page.document), f"it reads {text(page)}")


def an_edit_of_the_text_is_an_edit_of_the_picture(page):
    put(page, re.sub(r'"value":\s*2', '"value": "two"', text(page)))
    page.wait(lambda: [one[0] for one in page.items()] == ["1", "two"], lambda: f"the ball two: {page.items()}")
    expect(page.hub.revision(page.document) == 1, "it was stored while one types")
    page.find("textarea.text").send_keys(Keys.CONTROL, Keys.ENTER)
    until(lambda: page.hub.document(page.document)["stream"][1]["value"] == "two", "the edit in the hub")


def an_edit_of_the_picture_is_an_edit_of_the_text(page):
    page.run("document.activeElement.blur(); arguments[0].focus()", page.item(1))
    page.item(1).send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: "1.1" in text(page), "the delay in the text")
    until(lambda: "1.1" in page.hub.text(page.document)[0], "the delay in the hub")


def errors_have_their_line_and_column(page):
    put(page, '{\n  "stream": [\n    {"value": 1,}\n  ]\n}')
    page.wait(lambda: page.texts(".errors button") == ["3:17"],
        f"the place of the fault, not {page.texts('.errors li')}")
    expect(page.run("return document.querySelector('.marks .wrong').textContent.trim()") == '{"value": 1,}',
        "the line is not marked")
    expect(not page.find("#apply").is_enabled(), "it can be applied")
    page.picture("json-error")
    put(page, '{\n  "name": "As text",\n  "source": {"values": [1]},\n  "operators": [{"map": {"expression": "y"}}]\n}')
    page.wait(lambda: [text for text in page.texts(".errors button")[:1] if text.startswith("4:")],
        f"the place of the error: {page.texts('.errors li')}")
    page.click(".errors button")
    line = page.run("const field = document.querySelector('textarea.text'); return field.value.slice(0, field.selectionStart).split('\\n').length")
    expect(line == 4, f"the cursor is in line {line}")
    page.click("#discard")
    page.wait(lambda: not page.is_shown(".draft"), "the end of the draft")


def a_gate_that_is_closed_says_why(page):
    put(page, '{\n  "name": "As text",\n  "gate": true,\n  "source": {"values": [1]},\n'
        '  "tests": [{"name": "gives 2",\n    "expect": "(2|)"}]\n}')
    page.wait(lambda: [text for text in page.texts(".errors li") if 'the test "gives 2" fails' in text],
        lambda: f"the test that fails: {page.texts('.errors li')}")
    expect(page.texts(".errors button")[0].startswith("6:"), f"its place: {page.texts('.errors li')}")
    expect(not page.find("#apply").is_enabled(), "it can be applied")
    page.picture("gate")
    page.click("#discard")
    page.wait(lambda: not page.is_shown(".draft"), "the end of the draft")


def one_plan_is_asked_for_at_a_time(page):
    id = page.hub.create(name="Planned", source={"values": [1]}, operators=[{"id": "kept", "map": {"expression": "x"}}])
    page.open(id)
    page.run("""
        const ask = window.fetch;
        Object.assign(window, { plans: [], most: 0, held: [], isHeld: true });
        let flying = 0;
        window.fetch = async (path, options) => {
          if (!String(path).endsWith("/plan")) return ask(path, options);
          window.plans.push(JSON.parse(options.body).name);
          window.most = Math.max(window.most, ++flying);
          try {
            const answer = await ask(path, options);
            if (window.isHeld) await new Promise((go) => window.held.push(go));
            return answer;
          } finally { flying -= 1; }
        };""")
    write = lambda name: put(page, json.dumps({**page.hub.document(id), "name": name, "operators": []}, indent=2))
    write("first")
    page.wait(lambda: page.run("return window.held.length") == 1, "a plan on its way")
    for name in ("second", "third", "fourth"):
        write(name)
        page.rest(400)      # longer than the pause after which a draft is examined
    expect(page.run("return window.plans") == ["first"], f"meanwhile it asks for {page.run('return window.plans')}")
    page.run("window.isHeld = false; for (const go of window.held.splice(0)) go()")
    page.wait(lambda: page.run("return window.plans.length") == 2 and "is removed" in page.text(".draft"),
        lambda: f"the plan of the newest draft: {page.text('.draft')!r}")
    expect(page.run("return [window.plans, window.most]") == [["first", "fourth"], 1],
        f"plans, and the most at a time: {page.run('return [window.plans, window.most]')}")
    page.click("#apply")
    until(lambda: page.hub.document(id)["name"] == "fourth", "the newest draft in the hub")


def a_stream_is_a_file(page):
    with tempfile.TemporaryDirectory() as folder:
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        page.choose("Share", "Download the file")
        path = Path(folder) / "As text.json"
        until(path.exists, "the file")
        until(lambda: path.read_text() == page.hub.text(page.document)[0], "the text of the document in the file")
        page.driver.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": True})
        page.click("#open-file")
        page.driver.find_element(By.ID, "file").send_keys(str(path))
        page.wait(lambda: page.text("h1") == "As text copy", "the file of a stream of this hub, as a copy beside it")
        path.write_text(json.dumps({"name": "From a file", "stream": items((7, 1))}))
        page.click("#open-file")
        page.driver.find_element(By.ID, "file").send_keys(str(path))
        page.wait(lambda: page.text("h1") == "From a file", "the stream of the file")
        path.write_text('{"name": "Wrong", "stream": [{"value": 1, "operators": [{"delay": {"seconds": -1}}]}]}')
        page.click("#open-file")
        page.driver.find_element(By.ID, "file").send_keys(str(path))
        page.wait(lambda: "delay.seconds" in page.text("dialog"), lambda: f"why it cannot be opened: {page.text('dialog')!r}")
        page.press("OK", "dialog")
        page.driver.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": False})


CHECKS = [the_text_is_the_document, an_edit_of_the_text_is_an_edit_of_the_picture,
    an_edit_of_the_picture_is_an_edit_of_the_text,
          errors_have_their_line_and_column, a_gate_that_is_closed_says_why, a_stream_is_a_file,
          one_plan_is_asked_for_at_a_time]
