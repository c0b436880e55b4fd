"""The filter stacks of the hub: listed, edited with their effects in sight, named by sources, and deleted."""

from browser import expect
from check_looks import NAMELESS, PALE
from check_sinks import fits

SLOW = '{"filters": [{"retry": {"maxAttempts": 5}}, {"id": "limit", "rate": {"limit": 2}}]}'


def a_stack(page, id, text=SLOW):
    status, head, _ = page.hub.ask("PUT", f"/stacks/{id}", text, If_None_Match="*")
    assert status == 201, (status, head)


def delete(page, id):
    status, _, fields = page.hub.ask("GET", f"/stacks/{id}")
    if status == 200:
        page.hub.ask("DELETE", f"/stacks/{id}", If_Match=fields["ETag"])


def effects(page):
    return page.run("return [...document.querySelectorAll('#stack-effects .plan li')].map((one) => one.textContent)")


def chain(page):
    return page.run("return [...document.querySelectorAll(\"[data-stack='patient'] .chain li\")].map((one) => one.textContent)")


def a_stack_is_made_edited_and_deleted(page):
    delete(page, "patient")
    page.show("#/stacks")
    page.wait(lambda: page.find_all("#new-stack"), "the list")
    page.click("#new-stack")
    page.fill("#stack-id", "patient")
    page.click("#stack-save")
    page.wait(lambda: page.find_all("[data-stack='patient'] .chain"), "the new stack")
    expect(chain(page) == ["retry", "timeout"], f"the filters: {chain(page)}")
    expect("used by no stream" in page.text("[data-stack='patient']"), "somebody uses it")
    page.wait(lambda: "Edit patient" in page.text("#stack-title"), "the editor")
    page.fill("#stack-text", '{"filters": [{"retry": {"maxAttempts": 5}}, {"hedge": {}}, {"breaker": {}}]}')
    page.wait(lambda: "timeout is removed" in effects(page), lambda: f"the effects: {effects(page)}")
    expect("hedge around breaker" in page.text("#stack-effects"), f"the finding: {page.text('#stack-effects')!r}")
    page.picture("stack-effects")
    page.fill("#stack-text", '{"filters": [{"timeout": {}}]}')
    page.wait(lambda: "filters[0].timeout" in page.text("#stack-effects"), lambda: f"the error: {page.text('#stack-effects')!r}")
    expect(page.run("return document.querySelector('#stack-save').disabled"), "a stack with errors can be saved")
    page.fill("#stack-text", SLOW)
    page.wait(lambda: "rate (limit) is added" in effects(page) or "limit is added" in effects(page), lambda: f"the effects: {effects(page)}")
    page.click("#stack-save")
    page.wait(lambda: "rate" in chain(page), "the edit")
    page.click(".stack-editor summary")
    page.wait(lambda: page.find_all(".stack-editor .revisions button"), "the history")
    page.click(".stack-editor .revisions button")
    page.wait(lambda: "timeout" in page.run("return document.querySelector('#stack-text').value"), "the older text")
    page.click("#stack-delete")
    page.press("Delete", "dialog")
    page.wait(lambda: not page.find_all("[data-stack='patient']"), "that it is gone")


def a_stack_that_is_used_is_not_deleted(page):
    delete(page, "used")
    a_stack(page, "used")
    id = page.hub.create(name="Stacked", source={"poll": {"url": "http://127.0.0.1:1/", "seconds": 60, "stack": "used"}}, operators=[])
    page.show("#/stacks")
    page.wait(lambda: "Stacked" in page.text("[data-stack='used'] .stack-users"), "the stream that uses it")
    page.click("[data-stack='used'] button")
    page.wait(lambda: "Edit used" in page.text("#stack-title"), "the editor")
    page.fill("#stack-text", '{"filters": [{"retry": {}}, {"fallback": {"value": 1}}]}')
    page.wait(lambda: "fallback" in page.text("#stack-effects"), "that the filter is not for sources")
    page.click("#stack-delete")
    page.press("Delete", "dialog")
    page.wait(lambda: "Stacked" in page.text("#notice") or "would no longer run" in page.text("body"), "the refusal")
    expect(page.find_all("[data-stack='used']"), "it is deleted")
    # Somebody else is faster.
    page.fill("#stack-text", '{"filters": [{"rate": {"limit": 7}}]}')
    status, _, fields = page.hub.ask("GET", "/stacks/used")
    page.hub.ask("PUT", "/stacks/used", '{"filters": []}', If_Match=fields["ETag"])
    page.wait(lambda: "no filters" in page.text("[data-stack='used']"), "the edit of another")
    page.click("#stack-save")
    page.wait(lambda: "edited elsewhere" in page.text("#stack-effects"), lambda: f"the conflict: {page.text('#stack-effects')!r}")
    expect("limit" in page.run("return document.querySelector('#stack-text').value"), "the text is lost")
    page.press("Load the current text")
    page.wait(lambda: page.run("return document.querySelector('#stack-text').value").strip().startswith("{"), "the current text")
    # A source takes it from a list.
    page.open(id)
    page.wait(lambda: page.find_all(".source [data-parameter='stack']"), "the field")
    expect(page.run("return document.querySelector(\".source [data-parameter='stack']\").value") == '"used"', "the name of the stack")
    status, _, fields = page.hub.ask("GET", f"/streams/{id}")
    page.hub.ask("DELETE", f"/streams/{id}", If_Match=fields["ETag"])
    delete(page, "used")


def stacks_look_right(page):
    delete(page, "looks")
    hostile = "<img src=x onerror=alert(1)>"
    a_stack(page, "looks", '{"name": "%s", "description": "%s", "filters": [{"retry": {}}, {"timeout": {"seconds": 1}}, '
        '{"breaker": {}}, {"concurrency": {"limit": 3}}, {"rate": {"limit": 1}}]}' % (hostile, "Waits long. " * 10))
    for scheme in ("light", "dark"):
        for width in (1400, 360):
            page.show("#/stacks", width=width, scheme=scheme)
            page.wait(lambda: page.find_all("[data-stack='looks'] .chain"), "the stack")
            page.click("[data-stack='looks'] button")
            page.wait(lambda: page.is_shown("#stack-text"), "the editor")
            found = page.run(NAMELESS)
            expect(not found["nameless"] and not found["twice"] and not found["lost"], f"for screen readers: {found}")
            pale = page.run(PALE)
            expect(not pale, f"{scheme}: too little contrast: {pale[:5]}")
            fits(page, width)
            page.picture(f"stacks-{scheme}-{width}")
    delete(page, "looks")


CHECKS = [a_stack_is_made_edited_and_deleted, a_stack_that_is_used_is_not_deleted, stacks_look_right]
