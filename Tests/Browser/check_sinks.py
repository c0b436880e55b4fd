"""Sinks are gates at the end of the tunnel, with their dead letters; and they are edited like operators."""

import json
import tempfile
import time
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from api import Hub, OwnHub
from browser import expect, until
from check_looks import NAMELESS, PALE
from receiver import Receiver

HOSTILE = '<img src=x onerror="window.hurt=1">\u202e<script>window.hurt=1</script>'
SECRET = "s3cret-of-the-page-tests"


class World:
    """A hub that may reach a receiver."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.receiver = Receiver()
        secrets = Path(self.folder.name) / "secrets.json"
        secrets.write_text(json.dumps({"hook": {"value": SECRET, "origins": [self.receiver.url()[:-1]]}}))
        secrets.chmod(0o600)
        self.own = OwnHub("--allow", f"127.0.0.1:{self.receiver.port}", "--files", self.folder.name,
                          "--secrets", str(secrets))
        self.hub = Hub(self.own.base)

    def stream(self, name, *sinks, **document):
        """A stream that puts out what is posted to it, running."""
        document = {"source": {"webhook": {"name": "in", "auth": "none"}}, "operators": [], **document}
        id = self.hub.create(name=name, sinks=list(sinks), **document)
        self.hub.control(id, "start")
        return id

    def put_out(self, id, *values):
        for value in values:
            until(lambda: self.hub.ask("POST", f"/streams/{id}/webhook/in", value)[0] == 204, "the item to be taken")

    def post(self, id="hook", **rules):
        return {"id": id, "post": {"url": self.receiver.url("/hook"),
                                   "headers": {"Authorization": "Bearer ${secret:hook}"}, **rules}}

    def letters(self, id):
        return self.hub.ask("GET", f"/streams/{id}/dead-letters")[1]

    def sinks(self, id):
        return self.hub.ask("GET", f"/streams/{id}/sinks")[1]

    def close(self):
        self.own.close()
        self.receiver.close()
        self.folder.cleanup()


def in_world(check):
    """A check with a hub of its own, which may reach a receiver."""
    def run(page):
        world = World()
        try:
            with page.at(world.own):
                check(world, page)
                expect(not page.run("return window.hurt"), "a text of a document was run")
                expect(not page.run("return document.querySelectorAll('main img, main script').length"),
                    "a part of a document is a part of the page")
        finally:
            world.close()
    run.__name__ = check.__name__
    return run


def gate(id="hook"):
    return f".sink-gate[data-sink='{id}']"


def count(page, name, id="hook"):
    return page.text(f"{gate(id)} [data-count='{name}']")


def state(page, id="hook"):
    return page.run("return document.querySelector(arguments[0])?.dataset.state", gate(id))


def fits(page, width):
    wide = page.run("return document.documentElement.scrollWidth")
    expect(wide <= width, f"the page is {wide} px wide")


@in_world
def a_sink_shows_what_it_has_delivered(world, page):
    id = page.hub.create(name="Counted", source={"interval": {"seconds": 0.01, "count": 300}}, operators=[],
        sinks=[world.post(), {"id": "log", "lines": {"path": "log.txt"}}])
    page.open(id)
    page.wait(lambda: count(page, "delivered") == "0" and state(page) == "idle", "the gate of a stream that has not run")
    expect(page.text("[data-sink='post'] h3") == "post" and "hook" in page.text("[data-sink='post'] .operator-name"),
        f"the sink is called {page.text('[data-sink=post]')!r}")
    page.read_logs()
    before, start = len(page.requests), time.monotonic()
    page.click(".play")
    page.wait(lambda: count(page, "delivered") == "300" and count(page, "delivered", "log") == "300", "300 deliveries")
    page.wait(lambda: count(page, "waiting") == "0" and count(page, "failed") == "0" and state(page) == "idle", "the rest")
    page.read_logs()
    took = time.monotonic() - start
    asked = [url for url in page.requests[before:] if url.endswith("/sinks")]
    expect(len(asked) <= took + 3, f"{len(asked)} requests in {took:.1f} s")
    page.picture("sinks")


@in_world
def a_blocked_sink_says_why_and_is_retried_and_skipped(world, page):
    world.receiver.fails(400, HOSTILE)
    id = world.stream("Blocked", world.post())
    page.open(id)
    world.put_out(id, {"n": 1, "text": HOSTILE})
    page.wait(lambda: state(page) == "blocked", "the sink to be blocked")
    expect("blocked at output 1-1" in page.text(f"{gate()} .state"), f"its state is {page.text(f'{gate()} .state')!r}")
    page.wait(lambda: "<img src=x" in page.text(f"{gate()} .error"), lambda: f"the answer: {page.text(f'{gate()} .error')!r}")
    page.wait(lambda: "sink hook is blocked" in page.text("#announcements"), "that it is read out")
    page.click(f"{gate()} summary")
    page.wait(lambda: "${secret:hook}" in page.text(f"{gate()} .sent"), lambda: f"the request: {page.text(f'{gate()} .sent')!r}")
    expect(SECRET not in page.text("body"), "the page shows a secret")
    page.picture("sink-blocked")
    before = len(world.receiver.requests)
    page.press("Retry now: hook")
    until(lambda: len(world.receiver.requests) > before, "another attempt")
    expect(world.receiver.requests[-1][1]["Authorization"] == f"Bearer {SECRET}", "the secret was not sent")
    page.wait(lambda: state(page) == "blocked", "that it is blocked again")
    world.receiver.works()
    page.run("[...document.querySelectorAll('.gate-do button')].find((one) => one.textContent === 'Retry now').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.wait(lambda: state(page) == "idle" and count(page, "delivered") == "1", "the delivery")
    expect(page.run("return document.activeElement.closest('.sink-gate') !== null"), "the focus is lost")
    world.receiver.fails(422, "no")
    world.put_out(id, 2)
    page.wait(lambda: state(page) == "blocked" and count(page, "waiting") == "1", "the sink to be blocked")
    page.press("Skip: hook")
    page.wait(lambda: state(page) == "idle" and count(page, "failed") == "1", "the output among the dead letters")
    page.wait(lambda: "Dead letters (1)" in page.text(f"{gate()} .letters-open"), "their number")
    expect(world.sinks(id)[0]["deadLetters"] == 1, f"the hub says {world.sinks(id)}")


@in_world
def dead_letters_are_inspected_resent_and_dropped(world, page):
    world.receiver.fails(400, HOSTILE)
    id = world.stream("Given up", world.post(onFailure="skip"), world.post("other", onFailure="skip"))
    world.put_out(id, 1, {"text": HOSTILE}, 3)
    until(lambda: len(world.letters(id)) == 6, "six letters")
    page.open(id)
    page.wait(lambda: "Dead letters (3)" in page.text(f"{gate()} .letters-open"), "their number")
    page.click(f"{gate()} .letters-open")
    rows = lambda: page.run("return [...document.querySelectorAll(\".letters:not([hidden]) [data-letter]\")].map((one) => Number(one.dataset.letter))")
    mine = [letter["number"] for letter in world.letters(id) if letter["sink"] == "hook"]
    page.wait(lambda: rows() == mine, lambda: f"the letters {mine}, not {rows()}")
    second = mine[1]
    page.press(f"Inspect dead letter {second}")
    detail = f"[data-letter='{second}'] .letter-detail"
    page.wait(lambda: "${secret:hook}" in page.text(detail) and "onerror" in page.text(detail), lambda: f"the letter: {page.text(detail)!r}")
    expect(SECRET not in page.text("body"), "the page shows a secret")
    page.picture("dead-letters")
    page.press(f"Resend dead letter {second}")
    page.wait(lambda: "Request 2 of this delivery" in page.text(detail), lambda: f"that it is another request: {page.text(detail)!r}")
    world.receiver.works()
    until(lambda: not any(letter["isResending"] for letter in world.letters(id)), "the end of the attempt")
    page.wait(lambda: page.find(f"[data-letter='{second}'] .letter-do button:nth-child(2)").is_enabled(), "that it can be sent again")
    page.press(f"Resend dead letter {second}")
    page.wait(lambda: rows() == [mine[0], mine[2]], lambda: f"that it is gone, since it is delivered: {rows()}")
    page.press(f"Drop dead letter {mine[0]}")
    page.wait(lambda: "can't be undone" in page.text("dialog"), "the question")
    page.press("Drop", "dialog")
    page.wait(lambda: rows() == [mine[2]], lambda: f"that it is dropped: {rows()}")
    page.wait(lambda: page.run("return document.activeElement.closest('.letters') !== null"), "the focus among the letters")
    expect(mine[0] not in [letter["number"] for letter in world.letters(id)], "the hub has it still")
    page.wait(lambda: "Dead letters (1)" in page.text(f"{gate()} .letters-open"), "their number")
    page.click(f"{gate('other')} .letters-open")
    page.wait(lambda: len(rows()) == 3 and mine[2] not in rows(), lambda: f"those of the other sink alone: {rows()}")


@in_world
def dead_letters_are_paged_and_outlive_their_sink(world, page):
    world.receiver.fails(400)
    id = world.stream("Many letters", world.post(onFailure="skip", concurrency=8, key="string(x)"))
    world.put_out(id, *range(130))
    until(lambda: len(world.letters(id)) == 100 and world.sinks(id)[0]["deadLetters"] == 130, "130 letters")
    page.open(id)
    page.wait(lambda: "Dead letters (130)" in page.text(f"{gate()} .letters-open"), "their number")
    page.click(f"{gate()} .letters-open")
    shown = ".letters:not([hidden]) [data-letter]"
    page.wait(lambda: len(page.find_all(shown)) == 100, "a hundred letters")
    page.press("Next", ".letters:not([hidden])")
    page.wait(lambda: len(page.find_all(shown)) == 30 and "Page 2" in page.text(".letters:not([hidden])"), "the other thirty")
    page.press("Previous", ".letters:not([hidden])")
    page.wait(lambda: len(page.find_all(shown)) == 100, "the first again")
    page.hub.put(id, {**page.hub.document(id), "sinks": []})
    page.wait(lambda: not page.find_all(".sink-gate"), "that the sink is gone")
    page.click("#all-letters")
    page.wait(lambda: len(page.find_all(shown)) == 100 and "hook" in page.text(shown), "its letters, with its name")


@in_world
def large_dead_letters_come_in_shorter_pages(world, page):
    """With answers as the hub gives them when two letters reach its limit of bytes."""
    world.receiver.fails(400)
    id = world.stream("Large letters", world.post(onFailure="skip"))
    world.put_out(id, 1, 2, 3)
    until(lambda: world.sinks(id)[0]["deadLetters"] == 3, "three letters")
    numbers = [letter["number"] for letter in world.letters(id)]
    page.open(id)
    page.wait(lambda: "Dead letters (3)" in page.text(f"{gate()} .letters-open"), "their number")
    page.run("""
        const ask = window.fetch;
        window.fetch = async (path, options) => {
          const answer = await ask(path, options);
          if (!String(path).includes("/dead-letters?")) return answer;
          const letters = (await answer.json()).slice(0, 2);
          return new Response(JSON.stringify(letters.map((letter) => ({ ...letter, items: ["x".repeat(1100000)] }))));
        };""")
    open_letters = ".letters:not([hidden])"
    rows = lambda: page.run("""return [...document.querySelectorAll(".letters:not([hidden]) [data-letter]")]
        .map((one) => Number(one.dataset.letter))""")
    turns = lambda: page.run("""return [...document.querySelectorAll(".letters:not([hidden]) > .draft-do button")]
        .filter((one) => !one.hidden).map((one) => one.textContent)""")
    page.click(f"{gate()} .letters-open")
    page.wait(lambda: rows() == numbers[:2], lambda: f"the first two letters: {rows()}")
    expect(turns() == ["Next"] and "Page 1" in page.text(f"{open_letters} [role='status']"),
        f"one can turn to {turns()}, of {page.text(open_letters)!r}")
    page.press("Next", open_letters)
    page.wait(lambda: rows() == numbers[2:], lambda: f"the third letter: {rows()}")
    expect(turns() == ["Previous"], f"three letters are known, and one can turn to {turns()}")
    page.click(f"{gate()} .letters-open")
    # Of all letters the number is not known: the page after the last one is empty, and is not shown.
    page.click("#all-letters")
    page.wait(lambda: rows() == numbers[:2] and turns() == ["Next"],
        lambda: f"the first two of all: {rows()}, {turns()}")
    page.press("Next", open_letters)
    page.wait(lambda: rows() == numbers[2:] and turns() == ["Previous", "Next"],
        lambda: f"the third of all: {rows()}, {turns()}")
    page.press("Next", open_letters)
    page.wait(lambda: rows() == numbers[2:] and turns() == ["Previous"],
        lambda: f"that it was the last: {rows()}, {turns()}")


@in_world
def sinks_are_edited_like_operators(world, page):
    id = page.hub.create(name="Edited", source={"interval": {"seconds": 0.5}}, operators=[])
    page.hub.control(id, "start")
    page.open(id)
    adder = page.find(".sinks .adder")
    adder.send_keys("line")
    page.wait(lambda: page.texts(".sinks .choice-name")[:1] == ["lines"], lambda: f"lines, not {page.texts('.sinks .choice-name')}")
    adder.send_keys(Keys.ENTER)
    page.wait(lambda: page.run("return document.activeElement.dataset.parameter") == "path", "the path with the focus")
    page.driver.switch_to.active_element.send_keys("out.txt")
    page.wait(lambda: "lines is added and begins with the next output" in page.text(".draft"), lambda: f"the plan: {page.text('.draft')!r}")
    expect(page.text(".draft-title") == "Unapplied change of the sinks", f"the title: {page.text('.draft-title')!r}")
    # The page asks for the sinks of the hub meanwhile.
    page.wait(lambda: "not applied yet" in page.text(".sinks .stage"), "that a sink of the draft has no gate")
    expect(page.hub.revision(id) == 1, "it was stored before it was applied")
    page.picture("sink-added")
    page.click("#apply")
    until(lambda: page.hub.document(id).get("sinks") == [{"id": "lines", "lines": {"path": "out.txt"}}],
        f"the sink in the hub: {page.hub.document(id)}")
    page.wait(lambda: count(page, "delivered", "lines") not in ("", "0"), "a delivery")
    page.press("more", "[data-sink='lines']")
    field = page.fill("[data-sink='lines'] [data-parameter='when']", "x ==")
    page.wait(lambda: page.text("[data-sink='lines'] .field:has([data-parameter='when']) .error"), "the error at the field")
    expect(field.get_attribute("aria-invalid") == "true" and not page.find("#apply").is_enabled(), "it can be applied")
    expect("when of x" in page.texts("[data-sink='lines'] label"), f"labels: {page.texts('[data-sink=lines] label')}")
    page.fill("[data-sink='lines'] [data-parameter='when']", "x > 1").send_keys(Keys.ENTER)
    until(lambda: page.hub.document(id)["sinks"][0]["lines"].get("when") == "x > 1", "the edit in the hub, since it keeps all")
    page.wait(lambda: "lines keeps its cursor: when" in page.text(".note"), lambda: f"the plan: {page.text('.note')!r}")
    page.hub.put(id, {**page.hub.document(id), "sinks": page.hub.document(id)["sinks"] + [world.post()]})
    names = lambda: page.run("return [...document.querySelectorAll('.operator[data-sink]')].map((one) => one.dataset.sink)")
    page.wait(lambda: names() == ["lines", "post"] and page.find_all(gate()), "the sink of another author, with its gate")
    handle = page.find("[data-sink='post'] .grip")
    page.run("arguments[0].focus()", handle)
    handle.send_keys(Keys.ARROW_UP)
    until(lambda: [sink["id"] for sink in page.hub.document(id)["sinks"]] == ["hook", "lines"], "the move in the hub")
    page.wait(lambda: names() == ["post", "lines"], "the move in the page")
    expect(page.run("return document.activeElement.getAttribute('aria-label')").startswith("Move post"), "the handle has lost the focus")
    page.click("[data-sink='post'] [role='switch']")
    until(lambda: page.hub.document(id)["sinks"][0].get("disabled") is True, "that it is off")
    page.wait(lambda: state(page) == "disabled" and count(page, "waiting") not in ("", "0"), "that outputs wait")
    page.press("Remove lines")
    page.wait(lambda: "lines is removed with its cursor" in page.text(".draft"), lambda: f"the plan: {page.text('.draft')!r}")
    page.press("Undo")
    page.wait(lambda: not page.is_shown(".draft") and names() == ["post", "lines"], "the sink again")
    page.press("Redo")
    page.wait(lambda: page.is_shown("#apply") and page.find("#apply").is_enabled(), "the draft again")
    page.click("#apply")
    until(lambda: [sink["id"] for sink in page.hub.document(id)["sinks"]] == ["hook"], "that it is gone")
    page.wait(lambda: not page.find_all(gate("lines")), "that its gate is gone")


@in_world
def a_hundred_sinks_with_hostile_texts_stay_usable(world, page):
    world.receiver.fails(400, HOSTILE * 20)
    sinks = [{"id": f"{HOSTILE} {number}", "note": HOSTILE, "lines": {"path": f"{number}.txt"}} for number in range(99)]
    id = world.stream("A hundred", *sinks, world.post(HOSTILE + "'); \"\\ ]"))
    world.put_out(id, {HOSTILE: HOSTILE})
    page.open(id)
    delivered = lambda: page.run("return [...document.querySelectorAll(\"[data-count='delivered']\")].filter((one) => one.textContent === '1').length")
    page.wait(lambda: delivered() == 99, lambda: f"99 deliveries, not {delivered()}")
    page.wait(lambda: page.text("#sinks-about") == "100, 1 blocked", lambda: f"what is blocked: {page.text('#sinks-about')!r}")
    expect(not page.is_shown(".sinks [data-parameter='path']"), "a hundred forms are open")
    page.press("Show blocked")
    page.wait(lambda: page.run("return document.activeElement.dataset.state") == "blocked", "the blocked sink with the focus")
    page.press("Edit post")
    page.wait(lambda: page.is_shown("[data-sink='post'] [data-parameter='url']"), "its form")
    page.picture("hundred-sinks")
    took = page.run("""
        const start = performance.now(); document.querySelector("[data-sink='post'] [role='switch']").click();
        document.body.getBoundingClientRect(); return performance.now() - start""")
    expect(took < 2000, f"an edit takes {took:.0f} ms")
    page.wait(lambda: page.run("return [...document.querySelectorAll('.sink-gate')].at(-1).dataset.state") == "disabled", "that it is off")
    for width in (1400, 360):
        page.open(id, width=width)
        page.wait(lambda: len(page.find_all(".sink-gate")) == 100, "the gates")
        fits(page, width)


@in_world
def sinks_look_right_and_have_names(world, page):
    world.receiver.fails(400, "no such hook")
    id = world.stream("Looks", world.post(), world.post("retried", onFailure="skip"))
    world.put_out(id, 1, 2)
    page.open(id, height=1500, motion="reduce")
    page.wait(lambda: state(page) == "blocked", "the blocked sink")
    page.click(f"{gate()} summary")
    page.click(f"{gate('retried')} .letters-open")
    page.wait(lambda: page.find_all(".letters [data-letter]"), "a letter")
    page.click(".letters [data-letter] button")
    page.wait(lambda: page.text(".letter-detail"), "what is in it")
    for scheme in ("light", "dark"):
        for width in (1400, 360):
            page.look(width, 1500, scheme, motion="reduce")
            page.frames(3)
            found = page.run(NAMELESS)
            expect(not found["nameless"] and not found["twice"] and not found["lost"], f"for screen readers: {found}")
            expect(found["headings"] == 1, f"{found['headings']} headings of the first level")
            pale = page.run(PALE)
            expect(not pale, f"{scheme}: too little contrast: {pale[:5]}")
            fits(page, width)
            page.run(f"document.querySelector(\"{gate()}\").scrollIntoView()")
            page.picture(f"sinks-{scheme}-{width}")


@in_world
def gates_go_on_after_the_hub_was_away(world, page):
    id = world.stream("Away", world.post())
    page.open(id)
    world.put_out(id, 1)
    page.wait(lambda: count(page, "delivered") == "1", "a delivery")
    world.own.end()
    page.wait(lambda: "retrying" in page.text("#notice"), "that the hub is away")
    world.own.start()
    page.wait(lambda: page.text("#notice") == "", "that it is back")
    world.put_out(id, 2)
    page.wait(lambda: count(page, "delivered") == "2", "the next delivery")


@in_world
def a_draft_is_tried_before_it_is_applied(world, page):
    id = page.hub.create(name="Tried", source={"interval": {"seconds": 1}}, operators=[], sinks=[world.post()])
    page.open(id)
    world.receiver.fails(400, HOSTILE)
    page.press("Deliver a sample: hook")
    page.wait(lambda: "<img src=x" in page.text(".sinks .trial-result"), lambda: f"the answer: {page.text('.sinks .trial-result')!r}")
    world.receiver.works()
    page.fill(".sinks .trial input", '{"n": 7}')
    page.press("Deliver a sample: hook")
    page.wait(lambda: "Delivered" in page.text(".sinks .trial-result"), lambda: f"the delivery: {page.text('.sinks .trial-result')!r}")
    path, headers, body = world.receiver.requests[-1]
    expect(json.loads(body) == {"n": 7} and headers["Idempotency-Key"].endswith('/hook/0"'), f"{headers} {body}")
    expect(headers["Authorization"] == f"Bearer {SECRET}" and SECRET not in page.text("body"), "the secret")
    expect(world.sinks(id)[0]["delivered"] == 0, f"it counts as an output: {world.sinks(id)}")
    page.picture("sample")
    world.receiver.fails(200, '{"price": 20}')
    page.run("""const kind = document.querySelector(".source select"); kind.value = "poll"; kind.dispatchEvent(new Event("change"))""")
    page.fill(".source [data-parameter='url']", world.receiver.url("/price"))
    page.press("Fetch once: the source")
    page.wait(lambda: '"price": 20' in page.text(".source .trial-result"), lambda: f"the item: {page.text('.source .trial-result')!r}")
    page.picture("fetched")


@in_world
def subjects_of_nats_have_forms(world, page):
    """The source `subject` and the sink `publish` are chosen and filled in like all others; a hub without NATS says what it lacks."""
    id = page.hub.create(name="Subjects", source={"values": [1]}, operators=[])
    page.open(id)
    page.run("""const kind = document.querySelector(".source select"); kind.value = "subject"; kind.dispatchEvent(new Event("change"))""")
    until(lambda: page.hub.document(id)["source"] == {"subject": {"subject": "orders.in"}}, f"the source in the hub: {page.hub.document(id)['source']}")
    page.wait(lambda: page.find_all(".source [data-parameter='subject']"), "the field of the subject")
    names = page.run("return [...document.querySelectorAll('.source [data-parameter]')].map((field) => field.dataset.parameter)")
    expect(names == ["subject", "format", "as", "from", "consumer", "buffer"], f"the fields of the source: {names}")
    page.fill(".source [data-parameter='subject']", "orders in")
    page.wait(lambda: "is not a subject" in page.text(".source"), lambda: f"the error: {page.text('.source')!r}")
    page.fill(".source [data-parameter='subject']", "orders.*")
    adder = page.find(".sinks .adder")
    adder.send_keys("publ")
    page.wait(lambda: page.texts(".sinks .choice-name")[:1] == ["publish"], lambda: f"publish, not {page.texts('.sinks .choice-name')}")
    adder.send_keys(Keys.ENTER)
    page.wait(lambda: page.run("return document.activeElement.dataset.parameter") == "subject", "the subject with the focus")
    page.click("#apply")
    until(lambda: page.hub.document(id).get("sinks") == [{"id": "publish", "publish": {"subject": "orders.out"}}],
        f"the sink in the hub: {page.hub.document(id)}")
    until(lambda: page.hub.document(id)["source"] == {"subject": {"subject": "orders.*"}}, f"the subject in the hub: {page.hub.document(id)['source']}")
    page.picture("subjects")
    page.hub.control(id, "start")
    page.wait(lambda: "no NATS is connected here" in page.text(".transport"), lambda: f"what the run lacks: {page.text('.transport')!r}")


CHECKS = [a_sink_shows_what_it_has_delivered, a_blocked_sink_says_why_and_is_retried_and_skipped,
    dead_letters_are_inspected_resent_and_dropped, dead_letters_are_paged_and_outlive_their_sink,
    large_dead_letters_come_in_shorter_pages,
    a_draft_is_tried_before_it_is_applied, sinks_are_edited_like_operators, subjects_of_nats_have_forms, a_hundred_sinks_with_hostile_texts_stay_usable,
    sinks_look_right_and_have_names, gates_go_on_after_the_hub_was_away]
