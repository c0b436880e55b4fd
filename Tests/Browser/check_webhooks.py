"""A webhook shows its address, and a curl line that works as it is copied and runs nothing else."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

from api import OwnHub
from browser import expect, until

SECRET = "it's a $(secret) \"of\" some \\length!"
CODED = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwtQ"
SCHEMES = {
    "github": {"header": "X-Hub-Signature-256", "algorithm": "sha256", "secret": "${secret:key}", "prefix": "sha256="},
    "slack": {"header": "X-Slack-Signature", "algorithm": "sha256", "secret": "${secret:key}", "prefix": "v0=",
              "timestamp": "X-Slack-Request-Timestamp", "signed": "v0:{timestamp}:{body}"},
    "stripe": {"header": "Stripe-Signature", "algorithm": "sha256", "secret": "${secret:key}", "prefix": "v1=",
               "timestamp": "Stripe-Signature", "timestampPrefix": "t=", "signed": "{timestamp}.{body}"},
    "standard": {"header": "webhook-signature", "algorithm": "sha512", "secret": "${secret:key}", "encoding": "base64",
                 "timestamp": "webhook-timestamp", "signed": "{header:webhook-id}.{timestamp}.{body}"},
    "coded": {"header": "webhook-signature", "algorithm": "sha256", "secret": "${secret:coded}", "key": "base64",
              "encoding": "base64", "timestamp": "webhook-timestamp", "signed": "{header:webhook-id}.{timestamp}.{body}"},
    "hostile": {"header": "X-Sign", "algorithm": "sha256", "secret": "${secret:key}",
                "prefix": "'$(touch$IFS'HURT')`touch$IFS'HURT'`;", "signed": "'; touch HURT; $(touch HURT)\t\u202e{body}\\"},
}


class World:
    def __init__(self, page, *options):
        self.page = page
        self.folder = tempfile.TemporaryDirectory()
        secrets = Path(self.folder.name) / "secrets.json"
        secrets.write_text(json.dumps({name: {"value": value, "origins": []}
            for name, value in (("key", SECRET), ("coded", CODED))}))
        secrets.chmod(0o600)
        self.own = OwnHub("--secrets", str(secrets), *options)
        page.driver.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": self.own.base, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})

    def copied(self, name, what):
        """Copies the address or the line of a webhook, and returns what is on the clipboard."""
        self.page.press(f"Copy the {what} of the webhook {name}")
        self.page.wait(lambda: f"{what} is copied" in self.page.text(".note"), "the note")
        self.page.press("Close", ".note")
        return self.page.run_async("navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))")

    def run(self, line, **environment):
        """Runs a line in bash; returns the status of the answer."""
        result = subprocess.run(["bash", "-c", f"{line} -s -o /dev/null -w '%{{http_code}}'"], cwd=self.folder.name,
            env={**os.environ, "no_proxy": "127.0.0.1", **environment}, capture_output=True, text=True, timeout=300)
        expect(not (Path(self.folder.name) / "HURT").exists(), f"a text was run as a command: {line}")
        expect(result.stdout.isdigit(), f"{line} says {result.stdout!r} {result.stderr!r}")
        return int(result.stdout)

    def close(self):
        self.own.close()
        self.folder.cleanup()


def in_world(check):
    def run(page):
        world = World(page)
        try:
            with page.at(world.own):
                check(world, page)
                expect(not page.run("return window.hurt"), "a text of a document was run")
        finally:
            world.close()
    run.__name__ = check.__name__
    return run


def running(page, id):
    page.hub.control(id, "start")
    until(lambda: page.hub.state(id) == "running", "the run")


@in_world
def a_webhook_has_an_address_and_a_line_that_works(world, page):
    id = page.hub.create(name="Way in", source={"webhook": {"name": "orders", "auth": "none"}}, operators=[])
    running(page, id)
    page.open(id)
    page.wait(lambda: page.text("[data-webhook='address']") == f"{page.base}/streams/{id}/webhook/orders",
        f"the address: {page.text('[data-webhook=address]')!r}")
    expect(world.copied("orders", "address") == f"{page.base}/streams/{id}/webhook/orders", "another address is copied")
    page.picture("webhook")
    line = world.copied("orders", "curl line")
    expect(line == page.text("[data-webhook='curl line']"), f"copied is {line!r}")
    until(lambda: world.run(line) == 204, "the item to be taken")
    page.wait(lambda: page.balls(), "the item in the tunnel")
    page.hub.control(id, "stop")
    expect(world.run(line) == 503, "a stream that is stopped takes an item")
    page.wait(lambda: "answers 503" in page.text(".webhooks"), "that the page says so")


@in_world
def a_line_signs_what_it_posts(world, page):
    for name, scheme in SCHEMES.items():
        document = {"source": {"webhook": {"name": name, "auth": {"hmac": scheme}}}, "operators": []}
        id = page.hub.create(name=name, **document)
        running(page, id)
        page.open(id)
        line = page.text("[data-webhook='curl line']")
        secret, hint = (CODED, '"coded"') if name == "coded" else (SECRET, '"key"')
        expect(secret not in page.text("body") and hint in page.text(".webhooks"), f"the hint: {page.text('.webhooks')!r}")
        expect("\u202e" not in line and "\t" not in line, f"{name}: a sign that one can't see is in {line!r}")
        until(lambda: world.run(line, SECRET=secret) == 204, f"{name}: the signature to be accepted")
        expect(world.run(line, SECRET="another") == 401, f"{name}: another secret is accepted")


@in_world
def hostile_ids_and_names_are_quoted(world, page):
    id = "a'; touch HURT; '$(touch HURT)`touch HURT`\"\\!\u202e<img src=x onerror='window.hurt=1'>"
    status, answer, _ = page.hub.ask("PUT", f"/streams/{quote(id, safe='')}", {"name": "Hostile",
        "source": {"merge": [{"webhook": {"name": "one", "auth": "none"}}, {"webhook": {"name": "two", "auth": "token"}}]},
        "operators": []}, If_None_Match="*")
    expect(status == 201, f"the hub answers {status} {answer}")
    running(page, id)
    page.show(f"#/streams/{quote(id, safe='')}")
    page.opened()
    page.wait(lambda: len(page.find_all("[data-webhook='curl line']")) == 2, "both webhooks")
    one, two = page.texts("[data-webhook='curl line']")
    until(lambda: world.run(one) == 204, "the item to be taken")
    expect('"Authorization: Bearer $SLUICE_TOKEN"' in two, f"the line is {two!r}")
    expect(world.run(two, SLUICE_TOKEN="a token of another hub") == 403, "a hub without tokens takes one")
    # A draft may hold names that the hub refuses; an object among values that looks like a webhook is data.
    def draft(source):
        page.run("""
            const field = document.querySelector("textarea.text"); field.focus(); field.value = arguments[0];
            field.dispatchEvent(new Event("input", { bubbles: true }));""", json.dumps({"source": source}))
    draft({"webhook": {"name": "three", "auth": {"hmac": {"header": "@/etc/passwd", "secret": "${secret:'}"}}}})
    page.wait(lambda: "has an error" in page.text(".webhooks"), "that the signature has an error")
    expect(not page.find_all("[data-webhook='curl line']"), "there is a line all the same")
    for source in ({"webhook": {"name": "'; touch HURT; $(touch HURT)", "auth": "none"}}, {"webhook": {"name": "..", "auth": "none"}},
            {"values": [{"webhook": {"name": "x", "auth": "none"}}]}):
        draft({"webhook": {"name": "three", "auth": "none"}})
        page.wait(lambda: page.is_shown(".webhooks"), "the webhook of the draft")
        draft(source)
        page.wait(lambda: not page.is_shown(".webhooks"), lambda: f"that there is no webhook in {source}")


def a_line_has_the_token_of_its_user(page):
    token = "open-sesame-please-17"
    own = OwnHub("--token", token)
    try:
        with page.at(own, token):
            its_token(page, token)
    finally:
        own.close()


def its_token(page, token):
    id = page.hub.create(name="Guarded", source={"webhook": {"name": "in", "auth": "token"}}, operators=[])
    page.hub.control(id, "start")
    page.driver.get(f"{page.base}/#token={token}")
    page.wait(lambda: "Guarded" in page.text("body"), "the list of streams")
    page.run("location.hash = arguments[0]", f"#/streams/{id}")
    page.opened()
    line = page.text("[data-webhook='curl line']")
    expect(token not in line and "role run" in page.text(".webhooks"), f"the line is {line!r}")
    run = lambda value: subprocess.run(["bash", "-c", f"{line} -s -o /dev/null -w '%{{http_code}}'"], capture_output=True,
        text=True, timeout=300, env={**os.environ, "no_proxy": "127.0.0.1", "SLUICE_TOKEN": value}).stdout
    until(lambda: run(token) == "204", "the item to be taken")
    expect(run("another") == "401", "another token is accepted")


@in_world
def a_webhook_is_chosen_as_a_source(world, page):
    id = page.hub.create(name="Chosen", source={"values": [1]}, operators=[])
    page.open(id)
    page.run("""const kind = document.querySelector(".source select"); kind.value = "webhook"; kind.dispatchEvent(new Event("change"))""")
    # Nothing runs, so that the choice is stored without a question.
    until(lambda: "webhook" in page.hub.document(id)["source"], "the choice in the hub")
    page.wait(lambda: page.is_shown(".webhooks"), "the webhook")
    expect("Bearer $SLUICE_TOKEN" in page.text(".webhooks"), f"the line: {page.text('.webhooks')!r}")
    page.fill(".source [data-parameter='name']", "orders")
    page.wait(lambda: page.text("[data-webhook='address']").endswith("/webhook/orders"), "the address of the name")
    # A name that is being typed waits.
    page.click("#apply")
    until(lambda: page.hub.document(id)["source"] == {"webhook": {"name": "orders", "auth": "token"}}, "the webhook in the hub")


CHECKS = [a_webhook_has_an_address_and_a_line_that_works, a_line_signs_what_it_posts, hostile_ids_and_names_are_quoted,
    a_line_has_the_token_of_its_user, a_webhook_is_chosen_as_a_source]
