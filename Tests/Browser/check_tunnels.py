"""The tunnels: balls at their times along a real time axis, one tunnel a stage, colors that tell origins."""

import statistics

from api import items
from browser import expect, until

# Reads the places of all that travels in a tunnel, twice, each time as a frame shows it.
READ_TWICE = """
const [tunnel, pause, done] = arguments;
const read = (at) => {
  const places = {};
  for (const node of tunnel.querySelectorAll("[data-ball], [data-mark], [data-tick]")) {
    const box = node.getBoundingClientRect();
    const what = node.dataset.mark ?? (node.dataset.tick === undefined ? "ball" : "tick");
    places[`${what} ${node.textContent} ${node.dataset.time}`] = box.left + box.width / 2;
  }
  return { at, places, scale: Number(tunnel.dataset.scale) };
};
requestAnimationFrame((start) => {
  const first = read(start);
  requestAnimationFrame(function later(now) {
    if (now - start < pause) requestAnimationFrame(later); else done([first, read(now)]);
  });
});
"""


def twice(page, milliseconds, stage=0):
    return page.run_async(READ_TWICE, page.find(f"[data-stage='{stage}']"), milliseconds)


def at_rest(page, stage=0):
    first, second = twice(page, 120, stage)
    return first["places"] == second["places"]


def all_inside(page, stage=0):
    """Every ball and mark at rest is wholly within its tunnel."""
    return page.run("""
        const tunnel = document.querySelector(`[data-stage='${arguments[0]}']`), edge = tunnel.getBoundingClientRect();
        return [...tunnel.querySelectorAll("[data-ball], [data-mark]")].every((node) => {
          const box = node.getBoundingClientRect();
          return box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom;
        });""", stage)


def play(page, id, **options):
    page.open(id, **options)
    page.click(".play")


def places_tell_times(reading, sign, pairs):
    """Balls are as far apart as their times, and each is at its tick."""
    scale, places = reading["scale"], reading["places"]
    for one, other in pairs:
        distance = sign * (places[f"ball {one} {one}"] - places[f"ball {other} {other}"])
        expect(abs(distance - scale) <= 1, f"{one} and {other} are {distance:.1f} px apart, a second is {scale} px")
        away = places[f"ball {one} {one}"] - places.get(f"tick {one} s {one}", 1e9)
        expect(abs(away) <= 1, f"the ball {one} is {away:.1f} px from its place on the axis")


def balls_lie_where_their_time_is(page):
    """From left to right, where the items of the axis above are, too."""
    id = page.hub.create(name="Moving", stream=items((1, 1), (2, 1), (3, 1), (4, 1)), operators=[{"map": {"expression": "x"}}])
    play(page, id)
    page.wait(lambda: page.mark(1) == "completed", "the completion")
    page.wait(lambda: at_rest(page), "rest")
    places_tell_times(twice(page, 50)[0], -1, [("1", "2"), ("2", "3"), ("3", "4")])
    same_axis(page)
    page.press("Draw a second longer")
    page.press("Draw a second longer")
    same_axis(page)
    page.run("const along = document.querySelector('.along'); along.value = along.max; along.dispatchEvent(new Event('input'))")
    page.frames(3)
    same_axis(page)
    expect(page.run("return document.querySelector('.along').value > 0"), "the axis was not scrolled")


def same_axis(page):
    page.frames(3)
    found = page.run("""
        const middle = (one) => { const box = one.getBoundingClientRect(); return box.left + box.width / 2; };
        const balls = (stage) => new Map([...document.querySelectorAll(`[data-stage='${stage}'] [data-ball]`)].map((one) => [one.textContent, middle(one)]));
        const [first, second] = [balls(0), balls(1)];
        return [...document.querySelectorAll(".item")].filter((one) => first.has(one.textContent))
          .map((one) => [one.textContent, middle(one) - first.get(one.textContent), middle(one) - (second.get(one.textContent) ?? 1e9)]);""")
    expect(found and all(abs(away) <= 1 for _, *both in found for away in both), f"items and balls are apart: {found}")


def the_newest_is_at_the_left_for_who_wants_it(page):
    """The direction of the seed: an interval has no items, and keeps the balls moving while they are read."""
    id = page.hub.create(name="Reversed", source={"interval": {"seconds": 1}})
    page.open(id)
    page.press("The newest values at the left")
    page.hub.control(id, "speed", {"speed": 2})
    page.click(".play")
    page.wait(lambda: len(page.balls()) >= 3, "three balls")
    try:
        first, second = twice(page, 500)
        expect(first["scale"] == second["scale"] > 0, f"a second is {first['scale']} px, and then {second['scale']} px")
        moved = second["places"]["ball 1 2"] - first["places"]["ball 1 2"]
        wanted = (second["at"] - first["at"]) / 1000 * first["scale"] * 2
        expect(abs(moved - wanted) <= 3, f"the ball 1 moved {moved:.1f} px, the clock says {wanted:.1f} px")
        distance = first["places"]["ball 1 2"] - first["places"]["ball 2 3"]
        expect(abs(distance - first["scale"]) <= 1, f"1 and 2 are {distance:.1f} px apart, a second is {first['scale']} px")
        page.open(id)
        expect(page.find("#direction").get_attribute("aria-pressed") == "true", "the direction is forgotten")
    finally:
        page.hub.control(id, "stop")
        page.run("localStorage.removeItem('sluice direction')")


def the_picture_comes_to_rest_with_its_mark(page):
    play(page, page.hub.create(name="Resting", stream=items(*[(value, 1) for value in (1, 2, 3, 4)])))
    page.wait(lambda: page.mark() == "completed" and page.state() == "completed", "the completion")
    page.wait(lambda: at_rest(page), "rest")
    expect(page.balls() == ["1", "2", "3", "4"] and all_inside(page),
        f"{page.balls()} lie in the tunnel, or not all in sight")
    page.wait(lambda: "completed at 4 s" in page.text(".transport .state"), "the state in words")


def an_error_has_its_mark(page):
    id = page.hub.create(name="Failing", stream=items((1, 0.2), (0, 0.2)), operators=[{"map": {"expression": "1 / x"}}])
    play(page, id)
    page.wait(lambda: page.mark(1) == "failed", "the mark of the error")
    label = page.run("return document.querySelector(\"[data-stage='1'] [data-mark]\").getAttribute('aria-label')")
    expect("failed" in label and "0.4 s" in label, f"the mark says {label!r}")
    page.hub.control(id, "stop")


def what_is_left_out_is_marked(page):
    """With a picture as the hub may give one: the stages of a run do not tell of it everywhere yet."""
    id = page.hub.create(name="Leaving out", stream=items((1, 0.2)))
    page.open(id)
    page.run("""
        const ask = window.fetch, row = { name: "stream", path: "stream", marks: [{ time: 1, value: 10, origins: [0] }, { time: 2, reported: "division by zero", origins: [] }] };
        window.fetch = (path, options) => path === "/picture" ? Promise.resolve(new Response(JSON.stringify({ title: "", end: 10, rows: [row] }))) : ask(path, options);
        const slider = document.getElementById("scrub"); slider.value = 3; slider.dispatchEvent(new Event("input"));""")
    page.wait(lambda: page.balls() == ["10", "!"], lambda: f"the mark after the value: {page.balls()}")
    label = page.find(".reported").get_attribute("aria-label")
    expect("left out: division by zero" in label and "2 s" in label, f"it says {label!r}")


def each_stage_has_a_tunnel(page):
    id = page.hub.create(name="Stages", stream=items(*[(value, 0.3) for value in (1, 2, 3, 4)]), operators=[
        {"id": "even", "filter": {"expression": "x % 2 == 0"}}, {"id": "sum",
            "scan": {"initialValue": 0, "expression": "acc + x"}}])
    page.open(id)
    page.wait(lambda: len(page.find_all(".tunnel")) == 3, "three tunnels before the first run")
    page.click(".play")
    page.wait(lambda: [page.mark(stage) for stage in range(3)] == ["completed"] * 3, "three completions")
    found = [page.balls(stage) for stage in range(3)]
    expect(found == [["1", "2", "3", "4"], ["2", "4"], ["2", "6"]], f"the tunnels hold {found}")
    within = page.run("return [...document.querySelectorAll('.stage')].map((one) => [one.querySelector('.operator').dataset.operator ?? 'source', one.querySelectorAll('.tunnel').length])")
    expect(within == [["source", 1], ["filter", 1], ["scan", 1]], f"the stages hold {within}")
    page.picture("stages")


def equal_origins_have_equal_colors(page):
    look = page.run("""return [0, 1, 2].map((stage) => Object.fromEntries([...document.querySelectorAll(`[data-stage='${stage}'] [data-ball]`)]
        .map((ball) => [ball.textContent, [ball.dataset.color, ball.dataset.from, ball.getAttribute("aria-label")]])))""")
    source, even, total = look
    expect(source["2"][0] == even["2"][0] == total["2"][0], f"the 2 has the colors {look}")
    expect(len({source[text][0] for text in "1234"}) == 4, f"the items have the colors {source}")
    expect(source["2"][1] == "2" and "of 2" in source["2"][2], f"without colors it says {source['2']}")
    item = page.run("return document.querySelector(\".item[data-item='1']\").dataset.color")
    expect(item == source["2"][0], f"the item 2 has the color {item}")


def a_pair_is_two_balls(page):
    """As the seed draws what zip gives: both values can be read, each in the color of its origin."""
    id = page.hub.create(name="Pairs", source={"zip": [{"values": [7, 12]}, {"values": ["A", "long"]}]})
    play(page, id)
    page.wait(lambda: len(page.find_all("[data-stage='2'] .ball.pair")) == 2, "two pairs")
    pairs = page.run("""return [...document.querySelectorAll("[data-stage='2'] .ball.pair")].map((pair) => ({
        label: pair.getAttribute("aria-label"), parts: [...pair.children].map((one) => [one.textContent, getComputedStyle(one).backgroundImage, one.scrollWidth <= one.clientWidth]) }))""")
    texts = [[part[0] for part in pair["parts"]] for pair in pairs]
    expect(texts == [["7", "A"], ["12", "lo…"]], f"the pairs say {texts}")
    expect('[12,"long"]' in pairs[1]["label"].replace(" ", ""), f"a pair is named {pairs[1]['label']!r}")
    expect(all(part[2] for pair in pairs for part in pair["parts"]), "a text does not fit its ball")
    expect(pairs[0]["parts"][0][1] != pairs[0]["parts"][1][1], "two origins have one color")


def a_ball_that_is_pointed_at_shows_its_origins(page):
    page.run("""document.querySelector("[data-stage='1'] [data-ball]").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))""")
    traced = page.run("return [...document.querySelectorAll('.tunnel .ball.traced')].map((ball) => ball.textContent)")
    expect(traced[:2] == ["2", "2"], f"traced are {traced}")


def values_come_live_and_in_time(page):
    id = page.hub.create(name="Live", source={"interval": {"seconds": 0.4, "count": 8}})
    page.open(id)
    page.run("""
        window.seen = [];
        new MutationObserver((changes) => { for (const { addedNodes } of changes) for (const node of addedNodes)
          if (node.dataset?.ball !== undefined) window.seen.push([performance.now(), Number(node.dataset.time)]); })
          .observe(document.querySelector(".pipeline"), { childList: true, subtree: true });""")
    page.click(".play")
    page.wait(lambda: page.mark() == "completed", "the completion")
    # The last ball is drawn with the next frame.
    page.wait(lambda: len(page.run("return window.seen")) >= 8, "the last value")
    seen = page.run("return window.seen")
    expect([time for _, time in seen] == [round(0.4 * step, 1) for step in range(1, 9)], f"there came {seen}")
    late = [at / 1000 - time for at, time in seen]
    middle = statistics.median(late)
    expect(sorted(abs(one - middle) for one in late)[4] <= 0.15,
        f"they came with {[round(one - middle, 3) for one in late]} s from their times")


def what_comes_is_said(page):
    page.wait(lambda: "completed" in page.text("#announcements") and "Live" in page.text("#announcements"), "the announcement for screen readers")
    page.wait(lambda: "7 at 3.2 s" in page.text("#announcements"), lambda: f"the last value with its time: {page.text('#announcements')}")
    id = page.hub.create(name="Said", stream=items((1, 0.2), (2, 0.2)), operators=[{"id": "s", "scan": {"initialValue": 0, "expression": "acc + x"}}])
    play(page, id)
    page.wait(lambda: "3 at 0.4 s, of 2" in page.text("#announcements"), lambda: f"the origin of the last value: {page.text('#announcements')}")
    # Whatever comes, there is a second between two announcements.
    gaps = page.run_async("""
        const done = arguments[0], region = document.getElementById("announcements"), times = [];
        import("/page/announce.js").then(({ announce }) => {
          new MutationObserver((changes) => { if (changes.some(({ addedNodes }) => addedNodes.length)) times.push(performance.now());
            if (times.length === 3) { clearInterval(timer); done([times[1] - times[0], times[2] - times[1], region.textContent]); } }).observe(region, { childList: true });
          let count = 0;
          const timer = setInterval(() => announce("Crowd", `value ${count++}`), 20);
        });""")
    expect(min(gaps[:2]) >= 1000 and "values, the last" in gaps[2], f"announcements came after {gaps}")


def a_long_run_stays_small(page):
    id = page.hub.create(name="Fast", source={"interval": {"seconds": 0.002, "count": 1500}})
    play(page, id)
    page.wait(lambda: page.mark() == "completed", "the completion")
    page.wait(lambda: at_rest(page), "rest")
    count = page.run("return document.querySelectorAll('[data-ball]').length")
    expect(count <= 240, f"{count} balls are in the page")
    page.wait(lambda: "values a second" in page.text(".rate:not([hidden])"), "the bars in their place")
    until(lambda: page.hub.state(id) == "completed", "the end in the hub")


CHECKS = [
    balls_lie_where_their_time_is, the_newest_is_at_the_left_for_who_wants_it, the_picture_comes_to_rest_with_its_mark, an_error_has_its_mark,
    what_is_left_out_is_marked, each_stage_has_a_tunnel, equal_origins_have_equal_colors, a_ball_that_is_pointed_at_shows_its_origins,
    a_pair_is_two_balls, values_come_live_and_in_time, what_comes_is_said, a_long_run_stays_small,
]
