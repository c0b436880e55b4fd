"""The page under test in a headless Chromium."""

import os
import shutil
import time
from contextlib import contextmanager
from json import loads
from pathlib import Path
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import (ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException,
                                        TimeoutException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from api import Hub

# The limit of a wait, in seconds; a wait ends as soon as its condition holds.
PATIENCE = float(os.environ.get("SLUICE_PATIENCE", 300))


class Failure(Exception):
    """A check that does not hold."""


def expect(condition, reason):
    if not condition:
        raise Failure(reason)


def measures(check):
    """Marks a check that measures time: it runs without another browser beside it."""
    check.measures = True
    return check


class Located(WebElement):
    """An element that is found again when the page has replaced it, and clicked again when something was over it.

    A page that follows its hub replaces elements at any time. A person does not notice; a program holds the old element. A command
    to an element that is gone, or covered, has had no effect, so it can be given again.
    """

    def __init__(self, element, locate):
        super().__init__(element.parent, element.id)
        self.locate = locate

    def renew(self):
        found = self.locate()
        if found is not None:
            self._id = found.id

    def again(self, command, *ignored, tries=100):
        """Gives a command until it has met the element."""
        for _ in range(tries):
            try:
                return command()
            except (StaleElementReferenceException, *ignored):
                time.sleep(0.03)
                self.renew()
        return command()

    def _execute(self, command, params=None):
        return self.again(lambda: super(Located, self)._execute(command, params))

    def click(self):
        self.again(super().click, ElementClickInterceptedException, ElementNotInteractableException)

    # These two are scripts, not commands.

    def get_attribute(self, name):
        return self.again(lambda: super(Located, self).get_attribute(name))

    def is_displayed(self):
        return self.again(super().is_displayed)


class Page:
    """The page in one browser, and the hub behind it."""

    def __init__(self, base):
        self.base = base.rstrip("/")
        self.hub = Hub(self.base)
        self.check = ""
        self.console = []
        self.requests = []
        self.paths = set()                      # all that were asked for, of any hub
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("SLUICE_CHROMIUM") or shutil.which("chromium") or ""
        for argument in ("--headless=new", "--disable-dev-shm-usage", "--disable-background-networking",
                         "--no-proxy-server", "--no-first-run", "--hide-scrollbars"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # Chromium's sandbox does not work for root
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = os.environ.get("SLUICE_CHROMEDRIVER") or shutil.which("chromedriver")
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(PATIENCE)
        self.dismissal = self.second = None
        self.dismiss_first_page()

    @property
    def other(self):
        """Another browser with the same hub, for all checks with two pages."""
        self.second = self.second or Page(self.base)
        return self.second

    def close(self):
        if self.second:
            self.second.close()
        self.driver.quit()

    def dismiss_first_page(self):
        """Lets each page be opened by somebody who has seen the first page."""
        if self.dismissal is None:
            script = 'try { localStorage.setItem("sluice first", "dismissed"); } catch { }'
            self.dismissal = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})["identifier"]

    def want_first_page(self):
        """Lets the next page be opened by somebody who has never been here."""
        if self.dismissal is not None:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self.dismissal})
            self.dismissal = None
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.base, "storageTypes": "local_storage"})

    # Reading the page

    def show(self, fragment="", width=1400, height=1000, scheme="light", motion="no-preference"):
        """Sets the window and the user's preferences, and opens the page again."""
        self.look(width, height, scheme, motion)
        self.load(f"{self.base}/{fragment}")
        self.read_logs()

    def look(self, width=1400, height=1000, scheme="light", motion="no-preference"):
        """Sets the window and the user's preferences."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}]})

    def go(self, fragment):
        """Goes to another view of the page, as a link within it does."""
        self.run("location.hash = arguments[0]", fragment)

    def load(self, address):
        """Loads an address again, in the process of the page that is shown: a new process takes longer."""
        here, path = self.driver.current_url, address.partition("#")[0]
        if here.partition("#")[0] != path:
            self.driver.get(address)
            return
        # A new fragment alone would load nothing.
        self.run("history.replaceState(null, '', arguments[0]); window.isLeft = true; location.reload()", address)
        self.wait(lambda: self.run("return !window.isLeft && document.readyState === 'complete'"), lambda: f"{address} to be loaded")

    @contextmanager
    def at(self, own, token=None):
        """Shows the page of another hub in this browser, as somebody who has never been there, and comes back from it."""
        self.driver.get("about:blank")          # lets go of the hub of before
        self.read_logs()
        before = self.base, self.hub, self.console, self.requests
        self.base, self.hub, self.console, self.requests = own.base, Hub(own.base, token), [], []
        try:
            yield self
        except Exception:
            self.picture(self.failure)
            raise
        finally:
            self.driver.get("about:blank")      # the hub may end now
            self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
            self.read_logs()
            strangers = self.strangers()
            self.base, self.hub, self.console, self.requests = before
            expect(not strangers, f"the page of {own.base} asked for {strangers[:5]}")

    @property
    def failure(self):
        """The name of the picture of a check that fails."""
        return "failed-" + self.check.replace(": ", "-").replace(" ", "-")

    def strangers(self):
        """The requests of the page to other hosts than its own hub."""
        self.read_logs()
        urls = [urlsplit(url) for url in self.requests]
        return [url.geturl() for url in urls if url.scheme in ("http", "https", "ws", "wss") and url.netloc != urlsplit(self.base).netloc]

    def open(self, stream, **options):
        """Opens a stream, and waits until it can be edited."""
        self.show(f"#/streams/{stream}", **options)
        self.opened()

    def opened(self):
        self.wait(lambda: self.find_all(".stream:not([aria-busy]) .pipeline .stage"), "the stream")

    def wait(self, condition, what, seconds=PATIENCE):
        """Waits for a condition, and says what it waited for: a text, or a function whose text is made when it gives up."""
        try:
            return WebDriverWait(self.driver, seconds, poll_frequency=0.03,
                                 ignored_exceptions=[StaleElementReferenceException]).until(lambda _: condition())
        except TimeoutException:
            raise Failure(f"waited {seconds} s for {what() if callable(what) else what}") from None

    def run(self, script, *arguments):
        return self.met(arguments, lambda: self.driver.execute_script(script, *arguments))

    def run_async(self, script, *arguments):
        """Runs a script that ends when it calls its last argument."""
        return self.met(arguments, lambda: self.driver.execute_async_script(script, *arguments))

    def met(self, elements, command):
        """Gives a command until it has met elements; it has no effect while one of them is gone."""
        for _ in range(100):
            try:
                return command()
            except StaleElementReferenceException:
                located = [one for one in elements if isinstance(one, Located)]
                if not located:
                    raise
                time.sleep(0.03)
                for one in located:
                    one.renew()
        return command()

    def frames(self, count=2):
        """Waits until the page has been drawn so many times."""
        self.run_async("""
            let [left, done] = arguments;
            requestAnimationFrame(function next() { if (--left > 0) requestAnimationFrame(next); else done(); });
            """, count)

    def find(self, selector):
        return self.wait(lambda: next(iter(self.find_all(selector)), None), selector)

    def find_all(self, selector):
        return [Located(one, lambda index=index: next(iter(self.driver.find_elements(By.CSS_SELECTOR, selector)[index:]), None))
                for index, one in enumerate(self.driver.find_elements(By.CSS_SELECTOR, selector))]

    def text(self, selector):
        """Returns the text of the first such element; empty if there is no such element."""
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)

    def rows(self, table):
        """The texts of the cells of each row in the body of a table."""
        return self.run("return [...document.querySelectorAll(`${arguments[0]} tbody tr`)].map((row) => [...row.cells].map((cell) => cell.textContent))", table)

    def rows_by_name(self, table):
        """The rows of a table by the text of the first cell."""
        return {row[0]: row for row in self.rows(table)}

    def is_shown(self, selector):
        return self.run("const one = document.querySelector(arguments[0]); return Boolean(one && one.offsetParent !== null)", selector)

    # Acting as a person

    def click(self, selector):
        def ready():
            one = next(iter(self.find_all(selector)), None)
            return one if one is not None and one.is_displayed() and one.is_enabled() else None
        self.uncovered(self.wait(ready, lambda: f"{selector} to be there for a click")).click()

    def uncovered(self, element):
        """Scrolls an element out from behind the row at the bottom of a narrow page, as a person would."""
        self.run("""
            const [one] = arguments, box = one.getBoundingClientRect(), bar = document.querySelector(".transport");
            if (!bar || getComputedStyle(bar).position !== "fixed") return;
            const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            if ((!over || over.closest(".transport")) && !one.closest(".transport")) one.scrollIntoView({ block: "center" });""", element)
        return element

    def press(self, text, within="body"):
        """Presses the button with these words, or this label."""
        locate = lambda: self.run("""
            return [...document.querySelector(arguments[1])?.querySelectorAll("button, a") ?? []].find((one) => one.offsetParent !== null
              && (one.textContent.trim() === arguments[0] || one.getAttribute("aria-label") === arguments[0]))""", text, within)
        self.uncovered(Located(self.wait(locate, f"the button {text!r}"), locate)).click()

    def choose(self, menu, entry):
        self.press(menu)
        self.press(entry, f"[role='menu'][aria-label='{menu}']")

    def fill(self, selector, text):
        """Replaces the text of a field by typing."""
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a", Keys.NULL, text)     # one command: a field that is replaced in between would keep its text
        return field

    def hold(self, element, by, steps=8):
        """Takes something with the pointer and drags it so many pixels; answers what lets it go."""
        def take():
            actions = ActionChains(self.driver, duration=8)
            actions.move_to_element(element).click_and_hold()
            for _ in range(steps):
                actions.move_by_offset(round(by[0] / steps), round(by[1] / steps))
            actions.perform()
        self.met([element], take)
        return lambda: ActionChains(self.driver, duration=0).release().perform()

    def drag(self, element, target):
        """Takes something with the pointer, and drops it on something else."""
        def drop():
            try:
                ActionChains(self.driver).drag_and_drop(element, target).perform()
            except StaleElementReferenceException:      # perhaps after the button was pressed
                ActionChains(self.driver).release().perform()
                raise
        self.met([element, target], drop)

    def drag_by_finger(self, element, by, rest, steps=8):
        """Rests a finger on something for so many seconds, and drags it so many pixels."""
        finger = ActionBuilder(self.driver, mouse=PointerInput(POINTER_TOUCH, "finger"), duration=20)
        box = element.rect
        x, y = round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)
        finger.pointer_action.move_to_location(x, y).pointer_down().pause(rest)
        for step in range(1, steps + 1):
            finger.pointer_action.move_to_location(x + round(by[0] * step / steps), y + round(by[1] * step / steps))
        finger.pointer_action.pointer_up()
        finger.perform()

    def balls(self, stage=0):
        return self.run("return [...document.querySelectorAll(`[data-stage='${arguments[0]}'] [data-ball]`)].map((ball) => ball.textContent)", stage)

    def items(self):
        """The balls of the items as the page draws them: [text, time]."""
        return self.run("return [...document.querySelectorAll('.item')].map((one) => [one.textContent, Number(one.dataset.time)])")

    def item(self, index):
        return self.find(f".item[data-item='{index}']")

    def mark(self, stage=0):
        return self.run("return document.querySelector(`[data-stage='${arguments[0]}'] [data-mark]`)?.dataset.mark",
            stage)

    def state(self):
        return self.run("return document.querySelector('.transport .state')?.dataset.state")

    # Pictures and waits

    def read_logs(self):
        self.console += self.driver.get_log("browser")
        for entry in self.driver.get_log("performance"):
            message = loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                self.requests.append(message["params"]["url"])
        self.paths.update(urlsplit(url).path for url in self.requests)

    def picture(self, name):
        folder = os.environ.get("SLUICE_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(str(Path(folder) / f"{name}.png"))

    def rest(self, milliseconds):
        """Lets the page draw frames for a while, without a condition."""
        self.run_async("setTimeout(arguments[1], arguments[0])", milliseconds)


def until(condition, what, seconds=PATIENCE):
    """Waits for a condition outside of the page."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise Failure(f"waited {seconds} s for {what() if callable(what) else what}")
