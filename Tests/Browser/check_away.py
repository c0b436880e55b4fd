"""A hub that is away, and one with a token."""

from functools import wraps

from selenium.webdriver.common.keys import Keys

from api import Hub, OwnHub, items
from browser import expect, until

TOKEN = "open-sesame-please-17"


def with_a_hub(*options):
    """A check with a hub of its own, which it may end."""
    def decorate(check):
        @wraps(check)
        def run(page):
            own = OwnHub(*options)
            try:
                with page.at(own, TOKEN if options else None):
                    check(page, own)
            finally:
                own.close()
        return run
    return decorate


@with_a_hub()
def a_hub_that_is_away_is_noticed_and_drafts_are_kept(page, own):
    id = page.hub.create(name="Away", stream=items((1, 1), (2, 1)),
        operators=[{"id": "s", "scan": {"initialValue": 0, "expression": "acc + x"}}])
    page.open(id)
    page.click(".play")
    page.wait(lambda: page.balls(), "a ball")
    own.end()
    page.wait(lambda: "retrying" in page.text("#notice"), "that it is away")
    page.frames()  # the time of a picture that has stopped is drawn with the next one
    time = page.text(".scrub .time")
    page.fill("[data-operator='scan'] [data-parameter='initialValue']", "5").send_keys(Keys.ENTER)
    page.wait(lambda: "saved in this tab" in page.text(".draft"), lambda: f"that the draft is kept: {page.text('.draft')!r}")
    expect(page.text(".scrub .time") == time, "the picture goes on")
    page.picture("away")
    own.start()
    page.wait(lambda: page.text("#notice") == "", "that it is back")
    page.wait(lambda: "starts afresh" in page.text(".draft"), lambda: f"the plan of the draft: {page.text('.draft')!r}")
    page.click("#apply")
    until(lambda: page.hub.document(id)["operators"][0]["scan"]["initialValue"] == 5, "the draft in the hub")
    page.hub.control(id, "start")
    page.wait(lambda: page.state() in ("running", "completed"), "the run, live again")


@with_a_hub()
def a_ball_dragged_while_the_hub_is_away_is_a_draft(page, own):
    id = page.hub.create(name="Away", stream=items((1, 1), (2, 1)))
    page.open(id)
    own.end()
    page.item(1).send_keys(Keys.CONTROL, Keys.ARROW_RIGHT)
    page.wait(lambda: "saved in this tab" in page.text(".draft") and page.items()[1][1] == 3, "the draft")
    own.start()
    page.wait(lambda: page.text("#notice") == "" and page.find("#apply").is_enabled() and "keeps its state" in page.text(".draft"), "its plan")
    page.click("#apply")
    until(lambda: page.hub.document(id)["stream"][1]["operators"][0]["delay"]["seconds"] == 2,
        "the drag in the hub")


@with_a_hub()
def a_view_is_loaded_when_the_hub_is_back(page, own):
    page.open("serial-stream-a")
    own.end()
    page.wait(lambda: "retrying" in page.text("#notice"), "that it is away")
    page.go("#/tokens")
    page.wait(lambda: "until the hub is back" in page.text(".note"), lambda: f"that the view can't be loaded: {page.text('.note')!r}")
    own.start()
    page.wait(lambda: page.text("main h1") == "Tokens" and page.run("return document.title") == "Tokens · Sluice", "the view")


@with_a_hub("--token", TOKEN)
def a_hub_with_a_token_asks_for_it(page, own):
    page.show()
    page.wait(lambda: "requires a token" in page.text("dialog"), "the form")
    page.picture("login")
    page.fill("#token", "wrong").send_keys(Keys.ENTER)
    page.wait(lambda: "not the hub" in page.text("dialog .error"), "that it is not the token")
    page.fill("#token", TOKEN).send_keys(Keys.ENTER)
    page.wait(lambda: "1" in page.balls(), "the stream, and its values")
    expect(not page.find_all("dialog"), "the form is still there")
    cookies = page.driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
    expect(len(cookies) == 1 and cookies[0]["httpOnly"] and cookies[0]["sameSite"] == "Strict",
        f"the cookies are {cookies}")
    expect("sesame" not in cookies[0]["value"] and "sesame" not in page.driver.current_url, "the token is in sight")
    page.driver.refresh()
    page.wait(lambda: page.text("h1"), "the stream, without the form")
    expect(Hub(own.base).ask("GET", "/streams")[0] == 401, "the hub answers without the token")


@with_a_hub("--token", TOKEN)
def a_link_logs_in_and_gives_out_tokens(page, own):
    page.driver.get(f"{own.base}/#token={TOKEN}")
    page.wait(lambda: "Serial Stream A" in page.text("body"), "the list of streams")
    expect("sesame" not in page.driver.current_url, "the token stays in the address")
    expect(not page.run("return performance.getEntriesByType('resource').some(({ name }) => name.includes('sesame'))"),
        "the token was sent in an address")
    page.show("#/tokens")
    page.wait(lambda: "No tokens yet" in page.text("#token-list"), "that there are no tokens yet")
    page.fill("#token-name", "ada")
    page.press("Create a token")
    page.wait(lambda: page.find_all("#new-token code"), "the new token")
    made = page.text("#new-token code")
    page.wait(lambda: page.find_all("[data-token='ada']"), "the token in the list")
    page.picture("tokens")
    reader = Hub(own.base, made)
    expect(reader.ask("GET", "/streams")[0] == 200 and reader.ask("PUT", "/groups/g")[0] == 403,
        "the token does not have its role")
    page.click("[data-token='ada'] button")
    page.wait(lambda: not page.find_all("[data-token='ada']"), "that it is revoked")
    expect(reader.ask("GET", "/streams")[0] == 401, "a revoked token works")


CHECKS = [a_hub_that_is_away_is_noticed_and_drafts_are_kept, a_ball_dragged_while_the_hub_is_away_is_a_draft,
    a_view_is_loaded_when_the_hub_is_back,
    a_hub_with_a_token_asks_for_it, a_link_logs_in_and_gives_out_tokens]
