"""Operators: add with completion, edit with errors at the place, reorder, disable, remove; and the plan before an edit."""

from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect, until


def names(document):
    return [next(key for key in operator if key not in ("id", "note",
        "disabled")) for operator in document["operators"]]


def shown(page):
    return page.run("return [...document.querySelectorAll('.operator[data-operator]')].map((one) => one.dataset.operator)")


def every_operator_and_source_is_described(page):
    catalog = page.hub.ask("GET", "/catalog")[1]
    for kind in catalog["operators"] + catalog["sources"]:
        expect(kind["summary"], f"{kind['name']} has no summary")


def an_operator_is_found_by_its_name_and_added(page):
    page.made = page.hub.create(name="Operators", stream=items(*[(value, 1) for value in (1, 2, 3, 4)]))
    page.open(page.made)
    adder = page.find(".adder")
    adder.send_keys("skip")
    page.wait(lambda: "dropFirst" in page.texts(".choice-name"),
        f"dropFirst by its synonym, not {page.texts('.choice-name')}")
    adder.send_keys(Keys.CONTROL, "a")
    adder.send_keys("filt")
    page.wait(lambda: page.texts(".choice-name")[:1] == ["filter"],
        f"filter at first, not {page.texts('.choice-name')}")
    expect("match" in page.text(".choices [aria-selected='true'] .summary"), "the choice does not say what it does")
    page.picture("completion")
    adder.send_keys(Keys.ENTER)
    page.wait(lambda: shown(page) == ["filter"], "the operator")
    expect(page.run("return document.activeElement.dataset.parameter") == "expression",
        "the expression has not the focus")
    # Nothing runs, so that nothing can lose its state.
    until(lambda: page.hub.revision(page.made) == 2, "the operator in the hub")
    page.wait(lambda: "filter is added" in page.text(".note"), lambda: f"the plan: {page.text('.note')!r}")
    page.wait(lambda: len(page.find_all(".tunnel")) == 2, "the new tunnel")


def errors_stand_where_they_are_while_one_types(page):
    page.fill("[data-operator='filter'] [data-parameter='expression']", "x % 2 ==")
    page.wait(lambda: page.text("[data-operator='filter'] .form-expression .error"), "the error under the field")
    field = page.find("[data-operator='filter'] [data-parameter='expression']")
    expect(field.get_attribute("aria-invalid") == "true", "the field does not say that it is wrong")
    described = page.run("return document.getElementById(arguments[0].getAttribute('aria-describedby')).textContent",
        field)
    expect(described, "the error does not describe the field")
    expect(not page.find("#apply").is_enabled(), "a document with an error can be applied")
    page.picture("error")
    field.send_keys(" 0")
    page.wait(lambda: not page.text("[data-operator='filter'] .form-expression .error"), "the end of the error")
    page.wait(lambda: page.find("#apply").is_enabled(), "that it can be applied")
    expect(page.hub.revision(page.made) == 2, "it was stored while one typed")
    field.send_keys(Keys.ENTER)
    until(lambda: page.hub.revision(page.made) == 3, "the edit in the hub")
    expect(page.hub.document(page.made)["operators"] == [{"id": "filter", "filter": {"expression": "x % 2 == 0"}}],
        f"the hub has {page.hub.document(page.made)}")


def an_edit_that_keeps_all_is_applied_at_once(page):
    page.fill("[data-operator='filter'] [data-parameter='expression']", "x % 2 == 1").send_keys(Keys.ENTER)
    until(lambda: page.hub.revision(page.made) == 4, "the edit in the hub")
    page.wait(lambda: "filter keeps its state" in page.text(".note"), lambda: f"the plan in the note: {page.text('.note')!r}")


def an_edit_that_resets_waits_for_its_plan(page):
    # The last item keeps the run from ending: an edit of a run that has ended resets nothing.
    page.hub.put(page.made, {**page.hub.document(page.made), "stream": items((1, 1), (2, 6000)), "operators": [
        {"id": "sum", "scan": {"initialValue": 0, "expression": "acc + x"}}, {"id": "late",
            "delay": {"seconds": 0.1}}, {"id": "few", "prefix": {"count": 30}}]})
    page.wait(lambda: shown(page) == ["scan", "delay", "prefix"], "the operators that somebody else put there")
    page.hub.control(page.made, "start")
    page.wait(lambda: page.state() == "running", "the run")
    page.fill("[data-operator='scan'] [data-parameter='initialValue']", "100").send_keys(Keys.ENTER)
    page.wait(lambda: "scan (sum) starts afresh" in page.text(".draft") and "0 → 100" in page.text(".draft"),
        f"the plan: {page.text('.draft')!r}")
    expect(page.hub.revision(page.made) == 5, "it was stored before it was applied")
    page.picture("plan")
    page.click("#discard")
    page.wait(lambda: not page.is_shown(".draft"), "the end of the draft")
    expect(page.find("[data-operator='scan'] [data-parameter='initialValue']").get_attribute("value") == "0",
        "the field does not say 0 again")


def operators_are_moved_by_keys_and_by_pointer(page):
    handle = page.find("[data-operator='scan'] .grip")
    page.run("arguments[0].focus()", handle)
    handle.send_keys(Keys.ARROW_DOWN)
    until(lambda: names(page.hub.document(page.made)) == ["delay", "scan", "prefix"],
        "the move in the hub, since it keeps all")
    expect(page.run("return document.activeElement.getAttribute('aria-label')").startswith("Move scan"),
        "the handle has lost the focus")
    page.run("document.querySelector(\"[data-operator='scan']\").scrollIntoView({ block: 'center' })")
    handle, target = page.find("[data-operator='prefix'] .grip"), page.find("[data-operator='delay'] .grip")
    drop = page.hold(handle, (0, target.rect["y"] - handle.rect["y"] - 20))
    page.wait(lambda: page.is_shown(".insertion"), "the line that shows the place")
    drop()
    until(lambda: names(page.hub.document(page.made)) == ["prefix", "delay", "scan"],
        f"the move in the hub: {names(page.hub.document(page.made))}")


def an_operator_is_switched_off_and_removed(page):
    page.click("[data-operator='delay'] [role='switch']")
    page.wait(lambda: "delay (late) is removed" in page.text(".draft"), lambda: f"the plan: {page.text('.draft')!r}")
    page.click("#apply")
    until(lambda: page.hub.document(page.made)["operators"][1].get("disabled") is True, "that it is disabled")
    page.press("Remove prefix")
    page.wait(lambda: "prefix (few) is removed" in page.text(".draft"), lambda: f"the plan: {page.text('.draft')!r}")
    page.press("Undo")
    page.wait(lambda: not page.is_shown(".draft") and shown(page) == ["prefix", "delay", "scan"], "the operator again")
    page.press("Redo")
    page.wait(lambda: page.is_shown("#apply") and page.find("#apply").is_enabled(), "the draft again")
    page.click("#apply")
    until(lambda: names(page.hub.document(page.made)) == ["delay", "scan"], "that it is gone")


def a_draft_is_kept_while_one_looks_elsewhere(page):
    page.fill("[data-operator='scan'] [data-parameter='initialValue']", "7").send_keys(Keys.ENTER)
    page.wait(lambda: "starts afresh" in page.text(".draft"), "the draft")
    link = page.driver.current_url
    page.run("location.hash = '#/'")
    page.wait(lambda: page.text("h1") != "Operators", "another stream")
    page.driver.get(link)
    page.driver.refresh()
    page.wait(lambda: "starts afresh" in page.text(".draft"), "the draft again, with its plan")
    page.click("#discard")
    page.wait(lambda: not page.is_shown(".draft"), "the end of the draft")


def an_operator_that_nobody_knows_is_kept(page):
    id = page.hub.create(name="Future", stream=items((1, 1)), operators=[{"quantum": {"spin": 0.50, "x-a": [1, 2]}}])
    page.open(id)
    page.wait(lambda: "cannot run" in page.text(".transport .state"), "that it cannot run")
    page.wait(lambda: "unknown operator" in page.text("[data-operator='quantum']"), "the error at the operator")
    page.picture("unknown")
    page.run("arguments[0].focus()", page.item(0))
    page.item(0).send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: page.is_shown("#apply") and page.text("#apply") == "Store", "that it can be stored")
    page.click("#apply")
    until(lambda: page.hub.revision(id) == 2, "the edit in the hub")
    expect('{"quantum": {"spin": 0.5' in page.hub.text(id)[0] and '"x-a": [1, 2]' in page.hub.text(id)[0],
        f"the hub has {page.hub.text(id)[0]}")


def a_source_is_edited_as_a_form(page):
    id = page.hub.create(name="Sources", source={"interval": {"seconds": 1, "count": 3}})
    page.open(id)
    page.fill(".source [data-parameter='seconds']", "0").send_keys(Keys.ENTER)
    page.wait(lambda: page.text(".source .form-seconds .error"), "the error at the seconds")
    page.fill(".source [data-parameter='seconds']", "2").send_keys(Keys.ENTER)
    until(lambda: page.hub.document(id)["source"] == {"interval": {"seconds": 2, "count": 3}}, "the seconds in the hub")
    page.run("""const kind = document.querySelector(".source select"); kind.value = "merge"; kind.dispatchEvent(new Event("change"))""")
    until(lambda: "merge" in page.hub.document(id)["source"], "the merge in the hub")
    page.run("""const pick = document.querySelector(".source .form-sources select"); pick.value = "serial-stream-b"; pick.dispatchEvent(new Event("change"))""")
    until(lambda: {"ref": "serial-stream-b"} in page.hub.document(id)["source"]["merge"], "the stream that is merged")


def it_says_which_revision_runs_on(page):
    id = page.hub.create(name="Runs on", source={"interval": {"seconds": 1}})
    page.hub.control(id, "start")
    page.open(id)
    page.hub.put(id, {**page.hub.document(id), "operators": [{"quantum": {}}]})
    page.wait(lambda: page.text(".revision") == "revision 2 cannot run: revision 1 runs on",
        f"which: {page.text('.revision')!r}")
    page.hub.put(id, {**page.hub.document(id), "operators": []})
    page.wait(lambda: page.text(".revision") == "revision 3", lambda: f"the revision: {page.text('.revision')!r}")
    page.hub.delete(id)


CHECKS = [
    every_operator_and_source_is_described, an_operator_is_found_by_its_name_and_added, errors_stand_where_they_are_while_one_types,
    an_edit_that_keeps_all_is_applied_at_once, an_edit_that_resets_waits_for_its_plan, operators_are_moved_by_keys_and_by_pointer,
    an_operator_is_switched_off_and_removed, a_draft_is_kept_while_one_looks_elsewhere, an_operator_that_nobody_knows_is_kept, it_says_which_revision_runs_on,
    a_source_is_edited_as_a_form,
]
