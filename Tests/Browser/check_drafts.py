"""Drafts: drawn at once in virtual time, with the place of an error, and applied without a question where nothing is lost."""

import os
import statistics
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from api import OwnHub, items
from browser import expect, measures, until

EXPRESSION = "[data-operator='{}'] [data-parameter='expression']"

# Counts the pictures that the page asks for, those that it cancels, and those under way.
COUNT = """
    const ask = window.fetch;
    window.pictures = { asked: 0, canceled: 0, texts: [] };
    window.fetch = (path, options = {}) => {
      if (path === "/picture") {
        window.pictures.asked++;
        window.pictures.texts.push(options.body);
        options.signal?.addEventListener("abort", () => window.pictures.canceled++);
      }
      return ask(path, options);
    };"""

# Types into a field, one letter at a time, and measures how long it takes until the tunnels show the result.
TYPE = """
    const [field, texts, stage, done] = arguments, took = [];
    (async () => {
      for (const [text, wanted] of texts) {
        const start = performance.now();
        field.value = text;
        field.dispatchEvent(new Event("input"));
        await new Promise((shown) => requestAnimationFrame(function look() {
          const balls = [...document.querySelectorAll(`[data-stage='${stage}'] [data-ball]`)].map((ball) => ball.textContent);
          if (balls.join() === wanted) shown(); else requestAnimationFrame(look);
        }));
        took.push(performance.now() - start);
      }
      done(took);
    })();"""


def numbers(page, name, operators):
    return page.hub.create(name=name, stream=items(*[(value, 1) for value in (1, 2, 3, 4)]), operators=operators)


def processor(pid):
    """The processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def a_picture_takes_50_ms_of_the_processor(page):
    """The draft of twenty operators: what the hub computes for it, and what the page does with the answer."""
    own, count = OwnHub(), 40
    try:
        with page.at(own):
            id = numbers(page, "Twenty", [{"id": f"m{n}", "map": {"expression": "x + 1"}} for n in range(20)])
            page.open(id)
            field = page.find("[data-path='operators[0]'] [data-parameter='expression']")
            texts = [(f"x + {n}", ",".join(str(value + n + 19) for value in (1, 2, 3, 4))) for n in range(100, 100 + count)]
            page.run_async(TYPE, field, texts[:5], 20)
            page.driver.execute_cdp_cmd("Performance.enable", {})
            tasks = lambda: next(one["value"] for one in page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"] if one["name"] == "TaskDuration")
            hub, here = processor(own.process.pid), tasks()
            page.run_async(TYPE, field, texts, 20)
            hub, here = (processor(own.process.pid) - hub) / count * 1000, (tasks() - here) / count * 1000
            print(f"   a key press takes {hub:.0f} ms of the hub's processor time, and the page is busy for {here:.0f} ms")
            expect(hub <= 50, f"a picture takes {hub:.0f} ms of the hub's processor time")
            page.click("#discard")
    finally:
        own.close()


def a_draft_is_drawn_as_one_types(page):
    id = numbers(page, "Typed", [{"id": "even", "filter": {"expression": "x != 3"}},
        {"id": "sum", "scan": {"initialValue": 0, "expression": "acc + x"}}])
    page.open(id)
    page.fill(EXPRESSION.format("filter"), "x > 2")
    page.wait(lambda: [page.balls(stage) for stage in range(3)] == [["1", "2", "3", "4"], ["3", "4"], ["3", "7"]],
        lambda: f"the draft in the tunnels: {[page.balls(stage) for stage in range(3)]}")
    expect(page.hub.revision(id) == 1 and page.hub.state(id) == "idle", "typing has changed the hub")
    expect(page.state() == "scrub" and "the draft, in virtual time" in page.text(".transport .state"),
        f"it says {page.text('.transport .state')!r}")
    page.picture("draft-drawn")
    page.find(EXPRESSION.format("filter")).send_keys(Keys.ENTER)
    until(lambda: page.hub.revision(id) == 2, "the edit in the hub, without a question")
    page.wait(lambda: not page.is_shown(".draft"), "the end of the draft")
    page.wait(lambda: page.balls(2) == ["3", "7"], "the result, which stays in sight")
    page.click(".play")
    page.wait(lambda: page.state() == "running", "the run in the place of the picture")
    page.hub.control(id, "reset")


def a_ball_is_followed_while_it_is_dragged(page):
    id = page.hub.create(name="Dragging", stream=items((1, 1), (2, 1), (3, 1)),
        operators=[{"id": "late", "debounce": {"seconds": 0.75}}])
    page.open(id)
    drop = page.hold(page.item(1), (round(page.item(1).rect["x"] - page.item(2).rect["x"]) // 2, 0))
    page.wait(lambda: page.balls(1) == ["2", "3"], lambda: f"that the 1 is debounced: {page.balls(1)}")
    expect(page.hub.revision(id) == 1, "it was stored before the drop")
    drop()
    until(lambda: page.hub.revision(id) == 2, "the edit in the hub")


def an_error_is_shown_in_its_tunnel(page):
    id = numbers(page, "Faults", [{"id": "double", "map": {"expression": "x * 2"}},
        {"id": "big", "filter": {"expression": "x > 2"}}, {"id": "few", "prefix": {"count": 3}}])
    page.open(id)
    page.fill(EXPRESSION.format("filter"), "x > y")
    page.wait(lambda: "'y' is not declared" in page.text(".stage:has([data-operator='filter']) .broken"), "the error in the tunnel")
    expect(page.text(".broken .spot mark") == "y" and page.text(".broken .spot") == "x > y",
        f"its place: {page.text('.broken .spot')!r}, {page.text('.broken .spot mark')!r}")
    page.wait(lambda: page.balls(1) == ["2", "4", "6", "8"], "the stages before it")
    expect("has an error" in page.text(".stage:has([data-operator='prefix']) .dry"), "what follows it")
    page.picture("draft-error")
    page.fill(EXPRESSION.format("filter"), "10 / (x - 6) < 1")
    page.wait(lambda: not page.find_all(".broken") and page.is_shown(".stage:has([data-operator='filter']) .fault"), "the failure in the tunnel")
    said = page.text(".stage:has([data-operator='filter']) .fault")
    expect("Fails at 3 s: division by zero" in said and "10 / (x - 6) < 1" in said and "x is 6" in said, f"it says {said!r}")
    expect(len([one for one in page.find_all(".fault") if one.is_displayed()]) == 1, "it is said twice")
    page.picture("draft-failure")
    expect(page.hub.revision(id) == 1, "it was stored")
    page.click("#discard")
    page.wait(lambda: not page.find_all(".fault:not([hidden])"), "the end of the failure")


def the_slider_publishes_nothing(page):
    id = page.hub.create(name="Slider", source={"interval": {"seconds": 0.5}}, operators=[{"id": "m", "map": {"expression": "x"}}])
    page.open(id)
    page.click(".play")
    page.wait(lambda: len(page.balls(1)) >= 1, "the run")
    page.fill(EXPRESSION.format("map"), "x + 100")
    page.wait(lambda: "119" in page.balls(1), lambda: f"the draft: {page.balls(1)}")
    page.click("#scrub")
    page.wait(lambda: page.is_shown(".draft") and "Draft: not applied yet" in page.text(".draft"), lambda: f"the draft: {page.text('.draft')!r}")
    page.find("#scrub").send_keys(Keys.HOME)
    page.wait(lambda: page.balls(1) == [], "the beginning")
    page.find("#scrub").send_keys(Keys.END)
    page.wait(lambda: page.balls(1)[-1:] == ["119"], lambda: f"the draft at its end: {page.balls(1)}")
    expect(page.hub.revision(id) == 1, "to move to the slider has published the draft")
    page.press("Live")
    page.wait(lambda: page.state() == "running" and page.balls(1) and "101" not in page.balls(1), "the hub's run")
    page.click("#apply")
    until(lambda: page.hub.revision(id) == 2, "the edit in the hub")
    page.wait(lambda: any(len(text) == 3 for text in page.balls(1)), lambda: f"its effect in the run: {page.balls(1)}")
    # An operator more loses nothing.
    page.find(".adder").send_keys("filt", Keys.ENTER)
    until(lambda: page.hub.revision(id) == 3, "the operator in the hub, without a question")
    page.press("Remove map")
    page.wait(lambda: page.is_shown("#apply") and page.find("#apply").is_enabled() and "map (m) is removed" in page.text(".draft"), "the question")
    expect(page.hub.revision(id) == 3, "state is lost without a question")
    page.click("#discard")
    page.hub.control(id, "reset")


def a_run_that_is_cut_off_continues(page):
    id = page.hub.create(name="Cut off", source={"interval": {"seconds": 0.01}}, operators=[{"map": {"expression": "x"}}])
    page.open(id)
    page.run("""const until = document.querySelector(".until input"); until.value = "100"; until.dispatchEvent(new Event("change"))""")
    page.wait(lambda: "cut off at" in page.text(".cut"), "the label")
    where = lambda: float(page.text(".cut span").split("cut off at ")[1].split(" s")[0]) if page.is_shown(".cut") else 1e9
    first = where()
    expect(10 < first < 100, f"cut off at {first} s")
    page.picture("cut-off")
    page.click("#continue")
    page.wait(lambda: where() > first, "the next part")
    page.press("Live")
    page.wait(lambda: not page.is_shown(".cut"), "the end of the label")


def only_the_newest_draft_is_drawn(page):
    id = numbers(page, "Newest", [{"id": "m", "map": {"expression": "x"}}])
    page.open(id)
    page.run(COUNT)
    # Ten edits within a frame are one picture; those of a frame that comes later cancel it.
    page.run_async("""
        const [field, done] = arguments;
        const type = (from) => { for (let n = from; n < from + 10; n++) { field.value = `x * ${n}`; field.dispatchEvent(new Event("input")); } };
        type(10);
        requestAnimationFrame(() => requestAnimationFrame(() => { type(20); done(); }));""", page.find(EXPRESSION.format("map")))
    page.wait(lambda: page.balls(1) == ["29", "58", "87", "116"], lambda: f"the last one: {page.balls(1)}")
    count = page.run("return window.pictures")
    expect(count["asked"] <= 2, f"the hub was asked for {count['asked']} pictures")
    expect(all("x * 19" in text or "x * 29" in text for text in count["texts"]), f"it was asked for {count['texts']}")


def the_outside_world_is_drawn_with_its_last_values(page):
    webhook = {"webhook": {"name": "inbox", "auth": "none"}}
    id = page.hub.create(name="Outside", source=webhook, operators=[{"id": "m", "map": {"expression": "x"}}])
    page.open(id)
    page.fill(EXPRESSION.format("map"), "x + 1")
    page.wait(lambda: "no values yet" in page.text(".transport .state"), lambda: f"the reason: {page.text('.transport .state')!r}")
    page.click("#discard")


# The picture of a document, read and with two frames: what each press takes, without what the page does with it.
FIXED = """
    const body = JSON.stringify({ document: arguments[0], until: 10 });
    window.fixed = async (count) => {
      const times = [];
      for (let left = count; left > 0; left--) {
        const start = performance.now();
        await (await fetch("/picture", { method: "POST", body, headers: { "Content-Type": "application/json" } })).json();
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        times.push(performance.now() - start);
      }
      return times;
    };"""


@measures
def a_key_press_is_drawn_within_100_ms(page):
    """Twenty operators, at the 95th percentile.

    Other work takes turns of the processor from the page and the hub, so a bare question for the same picture and its
    two frames are timed between the presses: where that takes long, a press, after which the page draws 21 tunnels too, may
    take three times as long. On a loaded machine, the fastest of some rounds counts.
    """
    id = numbers(page, "Twenty", [{"id": f"m{n}", "map": {"expression": "x + 1"}} for n in range(20)])
    page.open(id)
    field = page.find("[data-path='operators[0]'] [data-parameter='expression']")
    page.run(FIXED, page.hub.document(id))
    said, isFast = [], False
    for add in range(100, 300, 40):
        texts = [(f"x + {n}", ",".join(str(value + n + 19) for value in (1, 2, 3, 4))) for n in range(add, add + 40)]
        took, fixed = [], []
        for part in range(8):
            fixed += page.run_async("window.fixed(5).then(arguments[0])")
            took += page.run_async(TYPE, field, texts[part * 5:part * 5 + 5], 20)
        took, fixed = sorted(took), sorted(fixed)
        said.append(f"{statistics.median(took):.0f} ms from a key press to the redrawn tunnels, {took[37]:.0f} ms at the 95th percentile; "
            f"a bare picture takes {statistics.median(fixed):.0f} and {fixed[37]:.0f} ms")
        print(f"   {said[-1]}")
        isFast = took[37] <= max(100, 3 * fixed[37])
        if isFast:
            break
    expect(isFast, "; ".join(said))
    page.click("#discard")


CHECKS = [
    a_picture_takes_50_ms_of_the_processor, a_draft_is_drawn_as_one_types, a_ball_is_followed_while_it_is_dragged, an_error_is_shown_in_its_tunnel,
    the_slider_publishes_nothing, a_run_that_is_cut_off_continues, only_the_newest_draft_is_drawn,
    the_outside_world_is_drawn_with_its_last_values, a_key_press_is_drawn_within_100_ms,
]
