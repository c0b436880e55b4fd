"""What one does with a run: play, pause, step, speed, reset; and scrub, which is the page's own."""

from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect, until


def play_and_pause(page):
    page.long = page.hub.create(name="Long", source={"interval": {"seconds": 0.5}},
        operators=[{"map": {"expression": "x * x"}}])
    page.open(page.long)
    page.click(".play")
    page.wait(lambda: len(page.balls(1)) >= 2, "two balls")
    page.click(".play")
    page.wait(lambda: page.state() == "paused", "the pause")
    expect(page.hub.state(page.long) == "paused", "the hub runs on")
    time = page.text(".scrub .time")
    page.rest(400)
    expect(page.text(".scrub .time") == time, "time goes on in the page")
    expect("Resume" in page.text(".play"), f"the button reads {page.text('.play')!r}")


def a_step_goes_to_the_next_event(page):
    before = len(page.hub.ask("GET", f"/streams/{page.long}/output")[1]), page.balls(1)
    page.press("Step to the next event")
    page.wait(lambda: len(page.balls(1)) == len(before[1]) + 1, lambda: f"one ball more than {before[1]}")
    page.rest(300)
    expect(page.state() == "paused" and len(page.balls(1)) == len(before[1]) + 1,
        f"it is {page.state()} with {page.balls(1)}")


def speed_makes_time_go_faster(page):
    page.run("""const speed = document.getElementById("speed"); speed.value = "8"; speed.dispatchEvent(new Event("change"))""")
    until(lambda: page.hub.ask("GET", f"/streams/{page.long}/run")[1]["speed"] == 8, "the speed in the hub")
    page.click(".play")
    page.wait(lambda: page.state() == "running", "that it goes on")
    read = "return [performance.now(), parseFloat(document.querySelector('.scrub .time').textContent)]"
    paces = []
    # A frame that a loaded machine draws late changes the pace for once, but a wrong speed changes it every time.
    while len(paces) < 20 and not (paces and 6 <= paces[-1] <= 10):
        first = page.run(read)
        page.rest(800)
        second = page.run(read)
        paces.append((second[1] - first[1]) / (second[0] - first[0]) * 1000)
    expect(6 <= paces[-1] <= 10, f"seconds of the stream in a second: {paces}")


def reset_forgets_the_run(page):
    page.press("Reset: forget the run")
    page.wait(lambda: page.state() == "idle" and page.balls(0) == [], "the empty tunnel")
    expect(len(page.find_all(".tunnel")) == 2, "the stages are gone")
    expect(page.hub.state(page.long) == "idle", "the hub runs on")


def others_see_what_one_does(page):
    page.hub.control(page.long, "start")
    page.wait(lambda: page.state() == "running" and page.balls(1), "the run that another started")
    page.hub.control(page.long, "pause")
    page.wait(lambda: page.state() == "paused", "the pause of another")
    page.hub.control(page.long, "reset")


def scrubbing_shows_any_moment_of_a_virtual_run(page):
    id = page.hub.create(name="Scrubbed", stream=items(*[(value, 1) for value in (1, 2, 3, 4)]),
        operators=[{"filter": {"expression": "x != 3"}}])
    page.open(id)
    scrub = lambda time: page.run("""
        const slider = document.getElementById("scrub"); slider.value = arguments[0]; slider.dispatchEvent(new Event("input"))""", time)
    scrub(3.5)
    page.wait(lambda: page.balls(0) == ["1", "2", "3"] and page.balls(1) == ["1", "2"],
        f"the moment 3.5 s: {page.balls(0)} {page.balls(1)}")
    expect(page.state() == "scrub" and page.hub.state(id) == "idle", "the hub's run was started")
    page.picture("scrub")
    scrub(1.5)
    page.wait(lambda: page.balls(0) == ["1"], "back to 1.5 s")
    page.find("#scrub").send_keys(Keys.END)
    page.wait(lambda: page.mark(1) == "completed" and page.balls(1) == ["1", "2", "4"], "the end, by the key")
    scrub(4.5)
    page.run("arguments[0].focus()", page.item(3))
    page.item(3).send_keys(Keys.CONTROL, Keys.ARROW_RIGHT)
    page.wait(lambda: page.balls(0) == ["1", "2", "3"], "that the edit is in the picture")
    page.press("Live")
    page.wait(lambda: page.state() == "idle" and page.balls(0) == [], "the live run")


# Delays the next request that stores a document.
DELAY = """
    const ask = window.fetch;
    window.fetch = async (path, options = {}) => {
      if (options.method === "PUT") {
        window.fetch = ask;
        await new Promise((go) => setTimeout(go, 700));
      }
      return ask(path, options);
    };"""


def play_after_apply_plays_the_edited_stream(page):
    id = page.hub.create(name="Edited and played", stream=items((1, 1), (2, 2)), operators=[{"id": "m", "map": {"expression": "x"}}])
    page.open(id)
    field = page.fill("[data-operator='map'] [data-parameter='expression']", "x * 100")
    page.wait(lambda: page.balls(1) == ["100", "200"], lambda: f"the draft: {page.balls(1)}")
    page.run(DELAY)
    field.send_keys(Keys.ENTER)
    page.click(".play")
    outputs = lambda: [one.get("value") for one in page.hub.ask("GET", f"/streams/{id}/output")[1]]
    until(lambda: len(outputs()) >= 2, lambda: f"the outputs: {outputs()}")
    expect(outputs()[:2] == [100, 200], f"the outputs are {outputs()}")


CHECKS = [play_and_pause, a_step_goes_to_the_next_event, speed_makes_time_go_faster, reset_forgets_the_run,
          others_see_what_one_does, scrubbing_shows_any_moment_of_a_virtual_run, play_after_apply_plays_the_edited_stream]
