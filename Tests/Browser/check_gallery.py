"""Templates with sample data, and what one gives others."""

import xml.etree.ElementTree as tree

import qrcode
import qrcode.util

from browser import expect, until

TITLES = ["Debounce a search box", "Moving average", "Alert on a threshold", "Poll a price", "Join two feeds", "Count errors per service", "Webhook to webhook"]
COPY = "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { window.copied = text; } } })"


def each_template_plays(page):
    page.show("#/gallery")
    page.wait(lambda: len(page.find_all(".template-picture svg")) == len(TITLES), "the pictures")
    expect(page.texts(".templates:not(.seeds) h3") == TITLES, f"the templates are {page.texts('.templates h3')}")
    expect(len(page.find_all(".seeds .template")) == 12 and "filter: x != 3" in page.texts(".seeds p"), "the seed's streams in CEL")
    page.picture("gallery")
    hidden = page.run("""return [...document.querySelectorAll(".template-picture svg")].flatMap((picture) => {
        const parts = [...picture.children], ends = parts.filter((one) => one.localName === "line" && one.getAttribute("stroke-width") === "3");
        return ends.filter((end) => parts.slice(0, parts.indexOf(end)).some((ball) => ball.localName === "circle" && ball.getAttribute("cx") === end.getAttribute("x1")
          && Math.abs(Number(ball.getAttribute("cy")) - Number(end.getAttribute("y1"))) < 40 && Number(ball.getAttribute("cy")) < Number(end.getAttribute("y2"))
          && Number(ball.getAttribute("cy")) > Number(end.getAttribute("y1")))).map((end) => end.outerHTML); })""")
    expect(not hidden, f"ends lie over balls: {hidden}")
    for title in TITLES:
        page.run("location.hash = '#/gallery'")
        page.press(f"Use it: {title}")
        page.opened()
        page.wait(lambda: page.find_all("[data-stage='0'] [data-ball]"), f"the sample data of {title}")
        wrong = [text for text in page.texts(".stream .error:not([hidden])") if text]
        expect(not wrong, f"{title}: {wrong}")
        expect(page.is_shown(".sample"), f"{title} does not say that it plays sample data")
        id = page.run("return decodeURIComponent(location.hash.split('/').at(-1))")
        expect(page.run("return document.querySelector('.rows [aria-current]').getBoundingClientRect().bottom <= innerHeight"), "the new row is not in sight")
        page.hub.control(id, "speed", {"speed": 100})
        until(lambda: page.hub.state(id) == "completed", lambda: f"the end of {title}: {page.hub.state(id)}")
    page.press("Use the real source")
    page.wait(lambda: page.find(".source select").get_attribute("value") == "webhook" and page.find_all("[data-sink='post']"), "the real source and sink")
    page.picture("real")
    page.click("#discard")


def copied(page, entry):
    page.run("window.copied = undefined")
    page.choose("Share", entry)
    return page.wait(lambda: page.run("return window.copied"), entry)


def a_stream_is_given_to_others(page):
    id = page.hub.create(name="Gift <&>", stream=[{"value": "<b>"}, {"value": 2}], operators=[{"id": "m", "map": {"expression": "x"}}])
    page.open(id)
    page.run(COPY)
    picture = tree.fromstring(copied(page, "Copy a picture for a web page"))
    texts = [one.text for one in picture.iter() if one.tag.endswith("text")]
    expect("<b>" in texts and "Gift <&>" in texts, f"the picture has the texts {texts}")
    line = copied(page, "Copy the line to follow it")
    expect(line == f"sluice follow {page.base}", f"the line is {line!r}")
    program = copied(page, "Copy as Swift")
    expect('StreamDocument(parsing: #"""' in program and "for try await value in try document.values()" in program, f"the Swift is {program!r}")
    page.run("""URL.createObjectURL = (blob) => { window.copied = `${blob.type} ${blob.size}`; return "#"; }; HTMLAnchorElement.prototype.click = () => {};""")
    expect(copied(page, "Save a picture (SVG)").startswith("image/svg+xml"), "no SVG was saved")
    kind, size = copied(page, "Save a picture (PNG)").split()
    expect(kind == "image/png" and int(size) > 2000, f"the PNG is {kind} with {size} bytes")
    link = copied(page, "Copy a link with the document")
    page.choose("Share", "Show a QR code")
    page.wait(lambda: page.is_shown(".qr"), "the code")
    page.picture("qr")
    page.press("Close", "dialog")
    before = len(page.hub.heads())
    page.driver.get("about:blank")
    page.driver.get(link)
    page.wait(lambda: "Add the stream of this link?" in page.text("dialog h2"), "the question")
    expect("Gift <&>" in page.text("dialog p") and len(page.hub.heads()) == before, "it was stored without a question")
    page.press("Add it", "dialog")
    page.wait(lambda: page.text("h1") == "Gift <&>", "the stream of the link")
    expect(len(page.hub.heads()) == before + 1, "it was not stored once")
    page.driver.get("about:blank")
    page.driver.get(f"{page.base}/#/open/AAAA")
    page.wait(lambda: "no document" in page.text(".note"), "what is wrong with the link")


def codes_are_those_of_another_program(page):
    """Every mask, and lengths from one byte to the longest, have the same modules."""
    page.show("")
    for length, mask in ((1, 0), (17, 1), (18, 2), (78, 3), (230, 4), (300, 5), (1000, 6), (2953, 7)):
        text = ("https://example.com/#" + "a" * 3000)[:length]
        ours = page.run_async("""const [text, mask, done] = arguments;
            import("/page/qr.js").then(({ code }) => done(code(text, mask).map((row) => row.map(Number).join(""))))""", text, mask)
        other = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, border=0, mask_pattern=mask)
        other.add_data(qrcode.util.QRData(text.encode(), mode=qrcode.util.MODE_8BIT_BYTE))
        other.make()
        theirs = ["".join(str(int(bit)) for bit in row) for row in other.get_matrix()]
        expect(ours == theirs, f"the code of {length} bytes with mask {mask} is another")


CHECKS = [each_template_plays, a_stream_is_given_to_others, codes_are_those_of_another_program]
