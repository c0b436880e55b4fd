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


def operators_have_chips_too(page):
    id = page.hub.create(name="Merging", stream=items((1, 0.1)), operators=[{"id": "m", "merge": {"sources": [{"ref": "serial-stream-b"}]}}])
    page.open(id)
    page.wait(lambda: page.texts("[data-operator='merge'] .reference-name") == ["Serial Stream B"], "the chip of the operator")
    expect(not page.find_all("[data-operator='merge'] textarea"), "the operator has a text area of JSON")


CHECKS = [streams_are_boxes_and_wires, references_are_chips, operators_have_chips_too, wires_run_around_boxes]
