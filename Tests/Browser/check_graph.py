"""The graph of all streams, and references in documents as chips."""

from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect, until


def boxes(page):
    """The boxes by their keys: [label, left, top]."""
    return page.run("""return Object.fromEntries([...document.querySelectorAll('.graph .box')].map((one) => {
        const { left, top } = one.getBoundingClientRect(); return [one.dataset.node, [one.getAttribute('aria-label'), left, top]]; }))""")


def streams_are_boxes_and_wires(page):
    first = page.hub.create(name="Ticks", source={"interval": {"seconds": 0.1}})
    joined = page.hub.create(name="Joined", source={"zip": [{"ref": first}, {"ref": "serial-stream-a"}]})
    page.reader = page.hub.create(name="Reader", source={"subscribe": {"stream": first}}, sinks=[{"id": "log", "outside": {"name": "nowhere"}}])
    page.hub.control(first, "start")
    try:
        page.show("#/graph", motion="reduce")
        key = lambda id: f"stream {id}"
        page.wait(lambda: {key(first), key(joined), key(page.reader), f"sink {page.reader} log"} <= set(boxes(page)), lambda: f"the boxes: {list(boxes(page))}")
        found = boxes(page)
        expect(found[key(first)][1] < found[key(joined)][1] and found[key(first)][1] < found[key(page.reader)][1] < found[f"sink {page.reader} log"][1],
            f"a box is not after what it reads: {found}")
        expect("reads" in found[key(joined)][0] and "Ticks" in found[key(joined)][0], f"it says {found[key(joined)][0]!r}")
        page.wait(lambda: "/s" in boxes(page)[key(first)][0], lambda: f"the rate of the ticks: {boxes(page)[key(first)][0]}")
        kinds = page.run("return [...document.querySelectorAll('.wire')].map((one) => one.getAttribute('class'))")
        expect({"wire reference", "wire subscription", "wire flow"} <= set(kinds), f"the wires are {set(kinds)}")
        page.picture("graph")
        before = boxes(page)
        page.late = page.hub.create(name="Late", source={"zip": [{"ref": joined}, {"ref": first}]})
        page.wait(lambda: key(page.late) in boxes(page), "the box of a stream that came later")
        after = boxes(page)
        expect(all(after[one][1:] == before[one][1:] for one in before if one in after), "the boxes have moved")
        page.hub.delete(page.late)
        page.wait(lambda: key(page.late) not in boxes(page), "that the box of a stream that is deleted goes")
        after = boxes(page)
        expect(all(after[one][1:] == before[one][1:] for one in before if one in after), "the boxes have moved when one went")
        page.find(f".box[data-node='stream {joined}']").click()
        page.wait(lambda: page.text("h1") == "Joined", "the stream of the box")
    finally:
        page.hub.control(first, "stop")


# The wires that touch a box other than the two that they connect: `[from, to, box]`.
CROSSED = """
    const boxes = [...document.querySelectorAll(".graph .box")].map((one) => [one.dataset.node, one.querySelector("rect").getBoundingClientRect()]);
    const origin = document.querySelector("svg.graph").getBoundingClientRect();
    return [...document.querySelectorAll(".wire")].flatMap((wire) => {
      const { from, to } = wire.dataset, found = new Set();
      for (let at = 0; at <= wire.getTotalLength(); at += 2) {
        const { x, y } = wire.getPointAtLength(at);
        for (const [key, box] of boxes) {
          const isIn = x > box.left - origin.left && x < box.right - origin.left && y > box.top - origin.top && y < box.bottom - origin.top;
          if (isIn && key !== from && key !== to) found.add(key);
        }
      }
      return [...found].map((key) => [from, to, key]);
    });"""


# The wires of two boxes that run along each other from one row to another: `[from, from]`.
ALONG = """
    const wires = [...document.querySelectorAll(".wire")].map((wire) => {
      const points = [];
      for (let at = 0; at + 4 <= wire.getTotalLength(); at += 4) {
        const one = wire.getPointAtLength(at), next = wire.getPointAtLength(at + 4);
        if (Math.abs(next.y - one.y) > 3.5) points.push(one);
      }
      return { from: wire.dataset.from, points };
    });
    return wires.flatMap(({ from, points }, index) => wires.slice(index + 1).filter((other) => other.from !== from
      && points.filter(({ x, y }) => other.points.some((one) => Math.abs(one.x - x) < 2 && Math.abs(one.y - y) < 3)).length > 5).map((other) => [from, other.from]));"""


def wires_run_around_boxes(page):
    """A stream that reads a chain of streams at each step: most of its wires pass the boxes of the others."""
    chain = [page.hub.create(name="Link 1", source={"interval": {"seconds": 1}})]
    for number in range(2, 6):
        chain.append(page.hub.create(name=f"Link {number}", source={"zip": [{"ref": chain[-1]}, {"ref": "serial-stream-b"}]}))
        page.hub.create(name=f"Beside {number}", source={"merge": [{"ref": chain[0]}, {"ref": chain[-1]}]})
    reader = page.hub.create(name="Reads all", source={"merge": [{"ref": id} for id in chain]},
                             sinks=[{"id": "log", "outside": {"name": "nowhere"}}])
    page.show("#/graph", motion="reduce", width=1700)
    page.wait(lambda: f"sink {reader} log" in boxes(page), "the boxes")
    length = page.run("return Math.min(...[...document.querySelectorAll('.wire')].map((wire) => wire.getTotalLength()))")
    expect(length > 10, f"a wire is {length} px long")
    crossed = page.run(CROSSED)
    expect(not crossed, f"wires run through boxes: {crossed}")
    along = page.run(ALONG)
    expect(not along, f"wires of two boxes run along each other: {along}")
    page.picture("wires")


def names(page):
    return page.texts(".source .reference-name")


def references_are_chips(page):
    page.opened()
    page.wait(lambda: names(page) == ["Ticks", "Serial Stream A"], lambda: f"the chips: {names(page)}")
    expect(not page.find_all(".source textarea"), "the source is a text area of JSON")
    id = page.run("return decodeURIComponent(location.hash.split('/').at(-1))")
    refs = lambda: [next(iter(one.values())) for one in page.hub.document(id)["source"]["zip"]]
    first, second = page.find_all(".source .reference-name")
    page.drag(first, second)
    page.wait(lambda: names(page) == ["Serial Stream A", "Ticks"], lambda: f"the order after a drag: {names(page)}")
    until(lambda: refs()[0] == "serial-stream-a", lambda: f"the ids in the document: {refs()}")
    page.find(".source .reference-name").send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: names(page) == ["Ticks", "Serial Stream A"], lambda: f"the order after a key: {names(page)}")
    page.press("Remove Serial Stream A")
    page.wait(lambda: names(page) == ["Ticks"], "that the cross removes it")
    page.run("""const pick = document.querySelector(".source [data-parameter='sources']"); pick.value = "source interval"; pick.dispatchEvent(new Event("change"))""")
    page.wait(lambda: len(names(page)) == 2 and page.is_shown(".source .reference-detail [data-parameter='seconds']"), "the form of another source")
    page.fill(".source .reference-detail [data-parameter='seconds']", "0.5").send_keys(Keys.ENTER)
    until(lambda: page.hub.document(id)["source"]["zip"][1] == {"interval": {"seconds": 0.5}}, lambda: f"the interval: {page.hub.document(id)['source']}")
    page.picture("references")


def whatever_reads_streams_has_chips(page):
    """All sources and operators of the catalog with a parameter that is a source, or sources: none has a text area of JSON for it."""
    catalog = page.hub.ask("GET", "/catalog")[1]
    ref = {"ref": "serial-stream-b"}
    some = {"source": ref, "sources": [ref, ref], "seconds": 1, "count": 1, "expression": "true", "value": 0}
    isRead = lambda one: one["form"] in ("source", "sources")
    reading = lambda kinds: [(kind["name"], one, {other["name"]: some[other["form"]] for other in kind["parameters"] if other["isRequired"] or other is one})
        for kind in kinds for one in kind["parameters"] if isRead(one)]
    operators, sources = reading(catalog["operators"]), reading(catalog["sources"])
    names = {name for name, _, _ in operators + sources}
    expect(names >= {"merge", "zip", "combineLatest", "append", "flatMap"}, f"streams are read by {names}")
    id = page.hub.create(name="Reading", source={"values": [1]},
        operators=[{"id": f"{name} {number}", name: parameters} for number, (name, _, parameters) in enumerate(operators)])
    page.open(id)
    for number, (name, one, _) in enumerate(operators):
        place = f"[data-path='operators[{number}]']"
        page.wait(lambda: set(page.texts(f"{place} .reference-name")) == {"Serial Stream B"}, lambda: f"the chips of {name}: {page.texts(f'{place} .reference-name')}")
        expect(not page.find_all(f"{place} .form-{one['form']} textarea"), f"{name} has a text area of JSON")
    for name, one, parameters in sources:
        page.hub.put(id, {"name": "Reading", "source": {name: parameters}, "operators": []})
        page.wait(lambda: set(page.texts(".source .reference-name")) == {"Serial Stream B"}, lambda: f"the chips of {name}: {page.texts('.source .reference-name')}")
        expect(not page.find_all(".source textarea"), f"the source {name} has a text area of JSON")


CHECKS = [streams_are_boxes_and_wires, references_are_chips, whatever_reads_streams_has_chips, wires_run_around_boxes]
