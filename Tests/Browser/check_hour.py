"""The memory of the page is steady over an hour of a stream with ten stages: the events of an hour come within seconds."""

from api import items
from browser import expect

STAGES = 10
# Enough values in a second for bars in the place of balls, and for all that is kept to be full within ten minutes.
RATE = 25
# The most by which the page may grow from the twentieth minute to the sixtieth: bytes, elements, and listeners.
GROWTH = {"JSHeapUsedSize": 1_500_000, "Nodes": 400, "JSEventListeners": 100}

# The page's connection, so that events can be sent on it; a run of the hub ends none of them.
CONNECTION = """
    const Source = window.EventSource;
    window.EventSource = class extends Source { constructor(url) { super(url); window.connection = this; } };"""

# Sends the values of so many minutes as the hub sends them, a minute at a time, and draws between them.
MINUTES = """
    const [stream, from, minutes, rate, names, done] = arguments;
    const tell = (name, data) => window.connection.dispatchEvent(new MessageEvent(name, { data: JSON.stringify({ stream, ...data }) }));
    const stages = names.map((name, index) => ({ name, path: index ? `operators[${index - 1}].${name}` : `source.${name}`, inputs: index ? [index - 1] : [] }));
    const first = from * 60, last = (from + minutes) * 60;
    let second = first;
    requestAnimationFrame(function next() {
      for (const end = Math.min(last, second + 60); second < end; second++) {
        tell("run", { run: 1e6, revision: 1, state: "running", time: second + 1, speed: 1, stages });
        for (let number = 0; number < rate; number++) {
          const time = second + (number + 1) / rate, value = { number: second * rate + number, text: `value ${second}` };
          for (let stage = 0; stage < names.length; stage++) tell("value", { stage, time, value, origins: [second * rate + number] });
        }
      }
      if (second < last) requestAnimationFrame(next); else requestAnimationFrame(() => done(second));
    });"""


def metrics(page):
    page.driver.execute_cdp_cmd("Performance.enable", {})
    for _ in range(2):                          # what the first collection lets go of, the second one frees
        page.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    found = {one["name"]: one["value"] for one in page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    return {name: found[name] for name in GROWTH}


def memory_is_steady_over_an_hour(page):
    names = ["interval"] + ["map"] * (STAGES - 1)
    id = page.hub.create(name="An hour", source={"interval": {"seconds": 1}}, operators=[{"map": {"expression": "x"}} for _ in names[1:]])
    script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CONNECTION})["identifier"]
    try:
        page.open(id)
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
    page.wait(lambda: page.run("return window.connection?.readyState === 1"), "the connection")
    marks = []
    for minute in range(0, 60, 10):
        page.run_async(MINUTES, id, minute, 10, RATE, names)
        page.frames(20)
        marks.append(metrics(page))
    expect("values a second" in page.text("[data-stage='9'] .rate:not([hidden])"), "the values are not shown")
    page.find("[data-stage='9'] .peek").click()
    expect("59:5" in page.text(".values tbody") or "60:00" in page.text(".values tbody") or page.rows(".values"), "the table has no values")
    print("   " + "; ".join(f"{10 * place + 10} min: {mark['JSHeapUsedSize'] / 1e6:.1f} MB, {mark['Nodes']} nodes, {mark['JSEventListeners']} listeners"
                             for place, mark in enumerate(marks)))
    for name, most in GROWTH.items():
        grown = marks[-1][name] - marks[1][name]
        expect(grown <= most, f"{name} grows by {grown} from the twentieth minute to the sixtieth: {[mark[name] for mark in marks]}")


CHECKS = [memory_is_steady_over_an_hour]
